"""One table where the bot may not write any more: it sleeps, its clock stands still, and it goes on when that is over.

Knows what that means for a lobby and a match; refuses to know how it is found out, which is for those who write.
"""

from __future__ import annotations

from datetime import timedelta

from bot.table.holding import HoldingTable


class SleepingTable(HoldingTable):
    """A table as far as its sleep goes. A sleeping table is paused, and nobody has to let it go on."""

    async def fall_asleep(self) -> None:
        """Stop the clock of a table that cannot be shown, and tell those who can be told."""
        async with self._alone():
            now = self._around.now()
            if not self.awake:
                return
            await self._save(
                paused=True, asleep=now, held=self._time_left(), deadline=self._around.times.for_retry(now, now)
            )
            self._around.teller.asleep(self)

    def _time_left(self) -> timedelta | None:
        """Return what a match has of its time when it goes on: all of it where it was over before this was found."""
        deadline, now = self.row.deadline, self._around.now()
        if deadline is not None and deadline.at <= now and self.match is not None:
            deadline = self._new_wait(self.match, self.row.chairs)
        return None if deadline is None else deadline.at - now

    async def ring(self) -> None:
        """Do what is due, but where the bot may not write: then nobody could know of it."""
        if self.awake and not self._around.writable(self.row.home):
            await self.fall_asleep()
            self._around.teller.changed(self)
        else:
            await super().ring()

    async def wake_up(self) -> None:
        """Let the table go on, for it can be shown again."""
        async with self._alone():
            if self.row.asleep and self.row.phase in ("lobby", "playing"):
                await self._resume()
