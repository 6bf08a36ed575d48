"""The rows of the store: frozen dataclasses without behaviour.

Independent of SQL, Discord and the rules. Times are aware UTC datetimes, ids are Discord's numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

from bot.domain.chairs import Chair, Cut, Revision
from bot.domain.contests import DuplicateSeat, SoloKind
from bot.domain.effects import PendingEffect
from bot.domain.ids import AccessChannel, ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.pace import Deadline, Pace, SeatTime
from bot.domain.results import DetailedScore, MatchEnding, MatchOutcome, Sitting

Phase: TypeAlias = Literal["lobby", "playing", "over", "closed"]
OPEN_PHASES: tuple[Phase, ...] = ("lobby", "playing")
ENDED_PHASES: tuple[Phase, ...] = ("over", "closed")
NO_MESSAGE = MessageId(0)  # in a Change: the board has no message yet
NEVER = datetime.max.replace(tzinfo=UTC)  # in a Change: cancels the automatic answer
NoticeKind: TypeAlias = Literal["turn", "reminder", "digest"]
Decider: TypeAlias = Literal[
    "person", "house", "clock", "order", "given"
]  # given: part of the position a match starts from


@dataclass(frozen=True, slots=True)
class MatchStep:
    """One action of a match: ``action`` in record notation, the decider, and the time."""

    ply: int
    seat: int
    action: str = field(repr=False)
    by: Decider
    at: datetime


@dataclass(frozen=True, slots=True)
class NewTable:
    """The initial values of a table.

    rules: the version of the rules. solo: the kind of a solo table. duplicate_id: the duplicate of the deals, if
    any. steps: the steps before the first own one, of a match that starts in the middle of a hand. stakes: whether
    the lobby plays for units.
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
    solo: SoloKind = ""
    duplicate_id: int | None = None
    steps: tuple[MatchStep, ...] = ()
    stakes: bool = False


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as stored."""

    id: TableId
    number: int  # counts the tables of its server from 1
    guild: GuildId
    channel: ChannelId  # the channel of the table, since its opening or its last move
    home: ChannelId  # the channel or thread of the board
    message: MessageId | None  # of the board; None before the first post
    host: UserId
    game: str
    preset: str
    options: Mapping[str, Any]  # the differences from the preset
    seats: int
    seed: str = field(repr=False)
    pace: Pace
    phase: Phase
    created: datetime
    chairs: tuple[Chair, ...] = ()
    steps: tuple[MatchStep, ...] = ()
    deadline: Deadline | None = None  # None without a pending action
    times: tuple[SeatTime, ...] = ()  # the remaining times of seats with less than the full time
    cuts: tuple[Cut, ...] = ()  # words added to the seed by players
    paused: bool = False  # whether the clock is stopped, until the deadline at most
    held: timedelta | None = None  # the remaining time at the start of a pause; None without a clock
    suspended_since: datetime | None = None  # since when the bot may not write; retried at the deadline
    edition: int = 1  # the number of the current terms of a lobby
    revised: Revision | None = None  # the latest change of the terms; None before the first
    counts: bool = False  # whether the match counts, from the first card on; see bot.table.core.eligibility
    ended: MatchEnding | None = None  # how the match ended; None before the end
    rules: int = 1  # the version of the rules
    place: AccessChannel | None = (
        None  # the channel whose permissions govern who sees the match, as of its start or move
    )
    own_pace: Pace | None = None  # the pace restored after a live session; None before the first session
    solo: SoloKind = ""  # the kind of a solo table: in no channel, without a board, private
    premove_at: datetime | None = None  # when the next premove is carried out; None without one
    duplicate_id: int | None = None  # the duplicate of the deals; None without one
    votes: int = 0  # the number of votes so far, which also identifies the open vote
    unrated: bool = False  # whether a player had deleted their data shortly before the deal
    stakes: bool = False  # whether the units of the match are owed; in a lobby, part of the terms

    @property
    def open(self) -> bool:
        """Whether the table is a lobby or has a running match."""
        return self.phase in OPEN_PHASES

    @property
    def stays(self) -> bool:
        """Whether the table must stay in its channel.

        A duplicate's tables stay visible to the same people.
        """
        return self.duplicate_id is not None

    @property
    def due(self) -> datetime | None:
        """The time of the clock's next action at the table; None without one."""
        deadline, premove_at = self.deadline.next if self.deadline else None, None if self.paused else self.premove_at
        return min((at for at in (deadline, premove_at) if at is not None), default=None)

    @property
    def running(self) -> bool:
        """Whether the match runs: the table is open, and neither paused nor suspended."""
        return self.open and not self.paused


