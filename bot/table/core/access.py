"""One table at which it is the turn of somebody who cannot see it any more: nobody is to win by taking them out of it.

Knows how long the clock waits for them, and what follows. Refuses to know how it is found out who sees what: that is
asked beside the clock, and until there is an answer nobody is late.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.ground.chair import Chair
from bot.ground.effects import ShutOutNotice
from bot.ground.ids import UserId
from bot.ground.pace import Deadline
from bot.rules.match import Match
from bot.store.rows import TableRow
from bot.table.core import chairs as seating
from bot.table.core.clock import TimedTable
from bot.table.environment import Around

STAND_IN = (
    "{name} has not been able to see or use {table} for a day, so a house player goes on. Nobody can tell whose "
    "doing that is: the match does not count any more."
)


class HoldingTable(TimedTable):
    """A table as far as it waits for such a person: for a day beyond their time."""

    def __init__(self, row: TableRow, around: Around) -> None:
        super().__init__(row, around)
        self._looking: tuple[Deadline, datetime] | None = None  # until when an answer is waited for, and since when

    async def _act_for_the_late(self, match: Match) -> None:
        chair, late = self.row.chairs[self._late(match)], self.row.deadline
        if match.game.secrecy.together or chair.user is None or late is None or self._has_waited(late):
            await super()._act_for_the_late(match)
            return
        now = self._around.now()
        since = self._asked_since(late) or now
        until = self._around.times.while_asked(late, now)
        await self._save(deadline=until)
        self._looking = until, since
        self._around.teller.look_for(self, chair.user)

    def _has_waited(self, late: Deadline) -> bool:
        """Tell whether the clock waits no more for an answer: as long as a move takes, for the others wait as well."""
        asking, most = self._asked_since(late), self._around.times.move(self.row.pace) or self._around.times.shut_out
        return asking is not None and self._around.now() - asking >= most

    def _asked_since(self, late: Deadline) -> datetime | None:
        """Return since when it is asked whether whoever is late sees the table; None where it is not."""
        return self._looking[1] if self._looking and self._looking[0] == late else None

    async def found(self, user: UserId, *, shut_out: bool) -> None:
        """Hear whether somebody is shut out who was looked for; nothing happens where the table waits no more."""
        async with self._locked():
            late, match = self.row.deadline, self.match
            if match is None or late is None or self._asked_since(late) is None or not self.row.running:
                return
            self._looking = None
            chair = self.row.chairs[self._late(match)]
            if chair.user != user:
                return
            if shut_out:
                await self._hold(chair, user, late)
            elif not await self._give_move(match, late):
                await super()._act_for_the_late(match)

    async def _give_move(self, match: Match, late: Deadline) -> bool:
        """Give somebody a whole move's time who was shut out and sees the table again, unless they have had it.

        Tell whether they have it now. Whoever is shut out once more is waited for again, but a day in all.
        """
        if not late.shut_out or late.remind_at:  # the time of a move has its reminder, the wait for somebody has none
            return False
        if anew := self._move_anew(match, self._late(match)):
            await self._save(**anew | {"deadline": replace(anew["deadline"], shut_out=late.shut_out)})
            self._around.teller.changed(self)
        return True

    async def _hold(self, chair: Chair, user: UserId, late: Deadline) -> None:
        """Wait on, and look for them again; after a day a house player goes on."""
        now, times, since = self._around.now(), self._around.times, late.shut_out
        if since and now - since >= times.shut_out:
            self._announce(STAND_IN, about=[chair], name=chair.name)
            await self._change_hands(seating.handed_to_house(self.row.chairs, chair.seat, "late"), counts=False)
            return
        if not since:
            self._plan(ShutOutNotice(user))
        await self._save(deadline=replace(times.for_retry(since or now, now, times.shut_out), shut_out=since or now))
        self._around.teller.changed(self)
