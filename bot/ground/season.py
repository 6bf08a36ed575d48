"""Seasons of a server: a month, a quarter, or as long as it likes. Pure; refuses to know who wins one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final, Literal, TypeAlias

from bot.ground.ids import UserId
from bot.ground.rating import Climber

Kind: TypeAlias = Literal["none", "monthly", "quarterly", "hand"]
KINDS: Final[tuple[Kind, ...]] = ("none", "monthly", "quarterly", "hand")
MONTHS: Final = {"monthly": 1, "quarterly": 3}


@dataclass(frozen=True, slots=True)
class Season:
    """A season. number: from 1; 0 for the moment at which the first one began. ends: None as long as nobody knows."""

    number: int
    begins: datetime
    ends: datetime | None


@dataclass(frozen=True, slots=True)
class Finalist:
    """Somebody at the end of a season, as it stays for ever.

    streak: the most matches they won in a row. bombs: how many they played. behind: by how many points they were last
    at half time of a match that they won, at most; 0 where they never did.
    """

    game: str
    place: int
    climber: Climber
    streak: int = 0
    bombs: int = 0
    behind: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """What was remarkable in a season. who: one person, or two who did it equally well; number: how well."""

    kind: Literal["streak", "often", "bombs", "comeback"]
    who: tuple[UserId, ...]
    number: int


def span(kind: Kind, now: datetime, zone: tzinfo = UTC) -> tuple[datetime, datetime] | None:
    """Return the month or quarter in which this moment lies, by the clock of a zone; None for other seasons."""
    if kind not in MONTHS:
        return None
    local, length = now.astimezone(zone), MONTHS[kind]
    first = local.year * 12 + (local.month - 1) // length * length
    begins, ends = (datetime(at // 12, at % 12 + 1, 1, tzinfo=zone).astimezone(UTC) for at in (first, first + length))
    return begins, ends


def running(kind: Kind, last: Season | None, now: datetime, zone: tzinfo = UTC) -> Season | None:
    """Return the season that runs; None where there are none. last: the one that has ended last."""
    if kind == "none":
        return None
    number = last.number + 1 if last else 1
    began = last.ends if last and last.ends else None
    limits = span(kind, now, zone)
    if limits is None:
        return Season(number, began or datetime.fromtimestamp(0, UTC), None)
    return Season(number, max(began, limits[0]) if began else limits[0], limits[1])