@dataclass(frozen=True, slots=True)
class SeatBan:
    """A ban from the seats of a channel until a given time.

    mark: a keyed hash of the user's id, the only trace of the user.
    """

    guild: GuildId
    channel: ChannelId
    mark: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Moderation:
    """A moderator's action at a table.

    by: the moderator. seat: the seat concerned, if any. reason: the moderator's text.
    """

    at: datetime
    by: UserId
    what: str
    seat: int | None = None
    bar: SeatBan | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TableChange:
    """The changes of a table in one transaction.

    None or an empty value leaves a field unchanged. A field without a comment means the same as in TableRow.
    """

    at: datetime | None = None  # the time of the change, which updates the time of the latest activity
    steps: tuple[MatchStep, ...] = ()  # are added
    phase: Phase | None = None
    host: UserId | None = None
    home: ChannelId | None = None
    message: MessageId | None = None  # or NO_MESSAGE
    preset: str | None = None  # from here on: new terms of a lobby
    options: Mapping[str, Any] | None = None
    rules: int | None = None
    seats: int | None = None
    pace: Pace | None = None
    edition: int | None = None
    revised: Revision | None = None  # the last of the terms
    chairs: tuple[Chair, ...] = ()  # replace all chairs
    sittings: tuple[Sitting, ...] = ()  # are added
    sits_in: str | None = None  # the mark of a new substitute
    duplicate_id: int | None = None  # of a duplicate's lobby
    parts: tuple[DuplicateSeat, ...] = ()  # are added
    touch_deadline: bool = False  # whether the deadline is replaced
    deadline: Deadline | None = None  # with touch_deadline; None removes it
    times: tuple[SeatTime, ...] | None = None  # replace all times of seats
    cuts: tuple[Cut, ...] | None = None  # replace all words
    seed: str | None = field(default=None, repr=False)  # the final seed, with the players' words mixed in
    outcome: MatchOutcome | None = None  # of an ended match, here and below
    score: DetailedScore | None = None
    openings: str = field(default="", repr=False)  # the start positions of the hands of a long match
    counts: bool | None = None
    stakes: bool | None = None
    ended: MatchEnding | None = None
    channel: ChannelId | None = None
    paused: bool | None = None  # replaces held and suspended_since as well
    held: timedelta | None = None
    suspended_since: datetime | None = None
    moderation: Moderation | None = None
    place: AccessChannel | None = None
    own_pace: Pace | None = None
    premove_at: datetime | None = None  # or NEVER
    votes: int | None = None
    unrated: bool | None = None
    sent: str = ""  # the key of a message to delete from the outbox
    effects: tuple[PendingEffect, ...] = ()  # new effects for the outbox

    def after(self, row: TableRow) -> TableRow:
        """Return the row with this change applied."""
        given = {name: value for name in REPLACED_FIELDS if (value := getattr(self, name)) not in (None, ())}
        if self.message == NO_MESSAGE:
            given["message"] = None
        if self.premove_at == NEVER:
            given["premove_at"] = None
        if self.paused is not None:
            given |= {"held": self.held, "suspended_since": self.suspended_since}
        if self.touch_deadline:
            given["deadline"] = self.deadline
        if self.times is not None:
            given["times"] = self.times
        if self.cuts is not None:
            given["cuts"] = self.cuts
        if self.phase in ENDED_PHASES:
            given["times"] = ()
        return replace(row, steps=row.steps + self.steps, **given)


