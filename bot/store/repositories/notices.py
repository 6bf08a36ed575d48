"""Awaited turns at slow tables and notices to their players."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import BigInteger

from bot.domain.effects import PendingEffect
from bot.domain.ids import ChannelId, MessageId, Share, TableId, UserId
from bot.store.engine.repository import (
    Repository,
    read,
    read_share,
    server_in_share,
    table_in_share,
    write,
    write_share,
)
from bot.store.repositories import outbox
from bot.store.rows import PendingTurn, TurnNotice
from bot.store.schema import notices, own_threads, suspension_notices, tables, turns
from bot.store.schema.columns import MICROSECOND

USERS_PER_BATCH = 50  # the number of users per batch, so that other work does not wait
NOTICE_RETENTION = timedelta(days=2)  # the retention of notices with a deleted message
OF_TABLE = ("guild", "home")  # columns of the table
TURNS = select(turns, *(tables.c[name] for name in OF_TABLE)).join(tables, tables.c.id == turns.c.table_id)
TURNS_AT = TURNS.where(turns.c.table_id == bindparam("of_table")).order_by(turns.c.user)
TURNS_OF = TURNS.where(turns.c.user == bindparam("of_user")).order_by(turns.c.table_id)
NEXT = select(func.min(turns.c.look))
OUTDATED = select(notices.c.user).where(notices.c.over, ~notices.c.gone).distinct()
DROP_OLD = delete(notices).where(notices.c.gone, notices.c.at < bindparam("before"))
FORGET_SUSPENSION = delete(suspension_notices).where(suspension_notices.c.table_id == bindparam("of_table"))


async def _turns_at(connection: AsyncConnection, table: TableId) -> tuple[PendingTurn, ...]:
    """Read the pending turns at a table."""
    return _turns((await connection.execute(TURNS_AT, {"of_table": table})).all())


async def _turns_of(connection: AsyncConnection, user: UserId) -> tuple[PendingTurn, ...]:
    """Read the pending turns of a user."""
    return _turns((await connection.execute(TURNS_OF, {"of_user": user})).all())


@lru_cache(maxsize=64)
def _turns_in(share: Share) -> Select[Any]:
    """Return the query for a user's pending turns at the tables of a share."""
    return TURNS_OF.where(server_in_share(share, tables.c.guild))


async def _turns_here(connection: AsyncConnection, share: Share, user: UserId) -> tuple[PendingTurn, ...]:
    """Read a user's pending turns at the tables of a process."""
    return _turns((await connection.execute(_turns_in(share), {"of_user": user})).all())


def _turns(rows: Iterable[Row[Any]]) -> tuple[PendingTurn, ...]:
    return tuple(PendingTurn(**{field.name: getattr(row, field.name) for field in fields(PendingTurn)}) for row in rows)


async def _change_turns(
    connection: AsyncConnection,
    table: TableId,
    ended: Collection[UserId],
    begun: Collection[PendingTurn],
    next_check: datetime,
    under: ChannelId,
) -> None:
    """Write the ended and the new or changed turns at a table.

    Notices of ended turns become outdated. next_check: the time of the next notice check. under: the channel of the
    table, or of its thread.
    """
    for user in ended:
        over = delete(turns).filter_by(table_id=table, user=user).returning(turns.c.told)
        if (await connection.execute(over)).scalar() is not None:
            home = select(tables.c.home).where(tables.c.id == table).scalar_subquery()
            own = select(own_threads.c.thread).filter_by(user=user, channel=under).scalar_subquery()
            there = or_(notices.c.guild.is_(None), notices.c.channel == home, notices.c.channel == own)
            await connection.execute(update(notices).where(notices.c.user == user, there).values(over=True))
    for turn in begun:
        key = {"table_id": table, "user": turn.user}
        written = {name: value for name, value in asdict(turn).items() if name not in OF_TABLE} | {"look": next_check}
        if (await connection.execute(update(turns).filter_by(**key).values(**written))).rowcount == 0:
            await connection.execute(insert(turns).values(**written))
    concerned = {*ended, *(turn.user for turn in begun)}
    await connection.execute(update(turns).where(turns.c.user.in_(concerned)).values(look=next_check))


@lru_cache(maxsize=64)
def _due_of(share: Share) -> Select[Any]:
    """Return the query for a share's users with a due notice check, the earliest first."""
    now: BindParameter[datetime] = bindparam("now")
    due = select(turns.c.user).where(turns.c.look <= now, table_in_share(share, turns.c.table_id))
    return due.group_by(turns.c.user).order_by(func.min(turns.c.look)).limit(USERS_PER_BATCH)


async def _take_due(connection: AsyncConnection, share: Share, now: datetime, again: datetime) -> tuple[UserId, ...]:
    """Read the users who are due for a notice check, at most USERS_PER_BATCH.

    again: the time of the next check, should this check fail.
    """
    users = (await connection.execute(_due_of(share), {"now": now})).scalars().all()
    if users:
        due = and_(turns.c.user.in_(users), turns.c.look <= now, table_in_share(share, turns.c.table_id))
        await connection.execute(update(turns).where(due).values(look=again))
    return tuple(users)


@lru_cache(maxsize=64)
def _next_look_of(share: Share) -> Select[Any]:
    """Return the query for the next time at which a player of a share may need a notice."""
    return NEXT.where(table_in_share(share, turns.c.table_id))


