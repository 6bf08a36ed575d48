"""Checking a deal: what was settled before the first card, and what is opened by now."""

from __future__ import annotations

from discord.ext import commands

from bot.client import Bigger
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Press, Verb
from bot.show.rulebook.deal_check import check
from bot.show.rulebook.ruleset import BookRules
from cogs.common.table_lookup import aside


class Checking(commands.Cog):
    """Shows the commitment of a match, and what it was to."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Press, Verb.CHECK, Handler(self.check))

    async def check(self, click: Visit) -> Reply:
        """Show how the deals of a table can be checked."""
        scene = click.table.scene(click.user)
        said = [(scene.chairs[seat].name, word) for seat, word in scene.tally.words]
        return aside(self.bot, click, click.table, check(BookRules.at(scene), scene.tally.seal, click.w, said))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Checking(bot))
