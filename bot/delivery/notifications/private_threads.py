"""Private threads for players with closed direct messages.

The threads lie below a text channel, and are opened once and remembered. Moderators of the channel can read them too,
so messages there contain public information only. The messages are made elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from functools import partial
from weakref import WeakValueDictionary

import discord

from bot.delivery.boards.match_threads import ARCHIVE_AFTER
from bot.delivery.context import DeliveryContext
from bot.delivery.outbox.discord_limits import channel, threads
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.ids import ChannelId, UserId
from bot.domain.message_ids import N_
from bot.runtime.discord_requests import UNREACHED
from bot.store.repositories.people import PrivateThreadRepository
from bot.store.rows import PrivateThread
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

NAME = N_("When it's your turn")  # the name reveals no player
ALONE = 1  # members of a thread with the bot alone


class PrivateThreads:
    """Opens and finds private threads."""

    def __init__(self, context: DeliveryContext, queue: WriteQueue, private_threads: PrivateThreadRepository) -> None:
        self._context = context
        self._queue = queue
        self._private_threads = private_threads
        self._opening: WeakValueDictionary[ChannelId, asyncio.Lock] = WeakValueDictionary()  # locks live while held

    def under(self, home: ChannelId) -> ChannelId:
        """Return the parent channel of a thread, if known; any other channel unchanged."""
        return _under(self._context.client.get_channel(home), home)

    async def known(self, user: UserId, homes: Collection[ChannelId]) -> dict[ChannelId, ChannelId]:
        """Return the user's private threads by the channels and threads of tables."""
        theirs = await self._private_threads.of_person(user)
        above = {home: await self._above(home) for home in homes} if theirs else {}
        return {home: theirs[under] for home, under in above.items() if under in theirs}

    async def lanes(self, user: UserId, homes: Collection[ChannelId]) -> dict[ChannelId, ChannelId]:
        """Return where a user gets notices of tables in these channels.

        The user's private thread; or the parent channel if a private thread can be opened there; or the table's
        channel.
        """
        known = await self.known(user, homes)
        return {home: known.get(home) or self._openable(home) or home for home in homes}

    async def of(self, user: UserId, home: ChannelId) -> ChannelId | None:
        """Return the user's private thread for tables in a channel or thread."""
        return (await self.known(user, [home])).get(home)

    async def opened(self, table: ShownTable, user: UserId) -> ChannelId | None:
        """Open a private thread near a table, or reuse an empty one; None on failure."""
        under = self._openable(table.row.home)
        where = self._context.client.get_channel(under) if under else None
        if under is None or not isinstance(where, discord.TextChannel):
            return None
        name = self._context.words_for_table(table.scene(None))(NAME)
        async with self._opening.setdefault(under, asyncio.Lock()):  # an unsaved thread looks like a left-over
            try:
                thread = await self._left_over(where, under, name) or await self._made(where, under, name)
            except UNREACHED as error:
                log.info("No private thread could be opened under channel %s: %s", under, error)
                return None
            own = PrivateThread(user, under, ChannelId(thread.id), table.row.guild)
            await self._private_threads.keep(own)
        await self._add_user(thread, user)
        return own.thread

    async def _made(self, where: discord.TextChannel, under: ChannelId, name: str) -> discord.Thread:
        make = partial(
            where.create_thread,
            name=name,
            type=discord.ChannelType.private_thread,
            invitable=False,
            auto_archive_duration=ARCHIVE_AFTER,
        )
        return await self._queue.do(threads(under), make, in_person=True)  # on failure, the channel gets the notice

    async def _left_over(self, where: discord.TextChannel, under: ChannelId, name: str) -> discord.Thread | None:
        """Return an empty private thread that a stop kept from being saved, if any."""
        client = self._context.client
        theirs = [thread for thread in where.threads if thread.is_private() and thread.owner == where.guild.me]
        ours = [thread for thread in theirs if thread.name == name]  # others may be for a match about to start
        remembered = await self._private_threads.under(under) if ours else frozenset()
        for thread in ours:
            if thread.id not in remembered and not thread.archived:
                now = await client.fetch_channel(thread.id)  # cached member counts go stale
                if isinstance(now, discord.Thread) and now.member_count <= ALONE:
                    return now
        return None

    async def forget(self, user: UserId, home: ChannelId) -> None:
        """Forget a private thread that is deleted or locked."""
        await self._private_threads.forget(user, await self._above(home))

    async def _add_user(self, thread: discord.Thread, user: UserId) -> None:
        """Add a user to a thread; if that fails, a mention there can still add the user."""
        try:
            await self._queue.do(channel(ChannelId(thread.id)), partial(thread.add_user, discord.Object(user)))
        except UNREACHED as error:
            log.info("A user could not be added to the private thread %s: %s", thread.id, error)

    def _openable(self, home: ChannelId) -> ChannelId | None:
        under = self.under(home)
        return under if self._context.may_open_threads(under) else None

    async def _above(self, home: ChannelId) -> ChannelId:
        """Return the parent channel of a thread, fetched if the thread is archived and not cached."""
        client = self._context.client
        try:
            return _under(client.get_channel(home) or await client.fetch_channel(home), home)
        except UNREACHED as error:
            log.info("It is not known where thread %s is: %s", home, error)
            return home


def _under(found: object, home: ChannelId) -> ChannelId:
    return ChannelId(found.parent_id) if isinstance(found, discord.Thread) else home
