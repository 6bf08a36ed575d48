"""Premoves: actions saved for later turns, their validity, and their execution. Pure.

A premove executes at a random moment drawn from one distribution, regardless of order, cards and position, so its time
reveals nothing; the moment is a column, so a restart neither loses nor repeats a premove.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.domain.chairs import Chair
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused, TooLate
from bot.rules.core.actions import Action
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
from bot.table.core import chairs as seating
from bot.table.core.chairs import Chairs, premoves_of, write_premoves
from bot.table.core.commands import SavePremove, WithdrawPremoves
from bot.table.core.facts import Facts, PremoveDelay
from bot.table.core.state import Decision, TableState

NO_ORDERS = N_("There is no hand of yours in which you could say something beforehand now.")
NOT_NOW = N_("That cannot be said beforehand as things stand now.")


def premoved(chair: Chair, match: Match) -> Action | None:
    """Return the premoved action of a chair's awaited owner; None for a player still to ask."""
    if not chair.orders or chair.house or match.game.result or match.game.secrecy.together:
        return None
    return due_action(premoves_of(chair), match.view(chair.seat))


def next_premove(chairs: Chairs, match: Match) -> tuple[int, Action] | None:
    """Return the awaited seat with the next premove, and the premove."""
    for seat in sorted(match.awaited):
        if action := premoved(chairs[seat], match):
            return seat, action
    return None


# Commands


def premove(state: TableState, command: SavePremove, facts: Facts) -> Decision:
    """Save a premove. Raises Refused, and TooLate in another position than the clicked one."""
    seat, match = _in_hand(state, command.user)
    view = match.view(seat)
    _check_position(command.made_for, match, seat)
    new = new_premove(view, command.kind, *command.plays, upto=command.upto, code=command.code)
    if not can_create(new, view):
        raise Refused(NOT_NOW)
    return _remember(state, match, seat, add_premove(premoves_of(state.row.chairs[seat]), new), facts=facts)


def withdraw_premoves(state: TableState, command: WithdrawPremoves, facts: Facts) -> Decision:
    """Withdraw premoves of some kinds. Errors as for `premove`."""
    seat, match = _in_hand(state, command.user)
    _check_position(command.made_for, match, seat)
    left = tuple(order for order in premoves_of(state.row.chairs[seat]) if order.kind not in command.kinds)
    return _remember(state, match, seat, left, facts=facts)


def _in_hand(state: TableState, user: UserId) -> tuple[int, Match]:
    """Return the seat of a player eligible to premove, and the match."""
    seat, match = seating.own_seat(state.row.chairs, user), state.match
    if state.row.phase != "playing" or match is None or match.game.result or state.row.chairs[seat].house:
        raise Refused(NO_ORDERS)
    return seat, match


def _check_position(made_for: PremoveContext | None, match: Match, seat: int) -> None:
    """Raise TooLate unless the match is still in the clicked position."""
    if made_for and not made_for.holds(PremoveContext.of(match.deal, match.moment, match.view(seat))):
        raise TooLate


def _remember(state: TableState, match: Match, seat: int, orders: Premoves, *, facts: Facts) -> Decision:
    """Save the premoves of a seat, without any notification."""
    chairs = seating.with_premoves(state.row.chairs, seat, write_premoves(orders))
    if chairs == state.row.chairs:
        return Decision(state)
    state = state.seated(chairs)
    return Decision(_answering(state, match, facts) if seat in match.awaited else state)


# What follows after any step


def with_premoves(state: TableState, match: Match, facts: Facts) -> TableState:
    """Return the state with the valid premoves, and with the moment of the next one."""
    if not state.row.answers and not any(chair.orders for chair in state.row.chairs):
        return state
    chairs = state.row.chairs
    for chair in chairs:
        if chair.orders:
            still = write_premoves(refresh_premoves(premoves_of(chair), match.view(chair.seat)))
            chairs = seating.with_premoves(chairs, chair.seat, still)
    return _answering(state.seated(chairs), match, facts)


def _answering(state: TableState, match: Match, facts: Facts) -> TableState:
    """Return the state with the moment of an awaited player's premove, if any."""
    answers: datetime | None = None
    if next_premove(state.row.chairs, match) is not None:
        answers = facts.now + facts.ask(PremoveDelay())
    return replace(state, row=replace(state.row, answers=answers))
