"""The transfer of a shard between two live processes: the receiver connects first, then the owner gives the shard.

Holds the statements, in transactions of the caller. Until the gift, events and tables of the shard belong to the owner.
"""

from __future__ import annotations

import json

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.cluster.shard_letters import send
from bot.store.errors import StoreError
from bot.store.postgres.processes import clock, processes, shards

NOT_GIVEN = "Shard {shard} is not given: nobody waits for it any more."


async def claim(connection: AsyncConnection, me: int, shard: int) -> bool:
    """Claim a shard of another process; return False for an own shard, and for one with a live claim."""
    there = select(processes.c.id)
    nobody = or_(shards.c.wanted.is_(None), shards.c.wanted.not_in(there))
    claimed = update(shards).where(shards.c.shard == shard, shards.c.process != me, nobody).values(wanted=me)
    return (await connection.execute(claimed)).rowcount == 1


async def give(connection: AsyncConnection, me: int, shard: int, to: int, letter: object) -> None:
    """Give a shard to another process, with a letter. Raises StoreError after a withdrawn claim.

    The receiver's next transactions read the row written here, so they follow every transaction of the giver.
    """
    given = update(shards).filter_by(shard=shard, process=me, wanted=to)
    if (await connection.execute(given.values(process=to, wanted=None, since=clock))).rowcount != 1:
        raise StoreError(NOT_GIVEN.format(shard=shard))
    there = update(processes).filter_by(id=to).values(taken=processes.c.taken + 1)
    if (await connection.execute(there)).rowcount != 1:
        raise StoreError(NOT_GIVEN.format(shard=shard))  # the receiver has stopped: the shard would stay ownerless
    await send(connection, shard, json.dumps(letter))


async def leave(connection: AsyncConnection, me: int) -> None:
    """Announce that a process wants no shards, so that other processes claim its shards."""
    await connection.execute(update(processes).filter_by(id=me).values(leaving=True))
