"""Tasks: background work without a waiting caller, repeated work, and shared work."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

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
    """Start a task whose callers get its errors, or have stopped waiting for them.

    name: as for `start_task`.
    """
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


Shared = TypeVar("Shared")
Work: TypeAlias = Callable[[], Coroutine[Any, Any, Shared]]


@dataclass(eq=False, slots=True)
class Flight(Generic[Shared]):
    """Running work. waiting: the number of callers waiting for the result."""

    task: asyncio.Task[Shared]
    waiting: int = 0


class SingleFlight(Generic[Shared]):
    """Runs at most one piece of work for each key. name: the name of the work in the log.

    A key is free again when the work ends, not when a caller stops waiting: a cancelled caller cancels no work.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._flights: dict[Hashable, Flight[Shared]] = {}

    async def do(self, key: Hashable, work: Work[Shared]) -> Shared:
        """Return the result of the running work for a key, or else of this work.

        Raises the work's errors.
        """
        flight = self._under_way(key) or self._begin(key, work)
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1

    async def do_anew(self, key: Hashable, work: Work[Shared]) -> Shared:
        """Return the result of work begun after this call.

        Use it for work that reads the caller's latest writes.
        """
        if before := self._under_way(key):
            await asyncio.wait({before.task})
        return await self.do(key, work)

    async def settled(self) -> None:
        """Wait for the end of the running work, with or without errors."""
        await asyncio.gather(*(flight.task for flight in self._flights.values()), return_exceptions=True)

    def _under_way(self, key: Hashable) -> Flight[Shared] | None:
        flight = self._flights.get(key)
        return flight if flight and not flight.task.done() else None

    def _begin(self, key: Hashable, work: Work[Shared]) -> Flight[Shared]:
        flight = self._flights[key] = Flight(start_awaited(work(), f"{self._name} {key}"))
        flight.task.add_done_callback(partial(self._ended, key, flight))
        return flight

    def _ended(self, key: Hashable, flight: Flight[Shared], task: asyncio.Task[Shared]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
        if not task.cancelled() and (error := task.exception()) is not None and not flight.waiting:
            log.error("The %s failed, and nobody waits for it any more", self._name, exc_info=error)
