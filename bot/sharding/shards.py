"""Discord's shards, shared by several processes: the part of this process.

Combines the sessions, the routing of interactions, the moves of shards, and the messages of other processes. The
answers are made elsewhere.
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

from bot.domain.ids import GuildId, TableId, UserId, shard_of
from bot.runtime.tasks import RunningTasks, start_awaited, start_task
from bot.sharding.handover import SHARD, TAKEN, AgreedTime, ShardCallbacks, ShardHandover
from bot.sharding.interactions import InteractionRouter
from bot.sharding.sessions import SessionLimits, Sessions
from bot.store.cluster.membership import GIVE, TO, Membership
from bot.store.errors import StoreError
from bot.store.postgres.processes import MembershipState, MembershipTerms
from bot.store.store import Store

log = logging.getLogger(__name__)

FORGET: Final = "forget"  # the key of a message about a user whose data was deleted
CHANGED: Final = "changed"  # the key of a message about a user with changed preferences
REREAD: Final = "reread"  # the key of a message about a table that another process has changed
MAX_JOIN_WAIT = 0.5  # seconds to wait at the end for a join under way, in order to leave again


class Shards:
    """The shards of this process after joining.

    home: returns the server of a table, None for an unknown table.
    """

    membership: Membership
    _sessions: Sessions
    _interactions: InteractionRouter
    _moving: ShardHandover

    def __init__(
        self,
        bot: discord.AutoShardedClient,
        living: ShardCallbacks,
        time: AgreedTime,
        home: Callable[[TableId], Awaitable[GuildId | None]],
    ) -> None:
        self._bot = bot
        self._living = living
        self._time = time
        self._home = home
        self._away: dict[int, timedelta] = {}
        self._begun = RunningTasks()
        self._open = False  # whether shards are launched, and the process is not about to end
        self._joining: asyncio.Task[Membership] | None = None
        self._joined = False

    async def join(self, store: Store, terms: MembershipTerms) -> None:
        """Join the processes on the store. May raise StoreError, and Discord's errors."""
        self._store = store
        starts = await SessionLimits.asked(self._bot.http)
        joining = store.join(f"{socket.gethostname()} {getpid()}", terms, starts.shards, self)
        self._joining = start_awaited(joining, name="joining")
        self.membership = member = await asyncio.shield(self._joining)
        self._sessions = sessions = Sessions(self._bot, member, starts.buckets)
        self._interactions = interactions = InteractionRouter(self._bot, member, self._home, self._begun)
        self._moving = ShardHandover(
            living=self._living,
            membership=member,
            sessions=sessions,
            interactions=interactions,
            begun=self._begun,
            away=self._away,
        )
        self._joined = True
        member.keep()

    def launch(self) -> None:
        """Connect to all shards of this process, and to later ones on their arrival."""
        self._open = True
        self._sessions.open()

    async def turn(self, shard: int) -> None:
        """Wait until a shard may identify.

        Raises CancelledError once the shard belongs to another process.
        """
        await self._sessions.turn(shard)

    async def ready(self, shard: int) -> None:
        """Record that all servers of a shard are known."""
        await self._moving.ready(shard)

    def retire(self) -> None:
        """Make other processes take over all shards of this process, which ends afterwards."""
        self._retiring = start_task(self._retire(), "retiring")

    async def _retire(self) -> None:
        try:
            await self.membership.leave()
        except StoreError as error:
            log.warning("No process takes over, as the store is unavailable; ask again: %s", error)
            return
        log.info("Other processes take over; this process ends afterwards")

    def stop_receiving(self) -> None:
        """Accept no further message from other processes, and connect to no further shard."""
        self._open = False
        if self._joined:
            self.membership.stop_receiving()
            self._sessions.stop()

    async def wait_until_idle(self) -> None:
        """Wait until all received and forwarded interactions are being answered."""
        while self._begun.busy:
            await asyncio.wait(self._begun.tasks)

    async def end(self) -> None:
        """Give all shards back, even if the process is stopped while joining."""
        self.stop_receiving()
        self._begun.stop()
        await self._begun.ended()
        if self._joining is not None:
            with suppress(StoreError, TimeoutError):
                async with asyncio.timeout(MAX_JOIN_WAIT):
                    membership = await self._joining
                await membership.end()

    # Callbacks of the membership

    async def update(self, standing: MembershipState) -> None:
        """Process the state of the cluster; once shards are launched, react to it."""
        self._time.agree(standing.now, standing.asked, standing.answered)
        self._away |= standing.taken
        self._living.shared_by(standing.share.processes)
        if standing.idle:
            log.warning("There is no process for %d shards: start another one", standing.idle)
        if self._open:
            await self._moving.update(standing)

    async def fenced(self) -> None:
        """Shut down."""
        await self._living.end_fenced()

    async def receive(self, message: str) -> None:
        """Process a message from another process.

        The message forwards an interaction, requests or gives a shard, or names data to drop or reload.
        """
        received = json.loads(message)
        if FORGET in received:
            self._living.drop_cached(UserId(received[FORGET]))
        elif CHANGED in received:
            self._living.forget(UserId(received[CHANGED]))
        elif REREAD in received:
            self._begun.begin(self._living.reread(TableId(received[REREAD])))
        elif GIVE in received:
            self._begun.begin(self._moving.give(received[GIVE], received[TO]))
        elif TAKEN in received:
            self._interactions.take_over(received[SHARD], received[TAKEN])
        else:
            self._interactions.answer(received)

    async def behind(self, followed: Callable[[], None]) -> None:
        """Follow deletions by other processes, then drop replays, which may show a deleted name."""
        await self._living.follow(followed)
        self._bot.dispatch("person_forgotten")

    # Messages about tables

    def notify_owner(self, table: TableId, guild: GuildId) -> None:
        """Ask the process that owns a table to reload the table after a change by this process."""
        self._begun.begin(self._notify_owner(table, guild))

    async def _notify_owner(self, table: TableId, guild: GuildId) -> None:
        try:
            await self.membership.send(shard_of(guild, self.membership.own.count), json.dumps({REREAD: table}))
        except StoreError as error:
            log.warning("The process that has table %s reads it again at its next change: %s", table, error)

    # Messages about users

    async def drop_cached(self, user: UserId) -> None:
        """Ask all other processes to drop their cached data of a user. May raise StoreError."""
        await self.membership.send_to_others(json.dumps({FORGET: user}))

    async def changed(self, user: UserId) -> None:
        """Ask the other processes to reload a user's preferences.

        If that fails, they reload after a while.
        """
        try:
            await self.membership.send_to_others(json.dumps({CHANGED: user}))
        except StoreError as error:
            log.warning("A changed preference is not known to every process yet: %s", error)
