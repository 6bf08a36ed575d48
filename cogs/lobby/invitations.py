"""Inviting players to a lobby."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import UserId
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.members.preferences import PreferenceCache
from bot.members.presence import Presence
from bot.members.requests import MAX_INVITED, NOT_THE_ROLE, InvitationPolicy
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.phrases import person
from bot.show.kit.words import MessageText
from bot.show.lobby.menu import called, inviting
from bot.store.store import Store


@dataclass(kw_only=True, eq=False, repr=False)
class InvitationsCog(commands.Cog):
    """Invites players or a role to a lobby for a seated player."""

    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher
    presence: Presence
    preferences: PreferenceCache
    delivery: TableDelivery

    def __post_init__(self) -> None:
        self.dispatcher.register(Press, Verb.INVITE, Handler(self.ask))
        self.dispatcher.register(Press, Verb.CALL, Handler(self.call, QUIETLY))
        self.dispatcher.register(Press, Verb.CALL_ROLE, Handler(self.call_role, QUIETLY))

    @property
    def _inviting(self) -> InvitationPolicy:
        return InvitationPolicy(self.store, self.preferences, self.presence, self.now)

    async def ask(self, click: Visit) -> Reply:
        """Ask whom to invite."""
        await self._inviting.check(click.table, click.user)
        return Reply(view=inviting(click.table.scene(click.user), click.w, MAX_INVITED))

    async def call(self, click: Visit) -> Reply:
        """Invite the chosen players who may see the table and accept invitations."""
        wished = [UserId(user) for user in click.all(lambda values: list(map(int, values)))]
        calls, users = await self._inviting.invite_people(click.table, click.user, wished)
        whom, missing = (
            [person(user, click.w) for user in wished if (user in users) is come] for come in (True, False)
        )
        self.delivery.perform(calls)
        return Reply(view=called(whom, missing, click.w), at=click.own)

    async def call_role(self, click: Visit) -> Reply:
        """Invite a role that the inviting player may mention."""
        guild, rights = click.interaction.guild, click.interaction.permissions
        chosen = click.one(int)
        role = guild.get_role(chosen) if guild else None
        if role is not None and not (role.mentionable or click.interaction.app_permissions.mention_everyone):
            raise Refused(NOT_THE_ROLE)
        calls, role = await self._inviting.invite_role(click.table, click.user, role, anyone=rights.mention_everyone)
        self.delivery.perform(calls)
        return Reply(view=called([MessageText(role.mention)], [], click.w), at=click.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        InvitationsCog(
            now=parts.now,
            store=parts.store,
            dispatcher=parts.dispatcher,
            presence=parts.presence,
            preferences=parts.preferences,
            delivery=parts.delivery,
        )
    )
