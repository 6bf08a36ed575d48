"""Whoever has the tables of a process, as the sharing of shards knows it, and the time that all processes agree on."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.ids import TableId, UserId


class AgreedTime:
    """The time, as all processes have it: their own clocks may differ, so it is the database's.

    What the database answers is some time old. How long it took bounds by how much the clocks differ; of what is within
    the bounds the latest time is right, for nothing may be noted at an earlier time than the click that caused it. The
    quicker an answer, the closer the bounds. clock: seconds that never go back.
    """

    def __init__(self, now: Callable[[], datetime], clock: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._clock = clock
        self._ahead: timedelta | None = None

    def __call__(self) -> datetime:
        """Return the time."""
        return self._now() + (self._ahead or timedelta())

    def agree(self, now: datetime, asked: float, answered: float) -> None:
        """Take over the time that the database told between these two moments, by the clock of seconds."""
        behind = now - self._now()
        least, most = (behind + timedelta(seconds=self._clock() - moment) for moment in (answered, asked))
        if self._ahead is None or not least <= self._ahead <= most:
            self._ahead = most


class Living(Protocol):
    """Whoever has tables, and is told of shards. Each may raise StoreError."""

    async def give_back(self, shard: int, away: timedelta) -> None:
        """Give the tables of a shard the time back for which nobody had it."""
        ...

    async def go_on(self, shard: int, away: timedelta) -> None:
        """Let the tables of a shard go on that is connected now; away: for how long nobody had it."""
        ...

    async def at_rest(self) -> None:
        """Wait until whoever has come so far is answered, but not for long."""
        ...

    def leaving(self, shard: int) -> AbstractAsyncContextManager[None]:
        """Let nothing happen at the tables of a shard; then they are not here any more."""
        ...

    async def end_retired(self) -> None:
        """End, for others have all of its shards."""
        ...

    def shared_by(self, processes: int) -> None:
        """Hear among how many processes all is shared."""
        ...

    async def end_fenced(self) -> None:
        """End, for others have taken this process for gone."""
        ...

    def let_go(self, user: UserId) -> None:
        """Drop what is remembered about a person whose data another process deletes."""
        ...

    def forget(self, user: UserId) -> None:
        """Forget what is remembered about a person: it has changed."""
        ...

    async def reread(self, table: TableId) -> None:
        """Read a table again that another process has changed, if it is in memory."""
        ...

    async def follow(self, followed: Callable[[], None]) -> None:
        """Read all tables again, for others have deleted somebody. followed: called while nothing is under way."""
        ...
