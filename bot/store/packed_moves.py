"""What somebody did in matches that are packed, as ``moves_of`` of forgetting tells it of all others.

Refuses to know what a person is shown of it, and transactions, which are its caller's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Row, and_, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ground.ids import UserId
from bot.store.errors import Damaged
from bot.store.packing import unpacked
from bot.store.rows import Step
from bot.store.schema import chairs, packs, sittings, tables


async def packed_moves(connection: AsyncConnection, user: UserId) -> list[Mapping[str, Any]]:
    """Read what was done from the seats of a person. Of a damaged record it is told that it is damaged."""
    found = list[Mapping[str, Any]]()
    for row in (await connection.execute(_seats_of(user))).all():
        where = {name: getattr(row, name) for name in ("guild", "number", "game", "phase", "table_id")}
        try:
            found += _own(row, where, await unpacked(row))
        except Damaged:
            found.append(where | {"ply": 0, "damaged": True})
    return found


def _own(row: Row[Any], where: dict[str, Any], steps: tuple[Step, ...]) -> Iterator[Mapping[str, Any]]:
    for step in steps:
        sat = row.sits and row.came is not None and step.ply >= row.came
        began = row.began_there and row.went is not None and step.ply < row.went
        if step.seat == row.seat and (sat or began):
            yield where | {"ply": step.ply, "seat": step.seat, "action": step.action, "by": step.by, "at": step.at}


def _seats_of(user: UserId) -> Any:
    """Return the query for the seats of a person, and from which ply to which they sat there."""
    same = and_(sittings.c.table_id == chairs.c.table_id, sittings.c.seat == chairs.c.seat)
    first = select(func.min(sittings.c.ply)).where(same)
    came = first.where(sittings.c.user == user).scalar_subquery()
    query = (
        select(
            *(tables.c.guild, tables.c.number, tables.c.game, tables.c.phase, chairs.c.seat),
            *(packs.c.table_id, packs.c.length, packs.c.version, packs.c.checksum, packs.c.body),
            (chairs.c.user == user).label("sits"),
            (chairs.c.owner == user).label("began_there"),
            case((chairs.c.owner_name == "", 0), else_=came).label("came"),
            first.where(sittings.c.user != user).scalar_subquery().label("went"),
        )
        .join(tables, tables.c.id == chairs.c.table_id)
        .join(packs, and_(packs.c.table_id == chairs.c.table_id, packs.c.body.is_not(None)))
    )
    return query.where(or_(chairs.c.user == user, chairs.c.owner == user)).order_by(packs.c.table_id)
