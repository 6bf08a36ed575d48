"""Writes of tables: new tables, their changes, and the end of matches.

Transactions belong to the caller, who may roll back every function here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from sqlalchemy import (
    Table,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.chairs import Chair, Cut, Revision
from bot.domain.effects import LobbyOpening, pending_effect
from bot.domain.ids import TableId
from bot.domain.pace import Deadline, SeatTime
from bot.domain.results import MatchOutcome
from bot.store.engine import erasures
from bot.store.errors import AlreadyWritten, StoreError
from bot.store.repositories import moderations, notices, outbox, outcomes, records
from bot.store.rows import ENDED_PHASES, NEVER, NO_MESSAGE, REPLACED_FIELDS, MatchStep, NewTable, TableChange
from bot.store.schema import actions, chairs, cuts, parts, results, seat_times, tables

NEXT_NUMBER = (
    select(func.coalesce(func.max(tables.c.number), 0) + 1)
    .where(tables.c.guild == bindparam("of_guild"))
    .scalar_subquery()
)
NEW_TABLE = insert(tables).values(number=NEXT_NUMBER)
ADD_STEPS = insert(actions)
ADD_CHAIRS = insert(chairs)
ADD_TIMES = insert(seat_times)
DROP_TIMES = delete(seat_times).where(seat_times.c.table_id == bindparam("of_table"))
DROP_CUTS = delete(cuts).where(cuts.c.table_id == bindparam("of_table"))
DROP_CHAIRS = delete(chairs).where(chairs.c.table_id == bindparam("of_table"))
DROP_MARKS = update(chairs).where(chairs.c.table_id == bindparam("of_table"), chairs.c.mark != "").values(mark="")
CHANGE_TABLE = update(tables).where(tables.c.id == bindparam("of_table"))
PLAIN = tuple(
    name for name in REPLACED_FIELDS if name in tables.c
)  # fields stored unchanged in a column of the same name


async def new_table(
    connection: AsyncConnection, new: NewTable, seated: tuple[Chair, ...], deadline: Deadline | None
) -> TableId:
    """Create a lobby with the next number of its guild; return the id."""
    values = {field.name: getattr(new, field.name) for field in fields(new) if field.name != "steps"}
    values |= {"home": new.channel, "phase": "lobby", "options": dict(new.options), "of_guild": new.guild}
    values["touched"] = new.created
    result = await connection.execute(NEW_TABLE, values | deadline_columns(deadline))
    table = TableId(result.inserted_primary_key[0])  # type: ignore[index]  # always present after an INSERT of one row
    await add_chairs(connection, table, seated)
    if new.steps:
        await connection.execute(ADD_STEPS, rows_of(table, new.steps))
    if not new.solo:
        await outbox.add(connection, [pending_effect(LobbyOpening(new.host), new.guild, table, new.created)])
    return table


def deadline_columns(deadline: Deadline | None) -> dict[str, Any]:
    """Return the columns of a deadline."""
    if deadline is None:
        return {"deadline": None, "remind_at": None, "reminded": False, "wake": None, "shut_out": None}
    reminder = {"remind_at": deadline.remind_at, "reminded": deadline.reminded}
    return {"deadline": deadline.at, **reminder, "wake": deadline.next, "shut_out": deadline.shut_out}


def revision_columns(revised: Revision) -> dict[str, Any]:
    """Return the columns of the latest change of a lobby's terms.

    They hold the editor and the earlier terms.
    """
    editor = {"revised_by": revised.by, "revised_name": revised.name, "revised_at": revised.at}
    return editor | {"was_preset": revised.preset, "was_options": dict(revised.options), "was_pace": revised.pace}


async def save(connection: AsyncConnection, table: TableId, change: TableChange) -> None:
    """Write a change that a table has decided (`bot/table/table.py`).

    Raises AlreadyWritten for a known ply, part or result, StoreError for a missing table.
    """
    try:
        await write_rows(connection, table, change)
    except IntegrityError as error:
        await connection.rollback()
        raise await conflict(connection, table, change, error) from error


async def write_rows(connection: AsyncConnection, table: TableId, change: TableChange) -> None:
    """Write the given parts of a change."""
    if change.steps:
        await connection.execute(ADD_STEPS, rows_of(table, change.steps))
    values = table_columns(change)
    if values and (await connection.execute(CHANGE_TABLE, values | {"of_table": table})).rowcount != 1:
        raise StoreError(f"There is no table {table}.")
    if change.chairs or change.cuts is not None:
        await write_seats(connection, table, change)
    if change.sittings or change.parts:
        await write_sittings(connection, table, change)
    if change.times is not None or change.phase in ENDED_PHASES:
        await write_times(connection, table, () if change.phase in ENDED_PHASES else change.times or ())
    if change.phase in ENDED_PHASES or change.paused is not None:
        await drop_ended_marks(connection, table, change)
    if change.moderation is not None:
        await moderations.add(connection, table, change.moderation)
    if change.outcome is not None:
        await write_end(connection, table, change, change.outcome)
    if change.sent:
        await outbox.end(connection, change.sent)
    await outbox.add(connection, change.effects)


async def write_end(connection: AsyncConnection, table: TableId, change: TableChange, outcome: MatchOutcome) -> None:
    """Write the outcome and score of a match, and the openings of a long one."""
    await outcomes.add(connection, table, outcome)
    if change.score is not None:
        await outcomes.add_score(connection, table, change.score)
        await outcomes.add_deeds(connection, table, change.score)
    if change.openings:
        await records.add_openings(connection, table, change.openings)


async def write_seats(connection: AsyncConnection, table: TableId, change: TableChange) -> None:
    """Write the chairs of a table, and the words of players who cut the cards."""
    if change.chairs:
        await connection.execute(DROP_CHAIRS, {"of_table": table})
        await add_chairs(connection, table, change.chairs)
    if change.cuts is not None:
        await write_cuts(connection, table, change.cuts)


async def write_sittings(connection: AsyncConnection, table: TableId, change: TableChange) -> None:
    """Write new sittings, and new parts in a duplicate."""
    if change.sittings:
        await outcomes.add_sittings(connection, table, change.sittings)
        await outcomes.note_substitute(connection, table, change.sits_in)
    if change.parts:
        await connection.execute(insert(parts), [part.row for part in change.parts])


async def drop_ended_marks(connection: AsyncConnection, table: TableId, change: TableChange) -> None:
    """Delete suspension notices of a resumed table; of an ended table also the marks."""
    if change.phase in ENDED_PHASES:
        await drop_marks(connection, table)
    if change.phase in ENDED_PHASES or change.suspended_since is None:
        await notices.forget_suspension(connection, table)


async def drop_marks(connection: AsyncConnection, table: TableId) -> None:
    """Delete the marks of players and substitutes at an ended table; results stay."""
    await connection.execute(DROP_MARKS, {"of_table": table})
    await outcomes.forget_marks(connection, [table])


async def write_times(connection: AsyncConnection, table: TableId, times: tuple[SeatTime, ...]) -> None:
    """Replace the remaining times of seats."""
    await connection.execute(DROP_TIMES, {"of_table": table})
    if times:
        await connection.execute(ADD_TIMES, rows_of(table, times))


async def write_cuts(connection: AsyncConnection, table: TableId, new_cuts: tuple[Cut, ...]) -> None:
    """Replace the words added to the seed by players."""
    await connection.execute(DROP_CUTS, {"of_table": table})
    if new_cuts:
        await connection.execute(insert(cuts), rows_of(table, new_cuts))


def table_columns(change: TableChange) -> dict[str, Any]:
    """Return the columns of the table itself in a change."""
    values = {name: value for name in PLAIN if (value := getattr(change, name)) is not None}
    if change.message == NO_MESSAGE:
        values["message"] = None
    if change.premove_at == NEVER:
        values["premove_at"] = None
    if change.at is not None:
        values["touched"] = change.at
    if change.touch_deadline:
        values |= deadline_columns(change.deadline)
    if change.revised is not None:
        values |= revision_columns(change.revised)
    if change.place is not None:
        values |= {"within": change.place.channel, "hidden": change.place.hidden}
    if change.paused is not None:
        values |= {"held": change.held, "suspended_since": change.suspended_since}
    return values


def rows_of(table: TableId, parts: Iterable[Chair | SeatTime | MatchStep | Cut]) -> list[dict[str, Any]]:
    """Return the rows of values that belong to a table."""
    return [{"table_id": table} | {field.name: getattr(part, field.name) for field in fields(part)} for part in parts]


async def add_chairs(connection: AsyncConnection, table: TableId, seated: Iterable[Chair]) -> None:
    """Write the chairs of a new table. Raises Refused for a person being deleted."""
    seated = tuple(seated)
    await erasures.check(connection, {chair.user for chair in seated})
    if rows := rows_of(table, seated):
        await connection.execute(ADD_CHAIRS, rows)


async def conflict(
    connection: AsyncConnection, table: TableId, change: TableChange, error: IntegrityError
) -> Exception:
    """Return, after the rollback, the conflict of a failed change."""
    if not await exists(connection, tables, id=table):
        return StoreError(f"There is no table {table}.")
    for step in change.steps:
        if await exists(connection, actions, table_id=table, ply=step.ply):
            return AlreadyWritten(f"Ply {step.ply} of table {table} is taken.")
    for part in change.parts:
        if await exists(connection, parts, duplicate_id=part.number, user=part.user):
            return AlreadyWritten(f"Somebody at table {table} plays its deals already.")
    if change.outcome is not None and await exists(connection, results, table_id=table):
        return AlreadyWritten(f"Table {table} has its result already.")
    return error


async def exists(connection: AsyncConnection, table: Table, **key: object) -> bool:
    """Return whether a row with a key exists."""
    rows = await connection.execute(select(literal(1)).select_from(table).filter_by(**key).limit(1))
    return rows.first() is not None
