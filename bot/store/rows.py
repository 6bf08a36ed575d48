"""What the store takes and gives: plain frozen rows.

Knows shapes; refuses to know SQL, Discord or the rules. Times are aware UTC datetimes, ids are Discord's numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias

from bot.domain.chairs import Chair
from bot.domain.duplicates import Part
from bot.domain.effects import Pending
from bot.domain.ids import ChannelId, GuildId, MessageId, Place, TableId, UserId
from bot.domain.lobby import Cut, Revision
from bot.domain.pace import Deadline, Pace, SeatTime
from bot.domain.results import Ended, Outcome, Score, Sitting
from bot.domain.solo import Alone

Phase: TypeAlias = Literal["lobby", "playing", "over", "closed"]
OPEN: tuple[Phase, ...] = ("lobby", "playing")
ENDED: tuple[Phase, ...] = ("over", "closed")
NO_MESSAGE = MessageId(0)  # in a Change: the board is still to be posted
NEVER = datetime.max.replace(tzinfo=UTC)  # in a Change: nothing answers any more
NoticeKind: TypeAlias = Literal["turn", "reminder", "digest"]
By: TypeAlias = Literal["person", "house", "clock", "order", "given"]  # given: before anybody played there


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
    """What a table is set up with.

    rules: the version of the rules it is played by. alone: what one person plays there with house players.
    duplicate_id: of which the deals are played, if of any. steps: what has happened in its match already, where that
    goes on from the middle of a hand. stakes: whether the lobby plays for units.
    """

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
    alone: Alone = ""
    duplicate_id: int | None = None
    steps: tuple[Step, ...] = ()
    stakes: bool = False


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as kept."""

    id: TableId
    number: int  # counts the tables of its server from 1
    guild: GuildId
    channel: ChannelId  # where the table was opened, or has moved to
    home: ChannelId  # the channel or thread in which its board stands
    message: MessageId | None  # of the board; None before it is posted
    host: UserId
    game: str
    preset: str
    options: Mapping[str, Any]  # what differs from the preset
    seats: int
    seed: str = field(repr=False)
    pace: Pace
    phase: Phase
    created: datetime
    chairs: tuple[Chair, ...] = ()
    steps: tuple[Step, ...] = ()
    deadline: Deadline | None = None  # None where nothing is pending
    times: tuple[SeatTime, ...] = ()  # how much time seats have that do not have all there is
    cuts: tuple[Cut, ...] = ()  # words that players have put on top of the seed
    paused: bool = False  # whether its clock stands still: until the deadline at most
    held: timedelta | None = None  # while it is paused, how much time there still was; None without a clock
    asleep: datetime | None = None  # since when it is paused for the bot may not write there; tried at the deadline
    edition: int = 1  # rises with each change of what is agreed to in the lobby
    revised: Revision | None = None  # the last of these changes; None before the first
    counts: bool = False  # from the first card on: whether the match counts, see bot.table.core.eligibility
    ended: Ended | None = None  # how; None before that
    rules: int = 1  # the version of the rules it is played by
    place: Place | None = None  # whose rights decide who sees a match: as it was when it began or moved
    own_pace: Pace | None = None  # of a slow table that has been played live for a while; None before that
    alone: Alone = ""  # what one person plays there: in no channel, without a board, seen by nobody else
    answers: datetime | None = None  # when what somebody has said beforehand answers; None where nothing does
    duplicate_id: int | None = None  # of which the deals are played here; None where nobody else plays them
    votes: int = 0  # how many votes there were so far: the number of the one that runs
    unrated: bool = False  # whether it was dealt with a player who had deleted their data of late
    stakes: bool = False  # whether the units of the match are owed; in a lobby what its players agree to

    @property
    def open(self) -> bool:
        """Whether its match is played or waited for."""
        return self.phase in OPEN

    @property
    def stays(self) -> bool:
        """Whether it cannot be taken elsewhere: others play the same deals, so it stays where only those see it."""
        return self.duplicate_id is not None

    @property
    def due(self) -> datetime | None:
        """When the clock comes to it next; None where it is not waited for."""
        deadline, answers = self.deadline.next if self.deadline else None, None if self.paused else self.answers
        return min((at for at in (deadline, answers) if at is not None), default=None)

    @property
    def running(self) -> bool:
        """Whether anything goes on: it is open, no moderator has paused it, and it does not sleep."""
        return self.open and not self.paused


