"""About the bot itself: what it is, how to begin, who runs it."""

from __future__ import annotations

from discord.app_commands import Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import QUIETLY
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Browse
from bot.show.server.about import GAME, HELP, TOPIC, Running, about, answer, help_page, short_rules
from bot.version import version
from cogs.common.table_lookup import Interaction

STALE = N_("That button is of no use any more. Open this again with /bigger help.")


class About(commands.Cog):
    """What the bot is, and what it does where."""

    bigger = Group(name="bigger", description=locale_str("What this bot is, and how it behaves here"))

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Browse, HELP, Handler(self.first, QUIETLY))
        bot.handle(Browse, GAME, Handler(self.game, QUIETLY))
        bot.handle(Browse, TOPIC, Handler(self.topic, QUIETLY))

    @bigger.command(name="help", description=locale_str("What this is, how to begin, what to do when stuck"))
    async def help(self, interaction: Interaction) -> None:
        """Say what this is."""

        async def work(visit: Visit) -> Reply:
            return Reply(view=help_page(visit.w))

        await self.bot.reply(interaction, work)

    @bigger.command(name="about", description=locale_str("Who runs this bot, and what becomes of my data"))
    async def about(self, interaction: Interaction) -> None:
        """Say who runs this, since when, and what they promise."""

        async def work(visit: Visit) -> Reply:
            running = Running(
                version(), self.bot.here.began, len(self.bot.guilds), len(await self.bot.store.tables.open_tables())
            )
            return Reply(view=about(running, self.bot.operator, visit.w))

        await self.bot.reply(interaction, work)

    # Clicks

    async def first(self, click: Visit) -> Reply:
        """Go back to where it began."""
        return Reply(view=help_page(click.w), at=click.own)

    async def game(self, click: Visit) -> Reply:
        """Tell how a game goes."""
        game = GAMES.get("".join(click.browse.args))
        if game is None:
            raise Refused(STALE)
        return Reply(view=short_rules(game, click.w), at=click.own)

    async def topic(self, click: Visit) -> Reply:
        """Answer a question."""
        try:
            view = answer("".join(click.browse.args), click.w)
        except KeyError:
            raise Refused(STALE) from None
        return Reply(view=view, at=click.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(About(bot))
