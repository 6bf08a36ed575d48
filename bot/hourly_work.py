"""The hourly work of this process, in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.club.daily_deals import DailyDeals
from bot.club.duplicates import Duplicates
from bot.club.practice import Practice
from bot.club.puzzles import Puzzles
from bot.club.seasons import Seasons
from bot.history.record_upkeep import MatchRescorer, RecordPacker
from bot.lifecycle import Lifecycle
from bot.members.retention import Retention
from bot.runtime.tasks import BackgroundTask
from bot.table.clock import HOUR, HourlyTask


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyWork:
    """The hourly tasks of this process.

    owns_solo_tables: tells whether this process owns the solo tables and direct messages.
    """

    lifecycle: Lifecycle
    retention: Retention
    seasons: Seasons
    daily_deals: DailyDeals
    duplicates: Duplicates
    practice: Practice
    puzzles: Puzzles
    match_rescorer: MatchRescorer
    record_packer: RecordPacker
    backups: BackgroundTask
    absences: BackgroundTask
    owns_solo_tables: Callable[[], bool]

    def tasks(self) -> tuple[HourlyTask, ...]:
        """Return the tasks in order."""
        by_one_process = (
            self._close_expired,
            self.match_rescorer.background.begin,
            self._pack_records,
            self.backups.begin,
            self.puzzles.make_next,
        )
        return (
            self._end_retention,
            *map(self._on_owner_only, by_one_process),
            self.absences.begin,
            self.seasons.background.begin,
        )

    def _on_owner_only(self, task: HourlyTask) -> HourlyTask:
        """Return a task that only the process with the solo tables performs."""

        async def done() -> None:
            if self.owns_solo_tables():
                await task()

        return done

    async def _end_retention(self) -> None:
        await self.retention.end()

    async def _close_expired(self) -> None:
        await self.daily_deals.close_expired()
        if self._has_run_for_an_hour:
            await self.duplicates.close_expired()
            await self.practice.close_expired()

    async def _pack_records(self) -> None:
        if self._has_run_for_an_hour:
            await self.record_packer.background.begin()

    @property
    def _has_run_for_an_hour(self) -> bool:
        """Whether players have had an hour since the start to return to an expired table."""
        return self.lifecycle.now() - self.lifecycle.began >= HOUR
