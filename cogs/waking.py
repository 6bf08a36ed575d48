"""What Discord tells of rights that may have come back: tables that sleep for the lack of them are shown again.

Nothing here is said by anybody. Refuses to know which rights it takes: whether a table can be shown, showing it tells.
"""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.client import Bigger


class Waking(commands.Cog):
    """Wakes tables."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, now: discord.abc.GuildChannel) -> None:
        """A channel may have become one to write in."""
        await self._try_again(now.guild)

    @commands.Cog.listener()
    async def on_thread_update(self, _: discord.Thread, now: discord.Thread) -> None:
        """A thread may have been opened."""
        await self._try_again(now.guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: discord.Role, now: discord.Role) -> None:
        """A role of the bot may have got a right."""
        await self._try_again(now.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _: discord.Member, now: discord.Member) -> None:
        """The bot, of whom alone it hears, may have got a role, or its time-out may be over."""
        if now.id == now.guild.me.id:
            await self._try_again(now.guild)

    async def _try_again(self, guild: discord.Guild) -> None:
        for table in await self.bot.store.asleep_in(guild.id):
            self.bot.telling.changed(await self.bot.tables.get(table))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Waking(bot))
