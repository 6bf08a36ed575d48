"""Duplicate: a lobby that becomes the same deals for everybody, and what each sees of them."""

from __future__ import annotations

from discord.ext import commands

from bot.client import Bigger
from bot.door.answer import QUIETLY
from bot.door.guards import beside, hosting
from bot.door.reply import Reply
from bot.door.visit import Handler, Visit
from bot.ground.refused import Refused
from bot.people import posting
from bot.show.duplicate import ASK, MAKE, OF_TABLE, PLAY, SHEET, duplicate, invitation, question
from bot.show.ids import Browse
from bot.show.lobby_menu import closed
from cogs.acting import PATIENCE
from cogs.day_deal import LOOKED, day_sheet
from cogs.here import hand_reply

NO_SHEET = "There is no sheet of this table."


class Duplicating(commands.Cog):
    """The same deals for several people."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        guards = beside(lambda table: bot.tables.get(table), bot.admission.check), hosting  # noqa: PLW0108  # none yet
        bot.handle(Browse, ASK, Handler(self.ask, QUIETLY, guards))
        bot.handle(Browse, MAKE, Handler(self.make, QUIETLY, guards))
        bot.handle(Browse, PLAY, Handler(self.play))
        bot.handle(Browse, SHEET, Handler(self.sheet))
        bot.handle(Browse, OF_TABLE, Handler(self.of_table, QUIETLY))

    async def ask(self, click: Visit) -> Reply:
        """Ask the host of a lobby whether they are sure."""
        return Reply(view=question(click.browse.table, click.w), at=click.own)

    async def make(self, click: Visit) -> Reply:
        """Put the same deals for everybody in the place of a lobby."""
        await posting.check(click.interaction)
        table, row = click.table, click.table.row
        name = next(chair.name for chair in row.chairs if chair.user == click.user)
        number = await self.bot.duplicates.open(table, click.user)
        w = self.bot.guild_words(row.guild)
        self.bot.telling.post(row.home, invitation(number, row.game, row.preset, name, w))
        return Reply(view=closed(click.w), at=click.own)

    async def play(self, click: Visit) -> Reply:
        """Deal the cards, or go on; in the place of what was clicked on where only they see it."""
        number, name = int(click.browse.args[0]), click.interaction.user.display_name
        table = await self.bot.duplicates.begin(number, click.user, name, click.guild)
        if not table.row.open:
            return await self._sheet(click, number)
        await table.at_rest(PATIENCE)
        return await hand_reply(self.bot, click, table, at=click.own)

    async def sheet(self, click: Visit) -> Reply:
        """Show what there is to see of a duplicate."""
        return await self._sheet(click, int(click.browse.args[0]))

    async def _sheet(self, visit: Visit, number: int) -> Reply:
        if visit.own is not None:
            self.bot.telling.hands.left(visit.user, visit.own.id)
        sheet = await self.bot.duplicates.sheet(number, visit.user, visit.guild)
        gone = await self.bot.presence.gone(visit.server, {one.user for one in sheet.lines[:LOOKED]} - {visit.user})
        return Reply(view=duplicate(sheet.without(gone), visit.user, visit.w), at=visit.own)

    async def of_table(self, click: Visit) -> Reply:
        """Show the sheet to which a private table of theirs belongs."""
        table, store = click.browse.table, self.bot.store
        tried, part = await store.try_at(table), await store.part_at(table)
        if tried is not None and tried.user == click.user:
            return await day_sheet(self.bot, click, tried.day)
        if part is None or part.user != click.user:
            raise Refused(NO_SHEET)
        return await self._sheet(click, part.number)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Duplicating(bot))
