"""Reads the database on a server from outside while bots use it, and takes it away from them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import asyncpg

from bot.runtime.store_address import DatabaseServer
from bot.store.postgres import processes
from bot.store.postgres.opening import engine_for
from tests.kill.database_file import CHAIRS, STEPS, TABLES, StoredTable
from tests.support.postgres import database_address

ONE_TABLE = TABLES.replace("ORDER BY id", "WHERE id = $1")
PLIES = "SELECT t.id, t.phase, count(a.ply) FROM tables t LEFT JOIN actions a ON a.table_id = t.id GROUP BY t.id"
HOLDERS = "SELECT shard, process FROM bigger_processes.shards ORDER BY shard"
PENDING_MESSAGES = "SELECT count(*) FROM bigger_processes.handed"
SEATS = 'SELECT count(*) FROM chairs WHERE "user" = $1 OR owner = $1'
LIVE_LEASES = "SELECT count(*) FROM bigger_processes.leases WHERE until > clock_timestamp()"
AGE_LEASES = """
UPDATE bigger_processes.leases SET renewed = renewed - $1::interval, until = until - $1::interval
FROM bigger_processes.processes WHERE id = process AND split_part(name, ' ', 2) = ANY ($2)
"""
# Records each turn to identify that a process takes, by the time until which no other process may identify.
RECORD_TURNS = """
CREATE TABLE bigger_processes.identify_turns (until timestamptz);
CREATE FUNCTION bigger_processes.note_turn() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO bigger_processes.identify_turns VALUES (NEW.free); RETURN NULL; END $$;
CREATE TRIGGER note_turn AFTER INSERT OR UPDATE ON bigger_processes.identifies
    FOR EACH ROW EXECUTE FUNCTION bigger_processes.note_turn();
"""
IDENTIFY_TURNS = "SELECT until FROM bigger_processes.identify_turns ORDER BY until"


@dataclass(frozen=True, repr=False)
class Snapshot:
    """The state of all tables at one time, in the form that a ledger reads."""

    stored: tuple[StoredTable, ...]

    def tables(self) -> tuple[StoredTable, ...]:
        return self.stored


class SharedDatabase:
    """The database that the bots of a trial share."""

    def __init__(self, database: DatabaseServer, connection: asyncpg.Connection) -> None:
        self._database = database
        self._connection = connection
        self._lock = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def opened(cls, database: DatabaseServer) -> AsyncIterator[SharedDatabase]:
        made = cls(database, await asyncpg.connect(database.reveal()))
        try:
            yield made
        finally:
            await made._connection.close()

    async def block_connections(self) -> None:
        """Refuse new connections to the database and close those of the bots."""
        await _execute_as_admin(f'ALTER DATABASE "{self._database.name}" ALLOW_CONNECTIONS false')
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        async with self._lock:
            await self._connection.execute(f"SELECT pg_terminate_backend(pid) {others}")  # our own SQL

    async def allow_connections(self) -> None:
        """Allow connections to the database again."""
        await _execute_as_admin(f'ALTER DATABASE "{self._database.name}" ALLOW_CONNECTIONS true')

    async def age_leases(self, passed: timedelta, pids: Iterable[int]) -> None:
        """Let the leases of these processes end earlier by this duration."""
        async with self._lock:
            await self._connection.execute(AGE_LEASES, passed, [str(pid) for pid in pids])

    async def table(self, number: int) -> StoredTable:
        async with self._lock:
            return await self._table((await self._connection.fetch(ONE_TABLE, number))[0])

    async def snapshot(self) -> Snapshot:
        async with self._lock:
            return Snapshot(tuple([await self._table(row) for row in await self._connection.fetch(TABLES)]))

    async def _table(self, row: asyncpg.Record) -> StoredTable:
        chairs = await self._connection.fetch(CHAIRS.replace("?", "$1"), row["id"])
        steps = await self._connection.fetch(STEPS.replace("?", "$1"), row["id"])
        return StoredTable(**dict(row), chairs=tuple(map(tuple, chairs)), steps=tuple(map(tuple, steps)))

    async def count_seats(self, user: int) -> int:
        """Return the number of chairs that belong to a player."""
        async with self._lock:
            seats: int = await self._connection.fetchval(SEATS, user)
        return seats

    async def plies(self) -> dict[int, int]:
        """Return the number of steps of each open table."""
        async with self._lock:
            rows = await self._connection.fetch(PLIES)
        return {row[0]: row[2] for row in rows if row[1] == "playing"}

    async def holders(self) -> dict[int, int | None]:
        """Return the process that has each shard."""
        async with self._lock:
            return {row[0]: row[1] for row in await self._connection.fetch(HOLDERS)}

    async def count_pending_messages(self) -> int:
        """Return the number of messages to processes that have not been received."""
        async with self._lock:
            return int(await self._connection.fetchval(PENDING_MESSAGES))

    async def count_live_leases(self) -> int:
        """Return the number of processes with an unexpired lease."""
        async with self._lock:
            return int(await self._connection.fetchval(LIVE_LEASES))

    async def record_identify_turns(self) -> None:
        """Record from now on each turn to identify that a process takes."""
        engine = engine_for(self._database)
        async with engine.begin() as connection:
            await processes.make(connection)
        await engine.dispose()
        await self._connection.execute(RECORD_TURNS)

    async def identify_turns(self) -> list[datetime]:
        """Return the end of each turn to identify, the earliest first."""
        async with self._lock:
            return [row[0] for row in await self._connection.fetch(IDENTIFY_TURNS)]


async def _execute_as_admin(statement: str) -> None:
    connection = await asyncpg.connect(database_address("postgres").reveal())
    await connection.execute(statement)
    await connection.close()
