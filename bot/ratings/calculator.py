"""The ratings on one leaderboard, updated match by match.

A match is a free-for-all by places: each pair of players in it has played a game. A match changes the Elo rating
in large steps, so that news about one player soon reaches the opponents; the displayed rating is the mean of the
Elo rating, in which luck averages out (Polyak and Juditsky: the mean is as good as a joint estimate from all
matches). A match with house players weighs less, and a match between players who have already met several times that
day weighs less too. Independent of the eligibility of a match and the storage of ratings.
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
from bot.domain.rating import MAX_WEIGHT, RankedMatch, Rating

MIN_PERSONS: Final = 2  # persons: the minimum for a comparison
MAX_FULL_WEIGHT_MEETINGS: Final = 3  # matches of the same two people on one day (UTC) that count in full

MAX_GAIN: Final = 250.0  # points for beating every opponent against all odds
ODDS_SCALE: Final = 500.0  # difference in points for odds of e to 1; a difference of 100 means 55 wins in 100 matches
PlayerPair = tuple[PlayerId, PlayerId]


def win_probability(points: float) -> float:
    """Return the probability of a better place than an opponent rated this many points lower."""
    return 1 / (1 + exp(-points / ODDS_SCALE))


def meeting_weight(before: int) -> float:
    """Return the weight of two people's next match after ``before`` matches that day.

    1, 1, 1, 3/4, 3/5, 3/6 ...
    """
    return min(1.0, MAX_FULL_WEIGHT_MEETINGS / (before + 1))


def weight(match: RankedMatch) -> float:
    """Return the weight of a match: the share of persons among a player's opponents."""
    return (len(match.parts) - 1) / (len(match.points) - 1)


@dataclass
class RatingCalculator:
    """Ratings, and the meetings on the day of the latest match.

    Add matches in order of their ends.
    """

    ratings: dict[PlayerId, Rating] = field(default_factory=dict)
    day: date | None = None
    met: Counter[PlayerPair] = field(default_factory=Counter)

    def add(self, match: RankedMatch) -> Mapping[PlayerId, Rating]:
        """Rate a match and return the new ratings of its players.

        Empty with fewer than two persons.
        """
        if len(match.parts) < MIN_PERSONS:
            return {}
        self._begin_day(match.finished.date())
        places = match.places
        before = {player: self.ratings.get(player, Rating()).at(match.finished) for player in places}
        for player, old in before.items():
            share = weight(match) * self._fresh(player, places)
            elo = old.elo + share * MAX_GAIN * _beyond(player, before, places)
            heavy = min(old.weight + share, MAX_WEIGHT)
            mean = old.mean + share / heavy * (elo - old.mean)
            self.ratings[player] = Rating(
                elo=elo, mean=mean, weight=heavy, matches=old.matches + 1, last=match.finished
            )
        self.meet(match)
        return {player: self.ratings[player] for player in places}

    def meet(self, match: RankedMatch) -> None:
        """Count the meetings of a match for its day."""
        self._begin_day(match.finished.date())
        self.met.update(combinations(sorted(match.parts), 2))

    def _begin_day(self, day: date) -> None:
        if day != self.day:
            self.day = day
            self.met.clear()

    def _fresh(self, player: PlayerId, others: Iterable[PlayerId]) -> float:
        """Return the weight of a match for a player, by earlier meetings that day."""
        counts = [
            meeting_weight(self.met[min(player, other), max(player, other)]) for other in others if other != player
        ]
        return sum(counts) / len(counts)


def _beyond(player: PlayerId, before: Mapping[PlayerId, Rating], places: Mapping[PlayerId, int]) -> float:
    """Return the player's result minus the expected result, averaged over the opponents."""
    mine = places[player], before[player].elo
    others = [(places[other], rating.elo) for other, rating in before.items() if other != player]
    done = sum(0.5 if mine[0] == place else float(mine[0] < place) for place, _ in others)
    return (done - sum(win_probability(mine[1] - elo) for _, elo in others)) / len(others)
