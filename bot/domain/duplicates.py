"""Duplicate: the same deals for several people, each alone or together at several tables. Plain values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.pace import NO_CLOCK, Pace
from bot.domain.results import HandScore
from bot.domain.solo import State

HANDS: Final = 4  # of a duplicate that each plays alone, and of any where the rules do not say how many


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Deals that several people play.

    number: of it in the store, 0 before it is there. by: who has opened it. pace: of its tables. together: whether
    people play it at tables of several, and not each alone. sheet: the message in which all read how they compare;
    None before there is one.
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
class Part:
    """Somebody's part in a duplicate: the one seat at which they play its deals."""

    number: int
    user: UserId
    table: TableId
    seat: int

    @property
    def row(self) -> dict[str, int]:
        """The same as it is kept."""
        return {"duplicate_id": self.number, "user": self.user, "table_id": self.table, "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Sat:
    """Somebody who began on a seat of a table. listed: whether others may see who it was."""

    user: UserId
    name: str
    seat: int
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Played:
    """A table at which a duplicate was played to its end.

    number: as its server counts it. sat: the persons. hands: what each came to.
    """

    table: TableId
    number: int
    sat: tuple[Sat, ...]
    hands: tuple[HandScore, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """Somebody on the sheet of a duplicate.

    number: of the table, as its server counts it. seat: which in the order of turns, from 0. gain: how far their points
    lie above the average of their seat in each deal, told so that more is better. stand: their points, told in the same
    way. deals: both of each deal.
    """

    user: UserId
    name: str
    table: TableId
    number: int
    seat: int
    place: int
    gain: float
    stand: int
    deals: tuple[tuple[float, int], ...] = ()


def placed(lines: Iterable[Compared]) -> tuple[Compared, ...]:
    """Return the lines of a sheet, the best first, with their places; equals share the better one."""
    order, places = sorted(lines, key=lambda one: -one.gain), dict[float, int]()
    return tuple(replace(one, place=places.setdefault(round(one.gain, 6), place)) for place, one in enumerate(order, 1))


@dataclass(frozen=True, slots=True)
class DuplicateSheet:
    """What a person may read of a duplicate.

    state: of their own part; table: where it is. hands: how many it has. together: whether people play it at tables of
    several. open: whether one may still begin. begun, played: how many people have. lines: the comparison, the best
    first; none for who has not played to the end.
    """

    number: int
    game: str
    preset: str
    hands: int
    together: bool
    open: bool
    state: State
    table: TableId | None
    begun: int
    played: int
    lines: tuple[Compared, ...]

    def without(self, gone: Collection[UserId]) -> DuplicateSheet:
        """Return it without these people."""
        return replace(self, lines=tuple(one for one in self.lines if one.user not in gone))

    def of_deal(self, number: int) -> DuplicateSheet:
        """Return it with what came of one deal alone, from 1: of those who have played it."""
        there = [(one, *one.deals[number - 1]) for one in self.lines if 1 <= number <= len(one.deals)]
        return replace(self, lines=placed(replace(one, gain=gain, stand=stand) for one, gain, stand in there))
