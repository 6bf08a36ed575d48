"""The clock of tables: due tables, heartbeats, and moved deadlines after an outage.

The queries use indexes, so an idle table costs nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    true,
    type_coerce,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import NO_GUILD, Share, TableId
from bot.store.engine.repository import Repository, read, read_share, server_in_share, upsert, write
from bot.store.repositories import contests, notices, seat_queue
from bot.store.schema import heartbeat, outages, seat_times, tables
from bot.store.schema.columns import MICROSECOND

MAX_DUE_TABLES: Final = 500  # the maximum number of due tables in one answer
EVERY_TABLE = true()
RUNNING = select(literal(1)).where(seat_times.c.table_id == tables.c.id, seat_times.c.since.is_not(None)).exists()
MIN_RECORDED_OUTAGE = timedelta(minutes=1)  # shorter outages are not recorded: players at slow tables would not notice
OUTAGE_RETENTION = timedelta(days=60)  # the retention of outages, longer than any clock runs
LAST_BEAT = select(heartbeat.c.at)


def _pending(share: Share) -> tuple[Select[Any], Select[Any]]:
    """Return the queries for the wake times of tables and for the answer times of premoves."""
    mine = server_in_share(share, tables.c.guild)
    waking = select(tables.c.id, tables.c.wake.label("at")).where(tables.c.wake.is_not(None), mine)
    answering = tables.c.premove_at.is_not(None), not_(tables.c.paused), mine
    return waking, select(tables.c.id, tables.c.premove_at.label("at")).where(*answering)


@lru_cache(maxsize=64)
def _due_of(share: Share) -> Select[Any]:
    """Return the query for tables that are due by the parameter ``now``, earliest first."""
    waking, answering = _pending(share)
    by_now: BindParameter[datetime] = bindparam("now")
    due = union_all(waking.where(tables.c.wake <= by_now), answering.where(tables.c.premove_at <= by_now)).subquery()
    return select(due.c.id).group_by(due.c.id).order_by(func.min(due.c.at), due.c.id).limit(MAX_DUE_TABLES)


@lru_cache(maxsize=64)
def _next_due_of(share: Share) -> Select[Any]:
    """Return the query for the next time at which a table is due."""
    earliest = (query.with_only_columns(func.min(query.selected_columns.at).label("at")) for query in _pending(share))
    both = union_all(*earliest).subquery()
    return select(func.min(both.c.at))


async def _due(connection: AsyncConnection, share: Share, now: datetime) -> tuple[TableId, ...]:
    """Read the due tables, earliest first, at most MAX_DUE_TABLES."""
    return tuple((await connection.execute(_due_of(share), {"now": now})).scalars())


async def _next_due(connection: AsyncConnection, share: Share) -> datetime | None:
    """Read the next time at which a table is due."""
    at: datetime | None = (await connection.execute(_next_due_of(share))).scalar()
    return at


@lru_cache(maxsize=64)
def _touched_of(share: Share) -> Select[Any]:
    """Return the query for the tables with a change at or after the parameter ``since``."""
    since: BindParameter[datetime] = bindparam("since")
    return select(tables.c.id).where(tables.c.touched >= since, server_in_share(share, tables.c.guild))


async def _touched(connection: AsyncConnection, share: Share, since: datetime) -> tuple[TableId, ...]:
    """Read the tables with a change at or after ``since``."""
    return tuple((await connection.execute(_touched_of(share), {"since": since})).scalars())


async def _resume(connection: AsyncConnection, now: datetime) -> timedelta:
    """Move pending times by the time since the last heartbeat, and return that duration.

    Also writes a heartbeat. The duration is 0 without a heartbeat, and negative after a backward change of the system
    time: the pending times then move backward too, and recorded outages in the future are deleted. A clock that follows
    its owner's day is not moved forward: the recorded outage stops the clock in hindsight.
    """
    last = (await connection.execute(LAST_BEAT)).scalar()
    outage = now - last if last else timedelta()
    if last and outage >= MIN_RECORDED_OUTAGE:
        await connection.execute(insert(outages), {"since": last, "until": now})
        await connection.execute(delete(outages).where(outages.c.until < now - OUTAGE_RETENTION))
    if outage:
        await _shift(connection, outage)
    if outage > timedelta():
        await contests.prolong_tries(connection, now - outage, now)
    if outage < timedelta():
        await _set_back(connection, now, outage)
    await _beat(connection, now)
    return outage


async def _set_back(connection: AsyncConnection, now: datetime, by: timedelta) -> None:
    """Move the start of running clocks, premoves and outages back. by: negative.

    The duration of a deleted future outage is added to ``by`` for the clocks, so that its deletion costs no player
    any time.
    """
    step, late = by, (await connection.execute(select(outages).where(outages.c.until > now))).all()
    by += sum((row.until - max(row.since, now) for row in late), timedelta())
    await connection.execute(delete(outages).where(outages.c.since >= now))
    await connection.execute(update(outages).where(outages.c.until > now).values(until=now))
    sooner = {"premove_at": type_coerce(tables.c.premove_at, BigInteger) + step // MICROSECOND}
    await connection.execute(update(tables).where(tables.c.premove_at.is_not(None)).values(sooner))
    moved = {"since": type_coerce(seat_times.c.since, BigInteger) + by // MICROSECOND}
    await connection.execute(update(seat_times).where(seat_times.c.since.is_not(None)).values(moved))
    await notices.set_back(connection, by)


async def _beat(connection: AsyncConnection, now: datetime) -> None:
    """Write a heartbeat."""
    await upsert(connection, heartbeat, {"id": 1}, {"at": now})


async def _give_back(connection: AsyncConnection, share: Share, by: timedelta, now: datetime) -> None:
    """Move the deadlines of a share later by the time without a process for the share."""
    await _shift(connection, by, server_in_share(share, tables.c.guild))
    if share.has(NO_GUILD):
        await contests.prolong_tries(connection, now - by, now)


async def _shift(connection: AsyncConnection, by: timedelta, condition: ColumnElement[bool] = EVERY_TABLE) -> None:
    """Move the pending times in one statement.

    A table with running clocks is only moved back: its deadline is computed again before the next action anyway.
    The start of a suspension moves too, so a suspension counts only time in which the bot ran. So do the times of
    people in line for a seat.
    """
    moved = {
        name: type_coerce(tables.c[name], BigInteger) + by // MICROSECOND
        for name in ("deadline", "remind_at", "wake", "shut_out", "suspended_since")
    }
    pending = and_(tables.c.wake.is_not(None), condition)
    if by > timedelta():
        pending = and_(pending, or_(tables.c.remind_at.is_(None), ~RUNNING))
    await connection.execute(update(tables).where(pending).values(moved))
    await seat_queue.shift(connection, by, condition)


async def _last_beat(connection: AsyncConnection) -> datetime | None:
    """Read the time of the last heartbeat."""
    at: datetime | None = (await connection.execute(LAST_BEAT)).scalar()
    return at


class ClockRepository(Repository):
    """Due times of the tables of this process, and heartbeats of the bot."""

    due = read_share(_due)
    next_due = read_share(_next_due)
    give_back = write(_give_back)
    resume = write(_resume)
    beat = write(_beat)
    last_beat = read(_last_beat)

    async def touched_since(self, since: datetime, share: Share | None = None) -> tuple[TableId, ...]:
        """Return the tables with a change at or after ``since``, also finished tables.

        share: the servers to look at, by default those of this process.
        """
        return await self._gate.read(_touched, share or self._gate.share, since)
