"""Updates the ratings after each match, and shows their changes on the match's end card."""

from __future__ import annotations

from bot.club.leaderboards import Leaderboards
from bot.domain.effects import PendingEffect, RatingUpdate
from bot.store.store import Store
from bot.table.core.commands import NoteRatings
from bot.table.registry import TableRegistry


class RatingUpdates:
    """Updates the leaderboard of a finished match at once, so that players see the changes."""

    def __init__(self, leaderboards: Leaderboards, store: Store, tables: TableRegistry) -> None:
        self._leaderboards = leaderboards
        self._store = store
        self._tables = tables

    async def update(self, _effect: RatingUpdate, pending: PendingEffect) -> None:
        """Update the leaderboard and the end card of a table.

        May raise StoreError, and Refused for a deleted table.
        """
        assert pending.table is not None
        leaderboard = await self._store.leaderboards.leaderboard_of(pending.table)
        if leaderboard is not None:  # not annulled meanwhile
            await self._leaderboards.update(leaderboard)
            await (await self._tables.get(pending.table)).do(NoteRatings())
