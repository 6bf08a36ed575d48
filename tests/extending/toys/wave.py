"""Waving to the players of a table."""

from __future__ import annotations

from dataclasses import dataclass

from discord.app_commands import command, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.interactions.answers import Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Visit
from cogs.common.table_lookup import Interaction


@dataclass(kw_only=True, eq=False, repr=False)
class Waving(commands.Cog):
    """Waves."""

    dispatcher: Dispatcher

    @command(name="wave", description=locale_str("Wave to everybody here"))
    async def wave(self, interaction: Interaction) -> None:
        """Say hello to the person who typed it."""

        async def work(visit: Visit) -> Reply:
            return Reply(text=visit.w("You wave."))

        await self.dispatcher.reply(interaction, work)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Waving(dispatcher=bot.parts.dispatcher))
