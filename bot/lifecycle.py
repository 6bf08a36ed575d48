"""The tables of this process from start to stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from bot.delivery.outbox.discord_limits import RateLimiter
from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import Redraw, pending_effect
from bot.domain.ids import Share, TableId, UserId
from bot.domain.message_ids import N_
from bot.interactions.dispatcher import Dispatcher
from bot.members.operator_notice import OperatorDecisions
from bot.members.retention import Retention, UserDeletion
from bot.members.server_settings import Servers
from bot.runtime.tasks import RunningTasks, Stoppable
from bot.store.errors import StoreError
from bot.store.rows import TableRow
from bot.store.store import Store
from bot.table.clock import Clock
from bot.table.registry import TableRegistry
from bot.table.table import Table

log = logging.getLogger(__name__)

MOVED = N_("I was just being updated, so nothing has been done. Please press again.")
UNCERTAIN_PERIOD = timedelta(minutes=5)  # messages sent so shortly before a stop may not have arrived
ANSWER_TIMEOUT, LAST_UPDATES_TIMEOUT = 1.5, 1.5  # seconds for answers, and for waiting boards, before a shard moves
VISITS_TIMEOUT, REFUSALS_TIMEOUT, FINAL_UPDATES_TIMEOUT = (
    2.0,
    0.3,
    0.7,
)  # seconds at the end for answers, refusals, and waiting boards
CANCEL_TIMEOUT = 0.2  # seconds for background work that is cancelled at the end


@dataclass(kw_only=True)
class Lifecycle:
    """Starts and stops the tables of this process. now: the time. end: closes the bot.

    background: background work, stopped in this order. began: the start of this run. fenced: whether other processes
    declared this process dead. retired: whether other processes have all its tables.
    """

    store: Store
    tables: TableRegistry
    delivery: TableDelivery
    servers: Servers
    clock: Clock
    user_deletion: UserDeletion
    decisions: OperatorDecisions
    retention: Retention
    dispatcher: Dispatcher
    limits: RateLimiter
    background: tuple[Stoppable, ...]
    now: Callable[[], datetime]
    end: Callable[[], Coroutine[Any, Any, None]]
    began: datetime = field(init=False)
    fenced: bool = False
    retired: bool = False
    _resting: bool = False
    _begun: RunningTasks = field(default_factory=RunningTasks)

    # After a stop

    async def load(self) -> None:
        """Load the state on which every reply depends.

        The settings of servers, deletions under way, the operator's decisions.
        """
        await self.servers.load()
        await self.user_deletion.load()
        await self.decisions.poll()

    async def start(self, *, is_first: bool) -> None:
        """Return the time of the outage to the tables and start the clock.

        No table may be loaded before, as a loaded table would keep its old deadlines. is_first: whether no other
        process was running during the outage.
        """
        self.began = self.now()
        last = await self.store.clock.last_beat()
        await self._redraw(await self.store.clock.touched_since((last or self.began) - UNCERTAIN_PERIOD))
        await self.clock.start(self.tables, is_first=is_first)

    async def resume_all(self) -> None:
        """Resume every table of the last run, once servers and languages are known."""
        await self.delivery.notice_scheduler.start(self.tables, self.clock.wake)
        await self.retention.record_servers()
        await self._resume(self.store.share, self.began)

    async def _redraw(self, tables: Iterable[TableId]) -> None:
        """Save a redraw of each table as an effect, so that another stop does not lose the redraw."""
        homes = [(table, await self.store.tables.guild_of(table)) for table in tables]
        redraws = [pending_effect(Redraw(), home, table, self.now()) for table, home in homes if home is not None]
        await self.store.outbox.add_effects(redraws)

    async def _resume(self, share: Share, before: datetime) -> None:
        """Perform the effects left from a stop, and correct outdated boards and lines for seats."""
        await self.delivery.seat_queue.resume(share)
        left = await self.delivery.effects.resume(share)
        redrawn = [one.table for one in left if isinstance(one.effect, Redraw) and one.table is not None]
        resumed = [table for number in redrawn if not self._resting and (table := await self._load(number))]
        if self._resting:
            return
        await self.delivery.sweep(resumed, before)

    async def _load(self, number: TableId) -> Table | None:
        """Load a table that was active before the stop; None after an error.

        One broken table must not stop the others.
        """
        try:
            return await self.tables.get(number)
        except Exception:
            log.exception("Table %s does not go on by itself; a click or its deadline wakes it", number)
            return None

    # Shards that are shared with other processes

    def shared_by(self, processes: int) -> None:
        """Limit requests to this process's share of the common rate limit."""
        self.limits.sharers = processes

    async def give_back(self, shard: int, away: timedelta) -> None:
        """Return to the tables of a shard the time during which no process owned the shard."""
        share = replace(self.store.share, held=frozenset({shard}))
        await self.store.clock.give_back(share, away, self.now())
        await self.tables.reread(lambda row: share.has(row.guild))

    async def resume_shard(self, shard: int, away: timedelta) -> None:
        """Resume the tables of a shard, taken over or with a new session in this process.

        away: how long no process owned the shard.
        """
        share, now = replace(self.store.share, held=frozenset({shard})), self.now()
        await self.servers.load()
        self.delivery.drop_rows(share.has)  # another process may have changed them; effects under way here go on
        await self.delivery.notice_scheduler.start(self.tables, self.clock.wake)
        await self.retention.record_servers(share.has)
        await self._redraw(await self.store.clock.touched_since(now - away - UNCERTAIN_PERIOD, share))
        await self._resume(share, now)
        self.clock.ring_now()
        log.info("Shard %d of %d is ready; nobody had it for %s", shard, share.count, away)

    @asynccontextmanager
    async def leaving(self, shard: int) -> AsyncIterator[None]:
        """Freeze the tables of a shard, then drop them from memory and expire open hands there."""
        share = replace(self.store.share, held=frozenset({shard}))

        def there(row: TableRow) -> bool:
            return share.has(row.guild)

        async with self.tables.freeze(there):
            yield
            self.tables.drop(there, MOVED)
            self.delivery.drop_cached(share.has)
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_UPDATES_TIMEOUT):
                await self.delivery.send_last_updates(share.has)

    def drop_cached(self, user: UserId) -> None:
        """Drop cached data of a person whose data another process deletes."""
        self.retention.drop_cached(user)

    def forget(self, user: UserId) -> None:
        """Drop cached preferences of a person after a change by another process."""
        self.retention.forget(user)

    async def reread(self, table: TableId) -> None:
        """Reload a table changed by another process, and perform the effects of the change."""
        await self.tables.reread(lambda row: row.id == table)
        try:
            left = await self.store.outbox.effects()
        except StoreError as error:
            log.warning("What follows from a change by another process is done in a minute: %s", error)
            return
        self.delivery.perform(one for one in left if one.table == table)

    async def follow(self, followed: Callable[[], None]) -> None:
        """Reload all tables after another process has deleted a person."""
        await self.retention.follow(followed)

    # The end

    async def wait_until_idle(self) -> None:
        """Wait a short time until every visit received so far is answered."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_TIMEOUT):
                await self.dispatcher.wait_for_present_visits()

    async def end_fenced(self) -> None:
        """Stop at once without final updates: the tables belong to other processes now."""
        self.fenced = True
        self._begun.begin(self.end())

    async def end_retired(self) -> None:
        """Stop after other processes have taken over all tables."""
        self.retired = True
        self._begun.begin(self.end())

    def rest(self) -> None:
        """Stop the clock and the house players; from now on only players act."""
        self._resting = True
        self.clock.stop()
        self.tables.stop()

    async def finish(self, forwarded_finished: Callable[[], Awaitable[None]]) -> None:
        """Finish visits and deadlines under way, refuse further visits, and send final updates.

        forwarded_finished: waits for the interactions that other processes have handed over.
        """
        if self.fenced:
            return
        await _within(VISITS_TIMEOUT, self._finish_visits(forwarded_finished))
        await _within(REFUSALS_TIMEOUT, self.dispatcher.close())
        await _within(FINAL_UPDATES_TIMEOUT, self.delivery.send_last_updates())

    async def _finish_visits(self, forwarded_finished: Callable[[], Awaitable[None]]) -> None:
        await forwarded_finished()
        await self.dispatcher.wait_until_idle()
        await self.clock.settled()

    def stop(self) -> None:
        """Cancel all background work."""
        for part in self.background:
            part.stop()

    async def ended(self) -> None:
        """Wait a short time until cancelled work has ended."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CANCEL_TIMEOUT):
                for part in self.background:
                    await part.ended()


async def _within(seconds: float, work: Awaitable[None]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await work
