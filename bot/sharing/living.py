"""Whoever has the tables of a process, as the sharing of shards knows it, and the time that all processes agree on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot.ground.ids import TableId, UserId

UNSURE: Final = timedelta(seconds=0.5)  # by which the time must be another before it is set


class AgreedTime:
    """The time, as all processes have it: their own clocks may differ, so it is the database's."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        """Return it."""
        return self._now() + self._ahead

    def agree(self, now: datetime) -> None:
        """Take it over, unless it is nearly the same."""
        if abs(now - self()) > UNSURE:
            self._ahead = now - self._now()


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

    async def let_go(self, user: UserId) -> None:
        """Let go of a person whose data another process deletes."""
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
