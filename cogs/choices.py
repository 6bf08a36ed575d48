"""A person's own choices, in one place."""

from __future__ import annotations

from typing import Any

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.door.answer import QUIETLY
from bot.door.commands import within
from bot.door.reply import Reply
from bot.door.visit import Handler, Visit
from bot.show.choices import CHOOSE, DIRECT, SILENT, SUIT, choices
from bot.show.ids import Browse
from cogs.here import Interaction


class Choices(commands.Cog):
    """What somebody chooses for themselves."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Browse, CHOOSE, Handler(self.choose, QUIETLY))

    @within("my", "choices", locale_str("Choose how I am treated: sorting, direct messages"))
    async def choices(self, interaction: Interaction) -> None:
        """Show what is chosen."""
        await self.bot.reply(interaction, self._screen)

    async def choose(self, click: Visit) -> Reply:
        """Keep what was chosen."""
        interaction, (chosen, *_) = click.interaction, click.browse.args
        if chosen in (DIRECT, SILENT):
            wish: dict[str, Any] = {"mirror": chosen == DIRECT, "locale": str(interaction.locale)}
        else:
            wish = {"by_suit": chosen == SUIT}
        await self.bot.habits.change(click.user, **wish)
        return await self._screen(click)

    async def _screen(self, visit: Visit) -> Reply:
        habits = await self.bot.habits.of(visit.user)
        return Reply(view=choices(habits, visit.w), at=visit.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Choices(bot))
