"""What lies in a database on a server, read from outside while bots use it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from bot.ground.address import Server
from tests.kill.kept import CHAIRS, STEPS, TABLES, KeptTable
from tests.postgres import named

ONE = TABLES.replace("ORDER BY id", "WHERE id = $1")
PLIES = "SELECT t.id, t.phase, count(a.ply) FROM tables t LEFT JOIN actions a ON a.table_id = t.id GROUP BY t.id"
HOLDERS = "SELECT shard, process FROM bigger_processes.shards ORDER BY shard"
HANDED = "SELECT count(*) FROM bigger_processes.handed"
SEATS = 'SELECT count(*) FROM chairs WHERE "user" = $1 OR owner = $1'
MEMBERS = "SELECT count(*) FROM bigger_processes.processes"


@dataclass(frozen=True)
class Snapshot:
    """All tables at one time, as a ledger asks for them."""

    found: tuple[KeptTable, ...]

    def tables(self) -> tuple[KeptTable, ...]:
        return self.found


class Kept:
    """The database."""

    def __init__(self, database: Server, connection: asyncpg.Connection) -> None:
        self._database = database
        self._connection = connection
        self._lock = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def opened(cls, database: Server) -> AsyncIterator[Kept]:
        made = cls(database, await asyncpg.connect(database.reveal()))
        try:
            yield made
        finally:
            await made._connection.close()

    async def away(self) -> None:
        """Let nobody reach the database any more, this one included."""
        await self._connection.close()
        await _say(f'ALTER DATABASE "{self._database.name}" ALLOW_CONNECTIONS false')
        ending = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self._database.name}'"
        await _say(ending)

    async def back(self) -> None:
        """Let everybody reach it again."""
        await _say(f'ALTER DATABASE "{self._database.name}" ALLOW_CONNECTIONS true')
        self._connection = await asyncpg.connect(self._database.reveal())

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
        """How many chairs are somebody's."""
        async with self._lock:
            found: int = await self._connection.fetchval(SEATS, user)
        return found

    async def plies(self) -> dict[int, int]:
        """How many steps there are of each table that is open."""
        async with self._lock:
            rows = await self._connection.fetch(PLIES)
        return {row[0]: row[2] for row in rows if row[1] == "playing"}

    async def holders(self) -> dict[int, int | None]:
        """Which process has which shard."""
        async with self._lock:
            return {row[0]: row[1] for row in await self._connection.fetch(HOLDERS)}

    async def handed(self) -> int:
        """How much is handed to a process that has not taken it."""
        async with self._lock:
            return int(await self._connection.fetchval(HANDED))

    async def members(self) -> int:
        """How many processes there are."""
        async with self._lock:
            return int(await self._connection.fetchval(MEMBERS))


async def _say(statement: str) -> None:
    connection = await asyncpg.connect(named("postgres").reveal())
    await connection.execute(statement)
    await connection.close()
