"""The deadlines of a table: the awaited event, its time, each seat's remaining time. Pure.

An unchanged wait continues, so no player's time starts afresh. At a slow table a clock runs only in its owner's working
hours.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.domain.pace import Deadline, Pace
from bot.domain.working_hours import WorkSchedule
from bot.rules.matches.match import Match
from bot.table.core import chairs as seating
from bot.table.core import time_control, votes
from bot.table.core.eligibility import ends_in_silence
from bot.table.core.facts import Facts
from bot.table.core.state import TableState
from bot.table.core.time_control import REMIND_AT, SeatTimes, TimeControl, is_live_session

ROUNDING: Final = timedelta(seconds=1)  # by which the same deadline may differ, computed twice


def time_control_of(state: TableState, facts: Facts) -> TimeControl | None:
    """Return the time of a seat at this table; None without a clock."""
    return facts.durations.time_control(state.row.pace)


def transition(before: TableState, after: TableState, facts: Facts) -> TableState:
    """Return the state after a step, with the new deadline and clocks.

    after: with the new match and chairs, and the old deadline and clocks.
    """
    match = after.match
    assert match is not None
    if after.row.paused:
        return _given_up_in_pause(before, after, match)
    people = seating.people(after.row.chairs)
    ends = bool(people) and may_end(after)
    if people and not ends and _is_same_wait(before, after, match):
        return after
    after = with_times(after, _times_after(before, after, match, facts))
    deadline: Deadline | None
    if not people:
        deadline = facts.durations.for_deserted(facts.now)
    elif ends:
        deadline = before.row.deadline if may_end(before) else facts.durations.for_silence(facts.now)
    else:
        deadline = new_deadline(after, match, facts)
        after = _with_resumed_turn(after, match, facts)
    return with_deadline(after, deadline)


def with_deadline(state: TableState, deadline: Deadline | None) -> TableState:
    """Return the state with this deadline."""
    return replace(state, row=replace(state.row, deadline=deadline))


def with_times(state: TableState, times: SeatTimes) -> TableState:
    """Return the state with these times of its seats."""
    return state if times == state.row.times else replace(state, row=replace(state.row, times=times))


def new_deadline(state: TableState, match: Match, facts: Facts) -> Deadline | None:
    """Return the deadline of a new wait in this position; None for an unlimited wait."""
    row, now, durations = state.row, facts.now, facts.durations
    if match.game.result:
        return durations.for_next_hand(row.pace, now, is_solo=_is_dealt_soon(row.chairs))
    if match.game.secrecy.together:
        return _deadline_of_question(state, match, facts)
    if any(row.chairs[seat].house for seat in match.awaited):
        return durations.for_house(now)
    control = time_control_of(state, facts)
    if control is None:
        return None
    return (
        time_control.next_deadline(row.times, state.hours) if row.pace.slow else _for_move(state, match, control, facts)
    )


def _is_dealt_soon(chairs: seating.Chairs) -> bool:
    """Tell whether the next hand is dealt soon.

    It is for a single person with house players, without a wish to end.
    """
    return seating.is_alone(chairs) and not votes.ending_seats(chairs)


def _for_move(state: TableState, match: Match, control: TimeControl, facts: Facts) -> Deadline:
    """Return the deadline of a move at a table with continuous clocks."""
    times = () if is_live_session(state.row) else state.row.times  # in a live session they are those of another pace
    if not times:
        return facts.durations.within(control.begun(None), facts.now)
    spans = (
        time_control.left_in_turn(times, seat, match.moment) or control.begun(time_control.bank(times, seat))
        for seat in match.awaited
    )
    return facts.durations.within(min(spans), facts.now)


def stopped_clock_deadline(state: TableState, until: Deadline) -> Deadline:
    """Return the deadline of a table with a stopped clock.

    The notes of lost access and of a reminder persist.
    """
    before = state.row.deadline
    return replace(until, shut_out=before.shut_out, reminded=before.reminded) if before else until


# Questions to several players at the same time: the deadline never depends on the answers so far, which are secret


def asked_seats(match: Match) -> frozenset[int]:
    """Return the asked seats, as publicly known."""
    return match.view(None).awaited if match.game.secrecy.together else match.awaited


def _runs_in_working_hours(state: TableState, match: Match) -> bool:
    """Tell whether a slow table asks several players at once, without a fast clock."""
    secrecy = match.game.secrecy
    return state.row.pace.slow and not match.game.result and secrecy.together and secrecy.tick is None


def _deadline_of_question(state: TableState, match: Match, facts: Facts) -> Deadline | None:
    """Return the deadline of a new question; None without a clock."""
    if _runs_in_working_hours(state, match):
        return _deadline_since(facts.now, state, match, facts)
    return facts.durations.for_answers(state.row.pace, facts.now, match.game.secrecy.tick)


def _remaining_time(state: TableState, match: Match, deadline: Deadline, facts: Facts) -> timedelta:
    """Return the remaining time of a question, at a slow table the longest of those asked."""
    if not _runs_in_working_hours(state, match):
        return deadline.at - facts.now
    if (since := _beginning(deadline)) is None:
        return timedelta()
    used = min((day.active(since, facts.now) for day in _working_hours(state, match)), default=facts.now - since)
    return max(_time_of_each(state, facts) - used, timedelta())


def _resumed_question(state: TableState, match: Match, held: timedelta, facts: Facts) -> Deadline:
    """Return the deadline of a question at a slow table after a pause.

    held: the remaining time.
    """
    return _deadline_since(facts.now - (_time_of_each(state, facts) - held), state, match, facts)


def _recomputed_question(state: TableState, match: Match, deadline: Deadline, facts: Facts) -> Deadline | None:
    """Return a later deadline of a question at a slow table, None if it stays.

    The deadline moves after changed working hours or an outage.
    """
    since = _beginning(deadline)
    new = _deadline_since(since, state, match, facts) if since else deadline
    return new if new.at - deadline.at > ROUNDING else None


def _deadline_since(since: datetime, state: TableState, match: Match, facts: Facts) -> Deadline:
    """Return the deadline of a question at a slow table with this beginning."""
    span = _time_of_each(state, facts)
    ends = [day.runs_out(since, span) for day in _working_hours(state, match)]
    whole = facts.durations.within(max(ends, default=since + span) - since, since)
    return replace(whole, reminded=whole.remind_at is not None and whole.remind_at <= facts.now)


def _time_of_each(state: TableState, facts: Facts) -> timedelta:
    """Return the full time of each asked player at a slow table."""
    deadline = facts.durations.for_answers(state.row.pace, facts.now, None)
    assert deadline is not None
    return deadline.at - facts.now


def _working_hours(state: TableState, match: Match) -> list[WorkSchedule]:
    """Return the working hours of the asked players."""
    players = (seat for seat in asked_seats(match) if not state.row.chairs[seat].house)
    return [state.hours.get(seat, time_control.ALWAYS) for seat in players]


def _beginning(deadline: Deadline) -> datetime | None:
    """Return the beginning of a question, from its reminder at a fixed part of the wait.

    None without a reminder: after the time of all players, the table still waits for a house player.
    """
    return deadline.remind_at and deadline.at - (deadline.at - deadline.remind_at) / (1 - REMIND_AT)


# The time of each seat


def _times_after(before: TableState, after: TableState, match: Match, facts: Facts) -> SeatTimes:
    """Return each seat's time after moves and surrendered turns, and of the seats to move."""
    times, now, control = before.row.times, facts.now, time_control_of(after, facts)
    if control is None or is_live_session(after.row):
        return times
    if not after.row.pace.slow:
        return _live_times_after(before, after, match, control, facts=facts)
    if before.match is not None and before.match.moment == match.moment:
        times = time_control.halted(times, before.hours, now, match.moment)
    else:
        times = time_control.ended(times, time_control.running_seats(times), control, before.hours, now=now)
    return time_control.begun(times, clocked(after, match), control, now, turn=match.moment)


