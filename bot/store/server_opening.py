"""Opening a database on a PostgreSQL server: whether it is the bot's own, who uses it, and bringing it up to date.

Knows PostgreSQL's settings and locks; refuses to know what the tables mean. Nothing is written before all checks are
passed, and all steps of a migration are one transaction.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from sqlalchemy import URL, func, make_url, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.ground.address import Server
from bot.store import migrating
from bot.store.errors import StoreError
from bot.store.server_faults import UNREACHED, sentence
from bot.store.server_gate import AT_ONCE, ServerGate

HOLD: Final = 0x42696767  # the number of the lock by which bots tell each other that they use a database
CONNECTING: Final = 2.0  # seconds
ANSWERING: Final = 30.0  # seconds for one statement
SETTINGS: Final = {
    "application_name": "bigger",
    "lock_timeout": "2000",  # milliseconds
    "idle_in_transaction_session_timeout": "60000",
}
OLDER = "The database {name} is of an older version. Say `python -m bot store upgrade` first."
IN_USE = "Another running bot uses the database {name}. Stop it first: two bots must never share one."


def engine_for(server: Server) -> AsyncEngine:
    """Make an engine of at most AT_ONCE connections, each transaction of which is as if it were alone."""
    connecting = {"timeout": CONNECTING, "command_timeout": ANSWERING, "server_settings": SETTINGS}
    return create_async_engine(
        url_of(server),
        pool_size=AT_ONCE + 1,  # one holds the lock
        max_overflow=0,
        isolation_level="SERIALIZABLE",
        hide_parameters=True,
        connect_args=connecting,
    )


def url_of(server: Server) -> URL:
    """Write an address as the driver wants it; what other drivers call sslmode is called ssl there."""
    url = make_url(server.reveal()).set(drivername="postgresql+asyncpg")
    query = {"ssl" if name == "sslmode" else name: value for name, value in url.query.items()}
    return url.set(query=query)


async def open_gate(server: Server, *, unfinished_too: bool = False) -> ServerGate:
    """Open the database, which is brought up to date. StoreError says why it cannot be had; it is then untouched.

    unfinished_too: whether it may be a copy that was not finished, to go on with it.
    """
    engine = engine_for(server)
    async with AsyncExitStack() as undo:
        undo.push_async_callback(engine.dispose)
        try:
            held = await undo.enter_async_context(engine.connect())
            await hold(held, server)
            await prepare(engine, server, unfinished_too=unfinished_too)
        except UNREACHED as error:
            raise StoreError(sentence(server, error)) from error
        undo.pop_all()
    return ServerGate(server, engine, held)


async def hold(connection: AsyncConnection, server: Server) -> None:
    """Take the right to use the database, held as long as the connection; StoreError if another bot has it."""
    held = (await connection.execute(select(func.pg_try_advisory_lock(HOLD)))).scalar_one()
    await connection.commit()
    if not held:
        raise StoreError(IN_USE.format(name=server))


async def prepare(engine: AsyncEngine, server: Server, *, unfinished_too: bool) -> None:
    """Check whose database it is, and take all missing steps, or none."""
    async with engine.connect() as connection:
        current = await connection.run_sync(migrating.revision_of, server, unfinished_too=unfinished_too)
        if current != migrating.newest():
            await connection.run_sync(migrating.upgrade)
            await connection.commit()


@asynccontextmanager
async def as_it_stands(server: Server) -> AsyncIterator[AsyncConnection]:
    """Give a connection that reads the database as it is now, whatever is written meanwhile, also while the bot runs.

    StoreError where it cannot be had, or is not of this version of the bot.
    """
    engine = engine_for(server)
    try:
        async with engine.connect() as connection:
            await connection.execution_options(postgresql_readonly=True, postgresql_deferrable=True)
            if await connection.run_sync(migrating.revision_of, server) != migrating.newest():
                raise StoreError(OLDER.format(name=server))
            yield connection
    except UNREACHED as error:
        raise StoreError(sentence(server, error)) from error
    finally:
        await engine.dispose()


async def look(server: Server) -> str | None:
    """Return the revision of a database, None for an empty one, and change nothing; StoreError says what is wrong."""
    engine = engine_for(server)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(migrating.revision_of, server)
    except UNREACHED as error:
        raise StoreError(sentence(server, error)) from error
    finally:
        await engine.dispose()
