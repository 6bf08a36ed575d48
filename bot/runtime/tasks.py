"""Tasks: work that is begun and not waited for. An error that ends it is logged, and the end of a part ends its tasks.

A task of asyncio alone whose error nobody retrieves is told of when it is collected, without what it was about.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)


def start_task(work: Coroutine[Any, Any, T], name: str = "") -> asyncio.Task[T]:
    """Start a task for whose result nobody waits; an error that ends it is logged.

    name: what it does, by default the name of its function.
    """
    task = asyncio.create_task(work, name=name or getattr(work, "__qualname__", None))
    task.add_done_callback(_log_failure)
    return task


def start_awaited(work: Coroutine[Any, Any, T], name: str = "") -> asyncio.Task[T]:
    """Start a task whose errors its callers hear, or do not want to hear any more. name: as for `start_task`."""
    task = asyncio.create_task(work, name=name or getattr(work, "__qualname__", None))
    task.add_done_callback(_failure_of)
    return task


def _failure_of(task: asyncio.Task[Any]) -> BaseException | None:
    """Return the error that ended a task, which asyncio then takes for retrieved; None without one."""
    return None if task.cancelled() else task.exception()


def _log_failure(task: asyncio.Task[Any]) -> None:
    if (error := _failure_of(task)) is not None:
        log.error("A task failed: %s", task.get_name(), exc_info=error)


class Stoppable(Protocol):
    """A part of the bot that does something by itself."""

    def stop(self) -> None:
        """Begin nothing any more; what cannot be finished soon is cancelled."""
        ...

    async def ended(self) -> None:
        """Wait until what was under way has ended."""
        ...


class Begun:
    """The tasks of one part that are under way."""

    def __init__(self) -> None:
        self._tasks = set[asyncio.Task[Any]]()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin work for whose result nobody waits; an error that ends it is logged."""
        return self.hold(start_task(work))

    def begin_awaited(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin work whose errors its caller hears."""
        return self.hold(start_awaited(work))

    def hold(self, task: asyncio.Task[T]) -> asyncio.Task[T]:
        """Hold a task that was begun elsewhere."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @property
    def tasks(self) -> frozenset[asyncio.Task[Any]]:
        """The tasks under way."""
        return frozenset(self._tasks)

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
