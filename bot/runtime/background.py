"""A background task, at most one instance at a time, started again and again by the clock.

The clock never waits for the task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from bot.runtime.tasks import start_task


class BackgroundTask:
    """One kind of background work. name: of the asyncio task."""

    def __init__(self, work: Callable[[], Coroutine[object, object, None]], name: str) -> None:
        self._work = work
        self._name = name
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start the work unless still running."""
        if self._task is None or self._task.done():
            self._task = start_task(self._work(), name=self._name)

    def stop(self) -> None:
        """Cancel the running work."""
        if self._task:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait for the end of cancelled work."""
        if self._task:
            await asyncio.wait({self._task})
