"""Effects: the work on Discord that remains after a change was saved, as values.

An effect is a row of the outbox from the transaction of its change until its completion, so a stop loses none. Effects
refer to users by id, so a deletion finds the user in these rows. Messages on their way are rows of the same table.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, asdict, dataclass, field, fields
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
    """A sentence for everyone at a table.

    sentence: an English message id; `{table}` becomes the table's name. values: the values of its other fields. users:
    the users named in the values. channel: the value of `{channel}`. reason: the value of `{reason}`, as typed by a
    moderator. called: the players mentioned at `{people}`. to_rematch: whether the sentence calls the former players to
    a rematch. back: whether the message has the button that takes a seat back from a house player.
    """

    sentence: str
    _: KW_ONLY
    values: Mapping[str, Value] = field(default_factory=dict)
    users: tuple[UserId, ...] = ()
    channel: ChannelId | None = None
    reason: str = ""
    called: tuple[UserId, ...] = ()
    to_rematch: bool = False
    back: bool = False


@dataclass(frozen=True, slots=True)
class Signpost:
    """A lobby's board that becomes a link to the thread of its match."""

    channel: ChannelId
    lobby: MessageId
    thread: ChannelId


@dataclass(frozen=True, slots=True)
class ThreadOpening:
    """The first message in the thread of a match, which adds the players to the thread."""

    thread: ChannelId


@dataclass(frozen=True, slots=True)
class ThreadRemoval:
    """The deletion of an unused private thread, once its table is closed or played elsewhere."""

    thread: ChannelId


@dataclass(frozen=True, slots=True)
class MessageDeletion:
    """The deletion of an obsolete message of the bot."""

    channel: ChannelId
    message: MessageId


@dataclass(frozen=True, slots=True)
class Redraw:
    """A redraw of a possibly outdated board, and pings possibly still to send.

    anew: whether to repost the board.
    """

    anew: bool = False


@dataclass(frozen=True, slots=True)
class ServerRedraw:
    """A redraw of all boards of a server after a change of settings.

    stakes: whether stakes were switched on or off.
    """

    stakes: bool = False


@dataclass(frozen=True, slots=True)
class StakesChange:
    """A change of a lobby's stakes, after its server has switched stakes on or off."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder of the awaited players at a moment of the match, or of the host of a lobby."""

    moment: int


@dataclass(frozen=True, slots=True)
class ShutOutNotice:
    """A message that a table waits for a player without access to the channel."""

    user: UserId


@dataclass(frozen=True, slots=True)
class Invitation:
    """A ping of users, or of a role, to a lobby. by: the inviting player."""

    by: UserId
    users: tuple[UserId, ...] = ()
    role: int | None = None


@dataclass(frozen=True, slots=True)
class LobbyOpening:
    """A search for users who asked to hear of the next table in a channel.

    host: the host of the new table.
    """

    host: UserId


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """A ping of the users who asked to hear of the next table in a channel.

    host: the host of the new table.
    """

    host: UserId
    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class WatcherCall:
    """A ping of the spectators of a table."""

    occasion: Occasion
    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class SeatCall:
    """A ping of a person in line, whose turn it is to take this seat."""

    user: UserId
    seat: int


@dataclass(frozen=True, slots=True)
class DealCall:
    """A ping of the players who do not see their first hand."""


@dataclass(frozen=True, slots=True)
class DebtNotice:
    """A direct message about a debt that the other player calls settled.

    channel: of the ledger. pair: both players. by: the player who calls the debt settled. user: the recipient.
    """

    channel: ChannelId
    pair: tuple[PlayerId, ...]
    by: PlayerId
    user: UserId


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A seat of a match that fell to a house player when its player's data was deleted.

    vote: the player's open proposal.
    """

    seat: int
    vote: Vote


@dataclass(frozen=True, slots=True)
class ScoresheetUpdate:
    """An update of the scoresheet of a duplicate."""


@dataclass(frozen=True, slots=True)
class RatingUpdate:
    """An update of the ratings after a match, with their changes on the match's end card."""


@dataclass(frozen=True, slots=True)
class DuplicateInvitation:
    """A message that invites a channel to play the deals of a duplicate.

    user, name: the inviting player. hands: the number of hands, for shared tables; None for solo tables.
    """

    channel: ChannelId
    number: int
    user: UserId
    name: str
    _: KW_ONLY
    hands: int | None = None


@dataclass(frozen=True, slots=True)
class WelcomeMessage:
    """The first message on a server after the bot has joined."""

    channel: ChannelId


