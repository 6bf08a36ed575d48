"""People: their preferences and habits, private channels, and relations to others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BindParameter, Row, Select, and_, bindparam, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import PendingEffect
from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.preferences import BlockState, Preferences
from bot.domain.working_hours import Hours, Vacation, WorkSchedule
from bot.store.engine.deletion_ledger import DeletionLedger
from bot.store.engine.gate import Gate
from bot.store.engine.repository import Repository, read, upsert, write
from bot.store.errors import LimitReached
from bot.store.repositories import outbox
from bot.store.rows import DirectChannel, PrivateThread, TableWait
from bot.store.schema import (
    apart,
    chairs,
    declined,
    directs,
    habits,
    hours,
    lessons,
    outages,
    own_threads,
    tables,
    turns,
    vacations,
    waits,
)
from bot.store.schema import invited as calls

OUTAGES = select(outages.c.since, outages.c.until).order_by(outages.c.since)
of_users: BindParameter[Any] = bindparam("users", expanding=True)
HOURS = select(hours).where(hours.c.user.in_(of_users)).order_by(*hours.primary_key.columns)
VACATIONS = select(vacations).where(vacations.c.user.in_(of_users)).order_by(*vacations.primary_key.columns)
SHARING = select(habits.c.user).where(habits.c.user.in_(of_users), habits.c.shares_day)
HABITS = select(habits).where(habits.c.user == bindparam("of_user"))


async def _work_schedules(connection: AsyncConnection, users: Collection[UserId]) -> Mapping[UserId, WorkSchedule]:
    """Read the working hours and vacations of people."""
    away = tuple((row.since, row.until) for row in await connection.execute(OUTAGES))
    theirs = await _rows(connection, HOURS, users)
    free = await _rows(connection, VACATIONS, users)
    shared = {row.user for row in await _rows(connection, SHARING, users)}
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


async def _rows(connection: AsyncConnection, query: Select[Any], users: Collection[UserId]) -> list[Row[Any]]:
    """Read the rows of people, in the order of a query with the parameter ``users``."""
    return list((await connection.execute(query, {"users": list(users)})).all())


def _hours(row: Row[Any]) -> Hours:
    return Hours(row.since, row.zone, bed=row.bed, night=row.night, off=tuple(map(int, row.off)))


def _row(known: Hours) -> dict[str, Any]:
    off = "".join(map(str, known.off))
    return {"since": known.since, "zone": known.zone, "bed": known.bed, "night": known.night, "off": off}


def _free(away: Vacation) -> dict[str, Any]:
    return {"first": away.first, "last": away.last}


async def _preferences(connection: AsyncConnection, user: UserId) -> Preferences:
    """Read a person's settings, or the defaults."""
    row = (await connection.execute(HABITS, {"of_user": user})).first()
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

    preferences = read(_preferences)
    save_preferences = write(_keep_habits)
    work_schedules = read(_work_schedules)
    save_working_hours = write(_keep_day)
    direct = read(_direct)
    keep_direct = write(_keep_direct)
    forget_direct = write(_forget_direct)


async def _of_person(connection: AsyncConnection, user: UserId) -> Mapping[ChannelId, ChannelId]:
    """Read the private threads of a user, by parent channel."""
    query = select(own_threads.c.channel, own_threads.c.thread).filter_by(user=user)
    return {row.channel: row.thread for row in await connection.execute(query)}


async def _under(connection: AsyncConnection, channel: ChannelId) -> frozenset[ChannelId]:
    """Read the private threads of every user under a channel."""
    query = select(own_threads.c.thread).where(own_threads.c.channel == channel)
    return frozenset((await connection.execute(query)).scalars())


async def _at_table(connection: AsyncConnection, table: TableId, under: ChannelId) -> tuple[ChannelId, ...]:
    """Read the private threads under a channel of the users a table waits for."""
    waited = select(turns.c.user).where(turns.c.table_id == table)
    query = select(own_threads.c.thread).where(own_threads.c.channel == under, own_threads.c.user.in_(waited))
    return tuple((await connection.execute(query)).scalars())


