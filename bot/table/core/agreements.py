"""Agreements between the players of a match: votes, breaks, and live sessions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.chairs import DISCARDING_VOTES, PACE_VOTES, Vote, pace_after_vote
from bot.domain.effects import Reminder
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.pace import Pace
from bot.domain.refusals import NO_WAY_BACK, Refused
from bot.rules.core.asks import Again
from bot.rules.matches.match import Match
from bot.store.rows import TableRow
from bot.table.core import chairs as seating
from bot.table.core import deadlines, lobby_conditions, time_control, votes
from bot.table.core.chairs import Chairs
from bot.table.core.commands import CastVote, ReturnFromBreak, Veto
from bot.table.core.deadlines import at_pace, fresh_move, stopped, stopped_clock_deadline, with_deadline
from bot.table.core.ending import closed, ended
from bot.table.core.facts import Facts, WorkingHours
from bot.table.core.play import NOT_WHILE_PAUSED, TAKE_BACK, ask_to_end, check_not_refused_before, play_moves, reseated
from bot.table.core.state import Decision, TableState, announcement, ruleset_of, shown
from bot.table.core.suspension import check_not_suspended, resume_clock
from bot.table.core.time_control import is_live_session

OVER = N_("There's no match at this table right now.")
NOBODY_TO_ASK = N_("You're playing this one alone, so there's nobody to ask.")
ASKED_OTHERWISE = N_("There's another request at this table. Answer that first, or play on.")
NO_LONGER_ASKED = N_("Nobody's asking for that any more.")
NOT_PAUSED = N_("This table isn't paused.")
BETWEEN_HANDS = N_("There's no hand to deal again: the next one is dealt anyway.")
SAME_DEALS = N_("Other tables play the same deals, so none of them can be dealt again.")
NOTHING_TO_LOSE = N_("No hand is finished yet, so you can't give up. Ask to cancel the match instead.")
SOMEBODY_LEFT = N_("Someone left, and this match counts for them too, so nothing in it can be undone.")
ANOTHER_PACE = N_("Everyone agreed: {table} continues at another pace.")
NOT_FOR_NOW = N_("You're playing live for now. Go back to your own pace first, then ask for another.")
SAME_PACE = N_("This table already has that pace.")
PAUSED_TOGETHER = N_("Everyone agreed: {table} is paused. It resumes when everyone's back.")
ALL_BACK = N_("Everyone's back, so {table} resumes.")
DEALT_AGAIN = N_("Everyone agreed: the cards of {table} are dealt again.")
CALLED_OFF_TOGETHER = N_("Everyone agreed: {table} is canceled. Nothing counts.")
CONCEDED = N_("{name} gave up and everyone agreed, so {table} ends here. What was played counts.")


def seat_in_match(state: TableState, user: UserId) -> int:
    """Return the seat of a player in a match, unless removed. Raises Refused."""
    seat = seating.own_seat(state.row.chairs, user)
    if state.row.phase != "playing":
        raise Refused(OVER)
    if state.row.chairs[seat].away == "removed":
        raise Refused(NO_WAY_BACK)
    return seat


def cast_vote(state: TableState, command: CastVote, facts: Facts) -> Decision:
    """Open a vote, or agree to the open one. Raises Refused."""
    seat, match, asked = seat_in_match(state, command.user), state.match, votes.current_vote(state.row.chairs)
    if match is None or state.row.chairs[seat].house:
        raise Refused(TAKE_BACK)
    check_not_suspended(state)
    if state.row.paused:
        raise Refused(NOT_WHILE_PAUSED)
    vote, first = command.vote, command.first
    if not first and asked != vote:
        raise Refused(NO_LONGER_ASKED)
    if asked not in ("", vote) or (first and asked == "concede"):  # that is another player's
        raise Refused(ASKED_OTHERWISE)
    _check_sense(state, match, vote, facts)
    if vote == "end":
        return ask_to_end(state, match, seat, facts)
    check_not_refused_before(state, seat, vote, facts)
    return counted(state.seated(votes.with_vote(state.row.chairs, seat, vote)), facts, state)


def _check_sense(state: TableState, match: Match, vote: Vote, facts: Facts) -> None:
    """Raise Refused for a vote without an effect, or at the cost of a player without a say."""
    row = state.row
    if row.solo:
        raise Refused(NOBODY_TO_ASK)
    if vote in PACE_VOTES:
        pace = pace_after_vote(row.pace, vote)
        lobby_conditions.check_terms(facts.server, ruleset_of(row), pace)
        if is_live_session(row):
            raise Refused(NOT_FOR_NOW)
        if pace == row.pace:
            raise Refused(SAME_PACE)
    if vote == "again" and row.duplicate_id is not None:
        raise Refused(SAME_DEALS)
    if vote == "again" and match.game.result is not None:
        raise Refused(BETWEEN_HANDS)
    if vote == "concede" and not match.results:
        raise Refused(NOTHING_TO_LOSE)
    if is_unfair(state, vote):
        raise Refused(SOMEBODY_LEFT)


def is_unfair(state: TableState, vote: Vote) -> bool:
    """Tell whether a vote would undo a counted match of a player without a say."""
    return vote in DISCARDING_VOTES and state.row.counts and any(chair.has_no_say for chair in state.row.chairs)


def without_unfair_vote(state: TableState) -> TableState:
    """Return the state without a vote to undo a match of a player without a say."""
    return (
        state.seated(votes.without_vote(state.row.chairs))
        if is_unfair(state, votes.current_vote(state.row.chairs))
        else state
    )


def counted(state: TableState, facts: Facts, before: TableState) -> Decision:
    """Execute a unanimous vote, or record the agreements so far.

    before: the state without the latest vote.
    """
    match, chairs = state.match, state.row.chairs
    assert match is not None
    if votes.undecided_seats(chairs):
        return reseated(before, chairs, facts)
    agreeing = next(chair for chair in chairs if chair.vote not in ("", "granted"))
    match agreeing.vote:
        case "pause":
            return _break(state, facts)
        case "again":
            anew = tuple(replace(chair, premoves="") for chair in votes.without_vote(chairs))
            moves = ((agreeing.seat, Again()),)
            return play_moves(before, match, moves=moves, by="person", chairs=anew, facts=facts).with_effects(
                announcement(DEALT_AGAIN)
            )
        case "cancel":
            return closed(before, CALLED_OFF_TOGETHER)
        case "concede":
            gone = seating.handed_to_house(votes.without_vote(chairs), agreeing.seat)
            conceded = announcement(CONCEDED, about=[agreeing], name=agreeing.name)
            return ended(state.seated(gone), agreeing.seat, "agreed", facts).with_effects(conceded)
    return _other_pace(state, pace_after_vote(state.row.pace, agreeing.vote), match, facts)


def _break(state: TableState, facts: Facts) -> Decision:
    until = stopped_clock_deadline(state, facts.durations.for_pause(facts.now))
    state = with_deadline(stopped(state, facts), until)
    return shown(
        replace(state, row=replace(state.row, paused=True, suspended_since=None)), announcement(PAUSED_TOGETHER)
    )


def _other_pace(state: TableState, pace: Pace, match: Match, facts: Facts) -> Decision:
    """Continue a table at another pace, with no less time than before or than at a new table.

    In games with the abort policy for late players, a counted match cannot gain a clock.
    """
    owners = tuple(sorted(chair.user for chair in state.row.chairs if chair.user is not None))
    before_hours, control = state.hours, facts.durations.time_control(pace)
    halted = time_control.halted(state.row.times, before_hours, facts.now, match.moment)
    kept = tuple(time for time in halted if pace.slow and control and time.left > control.begun(None))
    hours = facts.ask(WorkingHours(owners, pace.vacations)) if pace.slow else state.working_hours
    counts = state.row.counts and (pace.kind == "none" or match.rules.late_policy != "abort")
    row = replace(state.row, own_pace=pace, times=kept, chairs=votes.without_vote(state.row.chairs), counts=counts)
    state = deadlines.at_pace(replace(state, row=row, working_hours=hours), pace, facts)
    return shown(state, announcement(ANOTHER_PACE))


def veto(state: TableState, command: Veto, facts: Facts) -> Decision:
    """Decline the open vote. Raises Refused."""
    seat, match = seat_in_match(state, command.user), state.match
    if match is None or state.row.chairs[seat].house:
        raise Refused(TAKE_BACK)
    if state.row.paused or not votes.current_vote(state.row.chairs):
        raise Refused(NO_LONGER_ASKED)
    span = facts.durations.vote_pause(state.row.pace)
    return reseated(state, votes.declined(state.row.chairs, facts.now, span), facts)


def is_on_break(state: TableState) -> bool:
    """Tell whether an agreed break lasts, with a player still away."""
    return state.row.paused and not state.row.suspended_since and votes.current_vote(state.row.chairs) == "pause"


def return_from_break(state: TableState, command: ReturnFromBreak, facts: Facts) -> Decision:
    """Record a player's return from a break; the last return ends the break. Raises Refused."""
    seat = seat_in_match(state, command.user)
    if not is_on_break(state):
        raise Refused(NOT_PAUSED)
    chairs: Chairs = seating.changed(state.row.chairs, replace(state.row.chairs[seat], vote=""))
    if votes.current_vote(chairs):
        return shown(state.seated(chairs))
    return resume_clock(state, facts).with_effects(announcement(ALL_BACK))


