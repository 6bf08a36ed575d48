"""The record of a player: streaks, wins, points, ratings, and career achievements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain, groupby
from typing import Final

from bot.domain.rating import PlayerTotals, Rating, RatingEntry, Reliability


@dataclass(frozen=True, slots=True)
class PlayerSummary:
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


def summarize(entries: Sequence[RatingEntry]) -> PlayerSummary:
    """Return the summary of these matches. entries: oldest first."""
    rows = winning_streaks(entry.part.won for entry in entries)
    tally = PlayerTotals(
        len(entries),
        sum(entry.part.won for entry in entries),
        sum(entry.hands for entry in entries),
        sum(entry.gain for entry in entries),
        sum(entry.part.net for entry in entries),
    )
    return PlayerSummary(
        tally,
        rows[-1] if entries and entries[-1].part.won else 0,
        max(rows, default=0),
        tuple(entry.rating for entry in entries if entry.rating is not None),
    )


def winning_streaks(won: Iterable[bool]) -> list[int]:
    """Return the length of each winning streak."""
    return [sum(1 for _ in row) for kind, row in groupby(won) if kind]


def reliability(by_game: Mapping[str, Sequence[RatingEntry]]) -> Reliability:
    """Return the share of recent turns taken in time, over all games."""
    latest_first = sorted(
        chain.from_iterable(by_game.values()), key=lambda entry: (entry.finished, entry.table), reverse=True
    )
    return Reliability.of(entry.part.turns for entry in latest_first)


MIN_DAYS_IN_A_ROW: Final = 7  # consecutive
CAREER_MINIMUMS: Final[Mapping[str, tuple[str, int]]] = {  # the counted figure and its minimum
    "wins_1": ("wins", 1),
    "wins_10": ("wins", 10),
    "wins_50": ("wins", 50),
    "wins_100": ("wins", 100),
    "row_3": ("row", 3),
    "row_5": ("row", 5),
    "hands_100": ("hands", 100),
    "hands_1000": ("hands", 1000),
    "all_games": ("all games", 1),
    "week": ("days", MIN_DAYS_IN_A_ROW),
    "rating_1700": ("rating", 1700),
    "rating_2000": ("rating", 2000),
}


def career_achievements(by_game: Mapping[str, Sequence[RatingEntry]], games: Collection[str]) -> dict[str, int]:
    """Return the achievements of a player, each once.

    by_game: the entries of the player, oldest first. games: all games of the bot.
    """
    every = sorted(chain.from_iterable(by_game.values()), key=lambda entry: (entry.finished, entry.table))
    best = (summarize(entries).best for entries in by_game.values())
    counted = {
        "wins": sum(entry.part.won for entry in every),
        "row": max(winning_streaks(entry.part.won for entry in every), default=0),
        "hands": sum(entry.hands for entry in every),
        "all games": by_game.keys() >= set(games),
        "days": days_in_a_row(entry.finished.date() for entry in every),
        "rating": max((rating.shown for rating in best if rating), default=0),
    }
    return {code: 1 for code, (what, least) in CAREER_MINIMUMS.items() if counted[what] >= least}


def days_in_a_row(days: Iterable[date]) -> int:
    """Return the largest number of consecutive days."""
    longest, length, before = 0, 0, None
    for day in sorted(set(days)):
        length = length + 1 if before is not None and day - before == timedelta(days=1) else 1
        longest, before = max(longest, length), day
    return longest