def clocked(state: TableState, match: Match) -> frozenset[int]:
    """Return the seats with a running clock of their own in this position, at a slow table."""
    if not state.row.pace.slow or match.game.result or match.game.secrecy.together:
        return frozenset()
    return frozenset() if any(state.row.chairs[seat].house for seat in match.awaited) else match.awaited


def _live_times_after(
    before: TableState, after: TableState, match: Match, control: TimeControl, *, facts: Facts
) -> SeatTimes:
    """Return the times at a live table, less the reserve used by the awaited players."""
    former, waited, seated = before.match, before.row.deadline, before.row.chairs
    if not control.reserve and not before.row.times and after.row.chairs is seated:
        return ()  # no time remains, and no turn is surrendered
    times = _without_past_turns(before.row.times, control, match.moment)
    if former is None or waited is None or not waited.remind_at:
        return times
    if former.game.result or former.game.secrecy.together:
        return times
    for seat in (seat for seat in former.awaited if not seated[seat].house):
        chair, remaining = after.row.chairs[seat], waited.at - facts.now
        if chair.house and former.moment == match.moment:
            left = timedelta() if chair.away == "late" else remaining  # the deadline was that of an answer from Discord
            times = time_control.given_up(times, seat, left, match.moment)
        else:
            late = chair.house or chair.misses > seated[seat].misses
            times = time_control.spent(times, seat, control, remaining * (not late))
    return times


