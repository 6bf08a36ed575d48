"""How much time there is: for a move, between two hands, and for an untouched lobby.

Knows durations; refuses to know what happens when they are over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.ground.pace import MAX_SUSPENSION, Deadline, Kind, Pace
from bot.store.rows import TableRow

REMIND_AT = 0.8  # of the time that there is
# Without a clock nobody misses.
MISSES_TO_LOSE_SEAT: Mapping[Kind, int] = {"live": 3, "relaxed": 2, "daily": 2, "none": 1}
HOUSE_NUDGE = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Tempo:
    """How much time a seat has. move: for each move, or added by it; reserve: beside that, or in all where it grows."""

    move: timedelta
    reserve: timedelta = timedelta()
    grows: bool = False

    def begun(self, bank: timedelta | None) -> timedelta:
        """Return the time for a move that begins. bank: what is left of the reserve, None where that is whole."""
        kept = self.reserve if bank is None else bank
        return kept if self.grows else self.move + kept

    def ended(self, bank: timedelta | None, left: timedelta) -> timedelta | None:
        """Return what is left of the reserve after a move, None where it is whole. left: of the time for the move."""
        kept = self.reserve if bank is None else bank
        now = max(left, timedelta()) + self.move if self.grows else min(kept, max(left, timedelta()))
        return now if now < self.reserve else None


@dataclass(frozen=True, slots=True)
class Durations:
    """The durations in force where nobody has said others.

    live_reserve: beside the time for a move. reserve, increment: of a daily table. quiet: between two hands at a table
    without a fast clock. deserted: with nobody there. silence: after which nobody is against the end of a match that
    has none of its own. pause: that a moderator makes, at most. sleep: of a lobby where the bot may not write, before
    it closes; suspended: of a match there, before it is called off. retry: before it is tried again to write there,
    later more seldom, but never after more than seldom, for nothing tells that a time-out of the bot is over. shut_out:
    in which the table waits for somebody who cannot see it. answer: before something is asked again that Discord has
    not answered. anew: before somebody asks all for something again that was not wanted; anew_slowly: where nobody has
    to be there.
    """

    live: timedelta = timedelta(minutes=2)
    live_reserve: timedelta = timedelta(minutes=1)
    slow: timedelta = timedelta(days=1)
    reserve: timedelta = timedelta(days=2)
    increment: timedelta = timedelta(hours=8)
    between: timedelta = timedelta(minutes=1)
    quiet: timedelta = timedelta(hours=1)
    lobby: timedelta = timedelta(minutes=30)
    deserted: timedelta = timedelta(days=7)
    silence: timedelta = timedelta(days=1)
    pause: timedelta = timedelta(days=7)
    sleep: timedelta = timedelta(days=7)
    suspended: timedelta = MAX_SUSPENSION
    shut_out: timedelta = timedelta(days=1)
    retry: timedelta = timedelta(minutes=10)
    seldom: timedelta = timedelta(hours=1)
    answer: timedelta = timedelta(seconds=30)
    anew: timedelta = timedelta(minutes=10)
    anew_slowly: timedelta = timedelta(days=1)

    def tempo(self, pace: Pace) -> Tempo | None:
        """Return how much time a seat has at this pace, None without a clock."""
        match pace.kind:
            case "none":
                return None
            case "relaxed":
                return Tempo(pace.move or self.slow)
            case "daily":
                return Tempo(pace.move or self.increment, pace.reserve or self.reserve, grows=True)
        return Tempo(pace.move or self.live, self.live_reserve if pace.reserve is None else pace.reserve)

    def move(self, pace: Pace) -> timedelta | None:
        """Return the time for a move, without what there is beside it; None without a clock."""
        tempo = self.tempo(pace)
        return tempo.move if tempo else None

    @staticmethod
    def within(span: timedelta, now: datetime) -> Deadline:
        """Return the deadline of what may take so long from now on, with its reminder."""
        return Deadline(now + span, now + span * REMIND_AT)

    def for_answers(self, pace: Pace, now: datetime, tick: int | None) -> Deadline | None:
        """Return until when everybody is asked at the same time: so many seconds, or half as long as for a move."""
        if tick is not None:
            return Deadline(now + timedelta(seconds=tick))
        span = self.move(pace)
        return None if span is None else self.within(span / 2, now)

    def for_next_hand(self, pace: Pace, now: datetime) -> Deadline:
        """Return when the next hand is dealt even if not everybody is ready."""
        return Deadline(now + (self.between if pace.kind == "live" else self.quiet))

    def for_lobby(self, now: datetime) -> Deadline:
        """Return when an untouched lobby closes."""
        return Deadline(now + self.lobby)

    def for_house(self, now: datetime) -> Deadline:
        """Return when house players are nudged, in case they were stopped in the middle of their turn."""
        return Deadline(now + HOUSE_NUDGE)

    def for_pause(self, now: datetime) -> Deadline:
        """Return when a table goes on that was paused and forgotten."""
        return Deadline(now + self.pause)

    def for_retry(self, since: datetime, now: datetime, most: timedelta) -> Deadline:
        """Return when to look whether a table suspended since then can be shown again; ever more seldom.

        most: after which it ends.
        """
        return Deadline(min(now + min(max(self.retry, (now - since) / 10), self.seldom), since + most))

    def while_asked(self, late: Deadline, now: datetime) -> Deadline:
        """Return when it is asked again whether somebody who is late sees the table, should there be no answer."""
        return replace(late, at=now + self.answer, reminded=True)

    def after_pause(self, held: timedelta | None, before: Deadline | None, now: datetime) -> Deadline | None:
        """Return the deadline of a table that goes on.

        held: how much time there was still, None without a clock. before: the one of the pause or sleep.
        """
        shut_out = before.shut_out if before else None
        return None if held is None else replace(self.within(held, now), shut_out=shut_out)

    def before_asking_anew(self, pace: Pace) -> timedelta:
        """Return how long nobody asks all for something again that was not wanted."""
        return self.anew if pace.kind == "live" else self.anew_slowly

    def for_silence(self, now: datetime) -> Deadline:
        """Return when a match ends that somebody wants to end and nobody wants to go on with."""
        return Deadline(now + self.silence)

    def for_deserted(self, now: datetime) -> Deadline:
        """Return when a table ends at which no person sits any more."""
        return Deadline(now + self.deserted)


def is_live_session(row: TableRow) -> bool:
    """Tell whether a slow table is being played live."""
    return row.own_pace is not None and row.own_pace != row.pace
