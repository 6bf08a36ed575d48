"""3 and 5. What has been bid, for everybody to hear: who began, who called for which card, who is the declarer.

Knows what was said aloud. Refuses to know any hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.rules.a_bao.known import Known
from bot.rules.a_bao.options import Options
from bot.rules.core.cards import Card
from bot.rules.core.sentences import From, Seat, by_seat

Fact = tuple[str, Any]

# Who began and which cards are known to be held goes without saying while others bid, for the calls tell it; and who
# plays alone is shown as sides.
FACTS = {
    "starter": "{value} starts the bidding.",
    "bound": "{value} starts, with the four of hearts.",
    "thrown": "Thrown in because nobody called: {value}.",
    "passed": "Passed: {value}.",
    "called": "Called: {value}.",
    "stakes": "Stakes against each opponent: {value}.",
    "held": "Known to be held: {value}.",
}


class Called(NamedTuple):
    """A call (5.2, 5.3). holder: who handed the card over."""

    caller: int
    card: Card
    holder: int


class Bid(NamedTuple):
    """What has been bid so far.

    bound: whether the starter was found by the four of hearts in this very deal (3.2). thrown: how many deals of this
    hand were thrown in. declarer: None as long as nobody is.
    """

    starter: int
    bound: bool
    thrown: int = 0
    calls: tuple[Called, ...] = ()
    declarer: int | None = None

    def stakes(self, options: Options) -> int:
        """Return the value of the hand once there is a declarer, in stakes for each opponent, before doubling (8)."""
        if options.scoring == "simplified":
            return 1 if self.calls else 2
        return len(self.calls) or options.players + 1

    def single(self, options: Options) -> bool:
        """Tell whether the declarer wins at once for being the only caller (O7.2)."""
        return options.single_caller_wins and len(self.calls) == 1

    def facts(self, known: Known, passed: tuple[int, ...] = ()) -> Iterator[Fact]:
        """Yield what everybody has heard and seen. passed: who has passed in a round that goes on."""
        yield self._began(passed), Seat(self.starter)
        if self.thrown:
            yield "thrown", self.thrown
        if self.calls:
            yield "called", tuple(From(Seat(call.caller), (call.card,), Seat(call.holder)) for call in self.calls)
        if passed:
            yield "passed", tuple(map(Seat, passed))
        if held := known.to(None):
            yield ("seen" if self.declarer is None else "held"), by_seat(held)

    def _began(self, passed: tuple[int, ...]) -> str:
        """Return as which fact it is known who began: told aloud only until somebody has said anything."""
        if self.declarer is not None:
            return "started"
        told = "bound" if self.bound else "starter"
        return f"{told}_before" if self.calls or passed else told
