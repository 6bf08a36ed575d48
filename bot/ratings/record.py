"""What somebody's matches say of them: streaks, firsts, points a hand, moves in time.

Pure; refuses to know where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from bot.domain.rating import Entry, Rating, Reliability, Tally


@dataclass(frozen=True, slots=True)
class Record:
    """What matches of one game come to.

    streak: how many were won in a row, up to the last one; longest: the most there ever were. ratings: after each
    match that was rated, oldest first.
    """

    tally: Tally
    streak: int
    longest: int
    ratings: tuple[Rating, ...]

    @property
    def best(self) -> Rating | None:
        """The highest rating there ever was."""
        return max(self.ratings, key=lambda rating: rating.shown, default=None)


def record(entries: Sequence[Entry]) -> Record:
    """Return what these matches come to. entries: oldest first."""
    rows = runs(entry.part.won for entry in entries)
    tally = Tally(
        len(entries),
        sum(entry.part.won for entry in entries),
        sum(entry.hands for entry in entries),
        sum(entry.gain for entry in entries),
        sum(entry.part.net for entry in entries),
    )
    return Record(
        tally,
        rows[-1] if entries and entries[-1].part.won else 0,
        max(rows, default=0),
        tuple(entry.rating for entry in entries if entry.rating is not None),
    )


def runs(won: Iterable[bool]) -> list[int]:
    """Return how long each row of wins was."""
    return [sum(1 for _ in row) for kind, row in groupby(won) if kind]


def reliability(by_game: Mapping[str, Sequence[Entry]]) -> Reliability:
    """Return how often somebody has acted in time of late, in all games together."""
    latest_first = sorted(
        chain.from_iterable(by_game.values()), key=lambda entry: (entry.finished, entry.table), reverse=True
    )
    return Reliability.of(entry.part.turns for entry in latest_first)