Effect: TypeAlias = (
    Announcement
    | Signpost
    | ThreadOpening
    | ThreadRemoval
    | MessageDeletion
    | Redraw
    | ServerRedraw
    | StakesChange
    | Reminder
    | ShutOutNotice
    | Invitation
    | LobbyOpening
    | WaitingCall
    | WatcherCall
    | SeatCall
    | DealCall
    | DebtNotice
    | Vacancy
    | ScoresheetUpdate
    | RatingUpdate
    | DuplicateInvitation
    | WelcomeMessage
)
EFFECT_KINDS: Final[Mapping[str, type[Effect]]] = {
    "announcement": Announcement,
    "signpost": Signpost,
    "thread opening": ThreadOpening,
    "thread removal": ThreadRemoval,
    "deletion": MessageDeletion,
    "redraw": Redraw,
    "server": ServerRedraw,
    "stakes": StakesChange,
    "reminder": Reminder,
    "shut out": ShutOutNotice,
    "invitation": Invitation,
    "lobby": LobbyOpening,
    "waiting call": WaitingCall,
    "watcher call": WatcherCall,
    "seat call": SeatCall,
    "deal call": DealCall,
    "debt": DebtNotice,
    "vacancy": Vacancy,
    "sheet update": ScoresheetUpdate,
    "rating update": RatingUpdate,
    "duplicate": DuplicateInvitation,
    "welcome": WelcomeMessage,
}
EXPIRING_EFFECTS: Final = ("announcement", "duplicate", "reminder")  # obsolete after a day
LASTING_EFFECTS: Final = tuple(kind for kind in EFFECT_KINDS if kind not in EXPIRING_EFFECTS)
EFFECT_NAMES: Final[Mapping[type[Effect], str]] = {kind: name for name, kind in EFFECT_KINDS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEffect:
    """An effect to be done.

    key: of its row, and of its message in the outbox, if any. table: the table concerned, if any.
    """

    key: str
    effect: Effect
    guild: GuildId
    table: TableId | None
    at: datetime


def pending_effect(effect: Effect, guild: GuildId, table: TableId | None, at: datetime) -> PendingEffect:
    """Return a new pending effect.

    Some kinds have a fixed key per table, so each exists at most once at a time.
    """
    return PendingEffect(
        key=f"{EFFECT_NAMES[type(effect)]} {_only(effect, table)}", effect=effect, guild=guild, table=table, at=at
    )


def _only(effect: Effect, table: TableId | None) -> str:
    """Return the second part of a key."""
    match effect:
        case LobbyOpening() | Redraw(anew=False):
            return str(table)
        case DuplicateInvitation():
            return str(effect.number)
        case _:
            return secrets.token_hex(8)


def users_named_in(effect: Effect) -> frozenset[UserId]:
    """Return the users whose ids appear in an effect, also in text typed by users."""
    found = set[UserId]()
    for name, kind in _hints(EFFECT_NAMES[type(effect)]).items():
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
    hints = get_type_hints(EFFECT_KINDS[kind])
    return {one.name: hints[one.name] for one in fields(EFFECT_KINDS[kind])}


def pack(effect: Effect) -> str:
    """Return an effect as JSON."""
    return json.dumps(asdict(effect), default=lambda span: {"seconds": span.total_seconds()}, ensure_ascii=False)


def unpack(kind: str, text: str) -> Effect:
    """Return the effect from JSON. kind: a key of EFFECT_KINDS."""
    parts: dict[str, Any] = json.loads(text, object_hook=_span_or_parts)
    make: Callable[..., Effect] = EFFECT_KINDS[kind]
    return make(**{name: tuple(part) if isinstance(part, list) else part for name, part in parts.items()})


def _span_or_parts(parts: dict[str, Any]) -> object:
    return timedelta(seconds=parts["seconds"]) if parts.keys() == {"seconds"} else parts


BOARD, SCORESHEET, SEASON = "board", "sheet", "season"
LASTING_MESSAGES: Final = (BOARD, SCORESHEET, SEASON)  # kinds of messages to retry until their id is saved


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A message on its way.

    key: identifies the message; contains no user id. user: the recipient of a direct message, 0 for none. nonce: the
    nonce of all attempts, 0 before the first. at: the time of the first attempt.
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


def scoresheet_key(duplicate: int) -> str:
    """Return the key of a duplicate's scoresheet."""
    return f"{SCORESHEET} {duplicate}"


def season_key(guild: GuildId, number: int) -> str:
    """Return the key of the message with a season's result."""
    return f"{SEASON} {guild} {number}"
