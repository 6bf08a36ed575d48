"""One table whose time is up: who is reminded, what is done for whoever is late, and what becomes of an empty table.

Knows what the clock does when it rings. Refuses to know when that is, and what is due after sleep or a pause.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.ai_pool.moves import least
from bot.ground.effects import Reminder
from bot.ground.ids import UserId
from bot.ground.refused import Refused, TooLate
from bot.rules.actions import Ready
from bot.rules.match import Match
from bot.table.core import chairs as seating
from bot.table.core import seat_times, votes
from bot.table.core.pace import MISSES_TO_LOSE_SEAT
from bot.table.core.play import DESERTED
from bot.table.core.premoves import OrderingTable

KEPT_WARM = {
    3: "{name} has missed three moves in a row. A house player keeps the seat warm until {name} takes it back.",
    2: "{name} has missed two moves in a row. A house player keeps the seat warm until {name} takes it back.",
}  # by how many moves
NOTHING_TO_GRANT = "There is nobody here to whom you could give more time now."
ENOUGH = "{name} has been given all the time that there is for one move. Ask everybody for a break instead."
PLENTY = "There is plenty of time: more than {hours} are left."
GRACE = "It is the first move of {name} in this match, so there are {hours} more for it."
GIVEN = "{name} gives {other} {hours} more."
SUBSTITUTED = "{name} was too late. A house player keeps the seat warm until {name} takes it back."
ABORTED = "Somebody was too late at {table}, so the match ends unfinished and the table is closed."
LOBBY_CLOSED = "Nobody started {table} in time, so it is closed."
SILENCE = "Nobody has said anything against it for a day, so {table} ends here. What was played counts."


GRANTED = timedelta(hours=12)
MOST_GRANTED = 3  # times at one move, the grace among them: else two who agree could hold up all others for ever


class TimedTable(OrderingTable):
    """A table as far as its clock goes."""

    async def ring(self) -> None:
        """Do what is due: remind, or act for those who have not."""
        await super().ring()
        async with self._locked():
            await self._reckon()
            deadline, now = self.row.deadline, self._around.now()
            if deadline is None:
                return
            if deadline.at <= now:
                await self._time_is_up()
            elif deadline.remind_at and deadline.remind_at <= now and not deadline.reminded:
                self._plan(Reminder(self.moment))
                await self._save(deadline=replace(deadline, reminded=True))

    async def reread(self) -> None:
        """Take over what the store has, and find out when time is up by that. May raise StoreError."""
        await super().reread()
        if self.row.pace.slow:
            await self.reckon()

    async def reckon(self) -> None:
        """Find out when time is up now that somebody's days are others, or that the bot was away."""
        async with self._locked():
            await self._reckon()

    async def _reckon(self) -> None:
        anew = self._reckoned()
        if anew is not None and anew != self.row.deadline:
            await self._save(deadline=anew)
            self._around.teller.changed(self)

    async def _time_is_up(self) -> None:
        """Do what the deadline is for that has passed."""
        match = self.match
        if match is None or self.row.phase != "playing":
            await self._close(LOBBY_CLOSED)
        elif not seating.people(self.row.chairs):
            await (self._play_out(match) if self.row.counts else self._close(DESERTED))
        elif self._may_end(match, self.row.chairs):
            self._announce(SILENCE)
            await self._end(match, votes.ending(self.row.chairs)[0], self.row.chairs, "silence")
        elif not match.game.result and match.game.secrecy.tick is None and self._house_seats():
            await self._save(deadline=self._around.times.for_house(self._around.now()))
            self.go_on()
        elif match.game.result:
            await self._act(tuple((seat, Ready()) for seat in sorted(match.to_act)), "clock", self.row.chairs)
        elif self._tempo is None and match.game.secrecy.tick is None:
            await self._save(deadline=None)  # the end was wanted by somebody who was deleted since
        elif asleep := self._asleep(match):
            await self._save(deadline=asleep)
        else:
            await self._act_for_the_late(match)

    async def _nudge(self, match: Match) -> None:
        """Remind whoever is late, and wait on."""
        self._plan(Reminder(self.moment))
        if match.game.secrecy.together:
            await self._save(deadline=self._new_wait(match, self.row.chairs, self.row.times, self._tempo))
        else:
            await self._save(**self._move_anew(match, self._late(match)))

    def _grace(self, seat: int) -> dict[str, Any]:
        """Return what is written where somebody has more time for their first move in a match; nothing without that."""
        tempo = self._tempo
        if tempo is None or not self.row.pace.slow or any(step.seat == seat for step in self.row.steps):
            return {}
        if any(time.seat == seat and time.left > tempo.begun(None) for time in self.row.times):
            return {}
        times = seat_times.granted(self.row.times, seat, GRANTED)
        deadline = seat_times.deadline(times, self._days)
        return {} if deadline is None or deadline.at <= self._around.now() else {"times": times, "deadline": deadline}

    async def grant(self, user: UserId, moment: int | None) -> None:
        """Give whoever is to move at a slow table half a day more, as somebody else there wants.

        moment: the one their click was made for. Raises Refused and TooLate.
        """
        async with self._locked():
            own = seating.own_seat(self.row.chairs, user)
            others = seat_times.running(self.row.times) - {own}
            if self.row.chairs[own].house or self.row.paused or not others:
                raise Refused(NOTHING_TO_GRANT)
            if moment not in (None, self.moment):
                raise TooLate
            seat, now = min(others), self._around.now()
            if seat_times.remaining(self.row.times, seat, self._days, now) > GRANTED:
                raise Refused(PLENTY, hours=GRANTED)
            if self._had_enough(seat):
                raise Refused(ENOUGH, name=self.row.chairs[seat].name)
            times = seat_times.granted(self.row.times, seat, GRANTED)
            deadline = seat_times.deadline(times, self._days)
            giver, late = self.row.chairs[own], self.row.chairs[seat]
            self._announce(GIVEN, about=[giver, late], name=giver.name, other=late.name, hours=GRANTED)
            await self._save(times=times, deadline=deadline)
            self._around.teller.changed(self)

    def _had_enough(self, seat: int) -> bool:
        """Tell whether others have given somebody all the time for this move that they can give."""
        tempo = self._tempo
        begun = next(time.left for time in self.row.times if time.seat == seat)
        return tempo is not None and begun + GRANTED > tempo.begun(None) + MOST_GRANTED * GRANTED

    async def _act_for_the_late(self, match: Match) -> None:
        """Do the least for an awaited seat; the third miss in a row costs the seat, or whatever the rules say."""
        if self.row.pace.late == "nudge":
            await self._nudge(match)
            return
        if match.game.secrecy.together:  # whoever says nothing wants nothing
            await self._act(tuple((seat, least(match.view(seat))) for seat in sorted(match.awaited)), "clock",
                            self.row.chairs)  # fmt: skip
            return
        seat, late = self._late(match), self.row.pace.late
        if grace := self._grace(seat):
            self._announce(GRACE, about=[self.row.chairs[seat]], name=self.row.chairs[seat].name, hours=GRANTED)
            await self._save(**grace)
            self._around.teller.changed(self)
            return
        if match.rules.late == "abort":
            await self._close(ABORTED)
            return
        at_once = late == "house" or match.rules.late == "substitute"
        most = 1 if at_once else MISSES_TO_LOSE_SEAT[self.row.pace.kind]
        chairs = seating.missed(self.row.chairs, seat, most)
        if chairs[seat].house and at_once:
            self._announce(SUBSTITUTED, about=[chairs[seat]], name=chairs[seat].name)
            await self._change_hands(chairs)
            return
        if chairs[seat].house:
            self._announce(KEPT_WARM[most], about=[chairs[seat]], name=chairs[seat].name)
        await self._act(((seat, least(match.view(seat))),), "clock", chairs)
