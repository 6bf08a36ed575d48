"""The sessions of a process: the shards it is connected to, or is about to be, and when each may identify.

Knows discord.py's shards. Refuses to know why a shard is this process's, and what is done there.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import discord
from discord.gateway import DiscordWebSocket

from bot.runtime.discord_failures import UNREACHED
from bot.runtime.tasks import start_task
from bot.store.errors import StoreError
from bot.store.membership import Membership

log = logging.getLogger(__name__)

GAP = timedelta(seconds=5.25)  # between two that identify in one bucket: Discord wants 5 s
AGAIN = 1.0  # seconds after which somebody asks once more for their turn
SPARED: Final = 200  # sessions a day that are left for what must be: no shard changes hands for its own sake then


@dataclass(frozen=True, slots=True)
class Starts:
    """What Discord says of sessions. shards: how many it recommends. buckets: in how many one may identify at once."""

    shards: int
    buckets: int

    @classmethod
    async def asked(cls, http: discord.http.HTTPClient) -> Starts:
        """Ask for it."""
        shards, _, limits = await http.get_bot_gateway()
        return cls(shards, max(limits.get("max_concurrency", 1), 1))


class Sessions:
    """Those of one process. ready: the shards of which all servers are known."""

    def __init__(self, bot: discord.AutoShardedClient, membership: Membership, buckets: int) -> None:
        self.ready = set[int]()
        self._bot = bot
        self._membership = membership
        self._buckets = buckets
        self._launched: list[int] = []  # in that order
        self._launching: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def wanted(self) -> frozenset[int]:
        """The shards to be connected to: those this process has, and those it is to have next."""
        return self._membership.held | self._membership.coming

    @property
    def waiting(self) -> list[int]:
        """Those it has that are not launched, by number."""
        return sorted(self._membership.held.difference(self._launched))

    def open(self) -> None:
        """Launch all that are wanted, and whatever is wanted from now on."""
        count = self._membership.share.count
        self._bot.shard_count = self._bot._connection.shard_count = count
        self.launch_soon()

    def launch_soon(self) -> None:
        """Launch what is wanted by now, one after the other."""
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
                self._launched.remove(waiting[0])  # it was given to others meanwhile

    async def turn(self, shard: int) -> None:
        """Wait until a shard may identify. Raises CancelledError where it is not this process's any more."""
        while shard in self.wanted:
            try:
                wait = await self._membership.turn_to_identify(shard % self._buckets, GAP)
            except StoreError as error:
                log.warning("A shard identifies later: %s", error)
                await asyncio.sleep(AGAIN)
                continue
            if not wait:
                return
            await asyncio.sleep(wait.total_seconds())
        raise asyncio.CancelledError

    async def enough_left(self) -> bool:
        """Tell whether enough may be begun today that one is begun for its own sake; no where Discord does not say."""
        try:
            return (await self._bot.fetch_session_start_limits()).remaining > SPARED
        except UNREACHED as error:
            log.warning("It is asked later how many sessions may be begun: %s", error)
            return False

    async def hang_up(self, shard: int) -> None:
        """End the session of a shard that another process has."""
        self.ready.discard(shard)
        if shard in self._launched:
            self._launched.remove(shard)
        if (known := self._bot.get_shard(shard)) is not None:
            await known.disconnect()
        for guild in [guild for guild in self._bot.guilds if guild.shard_id == shard]:
            self._bot._connection._remove_guild(guild)  # as discord.py does when it hears of it no more

    def stop(self) -> None:
        """Launch none any more."""
        self._stopped = True
        if self._launching:
            self._launching.cancel()
