"""The people and servers of whom any row is kept."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import CompoundSelect, Select, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import metadata
from bot.store.schema.meaning import Kind, meanings


async def kept_ids(connection: AsyncConnection, kind: Kind) -> set[Any]:
    """Return the id of every person (a UserId), or every server (a GuildId), that stands anywhere."""
    return {number for number in (await connection.execute(_ids_of(kind))).scalars() if number}


@cache
def _ids_of(kind: Kind) -> CompoundSelect[Any]:
    """Return the query for every person or server in one go: a bot asks for its servers whenever it starts."""
    found = list[Select[Any]]()
    for table in metadata.sorted_tables:
        for column, meaning in meanings(table, kind):
            query = select(column).distinct()
            found.append(query if meaning.where is None else query.where(table.c[meaning.where[0]] == meaning.where[1]))
    return union(*found)
