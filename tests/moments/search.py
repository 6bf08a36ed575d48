"""Finding a seed by which a match comes to a moment, all playing as at a table, people as plain house players do.

Pure: knows the rules and the house players. Refuses to know tables; the first seed that comes to it is always the same.
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

SEEDS = 20  # where a moment can come at all, the first three have done so far


def seeds() -> Iterator[str]:
    """Yield the seeds that are tried, made as those of any match but of counted numbers."""
    return (chain_seed(sha256(str(number).encode()).hexdigest()) for number in range(1, SEEDS + 1))


def search(rules: Rules, moment: Moment, people: int) -> str | None:
    """Return the first seed that leads to that moment, or None. people: on the first seats."""
    if moment.reached is None:
        return next(seeds())
    return next((seed for seed in seeds() if any(map(moment.reached, course(rules, seed, people)))), None)


class Course:
    """The positions of a match, played once, up to the furthest position requested."""

    def __init__(self, ahead: Iterator[Match]) -> None:
        self._ahead = ahead
        self._played: list[Match] = []

    def __iter__(self) -> Iterator[Match]:
        yield from self._played
        for match in self._ahead:
            self._played.append(match)
            yield match


_courses: dict[tuple[Rules, str, int], Course] = {}


def course(rules: Rules, seed: str, people: int) -> Course:
    """Return the course of a match, the same one for all moments that are looked for."""
    key = rules, seed, people
    if key not in _courses:
        _courses[key] = Course(positions(Match.start(rules, seed), people))
    return _courses[key]


def positions(match: Match, people: int) -> Iterator[Match]:
    """Yield the positions at which a match waits for Ann or at the end of a hand, until it is over."""
    while True:
        house = () if match.game.result else house_players(match, people)
        if not house and waits(match):
            yield match
        if match.over:
            return
        match = match.next_hand() if match.game.result else after(match, house or (person(match, people),))


def waits(match: Match) -> bool:
    """Tell whether a match waits for Ann, or for every player to look at how a hand ended.

    Where her number of cards shows that she can only pass, the table passes for her.
    """
    return match.game.result is not None or (ANN in match.awaited and passes_openly(match) is None)


def house_players(match: Match, people: int) -> tuple[SeatAction, ...]:
    """Return what house players do now: every asked seat, or one seat with a right to act."""
    waiting = [seat for seat in sorted(match.awaited) if seat >= people]
    if match.game.secrecy.together:
        return tuple(_done(match, waiting))
    eager = [seat for seat in sorted(match.to_act - match.awaited) if seat >= people]
    return tuple(islice(_done(match, (*eager, *waiting[:1])), 1))


def _done(match: Match, seats: Iterable[int]) -> Iterator[SeatAction]:
    """Yield the actions of these house players that want to act."""
    wishes = ((seat, choose_action(match.view(seat))) for seat in seats)
    return ((seat, action) for seat, action in wishes if action is not None)


def person(match: Match, people: int) -> SeatAction:
    """Return what the first of the people does whom the match waits for."""
    seat = min(seat for seat in match.awaited if seat < people)
    view = match.view(seat)
    return seat, choose_action(view) or timeout_action(view)


def after(match: Match, done: Iterable[SeatAction]) -> Match:
    """Return the match after these actions; the first of them that all can see makes the rest void."""
    now = match
    for seat, action in done:
        if now.moment == match.moment:
            now = now.act(seat, action)
    return now
