"""The deal of the day as it is kept: who has tried it, and what came of it. Plain values."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.domain.ids import GuildId, TableId, UserId
from bot.domain.solo import State


@dataclass(frozen=True, slots=True)
class Try:
    """That somebody has tried the deal of a day.

    guild: where they began; None in a direct message. house: the version of the house players.
    """

    day: date
    user: UserId
    table: TableId
    guild: GuildId | None
    house: int


@dataclass(frozen=True, slots=True)
class Tried:
    """A try that was played to its end in time.

    points: as the game counts them. listed: whether others may see who it was.
    """

    user: UserId
    table: TableId
    guild: GuildId | None
    house: int
    name: str
    place: int
    points: int
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody on the sheet of a day. stand: their points, told so that more is better; place: among all listed."""

    user: UserId
    name: str
    table: TableId
    place: int
    stand: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a person may read of a day.

    state: of their own try; table: where it is. place, stand: how it ended, None where it did not within its day.
    marks: for each trick whether they took it. played: how many have played it to the end everywhere; better: how many
    of them were better. lines: who scored what where they look, the best first; none while the day is sealed to them.
    week: for each of seven days, up to this one, whether they played. run: how many days in a row.
    open: whether somebody may still play it. late: a day that is over, of which they may still finish the deal, and
    until when.
    """

    day: date
    game: str
    preset: str
    state: State
    today: bool
    table: TableId | None
    place: int
    stand: int | None
    marks: tuple[bool, ...]
    played: int
    better: int
    lines: tuple[Line, ...]
    week: tuple[bool, ...]
    run: int
    open: bool
    late: tuple[date, datetime] | None = None

    def without(self, gone: Collection[UserId]) -> Sheet:
        """Return it without these people."""
        return replace(self, lines=tuple(one for one in self.lines if one.user not in gone))
