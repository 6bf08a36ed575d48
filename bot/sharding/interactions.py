"""Routes interactions to the owner of their shard: answer, queue during a move, forward."""

from __future__ import annotations

import json
import logging
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

import discord

from bot.domain.ids import GuildId, TableId, shard_of
from bot.runtime.tasks import RunningTasks
from bot.show.kit.custom_ids import Browse, InvalidCustomId, Press, parse_custom_id
from bot.store.cluster.membership import Membership
from bot.store.errors import StoreError

log = logging.getLogger(__name__)

ARRIVED: Final = "INTERACTION_CREATE"


class InteractionRouter:
    """All arriving interactions.

    home: returns the server of a table, None for an unknown table.
    """

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
        """Return the recently answered interactions, and forget them.

        The shard now belongs to another process.
        """
        return self._crossing.taken(shard)

    def take_over(self, shard: int, taken: Collection[int]) -> None:
        """Answer the queued interactions that the previous owner has not, and all later ones.

        taken: the interactions that the previous owner has answered.
        """
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
            log.info("An interaction was answered by the previous owner of its shard")
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
            await self._membership.send(shard_of(guild, share.count), json.dumps(data))
        except StoreError:
            return False  # this process can answer with the failure as well
        return True


MAX_RESPONSE_SECONDS = 2.5  # seconds in which an interaction can get its first response; Discord waits for three
MAX_ANSWERED: Final = 1000  # remembered answered interactions per shard: more than arrive in that time


class InteractionBuffer:
    """Answered and queued interactions, by shard."""

    def __init__(self) -> None:
        self._taken = defaultdict[int, deque[int]](lambda: deque(maxlen=MAX_ANSWERED))
        self._kept = defaultdict[int, list[tuple[float, Mapping[str, Any]]]](list)
        self._by_others = dict[int, frozenset[int]]()

    def take(self, shard: int, number: int) -> None:
        """Record an interaction as answered by this process."""
        self._taken[shard].append(number)

    def taken(self, shard: int) -> list[int]:
        """Return the recently answered interactions, and forget them.

        The shard now belongs to another process.
        """
        return list(self._taken.pop(shard, ()))

    def keep(self, shard: int, data: Mapping[str, Any]) -> None:
        """Queue an interaction until its owner is known.

        Drop interactions past the time for a response.
        """
        now = time.monotonic()
        self._kept[shard] = [one for one in self._kept[shard] if now - one[0] < MAX_RESPONSE_SECONDS] + [(now, data)]

    def take_over(self, shard: int, taken: Collection[int]) -> Iterator[Mapping[str, Any]]:
        """Yield the queued unanswered interactions, after this process has become the owner.

        taken: the interactions answered by the previous owner.
        """
        self._by_others[shard] = frozenset(taken)
        yield from self.retain(shard)

    def retain(self, shard: int) -> Iterator[Mapping[str, Any]]:
        """Yield the queued interactions without an answer: the shard keeps its owner."""
        now = time.monotonic()
        for at, data in self._kept.pop(shard, ()):
            if now - at < MAX_RESPONSE_SECONDS and not self.is_taken(shard, int(data["id"])):
                yield data

    def is_taken(self, shard: int, number: int) -> bool:
        """Tell whether the shard's previous owner answered an interaction."""
        return number in self._by_others.get(shard, ())

    def forget(self, shard: int) -> None:
        """Drop the queued interactions: another process owns the shard."""
        self._kept.pop(shard, None)


COMMANDS: Final = (2, 4)  # types of interactions: command, and autocompletion
CLICK: Final = 3
FORM: Final = 5


def table_of(data: Mapping[str, Any]) -> TableId | None:
    """Return the table that an interaction refers to, None without a reference."""
    said = data.get("data") or {}
    if data["type"] == CLICK:
        try:
            address = parse_custom_id(str(said.get("custom_id")))
        except InvalidCustomId:
            return None
        return address.table if isinstance(address, Press) else None
    if data["type"] == FORM:
        first, *_ = (*_words(str(said.get("custom_id"))), "")
        return TableId(int(first)) if first.isdecimal() else None
    if data["type"] in COMMANDS:
        return next((TableId(option["value"]) for option in _options(said) if _names_a_table(option)), None)
    return None


def _words(custom_id: str) -> tuple[str, ...]:
    """Return the arguments in a form's custom id; the first is its table, if it has one."""
    try:
        return Browse.read(custom_id).args
    except InvalidCustomId:
        return ()


def _options(said: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for option in said.get("options") or ():
        yield option
        yield from _options(option)


def _names_a_table(option: Mapping[str, Any]) -> bool:
    return option.get("name") == "table" and isinstance(option.get("value"), int)
