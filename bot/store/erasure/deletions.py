"""Permanent deletions, recorded in the ledger first, and those of leftover rows."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Delete, Select, Table, bindparam, delete, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.contests import PracticeKind
from bot.domain.effects import PendingEffect
from bot.domain.ids import GuildId, TableId, UserId
from bot.store.engine import erasures, mentions
from bot.store.engine.deletion_ledger import DeletionLedger, LedgerEntry
from bot.store.engine.erasures import WORKER_TIMEOUT, Erasure
from bot.store.engine.gate import Gate
from bot.store.engine.repository import Repository, write
from bot.store.erasure import personal_rows
from bot.store.erasure.personal_rows import PersonColumn
from bot.store.repositories.notes import put_note, read_note
from bot.store.rows import ENDED_PHASES
from bot.store.schema import actions, chairs, duplicates, metadata, moderations, packs, parts, sittings, tables
from bot.store.schema.columns import Kind

log = logging.getLogger(__name__)

MAX_BATCH_TIME: Final = timedelta(milliseconds=50)  # the longest that a batch may hold the only writer
MIN_BATCH_ROWS, FIRST_BATCH_ROWS, MAX_BATCH_ROWS = 32, 64, 512  # rows of a batch
NOTED_COUNT_KEY = "deletions"  # the key of the note with the number of applied deletions
NOBODY = 0  # the worker of a deletion without one: any process may take it
AGAIN = "This database is older than deletions that were asked for since; they are done again: %d."


@dataclass(frozen=True, slots=True)
class NotedDeletion:
    """A noted deletion.

    deletions: the number of deletions including this one. effects: new effects for the outbox.
    """

    deletions: int
    effects: tuple[PendingEffect, ...] = ()


@dataclass(frozen=True, slots=True)
class ErasureBatch:
    """A deleted batch of rows. is_last: whether no row of the deletion is left."""

    erasure: Erasure
    is_last: bool


class AdaptiveBatches:
    """The batch size, adapted to hold the only writer for less than MAX_BATCH_TIME.

    most: the number of rows of the next batch. rest: the pause for other transactions after the last batch.
    """

    def __init__(self) -> None:
        self.most = FIRST_BATCH_ROWS
        self.rest = timedelta()

    async def run(self, gate: Gate, deletions: Deletions) -> ErasureBatch | None:
        """Delete the next batch; return None without a deletion for this process."""
        began = time.monotonic()

        async def work(connection: AsyncConnection) -> ErasureBatch | None:
            nonlocal began
            began = time.monotonic()
            return await deletions.delete_some(connection, gate.member or 0, self.most)

        piece = await gate.run(work)
        self._learn(timedelta(seconds=time.monotonic() - began))
        return piece

    def _learn(self, took: timedelta) -> None:
        """Adapt the size of the next batch to the duration of the last one."""
        self.rest = took
        if took > MAX_BATCH_TIME / 2:
            self.most = max(self.most // 2, MIN_BATCH_ROWS)
        elif took < MAX_BATCH_TIME / 4:
            self.most = min(2 * self.most, MAX_BATCH_ROWS)


class Deletions:
    """Records and carries out deletions; each method runs in a transaction of its caller."""

    def __init__(self, ledger: DeletionLedger, now: Callable[[], datetime]) -> None:
        self.ledger = ledger
        self._now = now
        self._last = dict[Erasure, PersonColumn | None]()  # the column of the last deleted rows

    async def note(self, connection: AsyncConnection, kind: Kind, number: int, worker: int = NOBODY) -> NotedDeletion:
        """Note the permanent deletion of a person or server, and delete what must go at once.

        worker: the process that deletes the other rows, see `delete_some`. An unfinished deletion is not noted again.
        """
        if await erasures.is_ongoing(connection, Erasure(kind, number)):
            return NotedDeletion(await noted_count(connection))
        await self.ledger.add(connection, kind, number, after=await noted_count(connection), at=self._now())
        effects = await self._apply_missing(connection, {self.ledger.mark(kind, number): number}, worker)
        return NotedDeletion(await noted_count(connection), tuple(effects))

    async def catch_up(self, connection: AsyncConnection) -> None:
        """Repeat the deletions recorded after this database was copied."""
        if missing := await self.ledger.after(connection, await noted_count(connection)):
            log.warning(AGAIN, len(missing))
            await self._apply_missing(connection, {}, NOBODY)

    async def delete_some(self, connection: AsyncConnection, worker: int, most: int) -> ErasureBatch | None:
        """Delete up to ``most`` rows of an unfinished deletion.

        Return None without a deletion for this process.
        """
        erasure = await erasures.assign(connection, worker, self._now())
        if erasure is None:
            return None
        last = self._last.get(erasure)
        self._last[erasure] = last = await personal_rows.delete_more_rows(
            connection, UserId(erasure.number), most, last
        )
        is_last = last is None
        if is_last:
            del self._last[erasure]
            await erasures.end(connection, erasure)
        return ErasureBatch(erasure, is_last)

    async def forgotten(self, connection: AsyncConnection, user: UserId) -> datetime | None:
        """Read the time of a person's latest deletion."""
        return await self.ledger.latest(connection, "person", user)

    async def deleted_since(
        self, connection: AsyncConnection, users: Collection[UserId], since: datetime
    ) -> Mapping[UserId, datetime]:
        """Read the users with a deletion after ``since``, and the time of the latest."""
        return await self.ledger.deleted_since(connection, users, since)

    async def _apply_missing(
        self, connection: AsyncConnection, ids: dict[str, Any], worker: int
    ) -> list[PendingEffect]:
        """Apply the deletions that the database has not noted. ids: the id of each known mark."""
        missing = await self.ledger.after(connection, await noted_count(connection))
        if any(deletion.mark not in ids for deletion in missing):
            ids = ids | await self._ids(connection, {deletion.kind for deletion in missing})
        effects = list[PendingEffect]()
        for deletion in missing:
            if deletion.mark in ids:
                effects += await self._forget(connection, deletion, ids[deletion.mark], worker)
            await put_note(connection, NOTED_COUNT_KEY, str(deletion.number))
        return effects

    async def _forget(
        self, connection: AsyncConnection, deletion: LedgerEntry, number: Any, worker: int
    ) -> tuple[PendingEffect, ...]:
        if deletion.kind == "server":
            await personal_rows.forget_server(connection, number)
            return ()
        effects = await personal_rows.delete_urgent_rows(connection, number, deletion.mark, self._now())
        worked = self._now() if worker else self._now() - 2 * WORKER_TIMEOUT
        await erasures.begin(connection, Erasure("person", number), worker, worked)
        return effects

    async def _ids(self, connection: AsyncConnection, kinds: Iterable[Kind]) -> dict[str, Any]:
        """Return the id of every person or server in the database, by mark."""
        return {
            self.ledger.mark(kind, number): number
            for kind in kinds
            for number in await mentions.stored_ids(connection, kind)
        }


