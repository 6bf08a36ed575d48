"""The ratings of all on one ladder, match after match.

A match is a free-for-all by its places: each two in it have played a game. It changes a quick rating as Elo does, by
much, so that what is learned of one person soon reaches those who meet them; what is shown is its mean, in which luck
evens out (Polyak and Juditsky: such a mean is as good as reckoning all matches at once). Knows how much a match weighs:
less with house players among the seats, and less the more often the same people have met on one day. Refuses to know
why a match is rated, and how it is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from math import exp
from typing import Final

from bot.domain.ids import PlayerId
from bot.domain.rating import MOST, Ranked, Rating

ENOUGH: Final = 2  # persons, else there is nothing to compare
IN_FULL: Final = 3  # matches of two people on one day (UTC) that count in full

GAIN: Final = 250.0  # points that a match is worth to whoever beats all, be it certain that they lose
APART: Final = 500.0  # points that make e to 1 out of even chances: 100 are 55 of 100 matches
Pair = tuple[PlayerId, PlayerId]


def chance(points: float) -> float:
    """Return how probable it is to come before somebody who has so many points less."""
    return 1 / (1 + exp(-points / APART))


def damped(before: int) -> float:
    """Return how much two people's next match counts who have met so often that day: 1, 1, 1, 3/4, 3/5, 3/6 ..."""
    return min(1.0, IN_FULL / (before + 1))


def weight(match: Ranked) -> float:
    """Return how much a match weighs: the persons one plays against, of all one plays against."""
    return (len(match.parts) - 1) / (len(match.points) - 1)


@dataclass
class Fold:
    """Ratings, and who has met whom on the day of the latest match. Matches come in the order in which they ended."""

    ratings: dict[PlayerId, Rating] = field(default_factory=dict)
    day: date | None = None
    met: Counter[Pair] = field(default_factory=Counter)

    def add(self, match: Ranked) -> Mapping[PlayerId, Rating]:
        """Rate a match; return the new ratings of those who sat there, none where fewer than two persons did."""
        if len(match.parts) < ENOUGH:
            return {}
        self._begin_day(match.finished.date())
        places = match.places
        before = {player: self.ratings.get(player, Rating()).at(match.finished) for player in places}
        for player, old in before.items():
            share = weight(match) * self._fresh(player, places)
            quick = old.quick + share * GAIN * _beyond(player, before, places)
            heavy = min(old.weight + share, MOST)
            mean = old.mean + share / heavy * (quick - old.mean)
            self.ratings[player] = Rating(quick, mean, heavy, old.matches + 1, match.finished)
        self.meet(match)
        return {player: self.ratings[player] for player in places}

    def meet(self, match: Ranked) -> None:
        """Note who has met whom on the day of a match."""
        self._begin_day(match.finished.date())
        self.met.update(combinations(sorted(match.parts), 2))

    def _begin_day(self, day: date) -> None:
        if day != self.day:
            self.day = day
            self.met.clear()

    def _fresh(self, player: PlayerId, others: Iterable[PlayerId]) -> float:
        """Return how much a match counts for one who has met some of the others before on that day."""
        counts = [damped(self.met[min(player, other), max(player, other)]) for other in others if other != player]
        return sum(counts) / len(counts)


def _beyond(player: PlayerId, before: Mapping[PlayerId, Rating], places: Mapping[PlayerId, int]) -> float:
    """Return how much better somebody did than was to be expected, of 1."""
    mine = places[player], before[player].quick
    others = [(places[other], rating.quick) for other, rating in before.items() if other != player]
    done = sum(0.5 if mine[0] == place else float(mine[0] < place) for place, _ in others)
    return (done - sum(chance(mine[1] - quick) for _, quick in others)) / len(others)
