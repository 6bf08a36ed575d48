"""Discord's events about the bot's permissions, by which tables are suspended and resumed.

Each event only starts a check; which permissions matter is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import ChannelId, GuildId
from bot.members.posting_permissions import is_locked
from bot.table.registry import TableRegistry


@dataclass(kw_only=True, eq=False, repr=False)
class ChannelAccessCog(commands.Cog):
    """Checks the tables of a server after a change of the bot's permissions."""

    tables: TableRegistry
    delivery: TableDelivery

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, now: discord.abc.GuildChannel) -> None:
        """Check after a change of a channel's permissions."""
        await self._recheck_tables(now.guild)

    @commands.Cog.listener()
    async def on_thread_update(self, _: discord.Thread, now: discord.Thread) -> None:
        """Check after a thread has been opened or locked.

        Discord sends no further events about a thread that is both locked and archived, so its table is suspended by
        name.
        """
        locked = now.parent is not None and is_locked(now, now.permissions_for(now.guild.me))
        await self._recheck_tables(now.guild, ChannelId(now.id) if locked and now.archived else None)

    @commands.Cog.listener()
    async def on_thread_join(self, now: discord.Thread) -> None:
        """Check after a thread has been unarchived or the bot has been added."""
        await self._recheck_tables(now.guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: discord.Role, now: discord.Role) -> None:
        """Check after a change of a role, which the bot may have."""
        await self._recheck_tables(now.guild)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, gone: discord.Role) -> None:
        """Check after the deletion of a role, which the bot may have had."""
        await self._recheck_tables(gone.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _: discord.Member, now: discord.Member) -> None:
        """Check after a change of the bot's roles or time-out.

        Without the members intent, Discord reports the bot's own changes alone.
        """
        if now.id == now.guild.me.id:
            await self._recheck_tables(now.guild)

    async def _recheck_tables(self, guild: discord.Guild, shut: ChannelId | None = None) -> None:
        await self.delivery.rights_changed(GuildId(guild.id), self.tables, shut)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(ChannelAccessCog(tables=parts.tables, delivery=parts.delivery))
