"""Coalesced work per table: one round, then a further one for all changes meanwhile.

Tables are independent of each other. An idle table costs nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable

import discord

from bot.domain.ids import TableId
from bot.runtime.discord_requests import UNREACHED
from bot.runtime.metrics import CAUSE, Cause
from bot.runtime.tasks import start_task
from bot.store.errors import StoreError
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

RETRY_SECONDS = 10.0  # seconds from a failed round to the next


class CoalescedWork:
    """Runs the same work for each changed table. name: the name of the work in the log."""

    def __init__(self, work: Callable[[ShownTable], Awaitable[None]], name: str) -> None:
        self._work = work
        self._name = name
        self._changed: dict[TableId, ShownTable] = {}
        self._tasks: dict[TableId, asyncio.Task[None]] = {}
        self._timers: dict[TableId, asyncio.TimerHandle] = {}
        self._callbacks = defaultdict[TableId, list[Callable[[], None]]](list)
        self._stopped = False

    def schedule(self, table: ShownTable) -> None:
        """Run the work for a table after the current round."""
        if self._stopped:
            return
        self._changed[table.id] = table
        if table.id not in self._tasks:
            self._tasks[table.id] = start_task(self._run_rounds(table.id), name=f"{self._name} of {table.id}")

    def schedule_in(self, table: ShownTable, seconds: float) -> None:
        """Run the work in a number of seconds, unless another time is set meanwhile."""
        if self._stopped:
            return
        if before := self._timers.pop(table.id, None):
            before.cancel()
        self._timers[table.id] = asyncio.get_running_loop().call_later(seconds, self._schedule_now, table)

    @property
    def busy(self) -> bool:
        """Whether a round is running."""
        return bool(self._tasks)

    def stop(self) -> None:
        """Cancel all rounds; later calls are ignored."""
        self._stopped = True
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks.values():
            task.cancel()

    def when_done(self, table: ShownTable, callback: Callable[[], None]) -> None:
        """Run the work for a table; call `callback` once no further round is scheduled."""
        self._callbacks[table.id].append(callback)
        self.schedule(table)

    async def ended(self) -> None:
        """Wait for the end of the rounds cancelled by a stop."""
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def settled(self) -> None:
        """Wait until no round is running."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    def _schedule_now(self, table: ShownTable) -> None:
        self._timers.pop(table.id, None)
        self.schedule(table)

    async def _run_rounds(self, number: TableId) -> None:
        CAUSE.set(Cause(table=number))
        moved_on = False
        try:
            while table := self._changed.pop(number, None):
                if not table.moved_on and (seconds := await self._run_once(table)):
                    self.schedule_in(table, seconds)
                moved_on = bool(table.moved_on)
        finally:
            del self._tasks[number]
        if moved_on:
            self._callbacks.pop(number, None)  # the process that owns the table now calls them
        elif number not in self._timers:
            for callback in self._callbacks.pop(number, ()):
                callback()

    async def _run_once(self, table: ShownTable) -> float:
        """Run the work once; return the seconds until a repetition, 0 after success. Never raises."""
        try:
            await self._work(table)
        except StoreError as error:
            log.error("The %s of table %s failed: %s", self._name, table.id, error)  # the message explains all
        except discord.RateLimited as error:
            return error.retry_after
        except UNREACHED as error:
            log.warning("The %s of table %s failed: %s", self._name, table.id, error)
        except Exception:
            log.exception("The %s of table %s failed", self._name, table.id)
        else:
            return 0.0
        return RETRY_SECONDS
