"""The settings of a server: one screen for managers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice

import discord
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.seasons import Seasons
from bot.delivery.outbox.effect_runner import EffectHandlers
from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import PendingEffect, Redraw, ServerRedraw, StakesChange, pending_effect
from bot.domain.ids import ChannelId
from bot.domain.message_ids import N_
from bot.domain.server_settings import ServerSettings
from bot.interactions.answers import PLAINLY, WITH_FORM, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.guards import require_permission
from bot.interactions.visit import Handler, Visit
from bot.localization import Localization
from bot.members import posting_permissions
from bot.members.server_settings import Servers
from bot.ratings.pairs import DEFAULT_THRESHOLDS
from bot.ratings.pairs import find_suspicious_pairs as found_pairs
from bot.show.kit.custom_ids import Browse
from bot.show.kit.words import MessageText
from bot.show.server.reports import PAIRS, PERMISSIONS_SHOWN, by_permission, pairs
from bot.show.server.setting_choices import hours, read
from bot.show.server.settings import END_SEASON, SET, WHERE, ZONE, server, zone_form
from bot.show.typed.cities import exactly, found
from bot.store.store import Store
from bot.table.core.commands import FollowStakes
from bot.table.registry import TableRegistry
from cogs.common.table_lookup import Interaction

NO_RIGHT = N_("Settings are for members who can manage this server. Ask one of them; they'll find them here.")
NO_ZONE = N_("I don't know a time zone called {typed}. Try a large city nearby, such as Taipei or Berlin, or UTC+8.")
WHICH_ZONE = N_("Which one? {zones}")
MANAGING = require_permission(NO_RIGHT, "manage_guild")
ON_BOARDS = {"language", "stakes", "reactions"}  # settings that open tables show
SEASONS_OFF = N_("Seasons are off now. The result of the last one is posted in the channel where you played.")
SEASON_OVER = N_("The season is over and a new one has started. The result is posted in the channel where you played.")
NOBODY_PLAYED = N_("Nobody has finished a match this season yet, so it continues.")
FORGETTING = N_(
    "From tomorrow, moves more than a year old are deleted for good: nobody can replay, export or "
    "check them again. Results, ratings and achievements stay. Until then you can turn this off, and "
    "nothing is lost."
)
MAX_NAMED_ZONES = 5  # zones named if several match


@dataclass(kw_only=True, eq=False, repr=False)
class ServerSettingsCog(commands.Cog):
    """The settings of a server."""

    client: discord.Client
    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher
    effect_handlers: EffectHandlers
    servers: Servers
    localization: Localization
    tables: TableRegistry
    delivery: TableDelivery
    seasons: Seasons

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, SET, Handler(self.choose, WITH_FORM, (MANAGING,)))
        self.dispatcher.register(Browse, ZONE, Handler(self.ask_zone, WITH_FORM, (MANAGING,)))
        self.dispatcher.register_form(ZONE, self.zone, MANAGING)
        self.dispatcher.register(Browse, PAIRS, Handler(self.pairs, guards=(MANAGING,)))
        self.dispatcher.register(Browse, END_SEASON, Handler(self.end_season, guards=(MANAGING,)))
        self.effect_handlers.on(ServerRedraw, self._redraw)
        self.effect_handlers.on(StakesChange, self._follow)

    @in_command_group("bigger", "settings", locale_str("How the bot behaves on this server"))
    async def settings(self, interaction: Interaction) -> None:
        """Show the settings."""
        await self.dispatcher.reply(interaction, self._screen, PLAINLY, MANAGING)

    async def choose(self, click: Visit) -> Reply:
        """Change the setting chosen in a menu.

        Quiet hours need a time zone, so a form asks for the zone first if unknown.
        """
        guild, (name, *_) = click.server, click.browse.args
        chosen = click.all(partial(read, name))
        if chosen.get("quiet") and self.servers.known(guild).zone is None:
            return Reply(form=zone_form(tuple(map(str, chosen["quiet"])), click.w))
        before = self.servers.known(guild)
        for setting, value in chosen.items():
            effects = list[PendingEffect]()
            if setting in ON_BOARDS and value != getattr(before, setting):
                effects.append(pending_effect(ServerRedraw(stakes=setting == "stakes"), guild, None, self.now()))
            await self.servers.change(guild, click.user, setting, value, effects=effects)
            self.delivery.perform(effects)
        over = await self._season_over(click) if "season" in chosen else None
        return await self._screen(click, over or self._warned(click, before))

    async def _season_over(self, click: Visit) -> str | None:
        """End the season that the latest choice ends; return a notice if it had a match."""
        if not await self.seasons.apply_choice(click.server):
            return None
        return click.w(SEASONS_OFF if self.servers.known(click.server).season == "none" else SEASON_OVER)

    def _warned(self, click: Visit, before: ServerSettings) -> str | None:
        """Return a warning if the latest choice will delete old records."""
        begun = self.servers.known(click.server).forget_plays and not before.forget_plays
        return click.w(FORGETTING) if begun else None

    async def _redraw(self, effect: ServerRedraw, pending: PendingEffect) -> None:
        """Update all tables of a server after a change of its settings."""
        kinds, now = (StakesChange(), Redraw()) if effect.stakes else (Redraw(),), self.now()
        tables = await self.store.tables.in_guild(pending.guild)
        effects = [pending_effect(kind, pending.guild, table, now) for table in tables for kind in kinds]
        await self.store.outbox.replace_effect(
            pending.key, effects
        )  # in one transaction, so that no lobby is asked twice
        self.delivery.perform(effects)

    async def _follow(self, _effect: StakesChange, pending: PendingEffect) -> None:
        assert pending.table is not None
        await (await self.tables.get(pending.table)).do(FollowStakes(pending.key))

    async def end_season(self, click: Visit) -> Reply:
        """End the current season and start the next."""
        done = await self.seasons.end_now(click.server)
        return await self._screen(click, click.w(SEASON_OVER) if done else click.w(NOBODY_PLAYED))

    async def pairs(self, click: Visit) -> Reply:
        """Show pairs of players who meet suspiciously often, with one of them leaving."""
        matches, users = await self.store.results.meetings(click.server, self.now() - DEFAULT_THRESHOLDS.span)
        return Reply(view=pairs(found_pairs(matches), users, click.w))

    async def ask_zone(self, click: Visit) -> Reply:
        """Ask for the server's time zone."""
        return Reply(form=zone_form((), click.w))

    async def zone(self, click: Visit) -> Reply:
        """Save the typed time zone, and the quiet hours that needed it; if unclear, ask again."""
        typed, w = click.filled[WHERE], click.w
        guild, now = click.server, self.now()
        if (meant := exactly(typed, now)) is None:
            several = [MessageText(zone) for zone in islice(found(typed, now), MAX_NAMED_ZONES)]
            return await self._screen(click, w(WHICH_ZONE, zones=several) if several else w(NO_ZONE, typed=typed))
        await self.servers.change(guild, click.user, "zone", meant)
        if click.browse.args:
            await self.servers.change(guild, click.user, "quiet", hours(click.browse.args))
        return await self._screen(click, await self._season_over(click))

    async def _screen(self, visit: Visit, notice: str | None = None) -> Reply:
        guild, known = visit.server, self.servers
        changes, where = await known.changes(guild), self.localization.server_name(guild)
        missing = by_permission(await self._missing(visit))
        visit.interaction.extras[PERMISSIONS_SHOWN] = True
        shown = server(known.known(guild), changes, visit.w, where=where, notice=notice, missing=missing)
        return Reply(view=shown, at=visit.own)

    async def _missing(self, visit: Visit) -> Iterable[tuple[ChannelId, Sequence[str]]]:
        """Return missing permissions in this channel, the tables' channels and the chosen ones."""
        guild, chosen = self.client.get_guild(visit.server), self.servers.known(visit.server)
        if guild is None:
            return ()
        homes = [standing.home for standing in await self.store.tables.homes(visit.server)]
        here = [visit.channel] if visit.channel else []
        return posting_permissions.missing_on(guild, (*here, *chosen.channels, *homes), chosen)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        ServerSettingsCog(
            client=bot,
            now=parts.now,
            store=parts.store,
            dispatcher=parts.dispatcher,
            effect_handlers=parts.effect_handlers,
            servers=parts.servers,
            localization=parts.localization,
            tables=parts.tables,
            delivery=parts.delivery,
            seasons=parts.seasons,
        )
    )
