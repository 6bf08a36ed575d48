"""One process among those that share a database: its lease is renewed, and it is told which shards it has.

Knows when to renew, and when a lease may have run out meanwhile. Refuses to know the statements, and what is done with
a shard. Who is taken for gone by the others writes nothing any more, and is told so: they must end.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, Protocol

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import GuildId
from bot.domain.shard_share import Share
from bot.runtime.tasks import start_task
from bot.store.cluster import shard_letters, shard_moves
from bot.store.engine import erasures
from bot.store.engine.erasures import Erasure
from bot.store.errors import Fenced, StoreError
from bot.store.postgres import deletion_ledger, processes
from bot.store.postgres.gate import ServerGate
from bot.store.postgres.processes import Standing, Terms

log = logging.getLogger(__name__)

LOOK: Final = 1.0  # seconds after which a notice that was lost is made good
GIVE, TO = "give", "to"  # what is handed about a shard: which, and the number of the process that wants it
PART: Final = 3  # of a lease after which it is renewed


class Told(Protocol):
    """Whoever is told what becomes of a membership. All of it is done before anything else is told."""

    async def stands(self, standing: Standing) -> None:
        """Hear how it stands, again and again."""
        ...

    async def fenced(self) -> None:
        """Hear that the membership is over, by no wish of one's own."""
        ...

    def handed(self, what: str) -> Coroutine[Any, Any, None]:
        """Hear what another process has handed to this one."""
        ...

    async def behind(self, followed: Callable[[], None]) -> None:
        """Hear that others have deleted somebody, and that nothing is written until that is followed.

        Nothing may be under way that knows of them when `followed` is called; then all is to be read again.
        """
        ...


