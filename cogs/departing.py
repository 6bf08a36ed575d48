"""Servers and channels that go away: their tables end, and their people are free.

Knows what Discord says about it. Refuses to know what becomes of a match then: that is the table's.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.people.presence import place_of
from bot.table.table import Table

log = logging.getLogger(__name__)


class Departing(commands.Cog):
    """Ends the tables of what is gone."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """End the tables of a deleted channel."""
        place = place_of(channel)
        await self._end(await self.bot.store.in_channel(channel.id), lambda table: table.lose_place(place))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """End the table of a deleted thread."""
        place = place_of(payload.thread) if payload.thread else None
        await self._end(await self.bot.store.in_channel(payload.thread_id), lambda table: table.lose_place(place))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """End the tables of a server that does not want the bot any more; the rest of it goes after a while."""
        await self.bot.store.depart(guild.id, self.bot.now())
        await self._end(await self.bot.store.in_guild(guild.id), Table.close)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Keep what is kept of a server that wants the bot again."""
        await self.bot.store.come_back(guild.id)

    async def _end(self, tables: tuple[int, ...], work: Callable[[Table], Awaitable[None]]) -> None:
        for table in tables:
            try:
                await work(await self.bot.tables.get(table))
            except Exception:
                log.exception("Table %s stays open though its place is gone; its next board ends it", table)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Departing(bot))