def _without_past_turns(times: SeatTimes, control: TimeControl, turn: int) -> SeatTimes:
    """Return the times at a live table without the remainders of surrendered earlier turns."""
    for time in [time for time in times if time.turn not in (None, turn)]:
        times = time_control.spent(times, time.seat, control, timedelta())
    return times


def _with_resumed_turn(state: TableState, match: Match, facts: Facts) -> TableState:
    """Return a live table's state after a player's return in the same turn.

    The rest of the turn's time becomes the deadline, and is no longer saved.
    """
    times = state.row.times
    if not times or state.row.pace.slow or is_live_session(state.row) or match.game.result:
        return state
    control = time_control_of(state, facts)
    if control is None:
        return state
    for seat in (seat for seat in match.awaited if not state.row.chairs[seat].house):
        if time_control.left_in_turn(times, seat, match.moment) is not None:
            times = time_control.spent(times, seat, control, timedelta())
    return with_times(state, times)


def _given_up_in_pause(before: TableState, after: TableState, match: Match) -> TableState:
    """Return the state of a paused live table after a player surrendered a turn.

    The rest of the turn's time is saved for the player's return.
    """
    held, row, times = before.row.held, after.row, after.row.times
    if held is None or row.pace.kind != "live" or is_live_session(row) or match.game.result:
        return after
    if match.game.secrecy.together:
        return after
    for seat in match.awaited:
        if row.chairs[seat].house and not before.row.chairs[seat].house:
            times = time_control.given_up(times, seat, held, match.moment)
    return with_times(after, times)


def fresh_move(state: TableState, match: Match, seat: int, facts: Facts) -> TableState:
    """Return the state with a full move's time for a seat; unchanged without a clock."""
    control = time_control_of(state, facts)
    if control is None:
        return state
    if not state.row.pace.slow:
        state = _with_resumed_turn(state, match, facts)
        return with_deadline(state, _for_move(state, match, control, facts))
    state = with_times(state, time_control.renewed(state.row.times, seat, control, facts.now))
    return with_deadline(state, time_control.next_deadline(state.row.times, state.hours))


def stopped(state: TableState, facts: Facts) -> TableState:
    """Return the state with its clock stopped and the remaining time saved.

    The caller sets the deadline. The full time remains after an unnoticed expiry, or during a wait for a player without
    access or for objections. No time is saved if a house player is to act, or at a table without players.
    """
    deadline, match = state.row.deadline, state.match
    if deadline is None or match is None or not seating.people(state.row.chairs) or _waits_for_house(state, match):
        return replace(state, row=replace(state.row, held=None))
    if deadline.at <= facts.now or (deadline.shut_out and not deadline.remind_at) or may_end(state):
        deadline = new_deadline(state, match, facts)
    held = None if deadline is None else _remaining_time(state, match, deadline, facts)
    return replace(state, row=replace(state.row, held=held, times=_stopped_times(state, match, facts)))


def _stopped_times(state: TableState, match: Match, facts: Facts) -> SeatTimes:
    """Return the times with stopped clocks; an expired one gets a full move."""
    times, control = state.row.times, time_control_of(state, facts)
    late = time_control.running_seats(times)
    times = time_control.halted(times, state.hours, facts.now, match.moment)
    if control is None:
        return times
    over = (time for time in times if time.seat in late and time.left <= timedelta())
    return tuple(replace(time, left=control.move) if time in over else time for time in times)


def resumed(state: TableState, facts: Facts) -> TableState:
    """Return a match's state with its clock running again, or a new one for another player."""
    row, match, durations = state.row, state.match, facts.durations
    if not seating.people(row.chairs):
        return with_deadline(state, durations.for_deserted(facts.now))
    if match is None:
        return with_deadline(state, durations.after_pause(row.held, row.deadline, facts.now))
    if match.game.result or match.game.secrecy.together:
        return with_deadline(state, _resumed_wait(state, match, facts))
    if _waits_for_house(state, match):
        return with_deadline(state, durations.for_house(facts.now))
    return _resumed_move(state, match, facts)


