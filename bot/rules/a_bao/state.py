"""3 and 5. The public state of a hand: the bids so far, and cards known in other hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from bot.domain.message_ids import N_
from bot.rules.a_bao.options import Options
from bot.rules.core.cards import Card
from bot.rules.core.sentences import From, Seat, by_seat


class Seen(NamedTuple):
    """A card known in another player's hand. by: the seat that knows it, None for all."""

    holder: int
    card: Card
    by: int | None = None


class Known(NamedTuple):
    """The cards known in other players' hands."""

    seen: tuple[Seen, ...] = ()

    def __repr__(self) -> str:
        """Return the number of cards only, to keep the cards out of logs."""
        return f"<Known {len(self.seen)}>"

    def to(self, viewer: int | None) -> tuple[tuple[int, Card], ...]:
        """Return the known cards in other hands for this seat, as (seat, card).

        viewer: None for spectators.
        """
        known = (
            (sighting.holder, sighting.card)
            for sighting in self.seen
            if sighting.holder != viewer and sighting.by in (None, viewer)
        )
        return tuple(sorted(known, key=lambda pair: (pair[0], str(pair[1]))))

    def without(self, gone: Iterable[Card]) -> Known:
        """Return the knowledge after these cards left the hands."""
        left = frozenset(gone)
        return Known(tuple(sighting for sighting in self.seen if sighting.card not in left)) if self.seen else self

    def shown(self, card: Card, holder: int) -> Known:
        """Return the knowledge after a card was shown in a hand."""
        return Known((*self.without((card,)).seen, Seen(holder, card)))

    def given(self, card: Card, giver: int, to: int, kept: Iterable[Card]) -> Known:
        """Return the knowledge after a card was given face down.

        kept: cards that the giver cannot have given. Other known cards of the giver remain known to the receiver only:
        for the other seats, each of them may be the given card.
        """
        sure = frozenset(kept)
        seen = [sighting for sighting in self.seen if sighting.card is not card]
        stays = [
            sighting for sighting in seen if sighting.holder != giver or sighting.card in sure or sighting.by == to
        ]
        for_one = [sighting._replace(by=to) for sighting in seen if sighting not in stays and sighting.by is None]
        return Known((*stays, *for_one, Seen(to, card, giver)))


Fact = tuple[str, Any]

# Facts without a sentence: the starter and the known cards during further bids, because the calls imply them; and the
# declarer, who is displayed by sides.
FACTS = {
    "starter": N_("First to bid: {value}."),
    "bound": N_("First to bid, with the four of hearts: {value}."),
    "thrown": N_("Redeals because everyone passed: {value}."),
    "passed": N_("Passed: {value}."),
    "called": N_("Called: {value}."),
    "stakes": N_("Stakes against each opponent: {value}."),
    "held": N_("Everyone knows that {value}."),
}


class Called(NamedTuple):
    """A call (5.2, 5.3). holder: the seat that handed the card over."""

    caller: int
    card: Card
    holder: int


class Bid(NamedTuple):
    """The bids so far.

    bound: whether the four of hearts decided the starter in this very deal (3.2). thrown: the number of deals of this
    hand thrown in. declarer: None until one is found.
    """

    starter: int
    bound: bool
    thrown: int = 0
    calls: tuple[Called, ...] = ()
    declarer: int | None = None

    def stakes(self, options: Options) -> int:
        """Return the stakes of the hand for each opponent, before doubling (8).

        There must be a declarer.
        """
        if options.scoring == "simplified":
            return 1 if self.calls else 2
        return len(self.calls) or options.players + 1

    def single(self, options: Options) -> bool:
        """Tell whether the declarer wins immediately as the only caller (O7.2)."""
        return options.single_caller_wins and len(self.calls) == 1

    def facts(self, known: Known, passed: tuple[int, ...] = ()) -> Iterator[Fact]:
        """Yield the public facts. passed: the seats that passed in a round in progress."""
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
        """Return the name of the fact about the starter.

        Only the name before the first bid has a sentence.
        """
        if self.declarer is not None:
            return "started"
        told = "bound" if self.bound else "starter"
        return f"{told}_before" if self.calls or passed else told
