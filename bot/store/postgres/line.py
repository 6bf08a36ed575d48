"""The one connection of a process beside its pool: it holds the right to use the database, and hears notices.

Knows that a bot shares that right with other bots and with nobody else, and that it goes with the connection. Where
the connection is lost it is opened again; what was said meanwhile was not heard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime.store_address import Server
from bot.store.errors import StoreError
from bot.store.postgres.faults import UNREACHED, refusal

HOLD: Final = 0x42696767  # the number of the lock by which those who use a database tell each other so
IN_USE = "Another running bot uses the database {name}. Stop it first: two bots must never share one."
SHARED_IN_USE = "The database {name} is being copied, checked or put back at the moment. Start the bot after that."

Heard = Callable[[str], None]


class Line:
    """shared: whether other bots may use the database as well."""

    def __init__(self, server: Server, engine: AsyncEngine, *, shared: bool) -> None:
        self._server = server
        self._engine = engine
        self._shared = shared
        self._connection: AsyncConnection | None = None
        self._ears: dict[str, Heard] = {}

    async def open(self) -> None:
        """Take the right to use the database, held as long as the connection; StoreError where somebody else has it."""
        self._connection = await self._engine.connect()
        try:
            await self._take(func.pg_try_advisory_lock_shared if self._shared else func.pg_try_advisory_lock)
            for channel in self._ears:
                await self._listen(self._connection, channel)
        except BaseException:
            await self.close()
            raise

    async def _take(self, lock: Any) -> None:
        if not await self._got(lock):
            raise StoreError((SHARED_IN_USE if self._shared else IN_USE).format(name=self._server))

    async def _got(self, lock: Any) -> bool:
        assert self._connection is not None
        got = (await self._connection.execute(select(lock(HOLD)))).scalar_one()
        await self._connection.commit()
        return bool(got)

    async def alone(self) -> bool:
        """Take the right for oneself, for a moment; tell whether nobody else has any."""
        return await self._got(func.pg_try_advisory_lock)

    async def together(self) -> None:
        """Share the right again."""
        await self._got(func.pg_advisory_unlock)

    async def mend(self) -> None:
        """Open it again where it was lost. StoreError where that cannot be done, or somebody else has the right."""
        if self._connection is not None and not (await _driver(self._connection)).is_closed():
            return
        await self.close()
        try:
            await self.open()
        except UNREACHED as error:
            raise refusal(self._server, error) from error

    async def hear(self, channel: str, heard: Heard) -> None:
        """Hear what is said on a channel from now on."""
        self._ears[channel] = heard
        if self._connection is not None:
            await self._listen(self._connection, channel)

    async def close(self) -> None:
        """Let go of it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()

    async def _listen(self, connection: AsyncConnection, channel: str) -> None:
        heard = self._ears[channel]
        await (await _driver(connection)).add_listener(channel, lambda *said: heard(said[-1]))


async def _driver(connection: AsyncConnection) -> Any:
    """Return the connection as the driver has it."""
    return (await connection.get_raw_connection()).driver_connection
