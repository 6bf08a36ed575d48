"""Who acts for which seat from which ply on.

Knows the statements; refuses to know why somebody comes or goes, and transactions, which are its caller's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ground.ids import TableId
from bot.ground.results import Sitting
from bot.store.schema import sittings

OF_SEAT = (sittings.c.table_id == bindparam("of_table"), sittings.c.seat == bindparam("of_seat"))
DROP = delete(sittings).where(*OF_SEAT, sittings.c.ply == bindparam("of_ply"))


async def add(connection: AsyncConnection, table: TableId, new: Iterable[Sitting]) -> None:
    """Write sittings; one that nobody has acted in yet gives way to another of the same seat and ply."""
    rows = [{"table_id": table} | asdict(sitting) for sitting in new]
    keys = [{"of_table": table, "of_seat": row["seat"], "of_ply": row["ply"]} for row in rows]
    await connection.execute(DROP, keys)
    await connection.execute(insert(sittings), rows)


async def of_table(connection: AsyncConnection, table: TableId) -> tuple[Sitting, ...]:
    """Read who acted for whom at a table, by seat and ply."""
    query = select(sittings).where(sittings.c.table_id == table).order_by(sittings.c.seat, sittings.c.ply)
    rows = (await connection.execute(query)).all()
    return tuple(Sitting(row.seat, row.ply, row.user, row.house, row.away) for row in rows)
