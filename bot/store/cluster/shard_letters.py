"""Messages between processes: an interaction or event that arrived here but belongs to the owner of another shard.

A message is deleted on receipt, and after a minute at most: it holds a token that permits an answer. Refuses to know
the content. Transactions belong to the caller.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from sqlalchemy import BigInteger, Column, DateTime, Identity, Index, Integer, Table, Text, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.postgres.processes import clock, metadata, shards

CHANNEL: Final = "bigger_handed"  # the channel of the notifications
MESSAGE_LIFETIME: Final = timedelta(minutes=1)

handed = Table(
    "handed",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("shard", Integer, nullable=False),
    Column("what", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Index(None, "shard"),
)


async def send(connection: AsyncConnection, shard: int, what: str) -> None:
    """Write a message to the owner of a shard, and notify the owner."""
    await connection.execute(insert(handed).values(shard=shard, what=what, at=clock))
    await connection.execute(select(func.pg_notify(CHANNEL, str(shard))))


async def send_to_others(connection: AsyncConnection, me: int, what: str) -> None:
    """Write a message to every other process with a shard, and notify each."""
    theirs = select(func.min(shards.c.shard)).where(shards.c.process != me).group_by(shards.c.process)
    for shard in (await connection.execute(theirs)).scalars().all():
        await send(connection, shard, what)


async def receive(connection: AsyncConnection, me: int, held: Collection[int]) -> tuple[str, ...]:
    """Take the messages to a process, in order; messages past their time are deleted.

    held: the shards that this process believes to own. The database is checked too: another process may own one of
    them.
    """
    await connection.execute(delete(handed).where(handed.c.at < clock - MESSAGE_LIFETIME))
    own = select(shards.c.shard).where(shards.c.process == me, shards.c.shard.in_(held))
    mine = delete(handed).where(handed.c.shard.in_(own)).returning(handed.c.id, handed.c.what)
    return tuple(row.what for row in sorted((await connection.execute(mine)).all(), key=lambda row: int(row.id)))
