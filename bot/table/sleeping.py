"""One table where the bot may not write any more: it sleeps, its clock stands still, and it goes on when that is over.

Knows what that means for a lobby and a match; refuses to know how it is found out, which is for those who write.
"""

from __future__ import annotations

from bot.table.holding import HoldingTable


class SleepingTable(HoldingTable):
    """A table as far as its sleep goes. A sleeping table is paused, and nobody has to let it go on."""

    async def fall_asleep(self) -> None:
        """Stop the clock of a table that cannot be shown, and tell those who can be told."""
        async with self._alone():
            now = self._around.now()
            if not self.row.running:
                return
            until = self._resting(self._around.times.for_retry(now, now))
            await self._save(paused=True, asleep=now, held=self._time_left(), deadline=until)
            self._around.teller.asleep(self)

    async def ring(self) -> None:
        """Do what is due, but where the bot may not write: then nobody could know of it."""
        if self.row.running and not self._around.writable(self.row.home):
            await self.fall_asleep()
            self._around.teller.changed(self)
        else:
            await super().ring()

    async def wake_up(self) -> None:
        """Let the table go on, for it can be shown again."""
        async with self._alone():
            if self.row.asleep and self.row.open:
                await self._resume()
