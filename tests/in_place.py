"""The database of a simulated world: what is asked is done in the thread that asks, and no commit waits for the disk.

Knows aiosqlite, which gives every connection a thread and hands each statement over to it several times. Handing over
costs more than the statements, and when an answer comes back is then up to the machine; here it is the loop's next turn
in every run. That the store works with threads, and keeps what it has committed, is told in tests/store and tests/kill.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from aiosqlite import core
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.client import Bigger


class Done:
    """In place of a queue: whatever is put into it is done."""

    def put_nowait(self, asked: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Do it, and tell the future in the next turn of its loop, as one is told that waits for a thread."""
        future, work = asked
        tell: Callable[..., None]
        try:
            tell, answer = core.set_result, work()
        except BaseException as error:  # noqa: BLE001  # whatever it is, who asked hears of it
            tell, answer = core.set_exception, error
        if future is not None:
            future.get_loop().call_soon(tell, future, answer)


class NoThread:
    """In place of a thread, which is never needed."""

    daemon = False

    def __init__(self, **_: Any) -> None: ...

    def start(self) -> None:
        """Have nothing to start."""


async def in_place(starting: Awaitable[object], bot: Bigger) -> None:
    """Let a bot start whose database works in the thread that asks, and loses what a loss of power would take."""
    threaded = core.SimpleQueue, core.Thread  # type: ignore[attr-defined]
    core.SimpleQueue, core.Thread = Done, NoThread  # type: ignore[assignment, attr-defined]
    try:
        await starting
    finally:
        core.SimpleQueue, core.Thread = threaded  # type: ignore[attr-defined]
    await bot.store._gate.run(AsyncConnection.exec_driver_sql, "PRAGMA synchronous = OFF")
