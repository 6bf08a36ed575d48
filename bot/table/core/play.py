"""Moves of players and house players, and premoves saved for later."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.ai.plain import has_no_choice, passes_openly
from bot.domain.chairs import Chair, Vote
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import NO_WAY_BACK, Refused, TooLate
from bot.rules.core.asks import Action, Pass, Ready, Stop, write_action
from bot.rules.core.premoves import (
    PremoveContext,
    Premoves,
    add_premove,
    can_create,
    due_action,
    new_premove,
    refresh_premoves,
)
from bot.rules.matches.match import Match
from bot.store.rows import Decider, MatchStep
from bot.table.core import chairs as seating
from bot.table.core import votes
from bot.table.core.chairs import Chairs, premoves_of, write_premoves
from bot.table.core.commands import Act, ActAsHouse, SavePremove, WithdrawPremoves
from bot.table.core.deadlines import transition
from bot.table.core.ending import UNPLAYED, closed, ended, over
from bot.table.core.facts import Facts, Moves, PremoveDelay
from bot.table.core.state import Decision, TableState, shown
from bot.table.core.suspension import check_not_suspended

NOT_WHILE_PAUSED = N_("This table is paused. Nothing is lost, and all clocks are stopped until it resumes.")
NO_MATCH_NOW = N_("There's no match at this table right now.")
TAKE_BACK = N_("A bot has your seat. Take it back first.")
UNWANTED = N_("Someone said no when you last asked. You can ask again {when}.")
YOUR_MOVE = N_("It's your move, so make it first. You can ask to end the match while you wait for others.")


def act(state: TableState, command: Act, facts: Facts) -> Decision:
    """Execute a player's action; the match checks it by the rules.

    Raises Refused, TooLate or Illegal.
    """
    seat, match = seating.own_seat(state.row.chairs, command.user), state.match
    if state.row.phase != "playing" or match is None:
        raise Refused(NO_MATCH_NOW)
    chair = state.row.chairs[seat]
    if chair.house:
        raise Refused(NO_WAY_BACK if chair.away == "removed" else TAKE_BACK)
    check_not_suspended(state)
    if state.row.paused:
        raise Refused(NOT_WHILE_PAUSED)
    action, moment = command.action, command.moment
    if moment is not None and moment != state.moment and not _in_this_break(match, action, moment):
        raise TooLate
    if isinstance(action, Stop):
        return ask_to_end(state, match, seat, facts)
    if isinstance(action, Ready) and seat in match.ready and votes.ending_seats(state.row.chairs):
        return _end_refused(state, match, facts)
    return play_moves(
        state,
        match,
        moves=((seat, action),),
        by="person",
        chairs=seating.acted_in_time(state.row.chairs, seat),
        facts=facts,
    )


def _in_this_break(match: Match, action: Action, moment: int) -> bool:
    """Tell whether a click belongs to the present break, with only readiness changed since.

    Ready names its hand in the address, checked by a guard.
    """
    if match.game.result is None:
        return False
    return isinstance(action, Ready) or (isinstance(action, Stop) and moment >= match.moment - len(match.ready))


def act_as_house(state: TableState, command: ActAsHouse, facts: Facts) -> Decision:
    """Execute the actions of house players; nothing after the match has moved on."""
    match = state.match
    if match is None or match.moment != command.moment or state.row.phase != "playing" or state.row.paused:
        return Decision(state)
    free = (match.to_act - command.awaited) | match.awaited  # of those asked: who has not answered meanwhile
    moves = tuple((seat, action) for seat, action in command.moves if seat in free and acts_by_itself(state, seat))
    return (
        play_moves(state, match, moves=moves, by="house", chairs=state.row.chairs, facts=facts)
        if moves
        else Decision(state)
    )


def acts_by_itself(state: TableState, seat: int) -> bool:
    """Tell whether a house player acts at this seat, or the table for a player with no choice."""
    match, row = state.match, state.row
    if row.chairs[seat].house:
        return True
    if match is None or not match.game.secrecy.quiet or not seating.has_auto_answers(row.chairs, row.pace):
        return False
    return has_no_choice(match.game.ask(seat))


def house_seats(state: TableState) -> tuple[int, ...]:
    """Return the awaited seats that act by themselves now."""
    return acting_by_themselves(state, state.match.awaited) if state.match else ()


def acting_by_themselves(state: TableState, seats: frozenset[int]) -> tuple[int, ...]:
    """Return the self-acting seats out of these; none without a person at play."""
    row = state.row
    acting = tuple(seat for seat in sorted(seats) if acts_by_itself(state, seat))
    return acting if acting and row.phase == "playing" and not row.paused and seating.people(row.chairs) else ()


# What follows


def play_moves(state: TableState, match: Match, *, moves: Moves, by: Decider, chairs: Chairs, facts: Facts) -> Decision:
    """Return the decision after these moves. chairs: after the moves. Raises Illegal."""
    before, steps = match, list[MatchStep]()
    for seat, action in moves:
        if before.game.secrecy.together and match.moment != before.moment:
            break  # one of the answers was enough for the game to go on
        match = match.act(seat, action)
        steps.append(_step(state, len(steps), seat=seat, action=action, by=by, facts=facts))
    while state.row.pace.openly and (idle := passes_openly(match)) is not None:
        match = match.act(idle, Pass())
        steps.append(_step(state, len(steps), seat=idle, action=Pass(), by="house", facts=facts))
    if by in ("person", "order") and match.moment != before.moment:  # a sealed answer must not be noticed
        chairs = votes.without_vote(chairs)
    row = replace(state.row, steps=(*state.row.steps, *steps))
    return after_step(state, replace(state, row=row, match=match).seated(chairs), facts)


def _step(state: TableState, later: int, *, seat: int, action: Action, by: Decider, facts: Facts) -> MatchStep:
    """Return an action in stored form.

    An automatic answer for a player without a choice counts as an order.
    """
    by = "order" if by == "house" and not state.row.chairs[seat].house else by
    return MatchStep(state.ply + later, seat, write_action(action), by, facts.now)


def after_step(before: TableState, after: TableState, facts: Facts) -> Decision:
    """Return the decision after a new position of the match.

    Even the first deal may end the match.
    """
    match = after.match
    assert match is not None
    if match.over:
        decision = over(after, "agreed" if match.stopped else "itself", facts)
    else:
        playing = replace(after, row=replace(after.row, phase="playing"))
        decision = shown(transition(before, playing, facts))
    return replace(decision, state=with_premoves(decision.state, match, facts))


def reseated(state: TableState, chairs: Chairs, facts: Facts) -> Decision:
    """Return the decision for new chairs in the same position of the match."""
    return shown(transition(state, state.seated(chairs), facts))


# The end that all players agree on


def ask_to_end(state: TableState, match: Match, seat: int, facts: Facts) -> Decision:
    """Record a player's wish to end the match, and end it by agreement of all players at play."""
    between, sitting = match.game.result is not None, state.row.chairs
    if not between and not votes.ending_seats(sitting) and seat in match.view(None).awaited:
        raise Refused(YOUR_MOVE)
    check_not_refused_before(state, seat, "end", facts)
    chairs = votes.with_vote(sitting, seat, "end")
    if votes.undecided_seats(chairs):
        return reseated(state, chairs, facts)
    if not match.results:
        return closed(state, UNPLAYED)  # the last vote is not stored, nor counted as another one
    return ended(state.seated(chairs), seat, "agreed", facts)


