"""Notices of missing permissions, sent privately to managers: one a day and channel."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import ChannelId
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.private_replies import is_loading, send_followup
from bot.interactions.visit import Visit
from bot.members import posting_permissions
from bot.members.server_settings import Servers
from bot.runtime.discord_requests import UNREACHED
from bot.show.server.reports import PERMISSIONS_SHOWN, notice
from bot.store.store import Store

log = logging.getLogger(__name__)

NOTICE_INTERVAL = timedelta(days=1)
QUERY_INTERVAL = timedelta(minutes=10)  # time before the store is queried again about a channel
OPTIONAL = {"create_private_threads"}  # not in the bot's invitation; reported alone only where needed


@dataclass(kw_only=True, eq=False, repr=False)
class PermissionNoticesCog(commands.Cog):
    """Sends notices of missing permissions to managers."""

    restricted: Callable[[], Collection[ChannelId]]  # channels where permissions are missing on purpose
    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher
    servers: Servers
    delivery: TableDelivery

    def __post_init__(self) -> None:
        self._asked: dict[ChannelId, datetime] = {}  # time of the last query
        self.dispatcher.on_answered = (*self.dispatcher.on_answered, self.report_missing)

    def report_missing(self, visit: Visit) -> None:
        """Send a manager a notice of permissions missing in the visited channel, once a day.

        A solo table, such as a lesson, needs no permission there.
        """
        rights = visit.interaction.permissions
        if visit.is_solo or visit.guild is None or not (rights.manage_guild or rights.manage_roles):
            return
        server, channel = self.servers.known(visit.guild), visit.interaction.channel
        if not isinstance(channel, posting_permissions.SPEAKABLE) or visit.interaction.extras.get(PERMISSIONS_SHOWN):
            return
        if posting_permissions.whole(channel) in self.restricted():
            return
        missing = posting_permissions.missing(channel, visit.interaction.app_permissions, server)
        needed = visit.refused is not None and visit.refused.sentence == posting_permissions.NO_PRIVATE
        if missing and (needed or not OPTIONAL.issuperset(missing)):
            self.delivery.run_in_background(self._notify(visit, missing, posting_permissions.whole(channel)))

    async def _notify(self, visit: Visit, missing: tuple[str, ...], channel: ChannelId) -> None:
        if visit.interaction.response.type is discord.InteractionResponseType.modal:
            return  # the submitted form will be a visit of its own
        if is_loading(visit.interaction):
            return  # the reply has not arrived; another visit will do
        now, last = self.now(), self._asked.get(channel)
        if last is not None and now - last < QUERY_INTERVAL:
            return
        self._asked[channel] = now
        if not await self.store.servers.take_permission_notice(visit.server, channel, now, NOTICE_INTERVAL):
            return
        try:
            await send_followup(visit.interaction, notice(missing, channel, visit.w))
        except UNREACHED as error:
            log.info("A manager was not told what is lacking in channel %s: %s", channel, error)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        PermissionNoticesCog(
            restricted=lambda: bot.restricted,
            now=parts.now,
            store=parts.store,
            dispatcher=parts.dispatcher,
            servers=parts.servers,
            delivery=parts.delivery,
        )
    )
