"""The database of a simulated world, without threads and disk syncs.

Statements run in the calling thread, and commits do not wait for the disk.

Store tests with many writes use the same.

aiosqlite gives every connection a thread with four handovers a statement, and SQLAlchemy waits for each in a greenlet.
Handovers cost more than the statements, and the time of a result depends on the machine; here a result comes in the
next turn of the loop. tests/store and tests/kill test the store with threads, durability and damaged files.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from aiosqlite import core
from sqlalchemy import event
from sqlalchemy.dialects.sqlite import aiosqlite as dialect
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.util.concurrency import await_, in_greenlet

from bot.ai_pool.pool import MovePool as Processes
from bot.client import Bigger
from bot.runtime.workers import Workers
from bot.store.sqlite import opening
from tests.support.threads import ThreadMovePool, ThreadWorkers

YIELDING_CALLS = ("commit", "rollback")  # what a thread would take its time for, beside statements


class ImmediateQueue:
    """A stand-in for a queue that executes each item at once."""

    def put_nowait(self, asked: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Execute the item and resolve its future, if any."""
        future, work = asked
        try:
            answer = work()
        except BaseException as error:  # noqa: BLE001  # whatever it is, who asked hears of it
            if future is not None:
                future.set_exception(error)
        else:
            if future is not None:
                future.set_result(answer)


class AbsentThread:
    """A stand-in for a thread that is never needed."""

    daemon = False

    def start(self) -> None:
        """Do nothing."""


class InlineConnection(core.Connection):
    """A connection that executes in place and yields to other tasks after each statement."""

    def __init__(self, *how: Any) -> None:
        super().__init__(*how)
        self._tx = ImmediateQueue()  # type: ignore[assignment]
        self._thread = AbsentThread()  # type: ignore[assignment]

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not self._running or not self._connection:
            raise ValueError("Connection closed")
        try:
            return fn(*args, **kwargs)
        finally:
            if fn.__name__ in YIELDING_CALLS:
                await asyncio.sleep(0)


class InlineCursor(dialect.AsyncAdapt_aiosqlite_cursor):
    """A cursor for SQLAlchemy over SQLite's own cursor: a statement gives all its rows."""

    __slots__ = ()
    _awaitable_cursor_close = False

    def _make_new_cursor(self, connection: Any) -> Any:
        return connection._conn.cursor()

    def _aenter_cursor(self, cursor: Any) -> Any:
        return cursor

    def execute(self, operation: Any, parameters: Any = None) -> Any:
        """Execute a statement."""
        self._do(self._cursor.execute, operation, parameters or ())
        return self._cursor

    def executemany(self, operation: Any, seq_of_parameters: Any) -> Any:
        """Execute a statement for each item."""
        self._do(self._cursor.executemany, operation, seq_of_parameters)
        return self._cursor

    def _do(self, statement: Callable[..., Any], *args: Any) -> None:
        try:
            statement(*args)
            if self._cursor.description:
                rows: Any = self._cursor.fetchall()
                self._rows = deque(rows)
        except Exception as error:  # noqa: BLE001  # SQLAlchemy names it
            self._adapt_connection._handle_exception(error)
        if in_greenlet():  # SQLAlchemy has begun one to wait in
            await_(asyncio.sleep(0))


class InlineAdaptedConnection(dialect.AsyncAdapt_aiosqlite_connection):
    """A connection whose cursors wait for no thread."""

    __slots__ = ()
    _cursor_cls = InlineCursor

    def commit(self) -> None:
        """Commit at once."""
        self._end(self._connection._conn.commit)

    def rollback(self) -> None:
        """Roll back at once."""
        self._end(self._connection._conn.rollback)

    def _end(self, end: Callable[[], None]) -> None:
        try:
            end()
        except Exception as error:  # noqa: BLE001  # SQLAlchemy names it
            self._handle_exception(error)


class InlineTransactions(AsyncConnection):
    """What the store asks of a connection, without a greenlet: here nothing waits.

    Each statement and each end of a transaction takes one turn of the loop.
    """

    __slots__ = ()

    async def execute(self, statement: Any, parameters: Any = None, *, execution_options: Any = None) -> Any:
        """Execute a statement, and yield to the other tasks."""
        return await _yielding(self._proxied.execute, statement, parameters, execution_options=execution_options)

    async def commit(self) -> None:
        """Commit, and yield to the other tasks."""
        await _yielding(self._proxied.commit)

    async def rollback(self) -> None:
        """Roll back, and yield to the other tasks."""
        await _yielding(self._proxied.rollback)


async def _yielding(work: Callable[..., Any], *args: Any, **how: Any) -> Any:
    """Do it, and yield to the other tasks, also after an error."""
    try:
        return work(*args, **how)
    finally:
        await asyncio.sleep(0)


class InlineEngine(AsyncEngine):
    """An engine with such connections."""

    __slots__ = ()
    _connection_cls = InlineTransactions


@contextmanager
def without_threads() -> Iterator[None]:
    """Run databases opened inside this context in the calling thread."""
    engine_for = opening.engine_for
    with (
        patch.object(opening, "engine_for", lambda path: InlineEngine(engine_for(path).sync_engine)),
        patch.object(core, "Connection", InlineConnection),
        patch.object(dialect, "AsyncAdapt_aiosqlite_connection", InlineAdaptedConnection),
    ):
        yield


@contextmanager
def without_disk_sync() -> Iterator[None]:
    """Open databases inside this context without disk syncs and without a full read.

    A power loss loses its writes.
    """
    engine_for = opening.engine_for

    def volatile_engine(path: Path) -> AsyncEngine:
        engine = engine_for(path)
        event.listen(engine.sync_engine, "connect", _wait_for_no_disk)
        return engine

    with patch.object(opening, "engine_for", volatile_engine), patch.object(opening, "READ_WHOLE", 0):
        yield


def _wait_for_no_disk(connection: Any, _record: object) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA synchronous = OFF")


async def start_inline(starting: Awaitable[object], bot: Bigger, thinkers: Processes | None = None) -> None:
    """Run a bot's database in the calling thread, without waiting for the disk.

    A power loss would lose the latest writes. Threads replace worker processes.
    """
    bot.launch.workers = Workers(caller=ThreadWorkers())
    bot.launch.move_pool = thinkers or ThreadMovePool()  # type: ignore[assignment]
    with without_threads(), without_disk_sync():
        await starting
