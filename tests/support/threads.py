"""Threads in place of worker processes, whose start costs a second of a core per test.

Calls and results are pickled anyway, and thinking time is unlimited: no machine is too slow for it. That processes do
what threads do is told in tests/test_workers.py and test_thinkers.py.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from threading import Event
from typing import TypeVar

from bot.ai_pool.moves import InThreadMoveChooser, MoveRequest
from bot.rules.core.asks import Action

T = TypeVar("T")


class ThreadWorkers:
    """Calls functions as a pool of child processes does."""

    async def call(self, _limit: float, function: Callable[..., T], *args: object) -> T:
        """Return what a function returns."""
        return _pickled_copy(await asyncio.to_thread(function, *map(_pickled_copy, args)))

    async def close(self) -> None:
        """Have nothing to end."""


def _pickled_copy(value: T) -> T:
    if isinstance(value, Event):  # of a test, which holds what is called
        return value
    copied: T = pickle.loads(pickle.dumps(value))
    return copied


class ThreadMovePool(InThreadMoveChooser):
    """Think for house players, and never come to an end for the time."""

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return what a house player does."""
        return await super().choose(request._replace(seconds=None))

    async def close(self) -> None:
        """Have nothing to end."""
