"""Chairs at a table, the strength of house players in them, and the data of a lobby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias

from bot.domain.ids import UserId
from bot.domain.pace import DAILY, DAY, HOUR, LIVE, NO_CLOCK, RELAXED, Pace


class Level(StrEnum):
    """A house player's strength: plain, a relaxed friend, a weekly player, or the strongest.

    PLAIN is for seats of absent players, and for games without other levels.
    """

    PLAIN = ""
    EASY = "kind"
    MEDIUM = "good"
    HARD = "strong"


# Why a player is absent from the seat: left voluntarily or left the server, timed out,
# or removed by a moderator.
AbsenceReason: TypeAlias = Literal["", "left", "late", "removed"]
# Who has offered a seat to other players: its player, or a moderator.
OfferedBy: TypeAlias = Literal["", "owner", "moderator"]
# A player's vote on a proposal to all players: to end the match, to pause it, to deal the hand again, to call the
# match off, to change the pace, or to concede (the match ends with the proposer in the last place); the other players
# agree to a concession with "granted".
Vote: TypeAlias = Literal[
    "",
    "end",
    "pause",
    "again",
    "cancel",
    "concede",
    "granted",
    "to_live",
    "to_relaxed_8h",
    "to_relaxed",
    "to_daily",
    "to_daily_12h",
    "to_none",
]
PACE_VOTES: Final[Mapping[Vote, Pace]] = {
    "to_live": LIVE,
    "to_relaxed_8h": Pace("relaxed", move=8 * HOUR),
    "to_relaxed": RELAXED,
    "to_daily": DAILY,
    "to_daily_12h": Pace("daily", move=12 * HOUR, reserve=4 * DAY),
    "to_none": NO_CLOCK,
}
DISCARDING_VOTES: Final[frozenset[Vote]] = frozenset({"again", "cancel"})  # votes that discard what was played


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat with its player.

    user: the player, None for a house player's own seat. house: a house player acts for the seat now. misses:
    consecutive missed deadlines. agreed: the edition of the table that the player has agreed to in the lobby, 0 for
    none. away: why a house player acts for the player. vote: the player's vote; during an agreed pause, that the player
    is not back yet. unwanted: the player's recent proposals that others declined, a word each; refused: the time of the
    latest. premoves: the player's premoves in this hand as stored, a line each; private to the player. owner: the
    original player whom the user substitutes for; owner_name: the owner's name, "" without a substitute. offered: who
    has offered the seat to other players. live_ply: the number of actions before the player agreed to play live, or, as
    a negative number, before the player sat down during a match; 0 for neither. mark: a keyed hash of a former player
    whose data was deleted; the store drops the mark at the match's end. level: the strength of the house player at a
    seat without a player.
    """

    seat: int
    user: UserId | None
    name: str
    _: KW_ONLY
    house: bool = False
    misses: int = 0
    agreed: int = 0
    away: AbsenceReason = ""
    vote: Vote = ""
    unwanted: str = ""
    refused: datetime | None = None
    premoves: str = field(default="", repr=False)
    owner: UserId | None = None
    owner_name: str = ""
    offered: OfferedBy = ""
    live_ply: int = 0
    mark: str = field(default="", compare=False)
    level: Level = Level.PLAIN

    @property
    def left(self) -> bool:
        """Whether another player or a house player acts for the seat's original player.

        The original player keeps the result. True as well after the original player's data was deleted.
        """
        return bool(self.owner_name) or (self.house and (self.user is not None or self.away != ""))

    @property
    def gone(self) -> bool:
        """Whether the player left for good and has no more say in the match.

        A late player has a say.
        """
        return self.house and self.away in ("left", "removed")

    @property
    def has_no_say(self) -> bool:
        """Whether the player who gets the chair's result has no say in the match.

        The player is gone, or has a substitute.
        """
        return self.gone or bool(self.owner_name)


def pace_after_vote(before: Pace, vote: Vote) -> Pace:
    """Return the pace after a vote: another kind, with its move and reserve.

    All other agreed terms about time stay.
    """
    asked = PACE_VOTES[vote]
    return replace(before, kind=asked.kind, move=asked.move, reserve=asked.reserve)


@dataclass(frozen=True, slots=True)
class Cut:
    """A player's word for the cut.

    seat: the player's seat after the deal; before the deal, the seat at the time of the word.
    """

    user: UserId
    seat: int
    word: str = field(repr=False)


def by_seat(cuts: Sequence[Cut], seats: int) -> tuple[str | None, ...]:
    """Return the words by seat, None for seats without a word."""
    given = {cut.seat: cut.word for cut in cuts}
    return tuple(given.get(seat) for seat in range(seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The latest change of a lobby's terms: its author and time, and the terms before."""

    by: UserId
    name: str
    at: datetime
    preset: str
    options: Mapping[str, Any]
    pace: Pace
