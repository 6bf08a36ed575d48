"""The actors of each seat: who acts for whom from a ply on, and the marks of substitutes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import TableId, UserId
from bot.domain.results import Sitting
from bot.store.engine.erasures import visible_columns
from bot.store.schema import chairs, habits, sat_in, sittings

OF_SEAT = (sittings.c.table_id == bindparam("of_table"), sittings.c.seat == bindparam("of_seat"))
DROP = delete(sittings).where(*OF_SEAT, sittings.c.ply == bindparam("of_ply"))


async def add(connection: AsyncConnection, table: TableId, new: Iterable[Sitting]) -> None:
    """Write sittings; a sitting without an action yields to a new one of the same seat and ply."""
    new = tuple(new)
    await _keep_idle(connection, table, new)
    rows = [
        {"table_id": table} | asdict(one) | {"everywhere": one.ply == 0 and await _everywhere(connection, table, one)}
        for one in new
    ]
    keys = [{"of_table": table, "of_seat": row["seat"], "of_ply": row["ply"]} for row in rows]
    await connection.execute(DROP, keys)
    await connection.execute(insert(sittings), rows)


async def _keep_idle(connection: AsyncConnection, table: TableId, new: Collection[Sitting]) -> None:
    """Move the only sitting of a substitute who returned the seat without an action to a ply below 0.

    The substitute has still seen the cards, see bot/history/judges.py. A user with a chair there needs no such row.
    """
    query = select(sittings.c.seat, sittings.c.ply, sittings.c.user).where(sittings.c.table_id == table)
    known = (await connection.execute(query)).all()
    lowest, replaced = min((0, *(row.ply for row in known))), {(one.seat, one.ply) for one in new}
    idle = [row for row in known if row.user is not None and (row.seat, row.ply) in replaced]
    if not idle:
        return
    seats = (await connection.execute(select(chairs.c.user, chairs.c.owner).filter_by(table_id=table))).all()
    there = {user for seat in seats for user in seat}
    for row in idle:
        if row.user not in there and [one.user for one in known].count(row.user) == 1:
            lowest -= 1
            own = update(sittings).filter_by(table_id=table, seat=row.seat, ply=row.ply)
            await connection.execute(own.values(ply=lowest))


async def forget_idle(connection: AsyncConnection, user: UserId) -> None:
    """Remove a person from sittings without an action."""
    idle = update(sittings).where(sittings.c.user == user, sittings.c.ply < 0)
    await connection.execute(idle.values(user=None))


async def _everywhere(connection: AsyncConnection, table: TableId, first: Sitting) -> bool:
    """Tell whether the first player of a seat wants the match to count beyond its server, as asked at the deal."""
    known = select(sittings.c.everywhere).filter_by(table_id=table, seat=first.seat, ply=0)
    if (begun := (await connection.execute(known)).scalar()) is not None:
        return bool(begun)
    wanting = select(habits.c.everywhere).where(habits.c.user == first.user)
    return bool((await connection.execute(wanting)).scalar())


async def of_table(connection: AsyncConnection, table: TableId) -> tuple[Sitting, ...]:
    """Read the sittings of a table, by seat and ply."""
    query = (
        select(*visible_columns(sittings)).where(sittings.c.table_id == table).order_by(sittings.c.seat, sittings.c.ply)
    )
    rows = (await connection.execute(query)).all()
    return tuple(Sitting(row.seat, row.ply, row.user, row.house, away=row.away) for row in rows)


async def note(connection: AsyncConnection, table: TableId, mark: str | None) -> None:
    """Write the mark of a substitute at a table, unless known."""
    if mark is not None and not await has_sat_in(connection, table, mark):
        await connection.execute(insert(sat_in).values(table_id=table, mark=mark))


async def has_sat_in(connection: AsyncConnection, table: TableId, mark: str) -> bool:
    """Return whether a user is or was a substitute at a table."""
    return (await connection.execute(select(sat_in).filter_by(table_id=table, mark=mark))).first() is not None


async def forget_marks(connection: AsyncConnection, tables: Collection[TableId] | Select[Any]) -> None:
    """Delete the marks of substitutes at ended tables."""
    await connection.execute(delete(sat_in).where(sat_in.c.table_id.in_(tables)))
