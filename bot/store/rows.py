"""What the store takes and gives: plain frozen rows.

Knows shapes; refuses to know SQL, Discord or the rules. Times are aware UTC datetimes, ids are Discord's numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

Phase: TypeAlias = Literal["lobby", "playing", "over", "closed"]
Pace: TypeAlias = Literal["live", "slow", "none"]
NO_MESSAGE = 0  # in a Change: the board is still to be posted
By: TypeAlias = Literal["person", "house", "clock"]
# Why a person does not play on a seat that is theirs: left by their own will or gone from the server, out by the clock,
# or removed by a moderator.
Away: TypeAlias = Literal["", "left", "late", "removed"]
# How a match ended: as its rules say, all agreed to that, nobody said anything against it for a day, a moderator ended
# it, or, in the past, one player alone did.
Ended: TypeAlias = Literal["itself", "agreed", "silence", "moderator", "stopped"]


class StoreError(Exception):
    """The store cannot be used; the message is a clear English sentence for whoever runs the bot."""


class Taken(Exception):
    """Another action already has this ply: nothing was written."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits where.

    user: the person the seat belongs to, None for a house player's own. house: a house player
    acts for it now. misses: deadlines missed in a row. agreed: the edition of the table that the person has agreed to
    in the lobby, 0 for none. away: why a house player acts for a person. ending: whether the person wants to end a
    match that has no end of its own. mark: a keyed hash of the person who sat here until their data was deleted; the
    store drops it with the end of the match.
    """

    seat: int
    user: int | None
    name: str
    house: bool = False
    misses: int = 0
    agreed: int = 0
    away: Away = ""
    ending: bool = False
    mark: str = field(default="", compare=False)

    @property
    def left(self) -> bool:
        """Whether a person began here whom a house player stands in for: the result stays with that person.

        A person whose data was deleted is nobody any more, but has left all the same.
        """
        return self.house and (self.user is not None or self.away != "")


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a match: ``action`` in record notation, who decided it, and when."""

    ply: int
    seat: int
    action: str = field(repr=False)
    by: By
    at: datetime


@dataclass(frozen=True, slots=True)
class Deadline:
    """When something happens to a table if nobody acts, and when those awaited are reminded once (None: never)."""

    at: datetime
    remind_at: datetime | None = None
    reminded: bool = False

    @property
    def next(self) -> datetime:
        """The next moment at which the clock has something to do."""
        return self.at if self.remind_at is None or self.reminded else self.remind_at


@dataclass(frozen=True, slots=True)
class Revision:
    """The last change of what people agree to in a lobby: who made it, when, and what held before it."""

    by: int
    name: str
    at: datetime
    preset: str
    options: Mapping[str, Any]
    pace: Pace


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a table is set up with."""

    guild: int
    channel: int
    host: int
    game: str
    preset: str
    options: Mapping[str, Any]
    seats: int
    seed: str = field(repr=False)
    pace: Pace
    created: datetime


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as kept. number: counts the tables of its server from 1. home: the channel or thread of its board.

    message: of the board, None before it is posted. deadline: None where nothing is pending. edition: from 1 on, it
    rises with each change of what is agreed to; revised: the last of these changes, None before the first. counts:
    whether the match began so that it can count. ended: how, None before that. paused: whether a moderator has stopped
    the clock, and held: how much time there was still, None without a clock; until deadline it is stopped at most.
    asleep: since when it is paused because the bot may not write there; the deadline is when it is tried again.
    """

    id: int
    number: int
    guild: int
    channel: int
    home: int
    message: int | None
    host: int
    game: str
    preset: str
    options: Mapping[str, Any]
    seats: int
    seed: str = field(repr=False)
    pace: Pace
    phase: Phase
    created: datetime
    chairs: tuple[Chair, ...] = ()
    steps: tuple[Step, ...] = ()
    deadline: Deadline | None = None
    paused: bool = False
    held: timedelta | None = None
    asleep: datetime | None = None
    edition: int = 1
    revised: Revision | None = None
    counts: bool = False
    ended: Ended | None = None


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
class Place:
    """Whose rights decide who may see what happens in a channel or thread.

    channel: of a public thread the one it belongs to, else itself. hidden: whether @everyone sees nothing of it.
    """

    channel: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished match, kept for ever and never changed. counts: whether leaderboards know it. place: where it was."""

    hands: int
    finished: datetime
    standings: tuple[Standing, ...]
    counts: bool = True
    ended: Ended = "itself"
    place: Place = Place(0)


@dataclass(frozen=True, slots=True)
class Bar:
    """That somebody may not sit down in a channel until then. mark: a keyed hash of who it is, and nothing else."""

    guild: int
    channel: int
    mark: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Moderation:
    """What a moderator did to a table. by: the user who did it. seat: whose, where it was about one."""

    at: datetime
    by: int
    what: str
    seat: int | None = None
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What is written about a table in one transaction; None (or empty) leaves a field as it is.

    at: when, which makes the table recently touched. preset, options, seats, pace, edition, revised: of a lobby where
    something else is agreed to. paused: with ``held`` and ``asleep``. chairs: replace all chairs. deadline: with
    ``touch_deadline`` set, replaces it (None removes it).
    """

    at: datetime | None = None
    steps: tuple[Step, ...] = ()
    phase: Phase | None = None
    host: int | None = None
    home: int | None = None
    message: int | None = None
    preset: str | None = None
    options: Mapping[str, Any] | None = None
    seats: int | None = None
    pace: Pace | None = None
    edition: int | None = None
    revised: Revision | None = None
    chairs: tuple[Chair, ...] = ()
    touch_deadline: bool = False
    deadline: Deadline | None = None
    outcome: Outcome | None = None
    counts: bool | None = None
    ended: Ended | None = None
    channel: int | None = None
    paused: bool | None = None
    held: timedelta | None = None
    asleep: datetime | None = None
    moderation: Moderation | None = None


@dataclass(frozen=True, slots=True)
class Ping:
    """A short message that told somebody that they are awaited, to be deleted when they have acted."""

    table: int
    user: int
    channel: int
    message: int


@dataclass(frozen=True, slots=True)
class Direct:
    """The channel of direct messages with a person, and when it was opened."""

    user: int
    channel: int
    opened: datetime


@dataclass(frozen=True, slots=True)
class Habits:
    """What a person has chosen for themselves.

    by_suit: how cards are sorted. mirror: the hand comes by direct message when it is their turn. locale: their
    language when they chose that, as Discord writes it.
    """

    by_suit: bool = False
    mirror: bool = False
    locale: str = ""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """Somebody chose something for a server. value: as JSON has it, None for nothing. by: the user; at: when."""

    guild: int
    name: str
    value: Any
    by: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Departure:
    """That the bot is no longer on a server, and since when."""

    guild: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Line:
    """One person's line of a server's leaderboard. place: shared by equals."""

    user: int
    name: str
    matches: int
    wins: int
    place: int


@dataclass(frozen=True, slots=True)
class SeatedPerson:
    """Somebody who plays for themselves at a table, or waits for its match."""

    guild: int
    table: int
    user: int


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
