"""Lets the driver of SQLite do its work where it is asked to, and not in a thread of its own.

That thread keeps a bot answering while the disk works. In virtual time nobody waits meanwhile, and going there and back
for each statement took most of the time. Refuses to know what is done.
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import aiosqlite.core


class _AtOnce:
    """The queue to that thread, in which nothing ever waits."""

    def put_nowait(self, work: tuple[Future[Any], Callable[[], Any]]) -> None:
        """Do it now."""
        future, function = work
        try:
            future.set_result(function())
        except Exception as error:  # noqa: BLE001  # raised again for the waiting task
            future.set_exception(error)


class _NoThread:
    """What is started in place of that thread."""

    daemon = True

    def __init__(self, **_what: object) -> None:
        pass

    def start(self) -> None:
        """Do nothing."""


@contextmanager
def at_once() -> Iterator[None]:
    """Let connections that are opened meanwhile work so."""
    with patch.object(aiosqlite.core, "SimpleQueue", _AtOnce), patch.object(aiosqlite.core, "Thread", _NoThread):
        yield
