"""Whoever thinks for house players that take their time: a few processes, started when they are needed.

One that dies or does not answer is ended, and another one thinks; where that takes too long, the seat is played
plainly. The longer the queue, the shorter each thinks. Knows processes and time. Refuses to know tables, and what it is
that is request.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.ai_pool.requests import MoveRequest, ThreadChooser
from bot.ai_pool.worker import NICENESS, WorkerRequest, search_move
from bot.ground.begun import Begun
from bot.ground.level import Level
from bot.ground.pool import Child, Lost, Pool
from bot.rules.actions import Action

TimedRequest: TypeAlias = tuple[WorkerRequest, float]  # and the seconds after which a process counts as hanging

log = logging.getLogger(__name__)

POOLED_LEVELS: Final = frozenset({Level.GOOD, Level.STRONG})  # who takes their time
MAX_TRIES: Final = 3
WARNING_INTERVAL: Final = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class PoolDurations:
    """How long things may take, in seconds.

    thinking: a decision where nobody else waits; together: all for whom one thinks, where many wait; least: with less a
    decision is made as a good one does. grace: beyond that before one who thinks is given up. patience: from the
    question to the answer, before the seat is played plainly, where the question does not say how long. back: for the
    way back of an answer that is wanted in time. idle: before one ends for whom there is nothing to do.
    """

    thinking: float = 0.3
    together: float = 0.2
    least: float = 0.025
    grace: float = 0.9
    patience: float = 2.0
    back: float = 0.05
    idle: float = 60.0


class MovePool:
    """All of them. most: how many think at the same time; by default all cores but one do, and at least one."""

    def __init__(self, most: int = 0, times: PoolDurations = PoolDurations()) -> None:  # it never changes
        self.most = most or max(1, (os.cpu_count() or 1) - 1)
        self.times = times
        self._pool = Pool("bot.ai_pool.worker", nice=NICENESS, idle=times.idle)
        self._thinking = Begun()  # about what nobody may wait for any more
        self._turns = asyncio.Semaphore(self.most)
        self._waiting, self._said = 0, -WARNING_INTERVAL
        self._easily = ThreadChooser()

    @property
    def all(self) -> AbstractSet[Child]:
        """The processes."""
        return self._pool.all

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return what a house player does, as ``Thinking`` has it."""
        if request.level not in POOLED_LEVELS:
            return await self._easily.choose(request)
        try:
            return await self._in_time(request)
        except TimeoutError:
            self._report("Nobody came to an end of thinking in time, so a seat is played plainly. Too much may wait.")
        except Exception:
            log.exception("A house player of %s does not know what to do.", request.view.rules.game)
        return await self._easily.choose(request._replace(level=Level.PLAIN))

    async def _in_time(self, request: MoveRequest) -> Action | None:
        """Return what comes of it. Raises TimeoutError where that takes too long.

        A process that is too late ends its request, and is there for the next one.
        """
        times = self.times
        limit = times.patience if request.seconds is None else max(0.0, request.seconds - times.back)
        end = time.perf_counter() + limit
        self._waiting += 1
        try:
            async with asyncio.timeout(limit):
                return await asyncio.shield(self._thinking.begin_awaited(self._request(request, end)))
        finally:
            self._waiting -= 1

    def _report(self, sentence: str) -> None:
        """Log that an answer came too late, once in a while."""
        now = time.monotonic()
        if now - self._said >= WARNING_INTERVAL:
            self._said = now
            log.warning(sentence)

    def _timed(self, request: MoveRequest, end: float) -> TimedRequest:
        """Return the question with the time there is for it now. Raises TimeoutError after its end."""
        left = end - time.perf_counter()
        if left <= 0:
            raise TimeoutError
        seconds = max(0.0, min(self._seconds(), left - self.times.back))
        question = WorkerRequest(request.view, request.level, request.dice, seconds)
        if seconds < self.times.least:
            question = question._replace(level=Level.GOOD)
        return question, seconds + self.times.grace

    async def _request(self, request: MoveRequest, end: float) -> Action | None:
        """Return what comes of a request; where one who thinks is lost on the way, another one begins anew."""
        for _ in range(MAX_TRIES):
            async with self._turns:
                question, limit = self._timed(request, end)
                try:
                    return await self._pool.call(limit, search_move, question)
                except Lost as lost:
                    log.warning("One who thought for a house player %s; another one does.", lost)
        raise TimeoutError

    def _seconds(self) -> float:
        """Return how long one may think now: less, the more of those who play are waited for."""
        if self._waiting <= self.most:
            return self.times.thinking
        return min(self.times.thinking, self.times.together * self.most / self._waiting)

    async def close(self) -> None:
        """End all of them, and wait until they are gone."""
        self._thinking.stop()
        await self._pool.close()
        await self._thinking.ended()
