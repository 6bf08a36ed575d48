"""The way through to a database on a PostgreSQL server: several transactions at once, each as if it were alone.

Knows how transactions stand in each other's way, and when one may be begun again. All run at SERIALIZABLE: what they
read and write comes out as if one had followed the other, as in a file. The server ends one of two that cannot; it has
written nothing, and is begun again. So is one whose connection was lost before its COMMIT was sent. Where it was lost
after that, nobody knows whether it was done: that is told and never done again, and whoever asked looks what is there.

Where processes share a database, each transaction of a member first looks for the row that makes it one
(bot/store/processes.py); it is gone where others took the process for gone, and then nothing is written (Fenced). That
is tight whenever the process was held up, be it between this look and its COMMIT. For its transaction W has read the
row that the transaction T of whoever took its shards deletes, so W comes before T; a transaction R of theirs has read
their own row, which T wrote, so it comes after T; and if R did not see what W wrote, R comes before W. These three have
no order, so the server ends one of them: W, which is the last to be kept, or it was seen.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.ground.address import Server
from bot.store import processes
from bot.store.errors import Fenced, StoreError
from bot.store.gate import CLOSED, Gate
from bot.store.server_faults import AGAIN, UNKNOWN, UNREACHED, is_lost, sentence, state_of
from bot.store.server_line import Line

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE: Final = 4  # transactions, and so connections, of one process
PATIENCE: Final = 1.0  # seconds in which a transaction is begun again; then whoever waits is told
FEWEST: Final = 4  # tries of one that others stood in the way of, however long they take
FENCED = "This process was away from the database {name} for so long that others have taken its place. It starts anew."
PAUSE, LONGEST_PAUSE = 0.01, 0.2  # seconds between two tries at most: more each time, and spread by chance


class ServerGate(Gate):
    """Lets so many transactions through at once as there are connections.

    line: holds the right to use the database. member: the number of this process among those that share the database,
    None for one that does not.
    """

    def __init__(self, server: Server, engine: AsyncEngine, line: Line) -> None:
        self.line = line
        self.member: int | None = None
        self._server = server
        self._engine = engine
        self._room = asyncio.Semaphore(AT_ONCE)
        self._dice = random.Random()  # noqa: S311  # only spreads tries
        self._closed = False

    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        async with self._room:
            clock = asyncio.get_running_loop().time
            until, pause, tries = clock() + PATIENCE, PAUSE, 0
            while not self._closed:
                try:
                    return await self._done(work, *args, **kwargs)
                except _Again as again:
                    tries += 1
                    if clock() > until and (tries > FEWEST or is_lost(again.error)):
                        raise StoreError(sentence(self._server, again.error)) from again.error
                await asyncio.sleep(pause * self._dice.random())
                pause = min(2 * pause, LONGEST_PAUSE)
        raise StoreError(CLOSED.format(name=self._server))

    async def _done(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the work once. Raises _Again where it may be begun again: nothing of it was done."""
        sent = False
        try:
            async with self._engine.connect() as connection:
                if self.member is not None and not await processes.is_member(connection, self.member):
                    raise Fenced(FENCED.format(name=self._server))
                answer = await work(connection, *args, **kwargs)
                sent = True
                await connection.commit()
                return answer
        except UNREACHED as error:
            if sent and is_lost(error):
                raise StoreError(UNKNOWN.format(name=self._server)) from error
            if state_of(error) in AGAIN or is_lost(error):
                raise _Again(error) from error
            raise StoreError(sentence(self._server, error)) from error

    async def empty(self) -> None:
        """Leave it to the server, which overwrites what was deleted in its own time (VACUUM)."""

    async def close(self) -> None:
        """Let those inside finish, then let go of all connections."""
        if self._closed:
            return
        for _ in range(AT_ONCE):
            await self._room.acquire()
        self._closed = True
        for _ in range(AT_ONCE):
            self._room.release()
        await self.line.close()
        await self._engine.dispose()


class _Again(Exception):
    """A transaction that may be begun again. error: what ended it."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
