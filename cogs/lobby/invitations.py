"""Inviting people to a lobby."""

from __future__ import annotations

from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import UserId
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.members.invitations import MOST, NOT_THE_ROLE, Inviting
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.phrases import person
from bot.show.kit.words import Said
from bot.show.lobby.invitations import called, inviting


class Invitations(commands.Cog):
    """Calls people to a lobby for whoever sits there."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Press, Verb.INVITE, Handler(self.ask))
        bot.handle(Press, Verb.CALL, Handler(self.call, QUIETLY))
        bot.handle(Press, Verb.CALL_ROLE, Handler(self.call_role, QUIETLY))

    @property
    def _inviting(self) -> Inviting:
        return Inviting(self.bot.store, self.bot.habits, self.bot.presence, self.bot.now)

    async def ask(self, click: Visit) -> Reply:
        """Ask whom to call."""
        await self._inviting.check(click.table, click.user)
        return Reply(view=inviting(click.table.scene(click.user), click.w, MOST))

    async def call(self, click: Visit) -> Reply:
        """Call the people who were chosen, as far as they may and would like to be called."""
        wished = [UserId(user) for user in click.all(lambda values: list(map(int, values)))]
        calls, users = await self._inviting.people(click.table, click.user, wished)
        whom, missing = (
            [person(user, click.w) for user in wished if (user in users) is come] for come in (True, False)
        )
        self.bot.telling.perform(calls)
        return Reply(view=called(whom, missing, click.w), at=click.own)

    async def call_role(self, click: Visit) -> Reply:
        """Call a role that whoever calls may mention."""
        guild, rights = click.interaction.guild, click.interaction.permissions
        chosen = click.one(int)
        role = guild.get_role(chosen) if guild else None
        if role is not None and not (role.mentionable or click.interaction.app_permissions.mention_everyone):
            raise Refused(NOT_THE_ROLE)
        calls, role = await self._inviting.role(click.table, click.user, role, anyone=rights.mention_everyone)
        self.bot.telling.perform(calls)
        return Reply(view=called([Said(role.mention)], [], click.w), at=click.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Invitations(bot))
