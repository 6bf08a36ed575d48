"""The levels of house players: whoever sits at a table chooses how well the house plays there.

Knows which mind plays which game at which level; a game without minds of its own is played by the plain one at all
levels, and so is every question but what to play. Refuses to know what makes a play good.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import StrEnum

from bot.house import big_two, plain
from bot.house.packed.law import supports
from bot.house.packed.search import ROUNDS, never
from bot.rules.actions import Action
from bot.rules.asks import PlayAsk
from bot.rules.game import View


class Level(StrEnum):
    """How well somebody plays: as a relaxed friend, as one who plays weekly, and as well as the house can."""

    KIND = "kind"
    GOOD = "good"
    STRONG = "strong"


def choose(
    level: Level, view: View, rng: random.Random | None = None, late: Callable[[], bool] = never
) -> Action | None:
    """Return what a house player of this level does where its seat is asked; always the same for the same dice.

    None where it need not do anything and rather does not. late: tells a strong one when to come to an end.
    """
    thinks = supports(view.rules) and isinstance(view.ask, PlayAsk) and view.plays and not plain.goes_out(view)
    if not thinks:
        return plain.choose(view, rng)
    match level:
        case Level.KIND:
            return big_two.kind(view, rng)
        case Level.GOOD:
            return big_two.good(view, rng)
        case Level.STRONG:
            return big_two.strong(view, rng, ROUNDS, late)
