"""The code of a pool process: a seat's view in, an action out.

The process knows its time limit, but no tables and no secrets of other seats.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import NamedTuple

from bot.ai.levels import house_action
from bot.domain.chairs import Level
from bot.rules.core.asks import Action
from bot.rules.core.game import View

NICENESS = 10  # below the tables


class WorkerRequest(NamedTuple):
    """A request to a pool process.

    dice: the random seed. seconds: the time limit.
    """

    view: View
    level: Level
    dice: str
    seconds: float


def search_move(question: WorkerRequest) -> Action | None:
    """Return the chosen action; None for no action."""
    dice = Random(question.dice)  # reproducible
    return house_action(question.level, question.view, dice, time_limit(question.seconds))


def time_limit(seconds: float) -> Callable[[], bool]:
    """Return a function to tell whether this number of seconds has passed since the call."""
    end = perf_counter() + seconds
    return lambda: perf_counter() >= end
