"""Finished matches: who sat there, how they ended, who stood where, hand by hand, and how they are listed.

What ratings, statistics and ledgers are made of. Refuses to know what the points mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from bot.domain.chairs import Away
from bot.domain.ids import ChannelId, TableId, UserId
from bot.domain.level import Level
from bot.domain.places import NOWHERE, Place

# How a match ended: as its rules say, all agreed to that, nobody said anything against it for a day, a moderator ended
# it, or, in the past, one player alone did.
Ended: TypeAlias = Literal["itself", "agreed", "silence", "moderator", "stopped"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat ended a match.

    house: played by a house player at the end, or all the time. left: the person who began there did not stay. level:
    how well a house player played whose own seat it was.
    """

    seat: int
    user: UserId | None
    name: str
    house: bool
    place: int
    points: int
    net: int
    left: bool = False
    level: Level = Level.PLAIN


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished match, kept for ever and never changed. counts: whether leaderboards know it. place: where it was."""

    hands: int
    finished: datetime
    standings: tuple[Standing, ...]
    counts: bool = True
    ended: Ended = "itself"
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who acts for a seat from one ply on, until the next sitting of that seat or the end of the match.

    ply: of the first action that may be theirs; below 0 for a person who gave the seat back without one. user: the
    person who acts, None for a house player and for a person whose data was deleted. away: why a house player acts for
    the person whose seat it is, as far as that is known.
    """

    seat: int
    ply: int
    user: UserId | None
    house: bool
    away: Away = ""


@dataclass(frozen=True, slots=True)
class HandScore:
    """What one hand of a match came to: numbers by seat. places: from 1, equals share one; None where there is none."""

    places: tuple[int | None, ...]
    points: tuple[int, ...]
    nets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How the points and units of a match came about.

    hands: from the first one on. payments: (payer, payee, units) for each two seats with something to settle. deeds:
    (seat, what it did that is worth an achievement or how it played, how often); version: of the rules by which that
    was found.
    """

    hands: tuple[HandScore, ...]
    payments: tuple[tuple[int, int, int], ...] = ()
    deeds: tuple[tuple[int, str, int], ...] = field(default=(), compare=False)
    version: int = field(default=0, compare=False)

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat in all."""
        return tuple(map(sum, zip(*(hand.points for hand in self.hands), strict=True)))

    @property
    def nets(self) -> tuple[int, ...]:
        """What each seat receives in all, less what it pays."""
        return tuple(map(sum, zip(*(hand.nets for hand in self.hands), strict=True)))


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a server's finished matches, and the channels they see there now."""

    user: UserId
    channels: frozenset[ChannelId]


@dataclass(frozen=True, slots=True)
class Sought:
    """Which finished matches somebody looks for: all of them where nothing is said.

    user: who began there. begins, ends: when they ended. number: of the table on its server.
    """

    user: UserId | None = None
    game: str = ""
    begins: datetime | None = None
    ends: datetime | None = None
    number: int | None = None


EVERY: Final = Sought()


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match. number: of its table on the server. options: what differs from the preset, as JSON has it.

    annulled: whether who manages the server has said that it does not count. gone: whether what was played in it is no
    longer kept, so that nobody can step through it.
    """

    table: TableId
    number: int
    game: str
    preset: str
    outcome: Outcome
    options: Mapping[str, Any] = field(default_factory=dict)
    annulled: bool = False
    gone: bool = False
