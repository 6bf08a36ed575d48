"""Ratings: which ladders there are, what is rated, and the number people see of it.

Knows that what is shown is a mean over many matches, how sure it is, and how somebody becomes unsure who does not play.
Refuses to know how a match changes a rating, and where ratings are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from math import sqrt
from typing import Any, Final, Literal, Self, TypeAlias

from bot.domain.ids import ChannelId, GuildId, PlayerId, TableId, UserId
from bot.domain.results import Ended

BEGINS: Final = 1500  # what is shown of somebody who has not played
FIRST: Final = 30.0  # matches for which that speaks: so much has to be played before what was played weighs as much
LATEST: Final = 10.0  # matches for which the way somebody is going speaks: as if so many more stood where they are now
MOST: Final = 200.0  # matches that are remembered: of more, the older ones fade
LUCK: Final = 1200.0  # points by which one match leaves unsure what somebody is worth (tests.bench.ratings)
SETTLED: Final = 20  # matches from which on a rating says something
HALF: Final = timedelta(days=365)  # after so long without a match, what was played weighs half
HIDES: Final = timedelta(days=90)  # after so long without a match nobody is listed
TURNS: Final = 50  # the latest ones at slow tables, of which is told how many were taken in time
FEW_TURNS: Final = 10  # below which that says nothing


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is, in points.

    quick: what each match changes at once; it follows luck as well as strength. mean: that over all their matches, and
    FIRST more at the beginning; weight: how many matches are in it, those included. matches: from which it is; last:
    when the latest ended.
    """

    quick: float = BEGINS
    mean: float = BEGINS
    weight: float = FIRST
    matches: int = 0
    last: datetime | None = None

    def at(self, now: datetime) -> Rating:
        """Return the rating as it is at this moment: with each whole day since the last match a little less sure."""
        days = max(0, (now - self.last).days) if self.last else 0
        return replace(self, weight=FIRST + (self.weight - FIRST) * 0.5 ** (days / HALF.days))

    @property
    def strength(self) -> float:
        """What is to be thought of it: the mean, as if the latest matches went on as they ended."""
        return self.mean + LATEST / (self.weight + LATEST) * (self.quick - self.mean)

    @property
    def shown(self) -> int:
        """The one number that is shown of it: 1,500 is where everybody begins."""
        return round(self.strength)

    @property
    def band(self) -> int:
        """How many points it may lie beside what somebody is worth in the long run, either way."""
        return round(LUCK / sqrt(self.weight + LATEST))

    @property
    def settled(self) -> bool:
        """Whether it says something yet."""
        return self.matches >= SETTLED

    def listed(self, now: datetime) -> bool:
        """Tell whether it stands on boards: whoever has not played for long comes back by playing."""
        return self.last is not None and now - self.last <= HIDES


EVERYWHERE: Final = GuildId(0)
OPEN: Final = ChannelId(0)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Where people are rated in a game: on a server, in one channel of it that is hidden, or over all servers."""

    guild: GuildId
    game: str
    channel: ChannelId = OPEN


@dataclass(frozen=True, slots=True)
class Part:
    """What a finished match was to a person who began there. place: from 1. net: units they receive in all.

    turns: the latest they had at a slow table, oldest first, "1" for each in time and "0" for each at which they were
    late.
    """

    seat: int
    place: int
    net: int = 0
    left: bool = False
    turns: str = ""

    @property
    def won(self) -> bool:
        """Whether they came first; whoever left has not won, however well a house player did for them."""
        return self.place == 1 and not self.left


@dataclass(frozen=True, slots=True)
class Ranked:
    """A finished match as far as ladders are made of it.

    points: of each seat, house players too. parts: of the persons who began there. options: what differs from the
    preset, by the record. unrated: whether it changes no rating, since a person in it had been deleted of late.
    """

    table: TableId
    finished: datetime
    points: tuple[int, ...]
    parts: Mapping[PlayerId, Part]
    hands: int = 1
    ended: Ended = "itself"
    preset: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    unrated: bool = False

    @property
    def places(self) -> dict[PlayerId, int]:
        """The places of the persons, from 1; equals share one."""
        return {player: part.place for player, part in self.parts.items()}


@dataclass(frozen=True, slots=True)
class Entry:
    """What a match meant to a person: an entry in the books.

    gain: points above the average of the match, those being good of which one wants many. rating: what they have after
    it; None where it was not rated.
    """

    player: PlayerId
    table: TableId
    finished: datetime
    hands: int
    gain: float
    part: Part
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Tally:
    """What somebody's matches add up to."""

    matches: int
    wins: int
    hands: int
    gain: float
    units: int


@dataclass(frozen=True, slots=True)
class Entered:
    """What matches meant to somebody, by game, oldest first. name: as they were called in the last one."""

    player: PlayerId
    name: str
    by_game: Mapping[str, Sequence[Entry]]


@dataclass(frozen=True, slots=True)
class Met:
    """In how many matches two people sat together; how often the one came before the other, and behind."""

    matches: int
    before: int
    behind: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """How often somebody has acted in time of late, at slow tables. It has nothing to do with how well they play."""

    turns: int
    in_time: int

    @classmethod
    def of(cls, turns: Iterable[str]) -> Self:
        """Return it of their turns in each match, the latest match first."""
        latest = islice((turn for match in turns for turn in reversed(match)), TURNS)
        marks = "".join(latest)
        return cls(len(marks), marks.count("1"))

    @property
    def share(self) -> float | None:
        """How many of a hundred turns were in time; None where they are too few to say."""
        return 100 * self.in_time / self.turns if self.turns >= FEW_TURNS else None


# By what people are ranked: their rating, that over all servers, points a hand above the average, units, matches won,
# and how often they act in time.
By: TypeAlias = Literal["rating", "everywhere", "points", "units", "wins", "reliability"]
BYS: Final[tuple[By, ...]] = ("rating", "everywhere", "points", "units", "wins", "reliability")


@dataclass(frozen=True, slots=True)
class Climber:
    """Somebody on a ladder. table: of a match of theirs, by which they are named."""

    player: PlayerId
    user: UserId
    table: TableId
    rating: Rating | None = None
    tally: Tally | None = None
    reliability: Reliability | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """Somebody's ratings after their latest matches, oldest first, and what they had at a moment before."""

    ratings: tuple[Rating, ...]
    then: Rating


@dataclass(frozen=True, slots=True)
class Rung:
    """Somebody's place on a ladder, from 1; equals share one.

    name: what they were called in a match. course: their ratings after the latest matches. moved: how much the number
    has changed within a week. mine: whether it is whoever looks.
    """

    place: int
    climber: Climber
    name: str = ""
    course: tuple[int, ...] = ()
    moved: int = 0
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Standings:
    """A page of a ladder. own: of whoever looks, where they stand on another page. page: from 0.

    game: empty for all of them. season: which one, None for all time.
    """

    by: By
    game: str
    rungs: tuple[Rung, ...]
    own: Rung | None
    page: int
    last: int
    season: int | None = None