async def noted_count(connection: AsyncConnection) -> int:
    """Return the number of deletions noted by the database."""
    return int(await read_note(connection, NOTED_COUNT_KEY) or 0)


class DeletionRepository(Repository):
    """The deletions of people and servers, and the marks that identify a person."""

    def __init__(self, gate: Gate, deletions: Deletions) -> None:
        super().__init__(gate)
        self._deletions = deletions
        self._pieces = AdaptiveBatches()

    async def is_kept(self, user: UserId) -> bool:
        """Return whether a deletion of the person would delete any row."""
        return await self._gate.read(personal_rows.is_kept, user)

    async def note(self, user: UserId) -> tuple[PendingEffect, ...]:
        """Note the deletion of a person's data, and return the effects.

        From now on readers no longer find the person, even after an old copy is restored. The rows follow in
        `delete_some`.
        """
        noted = await self._gate.run_alone(self._deletions.note, "person", user, self._gate.member or 0)
        self._gate.forgotten = noted.deletions
        self._gate.erasing |= {Erasure("person", user)}
        return noted.effects

    async def delete_some(self) -> timedelta | None:
        """Delete rows of an unfinished deletion, few enough to delay no other work.

        Return the pause to leave for other transactions, None without a deletion for this process.
        """
        piece = await self._pieces.run(self._gate, self._deletions)
        if piece is not None and piece.is_last:
            self._gate.erasing -= {piece.erasure}
            await self._gate.empty()
        return None if piece is None else self._pieces.rest

    async def carry_out(self) -> None:
        """Delete every row of the unfinished deletions."""
        while await self.delete_some() is not None:
            pass

    async def load_ongoing(self) -> None:
        """Load the unfinished deletions; to be called before the bot answers users."""
        self._gate.erasing = await self._gate.read(erasures.load_ongoing)

    async def is_ongoing(self, user: UserId) -> bool:
        """Return whether a person is being deleted."""
        erasure = Erasure("person", user)
        if erasure not in self._gate.erasing:
            return False
        if not await self._gate.read(erasures.is_ongoing, erasure):  # another process has carried it out
            self._gate.erasing -= {erasure}
        return erasure in self._gate.erasing

    async def forget_person(self, user: UserId) -> None:
        """Note a deletion and delete every row, for a caller that waits."""
        await self.note(user)
        await self.carry_out()

    async def forget_server(self, guild: GuildId) -> None:
        """Delete the rows of a server at once and permanently."""
        noted = await self._gate.run_alone(self._deletions.note, "server", guild)
        self._gate.forgotten = noted.deletions
        await self._gate.empty()

    async def forgotten(self, user: UserId) -> datetime | None:
        """Return the time of a person's latest deletion; None without one."""
        return await self._gate.read(self._deletions.forgotten, user)

    async def deleted_since(self, users: Collection[UserId], since: datetime) -> Mapping[UserId, datetime]:
        """Return the users with a deletion after ``since``, and the time of the latest."""
        return await self._gate.read(self._deletions.deleted_since, users, since)

    def mark(self, user: UserId) -> str:
        """Return the keyed hash of a person's id: stable, and meaningless without the key."""
        return self._deletions.ledger.mark("person", user)

    def mark_of(self, kind: Kind, number: int) -> str:
        """Return the keyed hash of a person's or a server's id."""
        return self._deletions.ledger.mark(kind, number)

    def key_for(self, purpose: str) -> str:
        """Return a secret of this installation for a purpose, of 256 bits.

        The secret is stable, and stored nowhere.
        """
        return self._deletions.ledger.key_for(purpose)


