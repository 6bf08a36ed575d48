"""The environment of a table: storage, publishing, time and configuration.

Protocols only, to keep SQL and Discord out of the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, overload

from bot.ai_pool.moves import InThreadMoveChooser, MoveChooser
from bot.domain.effects import PendingEffect
from bot.domain.ids import AccessChannel, ChannelId, GuildId, TableId, UserId
from bot.domain.names import Reserved
from bot.domain.operator_notice import OperatorState
from bot.domain.server_settings import ServerSettings
from bot.runtime.metrics import MetricsRecorder
from bot.runtime.workers import Workers
from bot.scene import PublicScene, Scene
from bot.store.rows import TableRow
from bot.table.core.commands import Command
from bot.table.core.state import TableState
from bot.table.core.time_control import Durations

if TYPE_CHECKING:  # worker processes import this module, and need no database
    from bot.store.store import Store


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

    def resume_play(self) -> None:
        """Redraw the table, and start house players to move."""
        ...

    async def do(self, command: Command) -> None:
        """Execute a command. Raises Refused, TooLate or Illegal, and StoreError."""
        ...

    async def wait_until_idle(self, patience: float) -> None:
        """Wait up to ``patience`` seconds for the end of quick house actions."""
        ...


class TablePublisher(Protocol):
    """Publishes saved changes, as `TableDelivery` in `bot/delivery/table_delivery.py` does.

    Every method returns at once and never raises.
    """

    def changed(self, table: ShownTable) -> None:
        """Redraw the table."""
        ...

    def perform(self, effects: Iterable[PendingEffect], *, doubtful: bool = False) -> None:
        """Start the Discord effects of a change. doubtful: the save may have failed."""
        ...

    def notify_suspension(self, table: ShownTable) -> None:
        """Notify the people concerned of the suspension, outside the channel."""
        ...

    def check_access(self, table: ShownTable, user: UserId) -> None:
        """Check whether a user can see the table; the answer arrives as `AccessFound`."""
        ...


@dataclass(slots=True)
class KnownDecisions:
    """The operator's current decisions. known: replaced on every change."""

    known: OperatorState = field(default_factory=OperatorState)


async def public_place(_guild: GuildId, channel: ChannelId, _noted: AccessChannel | None = None) -> AccessChannel:
    """Return any channel as visible to everybody."""
    return AccessChannel(channel)


class FindPlace(Protocol):
    """Finds the parent channel and visibility of a channel; never raises."""

    def __call__(
        self, guild: GuildId, channel: ChannelId, noted: AccessChannel | None = None, /
    ) -> Awaitable[AccessChannel]:
        """Return the place. noted: the earlier answer, for a deleted or unreachable channel."""
        ...


@dataclass(frozen=True, slots=True)
class Environment:
    """The shared environment of all tables.

    wake: called with each new deadline. house_delay: mean delay of a house player in seconds at a live table. reserved:
    names nobody may resemble, see ``bot.domain.names.distinct_name``. server_settings: only of servers that changed
    any. may_write: tells whether the bot can write into a channel. watch: records metrics, if any. decisions: the
    operator's. move_chooser: chooses house moves. workers: run long computations.
    """

    store: Store
    publisher: TablePublisher
    now: Callable[[], datetime]
    wake: Callable[[datetime], None]
    _: KW_ONLY
    durations: Durations = field(default_factory=Durations)
    house_delay: float = 0.0
    reserved: Reserved = frozenset()
    find_place: FindPlace = public_place
    server_settings: Mapping[GuildId, ServerSettings] = field(default_factory=dict)
    may_write: Callable[[ChannelId], bool] = lambda _channel: True
    watch: MetricsRecorder | None = None
    decisions: KnownDecisions = field(default_factory=KnownDecisions)
    move_chooser: MoveChooser = field(default_factory=InThreadMoveChooser)
    workers: Workers = field(default_factory=Workers)
