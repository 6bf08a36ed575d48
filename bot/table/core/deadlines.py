"""One table while a match is played: what the clock waits for, until when, and how much time each seat has left.

Knows when a wait is the same as before, so that nobody's time begins anew, and that a slow table's clocks run only
while their owners' days do. Refuses to know what is done then.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.ground.pace import Deadline
from bot.rules.match import Match
from bot.table.core import chairs as seating
from bot.table.core import seat_times
from bot.table.core.chairs import Chairs
from bot.table.core.duplicate import AlikeTable
from bot.table.core.fair import ends_in_silence
from bot.table.core.pace import Tempo
from bot.table.core.seat_times import Times


class WaitingTable(AlikeTable):
    """A table as far as its deadlines go."""

    @property
    def _tempo(self) -> Tempo | None:
        """How much time a seat has here; None without a clock."""
        return self._around.times.tempo(self.row.pace)

    # What is waited for

    def _pending(self, match: Match, chairs: Chairs) -> dict[str, Any]:
        """Return what is written of what the clock waits for in this position, and of the time that each seat has."""
        if self.row.paused:
            return {"deadline": self.row.deadline}
        people, spans, now = seating.people(chairs), self._around.times, self._around.now()
        ends = bool(people) and self._may_end(match, chairs)
        if people and not ends and self._same_wait(match, chairs):
            return {"deadline": self.row.deadline}
        tempo = spans.tempo(self.row.pace)
        times = self._times(match, chairs, tempo)
        if not people:
            deadline: Deadline | None = spans.for_deserted(now)
        elif ends:
            asked = self._may_end(self.match, self.row.chairs)
            deadline = self.row.deadline if asked else spans.for_silence(now)
        else:
            deadline = self._new_wait(match, chairs, times, tempo)
        return {"deadline": deadline} if times == self.row.times else {"deadline": deadline, "times": times}

    def _new_wait(self, match: Match, chairs: Chairs, times: Times, tempo: Tempo | None) -> Deadline | None:
        now, spans, pace = self._around.now(), self._around.times, self.row.pace
        if match.game.result:
            return spans.for_next_hand(pace, now)
        if match.game.secrecy.together:
            return self._for_answers(match, chairs)
        if any(chairs[seat].house for seat in match.awaited):
            return spans.for_house(now)
        if tempo is None:
            return None
        return seat_times.deadline(times, self._days) if pace.slow else self._for_move(match, times, tempo)

    def _for_move(self, match: Match, times: Times, tempo: Tempo) -> Deadline:
        """Return until when a move may take at a table whose clock always runs."""
        known = {time.seat: time.left for time in times if tempo.reserve}  # else it is that of another pace
        span = min(tempo.begun(known.get(seat)) for seat in match.awaited)
        return self._around.times.within(span, self._around.now())

    def _for_answers(self, match: Match, chairs: Chairs) -> Deadline | None:
        """Return until when everybody is asked at the same time: at a slow table until all have had that much time.

        It is the same whoever has answered, for nobody may see that.
        """
        now, spans, tick = self._around.now(), self._around.times, match.game.secrecy.tick
        plain = spans.for_answers(self.row.pace, now, tick)
        if plain is None or tick is not None or not self.row.pace.slow:
            return plain
        asked = [self._days.get(seat, seat_times.ALWAYS) for seat in self._asked(match) if not chairs[seat].house]
        return spans.within(max((day.runs_out(now, plain.at - now) for day in asked), default=plain.at) - now, now)

    def _asked(self, match: Match) -> frozenset[int]:
        """Return the seats that are asked, as everybody sees it."""
        return match.view(None).awaited if match.game.secrecy.together else match.awaited

    def _resting(self, until: Deadline) -> Deadline:
        """Return when something happens to a table at rest; it is not forgotten whether its turn was held."""
        return replace(until, shut_out=self.row.deadline.shut_out if self.row.deadline else None)

    # How much time there is

    def _times(self, match: Match, chairs: Chairs, tempo: Tempo | None) -> Times:
        """Return the time of each seat in this position: of those who have moved, and of those who are to move now."""
        times, now = self.row.times, self._around.now()
        if tempo is None or not (self.row.pace.slow or tempo.reserve):
            return times
        if not self.row.pace.slow:
            return self._spent(chairs, tempo)
        over = seat_times.ended(times, seat_times.running(times), tempo, self._days, now)
        return seat_times.begun(over, self._clocked(match, chairs), tempo, now)

    def _clocked(self, match: Match, chairs: Chairs) -> frozenset[int]:
        """Return the seats whose own clock runs in this position, at a slow table."""
        alone = not self.row.pace.slow or match.game.result or match.game.secrecy.together
        return frozenset() if alone or any(chairs[seat].house for seat in match.awaited) else match.awaited

    def _spent(self, chairs: Chairs, tempo: Tempo) -> Times:
        """Return the times at a live table, less what those needed of their reserve who had to move."""
        times, before, match, seated = self.row.times, self.row.deadline, self.match, self.row.chairs
        if match is None or before is None or not before.remind_at:
            return times
        if match.game.result or match.game.secrecy.together:
            return times
        for seat in (seat for seat in match.awaited if not seated[seat].house):
            late = chairs[seat].house or chairs[seat].misses > seated[seat].misses
            remaining = before.at - self._around.now()
            times = seat_times.spent(times, seat, tempo, remaining * (not late))
        return times

    def _halted(self) -> dict[str, Any]:
        """Return what is written of the time that there is when a match stands still, to be had when it goes on.

        It is all of it where it was over before anybody looked, and where somebody was waited for who was shut out.
        """
        deadline, now, match = self.row.deadline, self._around.now(), self.match
        if deadline is None or match is None:
            return {"held": None}
        if deadline.at <= now or (deadline.shut_out and not deadline.remind_at):
            deadline = self._new_wait(match, self.row.chairs, self.row.times, self._tempo)
        held = None if deadline is None else deadline.at - now
        if not seat_times.running(self.row.times):
            return {"held": held}
        return {"held": held, "times": seat_times.halted(self.row.times, self._days, now)}

    def _goes_on(self) -> dict[str, Any]:
        """Return what is written of the time that there is when a match goes on that stood still."""
        now, spans, tempo, match = self._around.now(), self._around.times, self._tempo, self.match
        before = self.row.deadline
        goes_on = {"deadline": spans.after_pause(self.row.held, before, now)}
        if tempo is None or match is None or not (clocked := self._clocked(match, self.row.chairs)):
            return goes_on
        times = seat_times.begun(self.row.times, clocked, tempo, now)
        deadline = seat_times.deadline(times, self._days)
        shut_out = before.shut_out if before else None
        return {"times": times, "deadline": deadline and replace(deadline, shut_out=shut_out)}

    def _move_anew(self, match: Match, seat: int) -> dict[str, Any]:
        """Return what is written where a seat has all the time of a move again; nothing without a clock."""
        tempo, now = self._tempo, self._around.now()
        if tempo is None:
            return {}
        if not self.row.pace.slow:
            return {"deadline": self._for_move(match, self.row.times, tempo)}
        times = seat_times.anew(self.row.times, seat, tempo, now)
        return {"times": times, "deadline": seat_times.deadline(times, self._days)}

    def _reckoned(self) -> Deadline | None:
        """Return the deadline as it follows now from the time that there is; None where there is none, or it is over.

        Somebody may have other hours than when it was noted, and the time of an outage is nobody's.
        """
        noted, anew = self.row.deadline, seat_times.deadline(self.row.times, self._days)
        if noted is None or not noted.remind_at or self.row.paused or anew is None or anew.at <= self._around.now():
            return None
        return replace(noted, at=anew.at, remind_at=anew.remind_at)

    def _late(self, match: Match) -> int:
        """Return the seat that is late first of those that are to move."""
        late = seat_times.first_out(self.row.times, self._days) if self.row.pace.slow else None
        return min(match.awaited) if late is None else late

    def _asleep(self, match: Match) -> Deadline | None:
        """Return until when somebody sleeps, at a slow table, whose time would be over; None where nobody does."""
        if not self.row.pace.slow or match.game.result or self.row.deadline is None:
            return None
        asked = self._asked(match) if match.game.secrecy.together else {self._late(match)}
        people = [self._days.get(seat) for seat in asked if not self.row.chairs[seat].house]
        wakes = [until for day in people if day and (until := day.resting(self._around.now()))]
        return replace(self.row.deadline, at=max(wakes), reminded=True) if wakes else None

    # What is the same as before

    def _may_end(self, match: Match | None, chairs: Chairs) -> bool:
        """Tell whether somebody wants the match to end and silence is enough."""
        return match is not None and ends_in_silence(match, chairs, self.row.pace)

    def _same_wait(self, match: Match, chairs: Chairs) -> bool:
        """Tell whether the table waits for the same as before: then nobody's time begins anew."""
        before, sitting = self.match, self.row.chairs
        if before is None or not seating.people(sitting) or self._may_end(before, sitting):
            return False
        if match.game.secrecy.together:
            return bool(match.game.secrecy.sealed) or match.game is before.game
        if match.game is not before.game and not match.game.secrecy.sealed:
            return False
        return all(match.game.result or chairs[seat].house == sitting[seat].house for seat in match.awaited)
