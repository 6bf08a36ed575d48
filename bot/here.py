"""What this process has: its tables go on after a stop, and come and go with the shards that several processes share.

Knows in which order all of it is told. Refuses to know whose a shard is, and what happens at a table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from bot.delivery.outbox.discord_limits import Limits
from bot.delivery.table_delivery import Telling
from bot.domain.effects import Redraw, pending
from bot.domain.ids import TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.shard_share import Share
from bot.interactions.dispatcher import Door
from bot.members.retention import Retention
from bot.members.server_settings import Servers
from bot.runtime.tasks import Begun
from bot.store.errors import StoreError
from bot.store.rows import TableRow
from bot.store.store import Store
from bot.table.clock import Clock
from bot.table.registry import Tables
from bot.table.table import Table

log = logging.getLogger(__name__)

MOVED = N_("I was being brought up to date just now, so nothing has been done. Please press once more.")
RECENT = timedelta(minutes=5)  # what was told so shortly before a stop may not have been heard
ANSWERS, LAST_WORDS = 1.5, 1.5  # seconds where a shard goes to answer who has come, and to show boards that wait
HEARD, TURNED_AWAY, TOLD = 2.0, 0.3, 0.7  # the same at the end, and in between to turn away who was not answered


@dataclass
class Here:
    """All that a process has. now: the time. end: closes the bot.

    began: when this run did. fenced: whether others took the process for gone. retired: whether others have all of it.
    """

    store: Store
    tables: Tables
    telling: Telling
    servers: Servers
    clock: Clock
    retention: Retention
    door: Door
    limits: Limits
    now: Callable[[], datetime]
    end: Callable[[], Coroutine[Any, Any, None]]
    began: datetime = field(init=False)
    fenced: bool = False
    retired: bool = False
    _resting: bool = False
    _begun: Begun = field(default_factory=Begun)

    # After a stop

    async def wake(self, *, alone: bool) -> None:
        """Give the time of the outage back, while no table is in memory yet that would not hear of it.

        alone: whether no other process has been there meanwhile.
        """
        self.began = self.now()
        last = await self.store.clock.last_beat()
        await self._redraw(await self.store.clock.touched_since((last or self.began) - RECENT))
        await self.clock.start(self.tables, alone=alone)

    async def all_go_on(self) -> None:
        """Go on where the last run stopped, now that the servers and their languages are known."""
        await self.telling.noticing.start(self.tables, self.clock.wake)
        await self.retention.look_round()
        await self._go_on(self.store.share, self.began)

    async def _redraw(self, tables: Iterable[TableId]) -> None:
        """Remember that tables may not be shown as they are, until they are: another stop may come before that."""
        homes = [(table, await self.store.tables.guild_of(table)) for table in tables]
        redraws = [pending(Redraw(), home, table, self.now()) for table, home in homes if home is not None]
        await self.store.outbox.add_effects(redraws)

    async def _go_on(self, share: Share, before: datetime) -> None:
        """Do what a stop has left, and tidy where tables may not be shown as they are."""
        left = await self.telling.effects.resume(share)
        redrawn = [one.table for one in left if isinstance(one.effect, Redraw) and one.table is not None]
        went_on = [table for number in redrawn if not self._resting and (table := await self._went_on(number))]
        if self._resting:
            return
        await self.telling.tidy(went_on, before)

    async def _went_on(self, number: TableId) -> Table | None:
        """Load a table that was active before the stop; whatever is wrong with it, the others go on too."""
        try:
            return await self.tables.get(number)
        except Exception:
            log.exception("Table %s does not go on by itself; a click or its deadline wakes it", number)
            return None

    # Shards that are shared with other processes

    def shared_by(self, processes: int) -> None:
        """Send no more than this process's part of what all may send."""
        self.limits.sharers = processes

    async def give_back(self, shard: int, away: timedelta) -> None:
        """Give the tables of a shard the time back for which nobody had it."""
        one = replace(self.store.share, held=frozenset({shard}))
        await self.store.clock.give_back(one, away, self.now())
        await self.tables.reread(lambda row: one.has(row.guild))

    async def go_on(self, shard: int, away: timedelta) -> None:
        """Let the tables of a shard go on that this process has now; away: for how long nobody had it."""
        one, now = replace(self.store.share, held=frozenset({shard})), self.now()
        await self.servers.load()
        await self.telling.noticing.start(self.tables, self.clock.wake)
        await self.retention.look_round(one.has)
        await self._redraw(await self.store.clock.touched_since(now - away - RECENT, one))
        await self._go_on(one, now)
        self.clock.ring_now()
        log.info("Shard %d of %d is ready; nobody had it for %s", shard, one.count, away)

    @asynccontextmanager
    async def leaving(self, shard: int) -> AsyncIterator[None]:
        """Let nothing happen at the tables of a shard; then they are not here any more, and open hands there sleep."""
        one = replace(self.store.share, held=frozenset({shard}))

        def there(row: TableRow) -> bool:
            return one.has(row.guild)

        async with self.tables.still(there):
            yield
            self.tables.drop(there, MOVED)
            self.telling.effects.let_go(one.has)
        with suppress(TimeoutError):
            await asyncio.wait_for(self.telling.last_words(one.has), LAST_WORDS)

    def let_go(self, user: UserId) -> None:
        """Drop what is remembered about a person whose data another process deletes."""
        self.retention.let_go(user)

    def forget(self, user: UserId) -> None:
        """Forget what is remembered about a person: it has changed."""
        self.retention.forget(user)

    async def reread(self, table: TableId) -> None:
        """Read a table again that another process has changed, if it is in memory, and do what follows from that."""
        await self.tables.reread(lambda row: row.id == table)
        try:
            left = await self.store.outbox.effects()
        except StoreError as error:
            log.warning("What follows from a change by another process is done in a minute: %s", error)
            return
        self.telling.perform(one for one in left if one.table == table)

    async def follow(self, followed: Callable[[], None]) -> None:
        """Read all tables again, for others have deleted somebody."""
        await self.retention.follow(followed)

    # The end

    async def at_rest(self) -> None:
        """Wait until whoever has come so far is answered, but not for long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.door.caught_up(), ANSWERS)

    async def end_fenced(self) -> None:
        """End at once: the tables are those of others now, who tell of them."""
        self.fenced = True
        self._begun.begin(self.end())

    async def end_retired(self) -> None:
        """End, for others have all that was here."""
        self.retired = True
        self._begun.begin(self.end())

    def rest(self) -> None:
        """Begin nothing any more by oneself: the clock rings no table, and no house player acts."""
        self._resting = True
        self.clock.stop()
        self.tables.stop()

    async def finish(self, handed: Callable[[], Awaitable[None]]) -> None:
        """Finish what was heard and rung, turn away who cannot be answered, and tell what may be told now.

        handed: waits for what other processes have handed over.
        """
        if self.fenced:
            return
        await _within(HEARD, self._finish_heard(handed))
        await _within(TURNED_AWAY, self.door.close())
        await _within(TOLD, self.telling.last_words())

    async def _finish_heard(self, handed: Callable[[], Awaitable[None]]) -> None:
        await handed()
        await self.door.at_rest()
        await self.clock.settled()


async def _within(seconds: float, work: Awaitable[None]) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(work, seconds)
