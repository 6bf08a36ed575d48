"""Facts: what a decision needs to know beside the state of its table, asked for on demand.

A decision asks a `Question`; where the answer is not known yet, `Unanswered` is raised, the shell finds the answer and
decides again. That is safe because deciding changes nothing. Random draws are questions too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, TypeAlias, TypeVar, cast

from bot.ground.day import Day
from bot.ground.duplicate import Duplicate
from bot.ground.ids import ChannelId, UserId
from bot.ground.names import Reserved
from bot.ground.pace import Pace
from bot.ground.place import Place
from bot.ground.separation import Apart
from bot.ground.server_settings import PLAIN, ServerSettings
from bot.rules.actions import Action
from bot.rules.match import Match
from bot.rules.record import Record
from bot.table.core.pace import Durations

T = TypeVar("T")
Moves: TypeAlias = tuple[tuple[int, Action], ...]  # seats and what they do, in this order


class Question(Generic[T]):
    """A question with answers of one type; two questions with equal fields are the same one."""


@dataclass(frozen=True, slots=True)
class CanWrite(Question[bool]):
    """Whether the bot may write in a channel."""

    channel: ChannelId


@dataclass(frozen=True, slots=True)
class PlaceOf(Question[Place]):
    """The channel whose permissions govern who may see a table played in this channel.

    noted: the place as the table has it, for a channel that is gone or that Discord does not answer for.
    """

    channel: ChannelId
    noted: Place | None = None


@dataclass(frozen=True, slots=True)
class BarredUntil(Question[datetime | None]):
    """Until when a moderator keeps a player from the tables of a channel; None where no bar is in force."""

    channel: ChannelId
    user: UserId


@dataclass(frozen=True, slots=True)
class Separation(Question[Apart]):
    """Whether a newcomer and one of the players have chosen not to play with each other."""

    user: UserId
    players: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class SeatedElsewhere(Question[frozenset[UserId]]):
    """The users among these who have or had a seat at another table of the same duplicate."""

    number: int
    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class DuplicateOf(Question[Duplicate | None]):
    """The duplicate with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class NumberOf(Question[int]):
    """The number of a new duplicate, which is stored when this is answered: ask after everything that may refuse."""

    new: Duplicate


@dataclass(frozen=True, slots=True)
class ForgottenAt(Question[datetime | None]):
    """When the data of a user was deleted last; None for never."""

    user: UserId


@dataclass(frozen=True, slots=True)
class RecentDeletions(Question[Mapping[UserId, datetime]]):
    """The users among these whose data was deleted so recently that no match with them is rated, and when."""

    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class MarkOf(Question[str]):
    """The keyed hash by which a user is recognised after a deletion."""

    user: UserId


@dataclass(frozen=True, slots=True)
class HasSubstituted(Question[bool]):
    """Whether the user with this mark is or was a substitute at the table."""

    mark: str


@dataclass(frozen=True, slots=True)
class WorkingHours(Question[Mapping[UserId, Day]]):
    """The hours in which the clocks of these users run. vacations: whether their vacations stop a clock."""

    users: tuple[UserId, ...]
    vacations: bool


@dataclass(frozen=True, slots=True)
class HandDuration(Question[timedelta | None]):
    """How long a hand of a game has taken on this server at a pace; None as long as too few matches were finished."""

    game: str
    pace: Pace


@dataclass(frozen=True, slots=True)
class Replay(Question[Match]):
    """The match that a record leads to."""

    record: Record = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlayedOut(Question[tuple[Match, Moves]]):
    """A match after house players have played it to its end on all seats, and what they did.

    ply: the number of actions before, which tells one such question from another.
    """

    ply: int
    match: Match = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PremoveDelay(Question[timedelta]):
    """A random delay before a premove is carried out."""


class Unanswered(Exception):
    """A decision needs the answer to a question first."""

    def __init__(self, question: Question[object]) -> None:
        self.question = question


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known when a command is decided.

    now: the time, the same throughout one command. durations: the time limits of this bot. server: the settings of the
    table's server. reserved: what no player's name may look like, see ``bot.ground.names.looks``. answers: to the
    questions asked so far.
    """

    now: datetime
    durations: Durations = field(default_factory=Durations)
    server: ServerSettings = PLAIN
    reserved: Reserved = field(default=frozenset(), repr=False)
    answers: tuple[tuple[Question[object], object], ...] = field(default=(), repr=False)

    def ask(self, question: Question[T]) -> T:
        """Return the answer to a question. Raises Unanswered where it is not known yet."""
        for asked, answer in self.answers:
            if asked == question:
                return cast(T, answer)
        raise Unanswered(cast(Question[object], question))

    def knowing(self, question: Question[object], answer: object) -> Facts:
        """Return these facts with one more answer."""
        assert question not in [asked for asked, _ in self.answers], f"{question} is asked twice"
        return Facts(self.now, self.durations, self.server, self.reserved, (*self.answers, (question, answer)))
