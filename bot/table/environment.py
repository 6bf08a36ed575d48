"""The environment of a table: storage, publishing, time and configuration.

Protocols only, to keep SQL and Discord out of the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol, overload

from bot.ai_pool.requests import MoveChooser, ThreadChooser
from bot.domain.chairs import Chair
from bot.domain.duplicates import Duplicate
from bot.domain.effects import Pending
from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.names import Reserved
from bot.domain.operator_notice import Upkeep
from bot.domain.pace import Deadline, Pace
from bot.domain.places import Place
from bot.domain.preferences import Apart
from bot.domain.server_settings import ServerSettings
from bot.domain.working_hours import Day
from bot.runtime.metrics import Watch
from bot.runtime.workers import Workers
from bot.scene import PublicScene, Scene
from bot.store.rows import Change, NewTable, TableRow
from bot.table.core.commands import Command
from bot.table.core.pace import Durations
from bot.table.core.state import TableState


class TableStore(Protocol):
    """The storage of tables."""

    async def new_table(self, new: NewTable, chairs: tuple[Chair, ...], deadline: Deadline | None) -> TableRow:
        """Save a new table."""
        ...

    async def lobbies(self, guild: GuildId, host: UserId) -> tuple[int, int]:
        """Count the open lobbies of a server, and those hosted by this person."""
        ...

    async def load(self, table: TableId) -> TableRow | None:
        """Return a table, or None for an unknown table."""
        ...

    def mark(self, user: UserId) -> str:
        """Return a keyed hash of a person: recognizable, never reversible."""
        ...

    async def barred(self, channel: ChannelId, mark: str, now: datetime) -> datetime | None:
        """Return the end of a ban from seats of a channel for this mark, None without a ban."""
        ...

    async def apart_from(self, user: UserId, others: Collection[UserId]) -> Apart:
        """Tell whether a block exists between a person and any of these others."""
        ...

    async def add_duplicate(self, new: Duplicate, invite: Callable[[int], Pending] | None = None) -> int:
        """Save the deals of a new duplicate; return the duplicate's number."""
        ...

    async def duplicate(self, number: int) -> Duplicate | None:
        """Return a duplicate by number."""
        ...

    async def forgotten(self, user: UserId) -> datetime | None:
        """Return the latest time at which the person's data was deleted."""
        ...

    async def deleted_since(self, users: Collection[UserId], since: datetime) -> Mapping[UserId, datetime]:
        """Return the users with a data deletion after that time, each with the latest time."""
        ...

    async def elsewhere(
        self, number: int, users: Collection[UserId], table: TableId | None = None
    ) -> frozenset[UserId]:
        """Return the users with a present or former seat in a duplicate at any table except this one."""
        ...

    async def has_sat_in(self, table: TableId, mark: str) -> bool:
        """Tell whether a person is or was a substitute at a table."""
        ...

    async def days(self, users: Collection[UserId]) -> Mapping[UserId, Day]:
        """Return the working hours of these people."""
        ...

    async def lasting(self, guild: GuildId, game: str, pace: Pace) -> timedelta | None:
        """Return the duration of a hand on a server at this pace, None after too few matches."""
        ...

    async def save(self, table: TableId, change: Change) -> None:
        """Save the change in one transaction, or raise and save nothing."""
        ...


class ShownTable(Protocol):
    """A table as seen by the modules for display and notification.

    id: the table's number in the store. state, row: as saved. moved_on: the message id of the refusal after a drop from
    memory, "" before.
    """

    id: TableId
    state: TableState
    row: TableRow
    moved_on: str

    @overload
    def scene(self, viewer: None) -> PublicScene: ...

    @overload
    def scene(self, viewer: UserId | None) -> Scene: ...

    def go_on(self) -> None:
        """Redraw the table, and start house players to move."""
        ...

    async def do(self, command: Command) -> None:
        """Execute a command. Raises Refused, TooLate or Illegal, and StoreError."""
        ...

    async def at_rest(self, patience: float) -> None:
        """Wait up to ``patience`` seconds for the end of quick house actions."""
        ...


class TablePublisher(Protocol):
    """Publishes saved changes. Every method returns at once and never raises."""

    def changed(self, table: ShownTable) -> None:
        """Redraw the table."""
        ...

    def perform(self, effects: Iterable[Pending], *, doubtful: bool = False) -> None:
        """Start the Discord effects of a change. doubtful: the save may have failed."""
        ...

    def asleep(self, table: ShownTable) -> None:
        """Notify the people concerned of the suspension, outside the channel."""
        ...

    def look_for(self, table: ShownTable, user: UserId) -> None:
        """Check whether a user can see the table; the answer arrives as `AccessFound`."""
        ...


@dataclass(slots=True)
class KnownUpkeep:
    """The operator's current announcement. known: replaced on every change."""

    known: Upkeep = field(default_factory=Upkeep)


async def public_place(_guild: GuildId, channel: ChannelId, _noted: Place | None = None) -> Place:
    """Return any channel as visible to everybody."""
    return Place(channel)


class FindPlace(Protocol):
    """Finds the parent channel and visibility of a channel; never raises."""

    def __call__(self, guild: GuildId, channel: ChannelId, noted: Place | None = None, /) -> Awaitable[Place]:
        """Return the place. noted: the earlier answer, for a deleted or unreachable channel."""
        ...


@dataclass(frozen=True, slots=True)
class Environment:
    """The shared environment of all tables.

    wake: called with each new deadline. house_delay: mean delay of a house player in seconds at a live table. reserved:
    names nobody may resemble, see ``bot.domain.names.called``. chosen: the servers' settings. writable: tells whether
    the bot can write into a channel. watch: records metrics, if any. upkeep: the operator's announcement. move_chooser:
    chooses house moves. workers: run long computations.
    """

    store: TableStore
    publisher: TablePublisher
    now: Callable[[], datetime]
    wake: Callable[[datetime], None]
    durations: Durations = field(default_factory=Durations)
    house_delay: float = 0.0
    reserved: Reserved = frozenset()
    place: FindPlace = public_place
    chosen: Mapping[GuildId, ServerSettings] = field(default_factory=dict)
    writable: Callable[[ChannelId], bool] = lambda _channel: True
    watch: Watch | None = None
    upkeep: KnownUpkeep = field(default_factory=KnownUpkeep)
    move_chooser: MoveChooser = field(default_factory=ThreadChooser)
    workers: Workers = field(default_factory=Workers)
