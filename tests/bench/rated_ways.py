"""Rating systems to compare: ours, Elo for each pair of a match, points per match, and the mean place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Final, Protocol

from bot.domain.ids import PlayerId, TableId
from bot.domain.rating import PlayerResult, RankedMatch, Rating
from bot.ratings.calculator import RatingCalculator, win_probability
from tests.bench.rated_matches import SEATS, RatedMatch

K: Final = 32
POINTS_SCALE: Final = {
    "tien_len": 32.0,
    "big_two": 8.0,
}  # usual gain in a match of three hands, in points
SHRINKAGE: Final = 3  # weight of the center, in matches


class RatingSystem(Protocol):
    """A rating system."""

    def win_probability(self, one: int, other: int) -> float:
        """Return the probability of one player finishing before the other."""
        ...

    def add(self, match: RatedMatch) -> None:
        """Add a finished match."""
        ...

    def estimated_strength(self, player: int) -> float:
        """Return the estimated strength of a player."""
        ...


class BiggerRatings:
    """The ratings of Bigger, with their predictions."""

    def __init__(self) -> None:
        self.fold = RatingCalculator()
        self._count = 0

    def rating(self, player: int) -> Rating:
        """Return the rating of a player."""
        return self.fold.ratings.get(PlayerId(player), Rating())

    def win_probability(self, one: int, other: int) -> float:
        """Return the probability by the displayed ratings."""
        return win_probability(self.estimated_strength(one) - self.estimated_strength(other))

    def add(self, match: RatedMatch) -> None:
        """Rate a match."""
        self._count += 1
        parts = {
            PlayerId(player): PlayerResult(seat, place) for seat, (player, place) in enumerate(match.places.items())
        }
        self.fold.add(RankedMatch(TableId(self._count), match.finished, (0,) * len(parts), parts))

    def estimated_strength(self, player: int) -> float:
        """Return the displayed rating."""
        return self.rating(player).strength


class Elo:
    """Elo for each pair of players of a match."""

    def __init__(self) -> None:
        self._known: dict[int, float] = {}

    def win_probability(self, one: int, other: int) -> float:
        """Return the probability by Elo."""
        return 1 / (1 + 10 ** ((self.estimated_strength(other) - self.estimated_strength(one)) / 400))

    def add(self, match: RatedMatch) -> None:
        """Update each pair of players."""
        places, change = match.places, dict.fromkeys(match.places, 0.0)
        for one, other in combinations(places, 2):
            score = 0.5 if places[one] == places[other] else float(places[one] < places[other])
            gained = K / (len(places) - 1) * (score - self.win_probability(one, other))
            change[one] += gained
            change[other] -= gained
        for player, gained in change.items():
            self._known[player] = self.estimated_strength(player) + gained

    def estimated_strength(self, player: int) -> float:
        """Return the Elo of a player."""
        return self._known.get(player, 1500.0)


class ShrunkMean:
    """A mean that is shrunk to the center for few matches; differences are logits of probabilities."""

    def __init__(self) -> None:
        self._sums: dict[int, float] = {}
        self._counts: dict[int, int] = {}

    def win_probability(self, one: int, other: int) -> float:
        """Return the probability by the difference of means."""
        return 1 / (1 + math.exp(self.estimated_strength(other) - self.estimated_strength(one)))

    def note(self, player: int, value: float) -> None:
        """Add the value of a match for a player."""
        self._sums[player] = self._sums.get(player, 0) + value
        self._counts[player] = self._counts.get(player, 0) + 1

    def estimated_strength(self, player: int) -> float:
        """Return the difference of the mean to the center."""
        return self._sums.get(player, 0) / (self._counts.get(player, 0) + SHRINKAGE)


class MeanPlace(ShrunkMean):
    """The mean place."""

    def add(self, match: RatedMatch) -> None:
        """Add the places."""
        for player, place in match.places.items():
            self.note(player, (SEATS + 1) / 2 - place)


class Points(ShrunkMean):
    """Points per match, in units of the game's usual points."""

    def add(self, match: RatedMatch) -> None:
        """Add the points."""
        for player, gain in match.gains.items():
            self.note(player, gain / POINTS_SCALE.get(match.game, 1.0))


RATING_SYSTEMS: Final[Mapping[str, Callable[[], RatingSystem]]] = {
    "ours": BiggerRatings,
    "Elo": Elo,
    "points a match": Points,
    "mean place": MeanPlace,
}
