"""Finished matches: how they ended, who stood where, and how they are listed. Refuses to know what the points mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from bot.ground.place import NOWHERE, Place

# How a match ended: as its rules say, all agreed to that, nobody said anything against it for a day, a moderator ended
# it, or, in the past, one player alone did.
Ended: TypeAlias = Literal["itself", "agreed", "silence", "moderator", "stopped"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat ended a match.

    house: played by a house player at the end, or all the time. left: the person who began there did not stay.
    """

    seat: int
    user: int | None
    name: str
    house: bool
    place: int
    points: int
    net: int
    left: bool = False


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
class Reader:
    """Who looks at a server's finished matches, and the channels they see there now."""

    user: int
    channels: frozenset[int]


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match in a list."""

    table: int
    number: int
    game: str
    preset: str
    outcome: Outcome = field()


@dataclass(frozen=True, slots=True)
class Line:
    """One person's line of a server's leaderboard. place: shared by equals."""

    user: int
    name: str
    matches: int
    wins: int
    place: int