async def _next_look(connection: AsyncConnection, share: Share) -> datetime | None:
    """Read the next time at which a player may need a notice."""
    found: datetime | None = (await connection.execute(_next_look_of(share))).scalar()
    return found


@lru_cache(maxsize=64)
def _schedule_of(share: Share) -> Update:
    """Return the change of a user's next notice check in a share."""
    return update(turns).where(turns.c.user == bindparam("of_user"), table_in_share(share, turns.c.table_id))


async def _look(connection: AsyncConnection, share: Share, user: UserId, at: datetime | None) -> None:
    """Write the time of the next notice check for a user."""
    await connection.execute(_schedule_of(share), {"of_user": user, "look": at})


async def _note(
    connection: AsyncConnection,
    user: UserId,
    now: datetime,
    told: Collection[TableId],
    reminded: Collection[TableId] = (),
    sent: TurnNotice | None = None,
    key: str = "",
) -> None:
    """Write that a user has been notified of tables.

    reminded: tables close to their deadline. sent: the new notice. key: of the message in the outbox, "" for none.
    """
    own = turns.c.user == user
    fresh = and_(own, turns.c.table_id.in_(told), turns.c.told.is_(None))
    await connection.execute(update(turns).where(fresh).values(told=now))
    await connection.execute(update(turns).where(own, turns.c.table_id.in_(reminded)).values(reminded=True))
    if sent is not None:
        await connection.execute(insert(notices).values(asdict(sent)))
        await outbox.end(connection, key)


async def _told_of_suspension(connection: AsyncConnection, table: TableId) -> frozenset[UserId]:
    """Read the users who were notified of a table's suspension."""
    query = select(suspension_notices.c.user).where(suspension_notices.c.table_id == table)
    return frozenset((await connection.execute(query)).scalars())


async def _note_suspension(connection: AsyncConnection, table: TableId, user: UserId, key: str) -> None:
    """Write that a player was notified of a table's suspension.

    key: of the message in the outbox.
    """
    row = {"table_id": table, "user": user}
    if (await connection.execute(select(suspension_notices).filter_by(**row))).first() is None:
        await connection.execute(insert(suspension_notices).values(**row))
    await outbox.end(connection, key)


async def forget_suspension(connection: AsyncConnection, table: TableId) -> None:
    """Delete the suspension notices of a table, so the next suspension is notified again."""
    await connection.execute(FORGET_SUSPENSION, {"of_table": table})


async def _notices_of(connection: AsyncConnection, user: UserId) -> tuple[TurnNotice, ...]:
    """Read the recent notices to a user, the latest first."""
    query = select(notices).where(notices.c.user == user).order_by(notices.c.at.desc(), notices.c.message.desc())
    return tuple(TurnNotice(**row) for row in (await connection.execute(query)).mappings())


async def _notices_in(connection: AsyncConnection, channel: ChannelId, since: datetime) -> tuple[datetime, ...]:
    """Read the times of notices in a channel."""
    query = select(notices.c.at).where(notices.c.channel == channel, notices.c.at > since).order_by(notices.c.at)
    return tuple((await connection.execute(query)).scalars())


async def _notices_standing(connection: AsyncConnection, channel: ChannelId) -> frozenset[MessageId]:
    """Read the notices in a channel whose messages still exist."""
    query = select(notices.c.message).where(notices.c.channel == channel, ~notices.c.gone)
    return frozenset((await connection.execute(query)).scalars())


async def _over(connection: AsyncConnection) -> tuple[UserId, ...]:
    """Read the users with a notice that is outdated and not deleted yet."""
    return tuple((await connection.execute(OUTDATED)).scalars())


async def _end_notice(connection: AsyncConnection, notice: TurnNotice, deletion: PendingEffect) -> None:
    """Write that a notice has ended, and the deletion of the message."""
    key = {"user": notice.user, "channel": notice.channel, "message": notice.message}
    await connection.execute(update(notices).filter_by(**key).values(over=True, gone=True))
    await outbox.add(connection, [deletion])


async def _end_old(connection: AsyncConnection, now: datetime) -> None:
    """Delete old notices with a deleted message."""
    await connection.execute(DROP_OLD, {"before": now - NOTICE_RETENTION})


async def set_back(connection: AsyncConnection, by: timedelta) -> None:
    """Move all times back after a clock change. by: negative."""
    for table, names in ((turns, ("since", "ready", "remind", "ends", "told", "look")), (notices, ("at",))):
        moved = {name: type_coerce(table.c[name], BigInteger) + by // MICROSECOND for name in names}
        await connection.execute(update(table).values(moved))


class NoticeRepository(Repository):
    """Turns at slow tables, notices to their players, and notices of suspended tables."""

    turns_of_table = read(_turns_at)
    turns_of_player = read(_turns_of)
    own_turns_of_player = read_share(_turns_here)
    change_turns = write(_change_turns)
    take_due = write_share(_take_due)
    next_check = read_share(_next_look)
    schedule_check = write_share(_look)
    note_notified = write(_note)
    notified_of_suspension = read(_told_of_suspension)
    note_suspension = write(_note_suspension)
    of_person = read(_notices_of)
    times_in = read(_notices_in)
    standing_in = read(_notices_standing)
    delete_old = write(_end_old)
    players_with_outdated = read(_over)
    end = write(_end_notice)
