"""What the bot may not do in a channel, told in private to a manager who uses it there: once a day and channel."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import ChannelId
from bot.interactions.private_replies import is_loading, whisper_later
from bot.interactions.visit import Visit
from bot.members import posting_permissions
from bot.runtime.discord_failures import UNREACHED
from bot.show.server.permissions import PERMISSIONS_SHOWN, notice

log = logging.getLogger(__name__)

ONCE_IN = timedelta(days=1)
ASKED_AGAIN = timedelta(minutes=10)  # before the store is asked again about a channel
OPTIONAL = {"create_private_threads"}  # which the bot does not ask for; alone they are told where they are needed


class PermissionNotices(commands.Cog):
    """Tells managers."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        self._asked: dict[ChannelId, datetime] = {}  # when the store was asked last
        bot.door.answered = (*bot.door.answered, self.met)

    def met(self, visit: Visit) -> None:
        """Tell a manager what the bot lacks where they have just been answered, if nobody was told today."""
        rights = visit.interaction.permissions
        if visit.guild is None or not (rights.manage_guild or rights.manage_roles):
            return
        server, channel = self.bot.servers.known(visit.guild), visit.interaction.channel
        if not isinstance(channel, posting_permissions.SPEAKABLE) or visit.interaction.extras.get(PERMISSIONS_SHOWN):
            return
        if posting_permissions.whole(channel) in self.bot.restricted:
            return
        missing = posting_permissions.missing(channel, visit.interaction.app_permissions, server)
        needed = visit.refused is not None and visit.refused.sentence == posting_permissions.NO_PRIVATE
        if missing and (needed or not OPTIONAL.issuperset(missing)):
            self.bot.telling.soon(self._tell(visit, missing, posting_permissions.whole(channel)))

    async def _tell(self, visit: Visit, missing: tuple[str, ...], channel: ChannelId) -> None:
        if visit.interaction.response.type is discord.InteractionResponseType.modal:
            return  # the form comes back as a visit of its own
        if is_loading(visit.interaction):
            return  # the answer has not got there; another visit will do
        now, last = self.bot.now(), self._asked.get(channel)
        if last is not None and now - last < ASKED_AGAIN:
            return
        self._asked[channel] = now
        if not await self.bot.store.servers.take_permission_notice(visit.server, channel, now, ONCE_IN):
            return
        try:
            await whisper_later(visit.interaction, notice(missing, channel, visit.w))
        except UNREACHED as error:
            log.info("A manager was not told what is lacking in channel %s: %s", channel, error)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(PermissionNotices(bot))
