"""Big A for house players: its packed hand with captures and sides, and its strategy.

A pair of Big Aces counts as a bomb for every seat if it does under the seat's own rules (O9).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final, Self

from bot.ai.engine.codes import FIELD, STATE, Codes, bits
from bot.ai.engine.hand import NOTHING, ClimbingHand
from bot.ai.engine.search import ClimbingPosition, Packing, seat_model
from bot.ai.engine.strategy import PlainPolicy, Strategy
from bot.ai.games.big_a_reading import TASTE, BigAReading, answer
from bot.rules.big_a.groups import Groups
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.rules import BigARules
from bot.rules.big_a.score import points
from bot.rules.big_a.tables import BIG, SINGLES
from bot.rules.core.trick import Combo

NEVER: Final = 99  # cards: nobody holds so many


class BigACodes(Codes):
    """The combinations of Big A.

    bigs: how many Big Aces each has; captures: what each takes, as bits (5.1).
    """

    def __init__(self, groups: Groups, *, has_auto_pass_option: bool) -> None:
        super().__init__(groups)
        samples = [sample for sample, _ in self.codes]
        self.bigs = [sum(STATE - need.after[STATE] for slot, need in takes if slot == BIG) for takes in self.takes]
        self.captures = [self.where(partial(groups.captures, fours)) for fours in samples]
        for at, captured in enumerate(self.captures):
            for top in bits(captured):
                self.over[top] |= 1 << at
        if has_auto_pass_option:
            self.idle = [*map(_least, samples), 0]


def _least(top: Combo) -> int:
    """O16.1: return the minimum number of cards with which a seat is asked to beat a play."""
    if top.kind == "big_ace_pair":
        return NEVER
    return 2 if top.kind == "big_ace" or top.kind not in SINGLES else 0


class BigAHand(ClimbingHand):
    """Big A, with the state that house players add.

    few: the declarer's side, as bits. net: the Big Aces that a seat has played, minus captured ones (7.8).
    """

    __slots__ = ("few", "net", "options", "sides")

    codes: BigACodes

    def __init__(self, game: BigAGame) -> None:
        options = game.rules.options
        super().__init__(codes(game.rules), game)
        self.gone, self.net, self.sides, self.options = [*game.out], [*game.net], game.sides, options
        self.few = sum(1 << seat for seat in game.sides.few)

    def copy(self) -> Self:
        """Return an independent copy."""
        other = super().copy()
        other.few, other.net, other.sides, other.options = self.few, self.net[:], self.sides, self.options
        return other

    def _played(self, seat: int, code: int, before: int) -> None:
        bigs = self.codes.bigs
        change = bigs[code]
        if before != NOTHING and self.codes.captures[code] >> before & 1:
            self._capture(seat, before)
            change -= bigs[before]
        if change:
            self._count(seat, change)

    def allies(self, seat: int) -> int:
        """Return the allies of a seat, as bits, known or not (2.8)."""
        everybody = (1 << len(self.hands)) - 1
        side = self.few if self.few >> seat & 1 else everybody & ~self.few
        return side & ~(1 << seat)

    def _capture(self, seat: int, taken: int) -> None:
        """5.1: take what lies there."""
        for slot, need in self.codes.takes[taken]:
            self.hands[seat] += (STATE - need.after[STATE]) << FIELD * slot
        self.held[seat] = self.codes.held(self.hands[seat])
        self.counts[seat] += self.codes.sizes[taken]

    def _count(self, seat: int, change: int) -> None:
        """7.7, 7.8: record when the partner, or a lone declarer, becomes known."""
        self.net[seat] += change
        declarer = self.sides.declarer
        seen = self.net[declarer] > 1 or any(count > 0 for one, count in enumerate(self.net) if one != declarer)
        if seen and not self.sides.known:
            self.sides = self.sides._replace(known=True)

    def _ends(self, seat: int) -> bool:
        """7.9: all who hold cards are on one side."""
        return not self.able & self.few or not self.able & ~self.few

    def _heir(self, seat: int) -> int:
        return self.sides.lead_after(seat, frozenset(bits(self.able)))

    def points(self) -> Sequence[int]:
        """Return the points of each seat, once it is over (8)."""
        return points(self.sides, (*self.gone, *bits(self.able)), self.options)


def codes(rules: BigARules) -> BigACodes:
    """Return the combinations under these rules, with their Big suit.

    Equal rules get the same object.
    """
    return _codes(rules.groups, rules.options.auto_pass != "off")


@lru_cache(maxsize=32)
def _codes(groups: Groups, has_auto_pass_option: bool) -> BigACodes:
    return BigACodes(groups, has_auto_pass_option=has_auto_pass_option)


THINKING: Final = seat_model(BigAReading.of, TASTE, sure=0.7, worth=0.7, threat=1.0, helping=1.0)
PACKING: Final = Packing(codes, BigAHand, THINKING, THINKING)
ENDING: Final = TASTE._replace(
    ending=0.6
)  # plain ones spare an ally's play though they could go out with the next lead
STRATEGY: Final = Strategy(
    PlainPolicy(answer, read=BigAReading.of),
    PlainPolicy(answer, read=partial(BigAReading.of, style=ENDING)),
    partial(ClimbingPosition, packing=PACKING),
)
