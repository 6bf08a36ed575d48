"""One table where the bot may not write any more: it sleeps, its clock stands still, and it goes on when that is over.

Knows what that means for a lobby and a match; refuses to know how it is found out, which is for those who write.
"""

from __future__ import annotations

from datetime import timedelta

from bot.table.holding import HoldingTable

NO_TIME = timedelta()


class SleepingTable(HoldingTable):
    """A table as far as its sleep goes. A sleeping table is paused, and nobody has to let it go on."""

    async def fall_asleep(self) -> None:
        """Stop the clock of a table that cannot be shown, and tell those who can be told."""
        async with self._alone():
            row, now = self.row, self._around.now()
            if not self.awake:
                return
            held = max(row.deadline.at - now, NO_TIME) if row.deadline else None
            await self._save(paused=True, asleep=now, held=held, deadline=self._around.times.for_retry(now, now))
            self._around.teller.asleep(self)

    async def wake_up(self) -> None:
        """Let the table go on, for it can be shown again."""
        async with self._alone():
            if self.row.asleep and self.row.phase in ("lobby", "playing"):
                await self._resume()
