"""Duplicate: a lobby that becomes the same deals for everybody, and what each sees of them."""

from __future__ import annotations

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.effects import DuplicateInvitation, Pending
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY, REACH_FIRST
from bot.interactions.command_contexts import within
from bot.interactions.guards import beside, hosting
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.members import posting_permissions
from bot.show.kit.custom_ids import Browse
from bot.show.lobby.menu import closed
from bot.show.table.duplicates import (
    ASK,
    DEAL,
    DEALS,
    MAKE,
    OF_TABLE,
    PLAY,
    SEVERAL,
    SHEET,
    TABLE,
    duplicate,
    invitation,
    question,
    shared,
)
from bot.table.core.commands import PlayDuplicate
from bot.table.core.duplicate import hands_of
from cogs.common.table_lookup import Interaction, hand_reply
from cogs.contests.daily_deal import LOOKED, day_sheet
from cogs.lobby.lobby import lobby_of
from cogs.play.actions import PATIENCE

NONE_YET = N_(
    "Nobody plays the same deals as others in this channel yet. Open a table with /deal: behind ⋯ is Same deals…"
)
NO_SHEET = N_("There is no sheet of this table.")


class Duplicating(commands.Cog):
    """The same deals for several people."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        guards = beside(lambda table: bot.tables.get(table), bot.admission.check), hosting  # none yet
        bot.handle(Browse, ASK, Handler(self.ask, QUIETLY, guards))
        bot.handle(Browse, MAKE, Handler(self.make, QUIETLY, guards))
        bot.handle(Browse, SEVERAL, Handler(self.share, QUIETLY, guards))
        bot.handle(Browse, PLAY, Handler(self.play))
        bot.handle(Browse, TABLE, Handler(self.another, REACH_FIRST))
        bot.handle(Browse, SHEET, Handler(self.sheet))
        bot.handle(Browse, DEAL, Handler(self.deal, QUIETLY))
        bot.handle(Browse, OF_TABLE, Handler(self.of_table, QUIETLY))
        bot.performers.on(DuplicateInvitation, self._invite)

    @within("matches", "sheet", locale_str("See who played the same deals better, luck aside"))
    async def latest(self, interaction: Interaction) -> None:
        """Show the sheet of the latest deals that several play in this channel, or in this thread."""

        async def work(visit: Visit) -> Reply:
            found = None
            if visit.channel is not None:
                found = await self.bot.store.duplicates.latest(visit.server, visit.channel)
            if found is None:
                raise Refused(NONE_YET)
            return await self._sheet(visit, found)

        await self.bot.reply(interaction, work)

    async def ask(self, click: Visit) -> Reply:
        """Ask the host of a lobby which way, if they are sure."""
        return Reply(view=question(click.browse.table, hands_of(click.table.ruleset), click.w), at=click.own)

    async def make(self, click: Visit) -> Reply:
        """Put the same deals for everybody in the place of a lobby."""
        await posting_permissions.check(click.interaction)
        self.bot.telling.perform([await self.bot.duplicates.open(click.table, click.user)])
        return Reply(view=closed(click.w), at=click.own)

    async def share(self, click: Visit) -> Reply:
        """Let others play the same deals as a lobby, at tables of their own."""
        await posting_permissions.check(click.interaction)
        table, guild = click.table, click.interaction.guild
        posting_permissions.check_private(guild.get_channel(table.row.home) if guild else None)
        await table.do(PlayDuplicate(click.user))
        return Reply(view=shared(click.w), at=click.own)

    async def _invite(self, effect: DuplicateInvitation, one: Pending) -> None:
        """Tell the channel of a lobby of its deals."""
        known = await self.bot.store.duplicates.load(effect.number)
        if known is None:
            return
        w = self.bot.speaking.server(one.guild)
        shown = invitation(known.number, known.game, known.preset, effect.name, w, effect.hands)
        await self.bot.telling.post(one, effect.channel, shown)

    async def another(self, click: Visit) -> Reply:
        """Open a further table with the same deals."""
        return await lobby_of(self.bot).open_alike(click, int(click.browse.args[0]))

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

    async def deal(self, click: Visit) -> Reply:
        """Show what came of the deal that is chosen, or of all."""
        return await self._sheet(click, int(click.browse.args[0]), click.one(_chosen))

    async def _sheet(self, visit: Visit, number: int, deal: int = 0) -> Reply:
        if visit.own is not None:
            self.bot.telling.hands.left(visit.user, visit.own.id)
        sheet = await self.bot.duplicates.sheet(number, visit.user, visit.guild)
        gone = await self.bot.presence.gone(visit.server, {one.user for one in sheet.lines[:LOOKED]} - {visit.user})
        return Reply(view=duplicate(sheet.without(gone), visit.user, visit.w, deal), at=visit.own)

    async def of_table(self, click: Visit) -> Reply:
        """Show the sheet to which a private table of theirs belongs."""
        table, store = click.browse.table, self.bot.store
        tried, number = await store.daily_deals.try_at(table), await store.duplicates.at(table)
        if tried is not None and tried.user == click.user:
            return await day_sheet(self.bot, click, tried.day)
        part = await store.duplicates.part_of(number, click.user) if number is not None else None
        if part is None or part.table != table:
            raise Refused(NO_SHEET)
        return await self._sheet(click, part.number)


def _chosen(value: str) -> int:
    """Return the deal that a value of the select stands for. Raises ValueError."""
    deal = int(value)
    if not 0 <= deal <= DEALS:
        raise ValueError(value)
    return deal


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Duplicating(bot))
