"""Packing of old records, and their deletion after a year on servers with that setting.

The pack format lives in the store. A record stays unpacked unless the pack reproduces the record exactly, and stays
undeleted until every derived statistic exists.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from bot.domain.ids import GuildId, TableId
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings
from bot.rules.matches.achievements import VERSION
from bot.runtime.background import BackgroundTask
from bot.store.errors import StoreError
from bot.store.store import Store

log = logging.getLogger(__name__)

PACK_AFTER = timedelta(days=30)  # after the end of a match
DELETE_AFTER = timedelta(days=365)  # after the end of a match, on servers with the setting
DELETION_DELAY = timedelta(days=1)  # after a change of the setting
PAUSE_SECONDS = 0.05  # between two matches, to serve other requests


class RecordPacker:
    """Packs and deletes old records, match by match.

    chosen: the settings of servers with any settings. pause: seconds between two matches.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], datetime],
        chosen: Mapping[GuildId, ServerSettings],
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._store = store
        self._now = now
        self._chosen = chosen
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
        """Delete the actions of matches older than a year, on servers with the setting at that time."""
        since, last = self._now() - DELETE_AFTER, TableId(0)
        wanted = [guild for guild in tuple(self._chosen) if await self._is_sure(guild)]
        while guilds := [guild for guild in wanted if self._forgets(guild)]:
            table = await self._store.records.forget_plays(last, guilds, since, VERSION)
            if table is None:
                break
            last = table
            await asyncio.sleep(self._pause)
        if last:
            await self._store.records.purge_deleted()

    def _forgets(self, guild: GuildId) -> bool:
        return self._chosen.get(guild, DEFAULT_SETTINGS).forget_plays

    async def _is_sure(self, guild: GuildId) -> bool:
        """Tell whether a server's deletion setting has been on for the minimum time."""
        if not self._forgets(guild):
            return False
        switched = await self._store.servers.switched(guild, "forget_plays")
        return all(at <= self._now() - DELETION_DELAY for at, _ in switched[-1:])
