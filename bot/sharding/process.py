"""What the sharing of shards needs of a process: the owner of its tables, and the clock common to all processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.ids import TableId, UserId


class AgreedTime:
    """The common time of all processes: the database's, since the clocks of machines differ.

    An answer of the database is some time old, and its duration bounds the difference between the clocks. Within the
    bounds the latest time is right, because nothing may be recorded at an earlier time than the click that caused it. A
    quicker answer gives closer bounds. clock: monotonic seconds.
    """

    def __init__(self, now: Callable[[], datetime], clock: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._clock = clock
        self._ahead: timedelta | None = None

    def __call__(self) -> datetime:
        """Return the time."""
        return self._now() + (self._ahead or timedelta())

    def agree(self, now: datetime, asked: float, answered: float) -> None:
        """Adopt the database's time, answered between these two moments of the monotonic clock."""
        behind = now - self._now()
        least, most = (behind + timedelta(seconds=self._clock() - moment) for moment in (answered, asked))
        if self._ahead is None or not least <= self._ahead <= most:
            self._ahead = most


class ShardCallbacks(Protocol):
    """The owner of a process's tables, with callbacks about shards. Each may raise StoreError."""

    async def give_back(self, shard: int, away: timedelta) -> None:
        """Extend the deadlines of a shard's tables by the time without an owner."""
        ...

    async def go_on(self, shard: int, away: timedelta) -> None:
        """Resume the tables of a connected shard. away: the time without an owner."""
        ...

    async def at_rest(self) -> None:
        """Wait briefly until all present visits are answered."""
        ...

    def leaving(self, shard: int) -> AbstractAsyncContextManager[None]:
        """Return a context that locks the tables of a shard, and unloads them at its end."""
        ...

    async def end_retired(self) -> None:
        """Shut down after other processes have taken over all shards."""
        ...

    def shared_by(self, processes: int) -> None:
        """Set the number of processes."""
        ...

    async def end_fenced(self) -> None:
        """Shut down: the other processes regard this process as dead."""
        ...

    def let_go(self, user: UserId) -> None:
        """Drop the cached data of a user whose data another process deletes."""
        ...

    def forget(self, user: UserId) -> None:
        """Drop the cached preferences of a user: they have changed."""
        ...

    async def reread(self, table: TableId) -> None:
        """Reload a table changed by another process, if in memory."""
        ...

    async def follow(self, followed: Callable[[], None]) -> None:
        """Reload all tables after a deletion by another process. followed: called while all tables are locked."""
        ...
