"""What a child process does that thinks for house players, so that nothing else has to wait for them.

What a seat may know comes in, what it does goes out. Knows how long it may think. Refuses to know tables, and
everything that is secret.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import NamedTuple

from bot.ground.level import Level
from bot.house.levels import choose
from bot.rules.actions import Action
from bot.rules.game import View

NICENESS = 10  # tables come first


class WorkerRequest(NamedTuple):
    """What is to be request about.

    dice: what its dice follow from. seconds: after which it has to come to an end.
    """

    view: View
    level: Level
    dice: str
    seconds: float


def search_move(question: WorkerRequest) -> Action | None:
    """Return what is done; None where nothing need be."""
    dice = Random(question.dice)  # noqa: S311  # comes again
    return choose(question.level, question.view, dice, late_after(question.seconds))


def late_after(seconds: float) -> Callable[[], bool]:
    """Return a function that tells whether so many seconds have passed since this call."""
    end = perf_counter() + seconds
    return lambda: perf_counter() >= end
