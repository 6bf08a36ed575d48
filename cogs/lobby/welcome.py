"""The welcome message on a new server, and the buttons of the waiting list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.club.saved_rules import first_preset
from bot.delivery.emoji import CardEmoji
from bot.delivery.outbox.effect_runner import EffectHandlers
from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import PendingEffect, WelcomeMessage, pending_effect
from bot.domain.ids import ChannelId, GuildId
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import REACH_FIRST, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import STALE, Handler, Visit
from bot.localization import Localization
from bot.members import posting_permissions
from bot.members.server_settings import Servers
from bot.members.venues import asker
from bot.show.kit.custom_ids import Browse
from bot.show.server.welcome import DO_NOT_TELL, OPEN, not_waiting, waiting, welcome
from bot.show.table.outside import ANY, TELL
from bot.store.rows import TableWait
from bot.store.store import Store
from bot.table.core.lobby_conditions import pace_of_new_table
from bot.table.registry import TableRequest
from cogs.lobby.opening import TableOpening

WELCOME_KEY = "welcomed"  # a key of the store
EMOJI_WAIT = 5.0  # seconds that the message waits for the card emoji
ANY_GAME_WAIT, ONE_GAME_WAIT = (
    timedelta(days=7),
    timedelta(days=1),
)  # entries of the waiting list: for any game, for a certain game


@dataclass(kw_only=True, eq=False, repr=False)
class WelcomeCog(commands.Cog):
    """Posts the welcome message of a server and answers its buttons."""

    client: discord.Client
    opening: TableOpening
    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher
    emoji: CardEmoji
    effect_handlers: EffectHandlers
    servers: Servers
    localization: Localization
    delivery: TableDelivery

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, OPEN, Handler(self.open, REACH_FIRST))
        self.dispatcher.register(Browse, TELL, Handler(self.join_waiting_list))
        self.dispatcher.register(Browse, DO_NOT_TELL, Handler(self.leave_waiting_list))
        self.effect_handlers.on(WelcomeMessage, self._welcome)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Post the welcome message in the server's system channel, if the bot may write there.

        Once for ever; no other channel will do.
        """
        where = guild.system_channel
        if where is not None and posting_permissions.may_write(where):
            server, delivery = GuildId(guild.id), self.delivery
            told = [pending_effect(WelcomeMessage(ChannelId(where.id)), server, None, self.now())]
            if await self.store.notes.once(WELCOME_KEY, server, told):
                delivery.perform(told)

    @commands.Cog.listener()
    async def on_first_sight(self, where: discord.TextChannel) -> None:
        """Post the welcome message in the sandbox's channel."""
        await self.delivery.effects.add(WelcomeMessage(ChannelId(where.id)), GuildId(where.guild.id))

    async def _welcome(self, effect: WelcomeMessage, pending: PendingEffect) -> None:
        await self.emoji.wait_until_ready(EMOJI_WAIT)
        guild = self.client.get_guild(pending.guild)
        if guild is not None:
            w = self.localization.words_in(str(guild.preferred_locale))
            await self.delivery.post(pending, effect.channel, welcome(w))

    async def open(self, click: Visit) -> Reply:
        """Open a table for the game of the button."""
        game = "".join(click.browse.args)
        if game not in GAMES:
            raise Refused(STALE)
        server, rules = self.servers.known(click.server), first_preset(game)
        pace = pace_of_new_table(server, rules, server.usual_pace())
        return await self.opening.open(click, TableRequest(rules, pace))

    async def join_waiting_list(self, click: Visit) -> Reply:
        """Put the user on the waiting list of this channel, in place of an earlier entry."""
        game, where = "".join(click.browse.args), asker(click.interaction).channel
        if where is None or game not in (ANY, *GAMES):
            raise Refused(STALE)
        until = self.now() + (ANY_GAME_WAIT if game == ANY else ONE_GAME_WAIT)
        wanted = TableWait(click.user, click.server, where, "" if game == ANY else game, until)
        await self.store.social.wait(wanted, self.now())
        return Reply(view=waiting(game, until, click.w))

    async def leave_waiting_list(self, click: Visit) -> Reply:
        """Take the user off the waiting list of this channel."""
        where = asker(click.interaction).channel
        if where is None:
            raise Refused(STALE)
        await self.store.social.stop_waiting(click.user, where)
        return Reply(view=not_waiting(click.w), at=click.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        WelcomeCog(
            client=bot,
            opening=TableOpening.of(parts),
            now=parts.now,
            store=parts.store,
            dispatcher=parts.dispatcher,
            emoji=parts.emoji,
            effect_handlers=parts.effect_handlers,
            servers=parts.servers,
            localization=parts.localization,
            delivery=parts.delivery,
        )
    )
