"""The plain house player: answers whatever its seat is asked, in any game, by a View and without looking ahead.

It sits in for people, and plays the deals that people play too; so its minds stay as they are (VERSION).
"""

from __future__ import annotations

from bot.ai.engine.minds import Dice
from bot.ai.strategies import strategy
from bot.rules.core.actions import Action
from bot.rules.core.game import View

VERSION = 1  # rises when plain house players play otherwise: the deal of a day compares those who met the same


def choose(view: View, rng: Dice = None, overlooked: float = 0.0) -> Action | None:
    """Return the action of the seat; see ``Mind.choose``."""
    return strategy(view.rules.game).plain.choose(view, rng, overlooked)
