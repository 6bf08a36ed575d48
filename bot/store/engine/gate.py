"""The one way through to the database: a whole transaction at a time.

Knows that a transaction is done whole or not at all, whoever waits for it; refuses to know any table, and what kind of
database it is.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.shard_share import WHOLE, Share
from bot.runtime.metrics import Obstacle
from bot.store.engine.erasures import Erasure

P = ParamSpec("P")
T = TypeVar("T")
SLOW = 1.0  # seconds, with the time for which others stood in the way
LATE = "%s took %.1f s in the database."

log = logging.getLogger(__name__)


class Gate(ABC):
    """Lets transactions through, and lets none be cut in two.

    own: the shards whose tables are this process's. share: the connected shards among these, where the clock does what
    is due. member: the number of this process among those that share the database, None for one that does not.
    forgotten: how many deletions are followed by what is in memory. erasing: the deletions of which rows are left, as
    far as this process knows; another process may have carried one out. retried: hears why a transaction is begun
    again, None where nobody counts.
    """

    own: Share = WHOLE
    share: Share = WHOLE
    member: int | None = None
    forgotten: int = 0
    erasing: frozenset[Erasure] = frozenset()
    retried: Callable[[Obstacle], None] | None = None
    _whole: ClassVar[Any] = staticmethod(asyncio.shield)  # what does something to its end, whoever is cancelled

    async def run(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do all of ``work`` in one transaction, or nothing of it: StoreError if the database cannot.

        A caller that is cancelled does not cut a transaction in two: it is finished without them. What ``work`` does
        beside the database must be harmless if done twice: it may be begun again where others wrote meanwhile.
        Once the gate is closed the caller is cancelled: the process ends, and no fault may be logged for that.
        """
        began = time.monotonic()
        answer: T = await self._whole(self._through(work, *args, **kwargs))
        note_slow(work, began)
        return answer

    async def read(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do ``work`` that writes nothing, as `run` does: it may run beside other transactions of this process."""
        return await self.run(work, *args, **kwargs)

    async def run_alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the same while nothing else is done, for work that reads nearly everything."""
        return await self.run(work, *args, **kwargs)

    @abstractmethod
    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the work in a transaction of its own."""

    @abstractmethod
    async def empty(self) -> None:
        """See to it that what was deleted stands in no file any more, once nobody else reads there."""

    @abstractmethod
    async def close(self) -> None:
        """Let those inside finish, then let nobody in any more."""


def note_slow(work: Callable[..., Any], began: float) -> None:
    """Log a transaction that took long. began: by the monotonic clock."""
    if (took := time.monotonic() - began) > SLOW:
        log.warning(LATE, getattr(work, "__qualname__", work), took)
