"""Deleted servers, channels and threads: ends their tables.

What becomes of a match then is decided at the table.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import AccessChannel, ChannelId, GuildId, TableId
from bot.members.presence import place_of
from bot.store.store import Store
from bot.table.core.commands import LoseChannel
from bot.table.registry import TableRegistry
from bot.table.table import Table

log = logging.getLogger(__name__)
MAX_DELETED_CHANNELS = 100


@dataclass(kw_only=True, eq=False, repr=False)
class DeparturesCog(commands.Cog):
    """Ends the tables of deleted channels and threads, and of servers without the bot."""

    client: discord.Client
    now: Callable[[], datetime]
    store: Store
    tables: TableRegistry

    def __post_init__(self) -> None:
        self._gone: dict[
            ChannelId, AccessChannel
        ] = {}  # recently deleted channels: Discord reports their threads after them

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """End the tables of a deleted channel and of its threads.

        Discord reports no deletion of archived threads.
        """
        gone = ChannelId(channel.id)
        place = self._gone[gone] = place_of(channel)
        while len(self._gone) > MAX_DELETED_CHANNELS:
            del self._gone[next(iter(self._gone))]
        lost = {*await self.store.tables.in_channel(gone), *await self.store.tables.within(gone)}
        await self._end(sorted(lost), lambda table: table.do(LoseChannel(place)))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """End the table of a deleted thread."""
        place = self._place_of_thread(payload)
        await self._end(
            await self.store.tables.in_channel(ChannelId(payload.thread_id)),
            lambda table: table.do(LoseChannel(place)),
        )

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """End the tables of a server that removed the bot; its data expire later."""
        gone = GuildId(guild.id)
        await self.store.servers.depart(gone, self.now())
        await self._end(await self.store.tables.in_guild(gone), lambda table: table.do(LoseChannel()))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Cancel the expiry of a server's data."""
        await self.store.servers.come_back(GuildId(guild.id))

    def _place_of_thread(self, payload: discord.RawThreadDeleteEvent) -> AccessChannel | None:
        """Return the place of a deleted thread; None if unknown, so that the table decides."""
        if payload.thread_type is discord.ChannelType.private_thread:
            return AccessChannel(ChannelId(payload.thread_id), hidden=True)
        above = self.client.get_channel(payload.parent_id)
        if isinstance(above, discord.abc.GuildChannel):
            return place_of(above)
        return self._gone.get(ChannelId(payload.parent_id))

    async def _end(self, tables: Iterable[TableId], work: Callable[[Table], Awaitable[None]]) -> None:
        for table in tables:
            try:
                await work(await self.tables.get(table))
            except Exception:
                log.exception("Table %s stays open though its place is gone; its next board ends it", table)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(DeparturesCog(client=bot, now=parts.now, store=parts.store, tables=parts.tables))