def _end_refused(state: TableState, match: Match, facts: Facts) -> Decision:
    """Continue the match after a declined wish to end.

    The supporters of the wish have seen the hand, and count as ready. Otherwise one player could ask again and again,
    and the next hand would never come.
    """
    chairs = votes.without_vote(state.row.chairs)
    asking = tuple((seat, Ready()) for seat in votes.ending_seats(state.row.chairs) if seat not in match.ready)
    return (
        play_moves(state, match, moves=asking, by="person", chairs=chairs, facts=facts)
        if asking
        else reseated(state, chairs, facts)
    )


def check_not_refused_before(state: TableState, seat: int, vote: Vote, facts: Facts) -> None:
    """Raise Refused for a player with a recently declined vote of the same kind."""
    chairs, span = state.row.chairs, facts.durations.vote_pause(state.row.pace)
    free = votes.next_ask_at(chairs[seat], vote, span)
    if free and free > facts.now and not votes.current_vote(chairs) and {seat} < set(votes.undecided_seats(chairs)):
        raise Refused(UNWANTED, when=free)


NOTHING_TO_QUEUE = N_("You have no hand to queue a play for right now.")
NOT_NOW = N_("You can't queue that right now.")


def premoved(chair: Chair, match: Match) -> Action | None:
    """Return the premoved action of a chair's awaited owner; None for a player still to ask."""
    if not chair.premoves or chair.house or match.game.result or match.game.secrecy.together:
        return None
    return due_action(premoves_of(chair), match.view(chair.seat))


