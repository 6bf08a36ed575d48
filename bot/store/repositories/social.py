"""Relations between players: blocks, invitations, waits for the next table, and lessons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from sqlalchemy import and_, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import Pending
from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.preferences import BlockState
from bot.store.engine.deletion_ledger import DeletionLedger
from bot.store.engine.gate import Gate
from bot.store.engine.repository import Repository, read, write
from bot.store.errors import LimitReached
from bot.store.repositories import outbox
from bot.store.rows import TableWait
from bot.store.schema import apart, chairs, lessons, tables, waits
from bot.store.schema import invited as calls

MAX_BLOCKS = 50  # the maximum number of blocks per user
INVITATION_RETENTION = timedelta(days=14)  # the retention of invitations, longer than a lobby stays open


async def _keep_apart(connection: AsyncConnection, user: UserId, other: str) -> bool:
    """Write a block of a user against a mark, or delete the block; return False then. Raises LimitReached."""
    deleted = await connection.execute(delete(apart).filter_by(user=user, other=other))
    if deleted.rowcount:
        return False
    if await _kept_apart(connection, user) >= MAX_BLOCKS:
        raise LimitReached
    await connection.execute(insert(apart).values(user=user, other=other))
    return True


async def _kept_apart(connection: AsyncConnection, user: UserId) -> int:
    """Count the blocks of a user."""
    return (await connection.execute(select(func.count()).select_from(apart).filter_by(user=user))).scalar_one()


async def _apart_from(
    connection: AsyncConnection, user: UserId, mark: str, others: Collection[UserId], marks: Sequence[str]
) -> BlockState:
    """Read the direction of a block between a user and other users."""
    own = select(func.count()).where(apart.c.user == user, apart.c.other.in_(marks))
    if (await connection.execute(own)).scalar_one():
        return "own"
    theirs = select(func.count()).where(and_(apart.c.user.in_(others), apart.c.other == mark))
    return "theirs" if (await connection.execute(theirs)).scalar_one() else "no"


async def _wait(connection: AsyncConnection, wanted: TableWait, now: datetime) -> None:
    """Write a user's wait for a table in a channel, replacing an earlier one."""
    await connection.execute(delete(waits).where(waits.c.until <= now))
    await _stop_waiting(connection, wanted.user, wanted.channel)
    await connection.execute(insert(waits).values(asdict(wanted)))


async def _stop_waiting(connection: AsyncConnection, user: UserId, channel: ChannelId) -> None:
    """Delete a user's wait for a table in a channel."""
    await connection.execute(delete(waits).filter_by(user=user, channel=channel))


async def _call_waiting(
    connection: AsyncConnection,
    channel: ChannelId,
    game: str,
    now: datetime,
    call: Callable[[tuple[UserId, ...]], Pending],
) -> tuple[Pending, ...]:
    """Delete the waits for a table of a game in a channel, and write the notification of their users, if any."""
    which = and_(waits.c.channel == channel, waits.c.game.in_(("", game)))
    found = (await connection.execute(select(waits.c.user).where(which, waits.c.until > now))).scalars().all()
    await connection.execute(delete(waits).where(which))
    calls_them = (call(tuple(found)),) if found else ()
    await outbox.add(connection, calls_them)
    return calls_them


async def _offer_lesson(connection: AsyncConnection, user: UserId, guild: GuildId, game: str) -> bool:
    """Write that a user is offered a lesson; return whether the user is new to the game on this server."""
    key = {"user": user, "guild": guild, "game": game}
    if (await connection.execute(select(lessons).filter_by(**key))).first() is not None:
        return False
    await connection.execute(insert(lessons).values(key))
    there = and_(tables.c.guild == guild, tables.c.game == game, tables.c.phase.in_(("playing", "over")))
    played = select(chairs.c.seat).join(tables, tables.c.id == chairs.c.table_id).where(chairs.c.user == user, there)
    return (await connection.execute(played.limit(1))).first() is None


async def _invited(connection: AsyncConnection, table: TableId) -> bool:
    """Return whether users have been invited to a lobby."""
    return (await connection.execute(select(calls.c.user).filter_by(table_id=table).limit(1))).first() is not None


async def _add_invited(
    connection: AsyncConnection,
    table: TableId,
    users: Collection[UserId],
    by: UserId,
    at: datetime,
    effects: Iterable[Pending] = (),
) -> bool:
    """Write the invitations to a lobby, unless users were invited before; return False then. Delete old invitations.

    by: the inviter, 0 for a role. effects: the messages of the invitation.
    """
    await connection.execute(delete(calls).where(calls.c.at < at - INVITATION_RETENTION))
    if await _invited(connection, table):
        return False
    await connection.execute(insert(calls), [{"table_id": table, "user": user, "by": by, "at": at} for user in users])
    await outbox.add(connection, effects)
    return True


class SocialRepository(Repository):
    """Relations between players. ledger: provides the marks of blocked people."""

    def __init__(self, gate: Gate, ledger: DeletionLedger) -> None:
        super().__init__(gate)
        self._ledger = ledger

    count_blocks = read(_kept_apart)
    invited = read(_invited)
    add_invited = write(_add_invited)
    wait = write(_wait)
    stop_waiting = write(_stop_waiting)
    call_waiting = write(_call_waiting)
    offer_lesson = write(_offer_lesson)

    async def toggle_block(self, user: UserId, other: UserId) -> bool:
        """Add a user's block of another person, or remove the block; return which. Raises LimitReached."""
        return await self._gate.run(_keep_apart, user, self._ledger.mark("person", other))

    async def block_between(self, user: UserId, others: Collection[UserId]) -> BlockState:
        """Return the direction of a block between a user and other users, if any."""
        marks = [self._ledger.mark("person", other) for other in others]
        return await self._gate.read(_apart_from, user, self._ledger.mark("person", user), others, marks)
