"""Upkeep of old records in the background: packing, deletion, and renewed scores."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from bot.domain.ids import GuildId, TableId
from bot.domain.results import DetailedScore, FinishedMatch
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings
from bot.rules.matches.achievements import VERSION
from bot.runtime.tasks import BackgroundTask
from bot.store.errors import RecordDamaged, RecordDeleted, StoreError
from bot.store.store import Store
from bot.table.core.eligibility import score_of
from bot.table.fact_lookup import match_of

log = logging.getLogger(__name__)

PACK_AFTER = timedelta(days=30)  # after the end of a match
DELETE_AFTER = timedelta(days=365)  # after the end of a match, on servers with the setting
DELETION_DELAY = timedelta(days=1)  # after a change of the setting
PACKING_PAUSE_SECONDS = 0.05  # between two matches, to serve other requests


class RecordPacker:
    """Packs and deletes old records, match by match.

    server_settings: the settings of servers with any settings. pause: seconds between two matches.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], datetime],
        server_settings: Mapping[GuildId, ServerSettings],
        pause: float = PACKING_PAUSE_SECONDS,
    ) -> None:
        self._store = store
        self._now = now
        self._server_settings = server_settings
        self._pause = pause
        self.background = BackgroundTask(self.pack, "old records")

    async def pack(self) -> None:
        """Pack and delete all due records. After a failed query, the next call continues."""
        try:
            await self._pack_all()
            await self._forget_all()
        except StoreError as error:
            log.warning("Old records are packed later: %s", error)

    async def _pack_all(self) -> None:
        since, last = self._now() - PACK_AFTER, TableId(0)
        while (table := await self._store.records.next_to_pack(last, since)) is not None:
            if not await self._store.records.pack(table):
                log.warning("The record of table %s would not be the same when packed, so it stays as it is", table)
            last = table
            await asyncio.sleep(self._pause)

    async def _forget_all(self) -> None:
        """Delete the actions of matches older than a year, on servers that had the setting then."""
        since, last = self._now() - DELETE_AFTER, TableId(0)
        wanted = [guild for guild in tuple(self._server_settings) if await self._is_sure(guild)]
        while guilds := [guild for guild in wanted if self._forgets(guild)]:
            table = await self._store.records.forget_plays(last, guilds, since, VERSION)
            if table is None:
                break
            last = table
            await asyncio.sleep(self._pause)
        if last:
            await self._store.records.purge_deleted()

    def _forgets(self, guild: GuildId) -> bool:
        return self._server_settings.get(guild, DEFAULT_SETTINGS).forget_plays

    async def _is_sure(self, guild: GuildId) -> bool:
        """Tell whether a server's deletion setting has been on for the minimum time."""
        if not self._forgets(guild):
            return False
        switched = await self._store.servers.switched(guild, "forget_plays")
        return all(at <= self._now() - DELETION_DELAY for at, _ in switched[-1:])


RESCORING_BATCH_SIZE = 100  # matches per query
RESCORING_PAUSE_SECONDS = 0.05  # between two matches, to serve other requests


class MatchRescorer:
    """Scores every unscored finished match. pause: seconds between two matches."""

    def __init__(self, store: Store, pause: float = RESCORING_PAUSE_SECONDS) -> None:
        self._store = store
        self._pause = pause
        self._last = TableId(0)  # the latest table; one pass per run of the bot
        self.background = BackgroundTask(self.score, "old matches")

    async def score(self) -> None:
        """Score all unscored matches. After a failed query, the next call continues."""
        try:
            while found := await self._store.results.unscored(self._last, RESCORING_BATCH_SIZE, VERSION):
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
