"""The deal of the day: today's and those of the days before."""

from __future__ import annotations

from datetime import date, timedelta

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY
from bot.interactions.command_contexts import within
from bot.interactions.replies import Reply
from bot.interactions.visit import STALE, Handler, Visit
from bot.show.contests.daily_deal import BACK, BEGIN, DAY_DEAL, day_deal
from bot.show.kit.custom_ids import Browse
from bot.table.table import Table
from cogs.common.table_lookup import Interaction, hand_reply
from cogs.play.actions import PATIENCE

LOOKED = 25  # people at the head of a sheet of whom Discord is asked whether they are there: more than it shows


class DayDeal(commands.Cog):
    """One deal a day, the same for everybody."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Browse, DAY_DEAL, Handler(self.show, QUIETLY))
        bot.handle(Browse, BEGIN, Handler(self.begin, QUIETLY))

    @within("learn", "daily", locale_str("Play the deal of the day: the same cards for everybody"))
    async def daily(self, interaction: Interaction) -> None:
        """Show today's deal."""
        await self.bot.reply(interaction, self._today)

    async def _today(self, visit: Visit) -> Reply:
        return await day_sheet(self.bot, visit, self.bot.daily_deals.today)

    async def show(self, click: Visit) -> Reply:
        """Show another day, as far as one can look back."""
        return await self._sheet(click, self._named(click))

    async def begin(self, click: Visit) -> Reply:
        """Deal today's cards, or go on, in the place of what was clicked on; of an earlier day only go on."""
        day = self._named(click)
        table = await self._table(click, day)
        if table is None or not table.row.open:
            return await self._sheet(click, day)
        await table.at_rest(PATIENCE)
        return await hand_reply(self.bot, click, table, at=click.own)

    def _named(self, click: Visit) -> date:
        """Return the day that a click names; today without one."""
        return _day(click.browse.args[0]) if click.browse.args else self.bot.daily_deals.today

    async def _sheet(self, click: Visit, day: date) -> Reply:
        """Show a day, as far as one can look back."""
        today = self.bot.daily_deals.today
        return await day_sheet(self.bot, click, min(max(day, today - timedelta(days=BACK)), today))

    async def _table(self, click: Visit, day: date) -> Table | None:
        if day < self.bot.daily_deals.today:
            return await self.bot.daily_deals.unfinished(click.user, day)
        return await self.bot.daily_deals.begin(click.user, click.interaction.user.display_name, click.guild)


async def day_sheet(bot: Bigger, visit: Visit, day: date) -> Reply:
    """Return what somebody may read of a day, where they clicked; who is not on the server any more is left out."""
    if visit.own is not None:
        bot.telling.hands.left(visit.user, visit.own.id)
    sheet = await bot.daily_deals.sheet(visit.user, visit.guild, day)
    if visit.guild is not None:
        gone = await bot.presence.gone(visit.guild, {one.user for one in sheet.lines[:LOOKED]} - {visit.user})
        sheet = sheet.without(gone)
    return Reply(view=day_deal(sheet, visit.user, visit.w), at=visit.own)


def _day(said: str) -> date:
    """Return a day. Raises Refused for what is none."""
    try:
        return date.fromisoformat(said)
    except ValueError:
        raise Refused(STALE) from None


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(DayDeal(bot))
