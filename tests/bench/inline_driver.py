"""Runs the SQLite driver in the calling thread instead of its own.

The driver's thread keeps a real bot responsive while the disk works. In virtual time no user waits, and switching
threads for each statement took most of the time.
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import aiosqlite.core


class _ImmediateQueue:
    """Replaces the queue to the driver's thread: work runs at once."""

    def put_nowait(self, work: tuple[Future[Any], Callable[[], Any]]) -> None:
        """Run the work."""
        future, function = work
        try:
            future.set_result(function())
        except Exception as error:  # noqa: BLE001  # raised again for the waiting task
            future.set_exception(error)


class _FakeThread:
    """Replaces the driver's thread."""

    daemon = True

    def __init__(self, **_what: object) -> None:
        pass

    def start(self) -> None:
        """Do nothing."""


@contextmanager
def inline_driver() -> Iterator[None]:
    """Let connections opened within the block run in the calling thread."""
    with (
        patch.object(aiosqlite.core, "SimpleQueue", _ImmediateQueue),
        patch.object(aiosqlite.core, "Thread", _FakeThread),
    ):
        yield
