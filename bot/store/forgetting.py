"""Forgetting a person or a server.

Knows of each column whom it is about, and nothing else of any table but this: who is deleted gives up their seats.
Refuses to know transactions, which are its caller's. What others did and won stays as it was.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    String,
    Table,
    and_,
    cast,
    delete,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    true,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ground.ids import GuildId, UserId
from bot.ground.rating import EVERYWHERE
from bot.ground.results import Sitting
from bot.store import sittings
from bot.store.meaning import Kind, holding, meanings
from bot.store.rows import OPEN
from bot.store.schema import actions, books, chairs, metadata, tables

NAMELESS = "👤"  # the name of whoever is deleted, followed by the seat's number where there is one
LEFT: Final = "left"  # why a house player has the seat, as for whoever leaves
NO_ID = 0  # in place of an id where there must be one


# A person


async def forget_person(connection: AsyncConnection, user: UserId, mark: str) -> None:
    """Take a person out of every table: rows about them go, elsewhere they become nameless.

    mark: their keyed hash, which stays at a running match: it is not theirs to end, whatever they may moderate.
    """
    await pass_on_hosting(connection, user)
    await give_up_seats(connection, user, mark)
    for table in reversed(metadata.sorted_tables):
        for column, _ in meanings(table, "text"):
            await connection.execute(delete(table).where(cast(column, String).like(f"%{user}%")))
        for column, meaning in meanings(table, "person"):
            if meaning.row:
                await connection.execute(delete(table).where(holding(column, meaning, user)))
                continue
            values = names_in_place_of(table, column.name)
            values[column.name] = None if column.nullable else NO_ID
            await connection.execute(update(table).where(holding(column, meaning, user)).values(values))


def names_in_place_of(table: Table, column: str) -> dict[str, Any]:
    """Return what stands in the columns that have the name of the person in this one."""
    number = literal(" ") + cast(table.c.seat + 1, String) if "seat" in table.c else literal("")
    return {name.name: literal(NAMELESS) + number for name, meaning in meanings(table, "name") if meaning.of == column}


async def give_up_seats(connection: AsyncConnection, user: UserId, mark: str) -> None:
    """Let nobody wait for a person: where nobody else sits the table is closed, else the seat goes on without them."""
    theirs = chairs.c.user == user
    at_table = chairs.c.table_id == tables.c.id
    seated, others = exists().where(at_table, theirs), exists().where(at_table, chairs.c.user != user)
    closed = {"phase": "closed", "deadline": null(), "remind_at": null(), "wake": null()}
    await connection.execute(update(tables).where(tables.c.phase.in_(OPEN), seated, ~others).values(closed))
    over = select(tables.c.id).where(tables.c.phase.not_in(OPEN))
    await connection.execute(update(chairs).where(chairs.c.mark != "", chairs.c.table_id.in_(over)).values(mark=""))
    await sittings.forget_marks(connection, over)
    playing, lobbies = (select(tables.c.id).where(tables.c.phase == phase) for phase in ("playing", "lobby"))
    count = select(func.count()).where(actions.c.table_id == chairs.c.table_id).scalar_subquery()
    going = select(chairs.c.table_id, chairs.c.seat, count.label("ply")).where(theirs, ~chairs.c.house)
    for row in (await connection.execute(going.where(chairs.c.table_id.in_(playing)))).all():
        await sittings.add(connection, row.table_id, [Sitting(row.seat, row.ply, None, house=True, away=LEFT)])
    marked = select(chairs.c.table_id, chairs.c.mark).where(or_(theirs, chairs.c.owner == user), chairs.c.mark != "")
    for other in (await connection.execute(marked)).all():  # a player of that seat who was deleted before
        await sittings.note(connection, other.table_id, other.mark)
    by_house = {"house": true(), "misses": 0, "away": LEFT, "vote": "", "orders": "", "mark": mark}
    await connection.execute(update(chairs).where(theirs, chairs.c.table_id.in_(playing)).values(by_house))
    given_back = {"user": chairs.c.owner, "name": chairs.c.owner_name, "owner": null(), "owner_name": ""}
    sat_in = update(chairs).where(theirs, chairs.c.owner_name != "", chairs.c.table_id.in_(playing))
    await connection.execute(sat_in.values(given_back))
    began = update(chairs).where(chairs.c.owner == user, chairs.c.table_id.in_(playing))
    await connection.execute(began.values(mark=mark))
    await connection.execute(delete(chairs).where(theirs, chairs.c.table_id.in_(lobbies)))


async def pass_on_hosting(connection: AsyncConnection, user: UserId) -> None:
    """Make the next person in seat order the host of each open table of which this person is the host."""
    own = chairs.alias()
    seat = select(own.c.seat).where(own.c.table_id == chairs.c.table_id, own.c.user == user).scalar_subquery()
    playing = and_(chairs.c.table_id == tables.c.id, chairs.c.user != user, ~chairs.c.house)
    in_turn = select(chairs.c.user).where(playing).order_by(chairs.c.seat <= seat, chairs.c.seat)
    heir = in_turn.limit(1).scalar_subquery()
    theirs = and_(tables.c.host == user, tables.c.phase.in_(OPEN))
    await connection.execute(update(tables).where(theirs).values(host=func.coalesce(heir, NO_ID)))


# A server


async def forget_server(connection: AsyncConnection, guild: GuildId, _mark: str) -> None:
    """Delete every row that is about a server, and whatever hangs on it. What stood over all is reckoned anew."""
    await connection.execute(delete(books).filter_by(guild=EVERYWHERE))
    for table in reversed(metadata.sorted_tables):
        await connection.execute(delete(table).where(of_server(table, guild)))


def of_server(table: Table, guild: GuildId) -> ColumnElement[bool]:
    """Return which rows of a table are about a server, by themselves or by what they belong to."""
    own = [holding(column, meaning, guild) for column, meaning in meanings(table, "server")]
    for foreign in table.foreign_keys:
        above = foreign.column.table
        own.append(foreign.parent.in_(select(foreign.column).where(of_server(above, guild))))
    return or_(false(), *own)


# Whoever is kept


async def known(connection: AsyncConnection, kind: Kind) -> set[Any]:
    """Return the id of every person (a UserId), or every server (a GuildId), that stands anywhere."""
    return {number for number in (await connection.execute(wherever(kind))).scalars() if number}


@cache
def wherever(kind: Kind) -> CompoundSelect[Any]:
    """Return the query for every person or server in one go: a bot asks for its servers whenever it starts."""
    found = list[Select[Any]]()
    for table in metadata.sorted_tables:
        for column, meaning in meanings(table, kind):
            query = select(column).distinct()
            found.append(query if meaning.where is None else query.where(table.c[meaning.where[0]] == meaning.where[1]))
    return union(*found)
