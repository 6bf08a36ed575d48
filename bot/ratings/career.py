"""Career achievements of a player: wins, winning streaks, hands, games, days, ratings.

Pure functions of the entries; independent of events within a match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import chain
from typing import Final

from bot.domain.rating import RatingEntry
from bot.ratings.record import record, runs

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


def career(by_game: Mapping[str, Sequence[RatingEntry]], games: Collection[str]) -> dict[str, int]:
    """Return the achievements of a player, each once.

    by_game: the entries of the player, oldest first. games: all games of the bot.
    """
    every = sorted(chain.from_iterable(by_game.values()), key=lambda entry: (entry.finished, entry.table))
    best = (record(entries).best for entries in by_game.values())
    counted = {
        "wins": sum(entry.part.won for entry in every),
        "row": max(runs(entry.part.won for entry in every), default=0),
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
