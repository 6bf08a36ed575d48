"""The spectators of tables, and their news."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import Occasion, PendingEffect, WatcherCall, pending_effect
from bot.domain.ids import TableId, UserId
from bot.store.engine.repository import Repository, read, write
from bot.store.errors import LimitReached
from bot.store.repositories import outbox
from bot.store.rows import Watcher
from bot.store.schema import tables, watchers

MAX_SPECTATORS = 25  # the maximum number of spectators per table: one message can mention them


async def _watch(connection: AsyncConnection, watcher: Watcher) -> None:
    """Write that a user watches a table, unless known. Raises LimitReached."""
    there = {each.user for each in await _watchers_of(connection, watcher.table_id)}
    if watcher.user in there:
        return
    if len(there) >= MAX_SPECTATORS:
        raise LimitReached
    await connection.execute(insert(watchers).values(asdict(watcher)))


async def _unwatch(connection: AsyncConnection, table: TableId, user: UserId) -> None:
    """Delete a spectator of a table."""
    await connection.execute(delete(watchers).filter_by(table_id=table, user=user))


WATCHERS = select(watchers).where(watchers.c.table_id == bindparam("of_table")).order_by(watchers.c.user)


async def _watchers_of(connection: AsyncConnection, table: TableId) -> tuple[Watcher, ...]:
    """Read the spectators of a table."""
    rows = await connection.execute(WATCHERS, {"of_table": table})
    return tuple(Watcher(**row) for row in rows.mappings())


async def _note_notified(
    connection: AsyncConnection,
    table: TableId,
    users: Collection[UserId],
    hands: int,
    at: datetime | None,
    occasion: Occasion | None,
) -> tuple[PendingEffect, ...]:
    """Write how many hands these spectators know, and the call of those still watching.

    at: the time of the call. occasion: its reason; None without a call.
    """
    which = and_(watchers.c.table_id == table, watchers.c.user.in_(users))
    found = (await connection.execute(select(watchers.c.user).where(which))).scalars().all()
    await connection.execute(update(watchers).where(which).values(hands=hands, seat=False))
    if at is None:
        return ()
    await connection.execute(update(watchers).where(which).values(told=at))
    return await _call(connection, table, found, at, occasion)


async def _expect_seat(connection: AsyncConnection, table: TableId, users: Collection[UserId]) -> None:
    """Write that these spectators of a table wait for a free seat again."""
    which = and_(watchers.c.table_id == table, watchers.c.user.in_(users))
    await connection.execute(update(watchers).where(which).values(seat=True))


async def _end_watch(
    connection: AsyncConnection, table: TableId, now: datetime, occasion: Occasion | None
) -> tuple[PendingEffect, ...]:
    """Delete the spectators of a table, and write their call.

    occasion: its reason; None without a call.
    """
    which = watchers.c.table_id == table
    found = (await connection.execute(select(watchers.c.user).where(which))).scalars().all()
    await connection.execute(delete(watchers).where(which))
    return await _call(connection, table, found, now, occasion)


async def _call(
    connection: AsyncConnection, table: TableId, users: Sequence[UserId], at: datetime, occasion: Occasion | None
) -> tuple[PendingEffect, ...]:
    """Write the call of spectators of a table."""
    if occasion is None or not users:
        return ()
    guild = (await connection.execute(select(tables.c.guild).where(tables.c.id == table))).scalar_one()
    call = pending_effect(WatcherCall(occasion, tuple(users)), guild, table, at)
    await outbox.add(connection, [call])
    return (call,)


class WatcherRepository(Repository):
    """The spectators of tables."""

    watch = write(_watch)
    unwatch = write(_unwatch)
    of_table = read(_watchers_of)
    note_notified = write(_note_notified)
    end = write(_end_watch)
    expect_seat = write(_expect_seat)
