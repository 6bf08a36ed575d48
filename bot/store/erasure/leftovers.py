"""Rows without further use: ended practice tables, lobbies without a match, duplicates without a table.

Transactions and retention periods belong to the caller.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Table, delete, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import TableId, UserId
from bot.store.engine.repository import Repository, write
from bot.store.rows import ENDED_PHASES
from bot.store.schema import actions, duplicates, metadata, moderations, packs, parts, sittings, tables

MAX_AT_ONCE = 500  # tables that one transaction deletes


async def _delete_practice(connection: AsyncConnection, user: UserId, kept: Collection[TableId]) -> None:
    """Delete the ended practice tables of a person. kept: tables to spare."""
    ended = tables.c.phase.in_(ENDED_PHASES), tables.c.id.not_in(kept)
    theirs = select(tables.c.id).where(tables.c.alone == "practice", tables.c.host == user, *ended)
    await _delete_tables(connection, (await connection.execute(theirs.limit(MAX_AT_ONCE))).scalars().all())


async def _delete_lobbies(connection: AsyncConnection, before: datetime) -> None:
    """Delete lobbies closed before a given time without a match, and duplicates of the same age without a table.

    The last row overall and the last table of a server stay, because their numbers would be given again. A lobby
    with a moderator's action stays too.
    """
    later = tables.alias()
    numbered = exists().where(later.c.guild == tables.c.guild, later.c.number > tables.c.number)
    used = [exists().where(table.c.table_id == tables.c.id) for table in (sittings, actions, packs, moderations)]
    closed = tables.c.phase == "closed", tables.c.alone == "", tables.c.touched < before
    last = select(func.max(tables.c.id)).scalar_subquery()
    lobbies = select(tables.c.id).where(*closed, *(~there for there in used), tables.c.id < last, numbered)
    await _delete_tables(connection, (await connection.execute(lobbies.limit(MAX_AT_ONCE))).scalars().all())
    played = [exists().where(table.c.duplicate_id == duplicates.c.id) for table in (tables, parts)]
    latest = select(func.max(duplicates.c.id)).scalar_subquery()
    old = duplicates.c.opened < before, duplicates.c.id < latest
    await connection.execute(delete(duplicates).where(*old, *(~there for there in played)))


async def _delete_tables(connection: AsyncConnection, numbers: Collection[TableId]) -> None:
    for table in reversed(metadata.sorted_tables) if numbers else ():
        if (theirs := _belongs_to(table, numbers)) is not None:
            await connection.execute(delete(table).where(theirs))


def _belongs_to(table: Table, numbers: Collection[TableId]) -> ColumnElement[bool] | None:
    """Return the condition that a row belongs to one of these tables; None without a chain of foreign keys to a table.

    Keys to other tables are left out: with them, a database would scan the standings of every match.
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
