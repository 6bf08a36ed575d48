"""Retention: deletion of data after a period, or at once at a user's request."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from bot.domain.effects import PendingEffect
from bot.domain.ids import GuildId, TableId, UserId
from bot.domain.refusals import BEING_DELETED, Refused
from bot.members.server_settings import Servers
from bot.runtime.tasks import BackgroundTask
from bot.store.erasure.deletions import DeletionRepository
from bot.store.errors import StoreError
from bot.store.rows import TableRow
from bot.store.sqlite.files import end_copies
from bot.store.store import Store
from bot.table.registry import TableRegistry

log = logging.getLogger(__name__)

RETENTION_PERIOD = timedelta(days=30)  # for servers without the bot, copies of the database, lobbies without a match


class UserCache(Protocol):
    """A cache with data of users."""

    def forget(self, user: UserId) -> None:
        """Drop the cached data of a user."""
        ...


class MessageDelivery(Protocol):
    """The delivery of messages of tables."""

    def forget(self, user: UserId) -> None:
        """Drop the cached data of a user."""
        ...

    def perform(self, effects: Iterable[PendingEffect]) -> None:
        """Start effects after a change."""
        ...


class OtherProcesses(Protocol):
    """The other processes on the same store, with caches and tables of their own."""

    async def drop_cached(self, user: UserId) -> None:
        """Make all processes drop their cached data of a user. May raise StoreError."""
        ...

    def notify_owner(self, table: TableId, guild: GuildId) -> None:
        """Make the process that owns a table load the table again, and start its effects."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class UserDataHolders:
    """Everything with data of users. copied: the database file with its copies beside it.

    memories: caches. user_deletion: deletes users' rows in the background.
    """

    store: Store
    tables: TableRegistry
    delivery: MessageDelivery
    memories: tuple[UserCache, ...]
    servers: Servers
    copied: Path
    user_deletion: UserDeletion


class Retention:
    """Deletes data. there: the bot's current servers, including those with an outage."""

    def __init__(
        self, kept: UserDataHolders, there: Callable[[], frozenset[GuildId]], now: Callable[[], datetime]
    ) -> None:
        self._kept = kept
        self._there = there
        self._now = now
        self.others: OtherProcesses | None = None

    async def record_servers(self, which: Callable[[GuildId], bool] = lambda _guild: True) -> None:
        """Record the servers that the bot has left or returned to.

        Called after all servers are known. which: limits the servers.
        """
        for guild in filter(which, await self._kept.store.servers.known() - self._there()):
            await self._kept.store.servers.depart(guild, self._now())
        await self._welcome_back()

    async def _welcome_back(self) -> None:
        there = self._there()
        for departure in await self._kept.store.servers.departures():
            if departure.guild in there:
                await self._kept.store.servers.come_back(departure.guild)

    async def end(self) -> None:
        """Delete all data past its retention period."""
        since = self._now() - RETENTION_PERIOD
        await self._kept.store.moderations.end_bars(self._now())
        await self._kept.store.limits.end()
        await self._kept.store.notices.delete_old(self._now())
        await self._kept.store.outbox.delete_old(self._now())
        await self._kept.store.leftovers.delete_lobbies(since)
        await self._welcome_back()
        for departure in await self._kept.store.servers.departures():
            if departure.at <= since:
                await self._forget_server(departure.guild)
        await asyncio.to_thread(end_copies, self._kept.copied, since)

    async def _forget_server(self, guild: GuildId) -> None:
        def of_server(row: TableRow) -> bool:
            return row.guild == guild

        async with self._kept.tables.freeze(of_server):
            await self._kept.store.deletions.forget_server(guild)
            self._kept.tables.drop(of_server)
        self._kept.servers.forget(guild)
        log.info("What was kept of a server that the bot has not been on for %d days is deleted", RETENTION_PERIOD.days)

    async def forget_person(self, user: UserId) -> None:
        """Delete all data of a user for good.

        May raise StoreError; then the deletion happens later, or not at all. After the return no reader finds any of
        the data. The last rows are deleted in the background.
        """

        def of_person(row: TableRow) -> bool:
            revised_by = row.revised.by if row.revised else None
            seated = (person for chair in row.chairs for person in (chair.user, chair.owner))
            return user in (row.host, revised_by, *seated, *(cut.user for cut in row.cuts))

        async with self._kept.tables.freeze(of_person):
            effects = await self._kept.store.deletions.note(user)
        self.drop_cached(user)
        self._kept.delivery.perform(one for one in effects if self._kept.store.own.has(one.guild))
        if self.others is not None:
            await self._tell_others(self.others, user, effects)
        await self._kept.user_deletion.beside.begin()

    async def _tell_others(self, others: OtherProcesses, user: UserId, effects: Iterable[PendingEffect]) -> None:
        """Notify the other processes.

        Without a notification they find the deletion in the store within a minute.
        """
        try:
            await others.drop_cached(user)
        except StoreError as error:
            log.warning("Other processes will learn of a deletion later: %s", error)
        for table, guild in {(one.table, one.guild) for one in effects if one.table is not None}:
            if not self._kept.store.own.has(guild):
                others.notify_owner(table, guild)

    def drop_cached(self, user: UserId) -> None:
        """Drop all cached data of a user whose data the store has deleted, delivery included."""
        self._kept.delivery.forget(user)
        self.forget(user)

    async def follow(self, followed: Callable[[], None]) -> None:
        """Load all tables again after a deletion by another process.

        followed: called while all tables are locked.
        """
        async with self._kept.tables.freeze(lambda _row: True):
            followed()

    def forget(self, user: UserId) -> None:
        """Drop the cached data of a user, which is loaded again when needed."""
        for memory in self._kept.memories:
            memory.forget(user)


class UserDeletion:
    """A task of the clock that continues deletions left by a stop or another process."""

    def __init__(self, deletions: DeletionRepository) -> None:
        self._deletions = deletions
        self.beside = BackgroundTask(self._delete, "deletions")

    async def load(self) -> None:
        """Load the users whose rows are being deleted, after a stop. May raise StoreError."""
        await self._deletions.load_ongoing()

    async def next(self) -> datetime | None:
        """Return None: the task runs at each ring of the clock, at least every minute."""
        return None

    async def ring(self) -> None:
        """Continue deletions in a background task."""
        await self.beside.begin()

    async def check(self, user: UserId) -> None:
        """Raise Refused for a user whose rows are being deleted.

        May raise StoreError, for such a user only.
        """
        if await self._deletions.is_ongoing(user):
            raise Refused(BEING_DELETED)

    async def _delete(self) -> None:
        try:
            rest = await self._deletions.delete_some()
            while rest is not None:
                await asyncio.sleep(rest.total_seconds())
                rest = await self._deletions.delete_some()
        except StoreError as error:
            log.warning("The rest of a deletion is left for a minute: %s", error)
