"""Backups by the clock: a copy of the store every so many hours, of which only so many are kept.

Knows when the last one was made by its name alone, so that a restart changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.runtime.store_address import Address
from bot.store.copies.transfer import back_up
from bot.store.engine.migration import newest
from bot.store.errors import StoreError
from bot.store.sqlite import files

log = logging.getLogger(__name__)

STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backups:
    """What is copied where and how often. beside: the file that has the copies beside it. kept: how many."""

    store: Address
    beside: Path
    every: timedelta  # none: no backups are made
    kept: int
    now: Callable[[], datetime]

    async def look(self) -> None:
        """Make a backup if it is time, and delete those that are too many. What keeps it from that is logged."""
        made = self.made()
        if not self.every or (made and self.now() - moment(made[-1]) < self.every):
            return
        try:
            await back_up(self.store, self.beside, self.now())
        except StoreError as error:
            log.error("No backup could be made: %s", error)  # a sentence, no fault of the program
            return
        for old in self.made()[: -self.kept]:
            old.unlink(missing_ok=True)

    def made(self) -> tuple[Path, ...]:
        """Return the backups of this version, the oldest first; copies from before a migration are no backups."""
        return tuple(copy for copy in files.copies(self.beside) if copy.name.endswith(f"Z-{newest()}.db"))


def moment(copy: Path) -> datetime:
    """Return when a backup was made."""
    return datetime.strptime(copy.stem.split("-")[-2], STAMP).replace(tzinfo=UTC)
