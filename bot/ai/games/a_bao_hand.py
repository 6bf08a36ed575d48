"""What Tàihé A Bāo adds to a packed hand: who plays with whom, and what it comes to. Refuses to know how it was bid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Self

from bot.ai.engine.codes import Codes, bits
from bot.ai.engine.hand import PackedTricks
from bot.rules.a_bao.groups import Groups
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.a_bao.score import doubling, points

NEVER: Final = 99  # cards: nobody holds so many


class ABaoTricks(PackedTricks):
    """Tàihé A Bāo. plays: how often each seat has played."""

    __slots__ = ("bid", "options", "plays")

    def __init__(self, game: ABaoGame) -> None:
        options = game.rules.options
        super().__init__(codes(game.rules), game)
        self.bid, self.options, self.plays = game.bid, options, [*game.plays]

    def _copy_to(self, other: Self) -> None:
        other.bid, other.options, other.plays = self.bid, self.options, self.plays[:]

    def _played(self, seat: int, code: int, before: int) -> None:  # whatever it is
        self.plays[seat] += 1

    def allies(self, seat: int) -> int:
        """Return the others who play with this seat, as bits (1.1)."""
        declarer = self.bid.declarer or 0
        everybody = (1 << len(self.hands)) - 1
        return 0 if seat == declarer else everybody & ~(1 << declarer | 1 << seat)

    def points(self) -> Sequence[int]:
        """Return the points of each seat, once it is over (8)."""
        declarer = self.bid.declarer or 0
        won = self.gone[0] == declarer
        twice = doubling(declarer, tuple(self.plays), self.options, won=won)
        stakes = self.bid.stakes(self.options) * (2 if twice else 1)
        return points(declarer, stakes, self.options, won=won)


def codes(rules: ABaoRules) -> Codes:
    """Return the combinations under these rules; the same object every time."""
    return _codes(rules.groups, rules.options.auto_pass != "off")


@lru_cache(maxsize=16)
def _codes(groups: Groups, passes_itself: bool) -> Codes:
    found = Codes(groups)
    if passes_itself:  # O16.1
        found.idle = [min([found.sizes[at] for at in bits(over)], default=NEVER) for over in found.over] + [0]
    return found
