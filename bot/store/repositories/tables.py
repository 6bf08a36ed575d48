"""What is read about tables: rows put together again out of their columns.

Knows the queries, each of which uses an index so that sleeping tables cost nothing; refuses to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, bindparam, func, not_, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.chairs import Chair
from bot.domain.ids import NO_GUILD, GuildId, TableId, UserId
from bot.domain.lobby import Cut, Revision
from bot.domain.pace import Deadline, SeatTime
from bot.domain.places import Place
from bot.domain.shard_share import Share
from bot.store.engine.erasures import present, shown
from bot.store.engine.packs import Torn
from bot.store.engine.shares import theirs
from bot.store.repositories.records import packed, replace_by_pack
from bot.store.rows import ENDED, OPEN, SeatedPerson, Standpoint, Step, TableRow
from bot.store.schema import actions, chairs, cuts, packs, seat_times, tables

PLAIN = tuple(field.name for field in fields(TableRow) if field.name in tables.c and field.name != "deadline")

is_open = tables.c.phase.in_(OPEN)
here = bindparam("here", type_=BigInteger)
TABLE = select(*shown(tables)).where(tables.c.id == here)
CHAIRS = select(*shown(chairs)).where(chairs.c.table_id == here).order_by(chairs.c.seat)
TIMES = select(seat_times).where(seat_times.c.table_id == here).order_by(seat_times.c.seat)
CUTS = select(cuts).where(cuts.c.table_id == here, present(cuts.c.user)).order_by(cuts.c.seat, cuts.c.user)
STEPS = (
    select(actions)
    .where(actions.c.table_id == here, actions.c.ply >= bindparam("first"), actions.c.ply < bindparam("end"))
    .order_by(actions.c.ply)
)
LENGTH = select(
    func.coalesce(
        select(func.max(actions.c.ply) + 1).where(actions.c.table_id == here).scalar_subquery(),
        select(packs.c.length).where(packs.c.table_id == here).scalar_subquery(),
        0,
    )
)
PAGE = 250  # steps put together in one go: while that is done nobody is answered
OPEN_IDS = select(tables.c.id).where(is_open)
ALL_OPEN = OPEN_IDS.order_by(tables.c.id)
IN_GUILD = ALL_OPEN.where(tables.c.guild == here)
HOMES_IN_GUILD = IN_GUILD.with_only_columns(tables.c.id, tables.c.home, tables.c.asleep.is_not(None))
# Two searches rather than an OR, so that each has its index.
CHANNEL_IDS = union(OPEN_IDS.where(tables.c.home == here), OPEN_IDS.where(tables.c.channel == here))
IN_CHANNEL = CHANNEL_IDS.order_by("id")
WITHIN = ALL_OPEN.where(tables.c.within == here)
SEATED_PEOPLE = (
    select(tables.c.guild, tables.c.id, chairs.c.user)
    .join(chairs, chairs.c.table_id == tables.c.id)
    .where(is_open, chairs.c.user.is_not(None), not_(chairs.c.house), tables.c.guild != NO_GUILD)
    .order_by(tables.c.guild, tables.c.id, chairs.c.seat)
)
SEATED_IDS = OPEN_IDS.join(chairs, chairs.c.table_id == tables.c.id).where(chairs.c.user == here).distinct()
ENDED_SUSPENDED = (
    select(tables.c.id)
    .join(chairs, chairs.c.table_id == tables.c.id)
    .where(
        chairs.c.user == here,
        tables.c.phase.in_(ENDED),
        tables.c.asleep.is_not(None),
        tables.c.touched >= bindparam("since", type_=tables.c.touched.type),
    )
    .order_by(tables.c.id)
)
OLD_PRACTICE = select(tables.c.id).where(
    tables.c.alone == "practice", is_open, tables.c.touched < bindparam("since", type_=tables.c.touched.type)
)
LOBBIES = select(func.count(), func.count().filter(tables.c.host == bindparam("by", type_=BigInteger))).where(
    tables.c.phase == "lobby", tables.c.guild == here
)


async def load(connection: AsyncConnection, table: TableId) -> TableRow | None:
    """Read one table with its chairs and all its steps."""
    found = await head(connection, table)
    if found is None:
        return None
    row, length = found
    return replace(row, steps=await steps(connection, table, 0, length))


async def guild_of(connection: AsyncConnection, table: TableId) -> GuildId | None:
    """Read the server of a table, None where there is none."""
    found: GuildId | None = (await connection.execute(select(tables.c.guild).filter_by(id=table))).scalar()
    return found


async def head(connection: AsyncConnection, table: TableId) -> tuple[TableRow, int] | None:
    """Read one table with its chairs but without its steps, and how many those are."""
    kept = (await connection.execute(TABLE, {"here": table})).first()
    if kept is None:
        return None
    seated = (await connection.execute(CHAIRS, {"here": table})).all()
    times = tuple(
        SeatTime(row.seat, row.left, row.since, row.turn) for row in await connection.execute(TIMES, {"here": table})
    )
    given = tuple(Cut(row.user, row.seat, row.word) for row in await connection.execute(CUTS, {"here": table}))
    row = replace(table_row(kept, map(chair, seated)), times=times, cuts=given)
    return row, (await connection.execute(LENGTH, {"here": table})).scalar_one()


async def steps(connection: AsyncConnection, table: TableId, first: int, end: int) -> tuple[Step, ...]:
    """Read the steps from one ply up to another, which is not read any more."""
    found: list[Step] = []
    for at in range(first, end, PAGE):
        page = {"here": table, "first": at, "end": min(at + PAGE, end)}
        found += map(step, await connection.execute(STEPS, page))
        if not found:
            return await packed(connection, table, first, end)
    return tuple(found)


async def newest(connection: AsyncConnection, which: ColumnElement[bool]) -> tuple[TableRow, ...]:
    """Read the tables for which ``which`` holds, with their chairs but without their steps, newest first."""
    kept = (await connection.execute(select(*shown(tables)).where(which).order_by(tables.c.id.desc()))).all()
    mine: dict[TableId, list[Chair]] = {row.id: [] for row in kept}
    query = select(*shown(chairs)).where(chairs.c.table_id.in_(mine)).order_by(chairs.c.table_id, chairs.c.seat)
    for row in (await connection.execute(query)).all() if mine else ():
        mine[row.table_id].append(chair(row))
    return tuple(table_row(row, mine[row.id]) for row in kept)


async def seated(connection: AsyncConnection, user: UserId) -> tuple[TableRow, ...]:
    """Read the open tables at which ``user`` owns a chair."""
    return await newest(connection, tables.c.id.in_(SEATED_IDS.params(here=user)))


async def seated_people(connection: AsyncConnection, share: Share) -> tuple[SeatedPerson, ...]:
    """Read who sits at open tables and plays for themselves, by guild, on the servers of a process."""
    here = SEATED_PEOPLE.where(theirs(share, tables.c.guild))
    return tuple(SeatedPerson(*row) for row in (await connection.execute(here)).all())


async def homes(connection: AsyncConnection, guild: GuildId) -> tuple[Standpoint, ...]:
    """Read where the open tables of a guild are played."""
    return tuple(Standpoint(*row) for row in (await connection.execute(HOMES_IN_GUILD, {"here": guild})).all())


async def ids(connection: AsyncConnection, query: Any, values: Mapping[str, object]) -> tuple[TableId, ...]:
    """Read the ids that a query finds."""
    return tuple((await connection.execute(query, dict(values))).scalars())


async def lobbies(connection: AsyncConnection, guild: GuildId, host: UserId) -> tuple[int, int]:
    """Count the lobbies of a guild, and those of one host among them."""
    there, own = (await connection.execute(LOBBIES, {"here": guild, "by": host})).one()
    return there, own


async def moment(connection: AsyncConnection, query: Any) -> datetime | None:
    """Read one moment, None where there is none."""
    found: datetime | None = (await connection.execute(query)).scalar()
    return found


def chair(row: Row[Any]) -> Chair:
    """Put a chair together."""
    return Chair(**{field.name: getattr(row, field.name) for field in fields(Chair)})


def step(row: Row[Any]) -> Step:
    """Put a step together."""
    return Step(**{field.name: getattr(row, field.name) for field in fields(Step)})


def deadline(row: Row[Any]) -> Deadline | None:
    """Put a deadline together, None where nothing is pending."""
    return None if row.deadline is None else Deadline(row.deadline, row.remind_at, row.reminded, row.shut_out)


def revision(row: Row[Any]) -> Revision | None:
    """Put the last change of what is agreed to together, None where nothing was changed."""
    if row.revised_by is None:
        return None
    was = {"preset": row.was_preset, "options": row.was_options, "pace": row.was_pace}
    return Revision(row.revised_by, row.revised_name, row.revised_at, **was)


def table_row(row: Row[Any], seated: Iterable[Chair], done: Iterable[Step] = ()) -> TableRow:
    """Put a table together."""
    return TableRow(
        **{name: getattr(row, name) for name in PLAIN},
        chairs=tuple(seated),
        steps=tuple(done),
        deadline=deadline(row),
        revised=revision(row),
        place=None if row.within is None else Place(row.within, row.hidden),
    )


async def pack(connection: AsyncConnection, table: TableId) -> bool:
    """Pack the steps of a match that is over; tell whether that could be done."""
    length = (await connection.execute(LENGTH, {"here": table})).scalar_one()
    try:
        await replace_by_pack(connection, table, await steps(connection, table, 0, length))
    except Torn:
        await connection.rollback()
        return False
    return True
