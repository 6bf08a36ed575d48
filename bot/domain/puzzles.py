"""The puzzles of a week as they are answered, and what follows of that: plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import Final

EACH: Final = 6  # puzzles of a game in a week
WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody answered first to a puzzle.

    week: its Monday. number: which of the week, from 0. choice: the place of what was chosen. solved: whether that was
    the best.
    """

    week: date
    number: int
    choice: int
    solved: bool


@dataclass(frozen=True, slots=True)
class Streak:
    """How many puzzles somebody has solved in a row, now and at most, and how many weeks they did all of.

    weeks: in a row, up to this one, or to the last where this one is not done yet.
    """

    now: int
    best: int
    weeks: int

    @classmethod
    def of(cls, answers: Sequence[Answer], week: date) -> Streak:
        """Return what follows from all answers of a person in a game, in their order. week: which it is now."""
        now = best = 0
        for answer in answers:
            now = now + 1 if answer.solved else 0
            best = max(best, now)
        return cls(now, best, _weeks(answers, week))


@dataclass(frozen=True, slots=True)
class Sheet:
    """How far somebody is with the puzzles of a week. answers: by the number of the puzzle, None for none."""

    game: str
    week: date
    answers: tuple[Answer | None, ...]
    streak: Streak

    @property
    def next(self) -> int | None:
        """The number of the first puzzle without an answer; None where all have one."""
        return next((number for number, answer in enumerate(self.answers) if answer is None), None)

    @property
    def solved(self) -> int:
        """How many of the answers are right."""
        return sum(answer.solved for answer in self.answers if answer)

    @property
    def ends(self) -> datetime:
        """When there are new ones."""
        return datetime.combine(self.week + WEEK, time(), UTC)


def monday(day: date) -> date:
    """Return the day on which the week of a day began."""
    return day - timedelta(days=day.weekday())


def _weeks(answers: Iterable[Answer], week: date) -> int:
    weeks = [answer.week for answer in answers]
    done = {each for each in weeks if weeks.count(each) >= EACH}
    last = week if week in done else week - WEEK
    return next(number for number in count() if last - WEEK * number not in done)
