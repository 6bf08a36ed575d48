"""What one game offers to the levels, hints, reviews and puzzles: its minds, and how much is searched.

Each game defines one Strategy; bot/ai/strategies.py lists them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from bot.ai.engine.minds import Dice, PlainPolicy
from bot.ai.engine.positions import Position
from bot.ai.engine.search import Round, Rounds, Search
from bot.domain.level import Level
from bot.rules.core.actions import Action
from bot.rules.core.game import Rules, View

Late: TypeAlias = Callable[[], bool]


class Effort(NamedTuple):
    """How much is tried of plays, and of bids before the play."""

    plays: Rounds
    bids: Rounds = ()


class Strategy(NamedTuple):
    """How house players play a game.

    plain: the mind of plain players. mended: of good and strong ones, without the mistakes that were found in plain
    ones. position: the decision that is searched, None in a game without a search. searches: tells whether given rules
    can be searched, None for all rules. cautious: as in ``Search``. good, strong: the efforts of these
    levels. own: plays all levels where a seat is asked to play and there is a search, instead of the minds.
    """

    plain: PlainPolicy = PlainPolicy()
    mended: PlainPolicy | None = None
    position: Callable[[View], Position] | None = None
    searches: Callable[[Rules], bool] | None = None
    cautious: bool = True
    good: Effort = Effort((Round(6, 10), Round(3, 20)), (Round(4, 12), Round(2, 12)))
    strong: Effort = Effort((Round(10, 24), Round(5, 60), Round(3, 120)), (Round(4, 24), Round(2, 60)))
    own: Callable[[Level, View, Dice, Rounds, Late], Action] | None = None

    def has_search(self, rules: Rules) -> bool:
        """Tell whether good and strong players try actions out by these rules."""
        return self.position is not None and (self.searches is None or self.searches(rules))

    def effort(self, level: Level) -> Effort:
        """Return how much a level tries."""
        return self.strong if level == Level.STRONG else self.good

    def search(self, view: View, rng: Dice) -> tuple[Position, Search]:
        """Return the decision of a seat, and a search that has tried nothing yet."""
        assert self.position is not None
        position = self.position(view)
        return position, Search(view.seat or 0, position.imagine, rng or random.Random(0), cautious=self.cautious)
