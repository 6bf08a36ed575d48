"""Practice: a hand alone with house players, by any rules."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.door.answer import QUIETLY
from bot.door.commands import within
from bot.door.reply import Reply
from bot.door.visit import Handler, Visit
from bot.games import GAMES
from bot.ground.refused import Refused
from bot.people.admission import NO_TABLE_HERE
from bot.people.venue import asker
from bot.rules.ruleset import Ruleset
from bot.show.duplicate import ANOTHER
from bot.show.ids import Browse
from bot.table.chairs import seat_of
from bot.table.house_rules import start
from cogs.acting import PATIENCE
from cogs.here import Interaction, hand_reply
from cogs.house_rules import offer_rules


class Practising(commands.Cog):
    """Playing alone."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Browse, ANOTHER, Handler(self.another, QUIETLY))

    @within("learn", "practice", locale_str("Play alone against house players"))
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(
        game=locale_str("Which game"), preset=locale_str("Which version of the rules, or whose house rules")
    )
    @app_commands.autocomplete(preset=offer_rules)
    async def practice(self, interaction: Interaction, game: str | None = None, preset: str = "") -> None:
        """Deal a hand, or go on with the one they have."""

        async def work(visit: Visit) -> Reply:
            found = await start(self.bot.store, asker(interaction), preset, game)
            return await self._dealt(visit, found.rules)

        await self.bot.reply(interaction, work)

    async def another(self, click: Visit) -> Reply:
        """Deal another hand by the same rules, in the place of the last."""
        table = await self.bot.tables.get(click.browse.table)
        if table.row.alone != "practice" or seat_of(table.row.chairs, click.user) is None:
            raise Refused(NO_TABLE_HERE)
        return await self._dealt(click, table.ruleset)

    async def _dealt(self, visit: Visit, rules: Ruleset) -> Reply:
        name = visit.interaction.user.display_name
        table = await self.bot.practice.begin(visit.user, name, rules, visit.habits.level)
        await table.at_rest(PATIENCE)
        return await hand_reply(self.bot, visit, table, at=visit.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Practising(bot))
