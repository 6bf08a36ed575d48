"""Duplicate: the same deals for several players, at solo tables or together at several tables. Plain values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.pace import NO_CLOCK, Pace
from bot.domain.results import HandScore
from bot.domain.solo import TryState

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
    """A user who began on a seat of a table. listed: whether the user agreed to appear on sheets."""

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
    """A line of a duplicate's sheet.

    number: the table's number on its server. seat: in the order of turns, from 0. gain: points above the average of the
    seat over all deals, higher is better. stand: points with the same sign. deals: gain and stand of each deal.
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


def rank_lines(lines: Iterable[DuplicateLine]) -> tuple[DuplicateLine, ...]:
    """Return the lines of a sheet, best first, with their places; equal lines share the better place."""
    order, places = sorted(lines, key=lambda one: -one.gain), dict[float, int]()
    return tuple(replace(one, place=places.setdefault(round(one.gain, 6), place)) for place, one in enumerate(order, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateSheet:
    """The sheet of a duplicate for one viewer.

    state: of the viewer's part; table: its table. hands: the number of hands. together: whether players share tables.
    open: whether new players may still begin. begun, played: numbers of players. lines: the comparison, best first;
    empty for a viewer who has not finished.
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

    def without(self, gone: Collection[UserId]) -> DuplicateSheet:
        """Return the sheet without these users."""
        return replace(self, lines=tuple(one for one in self.lines if one.user not in gone))

    def of_deal(self, number: int) -> DuplicateSheet:
        """Return the sheet for one deal, numbered from 1, with the players who have played that deal."""
        there = [(one, *one.deals[number - 1]) for one in self.lines if 1 <= number <= len(one.deals)]
        return replace(self, lines=rank_lines(replace(one, gain=gain, stand=stand) for one, gain, stand in there))