class Membership:
    """A process that is a member. alone: whether nobody else was there when it began.

    held: the shards of this process. own: the held shards without the shards that are being given to another process;
    `own` alone decides whether a table, and a click there, is this process's. share: the connected shards among `own`,
    where the clock does what is due. coming: the shards of other processes that this one gets next. leaving: whether
    this process wants no shard any more.
    """

    def __init__(self, gate: ServerGate, terms: Terms, told: Told, *, alone: bool) -> None:
        self.alone = alone
        self.held = frozenset[int]()
        self.coming = frozenset[int]()
        self.leaving = False
        self._live = set[int]()
        self._giving = set[int]()
        self._gate = gate
        self._terms = terms
        self._told = told
        self._until = time.monotonic() + terms.lease.total_seconds()
        self._away = False
        self._over = False
        self._deaf = False
        self._renewing = asyncio.Lock()
        self._keeping: asyncio.Task[None] | None = None
        self._noticed = asyncio.Event()
        self._following: asyncio.Task[None] | None = None

    @classmethod
    async def begin(cls, gate: ServerGate, name: str, terms: Terms, count: int, told: Told) -> Membership:
        """Become a member; count: how many shards there are, if nobody has said so yet. May raise StoreError."""
        gate.forgotten, gate.erasing = await gate.run(_deletions)
        number, alone = await gate.run(processes.join, name, terms, count)
        gate.member, gate.own, gate.share = number, Share(count, frozenset()), Share(count, frozenset())
        made = cls(gate, terms, told, alone=alone)
        gate.behind = made._follow_soon
        await gate.line.hear(shard_letters.CHANNEL, lambda _shard: made._noticed.set())
        await made.renew()
        return made

    def keep(self) -> None:
        """Renew the lease, and take what is handed, from now on."""
        self._keeping = start_task(self._keep(), name="membership")

    def close_ears(self) -> None:
        """Take nothing any more that is handed over: whoever has the shard next takes it."""
        self._deaf = True

    async def end(self) -> None:
        """Leave; others have the shards at once. Where the database is away, they have them when the lease runs out."""
        if tasks := [task for task in (self._keeping, self._following) if task]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if not self._over:
            self._over = True
            self._have(frozenset(), self.share)
            try:
                await self._gate.run_among(processes.leave, self.number)
            except StoreError as error:
                log.warning("The shards are free when the lease runs out: %s", error)

    async def has(self, guild: GuildId | None) -> bool:
        """Tell whether what happens on a server is for this process, looking anew where it may have been held up."""
        if time.monotonic() > self._until and not self._away:
            await self.renew()
        return self.own.has(guild)

    @property
    def number(self) -> int:
        """The number of this process among all that ever were members."""
        return self._gate.member or 0

    @property
    def own(self) -> Share:
        """The shards whose tables are this process's now."""
        return self._gate.own

    @property
    def share(self) -> Share:
        """What of the work is done here now."""
        return self._gate.share

    def live(self, shard: int) -> None:
        """Hear that a shard is connected, and not about to be given to another process."""
        self._live.add(shard)
        self._giving.discard(shard)
        self._have(self.held, self.share)

    def away(self, shard: int) -> None:
        """Hear that a shard is about to be given: nothing is done for it any more, though it is held still."""
        self._live.discard(shard)
        self._giving.add(shard)
        self._have(self.held, self.share)

    def _have(self, held: frozenset[int], share: Share) -> None:
        self.held = held
        self._live &= held
        self._giving &= held
        self._gate.own = replace(share, held=held - self._giving)
        self._gate.share = replace(share, held=held & self._live)

    async def renew(self) -> None:
        """Renew the lease now. What keeps it from that is logged, and it is tried again soon."""
        asked = time.monotonic()
        async with self._renewing:
            if self._over or self._until > asked + self._terms.lease.total_seconds():
                return
            began = time.monotonic()
            try:
                await self._gate.line.mend()
                standing = await self._gate.run_among(processes.renew, self.number, self._terms)
            except Fenced as error:
                log.error("%s", error)  # its sentence says it all
                self._over = True
                self._have(frozenset(), self.share)
                await self._told.fenced()
            except StoreError as error:
                if not self._away:
                    log.warning("The lease cannot be renewed at the moment: %s", error)
                self._away = True
            else:
                self._away, self._until = False, began + self._terms.lease.total_seconds()
                self.coming = standing.coming
                self._have(standing.share.held, standing.share)
                await self._told.stands(standing)

    async def give(self, shard: int) -> None:
        """Let others have a shard. May raise StoreError."""
        await self._gate.run_among(processes.give, self.number, shard)
        self._have(self.held - {shard}, self.share)

    async def claim(self, shard: int) -> None:
        """Connect to a shard of another process, to have it next. May raise StoreError."""
        if await self._gate.run_among(shard_moves.claim, self.number, shard):
            self.coming |= {shard}

    async def ask_for(self, shard: int) -> None:
        """Ask for a shard to which this process is connected by now. May raise StoreError."""
        await self.hand(shard, json.dumps({GIVE: shard, TO: self.number}))

    async def pass_on(self, shard: int, to: int, letter: object) -> None:
        """Let another process have a shard of this one, with a letter. StoreError where it does not want it."""
        await self._gate.run_among(shard_moves.give, self.number, shard, to, letter)
        self._have(self.held - {shard}, self.share)

    async def leave(self) -> None:
        """Want no shards any more; `end` is for when others have them. May raise StoreError."""
        await self._gate.run_among(shard_moves.leave, self.number)
        self.leaving = True

    async def turn_to_identify(self, bucket: int, gap: timedelta) -> timedelta:
        """Take the turn to identify; return how long to wait before asking again, none with it. StoreError."""
        return await self._gate.run_among(processes.turn_to_identify, bucket, gap)

    async def hand(self, shard: int, what: str) -> None:
        """Hand something to whoever has another shard. May raise StoreError."""
        await self._gate.run_among(shard_letters.hand, shard, what)

    async def hand_others(self, what: str) -> None:
        """Hand something to every other process. May raise StoreError."""
        await self._gate.run_among(shard_letters.hand_others, self.number, what)

    def _follow_soon(self) -> None:
        if self._following is None or self._following.done():
            self._following = start_task(self._follow(), name="following deletions")

    async def _follow(self) -> None:
        try:
            deletions = await self._gate.run_among(_deletions)
            await self._told.behind(partial(self._followed, *deletions))
        except StoreError as error:
            log.warning("Deletions are followed later: %s", error)

    def _followed(self, forgotten: int, erasing: frozenset[Erasure]) -> None:
        self._gate.forgotten, self._gate.erasing = forgotten, erasing

    async def _keep(self) -> None:
        pause = self._terms.lease.total_seconds() / PART
        while not self._over:
            until = time.monotonic() + (pause / 2 if self._away else pause)
            while (left := until - time.monotonic()) > 0 and not self._over:
                await self._guarded(self._wait(min(left, LOOK)))
            await self._guarded(self.renew())

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work of a membership; whatever goes wrong with it, the lease is renewed next time."""
        try:
            await work
        except Exception:
            log.exception("Something went wrong between processes; it goes on")

    async def _wait(self, seconds: float) -> None:
        """Wait for a notice, but not longer than that; then take what is handed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._noticed.wait(), seconds)
        self._noticed.clear()
        if self.coming:
            await self.renew()  # it may be here by now
        if not (self._away or self._deaf):
            await self._take()

    async def _take(self) -> None:
        try:
            found = await self._gate.run_among(shard_letters.take, self.number, self.own.held)
        except StoreError as error:
            log.debug("What is handed is looked for again: %s", error)
            return
        for what in found:
            await self._guarded(self._told.handed(what))


async def _deletions(connection: AsyncConnection) -> tuple[int, frozenset[Erasure]]:
    """Read how many deletions there have been, and those of which rows are left."""
    return await deletion_ledger.last(connection), await erasures.ongoing(connection)
