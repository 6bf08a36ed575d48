"""The people and servers with stored rows."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import CompoundSelect, Select, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import metadata
from bot.store.schema.meaning import Kind, meanings


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
