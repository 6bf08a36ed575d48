"""Which cards somebody may know: of a match whose deals others play too, only who has played them to the end.

One answer for every door. Knows duplicates, parts and tables; refuses to know who sees which channel.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import TableId, UserId
from bot.store.schema import parts, tables


def sealed_from(user: UserId) -> Select[Any]:
    """Return the query for the tables whose deals this person may yet have to play, or might have played.

    Of the table at which they play them they see what everybody there does, also when somebody sits in for them.
    """
    at_the_end = tables.alias()
    played = (
        select(parts.c.duplicate_id)
        .join(at_the_end, at_the_end.c.id == parts.c.table_id)
        .where(parts.c.user == user, at_the_end.c.phase == "over")
    )
    theirs = select(parts.c.table_id).where(parts.c.user == user)
    return select(tables.c.id).where(
        tables.c.duplicate_id.is_not(None), tables.c.duplicate_id.not_in(played), tables.c.id.not_in(theirs)
    )


async def may_know(connection: AsyncConnection, user: UserId, table: TableId) -> bool:
    """Tell whether somebody may know the deals of a table, as far as others play the same."""
    return (await connection.execute(sealed_from(user).where(tables.c.id == table))).first() is None
