"""Matches among people of known strength, to see whether ratings find it: really played ones, and those of a model.

People of graded noise play Big Two and Tiến Lên, four at a table, by the real rules: each player acts like a plain
house player, with random moves, more often for weaker players. They meet at random, which is the best case of a mean,
and in circles of about equal strength with a few matches between, which is the worst. They play every third day
or so, at any hour: the calendar, which determines damping and fading.
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
NOISE: Final = 0.6  # of the weakest: how often something at random is done
SEATS, HANDS, WHOLE = 4, 3, 5_000  # WHOLE: matches of a round
EVERY: Final = timedelta(days=3)  # so often every player plays, by and large
CIRCLE, BETWEEN = 20, 0.1  # people who mostly play among themselves; how many matches are among any
Meeting: TypeAlias = Callable[[random.Random, int], list[int]]  # who sits down, of so many people


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended. places: by player, from 1; gains: points above the average of the table."""

    game: str
    finished: datetime
    places: Mapping[int, int]
    gains: Mapping[int, float]


def strength(player: int, people: int) -> float:
    """Return how good a player is, 1 being the best: how rarely they do something at random."""
    return 1 - NOISE * player / (people - 1)


def anybody(rng: random.Random, people: int) -> list[int]:
    """Let any four meet."""
    return rng.sample(range(people), SEATS)


def circle(rng: random.Random, people: int) -> list[int]:
    """Let four of a circle meet, and now and then any four."""
    if rng.random() < BETWEEN:
        return anybody(rng, people)
    first = CIRCLE * rng.randrange(people // CIRCLE)
    return rng.sample(range(first, first + CIRCLE), SEATS)


MEETINGS: Final[Mapping[str, Meeting]] = {"met at random": anybody, "met in circles": circle}


def at(number: int, people: int) -> datetime:
    """Return when a match ends."""
    return NOON + number * EVERY * SEATS / people


def played(number: int, people: int, meeting: Meeting) -> Ended:
    """Play a match by the rules."""
    rng = random.Random(f"ratings {number}")
    seated = meeting(rng, people)
    game, preset = GAMES_PLAYED[number % len(GAMES_PLAYED)]
    known = GAMES[game]
    match = Record(known, preset, seed=f"ratings {number}", options=known.wish(preset, {}, hands=HANDS)).begin()
    while not match.over:
        match = _step(match, [strength(player, people) for player in seated], rng)
    rank = match.rules.ranking(match.results)
    gains = [sum(rank) / len(rank) - own for own in rank]
    places = dict(zip(seated, match.places, strict=True))
    return Ended(game, at(number % WHOLE, people), places, dict(zip(seated, gains, strict=True)))


def _step(match: Match, strengths: Sequence[float], rng: random.Random) -> Match:
    seat = min(match.to_act)
    return match.act(seat, _action(match, seat, strengths[seat], rng))


def _action(match: Match, seat: int, good: float, rng: random.Random) -> Action:
    if match.game.result is not None:
        return Ready()
    view = match.view(seat)
    meant = plain_action(view) if rng.random() < good else None
    return meant or rng.choice(offered(view))


def matches(title: str, people: int, round_: int, seconds: float, kept: Path | None) -> list[Ended]:
    """Return a round of matches that were really played: as many as time allows, besides stored ones."""
    ends, meeting, file = time.monotonic() + seconds, MEETINGS[title], None
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        file = (kept / f"{title.replace(' ', '_')}_{people}_{round_}.jsonl").open("a+", encoding="utf-8")
        file.seek(0)
    found = [_read(number, line, people) for number, line in enumerate(file or ())]
    while len(found) < WHOLE and time.monotonic() < ends:
        ended = played(round_ * WHOLE + len(found), people, meeting)
        if file:
            seats = [[player, place, ended.gains[player]] for player, place in ended.places.items()]
            print(json.dumps(seats), file=file, flush=True)
        found.append(ended)
    return found


def _read(number: int, line: str, people: int) -> Ended:
    """Read a match that was kept."""
    seats = json.loads(line)
    game, _ = GAMES_PLAYED[number % len(GAMES_PLAYED)]
    places, gains = ({player: values[which] for player, *values in seats} for which in (0, 1))
    return Ended(game, at(number, people), places, gains)


def modelled(title: str, people: int, count: int) -> Iterator[Ended]:
    """Give matches that a quick model draws: who is stronger comes first more often."""
    rng = random.Random("model")
    for number in range(count):
        seated = MEETINGS[title](rng, people)
        luck = {player: 3 * strength(player, people) - math.log(-math.log(rng.random())) for player in seated}
        order = sorted(seated, key=luck.__getitem__, reverse=True)
        gains = {player: 1.5 - order.index(player) for player in seated}
        yield Ended("", at(number, people), {player: order.index(player) + 1 for player in seated}, gains)
