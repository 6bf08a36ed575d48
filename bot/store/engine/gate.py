"""The only access to the database: whole transactions, and the duration of statements."""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Engine, event
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import ALL_SHARDS, Share
from bot.runtime.metrics import Obstacle
from bot.store.engine.erasures import Erasure

P = ParamSpec("P")
T = TypeVar("T")
SLOW_SECONDS = 1.0  # seconds, including the wait for other transactions
LATE = "%s took %.1f s in the database."

log = logging.getLogger(__name__)


class Gate(ABC):
    """Runs transactions, and never abandons one half way.

    own: the shards of this process, which decide whose tables it handles. share: the connected shards among these,
    the scope of the clock. member: the number of this process in the group that shares the database, None without a
    group. forgotten: the number of deletions already applied to the state in memory. erasing: the unfinished
    deletions known to this process; another process may have finished one. on_retry: called with the reason of a
    retry; None without metrics.
    """

    own: Share = ALL_SHARDS
    share: Share = ALL_SHARDS
    member: int | None = None
    forgotten: int = 0
    erasing: frozenset[Erasure] = frozenset()
    on_retry: Callable[[Obstacle], None] | None = None
    _whole: ClassVar[Any] = staticmethod(asyncio.shield)  # completes a coroutine even if the caller is cancelled

    async def run(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``work`` in one transaction, completely or not at all.

        Raises StoreError if the database fails. A cancelled caller does not interrupt the transaction. ``work`` may run
        again after a conflict, so its side effects must be idempotent. Once the gate is closed, the call raises
        CancelledError: the process is ending, and a logged error would mislead.
        """
        began = time.monotonic()
        answer: T = await self._whole(self._through(work, *args, **kwargs))
        note_slow(work, began)
        return answer

    async def read(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run read-only ``work`` like `run`, possibly beside other transactions of this process."""
        return await self.run(work, *args, **kwargs)

    async def run_alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``work`` like `run`, with no other work beside it.

        Meant for work that reads nearly every row.
        """
        return await self.run(work, *args, **kwargs)

    @abstractmethod
    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run the work in its own transaction."""

    @abstractmethod
    async def empty(self) -> None:
        """Purge deleted data from the files, once no other connection reads them."""

    @abstractmethod
    async def close(self) -> None:
        """Finish the running transactions, and admit no further ones."""


def note_slow(work: Callable[..., Any], began: float) -> None:
    """Log a slow transaction. began: its start on the monotonic clock."""
    if (took := time.monotonic() - began) > SLOW_SECONDS:
        log.warning(LATE, getattr(work, "__qualname__", work), took)


STATEMENTS = ("select", "insert", "update", "delete", "other")


@contextmanager
def time_statements(tell: Callable[[str, float], None]) -> Iterator[None]:
    """Report the kind (one of STATEMENTS) and the duration in seconds of every statement.

    Covers successful statements of stores opened within the context.
    """

    def sent(_connection: Any, _cursor: Any, _statement: str, _values: Any, context: Any, _many: bool) -> None:
        context.bigger_begun = perf_counter()

    def answered(_connection: Any, _cursor: Any, statement: str, _values: Any, context: Any, _many: bool) -> None:
        kind = statement.lstrip(" (").partition(" ")[0].lower()
        tell(kind if kind in STATEMENTS else "other", perf_counter() - context.bigger_begun)

    event.listen(Engine, "before_cursor_execute", sent)
    event.listen(Engine, "after_cursor_execute", answered)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", sent)
        event.remove(Engine, "after_cursor_execute", answered)
