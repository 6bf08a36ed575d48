"""Deletes the remaining rows of users who deleted their data, in the background; these users wait until the end.

The rows are chosen by the store; what is deleted at once belongs to bot/members/retention.py.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.ids import UserId
from bot.domain.refusals import BEING_DELETED, Refused
from bot.runtime.background import BackgroundTask
from bot.store.errors import StoreError

log = logging.getLogger(__name__)


class DeletionStore(Protocol):
    """The storage of deletions. Each call may raise StoreError."""

    async def delete_some(self) -> timedelta | None:
        """Delete some rows of a requested deletion; return the pause before the next, None at the end."""
        ...

    async def look_for_erasures(self) -> None:
        """Load the users whose rows are being deleted."""
        ...

    async def is_erasing(self, user: UserId) -> bool:
        """Tell whether a user's rows are being deleted."""
        ...


class Deleting:
    """A timed task of the clock: also continues deletions that a stop or another process left unfinished."""

    def __init__(self, store: DeletionStore) -> None:
        self._store = store
        self.beside = BackgroundTask(self._delete, "deletions")

    async def learn(self) -> None:
        """Load the users whose rows are being deleted, after a stop. May raise StoreError."""
        await self._store.look_for_erasures()

    async def next(self) -> datetime | None:
        """Return None: the task runs at each ring of the clock, at least every minute."""
        return None

    async def ring(self) -> None:
        """Continue deletions in a background task."""
        await self.beside.begin()

    async def check(self, user: UserId) -> None:
        """Raise Refused for a user whose rows are being deleted. May raise StoreError, for such a user only."""
        if await self._store.is_erasing(user):
            raise Refused(BEING_DELETED)

    async def _delete(self) -> None:
        try:
            rest = await self._store.delete_some()
            while rest is not None:
                await asyncio.sleep(rest.total_seconds())
                rest = await self._store.delete_some()
        except StoreError as error:
            log.warning("The rest of a deletion is left for a minute: %s", error)
