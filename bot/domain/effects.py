"""Effects: the work that remains to be done on Discord once a change has been written, as values.

An effect is a row of the outbox from the transaction of its change until the effect is done, so no stop loses one. An
effect names people by their ids, since a deletion must find a person in these rows. A message that is being sent is
remembered beside them.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_type_hints

from bot.domain.chairs import Vote
from bot.domain.ids import ChannelId, GuildId, MessageId, PlayerId, TableId, UserId
from bot.domain.names import ids_in

Value: TypeAlias = str | int | timedelta
Occasion: TypeAlias = Literal["hand ended", "match ended", "seat free"]


@dataclass(frozen=True, slots=True)
class Announcement:
    """A sentence for all at a table.

    sentence: an English message id; `{table}` becomes the table's name. values: names and numbers in it. users: whom
    these name. channel: what `{channel}` becomes. reason: what `{reason}` becomes, as a moderator typed it. called: the
    players whom the message mentions, at `{people}`.
    """

    sentence: str
    values: Mapping[str, Value] = field(default_factory=dict)
    users: tuple[UserId, ...] = ()
    channel: ChannelId | None = None
    reason: str = ""
    called: tuple[UserId, ...] = ()


@dataclass(frozen=True, slots=True)
class Signpost:
    """A lobby's board that becomes the way to the thread of its match."""

    channel: ChannelId
    lobby: MessageId
    thread: ChannelId


@dataclass(frozen=True, slots=True)
class ThreadOpening:
    """The first message in the thread of a match, which adds the players to the thread."""

    thread: ChannelId


@dataclass(frozen=True, slots=True)
class ThreadRemoval:
    """The deletion of a private thread in which no match has begun, once its table is closed or played elsewhere."""

    thread: ChannelId


@dataclass(frozen=True, slots=True)
class Deletion:
    """The deletion of a message of the bot that is of no use any more."""

    channel: ChannelId
    message: MessageId


@dataclass(frozen=True, slots=True)
class Redraw:
    """A board that may not show the present state of its table, and calls that may not have been made.

    anew: whether the board is posted again below.
    """

    anew: bool = False


@dataclass(frozen=True, slots=True)
class ServerRedraw:
    """All boards of a server, of which the settings have changed. stakes: whether these were switched on or off."""

    stakes: bool = False


@dataclass(frozen=True, slots=True)
class StakesChange:
    """A lobby that follows its server, on which stakes were switched on or off."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder of the players for whom a table waits at a moment of its match."""

    moment: int


@dataclass(frozen=True, slots=True)
class ShutOutNotice:
    """A message that a table waits for a player who cannot see it."""

    user: UserId


@dataclass(frozen=True, slots=True)
class Invitation:
    """A call of people, or of everybody with a role, to a lobby. by: the player who calls them."""

    by: UserId
    users: tuple[UserId, ...] = ()
    role: int | None = None


