"""Deletion of the rows about a person or a server.

Derives the rows from the subject of each column; the only special case is seats, which a deleted person gives up. The
moves and results of other people stay unchanged. Transactions belong to the caller.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    false,
    func,
    null,
    or_,
    select,
    true,
    tuple_,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import (
    Announcement,
    MessageDeletion,
    PendingEffect,
    Redraw,
    ScoresheetUpdate,
    Vacancy,
    pending_effect,
)
from bot.domain.ids import NO_GUILD, GuildId, TableId, UserId
from bot.domain.rating import ALL_GUILDS
from bot.domain.refusals import HOST_GONE
from bot.domain.results import Sitting
from bot.store.engine import mentions
from bot.store.engine.erasures import NO_ID, nameless_values
from bot.store.repositories import outbox, outcomes
from bot.store.repositories.pings import delete_pings
from bot.store.rows import OPEN_PHASES, SEAT_PING
from bot.store.schema import (
    actions,
    chairs,
    duplicates,
    leaderboard_states,
    metadata,
    notices,
    parts,
    pings,
    seat_queue,
    tables,
)
from bot.store.schema.columns import ColumnMeaning, holding, meanings

LEFT: Final = "left"  # the absence reason of the seat, the same as after leaving


@dataclass(frozen=True, slots=True)
class PersonColumn:
    """A column that holds a person."""

    table: Table
    column: Column[Any]
    meaning: ColumnMeaning


# Referenced tables come last.
PERSONS: Final = tuple(
    PersonColumn(table, column, meaning)
    for table in reversed(metadata.sorted_tables)
    for column, meaning in meanings(table, "person")
)
USER = bindparam("user", type_=BigInteger)
WHERE = select(
    *(exists().where(holding(held.column, held.meaning, USER)).label(f"_{at}") for at, held in enumerate(PERSONS))
)


# A person


async def columns_holding(connection: AsyncConnection, user: UserId) -> tuple[PersonColumn, ...]:
    """Read which columns hold a person.

    Indexes keep it from scanning the rows of other people.
    """
    found = (await connection.execute(WHERE, {"user": user})).one()
    return tuple(held for held, is_there in zip(PERSONS, found, strict=True) if is_there)


async def is_kept(connection: AsyncConnection, user: UserId) -> bool:
    """Tell whether any row holds a person, except by a mark."""
    return bool(await columns_holding(connection, user))


async def delete_urgent_rows(
    connection: AsyncConnection, user: UserId, mark: str, now: datetime
) -> tuple[PendingEffect, ...]:
    """Remove a person from open tables, and delete the rows marked `at_once`.

    Returns the effects. `delete_more_rows` deletes the other rows. mark: the person's keyed hash, which stays at a
    running match: a deleted person must not end the match as a moderator.
    """
    effects = await give_up_seats(connection, user, mark, now)
    effects += await withdraw_messages(connection, user, now)
    effects += await update_sheets(connection, user, now)
    await mentions.remove_person(connection, user)
    for held in await columns_holding(connection, user):
        if held.meaning.at_once:
            await _take_out(connection, held, holding(held.column, held.meaning, user))
    await outbox.add(connection, effects)
    return tuple(effects)


async def delete_more_rows(
    connection: AsyncConnection, user: UserId, most: int, last: PersonColumn | None = None
) -> PersonColumn | None:
    """Delete rows about a person, or make them nameless, up to ``most`` rows.

    Return the last column with such rows, None when no row is left. last: the column returned by the previous call.
    """
    left = most
    if last is not None:
        left -= await _take_some(connection, last, user, left)
    if left <= 0:
        return last
    found = await columns_holding(connection, user)
    for held in found:
        last, left = held, left - await _take_some(connection, held, user, left)
        if left <= 0:
            break
    return last if found else None


async def _take_some(connection: AsyncConnection, held: PersonColumn, user: UserId, most: int) -> int:
    """Delete or anonymize at most ``most`` rows of a column that holds a person.

    Return their number.
    """
    key = tuple(held.table.primary_key.columns)
    some = select(*key).where(holding(held.column, held.meaning, user)).limit(most)
    return await _take_out(connection, held, tuple_(*key).in_(some))


async def _take_out(connection: AsyncConnection, held: PersonColumn, which: ColumnElement[bool]) -> int:
    """Delete these rows that hold a person, or remove the person from them.

    Return their number.
    """
    table, column = held.table, held.column
    if held.meaning.row:
        return (await connection.execute(delete(table).where(which))).rowcount
    values: dict[str, Any] = nameless_values(table, column.name)
    values[column.name] = None if column.nullable else NO_ID
    return (await connection.execute(update(table).where(which).values(values))).rowcount


async def give_up_seats(connection: AsyncConnection, user: UserId, mark: str, now: datetime) -> list[PendingEffect]:
    """Vacate a person's seats: hosted lobbies close, house players take over in matches.

    Return the effects.
    """
    open_tables = (await connection.execute(_open_tables_of(user))).all()
    numbers = [row.id for row in open_tables]
    played_by = select(chairs.c.table_id).where(chairs.c.table_id.in_(numbers), chairs.c.user != user)
    others = set((await connection.execute(played_by)).scalars())
    hosted = {row.id for row in open_tables if row.phase == "lobby" and row.host == user}
    closing = [row.id for row in open_tables if row.id in hosted or row.id not in others]
    await close_tables(connection, closing)
    staying = {row.id: row.phase for row in open_tables if row.id not in closing}
    playing = [number for number, phase in staying.items() if phase == "playing"]
    lobbies = [number for number, phase in staying.items() if phase == "lobby"]
    await connection.execute(delete(chairs).where(chairs.c.user == user, chairs.c.table_id.in_(lobbies)))
    await pass_on_hosting(connection, user, playing)
    vacant = await hand_to_house(connection, user, mark, playing)
    effects = list[PendingEffect]()
    for row in open_tables:
        if row.solo:
            continue
        if row.id in hosted and row.id in others:
            effects.append(pending_effect(Announcement(HOST_GONE), row.guild, row.id, now))
        effect = vacant.get(row.id, Redraw())
        effects.append(pending_effect(effect, row.guild, row.id, now))
    return effects


def _open_tables_of(user: UserId) -> Select[Any]:
    """Return the query for the open tables hosted by a person, or with a seat of the person."""
    seats = union(
        select(chairs.c.table_id).where(chairs.c.user == user),
        select(chairs.c.table_id).where(chairs.c.owner == user),
        select(tables.c.id).where(tables.c.host == user),
    )
    found = select(tables.c.id, tables.c.guild, tables.c.phase, tables.c.host, tables.c.solo)
    return found.where(tables.c.id.in_(seats), tables.c.phase.in_(OPEN_PHASES)).order_by(tables.c.id)


async def close_tables(connection: AsyncConnection, closing: Collection[TableId]) -> None:
    """Close tables permanently."""
    closed = {"phase": "closed", "deadline": null(), "remind_at": null(), "wake": null()}
    await connection.execute(update(tables).where(tables.c.id.in_(closing)).values(closed))
    await connection.execute(update(chairs).where(chairs.c.mark != "", chairs.c.table_id.in_(closing)).values(mark=""))
    await outcomes.forget_marks(connection, closing)


async def hand_to_house(
    connection: AsyncConnection, user: UserId, mark: str, playing: Collection[TableId]
) -> dict[TableId, Vacancy]:
    """Give the person's seats in these matches to house players.

    Return the vacancies where the person was playing.
    """
    theirs = and_(chairs.c.user == user, chairs.c.table_id.in_(playing))
    began = and_(chairs.c.owner == user, chairs.c.table_id.in_(playing))
    count = select(func.count()).where(actions.c.table_id == chairs.c.table_id).scalar_subquery()
    seats = select(chairs.c.table_id, chairs.c.seat, chairs.c.vote, chairs.c.house, count.label("ply")).where(theirs)
    left = [row for row in (await connection.execute(seats)).all() if not row.house]
    marked = select(chairs.c.table_id, chairs.c.mark).where(or_(theirs, began), chairs.c.mark != "")
    for other in (await connection.execute(marked)).all():  # an earlier player of the seat, already deleted
        await outcomes.note_substitute(connection, other.table_id, other.mark)
    by_house = {"house": true(), "misses": 0, "away": LEFT, "vote": "", "premoves": "", "mark": mark}
    await connection.execute(update(chairs).where(theirs).values(by_house))
    given_back = {"user": chairs.c.owner, "name": chairs.c.owner_name, "owner": null(), "owner_name": ""}
    await connection.execute(update(chairs).where(theirs, chairs.c.owner_name != "").values(given_back))
    await connection.execute(update(chairs).where(began).values(mark=mark))
    for row in left:
        await outcomes.add_sittings(connection, row.table_id, [Sitting(row.seat, row.ply, None, house=True, away=LEFT)])
    await outcomes.forget_idle(connection, user)
    return {row.table_id: Vacancy(row.seat, row.vote) for row in left}


async def pass_on_hosting(connection: AsyncConnection, user: UserId, playing: Collection[TableId]) -> None:
    """Make the next person in seat order the host of each match hosted by this person."""
    own = chairs.alias()
    seat = select(own.c.seat).where(own.c.table_id == chairs.c.table_id, own.c.user == user).scalar_subquery()
    others = and_(chairs.c.table_id == tables.c.id, chairs.c.user != user, ~chairs.c.house)
    in_turn = select(chairs.c.user).where(others).order_by(chairs.c.seat <= seat, chairs.c.seat)
    heir = in_turn.limit(1).scalar_subquery()
    theirs = and_(tables.c.host == user, tables.c.id.in_(playing))
    await connection.execute(update(tables).where(theirs).values(host=func.coalesce(heir, NO_ID)))


async def withdraw_messages(connection: AsyncConnection, user: UserId, now: datetime) -> list[PendingEffect]:
    """Write the deletion of messages that mention or notify only this person."""
    effects = list[PendingEffect]()
    called = select(pings.c.table_id).where(pings.c.user == user).distinct()
    for table in (await connection.execute(called)).scalars().all():
        effects += await delete_pings(connection, table, user, now)
    asked = select(seat_queue.c.table_id).where(seat_queue.c.user == user, seat_queue.c.asked_at.is_not(None))
    for table in (await connection.execute(asked)).scalars().all():
        effects += await delete_pings(connection, table, SEAT_PING, now)
    told_by = select(notices.c.guild, notices.c.channel, notices.c.message).where(
        notices.c.user == user, ~notices.c.gone
    )
    for row in (await connection.execute(told_by)).all():
        effects.append(pending_effect(MessageDeletion(row.channel, row.message), row.guild or NO_GUILD, None, now))
    return effects


async def update_sheets(connection: AsyncConnection, user: UserId, now: datetime) -> list[PendingEffect]:
    """Return the updates of public scoresheets that list the person."""
    query = (
        select(tables.c.guild, func.min(parts.c.table_id).label("table_id"))
        .join(duplicates, duplicates.c.id == parts.c.duplicate_id)
        .join(tables, tables.c.id == parts.c.table_id)
        .where(parts.c.user == user, duplicates.c.together, tables.c.phase == "over")
        .group_by(parts.c.duplicate_id, tables.c.guild)
    )
    return [pending_effect(ScoresheetUpdate(), row.guild, row.table_id, now) for row in await connection.execute(query)]


# A server


async def forget_server(connection: AsyncConnection, guild: GuildId) -> None:
    """Delete the rows about a server, and the rows that refer to them.

    Global leaderboards are recomputed.
    """
    await connection.execute(delete(leaderboard_states).filter_by(guild=ALL_GUILDS))
    for table in reversed(metadata.sorted_tables):
        await connection.execute(delete(table).where(about_server(table, guild)))


def about_server(table: Table, guild: GuildId) -> ColumnElement[bool]:
    """Return the condition that a row is about a server, by its columns or a foreign key."""
    own = [holding(column, meaning, guild) for column, meaning in meanings(table, "server")]
    for foreign in table.foreign_keys:
        above = foreign.column.table
        own.append(foreign.parent.in_(select(foreign.column).where(about_server(above, guild))))
    return or_(false(), *own)
