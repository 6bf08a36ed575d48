"""The store as far as deals go that many people play: the deal of a day, and duplicates.

Knows what may be asked of them; refuses to know the statements. Every call may raise StoreError.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime

from bot.domain.chairs import Chair
from bot.domain.daily_deal import Tried, Try
from bot.domain.duplicates import Duplicate, Part, Played
from bot.domain.effects import Pending
from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.store.engine.gate import Gate
from bot.store.repositories import daily_deals, day_ends, deal_secrecy, duplicates
from bot.store.rows import NewTable


class SameDeals:
    """What is kept of deals that many people play, and of who has played them."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def may_know(self, user: UserId, table: TableId) -> bool:
        """Tell whether somebody may know the deals of a table: no where they may yet have to play the same."""
        return await self._gate.read(deal_secrecy.may_know, user, table)

    # The deal of a day

    async def begin_try(
        self, new: NewTable, chairs: tuple[Chair, ...], day: date, guild: GuildId | None, house: int
    ) -> TableId:
        """Set up the host's table for the deal of a day; give the one they have where they have begun."""
        return await self._gate.run(daily_deals.begin, new, chairs, day, guild, house)

    async def try_of(self, user: UserId, day: date) -> Try | None:
        """Give somebody's try of a day; None where they have not begun."""
        return await self._gate.read(daily_deals.of_day, user, day)

    async def try_at(self, table: TableId) -> Try | None:
        """Give whose try of which day a table is; None where it is none."""
        return await self._gate.read(daily_deals.at, table)

    async def tried(self, day: date) -> tuple[Tried, ...]:
        """Give what came of the tries of a day that were played to their end in time."""
        return await self._gate.read(daily_deals.of_all, day)

    async def days_tried(self, user: UserId) -> tuple[date, ...]:
        """Give on which days somebody has played the deal of the day to its end, the latest first."""
        return await self._gate.read(daily_deals.days_of, user)

    async def overdue_tries(self, now: datetime) -> tuple[TableId, ...]:
        """Return the tables at which a deal is still played that can be finished no more."""
        return await self._gate.read(daily_deals.overdue, now)

    async def day_is_played(self, day: date, now: datetime) -> bool:
        """Tell whether a day is not over, or somebody may still finish its deal."""
        return await self._gate.read(day_ends.is_played, day, now)

    async def late_day(self, user: UserId, now: datetime) -> tuple[date, datetime] | None:
        """Return a person's day whose deal they may still finish though it is over, and until when."""
        return await self._gate.read(day_ends.late_day, user, now)

    async def next_day_end(self, now: datetime) -> datetime:
        """Return when a deal of a day can be finished no more next."""
        return await self._gate.read(day_ends.next_end, now)

    # Duplicates

    async def add_duplicate(self, new: Duplicate, invite: Callable[[int], Pending] | None = None) -> int:
        """Remember deals that several people play; give their number. invite: how a channel is told of that number."""
        return await self._gate.run(duplicates.add, new, invite)

    async def duplicate(self, number: int) -> Duplicate | None:
        """Give a duplicate, None if there is none."""
        return await self._gate.read(duplicates.load, number)

    async def latest_duplicate(self, guild: GuildId, channel: ChannelId) -> int | None:
        """Give the last duplicate of a channel, or of a thread in which one is played; None if there is none."""
        return await self._gate.read(duplicates.latest, guild, channel)

    async def keep_sheet(self, number: int, message: MessageId) -> None:
        """Remember in which message all read how people compare."""
        await self._gate.run(duplicates.keep_sheet, number, message)

    async def begin_part(self, number: int, new: NewTable, seatings: Sequence[tuple[Chair, ...]]) -> TableId:
        """Set up the host's own table in a duplicate, on the next seat; give the one they have, if any."""
        return await self._gate.run(duplicates.begin, number, new, seatings)

    async def part_of(self, number: int, user: UserId) -> Part | None:
        """Give somebody's part in a duplicate; None where they have not begun."""
        return await self._gate.read(duplicates.of_person, number, user)

    async def elsewhere(
        self, number: int, users: Collection[UserId], table: TableId | None = None
    ) -> frozenset[UserId]:
        """Give who of these sits in a duplicate, or has sat there, at another table than this one."""
        return await self._gate.read(duplicates.elsewhere, number, users, table)

    async def duplicate_at(self, table: TableId) -> int | None:
        """Give the deals of which duplicate are played at a table; None where they are of none."""
        return await self._gate.read(duplicates.at, table)

    async def parts_begun(self, number: int) -> int:
        """Count who has a part in a duplicate."""
        return await self._gate.read(duplicates.begun, number)

    async def duplicate_played(self, number: int) -> tuple[Played, ...]:
        """Give what came of the tables at which a duplicate was played to its end."""
        return await self._gate.read(duplicates.played, number)

    async def played_alike(self, user: UserId) -> tuple[TableId, ...]:
        """Give the tables, where others play the same deals at tables of several, at which somebody has played."""
        return await self._gate.read(duplicates.played_alike, user)

    async def overdue_parts(self, before: datetime) -> tuple[TableId, ...]:
        """Give the tables at which somebody still plays alone in a duplicate that was opened before then."""
        return await self._gate.read(duplicates.overdue, before)
