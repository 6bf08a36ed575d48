"""Ratings: the leaderboards, the rated matches, and the number shown of a rating.

The shown number is a mean over many matches with a band of uncertainty, which grows without matches. How a match
changes a rating, and the storage of ratings, live elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from math import sqrt
from typing import Any, Final, Literal, Self, TypeAlias

from bot.domain.ids import ChannelId, GuildId, PlayerId, TableId, UserId
from bot.domain.results import MatchEnding

INITIAL_RATING: Final = 1500  # the rating of a new player
INITIAL_WEIGHT: Final = 30.0  # weight of the initial rating, in matches: after as many matches, it counts half
TREND_WEIGHT: Final = (
    10.0  # weight of the current trend, in matches: as if as many more ended at the present Elo rating
)
MAX_WEIGHT: Final = 200.0  # weight of all remembered matches: beyond it, older matches fade
MATCH_UNCERTAINTY: Final = 1200.0  # uncertainty of one match in points (tests.bench.ratings)
MIN_SETTLED_MATCHES: Final = 20  # matches after which a rating is meaningful
HALF_LIFE: Final = timedelta(days=365)  # after this long without a match, past matches weigh half
UNLISTED_AFTER: Final = timedelta(days=90)  # after this long without a match, a player is not listed
RELIABILITY_TURNS: Final = 50  # the latest turns at slow tables that reliability counts
MIN_RELIABILITY_TURNS: Final = 10  # below this, no reliability is shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A player's strength in points.

    elo: the Elo rating after the match, influenced by luck and strength. mean: the mean of the Elo ratings
    over all matches, with the initial rating INITIAL_WEIGHT times; weight: the number of matches in the mean, the
    initial ones included.
    matches: the number of rated matches; last: the end of the latest.
    """

    elo: float = INITIAL_RATING
    mean: float = INITIAL_RATING
    weight: float = INITIAL_WEIGHT
    matches: int = 0
    last: datetime | None = None

    def at(self, now: datetime) -> Rating:
        """Return the rating at a time.

        Its weight falls with each whole day since the latest match.
        """
        days = max(0, (now - self.last).days) if self.last else 0
        return replace(self, weight=INITIAL_WEIGHT + (self.weight - INITIAL_WEIGHT) * 0.5 ** (days / HALF_LIFE.days))

    @property
    def strength(self) -> float:
        """The estimated strength: the mean, extrapolated as if the latest trend continued."""
        return self.mean + TREND_WEIGHT / (self.weight + TREND_WEIGHT) * (self.elo - self.mean)

    @property
    def shown(self) -> int:
        """The number shown to users: 1,500 for a new player."""
        return round(self.strength)

    @property
    def band(self) -> int:
        """The uncertainty in points, in both directions, about the player's long-term strength."""
        return round(MATCH_UNCERTAINTY / sqrt(self.weight + TREND_WEIGHT))

    @property
    def settled(self) -> bool:
        """Whether the rating is meaningful."""
        return self.matches >= MIN_SETTLED_MATCHES

    def listed(self, now: datetime) -> bool:
        """Tell whether the player is listed on leaderboards.

        A long absent player returns with the next match.
        """
        return self.last is not None and now - self.last <= UNLISTED_AFTER


ALL_GUILDS: Final = GuildId(0)
VISIBLE_CHANNELS: Final = ChannelId(0)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A leaderboard of a game: of a server, of a hidden channel, or of all servers."""

    guild: GuildId
    game: str
    channel: ChannelId = VISIBLE_CHANNELS


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A finished match from the view of a player who began in it.

    place: from 1. net: units received in total. turns: the latest turns at a slow table, oldest first, "1" for each in
    time and "0" for each late one.
    """

    seat: int
    place: int
    net: int = 0
    left: bool = False
    turns: str = ""

    @property
    def won(self) -> bool:
        """Whether the player won.

        A player who left has not won, however well the substitute or house player did.
        """
        return self.place == 1 and not self.left


