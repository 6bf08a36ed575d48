"""The gate of a database file: one connection, one transaction at a time.

One connection is enough: SQLite admits a single writer anyway, and each commit waits for the disk.
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
    """Runs one transaction at a time. held: the lock against other programs, released by `close`."""

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
        """Run the work when its turn comes.

        Only the first transaction waits for another program's lock; those queued meanwhile do not wait again,
        later ones do.
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
        """Disable the wait for locks of other programs; reading, which needs no lock, still succeeds."""
        patience = (await self.connection.exec_driver_sql("PRAGMA busy_timeout")).scalar_one()
        await self.connection.exec_driver_sql("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            await self.connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience}")
            await self.connection.rollback()

    async def empty(self) -> None:
        """Merge the journal into the database file, where deleted data is overwritten."""
        await self.run(lambda connection: connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)"))

    async def close(self) -> None:
        """Finish the running transaction, then release the file."""
        async with self._lock:
            if self._closed:
                return
            self._closed = True
            try:
                await self.connection.close()
            finally:
                self._held.close()
