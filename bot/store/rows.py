"""What the store takes and gives: plain frozen rows.

Knows shapes; refuses to know SQL, Discord or the rules. Times are aware UTC datetimes, ids are Discord's numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from bot.ground.chair import Chair
from bot.ground.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.ground.pace import Deadline, Pace
from bot.ground.place import Place
from bot.ground.results import Ended, Outcome, Score, Sitting
from bot.ground.revision import Revision

Phase: TypeAlias = Literal["lobby", "playing", "over", "closed"]
NO_MESSAGE = MessageId(0)  # in a Change: the board is still to be posted
By: TypeAlias = Literal["person", "house", "clock"]


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a match: ``action`` in record notation, who decided it, and when."""

    ply: int
    seat: int
    action: str = field(repr=False)
    by: By
    at: datetime


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a table is set up with. rules: the version of the rules it is played by."""

    guild: GuildId
    channel: ChannelId
    host: UserId
    game: str
    preset: str
    options: Mapping[str, Any]
    seats: int
    seed: str = field(repr=False)
    pace: Pace
    created: datetime
    rules: int = 1


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as kept. number: counts the tables of its server from 1. home: the channel or thread of its board.

    message: of the board, None before it is posted. deadline: None where nothing is pending. edition: from 1 on, it
    rises with each change of what is agreed to; revised: the last of these changes, None before the first. counts:
    whether the match began so that it can count. ended: how, None before that. paused: whether a moderator has stopped
    the clock, and held: how much time there was still, None without a clock; until deadline it is stopped at most.
    asleep: since when it is paused because the bot may not write there; the deadline is when it is tried again. rules:
    the version of the rules it is played by. place: where a match is, as it was when it began or moved.
    """

    id: TableId
    number: int
    guild: GuildId
    channel: ChannelId
    home: ChannelId
    message: MessageId | None
    host: UserId
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
    rules: int = 1
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """That somebody may not sit down in a channel until then. mark: a keyed hash of who it is, and nothing else."""

    guild: GuildId
    channel: ChannelId
    mark: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Moderation:
    """What a moderator did to a table. by: the user who did it. seat: whose, where it was about one."""

    at: datetime
    by: UserId
    what: str
    seat: int | None = None
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What is written about a table in one transaction; None (or empty) leaves a field as it is.

    at: when, which makes the table recently touched. preset, options, rules, seats, pace, edition, revised: of a lobby
    where something else is agreed to. paused: with ``held`` and ``asleep``. chairs: replace all chairs. sittings: are
    added. deadline: with ``touch_deadline`` set, replaces it (None removes it). outcome: with ``score``.
    """

    at: datetime | None = None
    steps: tuple[Step, ...] = ()
    phase: Phase | None = None
    host: UserId | None = None
    home: ChannelId | None = None
    message: MessageId | None = None
    preset: str | None = None
    options: Mapping[str, Any] | None = None
    rules: int | None = None
    seats: int | None = None
    pace: Pace | None = None
    edition: int | None = None
    revised: Revision | None = None
    chairs: tuple[Chair, ...] = ()
    sittings: tuple[Sitting, ...] = ()
    touch_deadline: bool = False
    deadline: Deadline | None = None
    outcome: Outcome | None = None
    score: Score | None = None
    counts: bool | None = None
    ended: Ended | None = None
    channel: ChannelId | None = None
    paused: bool | None = None
    held: timedelta | None = None
    asleep: datetime | None = None
    moderation: Moderation | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Ping:
    """A short message that told somebody that they are awaited, to be deleted when they have acted."""

    table: TableId
    user: UserId
    channel: ChannelId
    message: MessageId


@dataclass(frozen=True, slots=True)
class Direct:
    """The channel of direct messages with a person, and when it was opened."""

    user: UserId
    channel: ChannelId
    opened: datetime


@dataclass(frozen=True, slots=True)
class Departure:
    """That the bot is no longer on a server, and since when."""

    guild: GuildId
    at: datetime


@dataclass(frozen=True, slots=True)
class SeatedPerson:
    """Somebody who plays for themselves at a table, or waits for its match."""

    guild: GuildId
    table: TableId
    user: UserId


@dataclass(frozen=True, slots=True)
class Standpoint:
    """Where an open table is played, and whether it sleeps because the bot may not write there."""

    table: TableId
    home: ChannelId
    asleep: bool
