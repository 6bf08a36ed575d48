"""The way through to a database on a PostgreSQL server: several transactions at once, each as if it were alone.

Knows how transactions stand in each other's way, and when one may be begun again. All run at SERIALIZABLE: what they
read and write comes out as if one had followed the other, as in a file. The server ends one of two that cannot; it has
written nothing, and is begun again. So is one whose connection was lost before its COMMIT was sent. Where it was lost
after that, nobody knows whether it was done: that is told and never done again, and whoever asked looks what is there.

The transactions of one process never conflict: those that may write follow each other, and those beside them are READ
ONLY. A conflict needs two concurrent transactions that both write, one of which reads what the other one writes; so
only processes that share a database conflict. A transaction is short, and each COMMIT waits for the same disk anyway.

Where processes share a database, each transaction of a member first looks for the row that makes it one
(bot/store/postgres/processes.py); it is gone where others took the process for gone, and then nothing is written
(Fenced). That is tight whenever the process was held up, be it between this look and its COMMIT. For its transaction W
has read the row that the transaction T of whoever took its shards deletes, so W comes before T; a transaction R of
theirs has read their own row, which T wrote, so it comes after T; and if R did not see what W wrote, R comes before W.
These three have no order, so the server ends one of them: W, which is the last to be kept, or it was seen.

In the same look it sees whether somebody has been deleted by another process. What is in memory here may hold them, so
nothing is done (Behind) before it has been read again; of one who is deleted just then the server ends W as above.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime.store_address import Server
from bot.runtime.tasks import start_awaited
from bot.store.engine.gate import Gate, note_slow
from bot.store.errors import Behind, Busy, Fenced, StoreError
from bot.store.postgres import processes
from bot.store.postgres.faults import AGAIN, CONFLICTS, UNKNOWN, UNREACHED, is_lost, refusal, state_of
from bot.store.postgres.line import Line

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE: Final = 4  # transactions, and so connections, of one process: one that writes, the others only read
PATIENCE: Final = (
    1.0  # seconds in which a transaction is begun again whose connection was lost; then the caller is told
)
PERSISTENCE: Final = 10.0  # seconds in which one is begun again that conflicts with those of other processes
FEWEST: Final = 4  # tries of one that conflicts, however long they take
FENCED = "This process was away from the database {name} for so long that others have taken its place. It starts anew."
BEHIND = "Somebody was deleted from {name} a moment ago. What is in memory is read again; nothing was written."
PAUSE, LONGEST_PAUSE = 0.01, 0.2  # seconds between two tries at most: more each time, and spread by chance

Connecting: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]


async def whole(doing: Coroutine[Any, Any, T]) -> T:
    """Do something to its end, also where whoever waits for it is cancelled; then nobody hears what becomes of it."""
    return await asyncio.shield(start_awaited(doing))


class ServerGate(Gate):
    """Lets one transaction through that may write, and beside it some that only read.

    line: holds the right to use the database. behind: told where others have deleted somebody since.
    """

    _whole = staticmethod(whole)

    def __init__(self, server: Server, engine: AsyncEngine, line: Line) -> None:
        self.line = line
        self.behind: Callable[[], None] = lambda: None
        self._server = server
        self._engine = engine
        self._writing = asyncio.Lock()
        self._reading = asyncio.Semaphore(AT_ONCE - 1)
        self._dice = random.Random()  # only spreads tries
        self._one_among = (
            asyncio.Lock()
        )  # with a connection of its own: a lease must not wait for what is done under it
        self._closed = False

    async def run_among(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do what is about the processes themselves, and about nobody who may have been deleted; else as `run`."""
        return await whole(self._beside(work, *args, **kwargs))

    async def _beside(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        async with self._one_among:
            return await self._tried(self._engine.connect, self._among, work, *args, **kwargs)

    async def read(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do ``work`` in a transaction that cannot write, beside the others of this process; else as `run`."""
        began = time.monotonic()
        answer = await whole(self._tried(self._to_read, self._following, work, *args, **kwargs))
        note_slow(work, began)
        return answer

    async def run_alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do work that reads nearly everything, and would stand in all ways, while no process does anything else."""
        return await whole(self._alone(work, *args, **kwargs))

    async def _alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        try:
            async with self._writing, self._reading, self._open_connection() as connection:
                await connection.execute(select(func.pg_advisory_lock(processes.ALONE)))
                await connection.commit()
                try:
                    return await self._tried(self._engine.connect, self._following_alone, work, *args, **kwargs)
                finally:
                    await connection.execute(select(func.pg_advisory_unlock(processes.ALONE)))
                    await connection.commit()
        except UNREACHED as error:
            raise refusal(self._server, error) from error

    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self._tried(self._to_write, self._following, work, *args, **kwargs)

    @asynccontextmanager
    async def _to_write(self) -> AsyncIterator[AsyncConnection]:
        async with self._writing, self._open_connection() as connection:
            yield connection

    @asynccontextmanager
    async def _to_read(self) -> AsyncIterator[AsyncConnection]:
        async with self._reading, self._open_connection() as connection:
            yield await connection.execution_options(postgresql_readonly=True)

    def _open_connection(self) -> AbstractAsyncContextManager[AsyncConnection]:
        self._check_open()
        return self._engine.connect()

    def _check_open(self) -> None:
        if self._closed:
            raise asyncio.CancelledError

    async def _among(self, connection: AsyncConnection, *, beside_others: bool = False) -> int:
        """Return how many deletions there have been; Fenced where this process is no member any more."""
        if self.member is None:
            return self.forgotten
        there, deletions = await processes.look(connection, self.member, beside_others=beside_others)
        if not there:
            raise Fenced(FENCED.format(name=self._server))
        return deletions

    async def _following(self, connection: AsyncConnection) -> int:
        """Do the same; Behind where not all of the deletions have been followed here."""
        return self._followed(await self._among(connection, beside_others=True))

    async def _following_alone(self, connection: AsyncConnection) -> int:
        return self._followed(await self._among(connection))

    def _followed(self, deletions: int) -> int:
        if deletions != self.forgotten:
            self.behind()
            raise Behind(BEHIND.format(name=self._server))
        return deletions

    async def _tried(
        self,
        connecting: Connecting,
        look: Callable[[AsyncConnection], Awaitable[int]],
        work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do the work, again and again where it may be begun again. connecting: gives a connection for one try."""
        began, pause, tries = time.monotonic(), PAUSE, 0
        while True:
            self._check_open()
            try:
                return await self._done(connecting, look, work, *args, **kwargs)
            except _Again as again:
                tries += 1
                self._check_patience(again, time.monotonic() - began, tries)
            await asyncio.sleep(pause * self._dice.random())
            pause = min(2 * pause, LONGEST_PAUSE)

    def _check_patience(self, again: _Again, took: float, tries: int) -> None:
        """Raise StoreError where a transaction is not begun again. took: seconds since its first try began."""
        lost, conflict = is_lost(again.error), state_of(again.error) in CONFLICTS
        if took > (PERSISTENCE if conflict else PATIENCE) and (lost or tries > FEWEST):
            wrong = refusal(self._server, again.error)
            raise (Busy(str(wrong)) if conflict else wrong) from again.error
        if self.retried is not None:
            self.retried("connection" if lost else "conflict")

    async def _done(
        self,
        connecting: Connecting,
        look: Callable[[AsyncConnection], Awaitable[int]],
        work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do the work once. Raises _Again where it may be begun again: nothing of it was done."""
        sent = False
        try:
            async with connecting() as connection:
                await look(connection)
                answer = await work(connection, *args, **kwargs)
                sent = True
                await connection.commit()
                return answer
        except UNREACHED as error:
            if sent and is_lost(error):
                raise StoreError(UNKNOWN.format(name=self._server)) from error
            if state_of(error) in AGAIN or is_lost(error):
                raise _Again(error) from error
            raise refusal(self._server, error) from error

    async def empty(self) -> None:
        """Leave it to the server, which overwrites what was deleted in its own time (VACUUM)."""

    async def close(self) -> None:
        """Let those inside finish, then let go of all connections."""
        if self._closed:
            return
        async with self._one_among, self._writing:
            for _ in range(AT_ONCE - 1):
                await self._reading.acquire()
            self._closed = True
            for _ in range(AT_ONCE - 1):
                self._reading.release()
        await self.line.close()
        await self._engine.dispose()


class _Again(Exception):
    """A transaction that may be begun again. error: what ended it."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