async def _keep(connection: AsyncConnection, own: PrivateThread) -> None:
    """Write a person's private thread under a channel, replacing an earlier one."""
    key = {"user": own.user, "channel": own.channel}
    await upsert(connection, own_threads, key, {"thread": own.thread, "guild": own.guild})


async def _forget(connection: AsyncConnection, user: UserId, channel: ChannelId) -> None:
    """Delete the private thread of a person under a channel."""
    await connection.execute(delete(own_threads).filter_by(user=user, channel=channel))


class PrivateThreadRepository(Repository):
    """Private threads of people under channels."""

    of_person = read(_of_person)
    under = read(_under)
    at_table = read(_at_table)
    keep = write(_keep)
    forget = write(_forget)


MAX_BLOCKS = 50  # the maximum number of blocks per user
INVITATION_RETENTION = timedelta(days=14)  # the retention of invitations, longer than a lobby stays open


async def _block(connection: AsyncConnection, user: UserId, other: str) -> bool:
    """Write a block of a user against a mark, or delete the block; return False then.

    Raises LimitReached.
    """
    deleted = await connection.execute(delete(apart).filter_by(user=user, other=other))
    if deleted.rowcount:
        return False
    if await _count_blocks(connection, user) >= MAX_BLOCKS:
        raise LimitReached
    await connection.execute(insert(apart).values(user=user, other=other))
    return True


async def _count_blocks(connection: AsyncConnection, user: UserId) -> int:
    """Count the blocks of a user."""
    return (await connection.execute(select(func.count()).select_from(apart).filter_by(user=user))).scalar_one()


OWN_BLOCKS = select(func.count()).where(
    apart.c.user == bindparam("of_user"), apart.c.other.in_(bindparam("marks", expanding=True))
)
THEIR_BLOCKS = select(func.count()).where(apart.c.user.in_(of_users), apart.c.other == bindparam("of_mark"))


async def _apart_from(
    connection: AsyncConnection, user: UserId, mark: str, others: Collection[UserId], marks: Sequence[str]
) -> BlockState:
    """Read the direction of a block between a user and other users."""
    if (await connection.execute(OWN_BLOCKS, {"of_user": user, "marks": list(marks)})).scalar_one():
        return "own"
    theirs = (await connection.execute(THEIR_BLOCKS, {"users": list(others), "of_mark": mark})).scalar_one()
    return "theirs" if theirs else "no"


async def _wait(connection: AsyncConnection, wanted: TableWait, now: datetime) -> None:
    """Write a user's wait for a table in a channel, replacing an earlier one."""
    await connection.execute(delete(waits).where(waits.c.until <= now))
    await _stop_waiting(connection, wanted.user, wanted.channel)
    await connection.execute(insert(waits).values(asdict(wanted)))


async def _stop_waiting(connection: AsyncConnection, user: UserId, channel: ChannelId) -> None:
    """Delete a user's wait for a table in a channel."""
    await connection.execute(delete(waits).filter_by(user=user, channel=channel))


called = and_(waits.c.channel == bindparam("of_channel"), waits.c.game.in_(bindparam("games", expanding=True)))
WAITING = select(waits.c.user).where(called, waits.c.until > bindparam("now"))
DROP_WAITS = delete(waits).where(called)


async def _call_waiting(
    connection: AsyncConnection,
    channel: ChannelId,
    game: str,
    now: datetime,
    call: Callable[[tuple[UserId, ...]], PendingEffect],
) -> tuple[PendingEffect, ...]:
    """Delete the waits for a table of a game in a channel, and write their users' call.

    The call is written only if a wait has not expired.
    """
    which = {"of_channel": channel, "games": ["", game]}
    found = (await connection.execute(WAITING, which | {"now": now})).scalars().all()
    await connection.execute(DROP_WAITS, which)
    calls_them = (call(tuple(found)),) if found else ()
    await outbox.add(connection, calls_them)
    return calls_them


