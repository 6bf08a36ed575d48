"""Deletions that are noted and not carried out to the last row yet, and how readers leave these people out until then.

Knows which columns hold a person; refuses to know how rows are deleted, and transactions, which are its caller's. A
reader asks for `shown(table)` in place of the table's columns, and for `present(column)` where a whole row is about a
person. A condition on a column itself still finds an index.
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
from bot.store.schema.meaning import Kind, meanings

NAMELESS: Final = "👤"  # the name of a deleted person, followed by the seat's number where there is one
NO_ID: Final = 0  # in place of an id where there must be one
PATIENCE: Final = timedelta(seconds=30)  # after which another process takes over from one that deletes no rows any more
PEOPLE: Final = select(erasures.c.number).where(erasures.c.kind == "person")


@dataclass(frozen=True, slots=True)
class Erasure:
    """A deletion of which rows are left. kind, number: whose rows."""

    kind: Kind
    number: int


def present(column: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition under which the person in a column is not being deleted."""
    return column.not_in(PEOPLE)


@cache
def shown(table: Table) -> tuple[ColumnElement[Any], ...]:
    """Return the columns of a table as they will be once all deletions are carried out: without those people."""
    columns = {column.name: column for column in table.columns}
    found: dict[str, ColumnElement[Any]] = dict(columns)
    for column, meaning in meanings(table, "person"):
        if meaning.row:
            continue
        gone = column.in_(PEOPLE)
        instead: dict[str, ColumnElement[Any]] = dict(nameless(table, column.name))
        instead[column.name] = null() if column.nullable else literal(NO_ID)
        for name, value in instead.items():
            found[name] = case((gone, value), else_=columns[name]).label(name)
    return tuple(found.values())


def nameless(table: Table, column: str) -> dict[str, ColumnElement[str]]:
    """Return what stands in the columns that have the name of the person in this one, once the person is deleted."""
    number = literal(" ") + cast(table.c.seat + 1, String) if "seat" in table.c else literal("")
    return {name.name: literal(NAMELESS) + number for name, meaning in meanings(table, "name") if meaning.of == column}


async def begin(connection: AsyncConnection, erasure: Erasure, worker: int, now: datetime) -> None:
    """Write that a deletion is noted. worker: the process that deletes the rows."""
    known = update(erasures).filter_by(kind=erasure.kind, number=erasure.number)
    values = {"worker": worker, "worked": now}
    if not (await connection.execute(known.values(values))).rowcount:
        row = {"kind": erasure.kind, "number": erasure.number}
        await connection.execute(insert(erasures).values(row | values))


async def ongoing(connection: AsyncConnection) -> frozenset[Erasure]:
    """Read the deletions of which rows are left."""
    rows = await connection.execute(select(erasures.c.kind, erasures.c.number))
    return frozenset(Erasure(row.kind, row.number) for row in rows)


async def is_ongoing(connection: AsyncConnection, erasure: Erasure) -> bool:
    """Tell whether rows of a deletion are left."""
    known = select(erasures.c.worker).filter_by(kind=erasure.kind, number=erasure.number)
    return (await connection.execute(known)).first() is not None


async def check(connection: AsyncConnection, users: Collection[UserId | None]) -> None:
    """Raise Refused where rows of one of these people are being deleted.

    A click that came before the deletion may want to write a seat after the note of it. That seat would be left to
    nobody: the deletion has given up all seats, and only takes the name out of what is written since.
    """
    if (await connection.execute(PEOPLE.where(erasures.c.number.in_(users)).limit(1))).first() is not None:
        raise Refused(BEING_DELETED)


async def take(connection: AsyncConnection, worker: int, now: datetime) -> Erasure | None:
    """Return a deletion that a process is to go on with, and write that it does; None where there is none.

    It is one of the process's own, or one whose process has deleted no rows for a while.
    """
    free = or_(erasures.c.worker == worker, erasures.c.worked < now - PATIENCE)
    query = select(erasures.c.kind, erasures.c.number).where(free).order_by(erasures.c.worked, erasures.c.number)
    row = (await connection.execute(query.limit(1))).first()
    if row is None:
        return None
    which = and_(erasures.c.kind == row.kind, erasures.c.number == row.number)
    await connection.execute(update(erasures).where(which).values(worker=worker, worked=now))
    return Erasure(row.kind, row.number)


async def end(connection: AsyncConnection, erasure: Erasure) -> None:
    """Write that no row of a deletion is left."""
    await connection.execute(delete(erasures).filter_by(kind=erasure.kind, number=erasure.number))
