"""What one process hands to another: something that arrived here and is for whoever has another shard.

Knows that it is kept for a minute at most, and goes when it is taken: it holds what gives a right to answer. Refuses to
know what it is, and transactions, which are its caller's.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from sqlalchemy import BigInteger, Column, DateTime, Identity, Index, Integer, Table, Text, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.postgres.processes import clock, metadata, shards

CHANNEL: Final = "bigger_handed"  # on which others are told that there is something
KEPT: Final = timedelta(minutes=1)

handed = Table(
    "handed",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("shard", Integer, nullable=False),
    Column("what", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Index(None, "shard"),
)


async def hand(connection: AsyncConnection, shard: int, what: str) -> None:
    """Hand something to whoever has a shard, and tell them."""
    await connection.execute(insert(handed).values(shard=shard, what=what, at=clock))
    await connection.execute(select(func.pg_notify(CHANNEL, str(shard))))


async def hand_others(connection: AsyncConnection, me: int, what: str) -> None:
    """Hand something to every other process that has a shard, and tell them."""
    theirs = select(func.min(shards.c.shard)).where(shards.c.process != me).group_by(shards.c.process)
    for shard in (await connection.execute(theirs)).scalars().all():
        await hand(connection, shard, what)


async def take(connection: AsyncConnection, me: int, held: Collection[int]) -> tuple[str, ...]:
    """Take what is handed to a process, in its order; what nobody has taken in time goes.

    held: the shards that it believes to have. One of them may be another's by now.
    """
    await connection.execute(delete(handed).where(handed.c.at < clock - KEPT))
    own = select(shards.c.shard).where(shards.c.process == me, shards.c.shard.in_(held))
    mine = delete(handed).where(handed.c.shard.in_(own)).returning(handed.c.id, handed.c.what)
    return tuple(row.what for row in sorted((await connection.execute(mine)).all(), key=lambda row: int(row.id)))
