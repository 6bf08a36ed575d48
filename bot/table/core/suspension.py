"""One table where the bot may not write any more: it sleeps, its clock stands still, and it goes on when that is over.

Knows what that means for a lobby and a match; refuses to know how it is found out, which is for those who write.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from bot.table.core.live_session import QuickTable


class SleepingTable(QuickTable):
    """A table as far as its sleep goes. A sleeping table is paused, and nobody has to let it go on."""

    async def fall_asleep(self) -> None:
        """Stop the clock of a table that cannot be shown, and tell those who can be told."""
        async with self._locked():
            now = self._around.now()
            if not self.row.running:
                return
            until = self._resting(self._around.times.for_retry(now, now, self._longest_sleep))
            await self._save(paused=True, asleep=now, **self._halted(), deadline=until)
            self._around.teller.asleep(self)

    async def ring(self) -> None:
        """Do what is due, but where the bot may not write: then nobody could know of it."""
        if self.row.running and not self._around.writable(self.row.home):
            await self.fall_asleep()
            self._around.teller.changed(self)
        else:
            await super().ring()

    async def _time_is_up(self) -> None:
        if self.row.asleep:
            await self._try_to_wake(self.row.asleep)
        else:
            await super()._time_is_up()

    @property
    def _longest_sleep(self) -> timedelta:
        """How long the table is suspended at most, while the bot runs."""
        return self._around.times.sleep if self.row.phase == "lobby" else self._around.times.suspended

    async def _try_to_wake(self, since: datetime) -> None:
        """Show the table, for it may wake by that; one that has slept for long is broken off."""
        now, most = self._around.now(), self._longest_sleep
        if now - since >= most:
            await self._break_off()
            return
        await self._save(deadline=self._resting(self._around.times.for_retry(since, now, most)))
        self._around.teller.changed(self)

    async def wake_up(self) -> None:
        """Let the table go on, for it can be shown again."""
        async with self._locked():
            if self.row.asleep and self.row.open:
                await self._resume()

    async def _resume(self, **also: Any) -> None:
        """Let the clock run on with the time that was left; a lobby has all of it again."""
        lobby = {"deadline": self._around.times.for_lobby(self._around.now())}
        await self._save(paused=False, **(self._goes_on() if self.row.phase == "playing" else lobby), **also)
        self._take_time_anew()
        self.go_on()
