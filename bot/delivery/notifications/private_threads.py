"""Private threads of those whose direct messages are closed: under a text channel, opened once and remembered.

Whoever looks after a channel can read them too, so nothing may stand there that not everybody knows. Refuses to know
what does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping
from functools import partial
from typing import Protocol
from weakref import WeakValueDictionary

import discord

from bot.delivery.boards.boards import Places
from bot.delivery.boards.match_threads import ARCHIVE_AFTER
from bot.delivery.outbox.discord_limits import channel, threads
from bot.delivery.outbox.write_queue import Queue
from bot.domain.ids import ChannelId, UserId
from bot.runtime.discord_failures import UNREACHED
from bot.show.kit.words import N_
from bot.store.rows import OwnThread
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

NAME = N_("When it is your turn")  # it names nobody
ALONE = 1  # in a thread: the bot


class OwnThreadStore(Protocol):
    """What private threads need of a store."""

    async def own_threads(self, user: UserId) -> Mapping[ChannelId, ChannelId]:
        """Return under which channels a person has which private thread."""
        ...

    async def keep_own_thread(self, own: OwnThread) -> None:
        """Remember the private thread of a person under a channel."""
        ...

    async def own_threads_under(self, channel: ChannelId) -> frozenset[ChannelId]:
        """Return the private threads of all people under a channel."""
        ...

    async def forget_own_thread(self, user: UserId, channel: ChannelId) -> None:
        """Forget it."""
        ...


class OwnThreads:
    """Opens and finds private threads."""

    def __init__(self, places: Places, queue: Queue, store: OwnThreadStore) -> None:
        self._places = places
        self._queue = queue
        self._store = store
        self._opening: WeakValueDictionary[ChannelId, asyncio.Lock] = WeakValueDictionary()  # one is held while used

    def under(self, home: ChannelId) -> ChannelId:
        """Return the channel that a thread belongs to, as far as it is known, and any other channel as it is."""
        return _under(self._places.client.get_channel(home), home)

    async def known(self, user: UserId, homes: Collection[ChannelId]) -> dict[ChannelId, ChannelId]:
        """Return the private threads in which somebody is told of what waits in these channels and threads."""
        theirs = await self._store.own_threads(user)
        above = {home: await self._above(home) for home in homes} if theirs else {}
        return {home: theirs[under] for home, under in above.items() if under in theirs}

    async def lanes(self, user: UserId, homes: Collection[ChannelId]) -> dict[ChannelId, ChannelId]:
        """Return where somebody is told of what waits in these: in their thread, or where it can be opened, or there.

        The channel under which it would be stands for one that can be opened.
        """
        known = await self.known(user, homes)
        return {home: known.get(home) or self._openable(home) or home for home in homes}

    async def of(self, user: UserId, home: ChannelId) -> ChannelId | None:
        """Return the private thread in which somebody is told of what waits in a channel or thread."""
        return (await self.known(user, [home])).get(home)

    async def opened(self, table: ShownTable, user: UserId) -> ChannelId | None:
        """Open one where a table is, or take one that nobody is in; None where that cannot be done."""
        under = self._openable(table.row.home)
        where = self._places.client.get_channel(under) if under else None
        if under is None or not isinstance(where, discord.TextChannel):
            return None
        name = self._places.public(table.scene(None))(NAME)
        async with self._opening.setdefault(under, asyncio.Lock()):  # else one that is not remembered yet would be it
            try:
                thread = await self._left_over(where, under, name) or await self._made(where, under, name)
            except UNREACHED as error:
                log.info("No private thread could be opened under channel %s: %s", under, error)
                return None
            own = OwnThread(user, under, ChannelId(thread.id), table.row.guild)
            await self._store.keep_own_thread(own)
        await self._let_in(thread, user)
        return own.thread

    async def _made(self, where: discord.TextChannel, under: ChannelId, name: str) -> discord.Thread:
        make = partial(
            where.create_thread,
            name=name,
            type=discord.ChannelType.private_thread,
            invitable=False,
            auto_archive_duration=ARCHIVE_AFTER,
        )
        return await self._queue.do(threads(under), make, in_person=True)  # else the notice is given in the channel

    async def _left_over(self, where: discord.TextChannel, under: ChannelId, name: str) -> discord.Thread | None:
        """Return one that a stop kept from being remembered: nobody is in it yet; None where there is none."""
        client = self._places.client
        theirs = [thread for thread in where.threads if thread.is_private() and thread.owner == where.guild.me]
        ours = [thread for thread in theirs if thread.name == name]  # a table may be about to get another
        remembered = await self._store.own_threads_under(under) if ours else frozenset()
        for thread in ours:
            if thread.id not in remembered and not thread.archived:
                now = await client.fetch_channel(thread.id)  # nobody tells us who has come
                if isinstance(now, discord.Thread) and now.member_count <= ALONE:
                    return now
        return None

    async def forget(self, user: UserId, home: ChannelId) -> None:
        """Forget a private thread that is gone, or in which nobody may write any more."""
        await self._store.forget_own_thread(user, await self._above(home))

    async def _let_in(self, thread: discord.Thread, user: UserId) -> None:
        """Put somebody into a thread; where that fails, being named there may still do it."""
        try:
            await self._queue.do(channel(ChannelId(thread.id)), partial(thread.add_user, discord.Object(user)))
        except UNREACHED as error:
            log.info("Somebody was not put into the private thread %s: %s", thread.id, error)

    def _openable(self, home: ChannelId) -> ChannelId | None:
        under = self.under(home)
        return under if self._places.apart(under) else None

    async def _above(self, home: ChannelId) -> ChannelId:
        """Return the channel that a thread belongs to, though it may have been archived and is not in memory."""
        client = self._places.client
        try:
            return _under(client.get_channel(home) or await client.fetch_channel(home), home)
        except UNREACHED as error:
            log.info("It is not known where thread %s is: %s", home, error)
            return home


def _under(found: object, home: ChannelId) -> ChannelId:
    return ChannelId(found.parent_id) if isinstance(found, discord.Thread) else home
