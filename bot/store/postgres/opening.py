"""Opening a server database: locking, checks, and migration.

The first write comes after every check; a migration is one transaction. Refuses to know the meaning of the tables.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.runtime.connection_string import warnings
from bot.runtime.progress import interruptible
from bot.runtime.store_address import DatabaseServer
from bot.store.engine import migration
from bot.store.errors import StoreError
from bot.store.postgres import processes
from bot.store.postgres.connection import connect
from bot.store.postgres.faults import DATABASE_ERRORS, store_error
from bot.store.postgres.gate import MAX_TRANSACTIONS, ServerGate
from bot.store.postgres.line import LockConnection

log = logging.getLogger(__name__)

NOT_UPDATED = "Stopped. The database is as it was before its update, which begins anew at the next start."
OLDER = "The database {name} is of an older version. Say `python -m bot store upgrade` first."
TOGETHER = (
    "The database {name} is of an older version, and other bots use it. Stop them all; then start this one first."
)


def engine_for(server: DatabaseServer) -> AsyncEngine:
    """Return an engine with a small pool and serializable transactions."""
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=partial(connect, server),
        pool_size=MAX_TRANSACTIONS + 2,  # one more holds the lock, and one renews the lease
        max_overflow=0,
        isolation_level="SERIALIZABLE",
        hide_parameters=True,
    )


async def open_gate(server: DatabaseServer, *, unfinished_too: bool = False, shared: bool = False) -> ServerGate:
    """Open and migrate the database. Raises StoreError, with the database unchanged.

    unfinished_too: accept an unfinished copy, to continue the copying. shared: share the database with other bots;
    a migration then needs their absence.
    """
    for said in warnings(server.connection_string):
        log.warning("The database %s: %s", server, said)
    engine = engine_for(server)
    line = LockConnection(server, engine, shared=shared)
    async with AsyncExitStack() as undo:
        undo.push_async_callback(engine.dispose)
        undo.push_async_callback(line.close)
        try:
            await line.open()
            await prepare(engine, server, line if shared else None, unfinished_too=unfinished_too)
        except DATABASE_ERRORS as error:
            raise store_error(server, error) from error
        undo.pop_all()
    return ServerGate(server, engine, line)


async def prepare(
    engine: AsyncEngine, server: DatabaseServer, line: LockConnection | None, *, unfinished_too: bool
) -> None:
    """Check the database, and run the missing migrations, completely or not at all. line: holds a shared lock."""
    async with engine.connect() as connection:
        current = await connection.run_sync(migration.read_revision, server, unfinished_too=unfinished_too)
        if line is None:
            await processes.end_all(connection)
            await connection.commit()
        if current == migration.newest_revision():
            return
        if line is not None and not await line.alone():
            raise StoreError(TOGETHER.format(name=server))
        with interruptible(NOT_UPDATED):
            await connection.run_sync(migration.upgrade)
            await connection.commit()
        if line is not None:
            await line.together()


@asynccontextmanager
async def snapshot_connection(server: DatabaseServer) -> AsyncIterator[AsyncConnection]:
    """Yield a connection with a fixed snapshot of the database, unaffected by a running bot.

    Raises StoreError for an unavailable database, and for another version of the schema.
    """
    engine = engine_for(server)
    try:
        async with engine.connect() as connection:
            await connection.execution_options(postgresql_readonly=True, postgresql_deferrable=True)
            if await connection.run_sync(migration.read_revision, server) != migration.newest_revision():
                raise StoreError(OLDER.format(name=server))
            yield connection
    except DATABASE_ERRORS as error:
        raise store_error(server, error) from error
    finally:
        await engine.dispose()


OTHER_USERS = text(
    "SELECT rolname FROM pg_roles WHERE rolcanlogin AND NOT rolsuper AND rolname <> current_user"
    " AND has_database_privilege(rolname, current_database(), 'CONNECT') ORDER BY rolname"
)


async def read_server_revision(server: DatabaseServer) -> str | None:
    """Return the revision of a database, None for an empty one, without changing anything. Raises StoreError."""
    engine = engine_for(server)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(migration.read_revision, server)
    except DATABASE_ERRORS as error:
        raise store_error(server, error) from error
    finally:
        await engine.dispose()


async def other_users(server: DatabaseServer) -> tuple[str, ...]:
    """Return the other database users with the right to connect, except superusers."""
    engine = engine_for(server)
    try:
        async with engine.connect() as connection:
            return tuple((await connection.execute(OTHER_USERS)).scalars())
    except DATABASE_ERRORS as error:
        raise store_error(server, error) from error
    finally:
        await engine.dispose()
