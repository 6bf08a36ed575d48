"""Contests over the same deals: the deal of the day, duplicate, puzzles, solo tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import Any, Final, Literal, TypeAlias, get_args

from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.pace import NO_CLOCK, Pace
from bot.domain.results import HandScore

SoloKind: TypeAlias = Literal["", "day", "deals", "practice", "lesson"]  # "" for shared tables
PracticeKind: TypeAlias = Literal["practice", "lesson"]
PRACTICE_KINDS: Final[tuple[PracticeKind, ...]] = get_args(PracticeKind)  # solo tables where plays can be taken back
TryState: TypeAlias = Literal["new", "begun", "over", "left"]  # of a deal that each user may play once


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyDealTry:
    """A user's try of the deal of a day.

    guild: the server of the click; None in a direct message. house: the version of the house players.
    """

    day: date
    user: UserId
    table: TableId
    guild: GuildId | None
    house: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedTry:
    """A try finished in time.

    points: as the game counts them. listed: whether the user agreed to appear on scoresheets.
    """

    user: UserId
    table: TableId
    guild: GuildId | None
    house: int
    name: str
    place: int
    points: int
    listed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyDealLine:
    """A line of a day's scoresheet.

    score: points with the sign of a ranking, higher is better; place: among all listed.
    """

    user: UserId
    name: str
    table: TableId
    place: int
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyDealScoresheet:
    """The scoresheet of a day for one viewer.

    state: of the viewer's try; table: its table. place, score: its result, None if not finished within the day. marks:
    for each trick, whether the viewer took the trick. played: the number of finished tries everywhere; better: the
    number of better ones. lines: results on this server, best first; empty while the day is sealed to the viewer. week:
    for each of seven days up to this one, whether the viewer played. run: the number of consecutive days. open: whether
    the deal may still be played. late: a past day whose deal the viewer may still finish, and the last moment. low:
    whether the lowest score wins.
    """

    day: date
    game: str
    preset: str
    state: TryState
    today: bool
    table: TableId | None
    place: int
    score: int | None
    marks: tuple[bool, ...]
    played: int
    better: int
    lines: tuple[DailyDealLine, ...]
    week: tuple[bool, ...]
    run: int
    open: bool
    late: tuple[date, datetime] | None = None
    low: bool = False

    def without(self, gone: Collection[UserId]) -> DailyDealScoresheet:
        """Return the scoresheet without these users."""
        return replace(self, lines=tuple(one for one in self.lines if one.user not in gone))


DUPLICATE_HANDS: Final = 4  # hands of a duplicate at solo tables, and of any duplicate whose rules name no number


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Deals for several players to compare.

    number: the id in the store, 0 before saving. by: the user who opened the duplicate. pace: of its tables. together:
    whether players share tables instead of each playing alone. sheet: the message with the public comparison; None
    before the first.
    """

    number: int
    guild: GuildId
    channel: ChannelId
    by: UserId
    game: str
    preset: str
    options: Mapping[str, Any]
    seats: int
    seed: str = field(repr=False)
    opened: datetime
    pace: Pace = NO_CLOCK
    together: bool = False
    sheet: MessageId | None = None


@dataclass(frozen=True, slots=True)
class DuplicateSeat:
    """A user's part in a duplicate: the seat on which the user plays its deals."""

    number: int
    user: UserId
    table: TableId
    seat: int

    @property
    def row(self) -> dict[str, int]:
        """The values of the database row."""
        return {"duplicate_id": self.number, "user": self.user, "table_id": self.table, "seat": self.seat}


@dataclass(frozen=True, slots=True)
class DuplicatePlayer:
    """A user who began on a seat of a table.

    listed: whether the user agreed to appear on scoresheets.
    """

    user: UserId
    name: str
    seat: int
    listed: bool = True


@dataclass(frozen=True, slots=True)
class DuplicateTable:
    """A table with a finished match of a duplicate.

    number: the table's number on its server. sat: the players. hands: the result of each hand.
    """

    table: TableId
    number: int
    sat: tuple[DuplicatePlayer, ...]
    hands: tuple[HandScore, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateLine:
    """A line of a duplicate's scoresheet.

    number: the table's number on its server. seat: in the order of turns, from 0. gain: points above the average of the
    seat over all deals, higher is better. score: points with the same sign. deals: gain and score of each deal.
    """

    user: UserId
    name: str
    table: TableId
    number: int
    seat: int
    place: int
    gain: float
    score: int
    deals: tuple[tuple[float, int], ...] = ()


def rank_lines(lines: Iterable[DuplicateLine]) -> tuple[DuplicateLine, ...]:
    """Return the lines of a scoresheet, best first, with their places.

    Equal lines share the better place.
    """
    order, places = sorted(lines, key=lambda one: -one.gain), dict[float, int]()
    return tuple(replace(one, place=places.setdefault(round(one.gain, 6), place)) for place, one in enumerate(order, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateScoresheet:
    """The scoresheet of a duplicate for one viewer.

    state: of the viewer's part; table: its table. hands: the number of hands. together: whether players share tables.
    open: whether new players may still begin. begun, played: numbers of players. lines: the comparison, best first;
    empty for a viewer who has not finished. low: whether the lowest score wins.
    """

    number: int
    game: str
    preset: str
    hands: int
    together: bool
    open: bool
    state: TryState
    table: TableId | None
    begun: int
    played: int
    lines: tuple[DuplicateLine, ...]
    low: bool = False

    def without(self, gone: Collection[UserId]) -> DuplicateScoresheet:
        """Return the scoresheet without these users."""
        return replace(self, lines=tuple(one for one in self.lines if one.user not in gone))

    def of_deal(self, number: int) -> DuplicateScoresheet:
        """Return the scoresheet for one deal, numbered from 1, with the players of that deal."""
        there = [(one, *one.deals[number - 1]) for one in self.lines if 1 <= number <= len(one.deals)]
        return replace(self, lines=rank_lines(replace(one, gain=gain, score=score) for one, gain, score in there))


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
        """Return the streak from all answers of a user in a game, in order.

        week: the current week.
        """
        now = best = 0
        for answer in answers:
            now = now + 1 if answer.solved else 0
            best = max(best, now)
        return cls(now, best, _weeks(answers, week))


@dataclass(frozen=True, slots=True)
class PuzzleWeek:
    """A user's progress with the puzzles of a week.

    answers: by number of the puzzle, None for unanswered.
    """

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
