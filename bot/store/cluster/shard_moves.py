"""How a shard goes from one process to another while both live: the next one connects first, then it is given.

Knows what is written for that, in transactions of its caller's. Until it is given everything belongs to whoever has it.
"""

from __future__ import annotations

import json

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.cluster.shard_letters import hand
from bot.store.errors import StoreError
from bot.store.postgres.processes import clock, processes, shards

NOT_GIVEN = "Shard {shard} is not given: nobody waits for it any more."


async def claim(connection: AsyncConnection, me: int, shard: int) -> bool:
    """Say that a process connects to a shard that another one has; tell whether it may."""
    there = select(processes.c.id)
    nobody = or_(shards.c.wanted.is_(None), shards.c.wanted.not_in(there))
    claimed = update(shards).where(shards.c.shard == shard, shards.c.process != me, nobody).values(wanted=me)
    return (await connection.execute(claimed)).rowcount == 1


async def give(connection: AsyncConnection, me: int, shard: int, to: int, letter: object) -> None:
    """Let another process have a shard, with a letter for it. StoreError where it does not want it any more.

    Whatever is done there next reads the row that is written here: so it comes after all that was done by this process.
    """
    given = update(shards).filter_by(shard=shard, process=me, wanted=to)
    if (await connection.execute(given.values(process=to, wanted=None, since=clock))).rowcount != 1:
        raise StoreError(NOT_GIVEN.format(shard=shard))
    there = update(processes).filter_by(id=to).values(taken=processes.c.taken + 1)
    if (await connection.execute(there)).rowcount != 1:
        raise StoreError(NOT_GIVEN.format(shard=shard))  # it has been stopped: the shard would be nobody's for ever
    await hand(connection, shard, json.dumps(letter))


async def leave(connection: AsyncConnection, me: int) -> None:
    """Say that a process wants no shards any more, and that others are to connect to those it has."""
    await connection.execute(update(processes).filter_by(id=me).values(leaving=True))
