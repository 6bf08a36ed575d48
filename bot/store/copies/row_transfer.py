"""Copying a whole store, row by row, from one kind of database to another.

Knows the tables and that each has a primary key, in the order of which its rows are read and written, a page at a
time: a copy that was cut off goes on where it stopped. Refuses to know what the rows mean. A target says that it is
unfinished until all has been compared, and no bot opens it so long.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    ColumnElement,
    RowMapping,
    Select,
    String,
    Table,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from bot.runtime.progress import Reach, adding, stage
from bot.store.engine.gate import Gate
from bot.store.engine.migration import UNFINISHED
from bot.store.errors import StoreError
from bot.store.schema import metadata

PAGE: Final = 1000  # rows
NOT_EMPTY = "There are games in the database to copy to already. Nothing was changed; name an empty one."
UNLIKE = "What was copied of {table} is not what is there to copy. The copy stays unfinished; begin with an empty one."

Rows: TypeAlias = Sequence[RowMapping]
Read: TypeAlias = Callable[[Select[Any]], Awaitable[Rows]]


class Bytewise(ColumnElement[str]):
    """A text that is compared by its bytes, as a file does it, and not as people of some country would."""

    inherit_cache = True
    type = String()

    def __init__(self, column: ColumnElement[str]) -> None:
        self.column = column


@compiles(Bytewise)
def _bytewise(element: Bytewise, compiler: SQLCompiler, **said: Any) -> str:
    return compiler.process(element.column, **said)


@compiles(Bytewise, "postgresql")
def _bytewise_on_a_server(element: Bytewise, compiler: SQLCompiler, **said: Any) -> str:
    return f'{compiler.process(element.column, **said)} COLLATE "C"'


class TableDigest(NamedTuple):
    """What a table comes to. digest: SHA-256 over its rows, the same in every kind of database."""

    rows: int
    digest: str


def read_through(gate: Gate) -> Read:
    """Return what reads a query through a gate."""

    async def read(query: Select[Any]) -> Rows:
        async def work(connection: AsyncConnection) -> Rows:
            return await rows(connection, query)

        return await gate.run(work)

    return read


async def rows(connection: AsyncConnection, query: Select[Any]) -> Rows:
    """Read a query."""
    found: Rows = (await connection.execute(query)).mappings().all()
    return found


async def copy(read: Read, target: Gate, say: Callable[[str], None] = lambda _line: None) -> Mapping[str, TableDigest]:
    """Copy all rows into a target of the same schema that is empty, or unfinished; return what each table comes to.

    StoreError where it holds games already, and where it comes out otherwise than it was read.
    """
    await begin(target)
    into = read_through(target)
    total = await count(read)
    with stage("copying", total, "rows") as reach:
        copied = adding(reach, await count(into))
        for table in metadata.sorted_tables:
            await fill(read, into, target, table, copied)
    sums = await compare(read, into, total)
    for name, found in sums.items():
        say(f"{name}: {found.rows} rows, {found.digest[:16]}")
    await target.run(finish)
    return sums


async def compare(read: Read, into: Read, total: int) -> Mapping[str, TableDigest]:
    """Return what each table comes to; StoreError where it comes to something else in the copy."""
    sums = dict[str, TableDigest]()
    with stage("comparing", 2 * total, "rows") as reach:
        compared = adding(reach)
        for table in metadata.sorted_tables:
            sums[table.name] = await sum_of(read, table, compared)
            if await sum_of(into, table, compared) != sums[table.name]:
                raise StoreError(UNLIKE.format(table=table.name))
    return sums


async def count(read: Read) -> int:
    """Count the rows of all tables."""
    queries = [select(func.count()).select_from(table).scalar_subquery() for table in metadata.sorted_tables]
    found = (await read(select(*queries)))[0]
    return sum(int(number) for number in found.values())


async def begin(target: Gate) -> None:
    """Say of an empty database that it is an unfinished copy; StoreError where it is neither."""

    async def work(connection: AsyncConnection) -> None:
        if await unfinished(connection):
            return
        for table in metadata.sorted_tables:
            if (await connection.execute(select(literal(1)).select_from(table).limit(1))).first():
                raise StoreError(NOT_EMPTY)
        await mark_unfinished(connection)

    await target.run(work)


async def unfinished(connection: AsyncConnection) -> bool:
    """Tell whether a database is an unfinished copy."""
    return await connection.run_sync(lambda wire: wire.dialect.has_table(wire, UNFINISHED))


async def mark_unfinished(connection: AsyncConnection) -> None:
    """Say that a database is an unfinished copy."""
    if not await unfinished(connection):
        await connection.execute(text(f"CREATE TABLE {UNFINISHED} (id INTEGER PRIMARY KEY)"))


async def clear(connection: AsyncConnection) -> None:
    """Delete all rows, to be copied into."""
    for table in reversed(metadata.sorted_tables):
        await connection.execute(delete(table))
    await mark_unfinished(connection)


async def finish(connection: AsyncConnection) -> None:
    """Say that a copy is whole, and let numbers that count by themselves go on after those that were copied."""
    if connection.dialect.name == "postgresql":
        for table in metadata.sorted_tables:
            if (column := table.autoincrement_column) is not None:
                last = select(func.max(column)).scalar_subquery()
                counter = func.pg_get_serial_sequence(table.name, column.name)
                await connection.execute(select(func.setval(counter, func.coalesce(last, 1), last.is_not(None))))
    await connection.execute(text(f"DROP TABLE {UNFINISHED}"))


async def fill(read: Read, into: Read, target: Gate, table: Table, copied: Reach) -> None:
    """Write the rows of a table that come after the last one that is there. copied: hears how many, page by page."""
    last = await into(select(*table.primary_key.columns).order_by(*(one.desc() for one in order(table))).limit(1))
    async for page in pages(read, table, list(last[0].values()) if last else None):
        await target.run(AsyncConnection.execute, insert(table), [dict(row) for row in page])
        copied(len(page))


async def pages(read: Read, table: Table, after: Sequence[Any] | None = None) -> AsyncIterator[Rows]:
    """Yield the rows of a table in the order of its key, after one of these keys."""
    key = tuple(table.primary_key.columns)
    while page := await read(later(select(table), table, after).order_by(*order(table)).limit(PAGE)):
        yield page
        after = [page[-1][column.name] for column in key]
        if len(page) < PAGE:
            return


def later(query: Select[Any], table: Table, after: Sequence[Any] | None) -> Select[Any]:
    """Ask only for what comes after a row with this key."""
    if after is None:
        return query
    key = table.primary_key.columns
    return query.where(
        tuple_(*order(table)) > tuple_(*(literal(one, at.type) for one, at in zip(after, key, strict=True)))
    )


def order(table: Table) -> list[ColumnElement[Any]]:
    """Return the columns of a key, of which texts are in the same order everywhere."""
    return [Bytewise(column) if isinstance(column.type, String) else column for column in table.primary_key.columns]


async def sum_of(read: Read, table: Table, heard: Reach = lambda _rows: None) -> TableDigest:
    """Add a table up. heard: hears of how many rows, page by page."""
    rows, digest = 0, hashlib.sha256()
    async for page in pages(read, table):
        rows += len(page)
        heard(len(page))
        for row in page:
            digest.update(json.dumps(list(row.values()), default=plain, sort_keys=True, ensure_ascii=False).encode())
            digest.update(b"\n")
    return TableDigest(rows, digest.hexdigest())


def plain(value: object) -> object:
    """Write what JSON has no word for."""
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case bytes():
            return value.hex()
    return str(value)
