"""Periodic backups: a copy of the store at a fixed interval, with a limited number retained.

The name of a backup holds its time, so a restart does not change the schedule.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.runtime.store_address import Address
from bot.store.copies.transfer import back_up
from bot.store.engine.migration import newest_revision
from bot.store.errors import StoreError
from bot.store.sqlite import files

log = logging.getLogger(__name__)

STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backups:
    """The backup schedule. beside: the file beside the backups folder. kept: the number of backups retained."""

    store: Address
    beside: Path
    every: timedelta  # zero disables backups
    kept: int
    now: Callable[[], datetime]

    async def look(self) -> None:
        """Make a backup if one is due, and delete surplus ones. A failure is logged."""
        made = self.made()
        if not self.every or (made and self.now() - moment(made[-1]) < self.every):
            return
        try:
            await back_up(self.store, self.beside, self.now())
        except StoreError as error:
            log.error("No backup could be made: %s", error)  # an expected failure: no traceback
            return
        for old in self.made()[: -self.kept]:
            old.unlink(missing_ok=True)

    def made(self) -> tuple[Path, ...]:
        """Return the backups of this version, the oldest first; copies made before a migration do not count."""
        return tuple(copy for copy in files.copies(self.beside) if copy.name.endswith(f"Z-{newest_revision()}.db"))


def moment(copy: Path) -> datetime:
    """Return the time of a backup."""
    return datetime.strptime(copy.stem.split("-")[-2], STAMP).replace(tzinfo=UTC)
