"""Routes interactions in a process with some of the shards: answer, queue during a move, or forward.

An interaction about a table of another process is forwarded unchanged to the process with the table's server, and
answered there. The answers are made elsewhere.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any, Final

import discord

from bot.domain.ids import GuildId, TableId
from bot.domain.shard_share import shard_of
from bot.runtime.tasks import RunningTasks
from bot.sharding.crossing import InteractionBuffer
from bot.sharding.table_references import table_of
from bot.store.cluster.membership import Membership
from bot.store.errors import StoreError

log = logging.getLogger(__name__)

ARRIVED: Final = "INTERACTION_CREATE"


class InteractionRouter:
    """All arriving interactions. home: returns the server of a table, None for an unknown table."""

    def __init__(
        self,
        bot: discord.AutoShardedClient,
        membership: Membership,
        home: Callable[[TableId], Awaitable[GuildId | None]],
        begun: RunningTasks,
    ) -> None:
        self._membership = membership
        self._home = home
        self._begun = begun
        self._crossing = InteractionBuffer()
        self._kept = set[int]()  # shards in transit, whose interactions are queued
        self._parse = bot._connection.parsers[ARRIVED]  # replaces discord.py's parser
        bot._connection.parsers[ARRIVED] = self._arrived

    def answer(self, data: Mapping[str, Any]) -> None:
        """Answer a forwarded interaction of another process's shard."""
        self._parse(data)

    # Moves of shards

    def keep(self, shard: int) -> None:
        """Queue the interactions of a shard until its owner is known."""
        self._kept.add(shard)

    def taken(self, shard: int) -> list[int]:
        """Return the recently answered interactions, and forget them: the shard now belongs to another process."""
        return self._crossing.taken(shard)

    def take_over(self, shard: int, taken: Collection[int]) -> None:
        """Answer the queued interactions not in `taken` by the shard's previous owner, and all later ones."""
        self._kept.discard(shard)
        self._take_all(self._crossing.take_over(shard, taken))

    def retain(self, shard: int) -> None:
        """Answer the queued interactions: the shard keeps its owner."""
        self._kept.discard(shard)
        self._take_all(self._crossing.retain(shard))

    def drop(self, shard: int) -> None:
        """Drop the queued interactions: another process owns the shard."""
        self._kept.discard(shard)
        self._crossing.forget(shard)

    # Routing

    def _arrived(self, data: Mapping[str, Any]) -> None:
        self._begun.begin(self._take(data))

    def _take_all(self, interactions: Iterable[Mapping[str, Any]]) -> None:
        for data in interactions:
            self._arrived(data)

    async def _take(self, data: Mapping[str, Any]) -> None:
        """Answer, queue or forward an interaction, or leave it to the shard's owner."""
        guild = GuildId(int(data["guild_id"])) if data.get("guild_id") else None
        shard, number = shard_of(guild, self._membership.share.count), int(data["id"])
        if shard in self._kept:
            self._crossing.keep(shard, data)
        elif self._crossing.is_taken(shard, number):
            log.info("An interaction was answered by whoever had the shard before")
        elif not await self._membership.has(guild):
            log.info("An interaction is for another process by now")
        else:
            self._crossing.take(shard, number)
            if not await self._forward_to_owner(data):
                self._parse(data)

    async def _forward_to_owner(self, data: Mapping[str, Any]) -> bool:
        """Forward an interaction to the owner of its table; False if that is this process."""
        table, share = table_of(data), self._membership.share
        if table is None or self._membership.own.whole:
            return False
        try:
            guild = await self._home(table)
            if guild is None or await self._membership.has(guild):
                return False
            await self._membership.hand(shard_of(guild, share.count), json.dumps(data))
        except StoreError:
            return False  # this process can answer with the failure as well
        return True
