"""Whoever thinks for house players that take their time: a few processes, started when they are needed.

One that dies or does not answer is ended, and another one thinks; where that takes too long, the seat is played
plainly. The longer the queue, the shorter each thinks. Knows processes and time. Refuses to know tables, and what it is
that is thought.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import sys
import time
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from bot.ground.begun import Begun
from bot.ground.level import Level
from bot.house.levels import Weighed
from bot.rules.actions import Action
from bot.table.thinker import HEAD, Answer, Question, framed
from bot.table.thought import AtOnce, Thought

T = TypeVar("T")

log = logging.getLogger(__name__)

ROOT: Final = Path(__file__).parents[2]
NEEDED: Final = ("PATH", "PYTHONPATH", "PYTHONHOME", "LANG", "SYSTEMROOT")  # of the environment: no token, no address
HARD: Final = frozenset({Level.GOOD, Level.STRONG})  # who takes their time
TRIES: Final = 3
SELDOM: Final = 60.0  # seconds
STARTS: Final = 30.0  # seconds in which one has begun, also where a machine does much else


@dataclass(frozen=True, slots=True)
class Times:
    """How long things may take, in seconds.

    thinking: a decision where nobody else waits; together: all for whom one thinks, where many wait; least: with less a
    decision is made as a good one does. grace: beyond that before one who thinks is given up. patience: from the
    question to the answer, before the seat is played plainly. idle: before one ends for whom there is nothing to do.
    """

    thinking: float = 0.3
    together: float = 0.2
    least: float = 0.025
    grace: float = 0.9
    patience: float = 2.0
    idle: float = 60.0


class Lost(Exception):  # that is what has happened
    """A process has ended, or does not answer."""


class Thinker:
    """A process that thinks."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._heard, self._said = process, process.stdin, process.stdout
        self.ending: asyncio.TimerHandle | None = None

    @classmethod
    async def start(cls) -> Self:
        """Start one, and wait until it is ready. Raises OSError, Lost."""
        environment = {name: value for name in NEEDED if (value := os.environ.get(name))}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.table.think",
            cwd=ROOT, env=environment, stdin=PIPE, stdout=PIPE, start_new_session=True,
        )  # fmt: skip
        thinker = cls(process)
        try:
            async with asyncio.timeout(STARTS):
                await thinker._hear()
        except BaseException as error:
            thinker.end()
            await process.wait()
            raise Lost("did not begin") if isinstance(error, TimeoutError) else error from error
        return thinker

    async def ask(self, question: Question) -> Answer:
        """Return what it says. Raises Lost."""
        sent = framed(question)
        try:
            self._heard.write(sent)
            await self._heard.drain()
        except OSError as error:
            raise Lost("has ended") from error
        answer: Answer = await self._hear()
        return answer

    async def _hear(self) -> Any:
        try:
            [length] = HEAD.unpack(await self._said.readexactly(HEAD.size))
            return pickle.loads(await self._said.readexactly(length))  # noqa: S301  # of our own process
        except (OSError, EOFError) as error:
            raise Lost("has ended") from error

    def end(self) -> None:
        """End it at once, whatever it does."""
        with suppress(ProcessLookupError):
            self.process.kill()


