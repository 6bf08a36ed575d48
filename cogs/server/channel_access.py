"""What Discord tells of rights that may have gone or come back: tables fall asleep for the lack of them, and wake.

Nothing here is said by anybody. Refuses to know which rights it takes.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import Telling
from bot.domain.ids import ChannelId, GuildId
from bot.members.posting_permissions import is_locked
from bot.table.registry import Tables


@dataclass(kw_only=True, eq=False, repr=False)
class Waking(commands.Cog):
    """Has tables looked at when what the bot may do has changed."""

    tables: Tables
    telling: Telling

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, now: discord.abc.GuildChannel) -> None:
        """A channel may have become one to write in, or not to."""
        await self._look_again(now.guild)

    @commands.Cog.listener()
    async def on_thread_update(self, _: discord.Thread, now: discord.Thread) -> None:
        """A thread may have been opened, or locked; one that is archived too is heard of no more."""
        locked = now.parent is not None and is_locked(now, now.permissions_for(now.guild.me))
        await self._look_again(now.guild, ChannelId(now.id) if locked and now.archived else None)

    @commands.Cog.listener()
    async def on_thread_join(self, now: discord.Thread) -> None:
        """A thread that was archived may be open again, or the bot has been let in."""
        await self._look_again(now.guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: discord.Role, now: discord.Role) -> None:
        """A role of the bot may have got a right, or lost one."""
        await self._look_again(now.guild)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, gone: discord.Role) -> None:
        """The bot may have had a right by a role that is gone."""
        await self._look_again(gone.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _: discord.Member, now: discord.Member) -> None:
        """The bot, of whom alone it hears, may have got a role, or been sent into time-out."""
        if now.id == now.guild.me.id:
            await self._look_again(now.guild)

    async def _look_again(self, guild: discord.Guild, shut: ChannelId | None = None) -> None:
        await self.telling.rights_changed(GuildId(guild.id), self.tables, shut)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(Waking(tables=parts.tables, telling=parts.telling))
