"""Work that is begun and not waited for: somebody must hold it while it is under way, and end it at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Begun:
    """All that is under way."""

    def __init__(self) -> None:
        self._tasks = set[asyncio.Task[Any]]()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin something."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._tasks)

    def stop(self) -> None:
        """Let go of what is under way."""
        for task in self._tasks:
            task.cancel()

    async def ended(self) -> None:
        """Wait until all of it has ended, however that is."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