class Thinkers:
    """All of them. most: how many think at the same time; by default all cores but one do, and at least one."""

    def __init__(self, most: int = 0, times: Times = Times()) -> None:  # it never changes
        self.most = most or max(1, (os.cpu_count() or 1) - 1)
        self.times = times
        self.all = set[Thinker]()
        self._idle = list[Thinker]()
        self._under_way = Begun()  # beginnings and ends that are under way
        self._turns = asyncio.Semaphore(self.most)
        self._waiting, self._said = 0, -SELDOM
        self._easily = AtOnce()

    async def wish(self, thought: Thought) -> Action | None:
        """Return what a house player does, as ``Thinking`` has it."""
        if thought.level in HARD and (answer := await self._in_time(thought)):
            return answer.action
        plainly = thought if thought.level not in HARD else thought._replace(level=Level.PLAIN)
        return await self._easily.wish(plainly)

    async def weigh(self, thought: Thought, done: Action) -> Weighed | None:
        """Return what a house player does, held against what was done, as ``Thinking`` has it."""
        answer = await self._in_time(thought, done)
        return Weighed(answer.action, answer.gain) if answer else None

    async def _in_time(self, thought: Thought, done: Action | None = None) -> Answer | None:
        """Return what comes of it; None where that takes too long, or fails."""
        self._waiting += done is None  # whoever looks back takes no time from those who play
        try:
            async with asyncio.timeout(self.times.patience):
                return await self._thought(thought, done)
        except TimeoutError:
            self._fell_back()
        except Exception:
            log.exception("A house player of %s does not know what to do.", thought.view.rules.game)
        finally:
            self._waiting -= done is None
        return None

    def _fell_back(self) -> None:
        """Say that a seat is played plainly, once in a while."""
        now = time.monotonic()
        if now - self._said >= SELDOM:
            self._said = now
            log.warning("Nobody came to an end of thinking in time, so a seat is played plainly. Too much may wait.")

    async def _thought(self, thought: Thought, done: Action | None) -> Answer:
        """Return what comes of it; where one is lost on the way, another one begins anew."""
        for _ in range(TRIES):
            async with self._turns:
                try:
                    answer = await self._answer(thought, done)
                except Lost as lost:
                    log.warning("One who thought for a house player %s; another one does.", lost)
                    continue
            if answer.failed:
                raise RuntimeError(answer.failed)
            return answer
        raise TimeoutError

    async def _answer(self, thought: Thought, done: Action | None) -> Answer:
        thinker = await self._taken()
        seconds = self._seconds()
        question = Question(*thought, seconds, done)
        if seconds < self.times.least:
            question = question._replace(level=Level.GOOD)
        try:
            async with asyncio.timeout(seconds + self.times.grace):
                answer = await thinker.ask(question)
        except TimeoutError:
            self._end(thinker)
            raise Lost("does not answer") from None
        except BaseException:
            self._end(thinker)
            raise
        self._rest(thinker)
        return answer

    def _seconds(self) -> float:
        """Return how long one may think now: less, the more of those who play are waited for."""
        if self._waiting <= self.most:
            return self.times.thinking
        return min(self.times.thinking, self.times.together * self.most / self._waiting)

    async def _taken(self) -> Thinker:
        """Return one that has nothing to do; a new one where there is none, which is of use also to whoever comes next.

        Raises Lost.
        """
        if self._idle:
            thinker = self._idle.pop()
            if thinker.ending:
                thinker.ending.cancel()
            return thinker
        beginning = self._under_way.begin(self._begun())
        try:
            return await asyncio.shield(beginning)
        except asyncio.CancelledError:
            beginning.add_done_callback(self._too_late)
            raise

    async def _begun(self) -> Thinker:
        thinker = await Thinker.start()
        self.all.add(thinker)
        return thinker

    def _too_late(self, beginning: asyncio.Task[Thinker]) -> None:
        """Keep one for whom nobody has waited long enough."""
        if not beginning.cancelled() and beginning.exception() is None:
            self._rest(beginning.result())

    def _rest(self, thinker: Thinker) -> None:
        self._idle.append(thinker)
        thinker.ending = asyncio.get_running_loop().call_later(self.times.idle, self._end, thinker)

    def _end(self, thinker: Thinker) -> None:
        self.all.discard(thinker)
        if thinker in self._idle:
            self._idle.remove(thinker)
        thinker.end()
        self._under_way.begin(thinker.process.wait())

    async def close(self) -> None:
        """End all of them, and wait until they are gone."""
        self._under_way.stop()
        for thinker in tuple(self.all):
            if thinker.ending:
                thinker.ending.cancel()
            self._end(thinker)
        await self._under_way.ended()
