"""Matches among people of known strength, to test ratings: really played ones, and modelled ones.

People of graded strength play Big Two and Tiến Lên, four at a table, by the real rules: each acts like a plain house
player, with random moves that are more frequent for weaker players. They meet at random, which favors means, and in
circles of similar strength with a few mixed matches, which does not. People play every third day on average, at any
hour: the calendar determines damping and fading.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import Action, Ready
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from tests.laws.matches import offered
from tests.store.sample_tables import NOON

GAMES_PLAYED: Final = (("tien_len", "simple"), ("big_two", "pagat"))
NOISE_BY_GAME: Final = 0.6  # share of random moves of the weakest player
SEATS, HANDS, FULL_ROUND = 4, 3, 5_000  # FULL_ROUND: matches of a round with --full
DAYS_BETWEEN: Final = timedelta(days=3)  # mean days between two matches of a player
CIRCLE_SIZE, MIXED_SHARE = 20, 0.1  # people of a circle; share of matches among any people
Meeting: TypeAlias = Callable[[random.Random, int], list[int]]  # number of people -> the players of a match


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A finished match. places: by player, from 1; gains: points above the mean of the table."""

    game: str
    finished: datetime
    places: Mapping[int, int]
    gains: Mapping[int, float]


def strength_of(player: int, people: int) -> float:
    """Return the strength of a player, 1 for the best: the share of moves that are not random."""
    return 1 - NOISE_BY_GAME * player / (people - 1)


def meet_at_random(rng: random.Random, people: int) -> list[int]:
    """Return any four people."""
    return rng.sample(range(people), SEATS)


def meet_in_circles(rng: random.Random, people: int) -> list[int]:
    """Return four people of a circle, or sometimes any four."""
    if rng.random() < MIXED_SHARE:
        return meet_at_random(rng, people)
    first = CIRCLE_SIZE * rng.randrange(people // CIRCLE_SIZE)
    return rng.sample(range(first, first + CIRCLE_SIZE), SEATS)


MEETINGS: Final[Mapping[str, Meeting]] = {"met at random": meet_at_random, "met in circles": meet_in_circles}


def finish_time(number: int, people: int) -> datetime:
    """Return the time at which a match ends."""
    return NOON + number * DAYS_BETWEEN * SEATS / people


def play_match(number: int, people: int, meeting: Meeting) -> RatedMatch:
    """Play a match by the rules."""
    rng = random.Random(f"ratings {number}")
    seated = meeting(rng, people)
    game, preset = GAMES_PLAYED[number % len(GAMES_PLAYED)]
    known = GAMES[game]
    match = Record(known, preset, seed=f"ratings {number}", options=known.wish(preset, {}, hands=HANDS)).begin()
    while not match.over:
        match = _step(match, [strength_of(player, people) for player in seated], rng)
    rank = match.rules.ranking(match.results)
    gains = [sum(rank) / len(rank) - own for own in rank]
    places = dict(zip(seated, match.places, strict=True))
    return RatedMatch(game, finish_time(number % FULL_ROUND, people), places, dict(zip(seated, gains, strict=True)))


def _step(match: Match, strengths: Sequence[float], rng: random.Random) -> Match:
    seat = min(match.to_act)
    return match.act(seat, _action(match, seat, strengths[seat], rng))


def _action(match: Match, seat: int, player_strength: float, rng: random.Random) -> Action:
    if match.game.result is not None:
        return Ready()
    view = match.view(seat)
    meant = plain_action(view) if rng.random() < player_strength else None
    return meant or rng.choice(offered(view))


def played_matches(title: str, people: int, round_: int, seconds: float, kept: Path | None) -> list[RatedMatch]:
    """Return a round of played matches: the stored ones, then new ones while time remains."""
    ends, meeting, file = time.monotonic() + seconds, MEETINGS[title], None
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        file = (kept / f"{title.replace(' ', '_')}_{people}_{round_}.jsonl").open("a+", encoding="utf-8")
        file.seek(0)
    found = [_read_match(number, line, people) for number, line in enumerate(file or ())]
    while len(found) < FULL_ROUND and time.monotonic() < ends:
        ended = play_match(round_ * FULL_ROUND + len(found), people, meeting)
        if file:
            seats = [[player, place, ended.gains[player]] for player, place in ended.places.items()]
            print(json.dumps(seats), file=file, flush=True)
        found.append(ended)
    return found


def _read_match(number: int, line: str, people: int) -> RatedMatch:
    """Read a stored match."""
    seats = json.loads(line)
    game, _ = GAMES_PLAYED[number % len(GAMES_PLAYED)]
    places, gains = ({player: values[which] for player, *values in seats} for which in (0, 1))
    return RatedMatch(game, finish_time(number, people), places, gains)


def modelled_matches(title: str, people: int, count: int) -> Iterator[RatedMatch]:
    """Yield matches drawn from a simple model, in which stronger players finish earlier more often."""
    rng = random.Random("model")
    for number in range(count):
        seated = MEETINGS[title](rng, people)
        luck = {player: 3 * strength_of(player, people) - math.log(-math.log(rng.random())) for player in seated}
        order = sorted(seated, key=luck.__getitem__, reverse=True)
        gains = {player: 1.5 - order.index(player) for player in seated}
        yield RatedMatch("", finish_time(number, people), {player: order.index(player) + 1 for player in seated}, gains)