@dataclass(frozen=True, slots=True)
class LobbyOpening:
    """A look for people who asked to hear of the next table in a channel. host: who has opened that table."""

    host: UserId


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """A call of the people who asked to hear of the next table in a channel. host: who has opened that table."""

    host: UserId
    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class WatcherCall:
    """A call of people who watch a table."""

    occasion: Occasion
    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class DebtNotice:
    """A direct message that the other of two people calls their debt settled.

    channel: of the ledger. pair: both. by: who says so. user: the reader.
    """

    channel: ChannelId
    pair: tuple[PlayerId, ...]
    by: PlayerId
    user: UserId


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A seat of a running match that a house player has, since the data of whoever played there is deleted.

    vote: what that player had asked the others for.
    """

    seat: int
    vote: Vote


@dataclass(frozen=True, slots=True)
class SheetUpdate:
    """The sheet that compares the tables of a duplicate."""


@dataclass(frozen=True, slots=True)
class DuplicateInvitation:
    """A message that invites a channel to play the deals of a duplicate.

    user, name: of the player who invites. hands: how many are played, at several tables; None where each plays alone.
    """

    channel: ChannelId
    number: int
    user: UserId
    name: str
    hands: int | None = None


@dataclass(frozen=True, slots=True)
class WelcomeMessage:
    """What a server reads when the bot has joined it."""

    channel: ChannelId


Effect: TypeAlias = (
    Announcement
    | Signpost
    | ThreadOpening
    | ThreadRemoval
    | Deletion
    | Redraw
    | ServerRedraw
    | StakesChange
    | Reminder
    | ShutOutNotice
    | Invitation
    | LobbyOpening
    | WaitingCall
    | WatcherCall
    | DebtNotice
    | Vacancy
    | SheetUpdate
    | DuplicateInvitation
    | WelcomeMessage
)
KINDS: Final[Mapping[str, type[Effect]]] = {
    "announcement": Announcement,
    "signpost": Signpost,
    "thread opening": ThreadOpening,
    "thread removal": ThreadRemoval,
    "deletion": Deletion,
    "redraw": Redraw,
    "server": ServerRedraw,
    "stakes": StakesChange,
    "reminder": Reminder,
    "shut out": ShutOutNotice,
    "invitation": Invitation,
    "lobby": LobbyOpening,
    "waiting call": WaitingCall,
    "watcher call": WatcherCall,
    "debt": DebtNotice,
    "vacancy": Vacancy,
    "sheet update": SheetUpdate,
    "duplicate": DuplicateInvitation,
    "welcome": WelcomeMessage,
}
NEWS: Final = ("announcement", "duplicate", "reminder")  # of no interest a day later
LASTING_EFFECTS: Final = tuple(kind for kind in KINDS if kind not in NEWS)
NAMES: Final[Mapping[type[Effect], str]] = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Pending:
    """An effect that is to be done.

    key: of its row, and of the message that it sends, if it sends one. table: which it is about, None for none.
    """

    key: str
    effect: Effect
    guild: GuildId
    table: TableId | None
    at: datetime


def pending(effect: Effect, guild: GuildId, table: TableId | None, at: datetime) -> Pending:
    """Return an effect that is to be done. Of some kinds there is one at a time."""
    return Pending(f"{NAMES[type(effect)]} {_only(effect, table)}", effect, guild, table, at)


def _only(effect: Effect, table: TableId | None) -> str:
    """Return the second half of a key."""
    match effect:
        case LobbyOpening() | Redraw(anew=False):
            return str(table)
        case DuplicateInvitation():
            return str(effect.number)
        case _:
            return secrets.token_hex(8)


def named_in(effect: Effect) -> frozenset[UserId]:
    """Return the people whose ids stand in an effect: in its fields, and in texts that somebody has typed."""
    found = set[UserId]()
    for name, kind in _hints(NAMES[type(effect)]).items():
        value = getattr(effect, name)
        if kind is UserId:
            found.add(value)
        elif kind == tuple[UserId, ...]:
            found.update(value)
        elif name != "sentence":
            texts = value.values() if isinstance(value, Mapping) else (value,)
            found.update(*(ids_in(text) for text in texts if isinstance(text, str)))
    return frozenset(found)


@cache
def _hints(kind: str) -> Mapping[str, Any]:
    return get_type_hints(KINDS[kind])


def pack(effect: Effect) -> str:
    """Return an effect as text."""
    return json.dumps(asdict(effect), default=lambda span: {"seconds": span.total_seconds()}, ensure_ascii=False)


def unpack(kind: str, text: str) -> Effect:
    """Return the effect of a text. kind: a key of KINDS."""
    parts: dict[str, Any] = json.loads(text, object_hook=_span_or_parts)
    make: Callable[..., Effect] = KINDS[kind]
    return make(**{name: tuple(part) if isinstance(part, list) else part for name, part in parts.items()})


def _span_or_parts(parts: dict[str, Any]) -> object:
    return timedelta(seconds=parts["seconds"]) if parts.keys() == {"seconds"} else parts


BOARD, SHEET, SEASON = "board", "sheet", "season"
LASTING: Final = (BOARD, SHEET, SEASON)  # the kinds of messages that are tried until their id is stored


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A message that is being sent.

    key: identifies the message; contains no person's id. user: the reader of a direct message, 0 for none.
    nonce: of every try, 0 before the first. at: when that began.
    """

    key: str
    guild: GuildId
    user: UserId
    channel: ChannelId
    nonce: int
    at: datetime


def board_key(table: TableId) -> str:
    """Return the key of a table's board."""
    return f"{BOARD} {table}"


def sheet_key(duplicate: int) -> str:
    """Return the key of the sheet of a duplicate."""
    return f"{SHEET} {duplicate}"


def season_key(guild: GuildId, number: int) -> str:
    """Return the key of the message that tells how a season of a server ended."""
    return f"{SEASON} {guild} {number}"