MAX_AT_ONCE = 500  # tables that one transaction deletes


async def _delete_practice(
    connection: AsyncConnection, user: UserId, kind: PracticeKind, kept: Collection[TableId]
) -> None:
    """Delete the ended practice tables of a person.

    kind: of the tables. kept: tables to spare.
    """
    ended = tables.c.phase.in_(ENDED_PHASES), tables.c.id.not_in(kept)
    seated = select(chairs.c.table_id).where(chairs.c.user == user)
    own = tables.c.host == user, tables.c.solo == kind, tables.c.id.in_(seated)
    theirs = select(tables.c.id).where(*own, *ended)
    await _delete_tables(connection, (await connection.execute(theirs.limit(MAX_AT_ONCE))).scalars().all())


async def _delete_lobbies(connection: AsyncConnection, before: datetime) -> None:
    """Delete lobbies closed before a given time without a match, and unused duplicates.

    An unused duplicate is of the same age and without a table. The last row overall and the last table of a server
    stay, because their numbers would be given again. A lobby with a moderator's action stays too.
    """
    unused = (await connection.execute(_unused_lobbies(), {"before": before})).scalars().all()
    await _delete_tables(connection, unused)
    await connection.execute(_drop_unused_duplicates(), {"before": before})


@cache
def _unused_lobbies() -> Select[Any]:
    """Return the query for lobbies to delete. Its parameter ``before``: a time."""
    later = tables.alias()
    numbered = exists().where(later.c.guild == tables.c.guild, later.c.number > tables.c.number)
    used = [exists().where(table.c.table_id == tables.c.id) for table in (sittings, actions, packs, moderations)]
    closed = tables.c.phase == "closed", tables.c.solo == "", tables.c.touched < bindparam("before")
    last = select(func.max(tables.c.id)).scalar_subquery()
    lobbies = select(tables.c.id).where(*closed, *(~there for there in used), tables.c.id < last, numbered)
    return lobbies.limit(MAX_AT_ONCE)


@cache
def _drop_unused_duplicates() -> Delete:
    """Return the deletion of unused duplicates. Its parameter ``before``: a time."""
    played = [exists().where(table.c.duplicate_id == duplicates.c.id) for table in (tables, parts)]
    latest = select(func.max(duplicates.c.id)).scalar_subquery()
    old = duplicates.c.opened < bindparam("before"), duplicates.c.id < latest
    return delete(duplicates).where(*old, *(~there for there in played))


async def _delete_tables(connection: AsyncConnection, numbers: Collection[TableId]) -> None:
    for table in reversed(metadata.sorted_tables) if numbers else ():
        if (theirs := _belongs_to(table, numbers)) is not None:
            await connection.execute(delete(table).where(theirs))


def _belongs_to(table: Table, numbers: Collection[TableId]) -> ColumnElement[bool] | None:
    """Return the condition that a row belongs to one of these tables.

    Returns None without a chain of foreign keys to a table. Keys to other tables are left out: with them, a database
    would scan the standings of every match.
    """
    if table is tables:
        return tables.c.id.in_(numbers)
    above = [(key.parent, key.column, _belongs_to(key.column.table, numbers)) for key in table.foreign_keys]
    own = [column.in_(select(target).where(theirs)) for column, target, theirs in above if theirs is not None]
    return or_(*own) if own else None


class LeftoverRepository(Repository):
    """Rows that are no longer needed."""

    delete_practice = write(_delete_practice)
    delete_lobbies = write(_delete_lobbies)
