"""What is noted of slow tables and of whom they wait for, as notices need it of a store. Refuses to know how."""

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
    """What notices need of a store."""

    async def turns_at(self, table: TableId) -> tuple[Turn, ...]:
        """Return for whom a slow table waits, as far as that is noted."""
        ...

    async def turns_of(self, user: UserId) -> tuple[Turn, ...]:
        """Return which slow tables wait for a person."""
        ...

    async def turns_here(self, user: UserId) -> tuple[Turn, ...]:
        """Return those of them that this process tells somebody of."""
        ...

    async def change_turns(
        self, table: TableId, ended: Collection[UserId], begun: Collection[Turn], look: datetime, under: ChannelId
    ) -> None:
        """Note that a table waits for some no more and for others now; look: when to see what they are to be told.

        under: the channel in which the table is, be it in a thread there.
        """
        ...

    async def take_due(self, now: datetime, again: datetime) -> tuple[UserId, ...]:
        """Return for whom it is to be seen now what they are to be told; again: when to see it once more."""
        ...

    async def next_look(self) -> datetime | None:
        """Return when somebody may have to be told something next."""
        ...

    async def look(self, user: UserId, at: datetime | None) -> None:
        """Note when to see next what a person is to be told."""
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
        """Note of which tables a person has been told, and by which message. key: of that one in the outbox."""
        ...

    async def notices_of(self, user: UserId) -> tuple[Notice, ...]:
        """Return what a person has been told of late, the latest first."""
        ...

    async def notices_in(self, channel: ChannelId, since: datetime) -> tuple[datetime, ...]:
        """Return when there were notices in a channel."""
        ...

    async def over(self) -> tuple[UserId, ...]:
        """Return whose notices still stand though a table of theirs has gone on."""
        ...

    async def notices_standing(self, channel: ChannelId) -> frozenset[MessageId]:
        """Return the notices that stand in a channel."""
        ...

    async def end_notice(self, notice: Notice, deletion: Pending) -> None:
        """Note that a notice is over, and that its message is to be deleted."""
        ...

    async def own_threads_at(self, table: TableId, under: ChannelId) -> tuple[ChannelId, ...]:
        """Return the private threads under a channel of those for whom a table waits."""
        ...

    async def days(self, users: Collection[UserId]) -> Mapping[UserId, Day]:
        """Return when the days of these people run."""
        ...
