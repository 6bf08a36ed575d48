"""One slow table that is played live for a while: all are there, so nobody has to wait for days.

Knows when that is offered, that all have to agree, and how the table falls back to its own pace, where everybody has
the time they had. Nobody is too late meanwhile: whoever lets two moves' time go by only ends it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.ground.effects import Reminder
from bot.ground.ids import UserId
from bot.ground.pace import Pace
from bot.ground.place import Place
from bot.ground.refused import Refused
from bot.ground.results import Ended
from bot.rules.match import Match
from bot.table.core import chairs as seating
from bot.table.core import seat_times
from bot.table.core.access import HoldingTable
from bot.table.core.chairs import Chairs
from bot.table.core.presence import agreeing, all_there, for_now

NOT_OFFERED = "To play on live is offered when everybody has played within a minute."
NOT_LIVE = "This table keeps its own pace already."
LIVE_NOW = "All agree, so {table} is played live for now. Whoever does not move in time loses nothing by it."
SLOW_AGAIN = "{table} goes on at its own pace. Everybody has the time they had."


class QuickTable(HoldingTable):
    """A table as far as it is played live for a while."""

    async def play_live(self, user: UserId) -> None:
        """Note that this person would play on live; it is done when all would. Raises Refused."""
        async with self._locked():
            seat, match = seating.own_seat(self.row.chairs, user), self.match
            there = all_there(self.row, match) if match and self.row.running else frozenset[int]()
            if match is None or seat not in there:
                raise Refused(NOT_OFFERED)
            chairs = seating.changed(self.row.chairs, replace(self.row.chairs[seat], quick=self.ply))
            if there - {seat} <= agreeing(self.row, there):
                await self._hurry(match)
            else:
                await self._save(chairs=chairs)
            self._around.teller.changed(self)

    async def _hurry(self, match: Match) -> None:
        """Stop the clocks of the table, and begin one for the move."""
        own = self.row.pace
        live = replace(own, kind="live", move=self._around.times.live, reserve=timedelta())
        times = seat_times.halted(self.row.times, self._days, self._around.now())
        waits = self._at_pace(live, match, times)
        self._announce(LIVE_NOW)
        await self._save(pace=live, own_pace=own, chairs=_forgotten(self.row.chairs), **waits)
        self.go_on()

    async def play_slowly(self, user: UserId) -> None:
        """Let the table go on at its own pace, as somebody there wants. Raises Refused."""
        async with self._locked():
            seat = seating.own_seat(self.row.chairs, user)
            if not self.row.running or not for_now(self.row) or self.row.chairs[seat].house or self.match is None:
                raise Refused(NOT_LIVE)
            await self._slow_down(self.match)

    async def _slow_down(self, match: Match) -> None:
        own = self.row.own_pace
        assert own is not None
        await self._learn_days()
        waits = self._at_pace(own, match, self.row.times)
        self._announce(SLOW_AGAIN)
        await self._save(pace=own, chairs=_forgotten(self.row.chairs), **waits)
        self.go_on()

    def _at_pace(self, pace: Pace, match: Match, times: seat_times.Times) -> dict[str, Any]:
        """Return what is written of the time that there is where a table goes on at this pace."""
        row, self.row = self.row, replace(self.row, pace=pace, times=times)
        try:
            tempo = self._tempo
            if tempo and pace.slow:
                times = seat_times.begun(times, self._clocked(match, row.chairs), tempo, self._around.now())
            return {"times": times, "deadline": self._new_wait(match, row.chairs, times, tempo)}
        finally:
            self.row = row

    async def _act_for_the_late(self, match: Match) -> None:
        if not for_now(self.row) or match.game.secrecy.tick is not None:
            await super()._act_for_the_late(match)
            return
        seat = min(match.awaited)
        if match.game.secrecy.together or self.row.chairs[seat].misses:
            await self._slow_down(match)
            return
        chairs = seating.changed(self.row.chairs, replace(self.row.chairs[seat], misses=1))
        self._plan(Reminder(self.moment))
        await self._save(chairs=chairs, **self._move_anew(match, seat))

    async def _over(self, match: Match, chairs: Chairs, ended: Ended, place: Place | None = None) -> dict[str, Any]:
        own = {"pace": self.row.own_pace} if for_now(self.row) else {}
        return await super()._over(match, chairs, ended, place) | own


def _forgotten(chairs: Chairs) -> Chairs:
    """Return the chairs with nobody having said or missed anything meanwhile."""
    return tuple(replace(chair, quick=min(chair.quick, 0), misses=0) for chair in chairs)
