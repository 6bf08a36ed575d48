"""Discord's shards where several processes share them: launched when this one gets them, heard only while it has them.

Knows discord.py's shards, when one may identify, and whose an interaction is: one that is about a table elsewhere is
handed to the process that has its server's shard, as it came, and answered there. Refuses to know what is answered.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from os import getpid
from typing import Any, Final, Protocol

import discord
from discord.gateway import DiscordWebSocket

from bot.crossing import Crossing
from bot.ground.ids import GuildId, TableId, UserId
from bot.ground.share import Share, shard_of
from bot.ground.unreached import UNREACHED
from bot.show.ids import Browse, Press, Unaddressed
from bot.show.old_ids import read
from bot.store.errors import Behind, StoreError
from bot.store.membership import GIVE, TO, Membership
from bot.store.processes import Standing, Terms
from bot.store.store import Store

log = logging.getLogger(__name__)

ARRIVED: Final = "INTERACTION_CREATE"
GAP = timedelta(seconds=5.25)  # between two that identify in one bucket: Discord wants 5 s
AGAIN = 1.0  # seconds after which somebody asks once more for their turn
UNSURE: Final = timedelta(seconds=0.5)  # by which the time must be another before it is set
SPARED: Final = 200  # sessions a day that are left for what must be: no shard changes hands for its own sake then
SHARD, TAKEN = "shard", "taken"  # what is handed with a shard: which, and the interactions answered last
COMMANDS: Final = (2, 4)  # kinds of interactions: a command, and what is typed of one
CLICK: Final = 3
FORM: Final = 5
FORGET: Final = "forget"  # what is handed about a person, and no interaction
CHANGED: Final = "changed"  # the same of one who has chosen something
PATIENCE, GLANCE = 5.0, 0.05  # seconds to wait for other processes, and between two looks
NO_ANSWER = "Another process that has a table of theirs does not answer. Nobody was deleted; it can be tried again."


class AgreedTime:
    """The time, as all processes have it: their own clocks may differ, so it is the database's."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        """Return it."""
        return self._now() + self._ahead

    def agree(self, now: datetime) -> None:
        """Take it over, unless it is nearly the same."""
        if abs(now - self()) > UNSURE:
            self._ahead = now - self._now()


class Living(Protocol):
    """Whoever has tables, and is told of shards."""

    async def go_on(self, shard: int, away: timedelta) -> None:
        """Let the tables of a shard go on that is connected now; away: for how long nobody had it."""
        ...

    async def at_rest(self) -> None:
        """Wait until whoever has come so far is answered, but not for long."""
        ...

    def leaving(self, shard: int) -> AbstractAsyncContextManager[None]:
        """Let nothing happen at the tables of a shard; then they are not here any more."""
        ...

    async def end_retired(self) -> None:
        """End, for others have all of its shards."""
        ...

    def shared_by(self, processes: int) -> None:
        """Hear among how many processes all is shared."""
        ...

    async def end_fenced(self) -> None:
        """End, for others have taken this process for gone."""
        ...

    async def let_go(self, user: UserId) -> None:
        """Let go of a person whose data another process deletes."""
        ...

    def forget(self, user: UserId) -> None:
        """Forget what is remembered about a person: it has changed."""
        ...

    async def follow(self, followed: Callable[[], None]) -> None:
        """Read all tables again, for others have deleted somebody. followed: called while nothing is under way."""
        ...


@dataclass(frozen=True, slots=True)
class Starts:
    """What Discord says of sessions. shards: how many it recommends. buckets: in how many one may identify at once."""

    shards: int
    buckets: int

    @classmethod
    async def asked(cls, http: discord.http.HTTPClient) -> Starts:
        """Ask for it."""
        shards, _, limits = await http.get_bot_gateway()
        return cls(shards, limits.get("max_concurrency", 1))


