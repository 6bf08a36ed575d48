"""The clock of all tables: sleeps until the next deadline of any table.

Deadlines live in the store, so ten thousand sleeping tables cost rows, but neither tasks nor memory. While the bot runs
with a connection to Discord, the clock beats. A long time without a heartbeat was an outage (a stopped bot, a sleeping
machine, Discord offline): every deadline moves by its length. After a backward clock change, deadlines move back too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol, TypeAlias

from bot.domain.ids import TableId
from bot.domain.refusals import Refused
from bot.runtime.metrics import CAUSE, Cause, MetricsRecorder
from bot.runtime.tasks import start_task
from bot.store.repositories.clock import ClockRepository
from bot.table.core.commands import Ring
from bot.table.registry import TableRegistry

log = logging.getLogger(__name__)

HourlyTask: TypeAlias = Callable[[], Awaitable[None]]
HEARTBEAT = timedelta(minutes=1)
HOUR = timedelta(hours=1)
MIN_OUTAGE = 3 * HEARTBEAT  # without a heartbeat, after which deadlines move
MIN_ROUND_INTERVAL = timedelta(seconds=1)  # against a busy loop over a broken table


class TimedTask(Protocol):
    """Scheduled work besides tables; runs in the background."""

    async def next(self) -> datetime | None:
        """Return the next time."""
        ...

    async def ring(self) -> None:
        """Do the due work."""
        ...


class Clock:
    """Sends `Ring` to due tables. Sleeps as a timer of the event loop, without a task.

    online: tells whether users can reach the bot; while offline, the clock neither rings nor beats. hourly_tasks: run
    every hour. timed_tasks: rung after the tables. watch: records delays.
    """

    def __init__(
        self,
        times: ClockRepository,
        now: Callable[[], datetime],
        online: Callable[[], bool],
        *,
        hourly_tasks: Sequence[HourlyTask] = (),
        watch: MetricsRecorder | None = None,
    ) -> None:
        self._watch = watch
        self.hourly_tasks = hourly_tasks
        self.timed_tasks: tuple[TimedTask, ...] = ()
        self._hourly_tasks_done: datetime | None = None
        self._times = times
        self._now = now
        self._online = online
        self._tables: TableRegistry | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._at: datetime | None = None
        self._ringing: asyncio.Task[None] | None = None
        self._beaten: datetime | None = None

    async def start(self, tables: TableRegistry, *, is_first: bool = True) -> None:
        """Add the time of an outage to the deadlines, then run.

        is_first: no other process kept the clock running meanwhile.
        """
        if is_first:
            await self._return_outage(self._now())
        self._beaten = self._now()
        self._tables = tables
        await self._schedule_next()

    def stop(self) -> None:
        """Ring no further table."""
        self._tables = None
        if self._handle:
            self._handle.cancel()

    async def settled(self) -> None:
        """Wait for the end of the current round."""
        if self._ringing:
            await asyncio.wait({self._ringing})

    async def ended(self) -> None:
        """Cancel the current round and wait for its end; the next start repeats the round."""
        if self._ringing:
            self._ringing.cancel()
        await self.settled()

    def wake(self, at: datetime) -> None:
        """Ring at this time at the latest."""
        if self._tables is not None and (self._at is None or at < self._at):
            self._schedule(at)

    def ring_now(self) -> None:
        """Ring at once, after users can reach the bot again."""
        if self._tables is not None:
            self._schedule(self._now())

    def _schedule(self, at: datetime) -> None:
        if self._handle:
            self._handle.cancel()
        self._at = at
        delay = max((at - self._now()).total_seconds(), 0.0)
        self._handle = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._handle = None
        if self._tables is not None and self._ringing is None:
            self._ringing = start_task(self._ring_all(self._tables), name="clock")

    async def _ring_all(self, tables: TableRegistry) -> None:
        """Ring all due tables; an error at one table never stops the others."""
        self._at = None
        CAUSE.set(None)
        try:
            if not self._online():
                self._schedule(self._now() + HEARTBEAT)
                return
            await self._beat(tables)
            for table in await self._times.due(self._now()):
                if self._tables is None:
                    return
                await self._ring_one(tables, table)
            CAUSE.set(None)
            for task in self.timed_tasks:
                if self._tables is None:
                    return
                await task.ring()
            tables.drop_idle()
            await self._run_hourly_tasks()
            await self._schedule_next()
        except Exception:
            log.exception("The clock stumbled; it goes on")
            self._schedule(self._now() + HEARTBEAT)
        finally:
            self._ringing = None

    async def _beat(self, tables: TableRegistry) -> None:
        """Beat; after an outage or a backward clock change, shift every deadline."""
        now, last = self._now(), await self._times.last_beat()
        own, self._beaten = self._beaten or now, now
        if last is None or abs(now - last) <= MIN_OUTAGE:
            await self._times.beat(now)
            if abs(now - own) > MIN_OUTAGE:  # another process has already moved the deadlines
                await tables.reread()
            return
        try:
            await self._return_outage(now)
        finally:
            await tables.reread()

    async def _return_outage(self, now: datetime) -> None:
        outage = await self._times.resume(now)
        if outage > timedelta():
            log.info("Away for %s; every deadline is that much later", outage)
        elif outage:
            log.info("The time was set back by %s, and every deadline with it", -outage)

    async def _run_hourly_tasks(self) -> None:
        """Run the hourly tasks if due; an error in one never stops the others."""
        now = self._now()
        if self._hourly_tasks_done is not None and now - self._hourly_tasks_done < HOUR:
            return
        self._hourly_tasks_done = now
        for task in self.hourly_tasks:
            if self._tables is None:
                return
            try:
                await task()
            except Exception:
                log.exception("A chore was not done; it will be in an hour")

    async def _ring_one(self, tables: TableRegistry, table: TableId) -> None:
        """Send `Ring` to a table, loaded if necessary.

        The table decides in `ring` in `bot/table/core/clock_rules.py`, and writes and publishes as after a click.
        """
        CAUSE.set(Cause(table=table))
        try:
            due_table = await tables.get(table)
            if self._watch and due_table.row.due:
                self._watch.record_delay((self._now() - due_table.row.due).total_seconds())
            await due_table.do(Ring())
        except Refused:
            log.warning("Table %s is due but cannot be loaded", table)
        except Exception:
            log.exception("Table %s could not be rung; it will be again", table)

    async def _schedule_next(self) -> None:
        """Sleep until the next deadline, at most until the next heartbeat."""
        beat, due = self._now() + HEARTBEAT, await self._times.next_due()
        others = [await task.next() for task in self.timed_tasks]
        times = [at for at in (self._at, beat, due, *others) if at is not None]
        if self._tables is not None:
            self._schedule(max(min(times), self._now() + MIN_ROUND_INTERVAL))