@dataclass(frozen=True, slots=True)
class RankedMatch:
    """A finished match with the data that leaderboards need.

    points: of each seat, house players included. parts: of the players who began. options: differences from the preset,
    by the record. unrated: whether the match changes no rating, because a player's data was recently deleted.
    """

    table: TableId
    finished: datetime
    points: tuple[int, ...]
    parts: Mapping[PlayerId, PlayerResult]
    _: KW_ONLY
    hands: int = 1
    ended: MatchEnding = "itself"
    preset: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    unrated: bool = False

    @property
    def places(self) -> dict[PlayerId, int]:
        """The places of the players, from 1; equal players share a place."""
        return {player: part.place for player, part in self.parts.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingEntry:
    """The effect of a match on a player, as an entry in the ledger of ratings.

    gain: points above the match's average, higher is better. rating: the rating after the match; None for an unrated
    match.
    """

    player: PlayerId
    table: TableId
    finished: datetime
    hands: int
    gain: float
    part: PlayerResult
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a player's shown rating by one match.

    listed: whether other people may see the rating. settled: whether the rating is meaningful.
    """

    before: int
    after: int
    _: KW_ONLY
    settled: bool = True
    listed: bool = True


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """The totals of a player's matches."""

    matches: int
    wins: int
    hands: int
    gain: float
    units: int


@dataclass(frozen=True, slots=True)
class PlayerEntries:
    """A player's entries by game, oldest first. name: the name in the latest match."""

    player: PlayerId
    name: str
    by_game: Mapping[str, Sequence[RatingEntry]]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The matches of two players together, and how often each finished before the other."""

    matches: int
    before: int
    behind: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """How often a player recently acted in time at slow tables; independent of strength."""

    turns: int
    in_time: int

    @classmethod
    def of(cls, turns: Iterable[str]) -> Self:
        """Return the reliability from the turns of each match, latest match first."""
        latest = islice((turn for match in turns for turn in reversed(match)), RELIABILITY_TURNS)
        marks = "".join(latest)
        return cls(len(marks), marks.count("1"))

    @property
    def share(self) -> float | None:
        """The percentage of turns in time; None for too few turns."""
        return 100 * self.in_time / self.turns if self.turns >= MIN_RELIABILITY_TURNS else None


# The criteria of leaderboards: rating, rating over all servers, points per hand above the average, units, matches won,
# and the share of turns in time.
LeaderboardCriterion: TypeAlias = Literal["rating", "everywhere", "points", "units", "wins", "reliability"]
LEADERBOARD_CRITERIA: Final[tuple[LeaderboardCriterion, ...]] = (
    "rating",
    "everywhere",
    "points",
    "units",
    "wins",
    "reliability",
)


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player on a leaderboard. table: a match of the player, to look up the name."""

    player: PlayerId
    user: UserId
    table: TableId
    _: KW_ONLY
    rating: Rating | None = None
    tally: PlayerTotals | None = None
    reliability: Reliability | None = None


@dataclass(frozen=True, slots=True)
class RatingCourse:
    """A player's ratings after the latest matches, oldest first, and an earlier rating."""

    ratings: tuple[Rating, ...]
    earlier: Rating


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A line of a leaderboard. place: from 1; equal players share a place.

    name: from a match. course: ratings after the latest matches. moved: the change of the number within a week. mine:
    whether the player is the viewer.
    """

    place: int
    player: RankedPlayer
    _: KW_ONLY
    name: str = ""
    course: tuple[int, ...] = ()
    moved: int = 0
    mine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """A page of a leaderboard. own: the viewer's line, if on another page. page: from 0.

    game: empty for all games. season: its number, None for all time.
    """

    by: LeaderboardCriterion
    game: str
    rows: tuple[RankedRow, ...]
    own: RankedRow | None
    page: int
    last: int
    season: int | None = None