PRESENT_WITHIN = timedelta(minutes=1)  # in which each player who is there has acted
AGREEMENT_LASTS = timedelta(minutes=3)  # from one act to another

NOT_OFFERED = N_("You can switch to live when everyone has played within a minute.")
NOT_LIVE = N_("This table already has its own pace.")
LIVE_NOW = N_("Everyone agreed: {table} is live for now, with no penalty for being late.")
SLOW_AGAIN = N_("{table} is back to its own pace. Everyone has the same time left as before.")


def players_present(row: TableRow, match: Match) -> frozenset[int]:
    """Return the seats of all players with turns to come, if each acted within a minute.

    No seats if a player did not. Premoves count as acts, since an exception would reveal them. Acts by substitutes or
    house players do not count.
    """
    if not row.pace.slow or not row.steps or match.game.result or match.game.secrecy.together:
        return frozenset()
    view, since = match.view(None), row.steps[-1].at - PRESENT_WITHIN
    came = {
        chair.seat: -chair.live_ply
        for chair in row.chairs
        if chair.user is not None and not chair.house and view.counts[chair.seat]
    }
    acts = (step for step in row.steps[-4 * row.seats :] if step.by in ("person", "order") and step.at >= since)
    recent = {step.seat for step in acts if step.ply >= came.get(step.seat, 0)}
    return frozenset(came) if len(came) > 1 and came.keys() <= recent else frozenset()


