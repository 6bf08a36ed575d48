"""Finds a seed that leads a match to a moment, with house players as at a table and people as plain house players.

Pure and deterministic: uses the rules and the house players.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice

from bot.ai.plain import passes_openly, timeout_action
from bot.ai_pool.moves import SeatAction, choose_action
from bot.rules.core.game import Rules
from bot.rules.matches.match import Match
from bot.rules.matches.seal import chain_seed
from tests.moments.moments import ANN, Moment

MAX_SEEDS = 20  # possible moments have been found within three so far


def seeds() -> Iterator[str]:
    """Yield the seeds to try, derived from counted numbers."""
    return (chain_seed(sha256(str(number).encode()).hexdigest()) for number in range(1, MAX_SEEDS + 1))


def find_seed(rules: Rules, moment: Moment, people: int) -> str | None:
    """Return the first seed that leads to the moment, or None. people: on the first seats."""
    if moment.reached is None:
        return next(seeds())
    return next((seed for seed in seeds() if any(map(moment.reached, positions_of(rules, seed, people)))), None)


class PositionCache:
    """The positions of a match, played only once, up to the furthest requested one."""

    def __init__(self, ahead: Iterator[Match]) -> None:
        self._ahead = ahead
        self._played: list[Match] = []

    def __iter__(self) -> Iterator[Match]:
        yield from self._played
        for match in self._ahead:
            self._played.append(match)
            yield match


_courses: dict[tuple[Rules, str, int], PositionCache] = {}


def positions_of(rules: Rules, seed: str, people: int) -> PositionCache:
    """Return the positions of a match, shared by all searches."""
    key = rules, seed, people
    if key not in _courses:
        _courses[key] = PositionCache(positions(Match.start(rules, seed), people))
    return _courses[key]


def positions(match: Match, people: int) -> Iterator[Match]:
    """Yield the positions in which a match waits for Ann, and the ends of hands, until the match is over."""
    while True:
        house = () if match.game.result else house_actions(match, people)
        if not house and waits_for_ann(match):
            yield match
        if match.over:
            return
        match = (
            match.next_hand() if match.game.result else apply_actions(match, house or (person_action(match, people),))
        )


def waits_for_ann(match: Match) -> bool:
    """Whether a match waits for Ann, or all players look at the end of a hand.

    If her number of cards shows that she can only pass, the table passes for her.
    """
    return match.game.result is not None or (ANN in match.awaited and passes_openly(match) is None)


def house_actions(match: Match, people: int) -> tuple[SeatAction, ...]:
    """Return the present actions of house players: of every asked seat, or of one seat with a right to act."""
    waiting = [seat for seat in sorted(match.awaited) if seat >= people]
    if match.game.secrecy.together:
        return tuple(_chosen_actions(match, waiting))
    eager = [seat for seat in sorted(match.to_act - match.awaited) if seat >= people]
    return tuple(islice(_chosen_actions(match, (*eager, *waiting[:1])), 1))


def _chosen_actions(match: Match, seats: Iterable[int]) -> Iterator[SeatAction]:
    """Yield the actions of these house players that want to act."""
    wishes = ((seat, choose_action(match.view(seat))) for seat in seats)
    return ((seat, action) for seat, action in wishes if action is not None)


def person_action(match: Match, people: int) -> SeatAction:
    """Return the action of the first awaited person."""
    seat = min(seat for seat in match.awaited if seat < people)
    view = match.view(seat)
    return seat, choose_action(view) or timeout_action(view)


def apply_actions(match: Match, done: Iterable[SeatAction]) -> Match:
    """Return the match after these actions; the first public one makes the rest void."""
    now = match
    for seat, action in done:
        if now.moment == match.moment:
            now = now.act(seat, action)
    return now
