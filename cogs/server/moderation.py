"""The menu of a table: commands for moderators, and for the table's players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

import discord
from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import GuildId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Outdated, Refused
from bot.interactions.answers import Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.members.admission import Admission
from bot.members.server_settings import Servers
from bot.show.kit.custom_ids import Press, Verb
from bot.show.lobby.menu import closed, lobby_menu, seated
from bot.show.lobby.table_menu import NOT_A_MODERATOR, done, menu, sure, tools
from bot.show.translation.reserved import reserved
from bot.store.errors import LimitReached
from bot.store.store import Store
from bot.table.core import chairs as seating
from bot.table.core.commands import CallOff, EndMatch, Expel, OfferSeatOf, Pause, Repost, Resume
from bot.table.core.moderation import check_in_match, check_open, check_outsider
from bot.table.core.seats import offerable
from bot.table.core.state import Moderator
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import confirm_unless_visible
from cogs.common.table_lookup import Interaction

SITS = N_("You're playing here: I ping you whenever it's your turn.")
CROWDED = N_("So many people follow this table already that I can't ping anyone else.")
MIN_BOARD_AGE = 10.0  # age in seconds below which a board is not posted again
FRESH_ENOUGH = N_("This board was only just posted.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moderators:
    """Tells who moderates a channel, and performs moderators' actions at tables."""

    servers: Servers
    admission: Admission
    now: Callable[[], datetime]

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the moderators of a running bot."""
        return cls(servers=parts.servers, admission=parts.admission, now=parts.now)

    def is_moderator(self, interaction: Interaction, table: Table) -> bool:
        """Tell whether the user moderates the channel of a table."""
        member, guild = interaction.user, interaction.guild
        if guild is None or guild.id != table.row.guild or not isinstance(member, discord.Member):
            return False
        if interaction.channel_id == table.row.home or self._has_role(member):
            return self.moderates_here(interaction)
        channel = guild.get_channel_or_thread(table.row.home)
        if channel is None or (isinstance(channel, discord.Thread) and channel.parent is None):
            return interaction.permissions.manage_guild
        return channel.permissions_for(member).manage_messages

    def moderates_here(self, interaction: Interaction) -> bool:
        """Tell whether the user moderates the channel of this interaction.

        A moderator has the permission to manage messages, or the role that the server has chosen.
        """
        member = interaction.user
        return interaction.permissions.manage_messages or (
            isinstance(member, discord.Member) and self._has_role(member)
        )

    def _has_role(self, member: discord.Member) -> bool:
        role = self.servers.known(GuildId(member.guild.id)).moderator
        return role is not None and member.get_role(role) is not None

    def moderator(self, interaction: Interaction, table: Table) -> Moderator:
        """Return the user as a moderator of a table. Raises Refused for other users."""
        if not self.is_moderator(interaction, table):
            raise Refused(NOT_A_MODERATOR)
        return as_moderator(interaction, table)

    async def ask(self, visit: Visit, table: Table, verb: Verb) -> Reply:
        """Ask a moderator to confirm the end of a match or its cancellation.

        verb: the verb of the confirming button.
        """
        by = self.moderator(visit.interaction, table)
        await table.check(check_in_match if verb is Verb.END_NOW else check_outsider, by)
        return Reply(view=sure(table.scene(visit.user), verb, visit.w))

    async def redraw(self, visit: Visit, table: Table) -> Reply:
        """Post the board in a new message.

        Raises Refused for users who neither moderate nor play, and if the board is only seconds old.
        """
        seated = table.scene(visit.user).seat is not None
        if seated:
            await self.admission.check(visit.interaction, table)
        by = None if seated else self.moderator(visit.interaction, table)
        message = table.row.message
        if message and (self.now() - discord.utils.snowflake_time(message)).total_seconds() < MIN_BOARD_AGE:
            raise Refused(FRESH_ENOUGH)
        await table.do(Repost(by))
        return confirm_unless_visible(visit, table, done(visit.w))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMenus:
    """Builds replies with the menu of a table behind its dots."""

    moderators: Moderators
    store: Store
    delivery: TableDelivery

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the menus of a running bot."""
        return cls(moderators=Moderators.of(parts), store=parts.store, delivery=parts.delivery)

    async def show(self, visit: Visit, table: Table, notice: str | None = None) -> Reply:
        """Return the menu as it is now, in place of a clicked menu.

        notice: a sentence to put first.
        """
        if table.stage == "closed":
            return Reply(view=closed(visit.w), at=visit.own)
        scene, w = table.scene(visit.user), visit.w
        may = self.moderators.is_moderator(visit.interaction, table)
        apart, delivery = scene.seat is None, self.delivery
        waits = apart and await delivery.seat_queue.place_of(table.id, visit.user) is not None
        told = apart and await delivery.spectators.is_subscribed(table.id, visit.user)
        if table.stage == "lobby":
            view = lobby_menu(
                scene,
                w,
                notice=notice,
                moderator=may,
                waiting=waits,
                watching=told,
                level=visit.preferences.level,
                declined=await self.store.social.declined(table.id) if visit.user == table.row.host else (),
            )
        else:
            view = menu(scene, w, notice=notice, moderator=may, waiting=waits, watching=told)
        return Reply(view=view, at=visit.own)

    async def show_tools(self, visit: Visit, table: Table) -> Reply:
        """Return the actions of a moderator at an open table, else the menu.

        Raises Refused for other users.
        """
        if not table.scene(None).open:
            return await self.show(visit, table)
        await table.check(check_outsider, self.moderators.moderator(visit.interaction, table))
        return Reply(view=tools(table.scene(visit.user), visit.w, await table.check(offerable)), at=visit.own)

    async def renew(self, visit: Visit, outdated: Outdated) -> Reply | None:
        """Return the present menu for a click on an outdated one.

        Returns None for a click elsewhere, also on a hand.
        """
        table = getattr(visit, "table", None)
        if table is None or visit.own is None or self.delivery.hands.in_message(visit.own.id):
            return None
        return await self.show(visit, table, visit.w(outdated.above, **outdated.values))


