"""The time control of a table: its durations, and the time left to each seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.domain.pace import MAX_SUSPENSION, Deadline, Pace, PaceKind, SeatTime
from bot.domain.working_hours import WorkSchedule
from bot.store.rows import TableRow

REMIND_AT = 0.8  # of the available time
# Unused without a clock.
MISSES_TO_LOSE_SEAT: Mapping[PaceKind, int] = {"live": 3, "relaxed": 2, "daily": 2, "none": 1}
HOUSE_NUDGE = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of a seat.

    move: per move, or the increment; reserve: added to a move, or the total of a growing clock.
    """

    move: timedelta
    reserve: timedelta = timedelta()
    grows: bool = False

    def begun(self, bank: timedelta | None) -> timedelta:
        """Return the time for a new move. bank: the remaining reserve, None for a full reserve."""
        kept = self.reserve if bank is None else bank
        return kept if self.grows else self.move + kept

    def ended(self, bank: timedelta | None, left: timedelta) -> timedelta | None:
        """Return the reserve after a move, None for a full reserve. left: of the move's time."""
        kept = self.reserve if bank is None else bank
        now = max(left, timedelta()) + self.move if self.grows else min(kept, max(left, timedelta()))
        return now if now < self.reserve else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Durations:
    """The default durations.

    live_reserve: beside the move's time. reserve, increment: of a daily table. between_solo: between hands of one
    person and house players. quiet: between hands without a fast clock. lobby: of an untouched live lobby; slow_lobby:
    of any other one; lobby_reminder: until the reminder of its host. deserted: without persons. silence: until an
    unopposed wish to end a match takes effect. pause: the maximum of a moderator's pause. sleep: of a suspended lobby
    before closing; suspended: of a suspended match before cancellation. retry: until the first retry to write into a
    channel; seldom: the maximum between retries, because no event announces the end of the bot's time-out. shut_out:
    the wait for a player without access to the channel. answer: until an unanswered access check repeats.
    live_vote_pause, slow_vote_pause: until a declined vote may reopen.
    """

    live: timedelta = timedelta(minutes=2)
    live_reserve: timedelta = timedelta(minutes=1)
    slow: timedelta = timedelta(days=1)
    reserve: timedelta = timedelta(days=2)
    increment: timedelta = timedelta(hours=8)
    between: timedelta = timedelta(minutes=1)
    between_solo: timedelta = timedelta(seconds=12)
    quiet: timedelta = timedelta(hours=1)
    lobby: timedelta = timedelta(minutes=30)
    slow_lobby: timedelta = timedelta(days=3)
    lobby_reminder: timedelta = timedelta(days=2)
    deserted: timedelta = timedelta(days=7)
    silence: timedelta = timedelta(days=1)
    pause: timedelta = timedelta(days=7)
    sleep: timedelta = timedelta(days=7)
    suspended: timedelta = MAX_SUSPENSION
    shut_out: timedelta = timedelta(days=1)
    retry: timedelta = timedelta(minutes=10)
    seldom: timedelta = timedelta(hours=1)
    answer: timedelta = timedelta(seconds=30)
    live_vote_pause: timedelta = timedelta(minutes=10)
    slow_vote_pause: timedelta = timedelta(days=1)

    def time_control(self, pace: Pace) -> TimeControl | None:
        """Return the time of a seat at this pace, None without a clock."""
        match pace.kind:
            case "none":
                return None
            case "relaxed":
                return TimeControl(pace.move or self.slow)
            case "daily":
                return TimeControl(pace.move or self.increment, pace.reserve or self.reserve, grows=True)
        return TimeControl(pace.move or self.live, self.live_reserve if pace.reserve is None else pace.reserve)

    def move(self, pace: Pace) -> timedelta | None:
        """Return the time for a move without any reserve; None without a clock."""
        control = self.time_control(pace)
        return control.move if control else None

    @staticmethod
    def within(span: timedelta, now: datetime) -> Deadline:
        """Return the deadline after a span from now, with its reminder."""
        return Deadline(now + span, now + span * REMIND_AT)

    def for_answers(self, pace: Pace, now: datetime, tick: int | None) -> Deadline | None:
        """Return the deadline of a simultaneous question.

        The time is ``tick`` seconds, or half of a move's time.
        """
        if tick is not None:
            return Deadline(now + timedelta(seconds=tick))
        span = self.move(pace)
        return None if span is None else self.within(span / 2, now)

    def for_next_hand(self, pace: Pace, now: datetime, *, is_solo: bool) -> Deadline:
        """Return the time of the next deal, with or without every player's readiness.

        is_solo: whether a single person plays with house players.
        """
        usual = self.between if pace.kind == "live" else self.quiet
        return Deadline(now + (min(self.between_solo, usual) if is_solo else usual))

    def for_lobby(self, pace: Pace, now: datetime, before: Deadline | None) -> Deadline:
        """Return the time at which an untouched lobby closes.

        The host of a slow lobby is reminded once. before: the lobby's present deadline; None for a new lobby.
        """
        reminded = before is not None and before.reminded
        if pace.kind == "live":
            return Deadline(now + self.lobby, reminded=reminded)
        return Deadline(now + self.slow_lobby, now + self.lobby_reminder, reminded=reminded)

    def for_house(self, now: datetime) -> Deadline:
        """Return the time for a nudge of house players, in case of an interrupted turn."""
        return Deadline(now + HOUSE_NUDGE)

    def for_pause(self, now: datetime) -> Deadline:
        """Return the time at which a forgotten pause ends."""
        return Deadline(now + self.pause)

    def for_retry(self, since: datetime, now: datetime, most: timedelta) -> Deadline:
        """Return the time of the next attempt to resume a suspended table; the intervals grow.

        most: the suspension's maximum, after which the table ends.
        """
        return Deadline(min(now + min(max(self.retry, (now - since) / 10), self.seldom), since + most))

    def while_asked(self, late: Deadline, now: datetime) -> Deadline:
        """Return the deadline of an access check without an answer."""
        return replace(late, at=now + self.answer, reminded=True)

    def after_pause(self, held: timedelta | None, before: Deadline | None, now: datetime) -> Deadline | None:
        """Return the deadline of a resumed table.

        held: the remaining time, None without a clock. before: the deadline during the pause or suspension.
        """
        shut_out = before.shut_out if before else None
        return None if held is None else replace(self.within(held, now), shut_out=shut_out)

    def vote_pause(self, pace: Pace) -> timedelta:
        """Return the wait before a declined vote may reopen."""
        return self.live_vote_pause if pace.kind == "live" else self.slow_vote_pause

    def for_silence(self, now: datetime) -> Deadline:
        """Return the end of a match with an unopposed wish to end."""
        return Deadline(now + self.silence)

    def for_deserted(self, now: datetime) -> Deadline:
        """Return the end of a table without persons; nobody is left for a reminder."""
        return Deadline(now + self.deserted, reminded=True)

    @staticmethod
    def is_for_deserted(deadline: Deadline) -> bool:
        """Tell whether a deadline is the end of a table without persons."""
        return deadline.reminded and deadline.remind_at is None and deadline.shut_out is None


