"""Deletes the remaining rows of users who deleted their data, in the background; these users wait until the end.

The rows are chosen by the store; what is deleted at once belongs to bot/members/retention.py.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime

from bot.domain.ids import UserId
from bot.domain.refusals import BEING_DELETED, Refused
from bot.runtime.background import BackgroundTask
from bot.store.erasure.deletions import DeletionRepository
from bot.store.errors import StoreError

log = logging.getLogger(__name__)


class UserDeletion:
    """A timed task of the clock: also continues deletions that a stop or another process left unfinished."""

    def __init__(self, deletions: DeletionRepository) -> None:
        self._deletions = deletions
        self.beside = BackgroundTask(self._delete, "deletions")

    async def learn(self) -> None:
        """Load the users whose rows are being deleted, after a stop. May raise StoreError."""
        await self._deletions.load_ongoing()

    async def next(self) -> datetime | None:
        """Return None: the task runs at each ring of the clock, at least every minute."""
        return None

    async def ring(self) -> None:
        """Continue deletions in a background task."""
        await self.beside.begin()

    async def check(self, user: UserId) -> None:
        """Raise Refused for a user whose rows are being deleted. May raise StoreError, for such a user only."""
        if await self._deletions.is_ongoing(user):
            raise Refused(BEING_DELETED)

    async def _delete(self) -> None:
        try:
            rest = await self._deletions.delete_some()
            while rest is not None:
                await asyncio.sleep(rest.total_seconds())
                rest = await self._deletions.delete_some()
        except StoreError as error:
            log.warning("The rest of a deletion is left for a minute: %s", error)
