"""Duplicates: deals that several people play, their parts, and what came of each.

Knows the statements; refuses to know what is compared, and who may see it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import groupby

from sqlalchemy import and_, false, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ground.chair import Chair
from bot.ground.duplicate import Duplicate, Part, Played
from bot.ground.ids import TableId, UserId
from bot.store import writing
from bot.store.rows import OPEN, NewTable
from bot.store.schema import duplicates, habits, hands, parts, results, standings, tables


async def add(connection: AsyncConnection, new: Duplicate) -> int:
    """Write a duplicate; give its number."""
    values = {name: value for name, value in asdict(new).items() if name != "number"}
    made = await connection.execute(insert(duplicates).values(values | {"options": dict(new.options)}))
    return int(made.inserted_primary_key[0])  # type: ignore[index]  # there is one after an INSERT of one row


async def load(connection: AsyncConnection, number: int) -> Duplicate | None:
    """Read a duplicate."""
    row = (await connection.execute(select(duplicates).filter_by(id=number))).first()
    return None if row is None else Duplicate(*row)


async def begin(
    connection: AsyncConnection, number: int, new: NewTable, seatings: Sequence[tuple[Chair, ...]]
) -> TableId:
    """Write somebody's table in a duplicate, or give the one they have: nobody sits twice.

    seatings: the chairs with them on each of the seats, which are given one after the other.
    """
    known = await of_person(connection, number, new.host)
    if known is not None:
        return known.table
    begun = select(func.count()).select_from(parts).filter_by(duplicate_id=number)
    seat = (await connection.execute(begun)).scalar_one() % len(seatings)
    table = await writing.new_table(connection, new, seatings[seat], None)
    values = {"duplicate_id": number, "user": new.host, "table_id": table, "seat": seat}
    await connection.execute(insert(parts).values(values))
    return table


async def of_person(connection: AsyncConnection, number: int, user: UserId) -> Part | None:
    """Read somebody's part in a duplicate."""
    row = (await connection.execute(select(parts).filter_by(duplicate_id=number, user=user))).first()
    return None if row is None else Part(*row)


async def at(connection: AsyncConnection, table: TableId) -> Part | None:
    """Read whose part in which duplicate a table is; None where it is none."""
    row = (await connection.execute(select(parts).filter_by(table_id=table))).first()
    return None if row is None else Part(*row)


async def begun(connection: AsyncConnection, number: int) -> int:
    """Count who has a part in a duplicate."""
    return int(
        (await connection.execute(select(func.count()).select_from(parts).filter_by(duplicate_id=number))).scalar_one()
    )


async def played(connection: AsyncConnection, number: int) -> tuple[Played, ...]:
    """Read what came of the parts that were played to their end."""
    own = and_(standings.c.table_id == parts.c.table_id, standings.c.seat == parts.c.seat)
    query = (
        select(parts, standings.c.name, func.coalesce(habits.c.unlisted, false()).label("unlisted"))
        .join(results, results.c.table_id == parts.c.table_id)
        .join(standings, own)
        .outerjoin(habits, habits.c.user == parts.c.user)
        .where(parts.c.duplicate_id == number, results.c.ended == "itself")
        .order_by(results.c.finished, parts.c.table_id)
    )
    found = (await connection.execute(query)).all()
    points = await _points(connection, number)
    return tuple(
        Played(Part(row.duplicate_id, row.user, row.table_id, row.seat), row.name, points[row.table_id],
               not row.unlisted)
        for row in found
    )  # fmt: skip


async def _points(connection: AsyncConnection, number: int) -> dict[TableId, tuple[tuple[int, ...], ...]]:
    """Read what each hand came to for each seat, by table."""
    query = (
        select(hands.c.table_id, hands.c.number, hands.c.points)
        .join(parts, parts.c.table_id == hands.c.table_id)
        .where(parts.c.duplicate_id == number)
        .order_by(hands.c.table_id, hands.c.number, hands.c.seat)
    )
    known = defaultdict[TableId, tuple[tuple[int, ...], ...]](tuple)
    rows = (await connection.execute(query)).all()
    for (table, _), of_hand in groupby(rows, lambda row: (row.table_id, row.number)):
        known[table] += (tuple(row.points for row in of_hand),)
    return known


async def overdue(connection: AsyncConnection, before: datetime) -> tuple[TableId, ...]:
    """Read at which tables a duplicate is still played that was opened before then."""
    query = (
        select(parts.c.table_id)
        .join(tables, tables.c.id == parts.c.table_id)
        .join(duplicates, duplicates.c.id == parts.c.duplicate_id)
        .where(duplicates.c.opened < before, tables.c.phase.in_(OPEN))
    )
    return tuple((await connection.execute(query)).scalars())
