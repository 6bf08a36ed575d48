"""The rules of the clock: automatic decisions of a table, in order of precedence. Pure.

Each rule returns a decision, or None if not applicable. Ringing a table applies every rule of `ON_RING` in turn to the
state left by the rule before. In the other lists the first applicable rule decides: `ON_DEADLINE` after the deadline,
`ON_TIMEOUT` for a player's deadline, `ON_LATE_PLAYER` for a late player with access to the channel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TypeAlias

from bot.ai.plain import timeout_action
from bot.domain.effects import Reminder
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused, TooLate
from bot.rules.core.asks import Ready
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.table.core import chairs as seating
from bot.table.core import suspension, time_control, votes
from bot.table.core.agreements import missed_move
from bot.table.core.commands import AccessFound, GrantTime
from bot.table.core.deadlines import (
    asked_seats,
    fresh_move,
    late_seat,
    may_end,
    new_deadline,
    recomputed,
    time_control_of,
    with_deadline,
    with_times,
)
from bot.table.core.ending import closed, ended, played_out
from bot.table.core.facts import CanWrite, Facts, Moves
from bot.table.core.moderation import end_pause
from bot.table.core.play import house_seats, next_premove, play_moves, reseated
from bot.table.core.seats import DESERTED, awaits_answer, lost_access, regained_access, start_access_check
from bot.table.core.state import CHANGED, Decision, PremoveFailed, TableState, announcement, shown
from bot.table.core.time_control import MISSES_TO_LOSE_SEAT

Rule: TypeAlias = Callable[[TableState, Facts], Decision | None]
TimeoutRule: TypeAlias = Callable[[TableState, Match, Facts], Decision | None]

KEPT_WARM = {
    3: N_("{name} missed three moves in a row. A bot keeps the seat warm until {name} takes it back."),
    2: N_("{name} missed two moves in a row. A bot keeps the seat warm until {name} takes it back."),
}  # by how many moves
NOTHING_TO_GRANT = N_("There's nobody here you could give more time to right now.")
ENOUGH = N_("{name} has all the extra time one move can get. Ask everyone for a break instead.")
PLENTY = N_("There's plenty of time: more than {hours} left.")
GRACE = N_("It's {name}'s first move in this match, so they get {hours} more.")
GIVEN = N_("{name} gives {other} {hours} more.")
SUBSTITUTED = N_("{name} ran out of time. A bot keeps the seat warm until {name} takes it back.")
ABORTED = N_("Someone ran out of time at {table}, so the match ends unfinished and the table is closed.")
LOBBY_CLOSED = N_("Nobody started {table} in time, so it's closed.")
SILENCE = N_("Nobody objected for a day, so {table} ends here. What was played counts.")

GRANTED = timedelta(hours=12)
MAX_GRANTS = 3  # at one move, including the grace: otherwise two players could delay the others for ever


def ring(state: TableState, facts: Facts) -> Decision:
    """Do everything that is due, when the clock (`bot/table/clock.py`) rings the table."""
    decision = Decision(state)
    for rule in ON_RING:
        if next_decision := rule(decision.state, facts):
            decision = decision.then(next_decision)
    return decision


# When the table is rung


def suspend_if_unwritable(state: TableState, facts: Facts) -> Decision | None:
    """Suspend a table in a channel closed to the bot, because players could learn of nothing."""
    if not state.row.running or facts.ask(CanWrite(state.row.home)):
        return None
    suspended = suspension.suspend(state, facts)
    return replace(suspended, signals=(*suspended.signals, CHANGED))


def answer_premove(state: TableState, facts: Facts) -> Decision | None:
    """Execute a due premove, or drop the moment of a void one."""
    row, match = state.row, state.match
    if not row.premove_at or row.premove_at > facts.now or row.paused:
        return None
    premove = next_premove(row.chairs, match) if match and row.phase == "playing" else None
    if match is None or premove is None:
        return Decision(replace(state, row=replace(row, premove_at=None)))
    try:
        return play_moves(state, match, moves=(premove,), by="order", chairs=row.chairs, facts=facts)
    except Illegal as error:
        chairs = seating.with_premoves(row.chairs, premove[0], "")
        return Decision(
            replace(state, row=replace(row, chairs=chairs, premove_at=None)), signals=(PremoveFailed(error),)
        )


def recompute_deadline(state: TableState, facts: Facts) -> Decision | None:
    """Adopt the deadline that follows from changed working hours, or from an outage."""
    new = recomputed(state, facts)
    return None if new is None or new == state.row.deadline else shown(with_deadline(state, new))


def deadline_or_reminder(state: TableState, facts: Facts) -> Decision | None:
    """Handle a passed deadline, or remind the awaited players before the deadline.

    In a lobby the host is reminded.
    """
    deadline, now = state.row.deadline, facts.now
    if deadline is None:
        return None
    if deadline.at <= now:
        return first_of(ON_DEADLINE, state, facts)
    if deadline.remind_at and deadline.remind_at <= now and not deadline.reminded:
        return Decision(with_deadline(state, replace(deadline, reminded=True)), effects=(Reminder(state.moment),))
    return None


def first_of(rules: tuple[Rule, ...], state: TableState, facts: Facts) -> Decision | None:
    """Return the decision of the first rule that applies."""
    return next((decision for rule in rules if (decision := rule(state, facts))), None)


# When the deadline has passed


def close_lobby(state: TableState, facts: Facts) -> Decision | None:
    """Close a lobby not started in time."""
    return closed(state, LOBBY_CLOSED) if state.match is None or state.row.phase != "playing" else None


def end_deserted(state: TableState, facts: Facts) -> Decision | None:
    """Play out a counted match without players, or close the table of an uncounted one.

    Both happen after a wait for a return.
    """
    if state.match is None or seating.people(state.row.chairs):
        return None
    if state.row.deadline and not facts.durations.is_for_deserted(state.row.deadline):  # the store has deleted the last
        return Decision(with_deadline(state, facts.durations.for_deserted(facts.now)))
    return played_out(state, state.match, facts) if state.row.counts else closed(state, DESERTED)


def end_by_silence(state: TableState, facts: Facts) -> Decision | None:
    """End a match after a player's wish to end and a day without objections."""
    if not may_end(state):
        return None
    return ended(state, votes.ending_seats(state.row.chairs)[0], "silence", facts).with_effects(announcement(SILENCE))


