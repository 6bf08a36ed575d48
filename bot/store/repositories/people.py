"""Settings of people, their working hours, and their channels of direct messages."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import Row, Table, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import ChannelId, UserId
from bot.domain.preferences import Preferences
from bot.domain.working_hours import Hours, Vacation, WorkSchedule
from bot.store.engine.repository import Repository, read, write
from bot.store.engine.upsert import upsert
from bot.store.rows import DirectChannel
from bot.store.schema import directs, habits, hours, outages, vacations

OUTAGES = select(outages.c.since, outages.c.until).order_by(outages.c.since)


async def _days(connection: AsyncConnection, users: Collection[UserId]) -> Mapping[UserId, WorkSchedule]:
    """Read the working hours and vacations of people."""
    away = tuple((row.since, row.until) for row in await connection.execute(OUTAGES))
    theirs = await _rows(connection, hours, users)
    free = await _rows(connection, vacations, users)
    sharing = select(habits.c.user).where(habits.c.user.in_(users), habits.c.shares_day)
    shared = set((await connection.execute(sharing)).scalars())
    return {
        user: WorkSchedule(
            tuple(_hours(row) for row in theirs if row.user == user),
            tuple(Vacation(row.first, row.last) for row in free if row.user == user),
            away,
            user in shared,
        )
        for user in users
    }


async def _keep_day(connection: AsyncConnection, user: UserId, day: WorkSchedule) -> None:
    """Write a person's hours and vacations, replacing the earlier ones."""
    for table, rows in (
        (hours, [_row(known) for known in day.hours]),
        (vacations, [_free(away) for away in day.vacations]),
    ):
        await connection.execute(delete(table).where(table.c.user == user))
        if rows:
            await connection.execute(insert(table), [{"user": user, **row} for row in rows])


async def _rows(connection: AsyncConnection, table: Table, users: Collection[UserId]) -> list[Row[Any]]:
    """Read the rows of people in key order."""
    query = select(table).where(table.c.user.in_(users)).order_by(*table.primary_key.columns)
    return list((await connection.execute(query)).all())


def _hours(row: Row[Any]) -> Hours:
    return Hours(row.since, row.zone, bed=row.bed, night=row.night, off=tuple(map(int, row.off)))


def _row(known: Hours) -> dict[str, Any]:
    off = "".join(map(str, known.off))
    return {"since": known.since, "zone": known.zone, "bed": known.bed, "night": known.night, "off": off}


def _free(away: Vacation) -> dict[str, Any]:
    return {"first": away.first, "last": away.last}


async def _habits(connection: AsyncConnection, user: UserId) -> Preferences:
    """Read a person's settings, or the defaults."""
    row = (await connection.execute(select(habits).filter_by(user=user))).first()
    return (
        Preferences()
        if row is None
        else Preferences(**{field.name: getattr(row, field.name) for field in fields(Preferences)})
    )


async def _keep_habits(connection: AsyncConnection, user: UserId, chosen: Preferences) -> None:
    """Write a person's settings."""
    await upsert(connection, habits, {"user": user}, asdict(chosen))


async def _direct(connection: AsyncConnection, user: UserId) -> ChannelId | None:
    """Read the channel of direct messages with a person, None without one."""
    found: ChannelId | None = (await connection.execute(select(directs.c.channel).filter_by(user=user))).scalar()
    return found


async def _keep_direct(connection: AsyncConnection, direct: DirectChannel) -> None:
    """Write the channel of direct messages with a person."""
    await upsert(connection, directs, {"user": direct.user}, {"channel": direct.channel, "opened": direct.opened})


async def _forget_direct(connection: AsyncConnection, user: UserId) -> None:
    """Delete the channel of direct messages with a person."""
    await connection.execute(delete(directs).filter_by(user=user))


class PersonRepository(Repository):
    """Settings of people, their working hours, and their channels of direct messages."""

    habits = read(_habits)
    keep_habits = write(_keep_habits)
    days = read(_days)
    keep_day = write(_keep_day)
    direct = read(_direct)
    keep_direct = write(_keep_direct)
    forget_direct = write(_forget_direct)
