"""Messages between processes that share shards, and the transfer of a shard."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Identity,
    Index,
    Integer,
    Table,
    Text,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.errors import StoreError
from bot.store.postgres.processes import clock, metadata, processes, shards

CHANNEL: Final = "bigger_handed"  # the channel of the notifications
MESSAGE_LIFETIME: Final = timedelta(minutes=1)

messages = Table(
    "handed",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("shard", Integer, nullable=False),
    Column("what", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Index(None, "shard"),
)


async def send(connection: AsyncConnection, shard: int, message: str) -> None:
    """Write a message to the owner of a shard, and notify the owner."""
    await connection.execute(insert(messages).values(shard=shard, what=message, at=clock))
    await connection.execute(select(func.pg_notify(CHANNEL, str(shard))))


async def send_to_others(connection: AsyncConnection, me: int, message: str) -> None:
    """Write a message to every other process with a shard, and notify each."""
    theirs = select(func.min(shards.c.shard)).where(shards.c.process != me).group_by(shards.c.process)
    for shard in (await connection.execute(theirs)).scalars().all():
        await send(connection, shard, message)


async def receive(connection: AsyncConnection, me: int, held: Collection[int]) -> tuple[str, ...]:
    """Take the messages to a process, in order; messages past their time are deleted.

    held: the shards that this process believes to own. The database is checked too: another process may own one of
    them.
    """
    await connection.execute(delete(messages).where(messages.c.at < clock - MESSAGE_LIFETIME))
    own = select(shards.c.shard).where(shards.c.process == me, shards.c.shard.in_(held))
    mine = delete(messages).where(messages.c.shard.in_(own)).returning(messages.c.id, messages.c.what)
    return tuple(row.what for row in sorted((await connection.execute(mine)).all(), key=lambda row: int(row.id)))


NOT_GIVEN = "Shard {shard} is not given: nobody waits for it any more."


async def claim_shard(connection: AsyncConnection, me: int, shard: int) -> bool:
    """Claim a shard of another process.

    Return False for an own shard, and for one with a live claim.
    """
    there = select(processes.c.id)
    nobody = or_(shards.c.wanted.is_(None), shards.c.wanted.not_in(there))
    claimed = update(shards).where(shards.c.shard == shard, shards.c.process != me, nobody).values(wanted=me)
    return (await connection.execute(claimed)).rowcount == 1


async def give_shard(connection: AsyncConnection, me: int, shard: int, to: int, message: object) -> None:
    """Give a shard to another process, with a message.

    Raises StoreError after a withdrawn claim. The receiver's next transactions read the row written here, so they
    follow every transaction of the giver.
    """
    given = update(shards).filter_by(shard=shard, process=me, wanted=to)
    if (await connection.execute(given.values(process=to, wanted=None, since=clock))).rowcount != 1:
        raise StoreError(NOT_GIVEN.format(shard=shard))
    there = update(processes).filter_by(id=to).values(taken=processes.c.taken + 1)
    if (await connection.execute(there)).rowcount != 1:
        raise StoreError(NOT_GIVEN.format(shard=shard))  # the receiver has stopped: the shard would stay ownerless
    await send(connection, shard, json.dumps(message))


async def announce_leaving(connection: AsyncConnection, me: int) -> None:
    """Announce that a process gives up its shards, so that other processes claim them."""
    await connection.execute(update(processes).filter_by(id=me).values(leaving=True))
