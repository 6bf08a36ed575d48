"""The deal of the day: today's and the deals of earlier days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Self

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.daily_deals import DailyDeals
from bot.delivery.table_delivery import TableDelivery
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import STALE, Handler, Visit
from bot.members.presence import Presence
from bot.show.contests.daily_deal import BACK, BEGIN, DAY_DEAL, day_deal
from bot.show.kit.custom_ids import Browse
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies
from cogs.common.table_lookup import Interaction
from cogs.play.actions import REPLY_WAIT

MAX_CHECKED_PLAYERS = 25  # players at the head of a scoresheet to check with Discord; a scoresheet shows fewer


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyDealScreens:
    """Shows the standings of a deal of the day."""

    delivery: TableDelivery
    daily_deals: DailyDeals
    presence: Presence

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the screens of a running bot."""
        return cls(delivery=parts.delivery, daily_deals=parts.daily_deals, presence=parts.presence)

    async def scoresheet(self, visit: Visit, day: date) -> Reply:
        """Return the scoresheet of a day, in place of the clicked message.

        Shows what the user may know of the day. Players who have left the server are omitted.
        """
        if visit.own is not None:
            self.delivery.hands.left(visit.user, visit.own.id)
        scoresheet = await self.daily_deals.scoresheet(visit.user, visit.guild, day)
        if visit.guild is not None:
            gone = await self.presence.gone(
                visit.guild, {one.user for one in scoresheet.lines[:MAX_CHECKED_PLAYERS]} - {visit.user}
            )
            scoresheet = scoresheet.without(gone)
        return Reply(view=day_deal(scoresheet, visit.user, visit.w), at=visit.own)


@dataclass(kw_only=True, eq=False, repr=False)
class DailyDealCog(commands.Cog):
    """The deal of the day: one deal, the same for every player."""

    hands: HandReplies
    screens: DailyDealScreens
    dispatcher: Dispatcher
    daily_deals: DailyDeals

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, DAY_DEAL, Handler(self.show, QUIETLY))
        self.dispatcher.register(Browse, BEGIN, Handler(self.begin, QUIETLY))

    @in_command_group("learn", "daily", locale_str("Play the deal of the day: same cards for everyone"))
    async def daily(self, interaction: Interaction) -> None:
        """Show today's deal."""
        await self.dispatcher.reply(interaction, self._today)

    async def _today(self, visit: Visit) -> Reply:
        return await self.screens.scoresheet(visit, self.daily_deals.today)

    async def show(self, click: Visit) -> Reply:
        """Show the scoresheet of another day, within the days kept."""
        return await self._scores(click, self._named(click))

    async def begin(self, click: Visit) -> Reply:
        """Deal today's cards or resume the hand, in place of the clicked message.

        An unfinished hand of an earlier day can be resumed, not dealt.
        """
        day = self._named(click)
        table = await self._table(click, day)
        if table is None or not table.row.open:
            return await self._scores(click, day)
        await table.wait_until_idle(REPLY_WAIT)
        return await self.hands.hand(click, table, at=click.own)

    def _named(self, click: Visit) -> date:
        """Return the day in a click's address, by default today."""
        return _day(click.browse.args[0]) if click.browse.args else self.daily_deals.today

    async def _scores(self, click: Visit, day: date) -> Reply:
        """Show the scoresheet of a day, moved into the range of days kept."""
        today = self.daily_deals.today
        return await self.screens.scoresheet(click, min(max(day, today - timedelta(days=BACK)), today))

    async def _table(self, click: Visit, day: date) -> Table | None:
        if day < self.daily_deals.today:
            return await self.daily_deals.unfinished(click.user, day)
        return await self.daily_deals.begin(click.user, click.interaction.user.display_name, click.guild)


def _day(text: str) -> date:
    """Return the date of an address. Raises Refused if the text is no date."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(STALE) from None


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        DailyDealCog(
            hands=HandReplies.of(parts),
            screens=DailyDealScreens.of(parts),
            dispatcher=parts.dispatcher,
            daily_deals=parts.daily_deals,
        )
    )
