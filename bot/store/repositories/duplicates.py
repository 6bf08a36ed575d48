"""Duplicates: the same deals for several players, their parts, and the results.

This module alone decides who may know the deals of a table: for a duplicate's match, a player who has finished the same
deals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Select, and_, false, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.chairs import Chair
from bot.domain.contests import Duplicate, DuplicatePlayer, DuplicateSeat, DuplicateTable
from bot.domain.effects import PendingEffect, scoresheet_key
from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.results import HandScore
from bot.store.engine.erasures import is_not_erased, visible_columns
from bot.store.engine.repository import Repository, read, write
from bot.store.repositories import outbox, table_changes
from bot.store.rows import OPEN_PHASES, NewTable
from bot.store.schema import chairs, duplicates, habits, hands, parts, results, standings, tables


async def _add(
    connection: AsyncConnection, new: Duplicate, invite: Callable[[int], PendingEffect] | None = None
) -> int:
    """Write a duplicate with its invitation; return the number."""
    values = {column.name: getattr(new, column.name) for column in duplicates.c if column.name != "id"}
    made = await connection.execute(insert(duplicates).values(values | {"options": dict(new.options)}))
    number = int(made.inserted_primary_key[0])  # type: ignore[index]  # always present after an INSERT of one row
    await outbox.add(connection, [invite(number)] if invite else [])
    return number


async def _load(connection: AsyncConnection, number: int) -> Duplicate | None:
    """Read a duplicate."""
    row = (await connection.execute(select(*visible_columns(duplicates)).where(duplicates.c.id == number))).first()
    return None if row is None else Duplicate(*row)


async def _latest(connection: AsyncConnection, guild: GuildId, channel: ChannelId) -> int | None:
    """Read the number of the latest duplicate of a channel or of a table's thread."""
    dealt_alike = tables.c.duplicate_id.is_not(None)
    played = select(tables.c.duplicate_id).where(dealt_alike, tables.c.home == channel, tables.c.guild == guild)
    here = or_(duplicates.c.channel == channel, duplicates.c.id.in_(played))
    query = select(func.max(duplicates.c.id)).where(duplicates.c.guild == guild, here)
    found: int | None = (await connection.execute(query)).scalar_one()
    return found


async def _keep_sheet(connection: AsyncConnection, number: int, message: MessageId) -> None:
    """Write the message with the public results."""
    await connection.execute(update(duplicates).filter_by(id=number).values(sheet=message))
    await outbox.end(connection, scoresheet_key(number))


async def _begin(
    connection: AsyncConnection, number: int, new: NewTable, seatings: Sequence[tuple[Chair, ...]]
) -> TableId:
    """Create a player's own table in a duplicate, or return the existing one.

    A player gets one seat. seatings: for each seat, the chairs with the player on that seat; the seats are assigned in
    turn.
    """
    known = await _of_person(connection, number, new.host)
    if known is not None:
        return known.table
    seat = await _begun(connection, number) % len(seatings)
    table = await table_changes.new_table(connection, new, seatings[seat], None)
    await connection.execute(insert(parts).values(DuplicateSeat(number, new.host, table, seat).row))
    return table


async def _of_person(connection: AsyncConnection, number: int, user: UserId) -> DuplicateSeat | None:
    """Read a player's part in a duplicate."""
    query = select(parts).where(is_not_erased(parts.c.user)).filter_by(duplicate_id=number, user=user)
    row = (await connection.execute(query)).first()
    return None if row is None else DuplicateSeat(*row)


async def _elsewhere(
    connection: AsyncConnection, number: int, users: Collection[UserId], table: TableId | None = None
) -> frozenset[UserId]:
    """Read which of these users have a part or a seat in a duplicate at another table."""
    part = select(parts.c.user).where(
        parts.c.duplicate_id == number, parts.c.user.in_(users), is_not_erased(parts.c.user)
    )
    seated = (
        select(chairs.c.user)
        .join(tables, tables.c.id == chairs.c.table_id)
        .where(tables.c.duplicate_id == number, tables.c.phase.in_(OPEN_PHASES), chairs.c.user.in_(users))
    )
    if table is not None:
        part, seated = part.where(parts.c.table_id != table), seated.where(tables.c.id != table)
    return frozenset((await connection.execute(part.union(seated))).scalars())


async def _at(connection: AsyncConnection, table: TableId) -> int | None:
    """Read the duplicate whose deals are played at a table; None without one."""
    found: int | None = (await connection.execute(select(tables.c.duplicate_id).filter_by(id=table))).scalar()
    return found


