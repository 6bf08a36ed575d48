"""The gate of a server database: opening it, and serializable transactions with retries."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.runtime.progress import interruptible
from bot.runtime.store_address import DatabaseServer, warnings
from bot.runtime.tasks import start_awaited
from bot.store.engine import migration
from bot.store.engine.gate import Gate, note_slow
from bot.store.errors import DeletionsPending, Fenced, StoreError, WriteConflict
from bot.store.postgres import processes
from bot.store.postgres.connection import connect
from bot.store.postgres.faults import (
    CONFLICTS,
    DATABASE_ERRORS,
    RETRIED_STATES,
    UNKNOWN,
    is_lost,
    state_of,
    store_error,
)
from bot.store.postgres.lock_connection import LockConnection

log = logging.getLogger(__name__)

NOT_UPDATED = "Stopped. The database is as it was before its update, which begins anew at the next start."
OLDER = "The database {name} is of an older version. Say `python -m bot store upgrade` first."
TOGETHER = (
    "The database {name} is of an older version, and other bots use it. Stop them all; then start this one first."
)


def engine_for(server: DatabaseServer) -> AsyncEngine:
    """Return an engine with a small pool and serializable transactions."""
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=partial(connect, server),
        pool_size=MAX_TRANSACTIONS + 2,  # one more holds the lock, and one renews the lease
        max_overflow=0,
        isolation_level="SERIALIZABLE",
        hide_parameters=True,
    )


async def open_gate(server: DatabaseServer, *, include_unfinished: bool = False, shared: bool = False) -> ServerGate:
    """Open and migrate the database. Raises StoreError, with the database unchanged.

    include_unfinished: accept an unfinished copy, to continue the copying. shared: share the database with other bots;
    a migration then needs their absence.
    """
    for said in warnings(server.connection_string):
        log.warning("The database %s: %s", server, said)
    engine = engine_for(server)
    lock = LockConnection(server, engine, shared=shared)
    async with AsyncExitStack() as undo:
        undo.push_async_callback(engine.dispose)
        undo.push_async_callback(lock.close)
        try:
            await lock.open()
            await prepare(engine, server, lock if shared else None, include_unfinished=include_unfinished)
        except DATABASE_ERRORS as error:
            raise store_error(server, error) from error
        undo.pop_all()
    return ServerGate(server, engine, lock)


async def prepare(
    engine: AsyncEngine, server: DatabaseServer, lock: LockConnection | None, *, include_unfinished: bool
) -> None:
    """Check the database, and run the missing migrations, completely or not at all.

    lock: a shared one.
    """
    async with engine.connect() as connection:
        current = await connection.run_sync(migration.read_revision, server, include_unfinished=include_unfinished)
        if lock is None:
            await processes.end_all(connection)
            await connection.commit()
        if current == migration.newest_revision():
            return
        if lock is not None and not await lock.take_exclusive():
            raise StoreError(TOGETHER.format(name=server))
        with interruptible(NOT_UPDATED):
            await connection.run_sync(migration.upgrade)
            await connection.commit()
        if lock is not None:
            await lock.release_exclusive()


@asynccontextmanager
async def snapshot_connection(server: DatabaseServer) -> AsyncIterator[AsyncConnection]:
    """Yield a connection with a fixed snapshot of the database, unaffected by a running bot.

    Raises StoreError for an unavailable database, and for another version of the schema.
    """
    engine = engine_for(server)
    try:
        async with engine.connect() as connection:
            await connection.execution_options(postgresql_readonly=True, postgresql_deferrable=True)
            if await connection.run_sync(migration.read_revision, server) != migration.newest_revision():
                raise StoreError(OLDER.format(name=server))
            yield connection
    except DATABASE_ERRORS as error:
        raise store_error(server, error) from error
    finally:
        await engine.dispose()


OTHER_USERS = text(
    "SELECT rolname FROM pg_roles WHERE rolcanlogin AND NOT rolsuper AND rolname <> current_user"
    " AND has_database_privilege(rolname, current_database(), 'CONNECT') ORDER BY rolname"
)


async def read_server_revision(server: DatabaseServer) -> str | None:
    """Return the revision of a database, None for an empty one, without changing anything.

    Raises StoreError.
    """
    engine = engine_for(server)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(migration.read_revision, server)
    except DATABASE_ERRORS as error:
        raise store_error(server, error) from error
    finally:
        await engine.dispose()


async def other_users(server: DatabaseServer) -> tuple[str, ...]:
    """Return the other database users with the right to connect, except superusers."""
    engine = engine_for(server)
    try:
        async with engine.connect() as connection:
            return tuple((await connection.execute(OTHER_USERS)).scalars())
    except DATABASE_ERRORS as error:
        raise store_error(server, error) from error
    finally:
        await engine.dispose()


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

    lock: holds the lock on the database. behind: called when another process has deleted a person.
    """

    _whole = staticmethod(run_to_end)

    def __init__(self, server: DatabaseServer, engine: AsyncEngine, lock: LockConnection) -> None:
        self.lock = lock
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
        """Run ``work`` like `run`, but READ ONLY and beside other transactions of this process."""
        began = time.monotonic()
        answer = await run_to_end(self._tried(self._to_read, self._following, work, *args, **kwargs))
        note_slow(work, began)
        return answer

    async def run_alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run work that reads nearly every row while every process pauses.

        Otherwise the work would conflict with each writer.
        """
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
        """Return the number of deletions.

        Raises Fenced, and DeletionsPending if some are not applied here yet.
        """
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
        check: Callable[[AsyncConnection], Awaitable[int]],
        work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run the work, with retries. connecting: opens a connection for one attempt."""
        began, pause, tries = time.monotonic(), PAUSE, 0
        while True:
            self._check_open()
            try:
                return await self._done(connecting, check, work, *args, **kwargs)
            except _Again as again:
                tries += 1
                self._check_patience(again, time.monotonic() - began, tries)
            await asyncio.sleep(pause * self._dice.random())
            pause = min(2 * pause, LONGEST_PAUSE)

    def _check_patience(self, again: _Again, took: float, tries: int) -> None:
        """Raise StoreError unless the transaction is to be retried.

        took: seconds since the first attempt began.
        """
        lost, conflict = is_lost(again.error), state_of(again.error) in CONFLICTS
        if took > (CONFLICT_SECONDS if conflict else RECONNECT_SECONDS) and (lost or tries > MIN_CONFLICT_ATTEMPTS):
            wrong = store_error(self._server, again.error)
            raise (WriteConflict(str(wrong)) if conflict else wrong) from again.error
        if self.on_retry is not None:
            self.on_retry("connection" if lost else "conflict")

    async def _done(
        self,
        connecting: Connecting,
        check: Callable[[AsyncConnection], Awaitable[int]],
        work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run the work once.

        Raises _Again after an attempt without a write, if a retry is allowed.
        """
        sent = False
        try:
            async with connecting() as connection:
                await check(connection)
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
        await self.lock.close()
        await self._engine.dispose()


class _Again(Exception):
    """A transaction that may be retried. error: the cause of its end."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
