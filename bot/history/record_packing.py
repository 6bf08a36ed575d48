"""Records of matches that ended long ago: each is packed, and deleted after a year where its server wants that.

Knows how long is long ago. Refuses to know what a pack is, to put one in place of what it does not give back, and to
delete anything from which not all that follows is known.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Protocol

from bot.ground.background import BackgroundTask
from bot.ground.ids import GuildId, TableId
from bot.ground.server_settings import PLAIN, ServerSettings
from bot.rules.deeds import VERSION
from bot.store.errors import StoreError

log = logging.getLogger(__name__)

PACK_AFTER = timedelta(days=30)  # after its end in which the steps of a match are kept one by one
DELETE_AFTER = timedelta(days=365)  # after its end in which they are kept at all, where a server wants no more
DELETION_DELAY = timedelta(days=1)  # after that was chosen in which nothing is deleted yet
PAUSE_SECONDS = 0.05  # seconds between two matches, in which everybody else is served


class PackingStore(Protocol):
    """What is needed of a store."""

    async def next_to_pack(self, after: TableId, since: datetime) -> TableId | None:
        """Return the next match that ended before then and is not packed, by the numbers of tables."""
        ...

    async def pack(self, table: TableId) -> bool:
        """Pack a match; tell whether that could be done."""
        ...

    async def switched(self, guild: GuildId, name: str) -> tuple[tuple[datetime, bool], ...]:
        """Return when something was turned on or off on a server, oldest first."""
        ...

    async def forget_plays(
        self, after: TableId, guilds: Collection[GuildId], since: datetime, version: int
    ) -> TableId | None:
        """Delete what was played in the next match of these servers that ended before then; None after the last."""
        ...

    async def empty_journal(self) -> None:
        """See to it that what was deleted stands in no file any more."""
        ...


class RecordPacker:
    """Packs and deletes one match after the other.

    chosen: of the servers where anything is chosen. pause: seconds between two matches.
    """

    def __init__(
        self,
        records: PackingStore,
        now: Callable[[], datetime],
        chosen: Mapping[GuildId, ServerSettings],
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._records = records
        self._now = now
        self._chosen = chosen
        self._pause = pause
        self.background = BackgroundTask(self.pack, "old records")

    async def pack(self) -> None:
        """Go through them. Where the store does not answer, the rest is done the next time."""
        try:
            await self._pack_all()
            await self._forget_all()
        except StoreError as error:
            log.warning("Old records are packed later: %s", error)

    async def _pack_all(self) -> None:
        since, last = self._now() - PACK_AFTER, TableId(0)
        while (table := await self._records.next_to_pack(last, since)) is not None:
            if not await self._records.pack(table):
                log.warning("The record of table %s would not be the same when packed, so it stays as it is", table)
            last = table
            await asyncio.sleep(self._pause)

    async def _forget_all(self) -> None:
        """Delete what was played over a year ago where that is wanted, and still is when its turn comes."""
        since, last = self._now() - DELETE_AFTER, TableId(0)
        wanted = [guild for guild in tuple(self._chosen) if await self._is_sure(guild)]
        while guilds := [guild for guild in wanted if self._forgets(guild)]:
            table = await self._records.forget_plays(last, guilds, since, VERSION)
            if table is None:
                break
            last = table
            await asyncio.sleep(self._pause)
        if last:
            await self._records.empty_journal()

    def _forgets(self, guild: GuildId) -> bool:
        return self._chosen.get(guild, PLAIN).forget_plays

    async def _is_sure(self, guild: GuildId) -> bool:
        """Tell whether a server wants that, and has wanted it for long enough to have thought better of it."""
        if not self._forgets(guild):
            return False
        switched = await self._records.switched(guild, "forget_plays")
        return all(at <= self._now() - DELETION_DELAY for at, _ in switched[-1:])
