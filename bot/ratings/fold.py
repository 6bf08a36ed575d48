"""The ratings of all on one ladder, match after match.

A match is a free-for-all by its places. Knows how much a match weighs: less with house players among the seats, and
less the more often the same people have met on one day. Refuses to know why a match is rated, and how it is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from typing import Final

from openskill.models import BradleyTerryFull

from bot.ground.ids import PlayerId
from bot.ground.rating import MU, SIGMA, Ranked, Rating

ENOUGH: Final = 2  # persons, else there is nothing to compare
IN_FULL: Final = 3  # matches of two people on one day (UTC) that count in full

LUCK: Final = 6  # deviations of strength that luck in a match is worth, by what has been measured (tests.bench.ratings)
MODEL: Final = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=LUCK * SIGMA)
Pair = tuple[PlayerId, PlayerId]


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
        rated = MODEL.rate(
            [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before.values()], ranks=[*places.values()]
        )
        for (player, old), [new] in zip(before.items(), rated, strict=True):
            share = weight(match) * self._fresh(player, places)
            self.ratings[player] = Rating(
                old.mu + share * (new.mu - old.mu),
                (old.sigma**2 + share * (new.sigma**2 - old.sigma**2)) ** 0.5,
                old.matches + 1,
                match.finished,
            )
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
