"""Tables, composed of several rows.

The queries use indexes, so an idle table costs nothing. Writes of tables are in table_changes.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Row, bindparam, case, func, not_, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.chairs import Chair, Cut, Revision
from bot.domain.contests import PRACTICE_KINDS
from bot.domain.ids import NO_GUILD, AccessChannel, ChannelId, GuildId, Share, TableId, UserId
from bot.domain.pace import Deadline, SeatTime
from bot.store.engine.erasures import is_not_erased, visible_columns
from bot.store.engine.repository import Repository, read, read_share, server_in_share, write
from bot.store.repositories import outcomes, table_changes
from bot.store.repositories.records import LENGTH, read_steps
from bot.store.rows import ENDED_PHASES, OPEN_PHASES, MatchStep, NewTable, SeatedPerson, TableHome, TableRow
from bot.store.schema import chairs, cuts, seat_times, tables

PLAIN = tuple(field.name for field in fields(TableRow) if field.name in tables.c and field.name != "deadline")

is_open = tables.c.phase.in_(OPEN_PHASES)
here = bindparam("here", type_=BigInteger)
TABLE = select(*visible_columns(tables)).where(tables.c.id == here)
CHAIRS = select(*visible_columns(chairs)).where(chairs.c.table_id == here).order_by(chairs.c.seat)
TIMES = select(seat_times).where(seat_times.c.table_id == here).order_by(seat_times.c.seat)
CUTS = select(cuts).where(cuts.c.table_id == here, is_not_erased(cuts.c.user)).order_by(cuts.c.seat, cuts.c.user)
OPEN_IDS = select(tables.c.id).where(is_open)
ALL_OPEN = OPEN_IDS.order_by(tables.c.id)
IN_GUILD = ALL_OPEN.where(tables.c.guild == here)
HOMES_IN_GUILD = IN_GUILD.with_only_columns(tables.c.id, tables.c.home, tables.c.suspended_since.is_not(None))
# Two searches instead of an OR, so that each uses its index.
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
SEATED = select(*visible_columns(tables)).where(tables.c.id.in_(SEATED_IDS)).order_by(tables.c.id.desc())
CHAIRS_AT = (
    select(*visible_columns(chairs))
    .where(chairs.c.table_id.in_(bindparam("tables", expanding=True)))
    .order_by(chairs.c.table_id, chairs.c.seat)
)
ENDED_SUSPENDED = (
    select(tables.c.id)
    .join(chairs, chairs.c.table_id == tables.c.id)
    .where(
        chairs.c.user == here,
        tables.c.phase.in_(ENDED_PHASES),
        tables.c.suspended_since.is_not(None),
        tables.c.touched >= bindparam("since", type_=tables.c.touched.type),
    )
    .order_by(tables.c.id)
)
OLD_PRACTICE = select(tables.c.id).where(
    tables.c.solo.in_(PRACTICE_KINDS), is_open, tables.c.touched < bindparam("since", type_=tables.c.touched.type)
)
STATES = ("lobby", "playing", "paused", "asleep")

doing = case((tables.c.suspended_since.is_not(None), "asleep"), (tables.c.paused, "paused"), else_=tables.c.phase)
BY_STATE = select(doing, func.count()).where(tables.c.phase.in_(OPEN_PHASES)).group_by(doing)
LOBBIES = select(tables.c.host, tables.c.pace).where(tables.c.phase == "lobby", tables.c.guild == here)


async def _load(connection: AsyncConnection, table: TableId) -> TableRow | None:
    """Read a table with chairs and all steps."""
    found = await _head(connection, table)
    if found is None:
        return None
    row, length = found
    return replace(row, steps=await read_steps(connection, table, 0, length))


async def _guild_of(connection: AsyncConnection, table: TableId) -> GuildId | None:
    """Read the server of a table, None for an unknown table."""
    found: GuildId | None = (await connection.execute(select(tables.c.guild).filter_by(id=table))).scalar()
    return found


async def _head(connection: AsyncConnection, table: TableId) -> tuple[TableRow, int] | None:
    """Read a table with chairs but without steps, and the number of steps."""
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


async def _seated(connection: AsyncConnection, user: UserId) -> tuple[TableRow, ...]:
    """Read the open tables at which ``user`` owns a chair, without steps, newest first."""
    kept = (await connection.execute(SEATED, {"here": user})).all()
    mine: dict[TableId, list[Chair]] = {row.id: [] for row in kept}
    for row in (await connection.execute(CHAIRS_AT, {"tables": list(mine)})).all() if mine else ():
        mine[row.table_id].append(chair(row))
    return tuple(table_row(row, mine[row.id]) for row in kept)


async def _seated_people(connection: AsyncConnection, share: Share) -> tuple[SeatedPerson, ...]:
    """Read the players who act for themselves at a process's open tables, by guild."""
    here = SEATED_PEOPLE.where(server_in_share(share, tables.c.guild))
    return tuple(SeatedPerson(*row) for row in (await connection.execute(here)).all())


