"""The rows of people who have deleted their data: they are deleted in the background, and the people wait so long.

Knows who waits. Refuses to know which rows these are, and what is deleted at once (bot/members/retention.py).
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
    """What this needs of a store. Every call may raise StoreError."""

    async def delete_some(self) -> timedelta | None:
        """Delete rows of a noted deletion; return how long to wait before the next, None where none are left."""
        ...

    async def look_for_erasures(self) -> None:
        """Find out whose rows are being deleted."""
        ...

    async def is_erasing(self, user: UserId) -> bool:
        """Return whether rows of a person are being deleted."""
        ...


class Deleting:
    """A bell of the clock: what a stop or another process has left is deleted as well."""

    def __init__(self, store: DeletionStore) -> None:
        self._store = store
        self.beside = BackgroundTask(self._delete, "deletions")

    async def learn(self) -> None:
        """Learn whose rows are being deleted after a stop. May raise StoreError."""
        await self._store.look_for_erasures()

    async def next(self) -> datetime | None:
        """Say that nobody has to come for this: it is looked at whenever the clock rings, which is every minute."""
        return None

    async def ring(self) -> None:
        """Delete what is to be deleted."""
        await self.beside.begin()

    async def check(self, user: UserId) -> None:
        """Raise Refused for a person whose rows are being deleted. May raise StoreError, for such a person only."""
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
