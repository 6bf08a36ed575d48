"""Private threads under a channel, which notify players of their turns in place of direct messages."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import ChannelId, TableId, UserId
from bot.store.engine.repository import Repository, read, write
from bot.store.engine.upsert import upsert
from bot.store.rows import PrivateThread
from bot.store.schema import own_threads, turns


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
