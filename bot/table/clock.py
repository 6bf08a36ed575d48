"""The one clock: it sleeps until the next deadline of any table.

Deadlines are rows of the store, so ten thousand sleeping tables cost rows and neither tasks nor memory. While it
runs the clock beats; the time between the last beat and the next start was an outage and is given back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from bot.table.refused import Refused
from bot.table.tables import Tables

log = logging.getLogger(__name__)

BEAT = timedelta(minutes=1)
BREATH = timedelta(seconds=1)  # between two rounds, so that a table that cannot be rung does not spin the clock


class Diary(Protocol):
    """What the clock needs of a store."""

    async def due(self, now: datetime) -> tuple[int, ...]:
        """Return the tables with something to do by now, earliest first."""
        ...

    async def next_due(self) -> datetime | None:
        """Return the next moment at which any table has something to do."""
        ...

    async def beat(self, now: datetime) -> None:
        """Remember that the bot is alive."""
        ...

    async def resume(self, now: datetime) -> timedelta:
        """Give every table the time since the last beat back, and beat; return how long that was."""
        ...


class Clock:
    """Rings the tables whose time has come. No task waits: the event loop calls back."""

    def __init__(self, diary: Diary, now: Callable[[], datetime]) -> None:
        self._diary = diary
        self._now = now
        self._tables: Tables | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._at: datetime | None = None
        self._ringing: asyncio.Task[None] | None = None

    async def start(self, tables: Tables) -> timedelta:
        """Give back the time of an outage, then run. Returns how long the outage was."""
        outage = await self._diary.resume(self._now())
        self._tables = tables
        await self._rest()
        return outage

    def stop(self) -> None:
        """Ring no more."""
        self._tables = None
        if self._handle:
            self._handle.cancel()

    def wake(self, at: datetime) -> None:
        """Be awake at this time, if not before."""
        if self._tables is not None and (self._at is None or at < self._at):
            self._set(at)

    def _set(self, at: datetime) -> None:
        if self._handle:
            self._handle.cancel()
        self._at = at
        delay = max((at - self._now()).total_seconds(), 0.0)
        self._handle = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._handle = None
        if self._tables is not None and self._ringing is None:
            self._ringing = asyncio.create_task(self._ring_all(self._tables), name="clock")

    async def _ring_all(self, tables: Tables) -> None:
        """Ring what is due; whatever goes wrong at one table, the others are rung."""
        self._at = None
        try:
            await self._diary.beat(self._now())
            for table in await self._diary.due(self._now()):
                await self._ring_one(tables, table)
            tables.forget_idle()
            await self._rest()
        except Exception:
            log.exception("The clock stumbled; it goes on")
            self._set(self._now() + BEAT)
        finally:
            self._ringing = None

    async def _ring_one(self, tables: Tables, table: int) -> None:
        try:
            await (await tables.get(table)).ring()
        except Refused:
            log.warning("Table %s is due but cannot be loaded", table)
        except Exception:
            log.exception("Table %s could not be rung; it will be again", table)

    async def _rest(self) -> None:
        """Sleep until the next deadline, or at most until the next beat."""
        beat, due = self._now() + BEAT, await self._diary.next_due()
        soon = [at for at in (self._at, beat, due) if at is not None]
        self._set(max(min(soon), self._now() + BREATH))
