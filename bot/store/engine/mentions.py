"""The people and servers that occur in stored rows, and the people named in texts."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from sqlalchemy import CompoundSelect, Delete, Insert, Select, Table, bindparam, delete, insert, select, union, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.names import without_id
from bot.store.schema import NAMED_IN, metadata
from bot.store.schema.columns import Kind, meanings


async def add(connection: AsyncConnection, texts: Table, key: object, users: Collection[UserId]) -> None:
    """Write the people named in the text of a new row."""
    if users:
        await connection.execute(_addition(texts), [{"key": key, "user": user} for user in users])


async def replace(connection: AsyncConnection, texts: Table, key: object, users: Collection[UserId]) -> None:
    """Write the people named in the new text of a row, in place of the old ones."""
    await connection.execute(_removal(texts), {"of_key": key})
    await add(connection, texts, key, users)


@cache
def _addition(texts: Table) -> Insert:
    return insert(NAMED_IN[texts])


@cache
def _removal(texts: Table) -> Delete:
    """Return the deletion of the people named in the row with the key ``of_key``."""
    named = NAMED_IN[texts]
    return delete(named).where(named.c.key == bindparam("of_key"))


def keys_naming(texts: Table, user: UserId) -> Select[tuple[object]]:
    """Return the query for the keys of the rows whose texts name a person."""
    named = NAMED_IN[texts]
    return select(named.c.key).where(named.c.user == user)


async def remove_person(connection: AsyncConnection, user: UserId) -> None:
    """Delete the texts about a person, and remove the person's id from other texts."""
    for texts in NAMED_IN:
        (key,) = texts.primary_key.columns
        which = key.in_(keys_naming(texts, user))
        for column, meaning in meanings(texts, "text"):
            if meaning.row:
                await connection.execute(delete(texts).where(which))
                continue
            for row in (await connection.execute(select(key.label("key"), column.label("text")).where(which))).all():
                values = {column.name: without_id(row.text, user)}
                await connection.execute(update(texts).where(key == row.key).values(values))


async def stored_ids(connection: AsyncConnection, kind: Kind) -> set[Any]:
    """Return the id of every person (a UserId) or every server (a GuildId) in the database."""
    return {number for number in (await connection.execute(_ids_of(kind))).scalars() if number}


@cache
def _ids_of(kind: Kind) -> CompoundSelect[Any]:
    """Return a single query for the ids: the bot runs it for its servers at every start."""
    found = list[Select[Any]]()
    for table in metadata.sorted_tables:
        for column, meaning in meanings(table, kind):
            query = select(column).distinct()
            found.append(query if meaning.where is None else query.where(table.c[meaning.where[0]] == meaning.where[1]))
    return union(*found)
