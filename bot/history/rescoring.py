"""Matches that an older version has finished: played out again, so that they say as well what each hand came to.

Knows that everything follows from the record. Refuses to change what is known of a match: where the record says
something else than its result, the result stays as it is.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from bot.ground.background import BackgroundTask
from bot.ground.ids import TableId
from bot.ground.results import Finished, Score
from bot.rules.deeds import VERSION
from bot.store.errors import Damaged, Gone, StoreError
from bot.store.rows import TableRow
from bot.table.answers import match_of
from bot.table.core.fair import score_of

log = logging.getLogger(__name__)

BATCH_SIZE = 100  # matches asked for in one go
PAUSE_SECONDS = 0.05  # seconds between two matches, in which everybody else is served


class RescoringStore(Protocol):
    """What is needed of a store."""

    async def load(self, table: TableId) -> TableRow | None:
        """Return a table with all its steps. Raises Gone where they are no longer kept."""
        ...

    async def finished(self, table: TableId) -> Finished | None:
        """Return how a match ended."""
        ...

    async def unscored(self, after: TableId, limit: int, version: int) -> tuple[TableId, ...]:
        """Return the finished matches without a score, or not looked at by this version, from a table's number on."""
        ...

    async def keep_score(self, table: TableId, score: Score) -> None:
        """Keep the score of a match that has none, and what was done in it."""
        ...


class MatchRescorer:
    """Gives every finished match its score that has none. pause: seconds between two of them."""

    def __init__(self, archive: RescoringStore, pause: float = PAUSE_SECONDS) -> None:
        self._archive = archive
        self._pause = pause
        self._last = TableId(0)  # the last table that was looked at: each is once in a run of the bot
        self.background = BackgroundTask(self.score, "old matches")

    async def score(self) -> None:
        """Go through them. Where the store does not answer, the rest is done the next time."""
        try:
            while found := await self._archive.unscored(self._last, BATCH_SIZE, VERSION):
                for table in found:
                    await self._score(table)
                    self._last = table
                    await asyncio.sleep(self._pause)
        except StoreError as error:
            log.warning("What the hands of older matches came to is found out later: %s", error)

    async def _score(self, table: TableId) -> None:
        try:
            row, finished = await self._archive.load(table), await self._archive.finished(table)
        except Gone:
            return  # since it was asked for; all that is known of it stays
        except Damaged as error:
            log.warning("What its hands came to stays as it is: %s", error)
            return
        if row is None or finished is None:
            return  # it was deleted meanwhile
        try:
            match = await match_of(row)
        except Exception:
            log.exception("The record of table %s cannot be played out again, so its hands stay unknown", table)
            return
        score = score_of(match) if match else Score(())
        if (score.points, score.nets) == totals(finished):
            await self._archive.keep_score(table, score)
        else:
            log.warning("The record of table %s says something else than its result, which stays as it is", table)
            await self._archive.keep_score(table, Score((), version=VERSION))


def totals(match: Finished) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the points and the units of each seat, as the result says."""
    standings = match.outcome.standings
    return tuple(one.points for one in standings), tuple(one.net for one in standings)
