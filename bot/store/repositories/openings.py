"""Where the hands of long matches begin, in the database: a text that another room has written, with a checksum.

Knows the statements; refuses to know what the text says, and transactions, which are its caller's. Whatever is lost or
damaged here is made again of the record.
"""

from __future__ import annotations

import asyncio

from sqlalchemy import BigInteger, bindparam, delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import TableId
from bot.store.engine.packs import Torn, deflated, inflated
from bot.store.schema import openings, packs, tables

here = bindparam("here", type_=BigInteger)
KEPT = select(openings.c.checksum, openings.c.body).where(openings.c.table_id == here)
PLAYED = (
    select(tables.c.id)
    .outerjoin(packs, packs.c.table_id == tables.c.id)
    .where(tables.c.id == here, or_(packs.c.table_id.is_(None), packs.c.body.is_not(None)))
)


async def kept(connection: AsyncConnection, table: TableId) -> str | None:
    """Read what is kept of a match; None where that is nothing, or not what it was."""
    row = (await connection.execute(KEPT, {"here": table})).first()
    if row is None:
        return None
    try:
        return await asyncio.to_thread(inflated, row.checksum, row.body)
    except Torn:
        return None


async def keep(connection: AsyncConnection, table: TableId, text: str) -> None:
    """Keep this of a match, in place of what was there; nothing of one whose plays are gone by now."""
    if (await connection.execute(PLAYED, {"here": table})).first() is None:
        return
    checksum, body = await asyncio.to_thread(deflated, text)
    await connection.execute(delete(openings).filter_by(table_id=table))
    await connection.execute(insert(openings).values(table_id=table, checksum=checksum, body=body))
