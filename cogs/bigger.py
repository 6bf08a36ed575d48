"""About the bot itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.app_commands import Group, locale_str
from discord.ext import commands

if TYPE_CHECKING:
    from bot.client import Bigger


class About(commands.Cog):
    """What the bot is, and what it does where."""

    bigger = Group(name="bigger", description=locale_str("What this bot is, and how it behaves here"))

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(About(bot))
