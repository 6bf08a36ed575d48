"""Unfinished deletions: noted, with rows left.

Readers hide these people until the last row is gone. Knows which columns hold a person; refuses to know how rows are
deleted. Transactions belong to the caller. A reader selects `shown(table)` instead of the table's columns, and adds
`present(column)` where the whole row is about a person. A condition on a column itself still uses an index.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    String,
    Table,
    and_,
    bindparam,
    case,
    cast,
    delete,
    insert,
    literal,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.refusals import BEING_DELETED, Refused
from bot.store.schema import erasures
from bot.store.schema.columns import Kind, meanings

NAMELESS: Final = "👤"  # the name of a deleted person, followed by the seat number in tables with a seat
NO_ID: Final = 0  # replaces an id in a column that cannot be NULL
WORKER_TIMEOUT: Final = timedelta(
    seconds=30
)  # the pause of a worker after which another process takes its deletion over
ERASED_PEOPLE: Final = select(erasures.c.number).where(erasures.c.kind == "person")
ERASED_AMONG: Final = ERASED_PEOPLE.where(erasures.c.number.in_(bindparam("users", expanding=True))).limit(1)
ONGOING: Final = select(erasures.c.kind, erasures.c.number)


@dataclass(frozen=True, slots=True)
class Erasure:
    """An unfinished deletion. kind, number: the person or server."""

    kind: Kind
    number: int


def is_not_erased(column: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that the person in a column is not being deleted."""
    return column.not_in(ERASED_PEOPLE)


@cache
def visible_columns(table: Table) -> tuple[ColumnElement[Any], ...]:
    """Return a table's columns as after the unfinished deletions.

    People who are being deleted are already nameless.
    """
    columns = {column.name: column for column in table.columns}
    found: dict[str, ColumnElement[Any]] = dict(columns)
    for column, meaning in meanings(table, "person"):
        if meaning.row:
            continue
        gone = column.in_(ERASED_PEOPLE)
        instead: dict[str, ColumnElement[Any]] = dict(nameless_values(table, column.name))
        instead[column.name] = null() if column.nullable else literal(NO_ID)
        for name, value in instead.items():
            found[name] = case((gone, value), else_=columns[name]).label(name)
    return tuple(found.values())


def nameless_values(table: Table, column: str) -> dict[str, ColumnElement[str]]:
    """Return the replacements for the name columns of a deleted person's id column."""
    number = literal(" ") + cast(table.c.seat + 1, String) if "seat" in table.c else literal("")
    return {name.name: literal(NAMELESS) + number for name, meaning in meanings(table, "name") if meaning.of == column}


async def begin(connection: AsyncConnection, erasure: Erasure, worker: int, now: datetime) -> None:
    """Record an unfinished deletion. worker: the process that deletes the rows."""
    known = update(erasures).filter_by(kind=erasure.kind, number=erasure.number)
    values = {"worker": worker, "worked": now}
    if not (await connection.execute(known.values(values))).rowcount:
        row = {"kind": erasure.kind, "number": erasure.number}
        await connection.execute(insert(erasures).values(row | values))


async def load_ongoing(connection: AsyncConnection) -> frozenset[Erasure]:
    """Read the unfinished deletions."""
    rows = await connection.execute(ONGOING)
    return frozenset(Erasure(row.kind, row.number) for row in rows)


async def is_ongoing(connection: AsyncConnection, erasure: Erasure) -> bool:
    """Tell whether a deletion is unfinished."""
    known = select(erasures.c.worker).filter_by(kind=erasure.kind, number=erasure.number)
    return (await connection.execute(known)).first() is not None


async def check(connection: AsyncConnection, users: Collection[UserId | None]) -> None:
    """Raise Refused if one of these people is being deleted.

    A click from before the deletion might write a seat after the note. The deletion has already given up every seat
    and now only removes names, so the new seat would stay without a player.
    """
    if (await connection.execute(ERASED_AMONG, {"users": list(users)})).first() is not None:
        raise Refused(BEING_DELETED)


UNASSIGNED: Final = (
    ONGOING.where(or_(erasures.c.worker == bindparam("of_worker"), erasures.c.worked < bindparam("stale")))
    .order_by(erasures.c.worked, erasures.c.number)
    .limit(1)
)


async def assign(connection: AsyncConnection, worker: int, now: datetime) -> Erasure | None:
    """Assign an unfinished deletion to a process and return it; None without one.

    Candidates: the deletions of the process itself, and those whose process has deleted no rows for a while.
    """
    row = (await connection.execute(UNASSIGNED, {"of_worker": worker, "stale": now - WORKER_TIMEOUT})).first()
    if row is None:
        return None
    which = and_(erasures.c.kind == row.kind, erasures.c.number == row.number)
    await connection.execute(update(erasures).where(which).values(worker=worker, worked=now))
    return Erasure(row.kind, row.number)


async def end(connection: AsyncConnection, erasure: Erasure) -> None:
    """Record that a deletion is finished."""
    await connection.execute(delete(erasures).filter_by(kind=erasure.kind, number=erasure.number))