def is_live_session(row: TableRow) -> bool:
    """Tell whether a slow table is being played live."""
    return row.own_pace is not None and row.own_pace != row.pace


SeatTimes: TypeAlias = tuple[SeatTime, ...]
Schedules: TypeAlias = Mapping[int, WorkSchedule]  # by seat; a clock without an entry always runs

ALWAYS: Final = WorkSchedule()


def _of_seat(times: SeatTimes, seat: int) -> SeatTime | None:
    """Return the time of a seat; None for an unused time."""
    return next((time for time in times if time.seat == seat), None)


def running_seats(times: SeatTimes) -> frozenset[int]:
    """Return the seats with a running clock."""
    return frozenset(time.seat for time in times if time.since)


def time_left(time: SeatTime, schedules: Schedules, now: datetime) -> timedelta:
    """Return the remaining time, negative after expiry."""
    return time.left - schedules.get(time.seat, ALWAYS).active(time.since, now) if time.since else time.left


def begun(times: SeatTimes, seats: Iterable[int], control: TimeControl, now: datetime, *, turn: int) -> SeatTimes:
    """Return the times with the clocks of these seats running from now.

    A clock stopped in this turn resumes with its remaining time, at least a house player's time. A clock stopped in an
    earlier turn starts afresh, because that move was made by another player or in a live session. A clock that ran out
    starts afresh too: its player was late, and nobody has moved since, because all players had left.
    """
    times = settled(times, control, turn)
    for seat in seats:
        known = _of_seat(times, seat)
        if known is not None and known.turn == turn and known.left > timedelta():
            start = max(known.left, HOUSE_NUDGE)
        else:
            start = known.left if known and known.left > timedelta() else control.move if known else control.begun(None)
        times = _with(times, SeatTime(seat, start, now))
    return times


