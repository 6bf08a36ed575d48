"""Live sessions: a slow table played live for now, with all players present. Pure.

Every player must agree within three minutes; two timeouts only end the session, with each seat's remaining time
restored.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.effects import Reminder
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.rules.matches.match import Match
from bot.store.rows import TableRow
from bot.table.core import chairs as seating
from bot.table.core import seat_times
from bot.table.core.chairs import Chairs
from bot.table.core.deadlines import at_pace, fresh_move
from bot.table.core.facts import Facts, WorkingHours
from bot.table.core.pace import is_live_session
from bot.table.core.state import Decision, TableState, announcement, shown

PRESENT_WITHIN = timedelta(minutes=1)  # in which each player who is there has acted
AGREEMENT_LASTS = timedelta(minutes=3)  # from one act to another

NOT_OFFERED = N_("To play on live is offered when everybody has played within a minute.")
NOT_LIVE = N_("This table keeps its own pace already.")
LIVE_NOW = N_("All agree, so {table} is played live for now. Whoever does not move in time loses nothing by it.")
SLOW_AGAIN = N_("{table} goes on at its own pace. Everybody has the time they had.")


def players_present(row: TableRow, match: Match) -> frozenset[int]:
    """Return the seats of players with turns to come, after an act of each within a minute; else none.

    Premoves count as acts, because anything else would reveal them. Acts by substitutes or house players do not count.
    """
    if not row.pace.slow or not row.steps or match.game.result or match.game.secrecy.together:
        return frozenset()
    view, since = match.view(None), row.steps[-1].at - PRESENT_WITHIN
    came = {
        chair.seat: -chair.quick
        for chair in row.chairs
        if chair.user is not None and not chair.house and view.counts[chair.seat]
    }
    acts = (step for step in row.steps[-4 * row.seats :] if step.by in ("person", "order") and step.at >= since)
    recent = {step.seat for step in acts if step.ply >= came.get(step.seat, 0)}
    return frozenset(came) if len(came) > 1 and came.keys() <= recent else frozenset()


def agreeing(row: TableRow, seats: frozenset[int]) -> frozenset[int]:
    """Return the seats out of these with an unexpired agreement to a live session."""
    since = row.steps[-1].at - AGREEMENT_LASTS if row.steps else row.created
    said = {chair.seat for chair in row.chairs if chair.quick > 0 and row.steps[chair.quick - 1].at >= since}
    return seats & said


def play_live(state: TableState, user: UserId, facts: Facts) -> Decision:
    """Record a player's agreement to a live session; the last agreement starts it. Raises Refused."""
    seat, match = seating.own_seat(state.row.chairs, user), state.match
    present = players_present(state.row, match) if match and state.row.running else frozenset[int]()
    if match is None or seat not in present:
        raise Refused(NOT_OFFERED)
    if present - {seat} <= agreeing(state.row, present):
        return _began(state, match, facts)
    chair = replace(state.row.chairs[seat], quick=state.ply)
    return shown(state.seated(seating.changed(state.row.chairs, chair)))


def _began(state: TableState, match: Match, facts: Facts) -> Decision:
    """Stop the clocks of the table, and start one for the move."""
    own = state.row.pace
    live = replace(own, kind="live", move=facts.durations.live, reserve=timedelta())
    times = seat_times.halted(state.row.times, state.hours, facts.now, match.moment)
    row = replace(state.row, own_pace=own, times=times, chairs=_without_agreements(state.row.chairs))
    state = at_pace(replace(state, row=row), live, facts)
    return shown(state, announcement(LIVE_NOW))


def end_live_session(state: TableState, user: UserId, facts: Facts) -> Decision:
    """Return the table to its own pace, at a player's wish. Raises Refused."""
    seat = seating.own_seat(state.row.chairs, user)
    if not state.row.running or not is_live_session(state.row) or state.row.chairs[seat].house or state.match is None:
        raise Refused(NOT_LIVE)
    return ended_session(state, facts)


def ended_session(state: TableState, facts: Facts) -> Decision:
    """End a live session, and restore each player's remaining time."""
    own = state.row.own_pace
    assert own is not None
    owners = tuple(sorted(chair.user for chair in state.row.chairs if chair.user is not None))
    state = replace(state, working_hours=facts.ask(WorkingHours(owners, own.vacations)))
    state = at_pace(state, own, facts)
    return shown(state.seated(_without_agreements(state.row.chairs)), announcement(SLOW_AGAIN))


def missed_move(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Handle a timeout in a live session: the first one reminds the player, the second ends the session."""
    if not is_live_session(state.row) or match.game.secrecy.tick is not None:
        return None
    seat = min(match.awaited)
    if match.game.secrecy.together or state.row.chairs[seat].misses:
        return ended_session(state, facts)
    chairs = seating.changed(state.row.chairs, replace(state.row.chairs[seat], misses=1))
    return Decision(fresh_move(state.seated(chairs), match, seat, facts), effects=(Reminder(state.moment),))


def _without_agreements(chairs: Chairs) -> Chairs:
    """Return the chairs without agreements to a live session, and without its misses."""
    return tuple(replace(chair, quick=min(chair.quick, 0), misses=0) for chair in chairs)
