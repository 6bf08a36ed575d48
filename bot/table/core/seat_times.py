"""The remaining time of each seat in a match: start, stop and expiry of clocks, as pure functions.

At a slow table a clock runs only during its owner's working hours; each start and stop saves the remaining time, so a
restart loses nothing. At a live table only a partly used reserve is saved. The order of turns lives elsewhere. A
participle (`begun`, `halted`) names the times after a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.domain.pace import Deadline, SeatTime
from bot.domain.working_hours import WorkSchedule
from bot.table.core.pace import HOUSE_NUDGE, REMIND_AT, TimeControl

SeatTimes: TypeAlias = tuple[SeatTime, ...]
Days: TypeAlias = Mapping[int, WorkSchedule]  # by seat; a clock without an entry always runs

ALWAYS: Final = WorkSchedule()


def _of_seat(times: SeatTimes, seat: int) -> SeatTime | None:
    """Return the time of a seat; None for an unused time."""
    return next((time for time in times if time.seat == seat), None)


def running_seats(times: SeatTimes) -> frozenset[int]:
    """Return the seats with a running clock."""
    return frozenset(time.seat for time in times if time.since)


def time_left(time: SeatTime, days: Days, now: datetime) -> timedelta:
    """Return the remaining time, negative after expiry."""
    return time.left - days.get(time.seat, ALWAYS).active(time.since, now) if time.since else time.left


def begun(times: SeatTimes, seats: Iterable[int], tempo: TimeControl, now: datetime, *, turn: int) -> SeatTimes:
    """Return the times with the clocks of these seats running from now.

    A clock stopped in this turn resumes with its remaining time, at least a house player's time. A clock stopped in an
    earlier turn starts afresh, because that move was made by another player or in a live session. A clock that ran out
    starts afresh too: its player was late, and nobody has moved since, because all players had left.
    """
    times = settled(times, tempo, turn)
    for seat in seats:
        known = _of_seat(times, seat)
        if known is not None and known.turn == turn and known.left > timedelta():
            start = max(known.left, HOUSE_NUDGE)
        else:
            start = known.left if known and known.left > timedelta() else tempo.move if known else tempo.begun(None)
        times = _with(times, SeatTime(seat, start, now))
    return times


def settled(times: SeatTimes, tempo: TimeControl, turn: int) -> SeatTimes:
    """Return the times without clocks stopped in an earlier turn: those moves have ended."""
    for time in [time for time in times if time.turn not in (None, turn)]:
        times = _kept(times, time.seat, tempo.ended(None, time.left))
    return times


def ended(times: SeatTimes, seats: Iterable[int], tempo: TimeControl, days: Days, *, now: datetime) -> SeatTimes:
    """Return the times after moves of these seats, for running clocks."""
    for time in [time for time in times if time.seat in set(seats)]:
        times = _kept(times, time.seat, tempo.ended(None, time_left(time, days, now)))
    return times


def spent(times: SeatTimes, seat: int, tempo: TimeControl, remaining: timedelta) -> SeatTimes:
    """Return the times after a move at a live table with this much of the move's time remaining."""
    return _kept(times, seat, tempo.ended(bank(times, seat), remaining))


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
    """Return the remaining time of a clock stopped in this turn, at least a house player's time.

    None for a clock not stopped in this turn, and for a clock that ran out.
    """
    known = _of_seat(times, seat)
    return max(known.left, HOUSE_NUDGE) if known and known.turn == turn and known.left > timedelta() else None


def halted(times: SeatTimes, days: Days, now: datetime, turn: int) -> SeatTimes:
    """Return the times with running clocks stopped, to resume with the remaining time in the same turn."""
    return tuple(SeatTime(time.seat, time_left(time, days, now), turn=turn) if time.since else time for time in times)


def renewed(times: SeatTimes, seat: int, tempo: TimeControl, now: datetime) -> SeatTimes:
    """Return the times with the seat's clock running from a full move."""
    return _with(times, SeatTime(seat, tempo.move, now))


def remaining_time(times: SeatTimes, seat: int, days: Days, now: datetime) -> timedelta:
    """Return the remaining time of a seat with a running clock."""
    return next(time_left(time, days, now) for time in times if time.seat == seat)


def granted(times: SeatTimes, seat: int, more: timedelta) -> SeatTimes:
    """Return the times with an extension for a seat with a running clock."""
    return tuple(replace(time, left=time.left + more) if time.seat == seat else time for time in times)


def next_deadline(times: SeatTimes, days: Days) -> Deadline | None:
    """Return the first expiry of a running clock, with its reminder; None without a running clock."""
    ends = [(ends_at(time, days, 1.0), ends_at(time, days, REMIND_AT)) for time in times if time.since]
    return Deadline(min(end for end, _ in ends), min(remind for _, remind in ends)) if ends else None


def first_seat_out(times: SeatTimes, days: Days) -> int | None:
    """Return the seat with the earliest expiry among running clocks."""
    return min(((ends_at(time, days, 1.0), time.seat) for time in times if time.since), default=(None, None))[1]


def ends_at(time: SeatTime, days: Days, part: float) -> datetime:
    """Return the time at which this part of a running clock's time has elapsed."""
    assert time.since is not None
    return days.get(time.seat, ALWAYS).runs_out(time.since, time.left * part)


def _kept(times: SeatTimes, seat: int, reserve: timedelta | None) -> SeatTimes:
    others = tuple(time for time in times if time.seat != seat)
    return others if reserve is None else _with(others, SeatTime(seat, reserve))


def _with(times: SeatTimes, new: SeatTime) -> SeatTimes:
    return tuple(sorted((*(time for time in times if time.seat != new.seat), new), key=lambda time: time.seat))