def _resumed_wait(state: TableState, match: Match, facts: Facts) -> Deadline | None:
    """Return the deadline of the next hand or a question to several, with the remaining time."""
    held = state.row.held
    if held is None:
        return new_deadline(state, match, facts)
    if _runs_in_working_hours(state, match):
        return _resumed_question(state, match, held, facts)
    return facts.durations.after_pause(held, state.row.deadline, facts.now)


def _resumed_move(state: TableState, match: Match, facts: Facts) -> TableState:
    """Return the state with a move's clock running again, or a new one for another player."""
    row, now = state.row, facts.now
    control, lost = time_control_of(state, facts), row.deadline.shut_out if row.deadline else None
    if control is None:
        return with_deadline(state, None)
    if row.pace.slow:
        state = with_times(state, time_control.begun(row.times, clocked(state, match), control, now, turn=match.moment))
        deadline = time_control.next_deadline(state.row.times, state.hours)
        return with_deadline(state, deadline and replace(deadline, shut_out=lost))
    if row.held is not None and not _is_back(state, match):
        return with_deadline(state, facts.durations.after_pause(row.held, row.deadline, now))
    deadline = _for_move(state, match, control, facts)
    return with_deadline(_with_resumed_turn(state, match, facts), replace(deadline, shut_out=lost))


def _waits_for_house(state: TableState, match: Match) -> bool:
    """Tell whether a table with people waits for a house player."""
    if match.game.result or match.game.secrecy.together or not seating.people(state.row.chairs):
        return False
    return any(state.row.chairs[seat].house for seat in match.awaited)


def _is_back(state: TableState, match: Match) -> bool:
    """Tell whether an awaited player of a live table surrendered this turn and returned."""
    times = () if is_live_session(state.row) else state.row.times
    return any(time_control.left_in_turn(times, seat, match.moment) is not None for seat in match.awaited)


def at_pace(state: TableState, pace: Pace, facts: Facts) -> TableState:
    """Return the state at another pace, with the clocks and deadline of its times."""
    match = state.match
    assert match is not None
    state = replace(state, row=replace(state.row, pace=pace))
    if (control := time_control_of(state, facts)) and pace.slow:
        state = with_times(
            state, time_control.begun(state.row.times, clocked(state, match), control, facts.now, turn=match.moment)
        )
    return with_deadline(state, new_deadline(state, match, facts))


def recomputed(state: TableState, facts: Facts) -> Deadline | None:
    """Return the deadline computed from the remaining times now.

    None without a future deadline. Needed after changed working hours, and after an outage, which costs no player any
    time.
    """
    saved, match = state.row.deadline, state.match
    if saved is None or not saved.remind_at or state.row.paused:
        return None
    if match is not None and _runs_in_working_hours(state, match):
        new = _recomputed_question(state, match, saved, facts)
    else:
        new = time_control.next_deadline(state.row.times, state.hours)
    if new is None or new.at <= facts.now:
        return None
    return replace(saved, at=new.at, remind_at=new.remind_at)


def late_seat(state: TableState, match: Match) -> int:
    """Return the awaited seat with the earliest expiry."""
    first = time_control.first_seat_out(state.row.times, state.hours) if state.row.pace.slow else None
    return min(match.awaited) if first is None else first


# The same wait as before


def may_end(state: TableState) -> bool:
    """Tell whether silence would end the match at a player's wish."""
    return state.match is not None and ends_in_silence(state.match, state.row.chairs, state.row.pace)


def _is_same_wait(before: TableState, after: TableState, match: Match) -> bool:
    """Tell whether both states await the same event."""
    former, sat, sitting = before.match, before.row.chairs, after.row.chairs
    if former is None or not seating.people(sat) or may_end(before):
        return False
    if match.game.secrecy.together:
        return bool(match.game.secrecy.sealed) or match.game is former.game
    if match.game is not former.game and not match.game.secrecy.sealed:
        return False
    if match.game.result:
        return _is_dealt_soon(sitting) == _is_dealt_soon(sat)
    return all(sitting[seat].house == sat[seat].house for seat in match.awaited)
