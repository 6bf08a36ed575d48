"""The storage of turns at slow tables and of notices, as the notices use it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from bot.delivery.notifications.private_threads import OwnThreadStore
from bot.domain.effects import Pending
from bot.domain.ids import ChannelId, MessageId, TableId, UserId
from bot.domain.working_hours import Day
from bot.store.rows import Notice, Turn


class NoticeStore(OwnThreadStore, Protocol):
    """The storage of turns and notices."""

    async def turns_at(self, table: TableId) -> tuple[Turn, ...]:
        """Return the saved turns at a slow table."""
        ...

    async def turns_of(self, user: UserId) -> tuple[Turn, ...]:
        """Return the turns of a user at slow tables."""
        ...

    async def turns_here(self, user: UserId) -> tuple[Turn, ...]:
        """Return the turns of a user for which this process sends notices."""
        ...

    async def change_turns(
        self, table: TableId, ended: Collection[UserId], begun: Collection[Turn], look: datetime, under: ChannelId
    ) -> None:
        """Save the ended and the new turns at a table. look: the time of the next decision on their notices.

        under: the table's channel, or the parent channel of its thread.
        """
        ...

    async def take_due(self, now: datetime, again: datetime) -> tuple[UserId, ...]:
        """Return the users with a decision on notices due now; again: the time of a repeated decision."""
        ...

    async def next_look(self) -> datetime | None:
        """Return the time of the next decision on any user's notices."""
        ...

    async def look(self, user: UserId, at: datetime | None) -> None:
        """Save the time of the next decision on a user's notices."""
        ...

    async def note(
        self,
        user: UserId,
        now: datetime,
        told: Collection[TableId],
        reminded: Collection[TableId] = (),
        sent: Notice | None = None,
        key: str = "",
    ) -> None:
        """Save which tables a user was told about, and by which message. key: of the message in the outbox."""
        ...

    async def notices_of(self, user: UserId) -> tuple[Notice, ...]:
        """Return a user's recent notices, latest first."""
        ...

    async def notices_in(self, channel: ChannelId, since: datetime) -> tuple[datetime, ...]:
        """Return the times of notices in a channel."""
        ...

    async def over(self) -> tuple[UserId, ...]:
        """Return the users with an undeleted notice of a table that has moved on."""
        ...

    async def notices_standing(self, channel: ChannelId) -> frozenset[MessageId]:
        """Return the undeleted notices in a channel."""
        ...

    async def end_notice(self, notice: Notice, deletion: Pending) -> None:
        """Save that a notice has ended, with the deletion of its message."""
        ...

    async def own_threads_at(self, table: TableId, under: ChannelId) -> tuple[ChannelId, ...]:
        """Return the private threads below a channel of the players awaited at a table."""
        ...

    async def days(self, users: Collection[UserId]) -> Mapping[UserId, Day]:
        """Return the working hours of these users."""
        ...
