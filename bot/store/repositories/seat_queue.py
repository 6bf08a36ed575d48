"""People in line for a seat at a table.

A person has one place, and is asked whether to take a free seat.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    type_coerce,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import PendingEffect, SeatCall, pending_effect
from bot.domain.ids import Share, TableId, UserId
from bot.store.engine.repository import Repository, read, read_share, server_in_share, table_in_share, write
from bot.store.repositories import outbox
from bot.store.rows import ANSWER_LIMIT, SEAT_PING, WAIT_LIMIT, Waiter
from bot.store.schema import pings, seat_queue, tables
from bot.store.schema.columns import MICROSECOND

# NULL for a person who is asked: then the time to answer counts
UNASKED_SINCE: Final = case((seat_queue.c.asked_at.is_(None), seat_queue.c.since))

LINE: Final = (
    select(seat_queue)
    .where(seat_queue.c.table_id == bindparam("of_table"))
    .order_by(seat_queue.c.since, seat_queue.c.user)
)


async def _of_table(connection: AsyncConnection, table: TableId) -> tuple[Waiter, ...]:
    """Read the people in line at a table, the first in front."""
    return tuple(Waiter(**row) for row in (await connection.execute(LINE, {"of_table": table})).mappings())


async def _asked(connection: AsyncConnection, table: TableId, now: datetime) -> tuple[Waiter, ...]:
    """Read the people asked to take a seat of a table, whose time to answer has not passed."""
    line = await _of_table(connection, table)
    return tuple(waiter for waiter in line if waiter.asked_at is not None and now < waiter.until)


async def _join(connection: AsyncConnection, table: TableId, user: UserId, now: datetime) -> int:
    """Write a person's place in line, in place of one at another table.

    Return the place, from 1.
    """
    others = [waiter.user for waiter in await _of_table(connection, table)]
    if user in others:
        return 1 + others.index(user)
    await connection.execute(delete(seat_queue).filter_by(user=user))
    await connection.execute(insert(seat_queue).values(asdict(Waiter(user, table, now))))
    return 1 + len(others)


async def _leave(connection: AsyncConnection, table: TableId, user: UserId) -> None:
    """Delete a person's place in line at a table."""
    await connection.execute(delete(seat_queue).filter_by(table_id=table, user=user))


async def _ask(
    connection: AsyncConnection,
    table: TableId,
    *,
    gone: Collection[UserId],
    waiting: Collection[UserId],
    asked: Mapping[UserId, int],
    now: datetime,
) -> tuple[PendingEffect, ...]:
    """Write the next state of a line, and the calls of the people asked now.

    gone: without a place any more. waiting: no longer asked, as the seat is taken. asked: the seat of each person.
    """
    here = seat_queue.c.table_id == table
    await connection.execute(delete(seat_queue).where(here, seat_queue.c.user.in_(gone)))
    back = update(seat_queue).where(here, seat_queue.c.user.in_(waiting))
    await connection.execute(back.values(asked_at=None, seat=None))
    guild, calls = select(tables.c.guild).where(tables.c.id == table), list[PendingEffect]()
    for user, seat in asked.items():
        first = update(seat_queue).where(here, seat_queue.c.user == user, seat_queue.c.asked_at.is_(None))
        if (await connection.execute(first.values(asked_at=now, seat=seat))).rowcount:
            calls.append(
                pending_effect(SeatCall(user, seat), (await connection.execute(guild)).scalar_one(), table, now)
            )
    await outbox.add(connection, calls)
    return tuple(calls)


async def _move(connection: AsyncConnection, table: TableId, to: TableId) -> None:
    """Move the line of a table to its rematch.

    People asked about a seat of the old match wait again.
    """
    moved = update(seat_queue).filter_by(table_id=table)
    await connection.execute(moved.values(table_id=to, asked_at=None, seat=None))


