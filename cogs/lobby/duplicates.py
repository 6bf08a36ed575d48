"""Duplicates: a lobby turned into deals for many players, their tables and scoresheets."""

from __future__ import annotations

from dataclasses import dataclass

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.duplicates import Duplicates
from bot.delivery.outbox.effect_runner import EffectHandlers
from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import DuplicateInvitation, PendingEffect
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY, REACH_FIRST, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.guards import require_access_from_screen, require_host
from bot.interactions.visit import Handler, Visit
from bot.localization import Localization
from bot.members import posting_permissions
from bot.members.admission import Admission
from bot.members.presence import Presence
from bot.show.kit.custom_ids import Browse
from bot.show.lobby.menu import closed
from bot.show.table.duplicates import (
    ASK,
    DEAL,
    DEALS,
    MAKE,
    OF_TABLE,
    PLAY,
    SCORESHEET,
    SEVERAL,
    TABLE,
    duplicate,
    invitation,
    question,
    shared,
)
from bot.store.store import Store
from bot.table.core.commands import PlayDuplicate
from bot.table.core.lobby_conditions import hands_of
from bot.table.registry import TableRegistry
from cogs.common.hand_replies import HandReplies
from cogs.common.table_lookup import Interaction
from cogs.contests.daily_deal import MAX_CHECKED_PLAYERS, DailyDealScreens
from cogs.lobby.opening import TableOpening
from cogs.play.actions import REPLY_WAIT

NONE_YET = N_("Nobody's playing the same deals in this channel yet. Open a table with /deal: Same deals… is under ⋯.")
NO_SHEET = N_("This table has no scoresheet.")


@dataclass(kw_only=True, eq=False, repr=False)
class DuplicatesCog(commands.Cog):
    """The same deals for several players or tables."""

    opening: TableOpening
    hands: HandReplies
    daily_screens: DailyDealScreens
    store: Store
    dispatcher: Dispatcher
    effect_handlers: EffectHandlers
    presence: Presence
    admission: Admission
    localization: Localization
    tables: TableRegistry
    delivery: TableDelivery
    duplicates: Duplicates

    def __post_init__(self) -> None:
        guards = (
            require_access_from_screen(lambda table: self.tables.get(table), self.admission.check),
            require_host,
        )  # none yet
        self.dispatcher.register(Browse, ASK, Handler(self.ask, QUIETLY, guards))
        self.dispatcher.register(Browse, MAKE, Handler(self.make, QUIETLY, guards))
        self.dispatcher.register(Browse, SEVERAL, Handler(self.share, QUIETLY, guards))
        self.dispatcher.register(Browse, PLAY, Handler(self.play))
        self.dispatcher.register(Browse, TABLE, Handler(self.another, REACH_FIRST))
        self.dispatcher.register(Browse, SCORESHEET, Handler(self.scoresheet))
        self.dispatcher.register(Browse, DEAL, Handler(self.deal, QUIETLY))
        self.dispatcher.register(Browse, OF_TABLE, Handler(self.of_table, QUIETLY))
        self.effect_handlers.on(DuplicateInvitation, self._invite)

    @in_command_group("matches", "sheet", locale_str("See who played the same deals better, luck aside"))
    async def latest(self, interaction: Interaction) -> None:
        """Show the scoresheet of the latest duplicate in this channel or thread."""

        async def work(visit: Visit) -> Reply:
            found = None
            if visit.channel is not None:
                found = await self.store.duplicates.latest(visit.server, visit.channel)
            if found is None:
                raise Refused(NONE_YET)
            return await self._sheet(visit, found)

        await self.dispatcher.reply(interaction, work)

    async def ask(self, click: Visit) -> Reply:
        """Ask the host how to play the same deals."""
        return Reply(view=question(click.browse.table, hands_of(click.table.ruleset), click.w), at=click.own)

    async def make(self, click: Visit) -> Reply:
        """Replace a lobby by a duplicate that each player plays alone."""
        await posting_permissions.check(click.interaction)
        self.delivery.perform([await self.duplicates.open(click.table, click.user)])
        return Reply(view=closed(click.w), at=click.own)

    async def share(self, click: Visit) -> Reply:
        """Make a lobby the first of several tables with the same deals."""
        await posting_permissions.check(click.interaction)
        table, guild = click.table, click.interaction.guild
        posting_permissions.check_private(guild.get_channel(table.row.home) if guild else None)
        await table.do(PlayDuplicate(click.user))
        return Reply(view=shared(click.w), at=click.own)

    async def _invite(self, effect: DuplicateInvitation, pending: PendingEffect) -> None:
        """Post the invitation to a duplicate in the channel of its lobby."""
        known = await self.store.duplicates.load(effect.number)
        if known is None:
            return
        w = self.localization.words_for_server(pending.guild)
        shown = invitation(known.number, known.game, known.preset, effect.name, w=w, hands=effect.hands)
        await self.delivery.post(pending, effect.channel, shown)

    async def another(self, click: Visit) -> Reply:
        """Open a further table with the same deals."""
        return await self.opening.open_duplicate(click, int(click.browse.args[0]))

    async def play(self, click: Visit) -> Reply:
        """Deal the player's hand or resume it, in place of a clicked private message."""
        number, name = int(click.browse.args[0]), click.interaction.user.display_name
        table = await self.duplicates.begin(number, click.user, name, click.guild)
        if not table.row.open:
            return await self._sheet(click, number)
        await table.wait_until_idle(REPLY_WAIT)
        return await self.hands.hand(click, table, at=click.own)

    async def scoresheet(self, click: Visit) -> Reply:
        """Show the scoresheet of a duplicate."""
        return await self._sheet(click, int(click.browse.args[0]))

    async def deal(self, click: Visit) -> Reply:
        """Show the results of the chosen deal, or of all deals."""
        return await self._sheet(click, int(click.browse.args[0]), click.one(_chosen))

    async def _sheet(self, visit: Visit, number: int, deal: int = 0) -> Reply:
        if visit.own is not None:
            self.delivery.hands.left(visit.user, visit.own.id)
        scoresheet = await self.duplicates.scoresheet(number, visit.user, visit.guild)
        gone = await self.presence.gone(
            visit.server, {one.user for one in scoresheet.lines[:MAX_CHECKED_PLAYERS]} - {visit.user}
        )
        return Reply(view=duplicate(scoresheet.without(gone), visit.user, visit.w, deal), at=visit.own)

    async def of_table(self, click: Visit) -> Reply:
        """Show the scoresheet to which a solo table of the player belongs. Raises Refused."""
        table, store = click.browse.table, self.store
        tried, number = await store.daily_deals.try_at(table), await store.duplicates.at(table)
        if tried is not None and tried.user == click.user:
            return await self.daily_screens.scoresheet(click, tried.day)
        part = await store.duplicates.part_of(number, click.user) if number is not None else None
        if part is None or part.table != table:
            raise Refused(NO_SHEET)
        return await self._sheet(click, part.number)


def _chosen(value: str) -> int:
    """Return the number of the deal chosen in the select, 0 for all. Raises ValueError."""
    deal = int(value)
    if not 0 <= deal <= DEALS:
        raise ValueError(value)
    return deal


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        DuplicatesCog(
            opening=TableOpening.of(parts),
            hands=HandReplies.of(parts),
            daily_screens=DailyDealScreens.of(parts),
            store=parts.store,
            dispatcher=parts.dispatcher,
            effect_handlers=parts.effect_handlers,
            presence=parts.presence,
            admission=parts.admission,
            localization=parts.localization,
            tables=parts.tables,
            delivery=parts.delivery,
            duplicates=parts.duplicates,
        )
    )
