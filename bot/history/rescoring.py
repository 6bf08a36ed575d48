"""Scores of matches finished under older versions: replays each record and saves the result of each hand.

A record in conflict with the announced result never changes the result.
"""

from __future__ import annotations

import asyncio
import logging

from bot.domain.ids import TableId
from bot.domain.results import DetailedScore, FinishedMatch
from bot.rules.matches.achievements import VERSION
from bot.runtime.background import BackgroundTask
from bot.store.errors import RecordDamaged, RecordDeleted, StoreError
from bot.store.store import Store
from bot.table.answers import match_of
from bot.table.core.eligibility import score_of

log = logging.getLogger(__name__)

BATCH_SIZE = 100  # matches per query
PAUSE_SECONDS = 0.05  # between two matches, to serve other requests


class MatchRescorer:
    """Scores every unscored finished match. pause: seconds between two matches."""

    def __init__(self, store: Store, pause: float = PAUSE_SECONDS) -> None:
        self._store = store
        self._pause = pause
        self._last = TableId(0)  # the latest table; one pass per run of the bot
        self.background = BackgroundTask(self.score, "old matches")

    async def score(self) -> None:
        """Score all unscored matches. After a failed query, the next call continues."""
        try:
            while found := await self._store.results.unscored(self._last, BATCH_SIZE, VERSION):
                for table in found:
                    await self._score(table)
                    self._last = table
                    await asyncio.sleep(self._pause)
        except StoreError as error:
            log.warning("What the hands of older matches came to is found out later: %s", error)

    async def _score(self, table: TableId) -> None:
        try:
            row, finished = await self._store.tables.load(table), await self._store.results.finished(table)
        except RecordDeleted:
            return  # deleted since the query; the saved result stays
        except RecordDamaged as error:
            log.warning("What its hands came to stays as it is: %s", error)
            return
        if row is None or finished is None:
            return  # deleted meanwhile
        try:
            match = await match_of(row)
        except Exception:
            log.exception("The record of table %s cannot be played out again, so its hands stay unknown", table)
            return
        score = score_of(match) if match else DetailedScore(())
        if (score.points, score.nets) == totals(finished):
            await self._store.results.keep_score(table, score)
        else:
            log.warning("The record of table %s says something else than its result, which stays as it is", table)
            await self._store.results.keep_score(table, DetailedScore((), version=VERSION))


def totals(match: FinishedMatch) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the points and the units of each seat in the announced result."""
    standings = match.outcome.standings
    return tuple(one.points for one in standings), tuple(one.net for one in standings)
