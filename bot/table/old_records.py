"""Records of matches that ended long ago: each is packed, and read as before by whoever asks for it.

Knows how long is long ago. Refuses to know what a pack is, and to put one in place of what it does not give back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from bot.ground.ids import TableId
from bot.store.errors import StoreError

log = logging.getLogger(__name__)

LOOSE = timedelta(days=30)  # after its end in which the steps of a match are kept one by one
BREATH = 0.05  # seconds between two matches, in which everybody else is served


class Records(Protocol):
    """What is needed of a store."""

    async def next_unpacked(self, after: TableId) -> TableId | None:
        """Return the next table whose steps are kept one by one, by their numbers."""
        ...

    async def pack(self, table: TableId, since: datetime) -> bool:
        """Pack a match, should it have ended before then; tell whether it is packed, or need not be."""
        ...


class OldRecords:
    """Packs one match after the other. breath: seconds between two of them."""

    def __init__(self, records: Records, now: Callable[[], datetime], breath: float = BREATH) -> None:
        self._records = records
        self._now = now
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
        since, last = self._now() - LOOSE, TableId(0)
        try:
            while (table := await self._records.next_unpacked(last)) is not None:
                if not await self._records.pack(table, since):
                    log.warning("The record of table %s would not be the same when packed, so it stays as it is", table)
                last = table
                await asyncio.sleep(self._breath)
        except StoreError as error:
            log.warning("Old records are packed later: %s", error)
