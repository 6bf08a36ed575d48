"""The end of a table: a match with a result, or no result. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.domain.effects import Announcement, Effect, RatingUpdate, ScoresheetUpdate
from bot.domain.ids import AccessChannel
from bot.domain.message_ids import N_
from bot.domain.results import MatchEnding, MatchOutcome
from bot.rules.core.asks import Stop, write_action
from bot.rules.matches.match import Match
from bot.rules.matches.record import stored_openings
from bot.store.rows import Decider, MatchStep
from bot.table.core.eligibility import is_counted, score_of, standings_of
from bot.table.core.facts import Facts, PlaceOf, PlayedOut, RatingChanges
from bot.table.core.state import CHANGED, Decision, TableState, Writes, announcement, ruleset_of, shown
from bot.table.core.time_control import is_live_session

PLAYED_OUT = N_("Nobody came back to {table}, so bots finished the match. Everyone there counts as having left.")
GIVEN_UP = N_("Nobody came back to {table}, so it ends here. What was played counts.")
UNPLAYED = N_("{table} ended before any hand was finished, so there's no result.")
_BY: Mapping[MatchEnding, Decider] = {"agreed": "person", "silence": "clock"}


def closed(state: TableState, sentence: str | None = None) -> Decision:
    """Close a table without a result."""
    message = (announcement(sentence),) if sentence else ()
    return shown(replace(state, row=replace(state.row, phase="closed", deadline=None, times=())), *message)


def over(state: TableState, ended: MatchEnding, facts: Facts, place: AccessChannel | None = None) -> Decision:
    """End the match with its finished hands.

    place: the match's place, unless noted at the first deal. A noted place holds, so hiding or opening a channel never
    moves a result to another leaderboard.
    """
    row, match = state.row, state.match
    assert match is not None
    counted = is_counted(row, ruleset_of(row), ended)
    place = row.place or place or facts.ask(PlaceOf(row.home))
    standings = standings_of(match, row.chairs)
    outcome = MatchOutcome(len(match.results), facts.now, standings, counts=counted, ended=ended, place=place)
    pace = row.own_pace if row.own_pace and is_live_session(row) else row.pace
    row = replace(row, phase="over", deadline=None, times=(), ended=ended, counts=counted, pace=pace)
    effects: tuple[Effect, ...] = (ScoresheetUpdate(),) if row.duplicate_id is not None else ()
    if counted and facts.server.leaderboard:
        effects = (*effects, RatingUpdate())
    writes = Writes(outcome=outcome, score=score_of(match), openings=stored_openings(match))
    return Decision(replace(state, row=row), effects=effects, signals=(CHANGED,), writes=writes)


def with_ratings(state: TableState, facts: Facts) -> Decision:
    """Show the changes of ratings after the match."""
    changes = facts.ask(RatingChanges(state.row.id))
    return Decision(state) if changes == state.rating_changes else shown(replace(state, rating_changes=changes))


def ended(
    state: TableState, seat: int, how: MatchEnding, facts: Facts, *, place: AccessChannel | None = None
) -> Decision:
    """End the match with its finished hands; an endless match by a step of this seat."""
    match = state.match
    assert match is not None
    if match.endless and match.game.result:
        step = MatchStep(state.ply, seat, write_action(Stop()), _BY[how], facts.now)
        match = match.act(seat, Stop())
        state = replace(state, match=match, row=replace(state.row, steps=(*state.row.steps, step)))
    return over(state, how, facts, place) if match.results else closed(state, UNPLAYED)


def broken_off(state: TableState, facts: Facts, place: AccessChannel | None = None) -> Decision:
    """End a table with no way to continue in its channel.

    Finished hands count as after a day without objections: otherwise a user with the right to delete channels or remove
    the bot could undo a loss.
    """
    if state.row.phase == "playing" and state.match and state.match.results:
        return ended(state, 0, "silence", facts, place=place)
    return closed(state)


def played_out(state: TableState, match: Match, facts: Facts) -> Decision:
    """Play a match without players to its result, because leaving must not avoid a loss."""
    if match.endless:
        return ended(state, 0, "silence", facts).with_effects(announcement(GIVEN_UP))
    last, moves = facts.ask(PlayedOut(state.ply, match))
    steps = tuple(
        MatchStep(state.ply + later, seat, write_action(action), _by(state, seat), facts.now)
        for later, (seat, action) in enumerate(moves)
    )
    state = replace(state, match=last, row=replace(state.row, steps=(*state.row.steps, *steps)))
    message: Announcement = announcement(PLAYED_OUT)
    return over(state, "itself", facts).with_effects(message)


def _by(state: TableState, seat: int) -> Decider:
    """Return the author noted for an action by a house player or by the table."""
    return "house" if state.row.chairs[seat].house else "order"
