"""The moves of house players, and requests for them off the event loop.

A move is chosen in a thread, or in a process of the pool (`bot/ai_pool/pool.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from time import perf_counter
from typing import NamedTuple, Protocol, TypeAlias

from bot.ai.engine.search import TimeCheck, no_time_limit
from bot.ai.levels import house_action
from bot.ai.plain import timeout_action
from bot.domain.chairs import Level
from bot.rules.core.asks import Action, Ready
from bot.rules.core.game import View
from bot.rules.matches.match import Match

SeatAction: TypeAlias = tuple[int, Action]  # seat and action

log = logging.getLogger(__name__)


def dice_seed(seed: str, seat: int, ply: int) -> str:
    """Return the random seed of a house player's decision, fixed by match and ply.

    seed: of the match; the result reveals nothing about the match's seed.
    """
    return sha256(f"house player {seed} {seat} {ply}".encode()).hexdigest()


def choose_action(
    view: View, level: Level = Level.PLAIN, dice: str = "", is_time_up: TimeCheck = no_time_limit
) -> Action | None:
    """Return a house player's action, or the timeout action after a failure.

    No failure stalls a table. dice: the random seed; without one, ties break by a fixed order. is_time_up: as in
    ``house_action``.
    """
    try:
        return house_action(level, view, Random(dice) if dice else None, is_time_up)  # reproducible on purpose
    except Exception:
        log.exception("A house player of %s does not know what to do.", view.rules.game)
        return timeout_action(view) if view.seat in view.awaited else None


def secret_continuation(match: Match, seat: int, action: Action) -> Match | None:
    """Return the match if a seat acts again before others see the action.

    None for a visible action. Used for jokers whose player names a rank before the others see the play.
    """
    after = match.act(seat, action)
    again = after.moment == match.moment and not match.game.secrecy.together and seat in after.awaited
    return after if again else None


def complete_turn(match: Match, seat: int, done: tuple[SeatAction, ...]) -> tuple[SeatAction, ...]:
    """Return a house player's decided actions, with plain actions up to the first public one."""
    now: Match | None = match
    for _, action in done:
        now = secret_continuation(now, seat, action) if now else None
    while now is not None and seat in now.awaited:
        view = now.view(seat)
        action = choose_action(view) or timeout_action(view)
        done, now = (*done, (seat, action)), secret_continuation(now, seat, action)
    return done


def play_out_hand(match: Match) -> tuple[Match, tuple[SeatAction, ...]]:
    """Let house players on all seats finish the current or next hand.

    Return the match after the hand, and the actions.
    """
    done, hands = list[SeatAction](), len(match.results)
    while not match.over and len(match.results) == hands:
        for seat, action in _round(match):
            before, match = match, match.act(seat, action)
            done.append((seat, action))
            if match.moment != before.moment:
                break
    return match, tuple(done)


def _round(match: Match) -> Iterator[SeatAction]:
    """Yield the actions of the awaited seats; the first public action invalidates the rest."""
    for seat in sorted(match.awaited):
        view = match.view(seat)
        yield seat, Ready() if match.game.result else choose_action(view) or timeout_action(view)


class MoveRequest(NamedTuple):
    """A request for a house player's move.

    dice: the random seed, "" for none. seconds: the time limit for the best action found; None for the usual time.
    """

    view: View
    level: Level = Level.PLAIN
    dice: str = ""
    seconds: float | None = None


class MoveChooser(Protocol):
    """Chooses moves for house players."""

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return a house player's action; None to stay silent without a required action.

        Never raises.
        """
        ...


def search_move(request: MoveRequest) -> Action | None:
    """Return the best action found, in a process of the pool; None for no action.

    Raises the errors of the search.
    """
    view, level, dice, seconds = request
    return house_action(level, view, Random(dice), _time_check(seconds))  # reproducible on purpose


def _time_check(seconds: float | None) -> TimeCheck:
    """Return the check of a time limit that begins now; seconds: None for no limit."""
    if seconds is None:
        return no_time_limit
    end = perf_counter() + seconds
    return lambda: perf_counter() >= end


class InThreadMoveChooser:
    """Chooses in a thread, within the request's time limit.

    A long decision slows down everything else.
    """

    async def choose(self, request: MoveRequest) -> Action | None:
        """Return a house player's action, as in :class:`MoveChooser`."""
        view, level, dice, seconds = request
        return await asyncio.to_thread(choose_action, view, level, dice, _time_check(seconds))
