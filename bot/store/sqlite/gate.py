"""The way through to a database in a file: one connection, one transaction after the other.

Knows SQLite's locks. One connection is enough: SQLite lets one writer in at a time anyway, and each commit waits for
the disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.engine.gate import Gate
from bot.store.errors import StoreError
from bot.store.sqlite.faults import is_locked, sentence

P = ParamSpec("P")
T = TypeVar("T")


class FileGate(Gate):
    """Lets one transaction through at a time. held: what keeps other programs out, let go at the end."""

    def __init__(self, path: Path, connection: AsyncConnection, held: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._held = held
        self._lock = asyncio.Lock()
        self._closed = False
        self._locked_out = 0

    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the work when it is its turn.

        Another program's lock is waited for once: whoever queued meanwhile waits no second time, later callers do.
        """
        before = self._locked_out
        async with self._lock:
            if self._closed:
                raise asyncio.CancelledError
            if before == self._locked_out:
                return await self._done(work, *args, **kwargs)
            async with self._impatient():
                return await self._done(work, *args, **kwargs)

    async def _done(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        try:
            answer = await work(self.connection, *args, **kwargs)
            await self.connection.commit()
        except DBAPIError as error:
            self._locked_out += is_locked(error.orig)
            await self.connection.rollback()
            raise StoreError(sentence(self.path, error.orig)) from error
        except BaseException:
            await self.connection.rollback()
            raise
        return answer

    @asynccontextmanager
    async def _impatient(self) -> AsyncIterator[None]:
        """Wait for no other program meanwhile; what needs no lock, such as reading, is done all the same."""
        patience = (await self.connection.exec_driver_sql("PRAGMA busy_timeout")).scalar_one()
        await self.connection.exec_driver_sql("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            await self.connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience}")
            await self.connection.rollback()

    async def empty(self) -> None:
        """Bring all that was written into the one file, in which what is deleted is overwritten."""
        await self.run(lambda connection: connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)"))

    async def close(self) -> None:
        """Let those inside finish, then let go of the file."""
        async with self._lock:
            if self._closed:
                return
            self._closed = True
            try:
                await self.connection.close()
            finally:
                self._held.close()
