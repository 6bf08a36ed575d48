"""The rules: a book to leaf through, for the very options of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.answer import Reply
from bot.clicks import Clicked, Handler
from bot.rules.registry import GAMES
from bot.show.ids import Browse, Press, Verb
from bot.show.layout import cut
from bot.show.rulebook import book
from bot.show.rules_page import RULES, SECTION, page_of, rules_page
from cogs.here import Interaction

if TYPE_CHECKING:
    from bot.client import Bigger

FIRST = next(iter(GAMES))
LONGEST = 20  # characters of a typed article number that are repeated
NO_ARTICLE = "These rules have no article {article}. They begin here:"


class RuleBook(commands.Cog):
    """Shows rule pages."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Press, Verb.RULES, Handler(self.of_table))
        bot.handle(Browse, RULES, Handler(self.turn, update=True))
        bot.handle(Browse, SECTION, Handler(self.jump, update=True))

    @app_commands.command(name="rules", description=locale_str("Read the rules of a game"))
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(game=locale_str("Which game"), article=locale_str("Open at this article, such as 4.10"))
    async def rules(self, interaction: Interaction, game: str = FIRST, article: str = "") -> None:
        """Open the rules, at an article if one is given."""

        async def work() -> Reply:
            w = self.bot.private_words(interaction)
            options, wanted = GAMES[game].defaults(), article.strip("() ")
            missing = wanted and not book(game, w.locale).under(options).article(wanted)
            notice = w(NO_ARTICLE, article=cut(wanted, LONGEST)) if missing else None
            return Reply(view=rules_page(game, options, page_of(game, options, wanted, w), w, notice=notice))

        await self.bot.reply(interaction, work())

    async def of_table(self, click: Clicked) -> Reply:
        """Open the rules of a table."""
        scene = (await self.bot.tables.get(click.button.table)).scene(None)
        w = self.bot.private_words(click.interaction)
        return Reply(view=rules_page(scene.game, scene.rules.options, 0, w, table=scene.table))

    async def turn(self, click: Clicked) -> Reply:
        """Turn to a page."""
        game, table, page = click.browse.args
        return await self._page(click, game, int(table), int(page))

    async def jump(self, click: Clicked) -> Reply:
        """Turn to the page of a section."""
        game, table, *_ = click.browse.args
        return await self._page(click, game, int(table), int(click.values[0]))

    async def _page(self, click: Clicked, game: str, table: int, page: int) -> Reply:
        options = await self._options(game, table)
        view = rules_page(game, options, page, self.bot.private_words(click.interaction), table=table)
        return Reply(view=view, update=True)

    async def _options(self, game: str, table: int) -> Any:
        """Return the options of a table, or of the plain game for table 0."""
        if not table:
            return GAMES[game].defaults()
        return (await self.bot.tables.get(table)).scene(None).rules.options


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(RuleBook(bot))
