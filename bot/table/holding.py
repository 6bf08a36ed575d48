"""One table at which it is the turn of somebody who cannot see it any more: nobody is to win by taking them out of it.

Knows how long the clock waits for them, and what follows. Refuses to know how it is found out who sees what.
"""

from __future__ import annotations

from dataclasses import replace

from bot.ground.chair import Chair
from bot.rules.match import Match
from bot.table import chairs as seating
from bot.table.playing import PlayingTable

STAND_IN = (
    "{name} has not been able to see {table} for a day, so a house player goes on. Nobody can tell whose doing that "
    "is: the match does not count any more."
)


class HoldingTable(PlayingTable):
    """A table as far as it waits for such a person: for a day beyond their time."""

    async def _act_for_the_late(self, match: Match) -> None:
        chair = self.row.chairs[min(match.awaited)]
        if match.game.secrecy.together or chair.user is None or not await self._holds(chair, chair.user):
            await super()._act_for_the_late(match)

    async def _holds(self, chair: Chair, user: int) -> bool:
        """Tell whether the clock, which has run out, waits on.

        Whoever sees the table again has a whole move's time, once a turn: who goes again is late like anybody else.
        """
        row, now, times = self.row, self._around.now(), self._around.times
        since = row.deadline.shut_out if row.deadline else None
        back = row.deadline is not None and row.deadline.remind_at is not None  # the time of a move has its reminder
        if since and back:
            return False
        if not await self._around.is_shut_out(row.guild, row.home, user):
            if since and (deadline := times.for_move(row.pace, now)):
                await self._save(deadline=replace(deadline, shut_out=since))
                self._around.teller.changed(self)
            return since is not None
        if since and now - since >= times.silence:
            await self._change_hands(seating.handed_to_house(row.chairs, chair.seat, "late"), counts=False)
            self._around.teller.news(self, STAND_IN, name=chair.name)
            return True
        await self._save(deadline=replace(times.for_retry(since or now, now), shut_out=since or now))
        self._around.teller.changed(self)
        if not since:
            self._around.teller.shut_out(self, user)
        return True
