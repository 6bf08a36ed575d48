"""Interactions that come to a process which has some of the shards: answered here, kept a moment, or handed over.

Knows whose an interaction is: one that is about a table elsewhere is handed to the process that has its server's
shard, as it came, and answered there. Refuses to know what is answered.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any, Final

import discord

from bot.domain.ids import GuildId, TableId
from bot.domain.shard_share import shard_of
from bot.runtime.tasks import Begun
from bot.sharding.crossing import Crossing
from bot.sharding.table_references import table_of
from bot.store.errors import StoreError
from bot.store.membership import Membership

log = logging.getLogger(__name__)

ARRIVED: Final = "INTERACTION_CREATE"


class Interactions:
    """All that come. home: finds the server of a table, None where there is no such table."""

    def __init__(
        self,
        bot: discord.AutoShardedClient,
        membership: Membership,
        home: Callable[[TableId], Awaitable[GuildId | None]],
        begun: Begun,
    ) -> None:
        self._membership = membership
        self._home = home
        self._begun = begun
        self._crossing = Crossing()
        self._kept = set[int]()  # shards of which it is not known who answers
        self._parse = bot._connection.parsers[ARRIVED]  # before anything of discord.py hears of it
        bot._connection.parsers[ARRIVED] = self._arrived

    def answer(self, data: Mapping[str, Any]) -> None:
        """Answer one here, whose shard another process has."""
        self._parse(data)

    # Shards that go from one process to another

    def keep(self, shard: int) -> None:
        """Answer nothing of a shard until it is known who has it: keep what comes."""
        self._kept.add(shard)

    def taken(self, shard: int) -> list[int]:
        """Return which were answered here lately, and forget them: the shard is another's from now on."""
        return self._crossing.taken(shard)

    def come(self, shard: int, taken: Collection[int]) -> None:
        """Answer all that were kept and whoever had the shard before has not `taken`, and all from now on."""
        self._kept.discard(shard)
        self._take_all(self._crossing.come(shard, taken))

    def stay(self, shard: int) -> None:
        """Answer all that were kept: the shard is not another's after all."""
        self._kept.discard(shard)
        self._take_all(self._crossing.stay(shard))

    def gone(self, shard: int) -> None:
        """Forget what was kept: another process has the shard."""
        self._kept.discard(shard)
        self._crossing.forget(shard)

    # Whose one is

    def _arrived(self, data: Mapping[str, Any]) -> None:
        self._begun.begin(self._take(data))

    def _take_all(self, interactions: Iterable[Mapping[str, Any]]) -> None:
        for data in interactions:
            self._arrived(data)

    async def _take(self, data: Mapping[str, Any]) -> None:
        """Answer one here, keep it, hand it over, or leave it to whoever has the shard by now."""
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
            if not await self._handed_over(data):
                self._parse(data)

    async def _handed_over(self, data: Mapping[str, Any]) -> bool:
        """Hand one to whoever has the table that it is about; False where that is this process."""
        table, share = table_of(data), self._membership.share
        if table is None or self._membership.own.whole:
            return False
        try:
            guild = await self._home(table)
            if guild is None or await self._membership.has(guild):
                return False
            await self._membership.hand(shard_of(guild, share.count), json.dumps(data))
        except StoreError:
            return False  # then it can be told here as well that nothing can be done
        return True
