"""Duplicate: the same deals for several people, each at a table of their own. Plain values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from bot.ground.alone import State
from bot.ground.ids import ChannelId, GuildId, TableId, UserId


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Deals that several people play. number: of it in the store, 0 before it is there. by: who has opened it."""

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


@dataclass(frozen=True, slots=True)
class Part:
    """Somebody's part in a duplicate."""

    number: int
    user: UserId
    table: TableId
    seat: int


@dataclass(frozen=True, slots=True)
class Played:
    """A part that was played to its end.

    points: of each hand, as the game counts them, for each seat. listed: whether others may see who it was.
    """

    part: Part
    name: str
    points: tuple[tuple[int, ...], ...]
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Compared:
    """Somebody on the sheet of a duplicate.

    gain: how far their points lie above the average of their seats and deals, told so that more is better. stand: their
    points, told in the same way.
    """

    user: UserId
    name: str
    table: TableId
    place: int
    gain: float
    stand: int


@dataclass(frozen=True, slots=True)
class DuplicateSheet:
    """What a person may read of a duplicate.

    state: of their own part; table: where it is. hands: how many it has. open: whether one may still begin. begun,
    played: how many people have. lines: the comparison, the best first; none for who has not played to the end.
    """

    number: int
    game: str
    preset: str
    hands: int
    open: bool
    state: State
    table: TableId | None
    begun: int
    played: int
    lines: tuple[Compared, ...]

    def without(self, gone: Collection[UserId]) -> DuplicateSheet:
        """Return it without these people."""
        return replace(self, lines=tuple(one for one in self.lines if one.user not in gone))
