"""Discord's shards where several processes share them: this one's part, and what the others say to it.

Puts together who is connected where, whose interactions are, and what moves. Refuses to know what is answered.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from os import getpid
from typing import Final

import discord

from bot.domain.ids import GuildId, TableId, UserId
from bot.domain.shard_share import shard_of
from bot.runtime.tasks import Begun, start_awaited
from bot.sharding.handover import SHARD, TAKEN, Moving
from bot.sharding.interactions import Interactions
from bot.sharding.process import AgreedTime, Living
from bot.sharding.sessions import Sessions, Starts
from bot.store.errors import StoreError
from bot.store.membership import GIVE, TO, Membership
from bot.store.processes import Standing, Terms
from bot.store.store import Store

log = logging.getLogger(__name__)

FORGET: Final = "forget"  # what is handed about a person, and no interaction
CHANGED: Final = "changed"  # the same of one who has chosen something
REREAD: Final = "reread"  # what is handed about a table that another process has changed
JOINING = 0.5  # seconds at the end to wait until this process has joined, to leave again


class Shards:
    """Those of this process, once it has joined. home: finds the server of a table, None where there is no such one."""

    membership: Membership
    _sessions: Sessions
    _interactions: Interactions
    _moving: Moving

    def __init__(
        self,
        bot: discord.AutoShardedClient,
        living: Living,
        time: AgreedTime,
        home: Callable[[TableId], Awaitable[GuildId | None]],
    ) -> None:
        self._bot = bot
        self._living = living
        self._time = time
        self._home = home
        self._away: dict[int, timedelta] = {}
        self._begun = Begun()
        self._open = False  # whether shards are launched by now, and this process is not about to end
        self._joining: asyncio.Task[Membership] | None = None
        self._joined = False

    async def join(self, store: Store, terms: Terms) -> None:
        """Become one of the processes that share the store. May raise StoreError, and what Discord's answers raise."""
        self._store = store
        starts = await Starts.asked(self._bot.http)
        joining = store.join(f"{socket.gethostname()} {getpid()}", terms, starts.shards, self)
        self._joining = start_awaited(joining, name="joining")
        self.membership = member = await asyncio.shield(self._joining)
        self._sessions = sessions = Sessions(self._bot, member, starts.buckets)
        self._interactions = interactions = Interactions(self._bot, member, self._home, self._begun)
        self._moving = Moving(self._living, member, sessions, interactions, self._begun, self._away)
        self._joined = True
        member.keep()

    def launch(self) -> None:
        """Connect to all that this process has, and to whatever it gets from now on."""
        self._open = True
        self._sessions.open()

    async def turn(self, shard: int) -> None:
        """Wait until a shard may identify. Raises CancelledError where it is not this process's any more."""
        await self._sessions.turn(shard)

    async def ready(self, shard: int) -> None:
        """Hear that all servers of a shard are known."""
        await self._moving.ready(shard)

    async def retire(self) -> None:
        """Let others connect to all shards of this process and have them, then end."""
        try:
            await self.membership.leave()
        except StoreError as error:
            log.warning("Nobody takes over, for that cannot be written down; ask once more: %s", error)
            return
        log.info("Others are to take over; this process ends when they have")

    def close_ears(self) -> None:
        """Take nothing any more that others hand over, and connect to no further shard."""
        self._open = False
        if self._joined:
            self.membership.close_ears()
            self._sessions.stop()

    async def at_rest(self) -> None:
        """Wait until what was heard and handed over is on its way to its answer."""
        while self._begun.busy:
            await asyncio.wait(self._begun.tasks)

    async def end(self) -> None:
        """Give all shards back, also where the process is stopped while it joins."""
        self.close_ears()
        self._begun.stop()
        await self._begun.ended()
        if self._joining is not None:
            with suppress(StoreError, TimeoutError):
                await (await asyncio.wait_for(self._joining, JOINING)).end()

    # What is told of the membership

    async def stands(self, standing: Standing) -> None:
        """Hear how it stands; once shards are launched, do what there is to do."""
        self._time.agree(standing.now, standing.asked, standing.answered)
        self._away |= standing.taken
        self._living.shared_by(standing.share.processes)
        if standing.idle:
            log.warning("There is no process for %d shards: start another one", standing.idle)
        if self._open:
            await self._moving.stands(standing)

    async def fenced(self) -> None:
        """End."""
        await self._living.end_fenced()

    async def handed(self, what: str) -> None:
        """Take an interaction that came to another process, do what it asks for, or drop what is remembered."""
        said = json.loads(what)
        if FORGET in said:
            self._living.let_go(UserId(said[FORGET]))
        elif CHANGED in said:
            self._living.forget(UserId(said[CHANGED]))
        elif REREAD in said:
            self._begun.begin(self._living.reread(TableId(said[REREAD])))
        elif GIVE in said:
            self._begun.begin(self._moving.give(said[GIVE], said[TO]))
        elif TAKEN in said:
            self._interactions.come(said[SHARD], said[TAKEN])
        else:
            self._interactions.answer(said)

    async def behind(self, followed: Callable[[], None]) -> None:
        """Follow what others have deleted; then drop the replays in which a person may still have a name."""
        await self._living.follow(followed)
        self._bot.dispatch("person_forgotten")

    # Tables of other processes

    def tell_holder(self, table: TableId, guild: GuildId) -> None:
        """Let the process that has a table read again what this one has changed there."""
        self._begun.begin(self._told_holder(table, guild))

    async def _told_holder(self, table: TableId, guild: GuildId) -> None:
        try:
            await self.membership.hand(shard_of(guild, self.membership.own.count), json.dumps({REREAD: table}))
        except StoreError as error:
            log.warning("The process that has table %s reads it again at its next change: %s", table, error)

    # People who are deleted

    async def let_go(self, user: UserId) -> None:
        """Let all other processes drop what they remember about a person. May raise StoreError."""
        await self.membership.hand_others(json.dumps({FORGET: user}))

    async def changed(self, user: UserId) -> None:
        """Let the others read again what a person has chosen; where that cannot be said, they do so in their time."""
        try:
            await self.membership.hand_others(json.dumps({CHANGED: user}))
        except StoreError as error:
            log.warning("What somebody has chosen is not known everywhere yet: %s", error)
