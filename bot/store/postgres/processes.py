"""The group of processes that share a server database.

Has the members, the leases, and the owners of Discord shards. The tables have a schema of their own, excluded from
copies of the bot's tables. All times are by the database's clock, so the clocks of the processes may differ. Refuses to
know the use of a shard. Transactions belong to the caller.

A member is a row with a number that is never reused; every transaction of the gate checks for the row
(bot/store/postgres/opening.py). The lease is a separate row, since it changes all the time. After its lease has
expired, a member may be evicted by another one, which deletes the row and frees the shards.
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

from bot.domain.ids import Share
from bot.store.postgres.deletion_ledger import LAST_NUMBER

LONGEST_NAME: Final = 64
EXCLUSIVE_LOCK: Final = 0x42696768  # the number of the advisory lock of `run_alone`
metadata = MetaData(schema="bigger_processes")
WHEN: Final = DateTime(timezone=True)

# taken: how many times the process was given shards. Each gift writes this row, which every later transaction of the
# process reads. leaving: whether the process wants no shards and offers its own to others.
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
# since: when the process got the shard; without a process, the last moment at which a process surely had it; None:
# never. wanted: the process that has claimed the shard and connects while the owner still holds it.
shards = Table(
    "shards",
    metadata,
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("process", BigInteger),
    Column("since", WHEN),
    Column("wanted", BigInteger),
)
# One row per bucket. free: the earliest time of the next turn to identify.
identifies = Table(
    "identifies",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("free", WHEN, nullable=False),
)
clock = func.clock_timestamp()


@dataclass(frozen=True, slots=True)
class MembershipTerms:
    """The terms of a membership. lease: its length. most: the maximum number of shards."""

    lease: timedelta
    most: int


@dataclass(frozen=True, slots=True)
class MembershipState:
    """The state of a membership after a renewal. now: the database's time.

    taken: the new shards, each with the time it was without a process. asked, answered: two moments of this
    process's monotonic clock, before and after the database told the time. idle: the number of shards without a
    process. coming: claimed shards of other processes. surplus: a shard to claim from an overloaded or leaving
    process; None without one.
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
    """Create the tables unless they exist."""
    await connection.execute(CreateSchema(metadata.schema or "", if_not_exists=True))
    await connection.run_sync(metadata.create_all)


async def end_all(connection: AsyncConnection) -> None:
    """End every membership; the caller has the exclusive lock on the database."""
    if await connection.run_sync(lambda wire: wire.dialect.has_table(wire, processes.name, schema=metadata.schema)):
        await connection.execute(delete(processes))
        await connection.execute(delete(shards))


async def check_member(connection: AsyncConnection, me: int, *, beside_others: bool) -> tuple[bool, int]:
    """Return whether a process is still a member, and the number of deletions.

    beside_others: take the shared lock that makes this transaction and `run_alone` wait for each other.
    """
    asked: list[Any] = [exists().where(processes.c.id == me), LAST_NUMBER]
    if beside_others:
        asked.append(func.pg_advisory_xact_lock_shared(EXCLUSIVE_LOCK))
    member, deletions, *_ = (await connection.execute(select(*asked))).one()
    return bool(member), int(deletions)


async def join(connection: AsyncConnection, name: str, terms: MembershipTerms, count: int) -> tuple[int, bool]:
    """Make a process a member.

    Return its number, and whether it is the first, or the first after the others expired. The new member has no shards.
    count: the number of shards, used by the first member.
    """
    await make(connection)
    now = await _now(connection)
    latest: datetime | None = (await connection.execute(select(func.max(leases.c.until)))).scalar()
    is_first = latest is None or latest < now - 2 * terms.lease
    if is_first:
        await connection.execute(delete(processes))
        await connection.execute(delete(shards))
        await connection.execute(insert(shards), [{"shard": shard} for shard in range(count)])
    new = insert(processes).values(name=name[:LONGEST_NAME], taken=0, leaving=False).returning(processes.c.id)
    me = int((await connection.execute(new)).scalar_one())
    await connection.execute(insert(leases).values(process=me, renewed=now, until=now + terms.lease))
    return me, is_first


async def renew(connection: AsyncConnection, me: int, terms: MembershipTerms) -> MembershipState:
    """Renew the lease of a process, evict members with an expired lease, and take free shards.

    A process that has not renewed for half a lease evicts nobody: the database was probably unreachable for the
    others too, and they now get a chance to renew.
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
    return MembershipState(share, taken, now, asked, answered, idle, coming, surplus)


def _surplus(known: Sequence[Any], there: Mapping[int, Any], own: int) -> int | None:
    """Return a shard of a leaving process, else one of the process with the most shards.

    The latter process has at least two shards more than this one. Returns None if no such shard exists.
    """
    held = Counter(row.process for row in known if row.process in there)
    wanted = [row for row in known if row.process in there and row.wanted not in there]
    leaving = [row.shard for row in wanted if there[row.process].leaving]
    many = [row for row in wanted if held[row.process] >= own + 2]
    many.sort(key=lambda row: -held[row.process])
    return next(iter(leaving), None) if leaving else next((row.shard for row in many), None)


async def _end_others(connection: AsyncConnection, now: datetime) -> None:
    """Evict the members with an expired lease."""
    for row in (await connection.execute(select(leases).where(leases.c.until < now))).all():
        await _end(connection, row.process, row.renewed)


async def leave(connection: AsyncConnection, me: int) -> None:
    """End the membership of a process; its shards are free at once."""
    await _end(connection, me, await _now(connection))


async def _end(connection: AsyncConnection, process: int, since: datetime) -> None:
    await connection.execute(update(shards).filter_by(process=process).values(process=None, since=since))
    await connection.execute(delete(processes).filter_by(id=process))


async def give(connection: AsyncConnection, me: int, shard: int) -> None:
    """Free a shard of a process."""
    own = update(shards).filter_by(shard=shard, process=me)
    await connection.execute(own.values(process=None, since=await _now(connection)))


async def turn_to_identify(connection: AsyncConnection, bucket: int, gap: timedelta) -> timedelta:
    """Take the turn to identify in a bucket, now.

    Return the wait before another attempt, zero with the turn. gap: the time between two turns. Turns are not reserved
    in advance: a delayed process would come too close to the next.
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
    """A process of the group. shards: their number.

    late: the time since the lease expired, negative while the lease lasts.
    """

    name: str
    shards: int
    late: timedelta


async def members(connection: AsyncConnection) -> tuple[tuple[Member, ...], int]:
    """Read the members in the order of joining, and the number of shards without a process."""
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
