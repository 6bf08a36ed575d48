"""Tries of the deal of a day: begun once, and what came of them.

Knows the statements; refuses to know what is dealt, and who may see what. A try counts that ended within its day, or
within the hour after a stop in which the day ended.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, and_, false, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.chairs import Chair
from bot.domain.daily_deal import Tried, Try
from bot.domain.ids import GuildId, TableId, UserId
from bot.store.engine.erasures import present
from bot.store.repositories import table_changes
from bot.store.repositories.day_ends import BEGUN, end_of, midnight
from bot.store.rows import NewTable
from bot.store.schema import habits, results, standings, tries

LONGEST = 400  # days that are read of somebody


async def begin(
    connection: AsyncConnection, new: NewTable, seated: tuple[Chair, ...], day: date, guild: GuildId | None, house: int
) -> TableId:
    """Write somebody's table for the deal of a day, or give the one they have: nobody tries twice."""
    known = await of_day(connection, new.host, day)
    if known is not None:
        return known.table
    table = await table_changes.new_table(connection, new, seated, None)
    values = {"day": day, "user": new.host, "table_id": table, "guild": guild, "house": house}
    await connection.execute(insert(tries).values(values))
    return table


async def of_day(connection: AsyncConnection, user: UserId, day: date) -> Try | None:
    """Read somebody's try of a day."""
    row = (await connection.execute(select(tries).where(present(tries.c.user)).filter_by(user=user, day=day))).first()
    return None if row is None else Try(row.day, row.user, row.table_id, row.guild, row.house)


async def at(connection: AsyncConnection, table: TableId) -> Try | None:
    """Read whose try of which day a table is; None where it is none."""
    row = (await connection.execute(select(tries).where(present(tries.c.user)).filter_by(table_id=table))).first()
    return None if row is None else Try(row.day, row.user, row.table_id, row.guild, row.house)


def _ended() -> Select[Any]:
    same = and_(standings.c.table_id == tries.c.table_id, standings.c.user == tries.c.user)
    return (
        select(tries, standings.c.name, standings.c.place, standings.c.points)
        .join(standings, same)
        .where(present(tries.c.user))
    )


async def of_all(connection: AsyncConnection, day: date) -> tuple[Tried, ...]:
    """Read what came of the tries of a day."""
    query = (
        _ended()
        .add_columns(func.coalesce(habits.c.unlisted, false()).label("unlisted"))
        .join(results, and_(results.c.table_id == tries.c.table_id, results.c.finished < end_of(day)))
        .outerjoin(habits, habits.c.user == tries.c.user)
        .where(tries.c.day == day)
        .order_by(results.c.finished, tries.c.table_id)
    )
    return tuple(
        Tried(row.user, row.table_id, row.guild, row.house, row.name, row.place, row.points, not row.unlisted)
        for row in await connection.execute(query)
    )


async def days_of(connection: AsyncConnection, user: UserId) -> tuple[date, ...]:
    """Read on which days somebody has played the deal of the day to its end, the latest first."""
    query = (
        select(tries.c.day, tries.c.late_until, results.c.finished)
        .join(results, results.c.table_id == tries.c.table_id)
        .where(tries.c.user == user, present(tries.c.user))
        .order_by(tries.c.day.desc())
        .limit(LONGEST)
    )
    return tuple(
        row.day for row in await connection.execute(query) if row.finished < (row.late_until or midnight(row.day))
    )


async def overdue(connection: AsyncConnection, now: datetime) -> tuple[TableId, ...]:
    """Read at which tables a deal is still played that can be finished no more."""
    over = or_(tries.c.late_until.is_(None), tries.c.late_until <= now)
    query = select(tries.c.table_id).where(BEGUN, tries.c.day < now.date(), over)
    return tuple((await connection.execute(query)).scalars())
