"""The gateway sessions of a process: its connected shards, and the pace of identifying.

Uses discord.py's shards. Which shards belong to the process is decided elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import discord
from discord.gateway import DiscordWebSocket

from bot.runtime.discord_requests import UNREACHED
from bot.runtime.tasks import start_task
from bot.store.cluster.membership import Membership
from bot.store.errors import StoreError

log = logging.getLogger(__name__)

IDENTIFY_INTERVAL = timedelta(seconds=5.25)  # between two shards that identify in one bucket; Discord requires 5 s
RETRY_SECONDS = 1.0  # seconds until a failed request for a turn is repeated
RESERVED_SESSION_STARTS: Final = (
    200  # daily session starts reserved for necessary ones: below this, no shard moves for balance
)


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """Discord's limits on sessions.

    shards: the recommended number. buckets: the number of concurrent identifies.
    """

    shards: int
    buckets: int

    @classmethod
    async def asked(cls, http: discord.http.HTTPClient) -> SessionLimits:
        """Return the limits, asked of Discord."""
        shards, _, limits = await http.get_bot_gateway()
        return cls(shards, max(limits.get("max_concurrency", 1), 1))


class Sessions:
    """The sessions of one process. ready: the shards whose servers are all known."""

    def __init__(self, bot: discord.AutoShardedClient, membership: Membership, buckets: int) -> None:
        self.ready = set[int]()
        self._bot = bot
        self._membership = membership
        self._buckets = buckets
        self._launched: list[int] = []  # in order of launch
        self._launching: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def wanted(self) -> frozenset[int]:
        """The shards to connect to: this process's shards, and the shards about to arrive."""
        return self._membership.held | self._membership.coming

    @property
    def waiting(self) -> list[int]:
        """The shards of this process without a launch so far, by number."""
        return sorted(self._membership.held.difference(self._launched))

    def open(self) -> None:
        """Launch all wanted shards, and later ones on their arrival."""
        count = self._membership.share.count
        self._bot.shard_count = self._bot._connection.shard_count = count
        self.start_launching()

    def start_launching(self) -> None:
        """Start launching the wanted shards, one after the other."""
        if not self._stopped and (self._launching is None or self._launching.done()):
            self._launching = start_task(self._launch_all(), name="shards")

    async def _launch_all(self) -> None:
        while waiting := sorted(self.wanted.difference(self._launched)):
            self._launched.append(waiting[0])
            try:
                await self._bot.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, waiting[0])
            except asyncio.CancelledError:
                if waiting[0] in self.wanted:
                    raise
                self._launched.remove(waiting[0])  # the shard was given away meanwhile

    async def turn(self, shard: int) -> None:
        """Wait until a shard may identify.

        Raises CancelledError once the shard belongs to another process.
        """
        while shard in self.wanted:
            try:
                wait = await self._membership.turn_to_identify(shard % self._buckets, IDENTIFY_INTERVAL)
            except StoreError as error:
                log.warning("A shard identifies later: %s", error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if not wait:
                return
            await asyncio.sleep(wait.total_seconds())
        raise asyncio.CancelledError

    async def enough_left(self) -> bool:
        """Tell whether enough session starts are left today to move a shard for balance.

        Returns False if unknown.
        """
        try:
            return (await self._bot.fetch_session_start_limits()).remaining > RESERVED_SESSION_STARTS
        except UNREACHED as error:
            log.warning("It is asked later how many sessions may be begun: %s", error)
            return False

    async def hang_up(self, shard: int) -> None:
        """End the session of a shard that belongs to another process."""
        self.ready.discard(shard)
        if shard in self._launched:
            self._launched.remove(shard)
        if (known := self._bot.get_shard(shard)) is not None:
            await known.disconnect()
        for guild in [guild for guild in self._bot.guilds if guild.shard_id == shard]:
            self._bot._connection._remove_guild(guild)  # as discord.py does after a server's removal

    def stop(self) -> None:
        """Launch no further shard."""
        self._stopped = True
        if self._launching:
            self._launching.cancel()
