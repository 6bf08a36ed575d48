"""The pool of processes that search moves for house players, started on demand.

A dead or hanging process gets replaced; after the time limit the seat plays plainly. A longer queue shortens the time
of each decision. The pool knows processes and time, but no tables and nothing about the decision.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.ai_pool.moves import InThreadMoveChooser, MoveRequest, search_move
from bot.domain.chairs import Level
from bot.rules.core.asks import Action
from bot.runtime.process_pool import Child, ChildEnded, Pool
from bot.runtime.tasks import RunningTasks

TimedRequest: TypeAlias = tuple[MoveRequest, float]  # with the seconds until a process counts as hanging

log = logging.getLogger(__name__)

POOLED_LEVELS: Final = frozenset({Level.MEDIUM, Level.HARD})  # slow house players
MAX_TRIES: Final = 3
WARNING_INTERVAL: Final = 60.0  # seconds
NICENESS: Final = 10  # of the processes: below the tables


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolDurations:
    """Time limits in seconds.

    thinking: a decision without a queue; together: all decisions of one process, with a queue; least: the minimum for a
    strong decision, below which a good player decides. grace: added before a process counts as hanging. patience: from
    request to answer, unless the request sets a limit. back: reserved for the way back of an answer. idle: before an
    unused process ends.
    """

    thinking: float = 0.3
    together: float = 0.2
    least: float = 0.025
    grace: float = 0.9
    patience: float = 2.0
    back: float = 0.05
    idle: float = 60.0


class MovePool:
    """The pool of processes that choose moves.

    most: maximum simultaneous decisions; by default all cores except one, at least one.
    """

    def __init__(self, most: int = 0, times: PoolDurations = PoolDurations()) -> None:  # it never changes
        self.most = most or max(1, (os.cpu_count() or 1) - 1)
        self.times = times
        self._pool = Pool("bot.ai_pool.moves", nice=NICENESS, idle=times.idle)
        self._in_progress = RunningTasks()  # possibly without a waiting caller
        self._turns = asyncio.Semaphore(self.most)
        self._waiting, self._last_warning = 0, -WARNING_INTERVAL
        self._thread_chooser = InThreadMoveChooser()

    @property
    def all(self) -> AbstractSet[Child]:
        """The processes."""
        return self._pool.all

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return a house player's action, as in ``MoveChooser``."""
        if request.level not in POOLED_LEVELS:
            return await self._thread_chooser.choose(request)
        try:
            return await self._in_time(request)
        except TimeoutError:
            self._report("Nobody came to an end of thinking in time, so a seat is played plainly. Too much may wait.")
        except Exception:
            log.exception("A house player of %s does not know what to do.", request.view.rules.game)
        return await self._thread_chooser.choose(request._replace(level=Level.PLAIN))

    async def _in_time(self, request: MoveRequest) -> Action | None:
        """Return the pool's answer. Raises TimeoutError after the time limit.

        A late process finishes its decision, then serves the next request.
        """
        times = self.times
        limit = times.patience if request.seconds is None else max(0.0, request.seconds - times.back)
        end = time.perf_counter() + limit
        self._waiting += 1
        try:
            async with asyncio.timeout(limit):
                return await asyncio.shield(self._in_progress.begin_awaited(self._answer(request, end)))
        finally:
            self._waiting -= 1

    def _report(self, sentence: str) -> None:
        """Log a late answer, at most once per interval."""
        now = time.monotonic()
        if now - self._last_warning >= WARNING_INTERVAL:
            self._last_warning = now
            log.warning(sentence)

    def _timed(self, request: MoveRequest, end: float) -> TimedRequest:
        """Return the request with the remaining time. Raises TimeoutError after the end."""
        left = end - time.perf_counter()
        if left <= 0:
            raise TimeoutError
        seconds = max(0.0, min(self._seconds(), left - self.times.back))
        level = Level.MEDIUM if seconds < self.times.least else request.level
        return request._replace(level=level, seconds=seconds), seconds + self.times.grace

    async def _answer(self, request: MoveRequest, end: float) -> Action | None:
        """Return the answer to a request.

        After the loss of a process, another process gets the request. Raises TimeoutError after MAX_TRIES losses.
        """
        for _ in range(MAX_TRIES):
            async with self._turns:
                timed, limit = self._timed(request, end)
                try:
                    return await self._pool.call(limit, search_move, timed)
                except ChildEnded as lost:
                    log.warning("One who thought for a house player %s; another one does.", lost)
        raise TimeoutError

    def _seconds(self) -> float:
        """Return the time for one decision: shorter with a longer queue."""
        if self._waiting <= self.most:
            return self.times.thinking
        return min(self.times.thinking, self.times.together * self.most / self._waiting)

    async def close(self) -> None:
        """End all processes, and wait for their end."""
        self._in_progress.stop()
        await self._pool.close()
        await self._in_progress.ended()