def agreeing(row: TableRow, seats: frozenset[int]) -> frozenset[int]:
    """Return the seats out of these with an unexpired agreement to a live session."""
    since = row.steps[-1].at - AGREEMENT_LASTS if row.steps else row.created
    agreed = {chair.seat for chair in row.chairs if chair.live_ply > 0 and row.steps[chair.live_ply - 1].at >= since}
    return seats & agreed


def play_live(state: TableState, user: UserId, facts: Facts) -> Decision:
    """Record a player's agreement to a live session; the last agreement starts it.

    Raises Refused.
    """
    seat, match = seating.own_seat(state.row.chairs, user), state.match
    present = players_present(state.row, match) if match and state.row.running else frozenset[int]()
    if match is None or seat not in present:
        raise Refused(NOT_OFFERED)
    if present - {seat} <= agreeing(state.row, present):
        return _began(state, match, facts)
    chair = replace(state.row.chairs[seat], live_ply=state.ply)
    return shown(state.seated(seating.changed(state.row.chairs, chair)))


def _began(state: TableState, match: Match, facts: Facts) -> Decision:
    """Stop the clocks of the table, and start one for the move."""
    own = state.row.pace
    live = replace(own, kind="live", move=facts.durations.live, reserve=timedelta())
    times = time_control.halted(state.row.times, state.hours, facts.now, match.moment)
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
    """Handle a timeout in a live session.

    The first one reminds the player, the second ends the session.
    """
    if not is_live_session(state.row) or match.game.secrecy.tick is not None:
        return None
    seat = min(match.awaited)
    if match.game.secrecy.together or state.row.chairs[seat].misses:
        return ended_session(state, facts)
    chairs = seating.changed(state.row.chairs, replace(state.row.chairs[seat], misses=1))
    return Decision(fresh_move(state.seated(chairs), match, seat, facts), effects=(Reminder(state.moment),))


def _without_agreements(chairs: Chairs) -> Chairs:
    """Return the chairs without agreements to a live session, and without its misses."""
    return tuple(replace(chair, live_ply=min(chair.live_ply, 0), misses=0) for chair in chairs)
