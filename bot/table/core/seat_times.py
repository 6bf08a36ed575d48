"""How much time each seat has left in a match: what a move takes of it, and until when it lasts.

Pure. At a slow table a clock runs only while its owner's day does; how much is left is noted whenever one starts or
stops, so that nothing is lost by a restart. At a live table only what is left of the reserve is noted, where that is
not whole. Refuses to know whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.ground.day import Day
from bot.ground.pace import Deadline, SeatTime
from bot.table.core.pace import HOUSE_NUDGE, REMIND_AT, Tempo

SeatTimes: TypeAlias = tuple[SeatTime, ...]
Days: TypeAlias = Mapping[int, Day]  # by seat; whose has none there always runs

ALWAYS: Final = Day()


def _of_seat(times: SeatTimes, seat: int) -> SeatTime | None:
    """Return the time of a seat; None where it has all that there is."""
    return next((time for time in times if time.seat == seat), None)


def running_seats(times: SeatTimes) -> frozenset[int]:
    """Return the seats whose clock runs."""
    return frozenset(time.seat for time in times if time.since)


def time_left(time: SeatTime, days: Days, now: datetime) -> timedelta:
    """Return how much there is left of a time, which may be less than nothing."""
    return time.left - days.get(time.seat, ALWAYS).active(time.since, now) if time.since else time.left


def begun(times: SeatTimes, seats: Iterable[int], tempo: Tempo, now: datetime, turn: int) -> SeatTimes:
    """Return the times with the clocks of these seats running from now on.

    A clock that was stopped in this turn goes on with what was left, at least for as long as a house player takes. One
    that was stopped in an earlier turn begins anew, since that move was made by another player or in a live session.
    """
    times = settled(times, tempo, turn)
    for seat in seats:
        known = _of_seat(times, seat)
        if known is not None and known.turn == turn:
            start = max(known.left, HOUSE_NUDGE)
        else:
            start = known.left if known and known.left > timedelta() else tempo.move if known else tempo.begun(None)
        times = _with(times, SeatTime(seat, start, now))
    return times


def settled(times: SeatTimes, tempo: Tempo, turn: int) -> SeatTimes:
    """Return the times without clocks that were stopped in an earlier turn: those moves are over."""
    for time in [time for time in times if time.turn not in (None, turn)]:
        times = _kept(times, time.seat, tempo.ended(None, time.left))
    return times


def ended(times: SeatTimes, seats: Iterable[int], tempo: Tempo, days: Days, now: datetime) -> SeatTimes:
    """Return the times after these seats have moved whose clocks ran."""
    for time in [time for time in times if time.seat in set(seats)]:
        times = _kept(times, time.seat, tempo.ended(None, time_left(time, days, now)))
    return times


def spent(times: SeatTimes, seat: int, tempo: Tempo, remaining: timedelta) -> SeatTimes:
    """Return the times after a seat has moved at a live table, when so much of the time for that remained."""
    return _kept(times, seat, tempo.ended(bank(times, seat), remaining))


def bank(times: SeatTimes, seat: int) -> timedelta | None:
    """Return what is left of the reserve of a seat at a live table; None where that is whole.

    A player who gives up the seat in the middle of a move leaves the reserve behind.
    """
    known = _of_seat(times, seat)
    if known is None:
        return None
    return known.left if known.turn is None else timedelta()


def given_up(times: SeatTimes, seat: int, remaining: timedelta, turn: int) -> SeatTimes:
    """Return the times after the player of a seat has given it up in the middle of a move at a live table."""
    return _with(times, SeatTime(seat, max(remaining, timedelta()), turn=turn))


def left_in_turn(times: SeatTimes, seat: int, turn: int) -> timedelta | None:
    """Return what was left of this turn when its clock was stopped, at least as long as a house player takes.

    None where it was not stopped in this turn.
    """
    known = _of_seat(times, seat)
    return max(known.left, HOUSE_NUDGE) if known and known.turn == turn else None


def halted(times: SeatTimes, days: Days, now: datetime, turn: int) -> SeatTimes:
    """Return the times with the clocks stopped that ran, to go on in the same turn with what is left."""
    return tuple(SeatTime(time.seat, time_left(time, days, now), turn=turn) if time.since else time for time in times)


def renewed(times: SeatTimes, seat: int, tempo: Tempo, now: datetime) -> SeatTimes:
    """Return the times with the clock of a seat running that has the time of a move again."""
    return _with(times, SeatTime(seat, tempo.move, now))


def remaining_time(times: SeatTimes, seat: int, days: Days, now: datetime) -> timedelta:
    """Return how much there is left of the time of a seat whose clock runs."""
    return next(time_left(time, days, now) for time in times if time.seat == seat)


def granted(times: SeatTimes, seat: int, more: timedelta) -> SeatTimes:
    """Return the times with so much more for a seat whose clock runs."""
    return tuple(replace(time, left=time.left + more) if time.seat == seat else time for time in times)


def next_deadline(times: SeatTimes, days: Days) -> Deadline | None:
    """Return when the first clock runs out that runs, and when to remind; None where none runs."""
    ends = [(ends_at(time, days, 1.0), ends_at(time, days, REMIND_AT)) for time in times if time.since]
    return Deadline(min(end for end, _ in ends), min(remind for _, remind in ends)) if ends else None


def first_seat_out(times: SeatTimes, days: Days) -> int | None:
    """Return the seat whose clock runs out first of those that run."""
    return min(((ends_at(time, days, 1.0), time.seat) for time in times if time.since), default=(None, None))[1]


def ends_at(time: SeatTime, days: Days, part: float) -> datetime:
    """Return when so large a part of a time is over whose clock runs."""
    assert time.since is not None
    return days.get(time.seat, ALWAYS).runs_out(time.since, time.left * part)


def _kept(times: SeatTimes, seat: int, reserve: timedelta | None) -> SeatTimes:
    others = tuple(time for time in times if time.seat != seat)
    return others if reserve is None else _with(others, SeatTime(seat, reserve))


def _with(times: SeatTimes, new: SeatTime) -> SeatTimes:
    return tuple(sorted((*(time for time in times if time.seat != new.seat), new), key=lambda time: time.seat))