def nudge_house_players(state: TableState, facts: Facts) -> Decision | None:
    """Restart house players interrupted in their turn."""
    match = state.match
    if match is None or match.game.result or match.game.secrecy.tick is not None or not house_seats(state):
        return None
    return shown(with_deadline(state, facts.durations.for_house(facts.now)))


def deal_next_hand(state: TableState, facts: Facts) -> Decision | None:
    """Deal the next hand, with or without every player's readiness."""
    match = state.match
    if match is None or not match.game.result:
        return None
    ready: Moves = tuple((seat, Ready()) for seat in sorted(match.to_act))
    return play_moves(state, match, moves=ready, by="clock", chairs=state.row.chairs, facts=facts)


def drop_deadline_without_clock(state: TableState, facts: Facts) -> Decision | None:
    """Wait without limit at a table without a clock, after a wish to end was deleted.

    The wish is deleted with its player's data.
    """
    match = state.match
    if match is None or time_control_of(state, facts) is not None or match.game.secrecy.tick is not None:
        return None
    return Decision(with_deadline(state, None))


def wait_for_working_hours(state: TableState, facts: Facts) -> Decision | None:
    """Put a slow table's deadline off to the next working hours of the late players.

    Nobody times out at night, on a day off or on vacation: `WorkSchedule.end_of_rest` in `bot/domain/working_hours.py`
    knows these times. The deadline itself counts working hours alone (`WorkSchedule.runs_out`); this rule is the last
    guard, for example against a ring that comes late.
    """
    match, deadline = state.match, state.row.deadline
    if match is None or match.game.result or deadline is None or not state.row.pace.slow:
        return None
    late = asked_seats(match) if match.game.secrecy.together else {late_seat(state, match)}
    schedules = [state.hours.get(seat) for seat in late if not state.row.chairs[seat].house]
    ends = [end for schedule in schedules if schedule and (end := schedule.end_of_rest(facts.now))]
    return Decision(with_deadline(state, replace(deadline, at=max(ends), reminded=True))) if ends else None


def time_out(state: TableState, facts: Facts) -> Decision | None:
    """Handle the timeout of the awaited players."""
    match = state.match
    return timed_out(ON_TIMEOUT, state, match, facts) if match else None


