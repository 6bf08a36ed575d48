"""What processes that share a database on a server tell each other: who is there, and who has which Discord shards.

Knows a schema of its own, which no copy of the bot's tables holds. All times are by the database's clock, so that those
of the processes need not agree. Refuses to know what a shard is for, and transactions, which are its caller's.

A process is a row, whose number is never given again, and as long as the row is there, the process is a member: the
gate looks for it in every transaction (bot/store/postgres/gate.py). Its lease is a row beside it, since that one
changes all the time. Whose lease has run out may be taken for gone by another one: the row goes, and the shards are
free.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Integer,
    MetaData,
    String,
    Table,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import CreateSchema

from bot.domain.shard_share import Share
from bot.store.postgres.deletion_ledger import LAST

LONGEST_NAME: Final = 64
ALONE: Final = 0x42696768  # the number of the lock of whoever wants nobody else at work meanwhile
metadata = MetaData(schema="bigger_processes")
WHEN: Final = DateTime(timezone=True)

# taken: how often it has got shards. Who takes some writes this row, which each of its later transactions reads.
# leaving: whether it wants none any more, and what it has is for others.
processes = Table(
    "processes",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("name", String(LONGEST_NAME), nullable=False),
    Column("taken", Integer, nullable=False),
    Column("leaving", Boolean, nullable=False),
)
leases = Table(
    "leases",
    metadata,
    Column("process", ForeignKey(processes.c.id, ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("renewed", WHEN, nullable=False),
    Column("until", WHEN, nullable=False),
)
# since: when the process came to it, or where there is none, until when somebody surely had it; None: never.
# wanted: the process that connects to it in order to have it next, while another one has it still.
shards = Table(
    "shards",
    metadata,
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("process", BigInteger),
    Column("since", WHEN),
    Column("wanted", BigInteger),
)
# One row a bucket: the moment before which nobody may identify.
identifies = Table(
    "identifies",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("free", WHEN, nullable=False),
)
clock = func.clock_timestamp()


@dataclass(frozen=True, slots=True)
class Terms:
    """On which a process is a member. lease: for how long at a time. most: shards that it has room for."""

    lease: timedelta
    most: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands with a process. taken: its new shards, with for how long nobody had each. now: the time.

    asked, answered: two moments of this process's monotonic clock, between which the database told the time. idle: how
    many shards nobody has. coming: those of others that it is to have next. surplus: one that it might have, because
    somebody has too many; None without.
    """

    share: Share
    taken: dict[int, timedelta]
    now: datetime
    asked: float
    answered: float
    idle: int = 0
    coming: frozenset[int] = frozenset()
    surplus: int | None = None


async def make(connection: AsyncConnection) -> None:
    """Make the tables where there are none."""
    await connection.execute(CreateSchema(metadata.schema or "", if_not_exists=True))
    await connection.run_sync(metadata.create_all)


async def end_all(connection: AsyncConnection) -> None:
    """Let nobody be a member any more, for whoever has the database alone."""
    if await connection.run_sync(lambda wire: wire.dialect.has_table(wire, processes.name, schema=metadata.schema)):
        await connection.execute(delete(processes))
        await connection.execute(delete(shards))


async def look(connection: AsyncConnection, me: int, *, beside_others: bool) -> tuple[bool, int]:
    """Tell whether a process is a member still, and how many deletions there have been.

    beside_others: whether whoever wants the database alone is to wait for the end of this transaction, and it for them.
    """
    asked: list[Any] = [exists().where(processes.c.id == me), LAST]
    if beside_others:
        asked.append(func.pg_advisory_xact_lock_shared(ALONE))
    member, deletions, *_ = (await connection.execute(select(*asked))).one()
    return bool(member), int(deletions)


async def join(connection: AsyncConnection, name: str, terms: Terms, count: int) -> tuple[int, bool]:
    """Make a process a member; return its number, and whether it is the first, or the first after all were gone.

    It has no shards yet. count: how many there are to be, if it is the first.
    """
    await make(connection)
    now = await _now(connection)
    latest: datetime | None = (await connection.execute(select(func.max(leases.c.until)))).scalar()
    alone = latest is None or latest < now - 2 * terms.lease
    if alone:
        await connection.execute(delete(processes))
        await connection.execute(delete(shards))
        await connection.execute(insert(shards), [{"shard": shard} for shard in range(count)])
    new = insert(processes).values(name=name[:LONGEST_NAME], taken=0, leaving=False).returning(processes.c.id)
    me = int((await connection.execute(new)).scalar_one())
    await connection.execute(insert(leases).values(process=me, renewed=now, until=now + terms.lease))
    return me, alone


