"""What a hand of Big A can play at one moment.

Knows a hand and what lies there. Refuses to know the other hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.rules.big_a import refuse
from bot.rules.big_a.groups import Groups
from bot.rules.cards import Cards, lacking
from bot.rules.game import Combo, Plays


@dataclass(slots=True)
class BigAPlays(Plays):
    """What a hand can play on ``top`` (None: as a lead); one play for all of the same ranks."""

    groups: Groups
    hand: Cards = field(repr=False)
    top: Combo | None

    def __iter__(self) -> Iterator[Combo]:
        return self.groups.over(self.hand, self.top)

    def verify(self, played: Cards) -> Combo:
        """Return the combination these cards make here, or raise Illegal with the article that forbids it."""
        if missing := lacking(self.hand, played):
            raise refuse.not_held(missing)
        combo = self.groups.classify(played)
        if combo is None:
            raise refuse.no_combination(self.groups, self.groups.sort(played))
        top = self.top
        if top and not self.groups.beats(combo, top) and not self.groups.captures(combo, top):
            raise refuse.not_higher(self.groups, combo, top)
        return combo
