"""The permanent connection of a process beside the pool.

It holds the lock on the database, and receives notifications. A bot shares the lock with other bots, never with tools;
the lock ends with the connection. A lost connection is reopened; notifications sent in between are lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime.store_address import DatabaseServer
from bot.store.errors import StoreError
from bot.store.postgres.faults import DATABASE_ERRORS, store_error

DATABASE_LOCK: Final = 0x42696767  # the number of the advisory lock held by every user of a database
IN_USE = "Another running bot uses the database {name}. Stop it first: two bots must never share one."
SHARED_IN_USE = "The database {name} is being copied, checked or put back at the moment. Start the bot after that."

NotificationHandler = Callable[[str], None]


class LockConnection:
    """The permanent connection. shared: whether other bots may use the database too."""

    def __init__(self, server: DatabaseServer, engine: AsyncEngine, *, shared: bool) -> None:
        self._server = server
        self._engine = engine
        self._shared = shared
        self._connection: AsyncConnection | None = None
        self._handlers: dict[str, NotificationHandler] = {}

    async def open(self) -> None:
        """Take the lock on the database, held as long as the connection.

        Raises StoreError if another program has the lock.
        """
        self._connection = await self._engine.connect()
        try:
            await self._take(func.pg_try_advisory_lock_shared if self._shared else func.pg_try_advisory_lock)
            for channel in self._handlers:
                await self._listen(self._connection, channel)
        except BaseException:
            await self.close()
            raise

    async def _take(self, lock: Any) -> None:
        if not await self._got(lock):
            raise StoreError((SHARED_IN_USE if self._shared else IN_USE).format(name=self._server))

    async def _got(self, lock: Any) -> bool:
        assert self._connection is not None
        got = (await self._connection.execute(select(lock(DATABASE_LOCK)))).scalar_one()
        await self._connection.commit()
        return bool(got)

    async def take_exclusive(self) -> bool:
        """Try to take the exclusive lock for a moment.

        Return False if another bot shares the lock.
        """
        return await self._got(func.pg_try_advisory_lock)

    async def release_exclusive(self) -> None:
        """Release the exclusive lock, and keep the shared one."""
        await self._got(func.pg_advisory_unlock)

    async def reopen(self) -> None:
        """Reopen a lost connection.

        Raises StoreError on failure, and if another program has the lock.
        """
        if self._connection is not None and not (await _driver(self._connection)).is_closed():
            return
        await self.close()
        try:
            await self.open()
        except DATABASE_ERRORS as error:
            raise store_error(self._server, error) from error

    async def hear(self, channel: str, heard: NotificationHandler) -> None:
        """Subscribe to the notifications of a channel."""
        self._handlers[channel] = heard
        if self._connection is not None:
            await self._listen(self._connection, channel)

    async def close(self) -> None:
        """Close the connection, which releases the lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()

    async def _listen(self, connection: AsyncConnection, channel: str) -> None:
        heard = self._handlers[channel]
        await (await _driver(connection)).add_listener(channel, lambda *said: heard(said[-1]))


async def _driver(connection: AsyncConnection) -> Any:
    """Return the driver's connection."""
    return (await connection.get_raw_connection()).driver_connection