async def renew(connection: AsyncConnection, me: int, terms: Terms) -> Standing:
    """Renew the lease of a process, take whoever has let theirs run out for gone, and take free shards.

    Nobody is taken for gone by who has not renewed their own lease for half its time: the database was away, then, and
    for the others as well, who have a try now.
    """
    asked = time.monotonic()
    now = await _now(connection)
    answered = time.monotonic()
    own = (await connection.execute(select(leases).filter_by(process=me))).one()
    await connection.execute(update(leases).filter_by(process=me).values(renewed=now, until=now + terms.lease))
    if now - own.renewed <= terms.lease / 2:
        await _end_others(connection, now)
    there = {row.id: row for row in (await connection.execute(select(processes))).all()}
    known = (await connection.execute(select(shards).order_by(shards.c.shard))).all()
    staying = [process for process, row in there.items() if not row.leaving]
    part = 0 if there[me].leaving else min(terms.most, ceil(len(known) / len(staying)))
    held = {row.shard for row in known if row.process == me}
    free = [row for row in known if row.process is None and (row.wanted == me or row.wanted not in there)]
    free.sort(key=lambda row: row.wanted != me)
    taken = {row.shard: now - row.since if row.since else timedelta() for row in free[: max(part - len(held), 0)]}
    if taken:
        values = {"process": me, "since": now, "wanted": None}
        await connection.execute(update(shards).where(shards.c.shard.in_(taken)).values(values))
        await connection.execute(update(processes).filter_by(id=me).values(taken=processes.c.taken + 1))
    idle = sum(row.process is None for row in known) - len(taken)
    coming = frozenset(row.shard for row in known if row.wanted == me) - held - taken.keys()
    share = Share(len(known), frozenset(held | taken.keys()), max(len(staying), 1))
    room = not idle and not coming and len(share.held) < part
    surplus = _surplus(known, there, len(share.held)) if room else None
    return Standing(share, taken, now, asked, answered, idle, coming, surplus)


def _surplus(known: Sequence[Any], there: Mapping[int, Any], own: int) -> int | None:
    """Return a shard of whoever leaves, or has most of them and two more than oneself; None where nobody does."""
    held = Counter(row.process for row in known if row.process in there)
    wanted = [row for row in known if row.process in there and row.wanted not in there]
    leaving = [row.shard for row in wanted if there[row.process].leaving]
    many = [row for row in wanted if held[row.process] >= own + 2]
    many.sort(key=lambda row: -held[row.process])
    return next(iter(leaving), None) if leaving else next((row.shard for row in many), None)


async def _end_others(connection: AsyncConnection, now: datetime) -> None:
    """Take whoever has let their lease run out for gone."""
    for row in (await connection.execute(select(leases).where(leases.c.until < now))).all():
        await _end(connection, row.process, row.renewed)


async def leave(connection: AsyncConnection, me: int) -> None:
    """End the membership of a process; what it had is free at once."""
    await _end(connection, me, await _now(connection))


async def _end(connection: AsyncConnection, process: int, since: datetime) -> None:
    await connection.execute(update(shards).filter_by(process=process).values(process=None, since=since))
    await connection.execute(delete(processes).filter_by(id=process))


async def give(connection: AsyncConnection, me: int, shard: int) -> None:
    """Let others have a shard of a process."""
    own = update(shards).filter_by(shard=shard, process=me)
    await connection.execute(own.values(process=None, since=await _now(connection)))


async def turn_to_identify(connection: AsyncConnection, bucket: int, gap: timedelta) -> timedelta:
    """Take the turn to identify in a bucket, now; return how long to wait before asking again, none with the turn.

    gap: between two turns. Nobody takes one in advance: whoever is held up would be too close to the next.
    """
    now = await _now(connection)
    free: datetime | None = (await connection.execute(select(identifies.c.free).filter_by(bucket=bucket))).scalar()
    if free is None:
        await connection.execute(insert(identifies).values(bucket=bucket, free=now + gap))
    elif free > now:
        return free - now
    else:
        await connection.execute(update(identifies).filter_by(bucket=bucket).values(free=now + gap))
    return timedelta()


@dataclass(frozen=True, slots=True)
class Member:
    """One process. shards: how many it has. late: by how much its lease has run out, less than none while it lasts."""

    name: str
    shards: int
    late: timedelta


async def members(connection: AsyncConnection) -> tuple[tuple[Member, ...], int]:
    """Read who shares the database, in the order in which they came, and how many shards nobody has."""
    if not await connection.run_sync(lambda wire: wire.dialect.has_table(wire, processes.name, schema=metadata.schema)):
        return (), 0
    had = select(func.count()).where(shards.c.process == processes.c.id).scalar_subquery()
    asked = select(processes.c.name, had, clock - leases.c.until).join(leases).order_by(processes.c.id)
    idle = select(func.count()).select_from(shards).where(shards.c.process.is_(None))
    found = (await connection.execute(asked)).all()
    return tuple(Member(*row) for row in found), int((await connection.execute(idle)).scalar_one())


async def _now(connection: AsyncConnection) -> datetime:
    found: datetime = (await connection.execute(select(clock))).scalar_one()
    return found