def timed_out(rules: tuple[TimeoutRule, ...], state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Return the decision of the first rule that applies to a timeout."""
    return next((decision for rule in rules if (decision := rule(state, match, facts))), None)


# When a player is late


def only_remind(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Remind the late player and wait on, at tables with this policy."""
    if state.row.pace.on_timeout != "nudge":
        return None
    if match.game.secrecy.together:
        state = with_deadline(state, new_deadline(state, match, facts))
    else:
        state = fresh_move(state, match, late_seat(state, match), facts)
    return Decision(state, effects=(Reminder(state.moment),))


def answer_for_all(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Answer for all players of a simultaneous question: silence asks for nothing."""
    if not match.game.secrecy.together:
        return None
    answers: Moves = tuple((seat, timeout_action(match.view(seat))) for seat in sorted(match.awaited))
    return play_moves(state, match, moves=answers, by="clock", chairs=state.row.chairs, facts=facts)


def grant_grace(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Give a player of a slow table more time for their first move in a match, once."""
    seat, control, row = late_seat(state, match), time_control_of(state, facts), state.row
    if control is None or not row.pace.slow or any(step.seat == seat for step in row.steps):
        return None
    if any(time.seat == seat and time.left > control.begun(None) for time in row.times):
        return None
    times = time_control.granted(row.times, seat, GRANTED)
    deadline = time_control.next_deadline(times, state.hours)
    if deadline is None or deadline.at <= facts.now:
        return None
    news = announcement(GRACE, about=[row.chairs[seat]], name=row.chairs[seat].name, hours=GRANTED)
    return shown(with_deadline(with_times(state, times), deadline), news)


def abort(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Close the table, in games with the abort policy for late players."""
    return closed(state, ABORTED) if match.rules.late_policy == "abort" else None


def substitute_at_once(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Give the seat to a house player at the first timeout, if table or rules demand so."""
    if state.row.pace.on_timeout != "house" and match.rules.late_policy != "substitute":
        return None
    chairs = seating.missed_deadline(state.row.chairs, seat := late_seat(state, match), 1)
    news = announcement(SUBSTITUTED, about=[chairs[seat]], back=True, name=chairs[seat].name)
    return reseated(state, chairs, facts).with_effects(news)


def act_for_late_player(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Take the timeout action for a late player.

    The second or third miss in a row costs the seat.
    """
    seat, most = late_seat(state, match), MISSES_TO_LOSE_SEAT[state.row.pace.kind]
    chairs = seating.missed_deadline(state.row.chairs, seat, most)
    move: Moves = ((seat, timeout_action(match.view(seat))),)
    decision = play_moves(state, match, moves=move, by="clock", chairs=chairs, facts=facts)
    if not chairs[seat].house:
        return decision
    news = announcement(KEPT_WARM[most], about=[chairs[seat]], back=True, name=chairs[seat].name)
    return decision.with_effects(news)


ON_RING: tuple[Rule, ...] = (suspend_if_unwritable, answer_premove, recompute_deadline, deadline_or_reminder)
ON_DEADLINE: tuple[Rule, ...] = (
    end_pause,
    suspension.retry,
    close_lobby,
    end_deserted,
    end_by_silence,
    nudge_house_players,
    deal_next_hand,
    drop_deadline_without_clock,
    wait_for_working_hours,
    time_out,
)
ON_LATE_PLAYER: tuple[TimeoutRule, ...] = (
    only_remind,
    answer_for_all,
    grant_grace,
    abort,
    substitute_at_once,
    act_for_late_player,
)
ON_TIMEOUT: tuple[TimeoutRule, ...] = (missed_move, start_access_check, *ON_LATE_PLAYER)


# Commands about the clock


def recompute(state: TableState, facts: Facts) -> Decision:
    """Adopt the deadline that follows from changed working hours, or from an outage."""
    return recompute_deadline(state, facts) or Decision(state)


def access_found(state: TableState, command: AccessFound, facts: Facts) -> Decision:
    """Record whether a late player has lost access.

    Without a pending check nothing changes.
    """
    match = state.match
    if match is None or not awaits_answer(state):
        return Decision(state)
    state = replace(state, access_check=None)
    chair = state.row.chairs[late_seat(state, match)]
    if chair.user != command.user:
        return Decision(state)
    if command.lost:
        return lost_access(state, chair, command.user, facts)
    return regained_access(state, match, facts) or timed_out(ON_LATE_PLAYER, state, match, facts) or Decision(state)


def grant_time(state: TableState, command: GrantTime, facts: Facts) -> Decision:
    """Give the awaited player of a slow table half a day, at another player's wish.

    Raises Refused and TooLate.
    """
    row = state.row
    own = seating.own_seat(row.chairs, command.user)
    others = time_control.running_seats(row.times) - {own}
    if row.phase != "playing" or row.chairs[own].house or row.paused or not others:
        raise Refused(NOTHING_TO_GRANT)
    if command.moment not in (None, state.moment):
        raise TooLate
    seat = min(others)
    if time_control.remaining_time(row.times, seat, state.hours, facts.now) > GRANTED:
        raise Refused(PLENTY, hours=GRANTED)
    if _has_been_granted_enough(state, seat, facts):
        raise Refused(ENOUGH, name=row.chairs[seat].name)
    times = time_control.granted(row.times, seat, GRANTED)
    giver, late = row.chairs[own], row.chairs[seat]
    news = announcement(GIVEN, about=[giver, late], name=giver.name, other=late.name, hours=GRANTED)
    return shown(with_deadline(with_times(state, times), time_control.next_deadline(times, state.hours)), news)


def _has_been_granted_enough(state: TableState, seat: int, facts: Facts) -> bool:
    """Tell whether a player has received the maximum extension for this move."""
    control = time_control_of(state, facts)
    begun = next(time.left for time in state.row.times if time.seat == seat)
    return control is not None and begun + GRANTED > control.begun(None) + MAX_GRANTS * GRANTED
