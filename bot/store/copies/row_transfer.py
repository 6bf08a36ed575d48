"""Copies of a whole store, row by row, between different kinds of databases.

Rows are read and written in primary key order, a page at a time, so that an interrupted copy can be resumed. A target
is marked as unfinished until the comparison has passed, and no bot opens an unfinished copy. Independent of the
meaning of the rows.
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
from bot.store.engine.migration import UNFINISHED_TABLE
from bot.store.errors import StoreError
from bot.store.schema import metadata

PAGE: Final = 1000  # rows
NOT_EMPTY = "There are games in the database to copy to already. Nothing was changed; name an empty one."
UNLIKE = "What was copied of {table} is not what is there to copy. The copy stays unfinished; begin with an empty one."

Rows: TypeAlias = Sequence[RowMapping]
Read: TypeAlias = Callable[[Select[Any]], Awaitable[Rows]]


class Bytewise(ColumnElement[str]):
    """A text column compared by bytes, as in SQLite, independent of the server's collation."""

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
    """The content of a table. digest: SHA-256 of the rows, the same in every kind of database."""

    rows: int
    digest: str


def read_through(gate: Gate) -> Read:
    """Return a function that runs a query through a gate."""

    async def read(query: Select[Any]) -> Rows:
        async def work(connection: AsyncConnection) -> Rows:
            return await rows(connection, query)

        return await gate.run(work)

    return read


async def rows(connection: AsyncConnection, query: Select[Any]) -> Rows:
    """Return the rows of a query."""
    found: Rows = (await connection.execute(query)).mappings().all()
    return found


async def copy(read: Read, target: Gate, say: Callable[[str], None] = lambda _line: None) -> Mapping[str, TableDigest]:
    """Copy every row into an empty or unfinished target with the same schema.

    Return a digest of each table. Raises StoreError for a target with rows of its own, and for a difference in the
    comparison.
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
    """Return the digest of each table. Raises StoreError if the copy has a different digest."""
    sums = dict[str, TableDigest]()
    with stage("comparing", 2 * total, "rows") as reach:
        compared = adding(reach)
        for table in metadata.sorted_tables:
            sums[table.name] = await digest_table(read, table, compared)
            if await digest_table(into, table, compared) != sums[table.name]:
                raise StoreError(UNLIKE.format(table=table.name))
    return sums


async def count(read: Read) -> int:
    """Return the number of rows of all tables."""
    queries = [select(func.count()).select_from(table).scalar_subquery() for table in metadata.sorted_tables]
    found = (await read(select(*queries)))[0]
    return sum(int(number) for number in found.values())


async def begin(target: Gate) -> None:
    """Mark an empty database as an unfinished copy.

    Raises StoreError if it has rows and no mark.
    """

    async def work(connection: AsyncConnection) -> None:
        if await is_unfinished(connection):
            return
        for table in metadata.sorted_tables:
            if (await connection.execute(select(literal(1)).select_from(table).limit(1))).first():
                raise StoreError(NOT_EMPTY)
        await mark_unfinished(connection)

    await target.run(work)


async def is_unfinished(connection: AsyncConnection) -> bool:
    """Tell whether a database is an unfinished copy."""
    return await connection.run_sync(lambda wire: wire.dialect.has_table(wire, UNFINISHED_TABLE))


async def mark_unfinished(connection: AsyncConnection) -> None:
    """Mark a database as an unfinished copy."""
    if not await is_unfinished(connection):
        await connection.execute(text(f"CREATE TABLE {UNFINISHED_TABLE} (id INTEGER PRIMARY KEY)"))


async def clear(connection: AsyncConnection) -> None:
    """Delete every row, and mark the database as an unfinished copy."""
    for table in reversed(metadata.sorted_tables):
        await connection.execute(delete(table))
    await mark_unfinished(connection)


async def finish(connection: AsyncConnection) -> None:
    """Mark a copy as complete, and continue a server's sequences after the copied ids."""
    if connection.dialect.name == "postgresql":
        for table in metadata.sorted_tables:
            if (column := table.autoincrement_column) is not None:
                last = select(func.max(column)).scalar_subquery()
                counter = func.pg_get_serial_sequence(table.name, column.name)
                await connection.execute(select(func.setval(counter, func.coalesce(last, 1), last.is_not(None))))
    await connection.execute(text(f"DROP TABLE {UNFINISHED_TABLE}"))


async def fill(read: Read, into: Read, target: Gate, table: Table, copied: Reach) -> None:
    """Write the missing rows of a table, after the last row of the target.

    copied: receives the number of each page.
    """
    last = await into(select(*table.primary_key.columns).order_by(*(one.desc() for one in order(table))).limit(1))
    async for page in pages(read, table, list(last[0].values()) if last else None):
        await target.run(AsyncConnection.execute, insert(table), [keyed(table, row) for row in page])
        copied(len(page))


def keyed(table: Table, row: RowMapping) -> dict[str, Any]:
    """Return a row by the keys of its columns, as an INSERT wants the row."""
    return {column.key: row[column.name] for column in table.columns}


async def pages(read: Read, table: Table, after: Sequence[Any] | None = None) -> AsyncIterator[Rows]:
    """Yield the rows of a table in key order, starting after a given key."""
    key = tuple(table.primary_key.columns)
    while page := await read(after_key(select(table), table, after).order_by(*order(table)).limit(PAGE)):
        yield page
        after = [page[-1][column.name] for column in key]
        if len(page) < PAGE:
            return


def after_key(query: Select[Any], table: Table, after: Sequence[Any] | None) -> Select[Any]:
    """Restrict a query to rows after a key; unrestricted without a key."""
    if after is None:
        return query
    key = table.primary_key.columns
    return query.where(
        tuple_(*order(table)) > tuple_(*(literal(one, at.type) for one, at in zip(after, key, strict=True)))
    )


def order(table: Table) -> list[ColumnElement[Any]]:
    """Return the key columns of a table, with texts ordered alike in every database."""
    return [Bytewise(column) if isinstance(column.type, String) else column for column in table.primary_key.columns]


async def digest_table(read: Read, table: Table, heard: Reach = lambda _rows: None) -> TableDigest:
    """Return the digest of a table. heard: receives the number of rows of each page."""
    rows, digest = 0, hashlib.sha256()
    async for page in pages(read, table):
        rows += len(page)
        heard(len(page))
        for row in page:
            digest.update(
                json.dumps(list(row.values()), default=json_value, sort_keys=True, ensure_ascii=False).encode()
            )
            digest.update(b"\n")
    return TableDigest(rows, digest.hexdigest())


def json_value(value: object) -> object:
    """Return a value for JSON in place of a type without a JSON form."""
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case bytes():
            return value.hex()
    return str(value)
