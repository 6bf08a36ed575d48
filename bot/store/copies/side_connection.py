"""A short-lived connection for command-line tools, on the database of a running bot.

Works for both kinds of databases, in one short transaction. Independent of the statements.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import column, func, select, table
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.runtime.store_address import Address, DatabaseServer
from bot.store.engine import migration
from bot.store.engine.deletion_ledger import DeletionLedger, FileDeletionLedger, ledger_path
from bot.store.erasure.deletions import noted_count
from bot.store.errors import StoreError
from bot.store.postgres import deletion_ledger
from bot.store.postgres import faults as server_faults
from bot.store.postgres import opening as server_opening
from bot.store.postgres.lock_connection import DATABASE_LOCK
from bot.store.postgres.processes import Member, members
from bot.store.repositories.clock import LAST_BEAT
from bot.store.rows import OPEN_PHASES
from bot.store.schema import tables
from bot.store.sqlite import faults, opening

DUE = select(func.min(tables.c.wake))
HOW_MANY = select(func.count()).select_from(tables).where(tables.c.phase.in_(OPEN_PHASES))
pg_locks = table("pg_locks", *map(column, ("locktype", "database", "classid", "objid", "granted")))
pg_database = table("pg_database", column("oid"), column("datname"))
NONE_YET = "There is no database yet: {name}. Start the bot once, then say it again."


@asynccontextmanager
async def connect_beside_bot(address: Address) -> AsyncIterator[AsyncConnection]:
    """Yield a connection to a database in possible use by a bot.

    Raises StoreError for a missing or unavailable database. An error, also of the caller, rolls back every write.
    """
    if isinstance(address, Path) and not address.is_file():
        raise StoreError(NONE_YET.format(name=address))
    engine = server_opening.engine_for(address) if isinstance(address, DatabaseServer) else opening.engine_for(address)
    try:
        async with engine.connect() as connection:
            if await connection.run_sync(migration.read_revision, address) is None:
                raise StoreError(NONE_YET.format(name=address))
            if isinstance(address, Path):
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
            await connection.commit()
    except (DBAPIError, *server_faults.DATABASE_ERRORS) as error:
        raise _refusal(address, error) from error
    finally:
        await engine.dispose()


async def ledger_beside(address: Address, connection: AsyncConnection) -> DeletionLedger:
    """Return the ledger of deletions of a database. Raises StoreError."""
    if isinstance(address, DatabaseServer):
        return await deletion_ledger.read(connection)
    ledger = FileDeletionLedger(ledger_path(address))
    await ledger.after(connection, await noted_count(connection))  # before a lost key is replaced
    return ledger


@dataclass(frozen=True, slots=True)
class BotState:
    """The state of a bot.

    beat: the last heartbeat. tables: the number of open tables. due: the next timed action at a table.
    """

    beat: datetime | None
    tables: int
    due: datetime | None


async def read_members(connection: AsyncConnection, address: Address) -> tuple[tuple[Member, ...], int]:
    """Read the members that share a database, and the number of shards without a process.

    A database file has neither.
    """
    return await members(connection) if isinstance(address, DatabaseServer) else ((), 0)


async def read_bot_state(connection: AsyncConnection) -> BotState:
    """Read the state of the bot that uses the database."""
    beat, due = [(await connection.execute(asked)).scalar() for asked in (LAST_BEAT, DUE)]
    return BotState(beat, (await connection.execute(HOW_MANY)).scalar_one(), due)


async def is_used(connection: AsyncConnection, address: Address) -> bool:
    """Tell whether a process uses the database; a lock shows it, which ends with the process."""
    if isinstance(address, Path):
        return opening.is_in_use(address)
    held = (
        pg_locks.c.locktype == "advisory",
        pg_locks.c.classid == 0,
        pg_locks.c.objid == DATABASE_LOCK,
        pg_locks.c.granted,
    )
    here = select(pg_database.c.oid).where(pg_database.c.datname == func.current_database()).scalar_subquery()
    query = select(func.count()).select_from(pg_locks).where(*held, pg_locks.c.database == here)
    return bool((await connection.execute(query)).scalar_one())


def _refusal(address: Address, error: BaseException) -> StoreError:
    if isinstance(address, DatabaseServer):
        return server_faults.store_error(address, error)
    return StoreError(faults.sentence(address, error.orig if isinstance(error, DBAPIError) else error))
