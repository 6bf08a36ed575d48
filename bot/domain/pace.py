"""The pace of a table, the remaining time of its seats, and its deadlines.

Contains the paces that players can agree on and their bounds; default durations live elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal, Self, TypeAlias

PaceKind: TypeAlias = Literal["live", "relaxed", "daily", "none"]
PACE_KINDS: Final[tuple[PaceKind, ...]] = ("live", "relaxed", "daily", "none")
FORMER_KINDS: Final[Mapping[str, PaceKind]] = {"slow": "relaxed"}  # names in earlier releases
UNITS: Final = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1), "s": timedelta(seconds=1)}
SPAN_FORM: Final = re.compile(r"(\d{1,6})([dhms])")
AWAY_WORD: Final = "away"  # in the text form of a pace: clocks run during vacations
SEAT_PREFIX: Final = "seat"  # before a span: after this long away, a player's seat may be offered to others
HINT_WORDS: Final[Mapping[str, bool]] = {"hints": True, "nohints": False}  # whether players may ask for hints
ReactionSetting: TypeAlias = Literal["on", "teasing", "off"]
REACTION_WORDS: Final[Mapping[str, ReactionSetting]] = {"noreact": "off", "chicken": "teasing"}  # "on" has no word
ASKED_WORD: Final = "asked"  # also ask players who can only pass, as their number of cards shows
ROTATE_WORD: Final = "rotate"  # at a rematch, all players move on by one seat
TimeoutAction: TypeAlias = Literal["pass", "house", "nudge"]
TIMEOUT_ACTIONS: Final[tuple[TimeoutAction, ...]] = ("pass", "house", "nudge")
MAX_WRITTEN: Final = 64  # characters of a stored pace
SECOND, MINUTE, HOUR, DAY = UNITS["s"], UNITS["m"], UNITS["h"], UNITS["d"]
MAX_SUSPENSION: Final = 30 * DAY  # without write permission; then the finished hands of a match are its result
# Bounds of the time per move, and of the reserve.
MOVE_BOUNDS: Final[Mapping[PaceKind, tuple[timedelta, timedelta]]] = {
    "live": (20 * SECOND, 10 * MINUTE),
    "relaxed": (HOUR, 7 * DAY),
    "daily": (HOUR, 2 * DAY),
}
RESERVE_BOUNDS: Final[Mapping[PaceKind, tuple[timedelta, timedelta]]] = {
    "live": (0 * SECOND, 10 * MINUTE),
    "daily": (12 * HOUR, 14 * DAY),
}
ABSENCE_BOUNDS: Final = (10 * MINUTE, 14 * DAY)  # bounds of the absence after which a seat may be offered
DEFAULT_ABSENCE_MOVES: Final = 3  # times the time per move: the default absence


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a table.

    live: a time per move, and a reserve for the whole match. relaxed: a time per move. daily: a reserve, to which each
    move adds, up to its initial size. none: no clock. move, reserve: None for the bot's defaults. vacations: whether a
    player's clock stops during vacations. on_timeout: "pass" plays the least that the rules allow, until
    the player has missed too many deadlines; "house" lets a house player act until the player is back; "nudge" only
    reminds. openly: whether a player who can only pass, as the number of cards shows, passes without being asked. away:
    how long a player may let a turn wait before a moderator may offer the seat, None for the default. hints: whether
    players may ask what a house player would do, None for the default. rotate: whether the players move on by one seat
    at a rematch. reactions: whether players may show reactions, and also teasing ones. slow: whether clocks run only
    within their players' working hours.
    """

    kind: PaceKind
    _: KW_ONLY
    move: timedelta | None = None
    reserve: timedelta | None = None
    vacations: bool = True
    on_timeout: TimeoutAction = "pass"
    openly: bool = True
    away: timedelta | None = None
    hints: bool | None = None
    rotate: bool = False
    reactions: ReactionSetting = "on"
    slow: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute `slow` once, since it is read often."""
        object.__setattr__(self, "slow", self.kind in ("relaxed", "daily"))

    @classmethod
    def read(cls, kept: str) -> Self:
        """Return the pace from its text form: "live", "relaxed 8h", "daily 8h away seat3d hints".

        Raises ValueError.
        """
        name, *rest = kept.split()
        kind = FORMER_KINDS.get(name) or next((kind for kind in PACE_KINDS if kind == name), None)
        aways = [read_span(word.removeprefix(SEAT_PREFIX)) for word in rest if word.startswith(SEAT_PREFIX)]
        others = [
            word
            for word in rest
            if word not in (AWAY_WORD, ASKED_WORD, ROTATE_WORD, *TIMEOUT_ACTIONS, *HINT_WORDS, *REACTION_WORDS)
            and not word.startswith(SEAT_PREFIX)
        ]
        spans = [read_span(part) for word in others for part in word.split("+")]
        on_timeout: TimeoutAction = next((known for known in TIMEOUT_ACTIONS if known in rest), "pass")
        if kind is None or len(spans) > 2 or len(aways) > 1:
            raise ValueError(f"{kept!r} is no pace.")
        move, reserve = (*spans, None, None)[:2]
        away, hints = next(iter(aways), None), next((HINT_WORDS[word] for word in rest if word in HINT_WORDS), None)
        reactions: ReactionSetting = next((REACTION_WORDS[word] for word in rest if word in REACTION_WORDS), "on")
        said = {
            "vacations": AWAY_WORD not in rest,
            "openly": ASKED_WORD not in rest,
            "rotate": ROTATE_WORD in rest,
        }
        return cls(
            kind, move=move, reserve=reserve, on_timeout=on_timeout, away=away, hints=hints, reactions=reactions, **said
        )

    def __str__(self) -> str:
        """Return the text form."""
        spans = "+".join(write_span(span) for span in (self.move, self.reserve) if span is not None)
        on_timeout = "" if self.on_timeout == "pass" else self.on_timeout
        seat = "" if self.away is None else f"{SEAT_PREFIX}{write_span(self.away)}"
        hints = next((word for word, given in HINT_WORDS.items() if given is self.hints), "")
        reactions = next((word for word, setting in REACTION_WORDS.items() if setting == self.reactions), "")
        said = "" if self.vacations else AWAY_WORD, on_timeout, "" if self.openly else ASKED_WORD
        others = *said, seat, hints, ROTATE_WORD if self.rotate else "", reactions
        return " ".join(filter(None, (self.kind, spans, *others)))

    @property
    def is_within_bounds(self) -> bool:
        """Whether all durations are within their bounds, and the text form within its column."""
        if len(str(self)) > MAX_WRITTEN:
            return False
        return (self.away is None or ABSENCE_BOUNDS[0] <= self.away <= ABSENCE_BOUNDS[1]) and all(
            span is None or (self.kind in bounds and bounds[self.kind][0] <= span <= bounds[self.kind][1])
            for span, bounds in ((self.move, MOVE_BOUNDS), (self.reserve, RESERVE_BOUNDS))
        )


def usual_timeout_action(kind: PaceKind, *, stakes: bool) -> TimeoutAction:
    """Return the timeout action of new tables.

    Stored paces without a word for theirs mean "pass".
    """
    return "house" if kind == "live" and not stakes else "pass"


def with_times_of(pace: Pace, other: Pace, *, stakes: bool) -> Pace:
    """Return the pace with the kind and times of another one.

    A timeout action that is usual for the old kind becomes the usual one of the new kind.
    """
    was_usual = pace.on_timeout == usual_timeout_action(pace.kind, stakes=stakes)
    on_timeout = usual_timeout_action(other.kind, stakes=stakes) if was_usual else pace.on_timeout
    return replace(pace, kind=other.kind, move=other.move, reserve=other.reserve, on_timeout=on_timeout)


def max_absence(pace: Pace, move: timedelta | None, reserve: timedelta) -> timedelta:
    """Return the longest absence on a player's turn before a moderator may offer the seat.

    move, reserve: the times at this table; None for a table without a clock.
    """
    return pace.away or DEFAULT_ABSENCE_MOVES * max(move or DAY, reserve)


LIVE, RELAXED, DAILY, NO_CLOCK = (Pace(kind) for kind in PACE_KINDS)


def read_span(written: str) -> timedelta:
    """Return a span from its text form: "8h". Raises ValueError."""
    if not (found := SPAN_FORM.fullmatch(written)):
        raise ValueError(f"{written!r} is no span of time.")
    return int(found[1]) * UNITS[found[2]]


def write_span(span: timedelta) -> str:
    """Return the text form of a span of whole seconds, in the largest unit that divides it."""
    unit = next(unit for unit, length in UNITS.items() if not span % length or unit == "s")
    return f"{span // UNITS[unit]}{unit}"


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The remaining time of a seat.

    left: the remaining time at the start of the clock. since: the start of the clock; None for a stopped clock. turn:
    the moment of the match at which the clock was stopped before the player had moved; None for time valid in any turn.
    """

    seat: int
    left: timedelta
    since: datetime | None = None
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Deadline:
    """A table's deadline. remind_at: when to remind the awaited players once; None for never.

    shut_out: since when this turn waits for a player who could not see the table; kept after the player's return.
    """

    at: datetime
    remind_at: datetime | None = None
    reminded: bool = False
    shut_out: datetime | None = None

    @property
    def next(self) -> datetime:
        """The next moment with work for the clock."""
        return self.at if self.remind_at is None or self.reminded else self.remind_at
