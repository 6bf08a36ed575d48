"""How long things are kept: what has to go after a while, and what goes at once because somebody asks for it.

Knows when, and everything that remembers anything. Refuses to know what stands in which table. A server is gone when
Discord says so, or when it is missing once the bot is connected as a whole; an outage of Discord is no end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from bot.domain.effects import Pending
from bot.domain.ids import GuildId, TableId, UserId
from bot.members.deletion import Deleting
from bot.members.server_settings import Servers
from bot.store.errors import StoreError
from bot.store.files import end_copies
from bot.store.rows import TableRow
from bot.store.store import Store
from bot.table.registry import Tables

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)  # a server that the bot is no longer on, copies of the database, lobbies without a match


class Memory(Protocol):
    """What remembers people for a while."""

    def forget(self, user: UserId) -> None:
        """Drop whatever is remembered about a person."""
        ...


class Teller(Protocol):
    """Who tells people what happens at their tables."""

    def forget(self, user: UserId) -> None:
        """Drop what is remembered about a person."""
        ...

    def perform(self, effects: Iterable[Pending]) -> None:
        """Begin what is to be done on Discord after a change."""
        ...


class Others(Protocol):
    """The other processes that share the store: they remember people as well, and have tables at which they sit."""

    async def let_go(self, user: UserId) -> None:
        """Let all of them drop what they remember about a person. May raise StoreError."""
        ...

    def tell_holder(self, table: TableId, guild: GuildId) -> None:
        """Let the process that has a table read it again, and do what follows."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that remembers anything. copied: the file that has the copies of the store beside it.

    memories: of people, for a while. deleting: deletes the rows of people in the background.
    """

    store: Store
    tables: Tables
    telling: Teller
    memories: tuple[Memory, ...]
    servers: Servers
    copied: Path
    deleting: Deleting


class Retention:
    """Ends what is kept. there: the servers that the bot is on now, those with an outage included."""

    def __init__(self, kept: Kept, there: Callable[[], frozenset[GuildId]], now: Callable[[], datetime]) -> None:
        self._kept = kept
        self._there = there
        self._now = now
        self.others: Others | None = None

    async def look_round(self, which: Callable[[GuildId], bool] = lambda _guild: True) -> None:
        """Note which servers are gone and which are back, when all that there are have been heard of; of these."""
        for guild in filter(which, await self._kept.store.known_servers() - self._there()):
            await self._kept.store.depart(guild, self._now())
        await self._welcome_back()

    async def _welcome_back(self) -> None:
        there = self._there()
        for departure in await self._kept.store.departures():
            if departure.guild in there:
                await self._kept.store.come_back(departure.guild)

    async def end(self) -> None:
        """Delete what has been kept long enough."""
        since = self._now() - KEPT
        await self._kept.store.end_bars(self._now())
        await self._kept.store.limits.end()
        await self._kept.store.end_notices(self._now())
        await self._kept.store.end_old_outgoing(self._now())
        await self._kept.store.delete_lobbies(since)
        await self._welcome_back()
        for departure in await self._kept.store.departures():
            if departure.at <= since:
                await self._forget_server(departure.guild)
        await asyncio.to_thread(end_copies, self._kept.copied, since)

    async def _forget_server(self, guild: GuildId) -> None:
        def of_server(row: TableRow) -> bool:
            return row.guild == guild

        async with self._kept.tables.still(of_server):
            await self._kept.store.forget_server(guild)
            self._kept.tables.drop(of_server)
        self._kept.servers.forget(guild)
        log.info("What was kept of a server that the bot has not been on for %d days is deleted", KEPT.days)

    async def forget_person(self, user: UserId) -> None:
        """Delete all that is kept about a person, for good. May raise StoreError; then it is done later, or not at all.

        When this returns, no reader finds any of it. The last rows are deleted in the background.
        """

        def of_person(row: TableRow) -> bool:
            revised_by = row.revised.by if row.revised else None
            seated = (person for chair in row.chairs for person in (chair.user, chair.owner))
            return user in (row.host, revised_by, *seated, *(cut.user for cut in row.cuts))

        async with self._kept.tables.still(of_person):
            effects = await self._kept.store.note_deletion(user)
        self.let_go(user)
        self._kept.telling.perform(one for one in effects if self._kept.store.own.has(one.guild))
        if self.others is not None:
            await self._tell_others(self.others, user, effects)
        await self._kept.deleting.beside.begin()

    async def _tell_others(self, others: Others, user: UserId, effects: Iterable[Pending]) -> None:
        """Tell the other processes; what they do not hear of, they find in the store within a minute."""
        try:
            await others.let_go(user)
        except StoreError as error:
            log.warning("Other processes hear later that somebody is deleted: %s", error)
        for table, guild in {(one.table, one.guild) for one in effects if one.table is not None}:
            if not self._kept.store.own.has(guild):
                others.tell_holder(table, guild)

    def let_go(self, user: UserId) -> None:
        """Drop what is remembered about a person whom the store has deleted."""
        self._kept.telling.forget(user)
        self.forget(user)

    async def follow(self, followed: Callable[[], None]) -> None:
        """Read all tables again, for others have deleted somebody. followed: called while nothing is under way."""
        async with self._kept.tables.still(lambda _row: True):
            followed()

    def forget(self, user: UserId) -> None:
        """Drop what is remembered about a person; it is read again."""
        for memory in self._kept.memories:
            memory.forget(user)