def next_premove(chairs: Chairs, match: Match) -> tuple[int, Action] | None:
    """Return the awaited seat with the next premove, and the premove."""
    for seat in sorted(match.awaited):
        if action := premoved(chairs[seat], match):
            return seat, action
    return None


# Commands


def save_premove(state: TableState, command: SavePremove, facts: Facts) -> Decision:
    """Save a premove. Raises Refused, and TooLate in another position than the clicked one."""
    seat, match = _in_hand(state, command.user)
    view = match.view(seat)
    _check_position(command.made_for, match, seat)
    new = new_premove(view, command.kind, *command.plays, upto=command.upto, code=command.code)
    if not can_create(new, view):
        raise Refused(NOT_NOW)
    return _save_premoves(state, match, seat, add_premove(premoves_of(state.row.chairs[seat]), new), facts=facts)


def withdraw_premoves(state: TableState, command: WithdrawPremoves, facts: Facts) -> Decision:
    """Withdraw premoves of some kinds. Errors as for `save_premove`."""
    seat, match = _in_hand(state, command.user)
    _check_position(command.made_for, match, seat)
    left = tuple(each for each in premoves_of(state.row.chairs[seat]) if each.kind not in command.kinds)
    return _save_premoves(state, match, seat, left, facts=facts)


def _in_hand(state: TableState, user: UserId) -> tuple[int, Match]:
    """Return the seat of a player eligible to premove, and the match."""
    seat, match = seating.own_seat(state.row.chairs, user), state.match
    if state.row.phase != "playing" or match is None or match.game.result or state.row.chairs[seat].house:
        raise Refused(NOTHING_TO_QUEUE)
    return seat, match


def _check_position(made_for: PremoveContext | None, match: Match, seat: int) -> None:
    """Raise TooLate unless the match is still in the clicked position."""
    if made_for and not made_for.holds(PremoveContext.of(match.deal, match.moment, match.view(seat))):
        raise TooLate


def _save_premoves(state: TableState, match: Match, seat: int, premoves: Premoves, *, facts: Facts) -> Decision:
    """Save the premoves of a seat, without any notification."""
    chairs = seating.with_premoves(state.row.chairs, seat, write_premoves(premoves))
    if chairs == state.row.chairs:
        return Decision(state)
    state = state.seated(chairs)
    return Decision(_with_premove_time(state, match, facts) if seat in match.awaited else state)


# What follows after any step


def with_premoves(state: TableState, match: Match, facts: Facts) -> TableState:
    """Return the state with the valid premoves, and with the moment of the next one."""
    if not state.row.premove_at and not any(chair.premoves for chair in state.row.chairs):
        return state
    chairs = state.row.chairs
    for chair in chairs:
        if chair.premoves:
            still = write_premoves(refresh_premoves(premoves_of(chair), match.view(chair.seat)))
            chairs = seating.with_premoves(chairs, chair.seat, still)
    return _with_premove_time(state.seated(chairs), match, facts)


def _with_premove_time(state: TableState, match: Match, facts: Facts) -> TableState:
    """Return the state with the moment of an awaited player's premove, if any."""
    premove_at: datetime | None = None
    if next_premove(state.row.chairs, match) is not None:
        premove_at = facts.now + facts.ask(PremoveDelay())
    return replace(state, row=replace(state.row, premove_at=premove_at))
