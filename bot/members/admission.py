"""Access to tables and hands: only for members of the server who can see the channel now.

Checked when needed: at a click, before a ping for a turn, and once a day. A player who has left the server loses the
seat to a house player, as after leaving the table. How Discord is asked belongs to presence.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.domain.ids import GuildId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.members.presence import ANSWER_TIMEOUT, DiscordUnavailable, Presence
from bot.scene import Scene
from bot.store.repositories.tables import TableRepository
from bot.store.rows import SeatedPerson
from bot.table.core.chairs import seat_of
from bot.table.core.commands import RemoveAbsent
from bot.table.environment import ShownTable
from bot.table.registry import TableRegistry
from bot.table.table import Table

log = logging.getLogger(__name__)

DAY, SETTLING = timedelta(days=1), timedelta(minutes=50)
GONE = N_("You're not on that server any more, so a bot is playing for you there.")
UNSEEN = N_("You can't see this table's channel any more, so you can't play there. /table leave gives up your seat.")
UNSEEN_BEFORE = N_("{name} can't see or use this channel any more, so their seat is free.")
NO_TABLE_HERE = N_("There's no such table here.")
CANNOT_ASK = N_("I'm having trouble reaching Discord. Please try again in a minute.")


class Admission:
    """Checks access to tables. now: the current time."""

    def __init__(self, presence: Presence, now: Callable[[], datetime]) -> None:
        self._presence = presence
        self._now = now
        self._looked: datetime | None = None

    async def check(self, interaction: discord.Interaction[Any], table: Table) -> None:
        """Raise Refused unless the user of a click may see the table's channel now."""
        row, user = table.row, UserId(interaction.user.id)
        if row.phase == "closed" and seat_of(row.chairs, user) is not None:
            return  # the channel may be gone; a closed table offers nothing to see or do
        if row.solo:
            if seat_of(row.chairs, user) is None:
                raise Refused(NO_TABLE_HERE)
            return
        try:
            if await self._presence.sees(row.guild, row.home, user):
                return
            here = await self._presence.member(row.guild, user)
        except DiscordUnavailable:
            if interaction.channel_id == row.home and interaction.permissions.view_channel:
                return  # the interaction itself shows the permission
            raise Refused(CANNOT_ASK) from None
        if seat_of(row.chairs, user) is None:
            raise Refused(NO_TABLE_HERE)
        if here is None:
            await table.do(RemoveAbsent(user))
            raise Refused(GONE)
        raise Refused(UNSEEN)

    async def may_see_table(self, interaction: discord.Interaction[Any], table: Table) -> bool:
        """Tell whether a user may know of a table: the user sits there, or sees the channel now."""
        row, user = table.row, UserId(interaction.user.id)
        if row.solo or seat_of(row.chairs, user) is not None:
            return seat_of(row.chairs, user) is not None
        return await self._presence.may_see(row.guild, row.home, user)

    async def is_here(self, table: ShownTable, user: UserId) -> bool:
        """Tell whether a user is still on the table's server; free the seat of an absent user.

        In a match a house player takes the seat over. Returns True if Discord does not answer in time.
        """
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                here = await self._presence.member(table.row.guild, user) is not None
        except (DiscordUnavailable, TimeoutError):
            return True
        if not here:
            await table.do(RemoveAbsent(user))
        return here

    async def free_seats_without_access(self, table: Table) -> list[str]:
        """Free the seats of players who cannot see the lobby now, and announce it there.

        Return their names.
        """
        row = table.row
        there = [(chair.user, chair.name) for chair in row.chairs if chair.user is not None]
        blind = await asyncio.gather(*(self._is_blind(table, user) for user, _ in there))
        freed = [person for person, gone in zip(there, blind, strict=True) if gone]
        for user, _ in freed:
            await table.do(RemoveAbsent(user, UNSEEN_BEFORE))
        return [name for _, name in freed]

    async def _is_blind(self, table: Table, user: UserId) -> bool:
        return await self.is_here(table, user) and await self.is_shut_out(table, user) is True

    async def is_shut_out(self, table: ShownTable, user: UserId) -> bool | None:
        """Tell whether a member of the server cannot see a table; None if Discord does not answer."""
        return await self._presence.is_shut_out(table.row.guild, table.row.home, user)

    async def may_have_hand(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a player may get the hand by message.

        The player has to be a member of the server who sees the channel.
        """
        return await self._presence.may_see(scene.where.guild, scene.where.home, user)

    async def sees(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a user sees a table's channel now. Raises DiscordUnavailable."""
        return await self._presence.sees(scene.where.guild, scene.where.home, user)

    def has_lost(self, scene: Scene, user: UserId) -> bool:
        """Tell from the cache whether a user has left the server or lost access to the channel."""
        return self._presence.has_lost(scene.where.guild, scene.where.home, user)

    async def replace_absent_players_daily(self, seating: TableRepository, tables: TableRegistry) -> None:
        """Replace absent players once a day, first some minutes after the start.

        The bot is less busy by then.
        """
        now = self._now()
        self._looked = self._looked or now - DAY + SETTLING
        if now - self._looked >= DAY:
            self._looked = now
            await self.replace_absent_players(seating, tables)

    async def replace_absent_players(self, seating: TableRepository, tables: TableRegistry) -> None:
        """Give the seats of all players who left their server to house players."""
        seated = await seating.seated_people()
        for guild in dict.fromkeys(person.guild for person in seated):
            await self._look_at(guild, [person for person in seated if person.guild == guild], tables)

    async def _look_at(self, guild: GuildId, seated: Sequence[SeatedPerson], tables: TableRegistry) -> None:
        gone = await self._presence.gone(guild, {person.user for person in seated})
        for person in seated:
            if person.user in gone:
                log.info(
                    "Somebody is gone from server %s: a house player takes a seat at table %s", guild, person.table
                )
                await (await tables.get(person.table)).do(RemoveAbsent(person.user))
