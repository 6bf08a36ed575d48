"""A user's own data: export and deletion; the privacy policy and the terms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import discord
from discord.app_commands import Group, locale_str
from discord.ext import commands
from discord.utils import snowflake_time

from bot.client import Bigger
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Limit, Refused
from bot.interactions.answers import SLOWLY, Reply
from bot.interactions.commands import WITH_BOT
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.visit import Handler, Visit
from bot.members.retention import Retention
from bot.show.kit.custom_ids import Browse
from bot.show.people.own_data import (
    ASK,
    DELETE,
    SHOW,
    ExportQuota,
    OwnFile,
    TooLarge,
    deleted,
    everything,
    no_data,
    question,
    summary,
)
from bot.show.server.about import POLICY, PRIVACY, TERMS, Operator, policy
from bot.store.store import Store
from cogs.common.table_lookup import Interaction

TOKEN_LIFETIME = timedelta(minutes=13)  # the interaction's token is surely valid for so long
WRITING = Limit("file written", 1, timedelta(minutes=15), "Your file is already being written. Please wait for it.")
FILES = Limit("file", 3, timedelta(days=1), "You've had {most} files today. You can have the next one {when}.")
DELETIONS = Limit(
    "deletion", 3, timedelta(hours=1), "You've deleted your data {most} times in an hour. You can do it again {when}."
)
TOO_LONG = N_("Many people are asking for their data, so your file wasn't ready in time. Please try again later.")
TOO_LARGE = N_(
    "That's more than fits in a message. The operator of this bot can give it to you; Privacy says who that is."
)


@dataclass(kw_only=True, eq=False, repr=False)
class OwnDataCog(commands.Cog):
    """Exports and deletes the data kept about a user."""

    my = Group(name="my", description=locale_str("My choices and my data"), allowed_contexts=WITH_BOT)

    client: discord.Client
    operator: Operator
    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher
    retention: Retention

    def __post_init__(self) -> None:
        self._one = asyncio.Lock()  # one export at a time, to leave the store free for other users
        self.dispatcher.register(Browse, SHOW, Handler(self.show, SLOWLY))
        for verb, work in ((ASK, self.ask), (DELETE, self.delete), (POLICY, self.policy)):
            self.dispatcher.register(Browse, verb, Handler(work))

    @my.command(name="data", description=locale_str("See or delete what's stored about me"))
    async def data(self, interaction: Interaction) -> None:
        """Show how much data is kept, with buttons to export and to delete it."""

        async def work(visit: Visit) -> Reply:
            limits, kept = self.store.limits, await self.store.own_data(visit.user).count()
            writing = await limits.next_use(WRITING, visit.user) is not None
            files = ExportQuota(FILES.most, writing, await limits.next_use(FILES, visit.user))
            return Reply(view=summary(kept, files, visit.w))

        await self.dispatcher.reply(interaction, work)

    async def show(self, click: Visit) -> Reply:
        """Send the export of all data as a file.

        Raises Refused while another export of this user is being written, or beyond the daily limit.
        """
        limits, user = self.store.limits, click.user
        async with limits.holding(WRITING, user), limits.using(FILES, user), self._one:
            view = everything(await self._written(click), click.w)
        return Reply(view=view, landed=partial(self._landed, user))

    def _landed(self, user: UserId, where: PrivateMessage | None) -> None:
        """Refund the daily use if the file did not reach the user."""
        if where is None:
            self.dispatcher.event_tasks.begin(self.store.limits.give_back(FILES, user))

    async def _written(self, click: Visit) -> tuple[tuple[str, bytes], ...]:
        """Return the files of the export, written page by page off the event loop. Raises Refused."""
        file = OwnFile(click.interaction.filesize_limit)
        try:
            async for page in self.store.own_data(click.user).pages():
                if self.now() - snowflake_time(click.interaction.id) > TOKEN_LIFETIME:
                    raise Refused(TOO_LONG)
                await asyncio.to_thread(file.add, page.name, page.rows)
            return await asyncio.to_thread(file.close)
        except TooLarge:
            raise Refused(TOO_LARGE) from None

    async def ask(self, click: Visit) -> Reply:
        """Ask for confirmation of the deletion."""
        return Reply(view=question(click.w), at=click.own)

    async def delete(self, click: Visit) -> Reply:
        """Delete all data of the user.

        Does nothing for a user without data. Raises Refused beyond the hourly limit.
        """
        if not await self.store.deletions.is_kept(click.user):
            return Reply(view=no_data(click.w), at=click.own)
        async with self.store.limits.using(DELETIONS, click.user):
            await self.retention.forget_person(click.user)
        self.client.dispatch("person_forgotten")
        return Reply(view=deleted(click.w), at=click.own)

    async def policy(self, click: Visit) -> Reply:
        """Show the privacy policy or the terms."""
        which = TERMS if click.browse.args == (TERMS,) else PRIVACY
        return Reply(view=policy(which, self.operator, click.w))


async def setup(bot: Bigger) -> None:
    """Add the commands."""
    parts = bot.parts
    await bot.add_cog(
        OwnDataCog(
            client=bot,
            operator=parts.operator,
            now=parts.now,
            store=parts.store,
            dispatcher=parts.dispatcher,
            retention=parts.retention,
        )
    )
