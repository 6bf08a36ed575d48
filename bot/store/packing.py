"""Packs in place of the steps of old matches, in the database.

Knows the statements; refuses to know when a match is old, and transactions, which are its caller's.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import lru_cache

from sqlalchemy import BigInteger, Row, bindparam, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ground.ids import TableId
from bot.store.errors import Damaged
from bot.store.packs import Pack, Torn, pack, unpack
from bot.store.rows import ENDED, Step
from bot.store.schema import actions, packs, tables

here = bindparam("here", type_=BigInteger)
PACK = select(packs).where(packs.c.table_id == here)
NEXT = select(func.min(actions.c.table_id)).where(actions.c.table_id > here)
OLD = select(tables.c.id).where(
    tables.c.id == here,
    tables.c.phase.in_(ENDED),
    tables.c.touched <= bindparam("since", type_=tables.c.touched.type),
)
LATELY = 8  # matches that were read last: who steps through one asks for it page by page


async def next_unpacked(connection: AsyncConnection, after: TableId) -> TableId | None:
    """Find the next table of which steps are kept one by one, by their numbers."""
    found: TableId | None = (await connection.execute(NEXT, {"here": after})).scalar()
    return found


async def is_old(connection: AsyncConnection, table: TableId, since: datetime) -> bool:
    """Tell whether a match ended before then."""
    return (await connection.execute(OLD, {"here": table, "since": since})).first() is not None


async def replace_by_pack(connection: AsyncConnection, table: TableId, steps: tuple[Step, ...]) -> None:
    """Keep a pack in place of these steps, which are all there are. Raises Torn where it would not be the same."""
    made = await asyncio.to_thread(pack, steps)
    values = {"length": made.length, "version": made.version, "checksum": made.checksum, "body": made.body}
    await connection.execute(insert(packs).values(table_id=table, began=steps[0].at, **values))
    kept = (await connection.execute(PACK, {"here": table})).one()
    if await asyncio.to_thread(unpack, _of(kept)) != steps:
        raise Torn("It is not kept as it was made.")
    await connection.execute(delete(actions).where(actions.c.table_id == table))


async def packed(connection: AsyncConnection, table: TableId) -> tuple[Step, ...]:
    """Read the steps of a match that is packed; nothing of any other. Raises Damaged."""
    kept = (await connection.execute(PACK, {"here": table})).first()
    return () if kept is None else await unpacked(kept)


async def unpacked(kept: Row[*tuple[object, ...]]) -> tuple[Step, ...]:
    """Give the steps that a row of packs holds. Raises Damaged."""
    try:
        return await asyncio.to_thread(_lately, _of(kept))
    except Torn as torn:
        raise Damaged(f"The packed record of table {kept.table_id} is damaged. {torn}") from torn


@lru_cache(maxsize=LATELY)
def _lately(kept: Pack) -> tuple[Step, ...]:
    return unpack(kept)


def _of(kept: Row[*tuple[object, ...]]) -> Pack:
    return Pack(kept.length, kept.version, kept.checksum, kept.body)
