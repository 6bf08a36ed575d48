"""What lies in a database on a server, read from outside while bots use it."""

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
from tests.kill.database_file import CHAIRS, STEPS, TABLES, KeptTable
from tests.support.postgres import database_address

ONE = TABLES.replace("ORDER BY id", "WHERE id = $1")
PLIES = "SELECT t.id, t.phase, count(a.ply) FROM tables t LEFT JOIN actions a ON a.table_id = t.id GROUP BY t.id"
HOLDERS = "SELECT shard, process FROM bigger_processes.shards ORDER BY shard"
HANDED = "SELECT count(*) FROM bigger_processes.handed"
SEATS = 'SELECT count(*) FROM chairs WHERE "user" = $1 OR owner = $1'
RENEWED = "SELECT count(*) FROM bigger_processes.leases WHERE until > clock_timestamp()"
LATER = """
UPDATE bigger_processes.leases SET renewed = renewed - $1::interval, until = until - $1::interval
FROM bigger_processes.processes WHERE id = process AND split_part(name, ' ', 2) = ANY ($2)
"""
# Each turn to identify that any player takes, by the moment until which nobody else may.
NOTE_TURNS = """
CREATE TABLE bigger_processes.turns (until timestamptz);
CREATE FUNCTION bigger_processes.note_turn() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO bigger_processes.turns VALUES (NEW.free); RETURN NULL; END $$;
CREATE TRIGGER note_turn AFTER INSERT OR UPDATE ON bigger_processes.identifies
    FOR EACH ROW EXECUTE FUNCTION bigger_processes.note_turn();
"""
TURNS = "SELECT until FROM bigger_processes.turns ORDER BY until"


@dataclass(frozen=True, repr=False)
class Snapshot:
    """All tables at one time, for a ledger."""

    found: tuple[KeptTable, ...]

    def tables(self) -> tuple[KeptTable, ...]:
        return self.found


class Kept:
    """The database."""

    def __init__(self, database: DatabaseServer, connection: asyncpg.Connection) -> None:
        self._database = database
        self._connection = connection
        self._lock = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def opened(cls, database: DatabaseServer) -> AsyncIterator[Kept]:
        made = cls(database, await asyncpg.connect(database.reveal()))
        try:
            yield made
        finally:
            await made._connection.close()

    async def away(self) -> None:
        """Let nobody else reach the database any more."""
        await _say(f'ALTER DATABASE "{self._database.name}" ALLOW_CONNECTIONS false')
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        async with self._lock:
            await self._connection.execute(f"SELECT pg_terminate_backend(pid) {others}")  # our own words

    async def back(self) -> None:
        """Let every player reach it again."""
        await _say(f'ALTER DATABASE "{self._database.name}" ALLOW_CONNECTIONS true')

    async def later(self, passed: timedelta, pids: Iterable[int]) -> None:
        """Move the leases of these processes forward by this time."""
        async with self._lock:
            await self._connection.execute(LATER, passed, [str(pid) for pid in pids])

    async def table(self, number: int) -> KeptTable:
        async with self._lock:
            return await self._table((await self._connection.fetch(ONE, number))[0])

    async def all(self) -> Snapshot:
        async with self._lock:
            return Snapshot(tuple([await self._table(row) for row in await self._connection.fetch(TABLES)]))

    async def _table(self, row: asyncpg.Record) -> KeptTable:
        chairs = await self._connection.fetch(CHAIRS.replace("?", "$1"), row["id"])
        steps = await self._connection.fetch(STEPS.replace("?", "$1"), row["id"])
        return KeptTable(**dict(row), chairs=tuple(map(tuple, chairs)), steps=tuple(map(tuple, steps)))

    async def seats_of(self, user: int) -> int:
        """How many chairs are a player's."""
        async with self._lock:
            found: int = await self._connection.fetchval(SEATS, user)
        return found

    async def plies(self) -> dict[int, int]:
        """Number of steps of each open table."""
        async with self._lock:
            rows = await self._connection.fetch(PLIES)
        return {row[0]: row[2] for row in rows if row[1] == "playing"}

    async def holders(self) -> dict[int, int | None]:
        """Which process has which shard."""
        async with self._lock:
            return {row[0]: row[1] for row in await self._connection.fetch(HOLDERS)}

    async def handed(self) -> int:
        """Number of tables offered to a process and not taken."""
        async with self._lock:
            return int(await self._connection.fetchval(HANDED))

    async def renewed(self) -> int:
        """How many processes have a lease that has not run out."""
        async with self._lock:
            return int(await self._connection.fetchval(RENEWED))

    async def note_turns(self) -> None:
        """Note from now on each turn to identify that a player takes."""
        engine = engine_for(self._database)
        async with engine.begin() as connection:
            await processes.make(connection)
        await engine.dispose()
        await self._connection.execute(NOTE_TURNS)

    async def turns(self) -> list[datetime]:
        """Until when each turn to identify was a player's."""
        async with self._lock:
            return [row[0] for row in await self._connection.fetch(TURNS)]


async def _say(statement: str) -> None:
    connection = await asyncpg.connect(database_address("postgres").reveal())
    await connection.execute(statement)
    await connection.close()
