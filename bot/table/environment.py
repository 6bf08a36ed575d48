"""The environment of a table: the store, the parts that tell of it, the time.

Protocols only, so that a table knows neither SQL nor Discord.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol, overload

from bot.ai_pool.requests import MoveChooser, ThreadChooser
from bot.ground.chair import Chair
from bot.ground.day import Day
from bot.ground.duplicate import Duplicate
from bot.ground.effects import Pending
from bot.ground.ids import ChannelId, GuildId, TableId, UserId
from bot.ground.names import Reserved
from bot.ground.pace import Deadline, Pace
from bot.ground.place import Place
from bot.ground.separation import Apart
from bot.ground.server_settings import ServerSettings
from bot.ground.upkeep import Upkeep
from bot.ground.watch import Watch
from bot.ground.workers import Workers
from bot.scene import PublicScene, Scene
from bot.store.rows import Change, NewTable, TableRow
from bot.table.core.commands import Command
from bot.table.core.pace import Durations
from bot.table.core.state import TableState


class TableStore(Protocol):
    """What tables need of a store."""

    async def new_table(self, new: NewTable, chairs: tuple[Chair, ...], deadline: Deadline | None) -> TableRow:
        """Write a new table."""
        ...

    async def lobbies(self, guild: GuildId, host: UserId) -> tuple[int, int]:
        """Count the open lobbies of a server, and those among them that this person has opened."""
        ...

    async def load(self, table: TableId) -> TableRow | None:
        """Return a table, or None if there is no such table."""
        ...

    def mark(self, user: UserId) -> str:
        """Return a keyed hash by which a person can be told again and nobody can find out who it is."""
        ...

    async def barred(self, channel: ChannelId, mark: str, now: datetime) -> datetime | None:
        """Return until when whoever has this mark may not sit down in a channel, None where they may."""
        ...

    async def apart_from(self, user: UserId, others: Collection[UserId]) -> Apart:
        """Tell whether a person would rather not play with any of these, or one of these with them."""
        ...

    async def add_duplicate(self, new: Duplicate, invite: Callable[[int], Pending] | None = None) -> int:
        """Remember deals that several people play; return their number."""
        ...

    async def duplicate(self, number: int) -> Duplicate | None:
        """Return a duplicate."""
        ...

    async def forgotten(self, user: UserId) -> datetime | None:
        """Return when all that was kept about a person was deleted last."""
        ...

    async def deleted_since(self, users: Collection[UserId], since: datetime) -> Mapping[UserId, datetime]:
        """Return who of these people had their data deleted after that moment, and when last."""
        ...

    async def elsewhere(
        self, number: int, users: Collection[UserId], table: TableId | None = None
    ) -> frozenset[UserId]:
        """Return who of these sits in a duplicate, or has sat there, at another table than this one."""
        ...

    async def has_sat_in(self, table: TableId, mark: str) -> bool:
        """Tell whether somebody sits in for somebody else at a table, or has done so."""
        ...

    async def days(self, users: Collection[UserId]) -> Mapping[UserId, Day]:
        """Return when the days of these people run."""
        ...

    async def lasting(self, guild: GuildId, game: str, pace: Pace) -> timedelta | None:
        """Return how long a hand takes on a server at this pace, None as long as few matches have been finished."""
        ...

    async def save(self, table: TableId, change: Change) -> None:
        """Write the change in one transaction, or raise and write nothing."""
        ...


class ShownTable(Protocol):
    """A table as the parts see it that show and tell of it.

    id: the number of the table in the store. state, row: as it stands there. moved_on: why nothing is done or told
    here any more, "" while there is.
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
        """Show the table as it is, and let house players act who are to move."""
        ...

    async def do(self, command: Command) -> None:
        """Carry out a command. Raises Refused, TooLate or Illegal, and StoreError."""
        ...

    async def at_rest(self, patience: float) -> None:
        """Wait some seconds at most until no house player is about to act; not at all where they take their time."""
        ...


class TablePublisher(Protocol):
    """Who is told, always after it has been remembered. Returns at once and never raises."""

    def changed(self, table: ShownTable) -> None:
        """Show the table as it is now."""
        ...

    def perform(self, effects: Iterable[Pending], *, doubtful: bool = False) -> None:
        """Begin what is to be done on Discord after a change. doubtful: if that has been written."""
        ...

    def asleep(self, table: ShownTable) -> None:
        """Tell the people concerned, as far as they can be told elsewhere, that the table is suspended."""
        ...

    def look_for(self, table: ShownTable, user: UserId) -> None:
        """Find out whether somebody sees the table; the answer comes as `AccessFound`."""
        ...


@dataclass(slots=True)
class KnownUpkeep:
    """What holds of what whoever runs the bot has said to all. known: another value as soon as something else holds."""

    known: Upkeep = field(default_factory=Upkeep)


async def public_place(_guild: GuildId, channel: ChannelId, _noted: Place | None = None) -> Place:
    """Say of any channel that everybody sees it."""
    return Place(channel)


class FindPlace(Protocol):
    """Says where a channel of a guild counts as being, and whether everybody sees it; never raises."""

    def __call__(self, guild: GuildId, channel: ChannelId, noted: Place | None = None, /) -> Awaitable[Place]:
        """Return that. noted: what it was before, for a channel that is gone or cannot be asked about."""
        ...


@dataclass(frozen=True, slots=True)
class Environment:
    """What all tables share.

    wake: called with the time of each new deadline. house_delay: seconds that a house player takes on average before it
    acts at a live table. reserved: what nobody's name may look like, see ``bot.ground.names.called``. chosen: what
    owners of guilds have chosen, where they have chosen anything. writable: tells whether the bot may write into a
    channel, as far as is known. watch: who counts what happens, if anybody does. upkeep: what whoever runs the bot has
    said to all. thinking: who thinks for house players. workers: who does what takes long.
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
