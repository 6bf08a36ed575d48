"""The database of a simulated world: what is asked is done in the thread that asks, and no commit waits for the disk.

Tests of the store that write much have theirs work in their thread as well.

Knows aiosqlite, which gives every connection a thread and hands each statement over to it four times. Handing over
costs more than the statements, and when an answer comes back is then up to the machine; here it is the loop's next
turn in every run, once for a statement. That the store works with threads, and keeps what it has committed, is told in
tests/store and tests/kill.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aiosqlite import core
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.client import Bigger
from bot.ground.workers import Workers
from tests.threads import Threads

WAITED_FOR = ("execute", "executemany", "commit", "rollback")  # what a thread would take its time for


class Done:
    """In place of a queue: whatever is put into it is done."""

    def put_nowait(self, asked: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Do it, and tell the future, if there is one."""
        future, work = asked
        try:
            answer = work()
        except BaseException as error:  # noqa: BLE001  # whatever it is, who asked hears of it
            if future is not None:
                future.set_exception(error)
        else:
            if future is not None:
                future.set_result(answer)


class NoThread:
    """In place of a thread, which is never needed."""

    daemon = False

    def start(self) -> None:
        """Have nothing to start."""


class InPlace(core.Connection):
    """A connection that does at once what it is asked, and lets all others have their turn after each statement."""

    def __init__(self, *how: Any) -> None:
        super().__init__(*how)
        self._tx = Done()  # type: ignore[assignment]
        self._thread = NoThread()  # type: ignore[assignment]

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not self._running or not self._connection:
            raise ValueError("Connection closed")
        try:
            return fn(*args, **kwargs)
        finally:
            if fn.__name__ in WAITED_FOR:
                await asyncio.sleep(0)


@contextmanager
def without_threads() -> Iterator[None]:
    """Let every database that is opened meanwhile work in the thread that asks."""
    threaded, core.Connection = core.Connection, InPlace  # type: ignore[misc, assignment]
    try:
        yield
    finally:
        core.Connection = threaded  # type: ignore[misc]


async def in_place(starting: Awaitable[object], bot: Bigger) -> None:
    """Let a bot start whose database works in the thread that asks, and loses what a loss of power would take.

    What worker processes do elsewhere, threads do here.
    """
    bot.workers = Workers(caller=Threads())
    with without_threads():
        await starting
    if isinstance(bot.settings.database, Path):
        await bot.store._gate.run(AsyncConnection.exec_driver_sql, "PRAGMA synchronous = OFF")
