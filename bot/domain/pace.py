"""How fast a table is, how much time somebody has left there, and when something happens at it by itself.

Knows what can be agreed on, and within which bounds; refuses to know what holds where nobody has said how long.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal, Self, TypeAlias

Kind: TypeAlias = Literal["live", "relaxed", "daily", "none"]
KINDS: Final[tuple[Kind, ...]] = ("live", "relaxed", "daily", "none")
FORMER: Final[Mapping[str, Kind]] = {"slow": "relaxed"}  # what earlier releases called it
UNITS: Final = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1), "s": timedelta(seconds=1)}
SPAN: Final = re.compile(r"(\d{1,6})([dhms])")
AWAY: Final = "away"  # in a pace as it is kept: nobody's clock stands still for a vacation
SEAT: Final = "seat"  # and before a span: after so long away somebody else may be let take a seat
HINTS: Final[Mapping[str, bool]] = {"hints": True, "nohints": False}  # and whether people are given hints
ASKED: Final = "asked"  # and also whoever can only pass, as all see from the number of their cards, is asked
Late: TypeAlias = Literal["pass", "house", "nudge"]
LATES: Final[tuple[Late, ...]] = ("pass", "house", "nudge")
SECOND, MINUTE, HOUR, DAY = UNITS["s"], UNITS["m"], UNITS["h"], UNITS["d"]
MAX_SUSPENSION: Final = 30 * DAY  # of a match where the bot may not write; then it is called off
# From what to what somebody may set the time for a move, and what there is beside it.
MOVES: Final[Mapping[Kind, tuple[timedelta, timedelta]]] = {
    "live": (20 * SECOND, 10 * MINUTE),
    "relaxed": (HOUR, 7 * DAY),
    "daily": (HOUR, 2 * DAY),
}
RESERVES: Final[Mapping[Kind, tuple[timedelta, timedelta]]] = {
    "live": (0 * SECOND, 10 * MINUTE),
    "daily": (12 * HOUR, 14 * DAY),
}
AWAYS: Final = (10 * MINUTE, 14 * DAY)  # from what to what: how long somebody is away whose seat may be offered
AWAY_FOR: Final = 3  # times that there is for a move, where nobody has said how long


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a table is.

    live: so much time for a move, and a reserve for the whole match. relaxed: so much for each move. daily: a reserve,
    to which each move adds, never to more than there was. none: no clock. move, reserve: None for what the bot is set
    to. vacations: whether a clock stands still while its owner is away. late: what becomes of whoever is late: the
    least the rules allow is done for them, until they have missed too often; a house player goes on at once until they
    are back; or they are reminded, and nothing else. openly: whether whoever can only pass, as all see from the number
    of their cards, does so without being asked. away: how long somebody lets pass at their turn before a moderator may
    offer their seat, None for the usual. hints: whether people are told what a house player would do, None for the
    usual. slow: whether a clock here runs only while its owner's day does.
    """

    kind: Kind
    move: timedelta | None = None
    reserve: timedelta | None = None
    vacations: bool = True
    late: Late = "pass"
    openly: bool = True
    away: timedelta | None = None
    hints: bool | None = None
    slow: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Note once what is asked all the time."""
        object.__setattr__(self, "slow", self.kind in ("relaxed", "daily"))

    @classmethod
    def read(cls, kept: str) -> Self:
        """Return the pace that is written so: "live", "relaxed 8h", "daily 8h away seat3d hints". Raises ValueError."""
        name, *rest = kept.split()
        kind = FORMER.get(name) or next((kind for kind in KINDS if kind == name), None)
        aways = [read_span(word.removeprefix(SEAT)) for word in rest if word.startswith(SEAT)]
        others = [word for word in rest if word not in (AWAY, ASKED, *LATES, *HINTS) and not word.startswith(SEAT)]
        spans = [read_span(part) for word in others for part in word.split("+")]
        late: Late = next((late for late in LATES if late in rest), "pass")
        if kind is None or len(spans) > 2 or len(aways) > 1:
            raise ValueError(f"{kept!r} is no pace.")
        move, reserve = (*spans, None, None)[:2]
        away, hints = next(iter(aways), None), next((HINTS[word] for word in rest if word in HINTS), None)
        said = {"vacations": AWAY not in rest, "openly": ASKED not in rest}
        return cls(kind, move, reserve, late=late, away=away, hints=hints, **said)

    def __str__(self) -> str:
        """Write it down."""
        spans = "+".join(write_span(span) for span in (self.move, self.reserve) if span is not None)
        late = "" if self.late == "pass" else self.late
        seat = "" if self.away is None else f"{SEAT}{write_span(self.away)}"
        hints = next((word for word, given in HINTS.items() if given is self.hints), "")
        others = "" if self.vacations else AWAY, late, "" if self.openly else ASKED, seat, hints
        return " ".join(filter(None, (self.kind, spans, *others)))

    @property
    def sane(self) -> bool:
        """Whether it is within the bounds."""
        return (self.away is None or AWAYS[0] <= self.away <= AWAYS[1]) and all(
            span is None or (self.kind in bounds and bounds[self.kind][0] <= span <= bounds[self.kind][1])
            for span, bounds in ((self.move, MOVES), (self.reserve, RESERVES))
        )


def away_for(pace: Pace, move: timedelta | None, reserve: timedelta) -> timedelta:
    """Return how long somebody lets pass at their turn whose seat a moderator may offer.

    move, reserve: the time that there is here; None without a clock.
    """
    return pace.away or AWAY_FOR * max(move or DAY, reserve)


LIVE, RELAXED, DAILY, NO_CLOCK = (Pace(kind) for kind in KINDS)


def read_span(written: str) -> timedelta:
    """Return a span that is written so: "8h". Raises ValueError."""
    if not (found := SPAN.fullmatch(written)):
        raise ValueError(f"{written!r} is no span of time.")
    return int(found[1]) * UNITS[found[2]]


def write_span(span: timedelta) -> str:
    """Write a span of whole seconds, in the largest unit in which it is a whole number."""
    unit = next(unit for unit, length in UNITS.items() if not span % length or unit == "s")
    return f"{span // UNITS[unit]}{unit}"


@dataclass(frozen=True, slots=True)
class SeatTime:
    """How much time a seat has.

    left: at the moment since when its clock runs; None: the clock stands still. turn: the moment of the match in which
    a clock was stopped before its player moved; None for time that is there whatever the turn.
    """

    seat: int
    left: timedelta
    since: datetime | None = None
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Deadline:
    """When something happens to a table if nobody acts, and when those awaited are reminded once (None: never).

    shut_out: since when this turn waits for somebody who could not see the table then; kept once they are back.
    """

    at: datetime
    remind_at: datetime | None = None
    reminded: bool = False
    shut_out: datetime | None = None

    @property
    def next(self) -> datetime:
        """The next moment at which the clock has something to do."""
        return self.at if self.remind_at is None or self.reminded else self.remind_at
