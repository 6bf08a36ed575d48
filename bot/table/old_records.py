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

from bot.ground.ids import GuildId, TableId
from bot.ground.server_settings import PLAIN, ServerSettings
from bot.rules.deeds import VERSION
from bot.store.errors import StoreError

log = logging.getLogger(__name__)

LOOSE = timedelta(days=30)  # after its end in which the steps of a match are kept one by one
YEAR = timedelta(days=365)  # after its end in which they are kept at all, where a server wants no more
SECOND_THOUGHTS = timedelta(days=1)  # after that was chosen in which nothing is deleted yet
BREATH = 0.05  # seconds between two matches, in which everybody else is served


class Records(Protocol):
    """What is needed of a store."""

    async def next_unpacked(self, after: TableId) -> TableId | None:
        """Return the next table whose steps are kept one by one, by their numbers."""
        ...

    async def pack(self, table: TableId, since: datetime) -> bool:
        """Pack a match, should it have ended before then; tell whether it is packed, or need not be."""
        ...

    async def switched(self, guild: GuildId, name: str) -> tuple[tuple[datetime, bool], ...]:
        """Return when something was turned on or off on a server, oldest first."""
        ...

    async def forget_plays(
        self, after: TableId, guilds: Collection[GuildId], since: datetime, version: int
    ) -> TableId | None:
        """Delete what was played in the next match of these servers that ended before then; None after the last."""
        ...


class OldRecords:
    """Packs and deletes one match after the other.

    chosen: of the servers where anything is chosen. breath: seconds between two matches.
    """

    def __init__(
        self,
        records: Records,
        now: Callable[[], datetime],
        chosen: Mapping[GuildId, ServerSettings],
        breath: float = BREATH,
    ) -> None:
        self._records = records
        self._now = now
        self._chosen = chosen
        self._breath = breath
        self._packing: asyncio.Task[None] | None = None

    async def pack_beside(self) -> None:
        """Begin to go through them, unless that goes on; nobody has to wait for it."""
        if self._packing is None or self._packing.done():
            self._packing = asyncio.create_task(self.pack(), name="old records")

    def stop(self) -> None:
        """Leave the rest for another time."""
        if self._packing:
            self._packing.cancel()

    async def pack(self) -> None:
        """Go through them. Where the store does not answer, the rest is done the next time."""
        try:
            await self._pack_all()
            await self._forget_all()
        except StoreError as error:
            log.warning("Old records are packed later: %s", error)

    async def _pack_all(self) -> None:
        since, last = self._now() - LOOSE, TableId(0)
        while (table := await self._records.next_unpacked(last)) is not None:
            if not await self._records.pack(table, since):
                log.warning("The record of table %s would not be the same when packed, so it stays as it is", table)
            last = table
            await asyncio.sleep(self._breath)

    async def _forget_all(self) -> None:
        """Delete what was played over a year ago where that is wanted, and still is when its turn comes."""
        since, last = self._now() - YEAR, TableId(0)
        wanted = [guild for guild in tuple(self._chosen) if await self._is_sure(guild)]
        while guilds := [guild for guild in wanted if self._forgets(guild)]:
            table = await self._records.forget_plays(last, guilds, since, VERSION)
            if table is None:
                return
            last = table
            await asyncio.sleep(self._breath)

    def _forgets(self, guild: GuildId) -> bool:
        return self._chosen.get(guild, PLAIN).forget_plays

    async def _is_sure(self, guild: GuildId) -> bool:
        """Tell whether a server wants that, and has wanted it for long enough to have thought better of it."""
        if not self._forgets(guild):
            return False
        switched = await self._records.switched(guild, "forget_plays")
        return all(at <= self._now() - SECOND_THOUGHTS for at, _ in switched[-1:])
