"""The gate of a server database: concurrent serializable transactions, with retries.

Every transaction runs at SERIALIZABLE: the result equals that of some serial order, as with a file. Of two transactions
without a serial order the server aborts one, which has written nothing and is retried. A transaction whose connection
was lost before COMMIT is retried too. After a connection lost during COMMIT the outcome is unknown: the caller gets an
error, no retry happens, and the caller reads the state again.

Transactions of one process never conflict: writers run one at a time, and concurrent readers are READ ONLY. A conflict
needs two concurrent writers, one of which reads rows written by the other; so only processes that share a database
conflict. A transaction is short, and each COMMIT waits for the same disk anyway.

Where processes share a database, each transaction of a member first reads the member's own row
(bot/store/postgres/processes.py). Other processes delete the row of a member with an expired lease; afterwards the
member writes nothing (Fenced). The fence holds at whatever point the process was delayed, even between the read and
COMMIT. Proof: the delayed transaction W has read the row that the successor's transaction T deletes, so W precedes T. A
later transaction R of the successor has read the successor's row, written by T, so R follows T. If R did not see the
writes of W, then R precedes W. These three have no serial order, so the server aborts W, the last to commit; otherwise
R saw the writes of W.

The same read returns the number of deletions. If another process has deleted a person, the state in memory may still
hold that person's data, so the transaction is refused (DeletionsPending) until the state is reloaded. Against a
concurrent deletion the fence above holds as well.
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

from bot.runtime.store_address import DatabaseServer
from bot.runtime.tasks import start_awaited
from bot.store.engine.gate import Gate, note_slow
from bot.store.errors import DeletionsPending, Fenced, StoreError, WriteConflict
from bot.store.postgres import processes
from bot.store.postgres.faults import (
    CONFLICTS,
    DATABASE_ERRORS,
    RETRIED_STATES,
    UNKNOWN,
    is_lost,
    state_of,
    store_error,
)
from bot.store.postgres.line import LockConnection

P = ParamSpec("P")
T = TypeVar("T")
MAX_TRANSACTIONS: Final = 4  # concurrent transactions (and connections) of a process: one writer, the others READ ONLY
RECONNECT_SECONDS: Final = 1.0  # seconds of retries after a lost connection; then the caller gets an error
CONFLICT_SECONDS: Final = 10.0  # seconds of retries after conflicts with other processes
MIN_CONFLICT_ATTEMPTS: Final = 4  # minimum number of attempts after conflicts, however long they take
FENCED = "This process was away from the database {name} for so long that others have taken its place. It starts anew."
BEHIND = "Somebody was deleted from {name} a moment ago. What is in memory is read again; nothing was written."
PAUSE, LONGEST_PAUSE = (
    0.01,
    0.2,
)  # upper limits in seconds of the first and of every later pause, doubled each time

Connecting: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]


async def run_to_end(doing: Coroutine[Any, Any, T]) -> T:
    """Complete a coroutine even if the caller is cancelled; the result is then dropped."""
    return await asyncio.shield(start_awaited(doing))


class ServerGate(Gate):
    """Runs a single writing transaction, and several reading ones beside it.

    line: holds the lock on the database. behind: called when another process has deleted a person.
    """

    _whole = staticmethod(run_to_end)

    def __init__(self, server: DatabaseServer, engine: AsyncEngine, line: LockConnection) -> None:
        self.line = line
        self.behind: Callable[[], None] = lambda: None
        self._server = server
        self._engine = engine
        self._writing = asyncio.Lock()
        self._reading = asyncio.Semaphore(MAX_TRANSACTIONS - 1)
        self._dice = random.Random()  # only spreads the retries
        self._one_among = (
            asyncio.Lock()
        )  # with a connection of its own: the renewal of a lease must not wait for other work
        self._closed = False

    async def run_for_group(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run work on the membership tables: like `run`, but even before deletions were applied.

        The tables hold no person.
        """
        return await run_to_end(self._beside(work, *args, **kwargs))

    async def _beside(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        async with self._one_among:
            return await self._tried(self._engine.connect, self._among, work, *args, **kwargs)

    async def read(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``work`` in a READ ONLY transaction, beside others of this process; otherwise like `run`."""
        began = time.monotonic()
        answer = await run_to_end(self._tried(self._to_read, self._following, work, *args, **kwargs))
        note_slow(work, began)
        return answer

    async def run_alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run work that reads nearly every row while every process pauses, since it would conflict with each writer."""
        return await run_to_end(self._alone(work, *args, **kwargs))

    async def _alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        try:
            async with self._writing, self._reading, self._open_connection() as connection:
                await connection.execute(select(func.pg_advisory_lock(processes.EXCLUSIVE_LOCK)))
                await connection.commit()
                try:
                    return await self._tried(self._engine.connect, self._following_alone, work, *args, **kwargs)
                finally:
                    await connection.execute(select(func.pg_advisory_unlock(processes.EXCLUSIVE_LOCK)))
                    await connection.commit()
        except DATABASE_ERRORS as error:
            raise store_error(self._server, error) from error

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
        """Return the number of deletions. Raises Fenced if this process is no longer a member."""
        if self.member is None:
            return self.forgotten
        there, deletions = await processes.check_member(connection, self.member, beside_others=beside_others)
        if not there:
            raise Fenced(FENCED.format(name=self._server))
        return deletions

    async def _following(self, connection: AsyncConnection) -> int:
        """Return the number of deletions. Raises Fenced, and DeletionsPending if some are not applied here yet."""
        return self._followed(await self._among(connection, beside_others=True))

    async def _following_alone(self, connection: AsyncConnection) -> int:
        return self._followed(await self._among(connection))

    def _followed(self, deletions: int) -> int:
        if deletions != self.forgotten:
            self.behind()
            raise DeletionsPending(BEHIND.format(name=self._server))
        return deletions

    async def _tried(
        self,
        connecting: Connecting,
        look: Callable[[AsyncConnection], Awaitable[int]],
        work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run the work, with retries. connecting: opens a connection for one attempt."""
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
        """Raise StoreError unless the transaction is to be retried. took: seconds since the first attempt began."""
        lost, conflict = is_lost(again.error), state_of(again.error) in CONFLICTS
        if took > (CONFLICT_SECONDS if conflict else RECONNECT_SECONDS) and (lost or tries > MIN_CONFLICT_ATTEMPTS):
            wrong = store_error(self._server, again.error)
            raise (WriteConflict(str(wrong)) if conflict else wrong) from again.error
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
        """Run the work once. Raises _Again after an attempt without a write, if a retry is allowed."""
        sent = False
        try:
            async with connecting() as connection:
                await look(connection)
                answer = await work(connection, *args, **kwargs)
                sent = True
                await connection.commit()
                return answer
        except DATABASE_ERRORS as error:
            if sent and is_lost(error):
                raise StoreError(UNKNOWN.format(name=self._server)) from error
            if state_of(error) in RETRIED_STATES or is_lost(error):
                raise _Again(error) from error
            raise store_error(self._server, error) from error

    async def empty(self) -> None:
        """Do nothing: the server overwrites deleted data in its own time (VACUUM)."""

    async def close(self) -> None:
        """Finish the running transactions, then close the connections."""
        if self._closed:
            return
        async with self._one_among, self._writing:
            for _ in range(MAX_TRANSACTIONS - 1):
                await self._reading.acquire()
            self._closed = True
            for _ in range(MAX_TRANSACTIONS - 1):
                self._reading.release()
        await self.line.close()
        await self._engine.dispose()


class _Again(Exception):
    """A transaction that may be retried. error: the cause of its end."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
