"""Finished matches: players, endings, places and hands, and the filters of their list.

The source of ratings, statistics and ledgers. The meaning of points belongs to the games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from bot.domain.chairs import AbsenceReason, Level
from bot.domain.ids import UNKNOWN_ACCESS_CHANNEL, AccessChannel, ChannelId, TableId, UserId

# How a match ended: by its rules, by agreement, by a day without objection, by a moderator, or, in the past, by one
# player alone.
MatchEnding: TypeAlias = Literal["itself", "agreed", "silence", "moderator", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """The result of one seat.

    house: played by a house player, at the end or throughout. left: the original player did not stay. level: the
    strength of the house player at a seat without a player.
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
class MatchOutcome:
    """A finished match, stored for ever and never changed.

    counts: for leaderboards. place: the place of the match.
    """

    hands: int
    finished: datetime
    standings: tuple[SeatResult, ...]
    _: KW_ONLY
    counts: bool = True
    ended: MatchEnding = "itself"
    place: AccessChannel = UNKNOWN_ACCESS_CHANNEL


@dataclass(frozen=True, slots=True)
class Sitting:
    """The player acting for a seat from one ply on, until the seat's next sitting or the end.

    ply: of the player's first possible action; below 0 for a player who returned the seat without one. user: the acting
    player, None for a house player and after a deletion of the player's data. away: why a house player acts for the
    seat's player, if known.
    """

    seat: int
    ply: int
    user: UserId | None
    house: bool
    _: KW_ONLY
    away: AbsenceReason = ""


@dataclass(frozen=True, slots=True)
class HandScore:
    """The result of one hand, by seat.

    places: from 1, equal seats share a place; None for seats without a place.
    """

    places: tuple[int | None, ...]
    points: tuple[int, ...]
    nets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DetailedScore:
    """The points and units of a match in detail.

    hands: in order. payments: (payer, payee, units) for each two seats with a debt. deeds: (seat, achievement or style
    of play, count); version: of the rules that found the deeds.
    """

    hands: tuple[HandScore, ...]
    payments: tuple[tuple[int, int, int], ...] = ()
    deeds: tuple[tuple[int, str, int], ...] = field(default=(), compare=False)
    version: int = field(default=0, compare=False)

    @property
    def points(self) -> tuple[int, ...]:
        """The total points of each seat."""
        return tuple(map(sum, zip(*(hand.points for hand in self.hands), strict=True)))

    @property
    def nets(self) -> tuple[int, ...]:
        """The total units received by each seat, minus the units paid."""
        return tuple(map(sum, zip(*(hand.nets for hand in self.hands), strict=True)))


@dataclass(frozen=True, slots=True)
class ResultsViewer:
    """A viewer of a server's finished matches, and the channels visible to the viewer now."""

    user: UserId
    channels: frozenset[ChannelId]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFilter:
    """A filter of finished matches; all matches by default.

    user: a player who began in the match. begins, ends: bounds of the match's end. number: of the table on its server.
    """

    user: UserId | None = None
    game: str = ""
    begins: datetime | None = None
    ends: datetime | None = None
    number: int | None = None


ALL_MATCHES: Final = ResultFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedMatch:
    """A finished match. number: of its table on the server.

    options: differences from the preset, as read from JSON. annulled: whether a manager of the server has excluded the
    match from counting. gone: the record was deleted, so the match has no replay.
    """

    table: TableId
    number: int
    game: str
    preset: str
    outcome: MatchOutcome
    options: Mapping[str, Any] = field(default_factory=dict)
    annulled: bool = False
    gone: bool = False
