"""Help, and information about the bot and its operator."""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord.app_commands import Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.lifecycle import Lifecycle
from bot.show.kit.custom_ids import Browse
from bot.show.server.about import GAME, HELP, TOPIC, BotStatus, Operator, about, answer, help_page, short_rules
from bot.store.store import Store
from bot.version import version
from cogs.common.table_lookup import Interaction

STALE = N_("This button has expired. Open this again with /bigger help.")


@dataclass(kw_only=True, eq=False, repr=False)
class AboutCog(commands.Cog):
    """Help pages and information about the bot."""

    bigger = Group(name="bigger", description=locale_str("About this bot and its settings here"))

    client: discord.Client
    operator: Operator
    store: Store
    dispatcher: Dispatcher
    lifecycle: Lifecycle

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, HELP, Handler(self.first, QUIETLY))
        self.dispatcher.register(Browse, GAME, Handler(self.game, QUIETLY))
        self.dispatcher.register(Browse, TOPIC, Handler(self.topic, QUIETLY))

    @bigger.command(name="help", description=locale_str("What this is, how to start, what to do when stuck"))
    async def help(self, interaction: Interaction) -> None:
        """Show the first help page."""

        async def work(visit: Visit) -> Reply:
            return Reply(view=help_page(visit.w))

        await self.dispatcher.reply(interaction, work)

    @bigger.command(name="about", description=locale_str("Who runs this bot, and what happens to my data"))
    async def about(self, interaction: Interaction) -> None:
        """Show the operator, the version, the start time and the operator's policies."""

        async def work(visit: Visit) -> Reply:
            running = BotStatus(
                version(),
                self.lifecycle.began,
                len(self.client.guilds),
                len(await self.store.tables.open_tables()),
            )
            return Reply(view=about(running, self.operator, visit.w))

        await self.dispatcher.reply(interaction, work)

    # Clicks

    async def first(self, click: Visit) -> Reply:
        """Return to the first help page."""
        return Reply(view=help_page(click.w), at=click.own)

    async def game(self, click: Visit) -> Reply:
        """Show the short rules of a game."""
        game = GAMES.get("".join(click.browse.args))
        if game is None:
            raise Refused(STALE)
        return Reply(view=short_rules(game, click.w), at=click.own)

    async def topic(self, click: Visit) -> Reply:
        """Show the answer to a question of the help page."""
        try:
            view = answer("".join(click.browse.args), click.w)
        except KeyError:
            raise Refused(STALE) from None
        return Reply(view=view, at=click.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        AboutCog(
            client=bot,
            operator=parts.operator,
            store=parts.store,
            dispatcher=parts.dispatcher,
            lifecycle=parts.lifecycle,
        )
    )
