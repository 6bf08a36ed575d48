"""Tasks: background work without a waiting caller. Errors are logged, and stopping a part stops its tasks.

Plain asyncio reports an unretrieved error only at garbage collection, without the purpose of the task.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)


def start_task(work: Coroutine[Any, Any, T], name: str = "") -> asyncio.Task[T]:
    """Start a task without a waiting caller; an error that ends the task is logged.

    name: its purpose, by default the name of its function.
    """
    task = asyncio.create_task(work, name=name or getattr(work, "__qualname__", None))
    task.add_done_callback(_log_failure)
    return task


def start_awaited(work: Coroutine[Any, Any, T], name: str = "") -> asyncio.Task[T]:
    """Start a task whose callers get its errors, or have stopped waiting for them. name: as for `start_task`."""
    task = asyncio.create_task(work, name=name or getattr(work, "__qualname__", None))
    task.add_done_callback(_failure_of)
    return task


def _failure_of(task: asyncio.Task[Any]) -> BaseException | None:
    """Return the error that ended a task, marked as retrieved for asyncio; None without one."""
    return None if task.cancelled() else task.exception()


def _log_failure(task: asyncio.Task[Any]) -> None:
    if (error := _failure_of(task)) is not None:
        log.error("A task failed: %s", task.get_name(), exc_info=error)


class Stoppable(Protocol):
    """A part of the bot with background work."""

    def stop(self) -> None:
        """Start no further work; cancel work that cannot end soon."""
        ...

    async def ended(self) -> None:
        """Wait for the end of the running work."""
        ...


class RunningTasks:
    """The running tasks of one part."""

    def __init__(self) -> None:
        self._tasks = set[asyncio.Task[Any]]()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work without a waiting caller; an error that ends the work is logged."""
        return self.hold(start_task(work))

    def begin_awaited(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work whose caller gets its errors."""
        return self.hold(start_awaited(work))

    def hold(self, task: asyncio.Task[T]) -> asyncio.Task[T]:
        """Add a task started elsewhere."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @property
    def tasks(self) -> frozenset[asyncio.Task[Any]]:
        """The running tasks."""
        return frozenset(self._tasks)

    @property
    def busy(self) -> bool:
        """Whether a task is running."""
        return bool(self._tasks)

    def stop(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()

    async def ended(self) -> None:
        """Wait for the end of all tasks, with or without errors."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