async def _begun(connection: AsyncConnection, number: int) -> int:
    """Count the players with a part in a duplicate."""
    counted = select(func.count()).where(parts.c.duplicate_id == number, is_not_erased(parts.c.user))
    return int((await connection.execute(counted)).scalar_one())


async def _played(connection: AsyncConnection, number: int) -> tuple[DuplicateTable, ...]:
    """Read the results of the finished tables of a duplicate, in order of their ends.

    Players whose data was deleted stay in the comparison without a name.
    """
    query = (
        select(results.c.table_id, tables.c.number)
        .join(tables, tables.c.id == results.c.table_id)
        .where(tables.c.duplicate_id == number, results.c.ended != "moderator")
        .order_by(results.c.finished, results.c.table_id)
    )
    sat, brought = await _sat(connection, number), await _hands(connection, number)
    rows = (await connection.execute(query)).all()
    return tuple(DuplicateTable(row.table_id, row.number, sat[row.table_id], brought[row.table_id]) for row in rows)


async def _sat(connection: AsyncConnection, number: int) -> dict[TableId, tuple[DuplicatePlayer, ...]]:
    """Read the first player of each seat, by table."""
    own = and_(
        standings.c.table_id == parts.c.table_id, standings.c.seat == parts.c.seat, standings.c.user == parts.c.user
    )
    query = (
        select(parts, standings.c.name, func.coalesce(habits.c.unlisted, false()).label("unlisted"))
        .join(standings, own)
        .outerjoin(habits, habits.c.user == parts.c.user)
        .where(parts.c.duplicate_id == number, is_not_erased(parts.c.user))
        .order_by(parts.c.table_id, parts.c.seat)
    )
    known = defaultdict[TableId, tuple[DuplicatePlayer, ...]](tuple)
    for row in (await connection.execute(query)).all():
        known[row.table_id] += (DuplicatePlayer(row.user, row.name, row.seat, not row.unlisted),)
    return known


async def _hands(connection: AsyncConnection, number: int) -> dict[TableId, tuple[HandScore, ...]]:
    """Read the result of each hand, by table."""
    query = (
        select(hands.c.table_id, hands.c.number, hands.c.place, hands.c.points, hands.c.net)
        .join(tables, tables.c.id == hands.c.table_id)
        .where(tables.c.duplicate_id == number)
        .order_by(hands.c.table_id, hands.c.number, hands.c.seat)
    )
    known = defaultdict[TableId, tuple[HandScore, ...]](tuple)
    rows = (await connection.execute(query)).all()
    for (table, _), of_hand in groupby(rows, lambda row: (row.table_id, row.number)):
        scored = zip(*((row.place, row.points, row.net) for row in of_hand), strict=True)
        known[table] += (HandScore(*scored),)
    return known


async def _overdue(connection: AsyncConnection, before: datetime) -> tuple[TableId, ...]:
    """Read the open solo tables of duplicates opened before ``before``."""
    query = (
        select(tables.c.id)
        .join(duplicates, duplicates.c.id == tables.c.duplicate_id)
        .where(duplicates.c.opened < before, ~duplicates.c.together, tables.c.phase.in_(OPEN_PHASES))
    )
    return tuple((await connection.execute(query)).scalars())


def sealed_from(user: UserId) -> Select[Any]:
    """Return the query for the tables whose deals a person has not played to the end.

    The person may still have to play these deals, or could have. Players of a table see the table as usual, also while
    a substitute plays for them.
    """
    at_the_end = tables.alias()
    played = (
        select(parts.c.duplicate_id)
        .join(at_the_end, at_the_end.c.id == parts.c.table_id)
        .where(parts.c.user == user, at_the_end.c.phase == "over")
    )
    theirs = select(parts.c.table_id).where(parts.c.user == user)
    return select(tables.c.id).where(
        tables.c.duplicate_id.is_not(None), tables.c.duplicate_id.not_in(played), tables.c.id.not_in(theirs)
    )


async def _may_know(connection: AsyncConnection, user: UserId, table: TableId) -> bool:
    """Return whether a user may see the deals of a table that other players may still play."""
    return (await connection.execute(sealed_from(user).where(tables.c.id == table))).first() is None


class DuplicateRepository(Repository):
    """Duplicates and their players."""

    add = write(_add)
    load = read(_load)
    latest = read(_latest)
    keep_sheet = write(_keep_sheet)
    begin = write(_begin)
    part_of = read(_of_person)
    elsewhere = read(_elsewhere)
    at = read(_at)
    begun = read(_begun)
    played = read(_played)
    overdue = read(_overdue)
    may_know = read(_may_know)
