"""The one clock: it sleeps until the next deadline of any table.

Deadlines are rows of the store, so ten thousand sleeping tables cost rows and neither tasks nor memory. While it
runs and Discord is there the clock beats; a long time without a beat was an outage, be it that the bot was stopped,
that the machine slept or that Discord was gone, and is given back. Where the time is set back, so is all that is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol, TypeAlias

from bot.ground.begun import start_task
from bot.ground.cause import CAUSE, Cause
from bot.ground.ids import TableId
from bot.ground.refused import Refused
from bot.ground.watch import Watch
from bot.table.core.commands import Ring
from bot.table.registry import Tables

log = logging.getLogger(__name__)

HourlyTask: TypeAlias = Callable[[], Awaitable[None]]
HEARTBEAT = timedelta(minutes=1)
HOUR = timedelta(hours=1)
MIN_OUTAGE = 3 * HEARTBEAT  # so long without a beat, and people are given the time back
MIN_ROUND_INTERVAL = timedelta(
    seconds=1
)  # between two rounds, so that a table that cannot be rung does not spin the clock


class ClockStore(Protocol):
    """What the clock needs of a store."""

    async def due(self, now: datetime) -> tuple[TableId, ...]:
        """Return the tables with something to do by now, earliest first."""
        ...

    async def next_due(self) -> datetime | None:
        """Return the next moment at which any table has something to do."""
        ...

    async def beat(self, now: datetime) -> None:
        """Remember that the bot is alive."""
        ...

    async def last_beat(self) -> datetime | None:
        """Return the moment at which the bot was last known to be alive."""
        ...

    async def resume(self, now: datetime) -> timedelta:
        """Give every table the time since the last beat back, and beat; return how long that was, be it negative."""
        ...


class TimedTask(Protocol):
    """Something else that waits for a time, and is done beside all else."""

    async def next(self) -> datetime | None:
        """Return when that is."""
        ...

    async def ring(self) -> None:
        """Do what is due."""
        ...


class Clock:
    """Rings the tables whose time has come. No task waits: the event loop calls back.

    online: whether people can reach the bot. While they cannot, nothing is rung and the clock does not beat.
    chores: what has to be done every hour. timed_tasks: what else there is to ring. watch: who counts how late it is.
    """

    def __init__(
        self,
        store: ClockStore,
        now: Callable[[], datetime],
        online: Callable[[], bool],
        hourly_tasks: Sequence[HourlyTask] = (),
        watch: Watch | None = None,
    ) -> None:
        self._watch = watch
        self._hourly_tasks = hourly_tasks
        self.timed_tasks: tuple[TimedTask, ...] = ()
        self._hourly_tasks_done: datetime | None = None
        self._store = store
        self._now = now
        self._online = online
        self._tables: Tables | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._at: datetime | None = None
        self._ringing: asyncio.Task[None] | None = None
        self._beaten: datetime | None = None

    async def start(self, tables: Tables, *, alone: bool = True) -> None:
        """Give back the time of an outage, then run. alone: whether no other process has let time run meanwhile."""
        if alone:
            await self._return_outage(self._now())
        self._beaten = self._now()
        self._tables = tables
        await self._rest()

    def stop(self) -> None:
        """Ring no further table."""
        self._tables = None
        if self._handle:
            self._handle.cancel()

    async def settled(self) -> None:
        """Wait until nothing is rung."""
        if self._ringing:
            await asyncio.wait({self._ringing})

    async def ended(self) -> None:
        """Cancel what is still rung, which is due again at the next start, and wait for its end."""
        if self._ringing:
            self._ringing.cancel()
        await self.settled()

    def wake(self, at: datetime) -> None:
        """Be awake at this time, if not before."""
        if self._tables is not None and (self._at is None or at < self._at):
            self._set(at)

    def look(self) -> None:
        """Look at once what is to be done, because people can reach the bot again."""
        if self._tables is not None:
            self._set(self._now())

    def _set(self, at: datetime) -> None:
        if self._handle:
            self._handle.cancel()
        self._at = at
        delay = max((at - self._now()).total_seconds(), 0.0)
        self._handle = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._handle = None
        if self._tables is not None and self._ringing is None:
            self._ringing = start_task(self._ring_all(self._tables), name="clock")

    async def _ring_all(self, tables: Tables) -> None:
        """Ring what is due; whatever goes wrong at one table, the others are rung."""
        self._at = None
        CAUSE.set(None)
        try:
            if not self._online():
                self._set(self._now() + HEARTBEAT)
                return
            await self._beat(tables)
            for table in await self._store.due(self._now()):
                if self._tables is None:
                    return
                await self._ring_one(tables, table)
            CAUSE.set(None)
            for task in self.timed_tasks:
                if self._tables is None:
                    return
                await task.ring()
            tables.forget_idle()
            await self._run_hourly_tasks()
            await self._rest()
        except Exception:
            log.exception("The clock stumbled; it goes on")
            self._set(self._now() + HEARTBEAT)
        finally:
            self._ringing = None

    async def _beat(self, tables: Tables) -> None:
        """Beat; after an outage, or where the time was set back, let everything be due that much later or earlier."""
        now, last = self._now(), await self._store.last_beat()
        own, self._beaten = self._beaten or now, now
        if last is None or abs(now - last) <= MIN_OUTAGE:
            await self._store.beat(now)
            if abs(now - own) > MIN_OUTAGE:  # another process was the first that could give it back
                await tables.reread()
            return
        try:
            await self._return_outage(now)
        finally:
            await tables.reread()

    async def _return_outage(self, now: datetime) -> None:
        outage = await self._store.resume(now)
        if outage > timedelta():
            log.info("Away for %s; every deadline is that much later", outage)
        elif outage:
            log.info("The time was set back by %s, and every deadline with it", -outage)

    async def _run_hourly_tasks(self) -> None:
        """Do what has to be done every hour, if it is time; whatever goes wrong with one, the others are done."""
        now = self._now()
        if self._hourly_tasks_done is not None and now - self._hourly_tasks_done < HOUR:
            return
        self._hourly_tasks_done = now
        for task in self._hourly_tasks:
            if self._tables is None:
                return
            try:
                await task()
            except Exception:
                log.exception("A chore was not done; it will be in an hour")

    async def _ring_one(self, tables: Tables, table: TableId) -> None:
        CAUSE.set(Cause(table=table))
        try:
            due = await tables.get(table)
            if self._watch and due.row.due:
                self._watch.late((self._now() - due.row.due).total_seconds())
            await due.do(Ring())
        except Refused:
            log.warning("Table %s is due but cannot be loaded", table)
        except Exception:
            log.exception("Table %s could not be rung; it will be again", table)

    async def _rest(self) -> None:
        """Sleep until the next deadline, or at most until the next beat."""
        beat, due = self._now() + HEARTBEAT, await self._store.next_due()
        others = [await task.next() for task in self.timed_tasks]
        soon = [at for at in (self._at, beat, due, *others) if at is not None]
        if self._tables is not None:
            self._set(max(min(soon), self._now() + MIN_ROUND_INTERVAL))
