"""Threads in place of worker processes, whose start costs a second of a core per test.

Calls and results are still pickled, and thinking time is unlimited, for slow machines. Processes are tested
in tests/test_workers.py and test_thinkers.py.
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
    """Calls functions in threads, with the interface of a process pool."""

    async def call(self, _limit: float, function: Callable[..., T], *args: object) -> T:
        """Return the result of a function."""
        return _pickled_copy(await asyncio.to_thread(function, *map(_pickled_copy, args)))

    async def close(self) -> None:
        """Do nothing."""


def _pickled_copy(value: T) -> T:
    if isinstance(value, Event):  # of a test, which holds what is called
        return value
    copied: T = pickle.loads(pickle.dumps(value))
    return copied


class ThreadMovePool(InThreadMoveChooser):
    """Chooses moves of house players in threads, without time limit."""

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return the action of a house player."""
        return await super().choose(request._replace(seconds=None))

    async def close(self) -> None:
        """Do nothing."""