async def _homes(connection: AsyncConnection, guild: GuildId) -> tuple[TableHome, ...]:
    """Read the home channels of a guild's open tables."""
    return tuple(TableHome(*row) for row in (await connection.execute(HOMES_IN_GUILD, {"here": guild})).all())


async def ids(connection: AsyncConnection, query: Any, values: Mapping[str, object]) -> tuple[TableId, ...]:
    """Read the ids of a query."""
    return tuple((await connection.execute(query, dict(values))).scalars())


async def _lobbies(connection: AsyncConnection, guild: GuildId, host: UserId, *, live: bool) -> tuple[int, int]:
    """Count the lobbies of a guild, and one host's lobbies among them.

    live: the live ones, or all others.
    """
    lobbies = await connection.execute(LOBBIES, {"here": guild})
    hosts = [row.host for row in lobbies if (row.pace.kind == "live") == live]
    return len(hosts), hosts.count(host)


def chair(row: Row[Any]) -> Chair:
    """Return the chair of a row."""
    return Chair(**{field.name: getattr(row, field.name) for field in fields(Chair)})


def deadline(row: Row[Any]) -> Deadline | None:
    """Return the deadline of a table's row, None without one."""
    return None if row.deadline is None else Deadline(row.deadline, row.remind_at, row.reminded, row.shut_out)


def revision(row: Row[Any]) -> Revision | None:
    """Return the latest change of the terms in a table's row, None without one."""
    if row.revised_by is None:
        return None
    was = {"preset": row.was_preset, "options": row.was_options, "pace": row.was_pace}
    return Revision(by=row.revised_by, name=row.revised_name, at=row.revised_at, **was)


def table_row(row: Row[Any], seated: Iterable[Chair], done: Iterable[MatchStep] = ()) -> TableRow:
    """Return the table of several rows."""
    return TableRow(
        **{name: getattr(row, name) for name in PLAIN},
        chairs=tuple(seated),
        steps=tuple(done),
        deadline=deadline(row),
        revised=revision(row),
        place=None if row.within is None else AccessChannel(row.within, row.hidden),
    )


async def _states(connection: AsyncConnection) -> Mapping[str, int]:
    """Count the open tables by state, see STATES."""
    return dict.fromkeys(STATES, 0) | {row[0]: row[1] for row in await connection.execute(BY_STATE)}


async def _add(
    connection: AsyncConnection, new: NewTable, seated: tuple[Chair, ...], deadline: Deadline | None
) -> TableRow:
    """Create a lobby with the next number of its guild."""
    row = await _load(connection, await table_changes.new_table(connection, new, seated, deadline))
    assert row is not None
    return row


class TableRepository(Repository):
    """Tables: chairs, changes, and lists of open tables."""

    add = write(_add)
    load = read(_load)
    guild_of = read(_guild_of)
    head = read(_head)
    save = write(table_changes.save)
    has_sat_in = read(outcomes.has_sat_in)
    seated = read(_seated)
    seated_people = read_share(_seated_people)
    states = read(_states)
    homes = read(_homes)
    lobbies = read(_lobbies)

    async def ended_suspended(self, user: UserId, since: datetime) -> tuple[TableId, ...]:
        """Return a user's tables that ended after ``since`` while suspended, oldest first."""
        return await self._gate.run(ids, ENDED_SUSPENDED, {"here": user, "since": since})

    async def open_tables(self) -> tuple[TableId, ...]:
        """Return the open tables, oldest first, here and below."""
        return await self._gate.read(ids, ALL_OPEN, {})

    async def in_channel(self, channel: ChannelId) -> tuple[TableId, ...]:
        """Return the open tables opened in a channel or with their board in it."""
        return await self._gate.read(ids, IN_CHANNEL, {"here": channel})

    async def within(self, channel: ChannelId) -> tuple[TableId, ...]:
        """Return the matches played in a channel or in one of its threads."""
        return await self._gate.read(ids, WITHIN, {"here": channel})

    async def in_guild(self, guild: GuildId) -> tuple[TableId, ...]:
        """Return the open tables of a guild."""
        return await self._gate.read(ids, IN_GUILD, {"here": guild})

    async def old_practice(self, before: datetime) -> tuple[TableId, ...]:
        """Return the practice tables and lessons without a change since a given time."""
        return await self._gate.read(ids, OLD_PRACTICE, {"since": before})
