"""One table while a match is played: what the clock waits for, and until when.

Knows when a wait is the same as before, so that nobody's time begins anew. Refuses to know what is done then.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.ground.pace import Deadline
from bot.rules.match import Match
from bot.table import chairs as seating
from bot.table.chairs import Chairs
from bot.table.fair import ends_in_silence
from bot.table.lobby import LobbyTable


class WaitingTable(LobbyTable):
    """A table as far as its deadlines go."""

    def _deadline(self, match: Match, chairs: Chairs) -> Deadline | None:
        """Return what the clock shall wait for in this position."""
        now, times = self._around.now(), self._around.times
        if self.row.paused:
            return self.row.deadline
        if not seating.people(chairs):
            return times.for_deserted(now)
        if self._may_end(match, chairs):
            return self.row.deadline if self._may_end(self.match, self.row.chairs) else times.for_silence(now)
        return self.row.deadline if self._same_wait(match, chairs) else self._new_wait(match, chairs)

    def _new_wait(self, match: Match, chairs: Chairs) -> Deadline | None:
        now, times = self._around.now(), self._around.times
        if match.game.result:
            return times.for_next_hand(self.row.pace, now)
        if match.game.secrecy.together:
            return times.for_answers(self.row.pace, now, match.game.secrecy.tick)
        if any(chairs[seat].house for seat in match.awaited):
            return times.for_house(now)
        return times.for_move(self.row.pace, now)

    def _resting(self, until: Deadline) -> Deadline:
        """Return when something happens to a table at rest; it is not forgotten whether its turn was held."""
        return replace(until, shut_out=self.row.deadline.shut_out if self.row.deadline else None)

    def _time_left(self) -> timedelta | None:
        """Return what a match has of its time when it goes on, None without a clock.

        It is all of it where it was over before anybody looked, and where somebody was waited for who was shut out.
        """
        deadline, now, match = self.row.deadline, self._around.now(), self.match
        if deadline is None or match is None:
            return None
        if deadline.at <= now or (deadline.shut_out and not deadline.remind_at):
            deadline = self._new_wait(match, self.row.chairs)
        return None if deadline is None else deadline.at - now

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