# The fields that a change replaces in a row. Other common fields are appended, or follow a rule of their own.
RULED_APART = ("steps", "deadline", "held", "suspended_since", "times", "cuts")
_KEPT = {part.name for part in fields(TableRow)} - {*RULED_APART}
REPLACED_FIELDS = tuple(part.name for part in fields(TableChange) if part.name in _KEPT)


@dataclass(frozen=True, slots=True)
class Ping:
    """A short message that mentions people who have something to do or to learn at a table.

    user: an awaited player, until their action; or the constant that stands for other recipients: the invitees of a
    lobby, spectators, the line for a seat, or the players after the first deal.
    """

    table: TableId
    user: UserId
    channel: ChannelId
    message: MessageId


@dataclass(frozen=True, slots=True)
class PendingTurn:
    """A player with a pending action at a slow table.

    asked: names the pending action. ready: the earliest time of the notification. remind: the time of the reminder;
    ends: the deadline; None without a clock. told: the time of the notification, or of the player's own look at the
    table. reminded: whether the reminder was sent. together: whether several players act at the same time. guild,
    home: the place of the table.
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
class TurnNotice:
    """A message that listed the slow tables with a pending action of the user.

    guild: the server of the message; None for a direct message. kind: the reason of the message. over: whether a
    table on the list has continued since, which allows another notice. gone: whether the message was deleted.
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
    """A spectator who asked for notifications about a table.

    hands: the number of finished hands already announced to the spectator. seat: whether the spectator waits for a
    free seat. told: the time of the last notification.
    """

    table_id: TableId
    user: UserId
    hands: int
    seat: bool = False
    told: datetime | None = None


SEAT_PING: Final = UserId(2)  # instead of a user id: for pings of people in line
WAIT_LIMIT: Final = timedelta(hours=1)  # from the place in line to its expiry
ANSWER_LIMIT: Final = timedelta(minutes=2)  # from the question to its expiry


@dataclass(frozen=True, slots=True)
class Waiter:
    """A person in line for a seat at a table.

    asked_at, seat: when the person was asked to take which seat; None before.
    """

    user: UserId
    table_id: TableId
    since: datetime
    asked_at: datetime | None = None
    seat: int | None = None

    @property
    def until(self) -> datetime:
        """The end of the question, or of the place in line before it."""
        return self.since + WAIT_LIMIT if self.asked_at is None else self.asked_at + ANSWER_LIMIT


@dataclass(frozen=True, slots=True)
class TableWait:
    """A user who asked for a notification of the next table in a channel.

    game: the game wanted, "" for every game.
    """

    user: UserId
    guild: GuildId
    channel: ChannelId
    game: str
    until: datetime


@dataclass(frozen=True, slots=True)
class DirectChannel:
    """The channel of direct messages with a user, and the time of its opening."""

    user: UserId
    channel: ChannelId
    opened: datetime


@dataclass(frozen=True, slots=True)
class PrivateThread:
    """The user's private thread under a channel, the substitute for closed direct messages."""

    user: UserId
    channel: ChannelId
    thread: ChannelId
    guild: GuildId


@dataclass(frozen=True, slots=True)
class Departure:
    """The removal of the bot from a server, and the time of the removal."""

    guild: GuildId
    at: datetime


@dataclass(frozen=True, slots=True)
class SeatedPerson:
    """A player who acts for themselves at a table or in its lobby."""

    guild: GuildId
    table: TableId
    user: UserId


@dataclass(frozen=True, slots=True)
class TableHome:
    """The home channel of an open table, and whether the table is suspended."""

    table: TableId
    home: ChannelId
    suspended: bool
