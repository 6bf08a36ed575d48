"""Answers to the puzzles of a week, and the streaks computed from them. Plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import Final

PUZZLES_PER_WEEK: Final = 6  # puzzles per game and week
WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """A user's first answer to a puzzle.

    week: its Monday. number: the puzzle's number in the week, from 0. choice: the index of the chosen option. solved:
    whether that option was the best.
    """

    week: date
    number: int
    choice: int
    solved: bool


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive puzzles solved, now and at best, and consecutive complete weeks.

    weeks: up to this week, or to the last while this week is incomplete.
    """

    now: int
    best: int
    weeks: int

    @classmethod
    def of(cls, answers: Sequence[PuzzleAnswer], week: date) -> Streak:
        """Return the streak from all answers of a user in a game, in order. week: the current week."""
        now = best = 0
        for answer in answers:
            now = now + 1 if answer.solved else 0
            best = max(best, now)
        return cls(now, best, _weeks(answers, week))


@dataclass(frozen=True, slots=True)
class PuzzleWeek:
    """A user's progress with the puzzles of a week. answers: by number of the puzzle, None for unanswered."""

    game: str
    week: date
    answers: tuple[PuzzleAnswer | None, ...]
    streak: Streak

    @property
    def next(self) -> int | None:
        """The number of the first unanswered puzzle; None if all are answered."""
        return next((number for number, answer in enumerate(self.answers) if answer is None), None)

    @property
    def solved(self) -> int:
        """The number of right answers."""
        return sum(answer.solved for answer in self.answers if answer)

    @property
    def ends(self) -> datetime:
        """The end of the week, when new puzzles come."""
        return datetime.combine(self.week + WEEK, time(), UTC)


def monday(day: date) -> date:
    """Return the first day of a day's week."""
    return day - timedelta(days=day.weekday())


def _weeks(answers: Iterable[PuzzleAnswer], week: date) -> int:
    weeks = [answer.week for answer in answers]
    done = {each for each in weeks if weeks.count(each) >= PUZZLES_PER_WEEK}
    last = week if week in done else week - WEEK
    return next(number for number in count() if last - WEEK * number not in done)
