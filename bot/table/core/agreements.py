"""Agreements: a break, another deal, no match, a concession or another pace, by agreement of all players at play. Pure.

Any player may open a vote, one at a time; the next play withdraws it. Ending by agreement lives in `play`, because a
match without an end of its own needs it.
"""

from __future__ import annotations

from dataclasses import replace

from bot.domain.chairs import DISCARDING_VOTES, PACE_VOTES, Vote, pace_after_vote
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.pace import Pace
from bot.domain.refusals import NO_WAY_BACK, Refused
from bot.rules.core.actions import Again
from bot.rules.matches.match import Match
from bot.table.core import chairs as seating
from bot.table.core import deadlines, seat_times, server_limits, votes
from bot.table.core.chairs import Chairs
from bot.table.core.commands import CastVote, ReturnFromBreak, Veto
from bot.table.core.deadlines import at_rest, due, stopped
from bot.table.core.ending import closed, ended
from bot.table.core.facts import Facts, WorkingHours
from bot.table.core.pace import is_live_session
from bot.table.core.play import NOT_WHILE_PAUSED, TAKE_BACK, acted, ask_to_end, check_not_refused_before, reseated
from bot.table.core.state import Decision, TableState, announcement, ruleset_of, shown
from bot.table.core.suspension import check_not_suspended, go_on

OVER = N_("No match is being played at this table now.")
NOBODY_TO_ASK = N_("You play this one alone, so there is nobody to ask.")
ASKED_OTHERWISE = N_("Something else is being asked at this table. Answer that first, or play on.")
NO_LONGER_ASKED = N_("Nobody asks for that any more.")
NOT_PAUSED = N_("This table is not paused.")
BETWEEN_HANDS = N_("There is no hand to deal again: the next one is dealt anyway.")
SAME_DEALS = N_("Other tables play the same deals, so none of them is dealt again.")
NOTHING_TO_LOSE = N_(
    "No hand has been played to its end yet, so there is nothing to concede. Ask to call the match off."
)
SOMEBODY_LEFT = N_("Somebody has left, and this match counts for them as well, so nothing of it can be undone.")
ANOTHER_PACE = N_("All agree, so {table} goes on at another pace.")
NOT_FOR_NOW = N_("You play on live for now. Go back to your own pace first, then ask for another.")
SAME_PACE = N_("That is the pace of this table already.")
PAUSED_TOGETHER = N_("All agree, so {table} is paused. It goes on when everybody is back.")
ALL_BACK = N_("Everybody is back, so {table} goes on.")
DEALT_AGAIN = N_("All agree, so the cards of {table} are dealt again.")
CALLED_OFF_TOGETHER = N_("All agree, so {table} is called off. Nothing of it counts.")
CONCEDED = N_("{name} concedes and all agree, so {table} ends here. What was played counts.")


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
    if row.alone:
        raise Refused(NOBODY_TO_ASK)
    if vote in PACE_VOTES:
        pace = pace_after_vote(row.pace, vote)
        server_limits.check_terms(facts.server, ruleset_of(row), pace)
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
    """Execute a unanimous vote, or record the agreements so far. before: the state without the latest vote."""
    match, chairs = state.match, state.row.chairs
    assert match is not None
    if votes.undecided_seats(chairs):
        return reseated(before, chairs, facts)
    agreeing = next(chair for chair in chairs if chair.vote not in ("", "granted"))
    match agreeing.vote:
        case "pause":
            return _break(state, facts)
        case "again":
            anew = tuple(replace(chair, orders="") for chair in votes.without_vote(chairs))
            moves = ((agreeing.seat, Again()),)
            return acted(before, match, moves=moves, by="person", chairs=anew, facts=facts).telling(
                announcement(DEALT_AGAIN)
            )
        case "cancel":
            return closed(before, CALLED_OFF_TOGETHER)
        case "concede":
            gone = seating.handed_to_house(votes.without_vote(chairs), agreeing.seat)
            said = announcement(CONCEDED, about=[agreeing], name=agreeing.name)
            return ended(state.seated(gone), agreeing.seat, "agreed", facts).telling(said)
    return _other_pace(state, pace_after_vote(state.row.pace, agreeing.vote), match, facts)


def _break(state: TableState, facts: Facts) -> Decision:
    until = at_rest(state, facts.durations.for_pause(facts.now))
    state = due(stopped(state, facts), until)
    return shown(replace(state, row=replace(state.row, paused=True, asleep=None)), announcement(PAUSED_TOGETHER))


def _other_pace(state: TableState, pace: Pace, match: Match, facts: Facts) -> Decision:
    """Continue a table at another pace, with at least the old remaining time and a fresh table's time.

    In games with the abort policy for late players, a counted match cannot gain a clock.
    """
    owners = tuple(sorted(chair.user for chair in state.row.chairs if chair.user is not None))
    before_hours, tempo = state.hours, facts.durations.tempo(pace)
    halted = seat_times.halted(state.row.times, before_hours, facts.now, match.moment)
    kept = tuple(time for time in halted if pace.slow and tempo and time.left > tempo.begun(None))
    hours = facts.ask(WorkingHours(owners, pace.vacations)) if pace.slow else state.working_hours
    counts = state.row.counts and (pace.kind == "none" or match.rules.late != "abort")
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
    span = facts.durations.before_asking_anew(state.row.pace)
    return reseated(state, votes.declined(state.row.chairs, facts.now, span), facts)


def is_on_break(state: TableState) -> bool:
    """Tell whether an agreed break lasts, with a player still away."""
    return state.row.paused and not state.row.asleep and votes.current_vote(state.row.chairs) == "pause"


def return_from_break(state: TableState, command: ReturnFromBreak, facts: Facts) -> Decision:
    """Record a player's return from a break; the last return ends the break. Raises Refused."""
    seat = seat_in_match(state, command.user)
    if not is_on_break(state):
        raise Refused(NOT_PAUSED)
    chairs: Chairs = seating.changed(state.row.chairs, replace(state.row.chairs[seat], vote=""))
    if votes.current_vote(chairs):
        return shown(state.seated(chairs))
    return go_on(state, facts).telling(announcement(ALL_BACK))
