"""The default rules of a channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.saved_rules import current_rules, first_preset, starting_rules
from bot.domain.house_rules import ChannelDefault
from bot.domain.ids import ChannelId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import PLAINLY, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.guards import require_permission
from bot.interactions.visit import SERVER_ONLY, Visit
from bot.members.venues import asker
from bot.show.kit.words import mention
from bot.show.rulebook.house_rules import default, title
from bot.store.store import Store
from cogs.common.table_lookup import Interaction
from cogs.rulebook.house_rules import offer_rules

NO_RIGHT = N_("Only members who can manage this channel or the server can change its default game.")
CHANGING = require_permission(NO_RIGHT, "manage_channels", "manage_guild")
SET = N_("From now on, /deal starts with these rules here.")
CLEARED = N_("{channel} has no default any more.")
NO_DEFAULT = N_("No default set for {channel}. /deal opens {rules} here.")


@dataclass(kw_only=True, eq=False, repr=False)
class ChannelDefaultsCog(commands.Cog):
    """The rules that /deal starts with in a channel; a thread has its channel's default."""

    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher

    @in_command_group("houserules", "here", locale_str("See or change what /deal opens in this channel"))
    @app_commands.describe(
        rules=locale_str("From now on: a rule code, a preset, or house rules"),
        clear=locale_str("From now on: same as everywhere"),
    )
    @app_commands.autocomplete(rules=offer_rules)
    async def here(self, interaction: Interaction, rules: str | None = None, clear: bool = False) -> None:
        """Show the default of a channel, or change it."""
        if rules or clear:
            work = partial(self._set, rules=rules) if rules else self._clear
            await self.dispatcher.reply(interaction, work, PLAINLY, CHANGING)
        else:
            await self.dispatcher.reply(interaction, self._show)

    async def _set(self, visit: Visit, rules: str) -> Reply:
        """Set the default to a copy of the rules: later changes of house rules do not affect it."""
        interaction, w = visit.interaction, visit.w
        channel = _channel(visit)
        chosen = await starting_rules(self.store.house_rules, asker(interaction), rules)
        known, user = chosen.rules, visit.user
        kept = ChannelDefault(
            guild=visit.server,
            channel=channel,
            name=chosen.name,
            game=known.game,
            preset=known.preset,
            options=known.changes,
            by=user,
            at=self.now(),
        )
        await self.store.house_rules.set_channel_default(kept)
        return Reply(view=default(kept, known, w, notice=w(SET)))

    async def _show(self, visit: Visit) -> Reply:
        channel, w = _channel(visit), visit.w
        kept = await self.store.house_rules.channel_default(channel)
        if kept is None:
            return Reply(text=w(NO_DEFAULT, channel=mention(channel), rules=title(first_preset(), w)))
        return Reply(view=default(kept, current_rules(kept), w))

    async def _clear(self, visit: Visit) -> Reply:
        channel = _channel(visit)
        await self.store.house_rules.clear_channel_default(channel)
        return Reply(text=visit.w(CLEARED, channel=mention(channel)))


def _channel(visit: Visit) -> ChannelId:
    """Return the channel, for a thread its parent. Raises Refused outside a server."""
    where = asker(visit.interaction)
    if where.guild is None or where.channel is None:
        raise Refused(SERVER_ONLY)
    return where.channel


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(ChannelDefaultsCog(now=parts.now, store=parts.store, dispatcher=parts.dispatcher))
