"""The one connection to the database and the one way through to it: a whole transaction at a time.

Knows transactions, their order and their errors; refuses to know any table. One connection is enough: SQLite lets
one writer in at a time anyway, and each commit waits for the disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.errors import StoreError
from bot.store.faults import is_locked, sentence

P = ParamSpec("P")
T = TypeVar("T")


class Gate:
    """Lets one transaction through at a time."""

    def __init__(self, path: Path, connection: AsyncConnection) -> None:
        self.path = path
        self.connection = connection
        self._lock = asyncio.Lock()
        self._closed = False
        self._locked_out = 0

    async def run(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do all of ``work`` in one transaction, or nothing of it: StoreError if the database cannot.

        Another program's lock is waited for once: whoever queued meanwhile waits no second time, later callers do.
        A caller that is cancelled does not cut a transaction in two: it is finished without them.
        """
        return await asyncio.shield(self._through(work, *args, **kwargs))

    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        before = self._locked_out
        async with self._lock:
            if self._closed:
                raise StoreError(f"The database {self.path} is closed.")
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

    async def close(self) -> None:
        """Let those inside finish, then let nobody in any more."""
        async with self._lock:
            if not self._closed:
                self._closed = True
                await self.connection.close()
