"""The deal of the day as stored: tries and their results. Plain values."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.domain.ids import GuildId, TableId, UserId
from bot.domain.solo import TryState


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

    points: as the game counts them. listed: whether the user agreed to appear on sheets.
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
    """A line of a day's sheet. stand: points with the sign of a ranking, higher is better; place: among all listed."""

    user: UserId
    name: str
    table: TableId
    place: int
    stand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyDealSheet:
    """The sheet of a day for one viewer.

    state: of the viewer's try; table: its table. place, stand: its result, None if not finished within the day. marks:
    for each trick, whether the viewer took the trick. played: the number of finished tries everywhere; better: the
    number of better ones. lines: results on this server, best first; empty while the day is sealed to the viewer. week:
    for each of seven days up to this one, whether the viewer played. run: the number of consecutive days. open: whether
    the deal may still be played. late: a past day whose deal the viewer may still finish, and the last moment.
    """

    day: date
    game: str
    preset: str
    state: TryState
    today: bool
    table: TableId | None
    place: int
    stand: int | None
    marks: tuple[bool, ...]
    played: int
    better: int
    lines: tuple[DailyDealLine, ...]
    week: tuple[bool, ...]
    run: int
    open: bool
    late: tuple[date, datetime] | None = None

    def without(self, gone: Collection[UserId]) -> DailyDealSheet:
        """Return the sheet without these users."""
        return replace(self, lines=tuple(one for one in self.lines if one.user not in gone))