LESSON = select(lessons).where(
    lessons.c.user == bindparam("of_user"),
    lessons.c.guild == bindparam("of_guild"),
    lessons.c.game == bindparam("of_game"),
)
ADD_LESSON = insert(lessons)
PLAYED = (
    select(chairs.c.seat)
    .join(tables, tables.c.id == chairs.c.table_id)
    .where(
        chairs.c.user == bindparam("of_user"),
        tables.c.guild == bindparam("of_guild"),
        tables.c.game == bindparam("of_game"),
        tables.c.phase.in_(("playing", "over")),
    )
    .limit(1)
)


async def _offer_lesson(connection: AsyncConnection, user: UserId, guild: GuildId, game: str) -> bool:
    """Write that a user is offered a lesson.

    Return whether the user is new to the game on this server.
    """
    key = {"of_user": user, "of_guild": guild, "of_game": game}
    if (await connection.execute(LESSON, key)).first() is not None:
        return False
    await connection.execute(ADD_LESSON, {"user": user, "guild": guild, "game": game})
    return (await connection.execute(PLAYED, key)).first() is None


async def _invited(connection: AsyncConnection, table: TableId) -> bool:
    """Return whether users have been invited to a lobby."""
    return (await connection.execute(select(calls.c.user).filter_by(table_id=table).limit(1))).first() is not None


async def _add_invited(
    connection: AsyncConnection,
    table: TableId,
    users: Collection[UserId],
    by: UserId,
    at: datetime,
    effects: Iterable[PendingEffect] = (),
) -> bool:
    """Write the invitations to a lobby, unless users were invited before; return False then.

    Delete old invitations. by: the inviter, 0 for a role. effects: the messages of the invitation.
    """
    await connection.execute(delete(calls).where(calls.c.at < at - INVITATION_RETENTION))
    if await _invited(connection, table):
        return False
    await connection.execute(insert(calls), [{"table_id": table, "user": user, "by": by, "at": at} for user in users])
    await outbox.add(connection, effects)
    return True


async def _is_invited(connection: AsyncConnection, table: TableId, user: UserId) -> bool:
    """Return whether a user has been invited to a lobby by name."""
    return (await connection.execute(select(calls.c.user).filter_by(table_id=table, user=user))).first() is not None


async def _decline(connection: AsyncConnection, table: TableId, user: UserId, at: datetime) -> None:
    """Write that a user does not come to a lobby. Delete old rows of this kind."""
    await connection.execute(delete(declined).where(declined.c.at < at - INVITATION_RETENTION))
    await upsert(connection, declined, {"table_id": table, "user": user}, {"at": at})


DECLINED = select(declined.c.user).where(declined.c.table_id == bindparam("of_table"))


async def _declined(connection: AsyncConnection, table: TableId) -> frozenset[UserId]:
    """Read the users who do not come to a lobby."""
    return frozenset((await connection.execute(DECLINED, {"of_table": table})).scalars())


class SocialRepository(Repository):
    """Relations between players. ledger: provides the marks of blocked people."""

    def __init__(self, gate: Gate, ledger: DeletionLedger) -> None:
        super().__init__(gate)
        self._ledger = ledger

    count_blocks = read(_count_blocks)
    invited = read(_invited)
    is_invited = read(_is_invited)
    add_invited = write(_add_invited)
    decline = write(_decline)
    declined = read(_declined)
    wait = write(_wait)
    stop_waiting = write(_stop_waiting)
    call_waiting = write(_call_waiting)
    offer_lesson = write(_offer_lesson)

    async def toggle_block(self, user: UserId, other: UserId) -> bool:
        """Add a user's block of another person, or remove the block; return which.

        Raises LimitReached.
        """
        return await self._gate.run(_block, user, self._ledger.mark("person", other))

    async def block_between(self, user: UserId, others: Collection[UserId]) -> BlockState:
        """Return the direction of a block between a user and other users, if any."""
        marks = [self._ledger.mark("person", other) for other in others]
        return await self._gate.read(_apart_from, user, self._ledger.mark("person", user), others, marks)
