"""Work that goes on beside the clock, once at a time.

Refuses to know what is done. The clock begins it again and again, and waits for none of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from bot.ground.begun import start_task


class BackgroundTask:
    """One kind of work. name: what its task is called."""

    def __init__(self, work: Callable[[], Coroutine[object, object, None]], name: str) -> None:
        self._work = work
        self._name = name
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Begin, unless it goes on still."""
        if self._task is None or self._task.done():
            self._task = start_task(self._work(), name=self._name)

    def stop(self) -> None:
        """Leave the rest for another time."""
        if self._task:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until the work that was stopped has ended."""
        if self._task:
            await asyncio.wait({self._task})
