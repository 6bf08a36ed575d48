"""Facts: inputs of a decision beyond the table's state, asked for on demand.

A decision asks a `Question`; for an unknown answer it raises `MissingFact`, the shell finds the answer and decides
again. Deciding changes nothing, so repetition is safe. Random draws are questions too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime, timedelta
from typing import Generic, TypeAlias, TypeVar, cast

from bot.domain.contests import Duplicate
from bot.domain.ids import AccessChannel, ChannelId, TableId, UserId
from bot.domain.names import Reserved
from bot.domain.pace import Pace
from bot.domain.preferences import BlockState
from bot.domain.rating import RatingChange
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings
from bot.domain.working_hours import WorkSchedule
from bot.rules.core.asks import Action
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.store.rows import Waiter
from bot.table.core.time_control import Durations

T = TypeVar("T")
Moves: TypeAlias = tuple[tuple[int, Action], ...]  # seats and actions, in order


class Question(Generic[T]):
    """A question with answers of one type; two questions with equal fields are the same one."""


@dataclass(frozen=True, slots=True)
class CanWrite(Question[bool]):
    """Whether the bot may write in a channel."""

    channel: ChannelId


@dataclass(frozen=True, slots=True)
class PlaceOf(Question[AccessChannel]):
    """The channel whose permissions govern access to a table played in this channel.

    noted: the table's saved place, for a deleted or unreachable channel.
    """

    channel: ChannelId
    noted: AccessChannel | None = None


@dataclass(frozen=True, slots=True)
class BarredUntil(Question[datetime | None]):
    """The end of a moderator's ban from the tables of a channel; None without a ban."""

    channel: ChannelId
    user: UserId


@dataclass(frozen=True, slots=True)
class Separation(Question[BlockState]):
    """Whether a block exists between a newcomer and one of the players."""

    user: UserId
    players: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class SeatedElsewhere(Question[frozenset[UserId]]):
    """The users with a present or former seat at another table of the same duplicate."""

    number: int
    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class DuplicateOf(Question[Duplicate | None]):
    """The duplicate with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class NumberOf(Question[int]):
    """The number of a new duplicate, saved on answering: ask after every rule with a refusal."""

    new: Duplicate


@dataclass(frozen=True, slots=True)
class ForgottenAt(Question[datetime | None]):
    """The latest time at which a user's data was deleted; None for never."""

    user: UserId


@dataclass(frozen=True, slots=True)
class RecentDeletions(Question[Mapping[UserId, datetime]]):
    """The users with a data deletion too recent for rated matches, with its time."""

    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class MarkOf(Question[str]):
    """The keyed hash of a user, to recognise the user after a deletion."""

    user: UserId


@dataclass(frozen=True, slots=True)
class HasSubstituted(Question[bool]):
    """Whether the user with this mark is or was a substitute at the table."""

    mark: str


@dataclass(frozen=True, slots=True)
class AskedWaiters(Question[tuple[Waiter, ...]]):
    """The people in line who are asked whether they take a free seat of the table."""


@dataclass(frozen=True, slots=True)
class LineLength(Question[int]):
    """The number of people in line for a seat of the table."""


@dataclass(frozen=True, slots=True)
class WorkingHours(Question[Mapping[UserId, WorkSchedule]]):
    """The working hours of these users. vacations: whether vacations stop a clock."""

    users: tuple[UserId, ...]
    vacations: bool


@dataclass(frozen=True, slots=True)
class HandDuration(Question[timedelta | None]):
    """The duration of a hand of a game on this server at a pace; None after too few matches."""

    game: str
    pace: Pace


@dataclass(frozen=True, slots=True)
class RatingChanges(Question[Mapping[int, RatingChange]]):
    """The changes of ratings by the finished match of a table, by seat."""

    table: TableId


@dataclass(frozen=True, slots=True)
class CountOpenLobbies(Question[tuple[int, int]]):
    """The numbers of open lobbies: on this server, and of this host among them.

    live: live lobbies, or others.
    """

    host: UserId
    live: bool


@dataclass(frozen=True, slots=True)
class Replay(Question[Match]):
    """The match after the steps of a record."""

    record: Record = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlayedOut(Question[tuple[Match, Moves]]):
    """A match played to its end by house players on all seats, and their actions.

    ply: the number of actions before, to tell two such questions apart.
    """

    ply: int
    match: Match = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PremoveDelay(Question[timedelta]):
    """A random delay before a premove."""


class MissingFact(Exception):
    """A decision needs the answer to a question first."""

    def __init__(self, question: Question[object]) -> None:
        self.question = question


@dataclass(frozen=True, slots=True)
class Facts:
    """The known facts of a decision.

    now: the time, constant throughout one command. durations: the time limits of this bot. server: the settings of the
    table's server. reserved: names no player may resemble, see ``bot.domain.names.looks``. answers: to the questions so
    far.
    """

    now: datetime
    _: KW_ONLY
    durations: Durations = field(default_factory=Durations)
    server: ServerSettings = DEFAULT_SETTINGS
    reserved: Reserved = field(default=frozenset(), repr=False)
    answers: tuple[tuple[Question[object], object], ...] = field(default=(), repr=False)

    def ask(self, question: Question[T]) -> T:
        """Return the answer to a question. Raises MissingFact for an unknown answer."""
        for asked, answer in self.answers:
            if asked == question:
                return cast(T, answer)
        raise MissingFact(cast(Question[object], question))

    def knowing(self, question: Question[object], answer: object) -> Facts:
        """Return these facts with one more answer."""
        assert question not in [asked for asked, _ in self.answers], f"{question} is asked twice"
        return Facts(
            self.now,
            durations=self.durations,
            server=self.server,
            reserved=self.reserved,
            answers=(*self.answers, (question, answer)),
        )
