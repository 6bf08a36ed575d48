"""Months and seasons of a server, their results, and their remarkable moments. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import MINYEAR, UTC, datetime, timedelta, tzinfo
from itertools import zip_longest
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from bot.domain.ids import UserId
from bot.domain.rating import RankedPlayer

MONTH_FORM = re.compile(r"([1-9]\d{3})-(0[1-9]|1[0-2])")


class Month(NamedTuple):
    """A month. number: from 1."""

    year: int
    number: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the month from the text form made by ``str``. Raises ValueError."""
        found = MONTH_FORM.fullmatch(text.strip())
        if found is None:
            raise ValueError(text)
        return cls(int(found[1]), int(found[2]))

    @classmethod
    def of(cls, moment: datetime, zone: tzinfo = UTC) -> Self:
        """Return the month of a moment."""
        local = moment.astimezone(zone)
        return cls(local.year, local.month)

    def __str__(self) -> str:
        return f"{self.year:04}-{self.number:02}"

    def later(self, months: int) -> Month:
        """Return the month a number of months later; a negative number for earlier."""
        year, number = divmod(self.year * 12 + self.number - 1 + months, 12)
        return Month(year, number + 1)

    def span(self, zone: tzinfo = UTC) -> tuple[datetime, datetime]:
        """Return the beginnings of this month and the next."""
        begins, ends = (datetime(*month, 1, tzinfo=zone).astimezone(UTC) for month in (self, self.later(1)))
        return begins, ends

    def back_to(self, first: Month) -> Iterator[Month]:
        """Yield the months from this one back to another."""
        month = self
        while month >= first and month.year > MINYEAR:
            yield month
            month = month.later(-1)


SeasonKind: TypeAlias = Literal["none", "monthly", "quarterly", "hand"]
SEASON_KINDS: Final[tuple[SeasonKind, ...]] = ("none", "monthly", "quarterly", "hand")
SEASON_MONTHS: Final = {"monthly": 1, "quarterly": 3}


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a server.

    number: from 1; older databases have a 0 for the beginning of the first season. ends: None if open.
    """

    number: int
    begins: datetime
    ends: datetime | None


@dataclass(frozen=True, slots=True)
class Finalist:
    """A player's result of a season, stored for ever.

    streak: the most consecutive wins. bombs: the number of bombs played. behind: the largest deficit in points at half
    time of a match that the player won in the end; 0 for none.
    """

    game: str
    place: int
    player: RankedPlayer
    _: KW_ONLY
    streak: int = 0
    bombs: int = 0
    behind: int = 0


@dataclass(frozen=True, slots=True)
class SeasonHighlight:
    """A record of a season. who: one player, or two with an equal record; number: its size."""

    kind: Literal["streak", "often", "bombs", "comeback"]
    who: tuple[UserId, ...]
    number: int


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """The result of a season for its announcement.

    names: of all players in it. late: the delay of the announcement, None for in time. continued: whether a new season
    runs.
    """

    season: Season
    finalists: Sequence[Finalist]
    names: Mapping[UserId, str]
    moments: Sequence[SeasonHighlight]
    _: KW_ONLY
    late: timedelta | None = None
    continued: bool = True


@dataclass(frozen=True, slots=True)
class Calendar:
    """A server's choice of seasons.

    since: the time of the choice. zone: the time zone of its months.
    """

    since: datetime
    kind: SeasonKind
    zone: tzinfo = UTC

    def period(self, at: datetime) -> int | None:
        """Return the number of a moment's month or quarter; None for other seasons."""
        if self.kind not in SEASON_MONTHS:
            return None
        local = at.astimezone(self.zone)
        return (local.year * 12 + local.month - 1) // SEASON_MONTHS[self.kind]

    def end_of(self, period: int | None) -> datetime | None:
        """Return the end of a month or quarter."""
        if period is None:
            return None
        month = (period + 1) * SEASON_MONTHS[self.kind]
        return datetime(month // 12, month % 12 + 1, 1, tzinfo=self.zone).astimezone(UTC)


def seasons_since(
    last: Season | None, calendars: Sequence[Calendar], now: datetime
) -> tuple[list[Season], Season | None]:
    """Return the seasons that ended after the last one, and the running one or None.

    A season ends with its month or quarter, and with a choice of another length or none. calendars: oldest first.
    """
    number, start = (last.number + 1, last.ends or last.begins) if last else (1, datetime.min.replace(tzinfo=UTC))
    ends, begins, period, ending = list[tuple[datetime, datetime]](), None, None, None
    kind: SeasonKind = "none"
    for calendar, since, until in _stretches(calendars, start, now):
        if calendar.kind != kind:
            ends += [(begins, since)] if begins and begins < since else []
            kind, begins, period = calendar.kind, None if calendar.kind == "none" else since, calendar.period(since)
        while begins and (ending := calendar.end_of(period)) and (at := max(ending, since)) <= until:
            ends += [(begins, at)] if begins < at else []
            begins, period = at, calendar.period(at)
    ended = [Season(each, *span) for each, span in enumerate(ends, number)]
    return ended, Season(number + len(ended), begins, ending) if begins else None


def _stretches(
    calendars: Sequence[Calendar], start: datetime, now: datetime
) -> Iterator[tuple[Calendar, datetime, datetime]]:
    """Yield each calendar with the beginning and end of its validity within these moments."""
    known = [calendar for calendar in calendars if calendar.since <= now]
    for calendar, following in zip_longest(known, known[1:]):
        if following is None or following.since > start:
            yield calendar, max(calendar.since, start), following.since if following else now


LONG_ROW, OFTEN, MANY_BOMBS, FAR_BEHIND = 3, 5, 3, 1  # minimum values for a mention
MAX_SHARING_PLAYERS: Final = 2  # the maximum number of players sharing a moment


def moments(last: Sequence[Finalist]) -> tuple[SeasonHighlight, ...]:
    """Return the moments of a season; bombs count over all games."""
    streaks, behind, often, bombs = Counter[UserId](), Counter[UserId](), Counter[UserId](), Counter[UserId]()
    for one in last:
        user, tally = one.player.user, one.player.tally
        streaks[user] = max(streaks[user], one.streak)
        behind[user] = max(behind[user], one.behind)
        often[user] = max(often[user], tally.matches if tally else 0)
        bombs[user] += one.bombs
    found = (
        SeasonHighlight("streak", *_first(streaks, LONG_ROW)),
        SeasonHighlight("bombs", *_first(bombs, MANY_BOMBS)),
        SeasonHighlight("comeback", *_first(behind, FAR_BEHIND)),
        SeasonHighlight("often", *_first(often, OFTEN)),
    )
    return tuple(moment for moment in found if moment.who)


def _first(found: Mapping[UserId, int], least: int) -> tuple[tuple[UserId, ...], int]:
    """Return the players with the highest number, and the number.

    No players if the number is below ``least`` or shared by too many.
    """
    most = max(found.values(), default=0)
    first = tuple(sorted(user for user, number in found.items() if number == most))
    return (first if most >= least and len(first) <= MAX_SHARING_PLAYERS else ()), most