def settled(times: SeatTimes, control: TimeControl, turn: int) -> SeatTimes:
    """Return the times without clocks stopped in an earlier turn: those moves have ended."""
    for time in [time for time in times if time.turn not in (None, turn)]:
        times = _kept(times, time.seat, control.ended(None, time.left))
    return times


def ended(
    times: SeatTimes, seats: Iterable[int], control: TimeControl, schedules: Schedules, *, now: datetime
) -> SeatTimes:
    """Return the times after moves of these seats, for running clocks."""
    for time in [time for time in times if time.seat in set(seats)]:
        times = _kept(times, time.seat, control.ended(None, time_left(time, schedules, now)))
    return times


def spent(times: SeatTimes, seat: int, control: TimeControl, remaining: timedelta) -> SeatTimes:
    """Return the times after a move at a live table with this much of the move's time left."""
    return _kept(times, seat, control.ended(bank(times, seat), remaining))


def bank(times: SeatTimes, seat: int) -> timedelta | None:
    """Return the remaining reserve of a seat at a live table; None for a full reserve.

    A player who gives up the seat during a move leaves the reserve behind.
    """
    known = _of_seat(times, seat)
    if known is None:
        return None
    return known.left if known.turn is None else timedelta()


def given_up(times: SeatTimes, seat: int, remaining: timedelta, turn: int) -> SeatTimes:
    """Return the times after the seat's player gave up the seat during a move at a live table."""
    return _with(times, SeatTime(seat, max(remaining, timedelta()), turn=turn))


def left_in_turn(times: SeatTimes, seat: int, turn: int) -> timedelta | None:
    """Return the remaining time of a clock stopped in this turn.

    The time is at least a house player's. None for a clock not stopped in this turn, and for a clock that ran out.
    """
    known = _of_seat(times, seat)
    return max(known.left, HOUSE_NUDGE) if known and known.turn == turn and known.left > timedelta() else None


def halted(times: SeatTimes, schedules: Schedules, now: datetime, turn: int) -> SeatTimes:
    """Return the times with running clocks stopped, to resume with the rest in the same turn."""
    return tuple(
        SeatTime(time.seat, time_left(time, schedules, now), turn=turn) if time.since else time for time in times
    )


def renewed(times: SeatTimes, seat: int, control: TimeControl, now: datetime) -> SeatTimes:
    """Return the times with the seat's clock running from a full move."""
    return _with(times, SeatTime(seat, control.move, now))


def remaining_time(times: SeatTimes, seat: int, schedules: Schedules, now: datetime) -> timedelta:
    """Return the remaining time of a seat with a running clock."""
    return next(time_left(time, schedules, now) for time in times if time.seat == seat)


def granted(times: SeatTimes, seat: int, more: timedelta) -> SeatTimes:
    """Return the times with an extension for a seat with a running clock."""
    return tuple(replace(time, left=time.left + more) if time.seat == seat else time for time in times)


def next_deadline(times: SeatTimes, schedules: Schedules) -> Deadline | None:
    """Return the first expiry of a running clock, with its reminder.

    None without a running clock.
    """
    ends = [(ends_at(time, schedules, 1.0), ends_at(time, schedules, REMIND_AT)) for time in times if time.since]
    return Deadline(min(end for end, _ in ends), min(remind for _, remind in ends)) if ends else None


def first_seat_out(times: SeatTimes, schedules: Schedules) -> int | None:
    """Return the seat with the earliest expiry among running clocks."""
    return min(((ends_at(time, schedules, 1.0), time.seat) for time in times if time.since), default=(None, None))[1]


def ends_at(time: SeatTime, schedules: Schedules, part: float) -> datetime:
    """Return the time at which this part of a running clock's time has elapsed."""
    assert time.since is not None
    return schedules.get(time.seat, ALWAYS).runs_out(time.since, time.left * part)


def _kept(times: SeatTimes, seat: int, reserve: timedelta | None) -> SeatTimes:
    others = tuple(time for time in times if time.seat != seat)
    return others if reserve is None else _with(others, SeatTime(seat, reserve))


def _with(times: SeatTimes, new: SeatTime) -> SeatTimes:
    return tuple(sorted((*(time for time in times if time.seat != new.seat), new), key=lambda time: time.seat))