@dataclass(frozen=True, slots=True)
class Bar:
    """That somebody may not sit down in a channel until then. mark: a keyed hash of who it is, and nothing else."""

    guild: GuildId
    channel: ChannelId
    mark: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Moderation:
    """What a moderator did to a table. by: the user who did it. seat: whose, where it was about one. reason: theirs."""

    at: datetime
    by: UserId
    what: str
    seat: int | None = None
    bar: Bar | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What is written about a table in one transaction; None (or empty) leaves a field as it is.

    Fields are as in TableRow where nothing else is said.
    """

    at: datetime | None = None  # when, which makes the table recently touched
    steps: tuple[Step, ...] = ()  # are added
    phase: Phase | None = None
    host: UserId | None = None
    home: ChannelId | None = None
    message: MessageId | None = None  # or NO_MESSAGE
    preset: str | None = None  # here and below: of a lobby where something else is agreed to
    options: Mapping[str, Any] | None = None
    rules: int | None = None
    seats: int | None = None
    pace: Pace | None = None
    edition: int | None = None
    revised: Revision | None = None  # down to here
    chairs: tuple[Chair, ...] = ()  # replace all chairs
    sittings: tuple[Sitting, ...] = ()  # are added
    sits_in: str | None = None  # the mark of somebody who sits in from now on
    duplicate_id: int | None = None  # of a lobby whose deals others play too
    parts: tuple[Part, ...] = ()  # are added
    touch_deadline: bool = False  # whether the deadline is replaced
    deadline: Deadline | None = None  # with touch_deadline; None removes it
    times: tuple[SeatTime, ...] | None = None  # replace all times of seats
    cuts: tuple[Cut, ...] | None = None  # replace all words
    seed: str | None = field(default=None, repr=False)  # with what the words come to
    outcome: Outcome | None = None  # of a match that has ended, here and below
    score: Score | None = None
    openings: str = field(default="", repr=False)  # where its hands begin, of a long one
    counts: bool | None = None
    stakes: bool | None = None
    ended: Ended | None = None
    channel: ChannelId | None = None
    paused: bool | None = None  # replaces held and asleep as well
    held: timedelta | None = None
    asleep: datetime | None = None
    moderation: Moderation | None = None
    place: Place | None = None
    own_pace: Pace | None = None
    answers: datetime | None = None  # or NEVER
    votes: int | None = None
    unrated: bool | None = None
    sent: str = ""  # the key of a message that is in the outbox no more
    effects: tuple[Pending, ...] = ()  # what is to be done on Discord

    def after(self, row: TableRow) -> TableRow:
        """Return the row as it is when this is written."""
        given = {name: value for name in BY_NAME if (value := getattr(self, name)) not in (None, ())}
        if self.message == NO_MESSAGE:
            given["message"] = None
        if self.answers == NEVER:
            given["answers"] = None
        if self.paused is not None:
            given |= {"held": self.held, "asleep": self.asleep}
        if self.touch_deadline:
            given["deadline"] = self.deadline
        if self.times is not None:
            given["times"] = self.times
        if self.cuts is not None:
            given["cuts"] = self.cuts
        if self.phase in ENDED:
            given["times"] = ()
        return replace(row, steps=row.steps + self.steps, **given)


# What a change replaces in a row by naming it; the rest of what both have is added, or replaced with something else.
NOT_ALONE = ("steps", "deadline", "held", "asleep", "times", "cuts")
_KEPT = {part.name for part in fields(TableRow)} - {*NOT_ALONE}
BY_NAME = tuple(part.name for part in fields(Change) if part.name in _KEPT)


@dataclass(frozen=True, slots=True)
class Ping:
    """A short message that told somebody that they are awaited, to be deleted when they have acted."""

    table: TableId
    user: UserId
    channel: ChannelId
    message: MessageId


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody for whom a slow table waits.

    asked: names what they are asked. ready: when they are told at the earliest. remind: when their time runs out; ends:
    when it is over; None without a clock. told: when they were told, or were seen there; reminded: that their time
    runs out. together: whether others are asked at the same time. guild, home: where the table is.
    """

    table_id: TableId
    user: UserId
    asked: str
    since: datetime
    ready: datetime
    remind: datetime | None
    ends: datetime | None
    together: bool
    guild: GuildId
    home: ChannelId
    told: datetime | None = None
    reminded: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A message that told somebody which slow tables wait for them.

    guild: the server in which it stands; None for a direct message. kind: why it was sent. over: whether one of these
    tables has gone on since, so that there may be another. gone: whether it has been taken away.
    """

    user: UserId
    guild: GuildId | None
    channel: ChannelId
    message: MessageId
    kind: NoticeKind
    at: datetime
    over: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who would like to be told what happens at a table where they do not sit.

    hands: of whose end they have been told, or that is no news. seat: whether they wait for a free seat. told:
    when they were called last.
    """

    table_id: TableId
    user: UserId
    hands: int
    seat: bool = False
    told: datetime | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who would like to hear of the next table in a channel. game: of this one alone, "" for any."""

    user: UserId
    guild: GuildId
    channel: ChannelId
    game: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Direct:
    """The channel of direct messages with a person, and when it was opened."""

    user: UserId
    channel: ChannelId
    opened: datetime


@dataclass(frozen=True, slots=True)
class OwnThread:
    """The private thread under a channel in which a person is told what they cannot be told directly."""

    user: UserId
    channel: ChannelId
    thread: ChannelId
    guild: GuildId


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
