"""A person's own data: to see all of it, and to have it deleted; and the privacy policy and the terms."""

from __future__ import annotations

import asyncio

from discord.app_commands import Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.door.commands import WITH_BOT
from bot.door.reply import Reply
from bot.door.visit import Handler, Visit
from bot.show.ids import Browse
from bot.show.my_data import ASK, DELETE, SHOW, deleted, everything, question, summary
from bot.show.policies import POLICY, PRIVACY, TERMS, policy
from cogs.here import Interaction


class MyData(commands.Cog):
    """Shows and deletes what is kept about whoever asks."""

    my = Group(name="my", description=locale_str("What is about me: my choices, my data"), allowed_contexts=WITH_BOT)

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        for verb, work in ((SHOW, self.show), (ASK, self.ask), (DELETE, self.delete), (POLICY, self.policy)):
            bot.handle(Browse, verb, Handler(work))

    @my.command(name="data", description=locale_str("See or delete what is kept about me"))
    async def data(self, interaction: Interaction) -> None:
        """Say how much is kept, and offer to show and to delete it."""

        async def work(visit: Visit) -> Reply:
            data = await self.bot.store.person_data(visit.user)
            return Reply(view=summary(data, visit.w))

        await self.bot.reply(interaction, work)

    async def show(self, click: Visit) -> Reply:
        """Give everything, as a file; a long one is put together off the event loop."""
        data = await self.bot.store.person_data(click.user)
        return Reply(view=await asyncio.to_thread(everything, data, click.w))

    async def ask(self, click: Visit) -> Reply:
        """Ask whether they are sure."""
        return Reply(view=question(click.w), at=click.own)

    async def delete(self, click: Visit) -> Reply:
        """Delete everything."""
        await self.bot.retention.forget_person(click.user)
        self.bot.dispatch("person_forgotten")
        return Reply(view=deleted(click.w), at=click.own)

    async def policy(self, click: Visit) -> Reply:
        """Show the privacy policy or the terms."""
        which = TERMS if click.browse.args == (TERMS,) else PRIVACY
        return Reply(view=policy(which, self.bot.operator, click.w))


async def setup(bot: Bigger) -> None:
    """Add the commands."""
    await bot.add_cog(MyData(bot))
