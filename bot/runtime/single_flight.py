"""Single-flight: concurrent calls with the same key share one piece of work."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from bot.runtime.tasks import start_awaited

log = logging.getLogger(__name__)
T = TypeVar("T")
Work: TypeAlias = Callable[[], Coroutine[Any, Any, T]]


@dataclass(eq=False, slots=True)
class Flight(Generic[T]):
    """Running work. waiting: the number of callers waiting for the result."""

    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Runs at most one piece of work for each key. what: the name of the work in the log.

    A key is free again when the work ends, not when a caller stops waiting: a cancelled caller cancels no work.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._flights: dict[Hashable, Flight[T]] = {}

    async def do(self, key: Hashable, work: Work[T]) -> T:
        """Return the result of the running work for a key, or else of this work. Raises the work's errors."""
        flight = self._under_way(key) or self._begin(key, work)
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1

    async def do_anew(self, key: Hashable, work: Work[T]) -> T:
        """Return the result of work begun after this call: for work that reads the caller's latest writes."""
        if before := self._under_way(key):
            await asyncio.wait({before.task})
        return await self.do(key, work)

    async def settled(self) -> None:
        """Wait for the end of the running work, with or without errors."""
        await asyncio.gather(*(flight.task for flight in self._flights.values()), return_exceptions=True)

    def _under_way(self, key: Hashable) -> Flight[T] | None:
        flight = self._flights.get(key)
        return flight if flight and not flight.task.done() else None

    def _begin(self, key: Hashable, work: Work[T]) -> Flight[T]:
        flight = self._flights[key] = Flight(start_awaited(work(), f"{self._what} {key}"))
        flight.task.add_done_callback(partial(self._ended, key, flight))
        return flight

    def _ended(self, key: Hashable, flight: Flight[T], task: asyncio.Task[T]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
        if not task.cancelled() and (error := task.exception()) is not None and not flight.waiting:
            log.error("The %s failed, and nobody waits for it any more", self._what, exc_info=error)
