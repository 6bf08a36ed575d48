"""First sight: what a server reads once when the bot has come to it, and telling people of the next table."""

from __future__ import annotations

from datetime import timedelta

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.club.saved_rules import first_preset
from bot.domain.effects import Pending, WelcomeMessage, pending
from bot.domain.ids import ChannelId, GuildId
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import REACH_FIRST
from bot.interactions.replies import Reply
from bot.interactions.visit import STALE, Handler, Visit
from bot.members import posting_permissions
from bot.members.venues import asker
from bot.show.kit.custom_ids import Browse
from bot.show.server.welcome import ANY, DO_NOT_TELL, OPEN, TELL, not_waiting, waiting, welcome
from bot.store.rows import Waiting
from bot.table.registry import TableRequest
from cogs.lobby.lobby import lobby_of

WELCOMED = "welcomed"  # what the store remembers of a server
PATIENCE = 5.0  # seconds for which the faces of the cards are waited for
LONG, SHORT = timedelta(days=7), timedelta(days=1)  # for which somebody waits for any table, and for a certain game


class Welcome(commands.Cog):
    """Says once what there is to play."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Browse, OPEN, Handler(self.open, REACH_FIRST))
        bot.handle(Browse, TELL, Handler(self.tell))
        bot.handle(Browse, DO_NOT_TELL, Handler(self.do_not_tell))
        bot.performers.on(WelcomeMessage, self._welcome)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say it where the server has things said about who comes, if the bot may; once for ever, else nowhere."""
        where = guild.system_channel
        if where is not None and posting_permissions.may_write(where):
            server, telling = GuildId(guild.id), self.bot.telling
            told = [pending(WelcomeMessage(ChannelId(where.id)), server, None, self.bot.now())]
            if await self.bot.store.notes.once(WELCOMED, server, told):
                telling.perform(told)

    @commands.Cog.listener()
    async def on_first_sight(self, where: discord.TextChannel) -> None:
        """Say it in this channel."""
        await self.bot.telling.effects.add(WelcomeMessage(ChannelId(where.id)), GuildId(where.guild.id))

    async def _welcome(self, effect: WelcomeMessage, one: Pending) -> None:
        await self.bot.emoji.there(PATIENCE)
        guild = self.bot.get_guild(one.guild)
        if guild is not None:
            w = self.bot.speaking.locale(str(guild.preferred_locale))
            await self.bot.telling.post(one, effect.channel, welcome(w))

    async def open(self, click: Visit) -> Reply:
        """Open a table of the game on the button."""
        game = "".join(click.browse.args)
        if game not in GAMES:
            raise Refused(STALE)
        return await lobby_of(self.bot).open(
            click, TableRequest(first_preset(game), self.bot.servers.known(click.server).usual_pace())
        )

    async def tell(self, click: Visit) -> Reply:
        """Remember that somebody would like to hear of the next table here, however often they press it."""
        game, where = "".join(click.browse.args), asker(click.interaction).channel
        if where is None or game not in (ANY, *GAMES):
            raise Refused(STALE)
        until = self.bot.now() + (LONG if game == ANY else SHORT)
        wanted = Waiting(click.user, click.server, where, "" if game == ANY else game, until)
        await self.bot.store.social.wait(wanted, self.bot.now())
        return Reply(view=waiting(game, until, click.w))

    async def do_not_tell(self, click: Visit) -> Reply:
        """Forget that somebody would like to hear of the next table here."""
        where = asker(click.interaction).channel
        if where is None:
            raise Refused(STALE)
        await self.bot.store.social.stop_waiting(click.user, where)
        return Reply(view=not_waiting(click.w), at=click.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Welcome(bot))
