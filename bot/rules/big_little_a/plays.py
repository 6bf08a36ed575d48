"""What a hand of The Big and the Little A can play at one moment.

Knows a hand and what lies there. Refuses to know the other hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.rules.big_little_a import refuse, sets
from bot.rules.big_little_a.tables import MEAN
from bot.rules.cards import Cards, lacking
from bot.rules.game import Plays
from bot.rules.sentences import Illegal
from bot.rules.trick import Combo

if TYPE_CHECKING:
    from bot.rules.big_little_a.rules import BigLittleA

BARRED = "{card} was taken in the round before, so it cannot be led yet."


@dataclass(slots=True)
class BigLittleAPlays(Plays):
    """What a hand can play on ``top`` (None: as a lead). barred: A cards that cannot be led yet (5.8)."""

    rules: BigLittleA
    hand: Cards = field(repr=False)
    top: Combo | None
    barred: Cards = ()

    def __iter__(self) -> Iterator[Combo]:
        if self.rules.a_round:
            return sets.any_card(self.hand)
        found = sets.over(self.hand, self.top, bare=self.rules.bare)
        return (combo for combo in found if combo.head not in self.barred)

    def verify(self, played: Cards) -> Combo:
        """Return the combination these cards make here, or raise Illegal with the article that forbids it."""
        if missing := lacking(self.hand, played):
            raise refuse.not_held(missing, a_round=self.rules.a_round)
        if self.rules.a_round:
            if refused := refuse.in_a_round(played):
                raise refused
            return sets.laid(played[0])
        combo = self.rules.classify(played)
        if combo is None:
            raise refuse.no_set(sets.in_order(played))
        if combo.head in self.barred:
            raise Illegal("5.8", BARRED, card=combo.head)
        if self.top and (refused := refuse_on(combo, self.top)):
            raise refused
        return combo


def refuse_on(tried: Combo, top: Combo) -> Illegal | None:
    """Return why this does not go on that in a normal round, or None (3.2, 3.3, 4.2, 5.7)."""
    fits = len(tried.cards) == len(top.cards) and tried.head not in MEAN and tried.strength > top.strength
    return None if fits else refuse.not_higher(tried, top)
