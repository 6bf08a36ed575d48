"""The record of a player: streaks, wins, points, ratings, punctuality.

Pure functions; independent of storage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from bot.domain.rating import PlayerTotals, Rating, RatingEntry, Reliability


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A summary of matches in one game.

    streak: the current winning streak; longest: the longest one ever. ratings: after each rated match, oldest first.
    """

    tally: PlayerTotals
    streak: int
    longest: int
    ratings: tuple[Rating, ...]

    @property
    def best(self) -> Rating | None:
        """The highest rating ever."""
        return max(self.ratings, key=lambda rating: rating.shown, default=None)


def record(entries: Sequence[RatingEntry]) -> PlayerRecord:
    """Return the summary of these matches. entries: oldest first."""
    rows = runs(entry.part.won for entry in entries)
    tally = PlayerTotals(
        len(entries),
        sum(entry.part.won for entry in entries),
        sum(entry.hands for entry in entries),
        sum(entry.gain for entry in entries),
        sum(entry.part.net for entry in entries),
    )
    return PlayerRecord(
        tally,
        rows[-1] if entries and entries[-1].part.won else 0,
        max(rows, default=0),
        tuple(entry.rating for entry in entries if entry.rating is not None),
    )


def runs(won: Iterable[bool]) -> list[int]:
    """Return the length of each winning streak."""
    return [sum(1 for _ in row) for kind, row in groupby(won) if kind]


def reliability(by_game: Mapping[str, Sequence[RatingEntry]]) -> Reliability:
    """Return the share of recent turns taken in time, over all games."""
    latest_first = sorted(
        chain.from_iterable(by_game.values()), key=lambda entry: (entry.finished, entry.table), reverse=True
    )
    return Reliability.of(entry.part.turns for entry in latest_first)
