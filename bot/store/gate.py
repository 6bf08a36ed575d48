"""The one connection to the database and the one way through to it: a whole transaction at a time.

Knows transactions, their order and their errors; refuses to know any table. One connection is enough: SQLite lets
one writer in at a time anyway, and each commit waits for the disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.faults import sentence
from bot.store.rows import StoreError

P = ParamSpec("P")
T = TypeVar("T")


class Gate:
    """Lets one transaction through at a time."""

    def __init__(self, path: Path, connection: AsyncConnection) -> None:
        self.path = path
        self.connection = connection
        self._lock = asyncio.Lock()
        self._closed = False

    async def run(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do all of ``work`` in one transaction, or nothing of it: StoreError if the database cannot.

        A caller that is cancelled does not cut a transaction in two: it is finished without them.
        """
        return await asyncio.shield(self._through(work, *args, **kwargs))

    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        async with self._lock:
            if self._closed:
                raise StoreError(f"The database {self.path} is closed.")
            try:
                answer = await work(self.connection, *args, **kwargs)
                await self.connection.commit()
            except DBAPIError as error:
                await self.connection.rollback()
                raise StoreError(sentence(self.path, error.orig)) from error
            except BaseException:
                await self.connection.rollback()
                raise
            return answer

    async def close(self) -> None:
        """Let those inside finish, then let nobody in any more."""
        async with self._lock:
            if not self._closed:
                self._closed = True
                await self.connection.close()