def as_moderator(interaction: Interaction, table: Table) -> Moderator:
    """Return the user as a moderator, by a name unique at the table."""
    user = interaction.user
    by = UserId(user.id)
    return Moderator(by, seating.unique_name(table.row.chairs, by, user.display_name, reserved()))


@dataclass(kw_only=True, eq=False, repr=False)
class ModerationCog(commands.Cog):
    """The menu of a table."""

    menus: TableMenus
    moderators: Moderators
    dispatcher: Dispatcher
    delivery: TableDelivery

    def __post_init__(self) -> None:
        for verb, work in (
            (Verb.MENU, self.open),
            (Verb.TOOLS, self.open_tools),
            (Verb.PAUSE, self.pause),
            (Verb.RESUME, self.resume),
            (Verb.REDRAW, self.redraw),
            (Verb.END, self.ask),
            (Verb.END_NOW, self.end),
            (Verb.CALL_OFF, self.ask),
            (Verb.CALL_OFF_NOW, self.call_off),
            (Verb.FOLLOW, self.follow),
        ):
            self.dispatcher.register(Press, verb, Handler(work))
        self.dispatcher.on_outdated = self.menus.renew
        self.dispatcher.register(Press, Verb.EXPEL, Handler(self.expel))
        self.dispatcher.register(Press, Verb.OFFER_FOR, Handler(self.offer_for))

    async def open(self, click: Visit) -> Reply:
        """Show the menu with the actions that the user may perform."""
        return await self.menus.show(click, click.table)

    async def open_tools(self, click: Visit) -> Reply:
        """Show the actions of moderators."""
        return await self.menus.show_tools(click, click.table)

    async def follow(self, click: Visit) -> Reply:
        """Subscribe a spectator to a table's events, or end the subscription."""
        table, delivery = click.table, self.delivery
        if not click.button.at:
            await delivery.spectators.stop(table.id, click.user)
            return await self.menus.show(click, table)
        await table.check(check_open)
        if seating.seat_of(table.row.chairs, click.user) is not None:
            raise Refused(SITS)
        try:
            await delivery.watch(table, click.user)
        except LimitReached:
            raise Refused(CROWDED) from None
        return await self.menus.show(click, table)

    async def pause(self, click: Visit) -> Reply:
        """Pause a match."""
        table = click.table
        await table.do(Pause(self.moderators.moderator(click.interaction, table)))
        return await self.menus.show_tools(click, table)

    async def resume(self, click: Visit) -> Reply:
        """Resume a match."""
        table = click.table
        await table.do(Resume(self.moderators.moderator(click.interaction, table)))
        return await self.menus.show_tools(click, table)

    async def redraw(self, click: Visit) -> Reply:
        """Post the board in a new message, for a moderator or a player."""
        return await self.moderators.redraw(click, click.table)

    async def ask(self, click: Visit) -> Reply:
        """Ask for confirmation, as the action cannot be undone."""
        verb = Verb.END_NOW if click.button.verb is Verb.END else Verb.CALL_OFF_NOW
        return replace(await self.moderators.ask(click, click.table, verb), at=click.own)

    async def end(self, click: Visit) -> Reply:
        """End a match."""
        table = click.table
        await table.do(EndMatch(self.moderators.moderator(click.interaction, table)))
        return await self.menus.show_tools(click, table)

    async def call_off(self, click: Visit) -> Reply:
        """Cancel a table."""
        table = click.table
        await table.do(CallOff(self.moderators.moderator(click.interaction, table)))
        return await self.menus.show_tools(click, table)

    async def expel(self, click: Visit) -> Reply:
        """Remove the chosen player."""
        table = click.table
        await table.do(Expel(self.moderators.moderator(click.interaction, table), *click.one(seated)))
        return await self.menus.show_tools(click, table)

    async def offer_for(self, click: Visit) -> Reply:
        """Offer the chosen player's seat to a substitute."""
        table = click.table
        await table.do(OfferSeatOf(self.moderators.moderator(click.interaction, table), *click.one(seated)))
        return await self.menus.show_tools(click, table)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        ModerationCog(
            menus=TableMenus.of(parts),
            moderators=Moderators.of(parts),
            dispatcher=parts.dispatcher,
            delivery=parts.delivery,
        )
    )