async def _end(connection: AsyncConnection, table: TableId) -> None:
    """Delete the line of a table."""
    await connection.execute(delete(seat_queue).filter_by(table_id=table))


@lru_cache(maxsize=64)
def _due_of(share: Share) -> Select[Any]:
    """Return the query for tables with a player waiting, or asked, since its parameters."""
    waiting: BindParameter[datetime] = bindparam("waiting_since", type_=seat_queue.c.since.type)
    asked: BindParameter[datetime] = bindparam("asked_since")
    over = or_(waiting >= UNASKED_SINCE, seat_queue.c.asked_at <= asked)
    return select(seat_queue.c.table_id).where(over, table_in_share(share, seat_queue.c.table_id)).distinct()


async def _due(connection: AsyncConnection, share: Share, now: datetime) -> tuple[TableId, ...]:
    """Read the tables with an expired place in line, or an expired question."""
    since = {"waiting_since": now - WAIT_LIMIT, "asked_since": now - ANSWER_LIMIT}
    return tuple((await connection.execute(_due_of(share), since)).scalars())


@lru_cache(maxsize=64)
def _next_due_of(share: Share) -> Select[Any]:
    """Return the query for the earliest time since which anyone waits unasked, or is asked."""
    earliest = select(func.min(UNASKED_SINCE), func.min(seat_queue.c.asked_at))
    return earliest.where(table_in_share(share, seat_queue.c.table_id))


async def _next_due(connection: AsyncConnection, share: Share) -> datetime | None:
    """Read the time at which the next place in line, or question, expires."""
    since, asked_at = (await connection.execute(_next_due_of(share))).one()
    ends = (since and since + WAIT_LIMIT, asked_at and asked_at + ANSWER_LIMIT)
    return min(filter(None, ends), default=None)


@lru_cache(maxsize=64)
def _open_questions_of(shards: Share) -> CompoundSelect[Any]:
    """Return the query for the tables with a question to a person in line, or a ping of one."""
    asked = select(seat_queue.c.table_id).where(
        seat_queue.c.asked_at.is_not(None), table_in_share(shards, seat_queue.c.table_id)
    )
    pinged = select(pings.c.table_id).where(pings.c.user == SEAT_PING, table_in_share(shards, pings.c.table_id))
    return union(asked, pinged)


async def _open_questions(connection: AsyncConnection, shards: Share) -> tuple[TableId, ...]:
    """Read the tables of these shards with a question to a person in line, or a ping of one."""
    return tuple((await connection.execute(_open_questions_of(shards))).scalars())


@lru_cache(maxsize=64)
def _lobbies_of(shards: Share) -> Select[Any]:
    """Return the query for the lobbies of these shards."""
    return select(tables.c.id).where(tables.c.phase == "lobby", server_in_share(shards, tables.c.guild))


async def _lobbies(connection: AsyncConnection, shards: Share) -> tuple[TableId, ...]:
    """Read the lobbies of these shards."""
    return tuple((await connection.execute(_lobbies_of(shards))).scalars())


async def shift(connection: AsyncConnection, by: timedelta, which: ColumnElement[bool]) -> None:
    """Move the times of people in line after an outage, or a backward clock change.

    which: the tables.
    """
    of_tables = seat_queue.c.table_id.in_(select(tables.c.id).where(which))
    for column in (seat_queue.c.since, seat_queue.c.asked_at):
        moved = {column.name: type_coerce(column, BigInteger) + by // MICROSECOND}
        await connection.execute(update(seat_queue).where(of_tables, column.is_not(None)).values(moved))


class SeatQueueRepository(Repository):
    """The lines for a seat."""

    of_table = read(_of_table)
    asked = read(_asked)
    join = write(_join)
    leave = write(_leave)
    ask = write(_ask)
    move = write(_move)
    end = write(_end)
    due = read_share(_due)
    next_due = read_share(_next_due)
    open_questions = read(_open_questions)
    lobbies = read(_lobbies)