class Shards:
    """Those of this process. home: finds the server of a table, None where there is no such table."""

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
        self._buckets = 1
        self._away: dict[int, timedelta] = {}
        self._sessions: list[int] = []  # those that have been launched, in that order
        self._ready = set[int]()  # those of them of which all servers are known
        self._giving = set[int]()  # those that are another's in a moment
        self._unsure = set[int]()  # those that were asked for, of which it is not told what has been answered
        self._crossing = Crossing()
        self._launching: asyncio.Task[None] | None = None
        self._open = False  # whether shards are launched by now
        self._tasks = set[asyncio.Task[None]]()
        self.membership: Membership

    async def join(self, store: Store, terms: Terms) -> None:
        """Become one of the processes that share the store. May raise StoreError, and what Discord's answers raise."""
        self._store = store
        starts = await Starts.asked(self._bot.http)
        self._buckets = max(starts.buckets, 1)
        self.membership = await store.join(f"{socket.gethostname()} {getpid()}", terms, starts.shards, self)
        self._parse = self._bot._connection.parsers[ARRIVED]  # noqa: SLF001  # before anything of discord.py hears of it
        self._bot._connection.parsers[ARRIVED] = self._arrived  # noqa: SLF001
        self.membership.keep()

    # What is told of the membership

    async def stands(self, standing: Standing) -> None:
        """Launch what is new, and let others have what is too much and not launched."""
        self._time.agree(standing.now)
        self._away |= standing.taken
        self._living.shared_by(standing.share.processes)
        if standing.idle:
            log.warning("There is no process for %d shards: start another one", standing.idle)
        if self._open:
            await self._lighten(standing.share)
            await self._settle(standing)
            self._launch_soon()

    async def fenced(self) -> None:
        """End."""
        await self._living.end_fenced()

    async def handed(self, what: str) -> None:
        """Take an interaction that came to another process, or let go of somebody."""
        said = json.loads(what)
        if FORGET in said:
            self._begin(self._let_go(UserId(said[FORGET])))
        elif CHANGED in said:
            self._living.forget(UserId(said[CHANGED]))
        elif GIVE in said:
            self._begin(self._give(said[GIVE], said[TO]))
        elif TAKEN in said:
            self._unsure.discard(said[SHARD])
            self._answer(self._crossing.come(said[SHARD], said[TAKEN]))
        else:
            self._parse(said)

    async def behind(self, followed: Callable[[], None]) -> None:
        """Follow what others have deleted."""
        await self._living.follow(followed)

    # People who are deleted

    async def let_go(self, user: UserId) -> None:
        """Let all other processes let go of a person; return when they sit at none of their tables. StoreError."""
        await self.membership.hand_others(json.dumps({FORGET: user}))
        until = time.monotonic() + PATIENCE
        while await self._plays_elsewhere(user):
            if time.monotonic() > until:
                raise StoreError(NO_ANSWER)
            await asyncio.sleep(GLANCE)

    async def changed(self, user: UserId) -> None:
        """Let the others read again what a person has chosen; where that cannot be said, they do so in their time."""
        try:
            await self.membership.hand_others(json.dumps({CHANGED: user}))
        except StoreError as error:
            log.warning("What somebody has chosen is not known everywhere yet: %s", error)

    async def _plays_elsewhere(self, user: UserId) -> bool:
        chairs = [
            chair
            for row in await self._store.seated(user)
            if not self.membership.share.has(row.guild)
            for chair in row.chairs
        ]
        return any(chair.user == user and not chair.house for chair in chairs)

    async def _let_go(self, user: UserId) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return await self._living.let_go(user)
            except StoreError as error:
                if not isinstance(error, Behind) or time.monotonic() > until:
                    return log.warning("Whoever deletes their data waits for a table here: %s", error)
            await asyncio.sleep(GLANCE)

    # Sessions

    async def launch(self) -> None:
        """Launch all that this process has, and whatever it gets from now on."""
        count = self.membership.share.count
        self._bot.shard_count = self._bot._connection.shard_count = count  # noqa: SLF001
        self._open = True
        self._launch_soon()

    def _launch_soon(self) -> None:
        if self._launching is None or self._launching.done():
            self._launching = asyncio.create_task(self._launch_all(), name="shards")

    @property
    def _ours(self) -> frozenset[int]:
        """The shards to be connected to."""
        return self.membership.held | self.membership.coming

    async def _launch_all(self) -> None:
        while waiting := sorted(self._ours.difference(self._sessions)):
            self._sessions.append(waiting[0])
            try:
                await self._bot.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, waiting[0])
            except asyncio.CancelledError:
                if waiting[0] in self._ours:
                    raise
                self._sessions.remove(waiting[0])  # it was given to others meanwhile

    async def _lighten(self, share: Share) -> None:
        """Let others have what is more than this process's part, as far as nobody is connected there."""
        waiting = sorted(self.membership.held.difference(self._sessions))
        surplus = len(self.membership.held) - ceil(share.count / share.processes)
        for shard in waiting[: max(surplus, 0)]:
            await self.membership.give(shard)

    async def turn(self, shard: int) -> None:
        """Wait until a shard may identify. Raises CancelledError where it is not this process's any more."""
        while shard in self._ours:
            try:
                wait = await self.membership.turn_to_identify(shard % self._buckets, GAP)
            except StoreError as error:
                log.warning("A shard identifies later: %s", error)
                await asyncio.sleep(AGAIN)
                continue
            if not wait:
                return
            await asyncio.sleep(wait.total_seconds())
        raise asyncio.CancelledError

    async def ready(self, shard: int) -> None:
        """Let the tables of a shard go on, of which all servers are known now; or ask for it, where another has it."""
        self._ready.add(shard)
        if shard in self.membership.held:
            await self._go_on(shard)
        elif shard in self.membership.coming:
            await self._ask_for(shard)

    async def _go_on(self, shard: int) -> None:
        self.membership.live(shard)
        await self._living.go_on(shard, self._away.pop(shard, timedelta()))

    # Shards that go from one process to another while both live

    async def _settle(self, standing: Standing) -> None:
        """Do what there is to do with shards that come, have come, or do not come after all."""
        for shard in sorted(self._ready & self.membership.held - self.membership.share.held - self._giving):
            if shard in standing.taken:  # whoever had it is gone, and tells nothing
                self._unsure.discard(shard)
                self._answer(self._crossing.come(shard, ()))
            self._begin(self._go_on(shard))
        for shard in sorted(self._ready & self.membership.coming):
            self._begin(self._ask_for(shard))  # once more, if the last word was lost
        for shard in sorted(self._ready - self._ours - self._giving):
            self._begin(self._hang_up(shard))
        if self.membership.leaving and not self.membership.held:
            await self._living.end_retired()
        elif standing.surplus is not None:
            self._begin(self._claim(standing.surplus))

    async def _claim(self, shard: int) -> None:
        """Connect to a shard of whoever has more, unless few sessions are left to be begun today."""
        try:
            left = (await self._bot.fetch_session_start_limits()).remaining
        except UNREACHED as error:
            log.warning("It is asked later how many sessions may be begun: %s", error)
            return
        if left <= SPARED:
            return
        try:
            await self.membership.claim(shard)
        except StoreError as error:
            log.warning("A shard is claimed later: %s", error)
        self._launch_soon()

    async def _ask_for(self, shard: int) -> None:
        if shard not in self.membership.coming:
            return  # it has come meanwhile
        self._unsure.add(shard)
        try:
            await self.membership.ask_for(shard)
        except StoreError as error:
            log.warning("A shard is asked for again: %s", error)

    async def _give(self, shard: int, to: int) -> None:
        """Let another process have a shard to which it is connected by now; it answers what comes from here on."""
        mine = shard in self._ready & self.membership.held and to != self.membership.number
        if not mine or shard in self._giving:
            return  # it was asked for twice, and is there by now
        self._giving.add(shard)
        try:
            await self._living.at_rest()
            self.membership.away(shard)
            async with self._living.leaving(shard):
                letter = {SHARD: shard, TAKEN: self._crossing.taken(shard)}
                await self.membership.pass_on(shard, to, letter)
        except StoreError as error:
            log.warning("A shard is not given: %s", error)
            self.membership.live(shard)
        else:
            await self._hang_up(shard)
        finally:
            self._giving.discard(shard)

    async def _hang_up(self, shard: int) -> None:
        """End the session of a shard that another process has."""
        self._ready.discard(shard)
        self._unsure.discard(shard)
        self._crossing.forget(shard)
        if shard in self._sessions:
            self._sessions.remove(shard)
        if (known := self._bot.get_shard(shard)) is not None:
            await known.disconnect()
        for guild in [guild for guild in self._bot.guilds if guild.shard_id == shard]:
            self._bot._connection._remove_guild(guild)  # noqa: SLF001  # as discord.py does when it hears of it no more

    async def retire(self) -> None:
        """Let others connect to all shards of this process and have them, then end. May raise StoreError."""
        await self.membership.leave()
        log.info("Others are to take over; this process ends when they have")

    async def end(self) -> None:
        """Give all shards back."""
        for task in (self._launching, *self._tasks):
            if task:
                task.cancel()
        await self.membership.end()

    # Interactions

    def _arrived(self, data: Any) -> None:
        self._begin(self._take(data))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take(self, data: Mapping[str, Any]) -> None:
        """Answer an interaction here, hand it over, or leave it to whoever has the shard by now."""
        guild = GuildId(int(data["guild_id"])) if data.get("guild_id") else None
        shard, number = shard_of(guild, self.membership.share.count), int(data["id"])
        if shard in self._unsure:
            self._crossing.keep(shard, data)
        elif shard in self._giving or self._crossing.is_taken(shard, number):
            log.info("An interaction is answered by whoever has the shard next, or had it before")
        elif not await self.membership.has(guild):
            log.info("An interaction is for another process by now")
        else:
            self._crossing.take(shard, number)
            if not await self._handed_over(data):
                self._parse(data)

    def _answer(self, interactions: Iterable[Mapping[str, Any]]) -> None:
        for data in interactions:
            self._begin(self._take(data))

    async def _handed_over(self, data: Mapping[str, Any]) -> bool:
        """Hand an interaction to whoever has the table that it is about; False where that is this process."""
        table, share = table_of(data), self.membership.share
        if table is None or len(self.membership.held) == share.count:
            return False
        try:
            guild = await self._home(table)
            if guild is None or await self.membership.has(guild):
                return False
            await self.membership.hand(shard_of(guild, share.count), json.dumps(data))
        except StoreError:
            return False  # then it can be told here as well that nothing can be done
        return True


def table_of(data: Mapping[str, Any]) -> TableId | None:
    """Return the table that an interaction is about, None where it names none."""
    said = data.get("data") or {}
    if data["type"] == CLICK:
        try:
            address = read(str(said.get("custom_id")))
        except Unaddressed:
            return None
        return address.table if isinstance(address, Press) else None
    if data["type"] == FORM:
        first, *_ = (*_words(str(said.get("custom_id"))), "")
        return TableId(int(first)) if first.isdecimal() else None
    if data["type"] in COMMANDS:
        return next((TableId(option["value"]) for option in _options(said) if _names_a_table(option)), None)
    return None


def _words(custom_id: str) -> tuple[str, ...]:
    """Return the words of a form's address, the first of which is its table, where it is about one."""
    try:
        return Browse.read(custom_id).args
    except Unaddressed:
        return ()


def _options(said: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for option in said.get("options") or ():
        yield option
        yield from _options(option)


def _names_a_table(option: Mapping[str, Any]) -> bool:
    return option.get("name") == "table" and isinstance(option.get("value"), int)
