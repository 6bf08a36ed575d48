"""Ways of rating people: ours, Elo between each two of a match, points a match, and the mean place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Final, Protocol

from bot.domain.ids import PlayerId, TableId
from bot.domain.rating import PlayerResult, RankedMatch, Rating
from bot.ratings.calculator import RatingCalculator, win_probability
from tests.bench.rated_matches import SEATS, Ended

K: Final = 32
USUAL: Final = {"tien_len": 32.0, "big_two": 8.0}  # points by which a match of three hands is usually won or lost
DRAWN: Final = 3  # matches for which the middle speaks in a mean


class Way(Protocol):
    """A way of rating."""

    def before(self, one: int, other: int) -> float:
        """Return the probability of one player's place before the other's."""
        ...

    def add(self, match: Ended) -> None:
        """Learn how a match ended."""
        ...

    def worth(self, player: int) -> float:
        """Return the estimated strength of a player."""
        ...


class Ours:
    """As Bigger rates, and as it foretells."""

    def __init__(self) -> None:
        self.fold = RatingCalculator()
        self._count = 0

    def rating(self, player: int) -> Rating:
        """Return a player's rating."""
        return self.fold.ratings.get(PlayerId(player), Rating())

    def before(self, one: int, other: int) -> float:
        """Return the chance by the numbers that are shown."""
        return win_probability(self.worth(one) - self.worth(other))

    def add(self, match: Ended) -> None:
        """Rate a match."""
        self._count += 1
        parts = {
            PlayerId(player): PlayerResult(seat, place) for seat, (player, place) in enumerate(match.places.items())
        }
        self.fold.add(RankedMatch(TableId(self._count), match.finished, (0,) * len(parts), parts))

    def worth(self, player: int) -> float:
        """Return the number that is shown."""
        return self.rating(player).strength


class Elo:
    """Elo between each two of a match."""

    def __init__(self) -> None:
        self._known: dict[int, float] = {}

    def before(self, one: int, other: int) -> float:
        """Return Elo's chance."""
        return 1 / (1 + 10 ** ((self.worth(other) - self.worth(one)) / 400))

    def add(self, match: Ended) -> None:
        """Let each two have played a game."""
        places, change = match.places, dict.fromkeys(match.places, 0.0)
        for one, other in combinations(places, 2):
            score = 0.5 if places[one] == places[other] else float(places[one] < places[other])
            gained = K / (len(places) - 1) * (score - self.before(one, other))
            change[one] += gained
            change[other] -= gained
        for player, gained in change.items():
            self._known[player] = self.worth(player) + gained

    def worth(self, player: int) -> float:
        """Return a player's Elo."""
        return self._known.get(player, 1500.0)


class Mean:
    """The mean of something, drawn to the middle for who has played little; its differences are logits of a chance."""

    def __init__(self) -> None:
        self._sums: dict[int, float] = {}
        self._counts: dict[int, int] = {}

    def before(self, one: int, other: int) -> float:
        """Return a chance out of the difference of means."""
        return 1 / (1 + math.exp(self.worth(other) - self.worth(one)))

    def note(self, player: int, value: float) -> None:
        """Add what a match was to a player."""
        self._sums[player] = self._sums.get(player, 0) + value
        self._counts[player] = self._counts.get(player, 0) + 1

    def worth(self, player: int) -> float:
        """Return how far the mean lies above the middle."""
        return self._sums.get(player, 0) / (self._counts.get(player, 0) + DRAWN)


class MeanPlace(Mean):
    """The mean of places."""

    def add(self, match: Ended) -> None:
        """Note the places."""
        for player, place in match.places.items():
            self.note(player, (SEATS + 1) / 2 - place)


class Points(Mean):
    """Points a match, in so many as are usual in the game."""

    def add(self, match: Ended) -> None:
        """Note the points."""
        for player, gain in match.gains.items():
            self.note(player, gain / USUAL.get(match.game, 1.0))


WAYS: Final[Mapping[str, Callable[[], Way]]] = {
    "ours": Ours,
    "Elo": Elo,
    "points a match": Points,
    "mean place": MeanPlace,
}
