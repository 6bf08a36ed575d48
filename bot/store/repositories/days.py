"""When people have time, as it is kept: their hours, their vacations, and when the bot could not be reached.

Knows the statements; refuses to know what follows from them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Row, Table, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.working_hours import Day, Hours, Vacation
from bot.store.schema import habits, hours, outages, vacations

OUTAGES = select(outages.c.since, outages.c.until).order_by(outages.c.since)


async def days(connection: AsyncConnection, users: Collection[UserId]) -> Mapping[UserId, Day]:
    """Read when the days of these people run."""
    away = tuple((row.since, row.until) for row in await connection.execute(OUTAGES))
    theirs = await _rows(connection, hours, users)
    free = await _rows(connection, vacations, users)
    sharing = select(habits.c.user).where(habits.c.user.in_(users), habits.c.shares_day)
    shared = set((await connection.execute(sharing)).scalars())
    return {
        user: Day(
            tuple(_hours(row) for row in theirs if row.user == user),
            tuple(Vacation(row.first, row.last) for row in free if row.user == user),
            away,
            user in shared,
        )
        for user in users
    }


async def keep_day(connection: AsyncConnection, user: UserId, day: Day) -> None:
    """Write somebody's hours and vacations, in place of those before."""
    for table, rows in (
        (hours, [_row(known) for known in day.hours]),
        (vacations, [_free(away) for away in day.vacations]),
    ):
        await connection.execute(delete(table).where(table.c.user == user))
        if rows:
            await connection.execute(insert(table), [{"user": user, **row} for row in rows])


async def _rows(connection: AsyncConnection, table: Table, users: Collection[UserId]) -> list[Row[Any]]:
    """Read the rows of these people in the order of their keys."""
    query = select(table).where(table.c.user.in_(users)).order_by(*table.primary_key.columns)
    return list((await connection.execute(query)).all())


def _hours(row: Row[Any]) -> Hours:
    return Hours(row.since, row.zone, row.bed, row.night, tuple(map(int, row.off)))


def _row(known: Hours) -> dict[str, Any]:
    off = "".join(map(str, known.off))
    return {"since": known.since, "zone": known.zone, "bed": known.bed, "night": known.night, "off": off}


def _free(away: Vacation) -> dict[str, Any]:
    return {"first": away.first, "last": away.last}
