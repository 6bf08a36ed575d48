"""The membership of this process in the group that shares a database.

Renews the lease, keeps the share of the shards, and detects a lease that may have expired. Independent of the
statements, and the use of a shard. A fenced process writes nothing, learns of its state, and must end.
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

from bot.domain.ids import GuildId, Share
from bot.runtime.tasks import start_task
from bot.store.cluster import shard_messages
from bot.store.engine import erasures
from bot.store.engine.erasures import Erasure
from bot.store.errors import Fenced, StoreError
from bot.store.postgres import deletion_ledger, processes
from bot.store.postgres.opening import ServerGate
from bot.store.postgres.processes import MembershipState, MembershipTerms

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 1.0  # seconds between two polls, which make up for a lost notification
GIVE, TO = "give", "to"  # keys of a request for a shard: the shard, and the number of the claiming process
RENEWALS_PER_LEASE: Final = 3  # a lease is renewed after this fraction (1/RENEWALS_PER_LEASE) of its length


class MembershipListener(Protocol):
    """The listener of a membership.

    Each call is awaited before the membership reports the next event.
    """

    async def update(self, standing: MembershipState) -> None:
        """Receive the current standing, after every renewal."""
        ...

    async def fenced(self) -> None:
        """React to the loss of the membership."""
        ...

    def receive(self, message: str) -> Coroutine[Any, Any, None]:
        """Handle a message from another process."""
        ...

    async def behind(self, followed: Callable[[], None]) -> None:
        """Apply deletions by other processes; until then this process makes no writes.

        Call `followed` once no running operation holds data of the deleted people; then reload all state.
        """
        ...


class Membership:
    """The membership of this process. is_first: whether the group was empty at the start.

    held: the shards of this process. own: the held shards without the shards that are being given to another
    process; `own` alone decides whether this process handles a table and its clicks. share: the connected shards
    among `own`, the scope of the clock. coming: the shards of other processes claimed by this process. leaving:
    whether this process wants no shards.
    """

    def __init__(
        self, gate: ServerGate, terms: MembershipTerms, listener: MembershipListener, *, is_first: bool
    ) -> None:
        self.is_first = is_first
        self.held = frozenset[int]()
        self.coming = frozenset[int]()
        self.leaving = False
        self._live = set[int]()
        self._giving = set[int]()
        self._gate = gate
        self._terms = terms
        self._listener = listener
        self._until = time.monotonic() + terms.lease.total_seconds()
        self._away = False
        self._over = False
        self._deaf = False
        self._renewing = asyncio.Lock()
        self._keeping: asyncio.Task[None] | None = None
        self._noticed = asyncio.Event()
        self._following: asyncio.Task[None] | None = None

    @classmethod
    async def begin(
        cls, gate: ServerGate, name: str, terms: MembershipTerms, count: int, listener: MembershipListener
    ) -> Membership:
        """Join the group, with a first renewal.

        count: the number of shards, used by the first member. May raise StoreError.
        """
        gate.forgotten, gate.erasing = await gate.run(_deletions)
        number, is_first = await gate.run(processes.join, name, terms, count)
        gate.member, gate.own, gate.share = number, Share(count, frozenset()), Share(count, frozenset())
        made = cls(gate, terms, listener, is_first=is_first)
        gate.behind = made._start_following
        await gate.lock.hear(shard_messages.CHANNEL, lambda _shard: made._noticed.set())
        await made.renew()
        return made

    def keep(self) -> None:
        """Start the task that renews the lease and receives messages."""
        self._keeping = start_task(self._keep(), name="membership")

    def stop_receiving(self) -> None:
        """Stop receiving messages: they wait for the next owner of the shard."""
        self._deaf = True

    async def end(self) -> None:
        """Leave the group and free the shards at once.

        Without the database they are free when the lease expires.
        """
        if tasks := [task for task in (self._keeping, self._following) if task]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if not self._over:
            self._over = True
            self._have(frozenset(), self.share)
            try:
                await self._gate.run_for_group(processes.leave, self.number)
            except StoreError as error:
                log.warning("The shards are free when the lease runs out: %s", error)

    async def has(self, guild: GuildId | None) -> bool:
        """Tell whether this process handles a server; renews a possibly expired lease first."""
        if time.monotonic() > self._until and not self._away:
            await self.renew()
        return self.own.has(guild)

    @property
    def number(self) -> int:
        """The number of this process; never reused for another member."""
        return self._gate.member or 0

    @property
    def own(self) -> Share:
        """The current shards of this process, which decide whose tables it handles."""
        return self._gate.own

    @property
    def share(self) -> Share:
        """The current scope of the clock in this process."""
        return self._gate.share

    def live(self, shard: int) -> None:
        """Record that a shard is connected, and not about to be given away."""
        self._live.add(shard)
        self._giving.discard(shard)
        self._have(self.held, self.share)

    def away(self, shard: int) -> None:
        """Stop the work for a shard that is about to be given away.

        This process still holds the shard.
        """
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
        """Renew the lease now. A fault is logged, and the next renewal comes sooner."""
        asked = time.monotonic()
        async with self._renewing:
            if self._over or self._until > asked + self._terms.lease.total_seconds():
                return
            began = time.monotonic()
            try:
                await self._gate.lock.reopen()
                standing = await self._gate.run_for_group(processes.renew, self.number, self._terms)
            except Fenced as error:
                log.error("%s", error)  # the sentence is complete
                self._over = True
                self._have(frozenset(), self.share)
                await self._listener.fenced()
            except StoreError as error:
                if not self._away:
                    log.warning("The lease cannot be renewed at the moment: %s", error)
                self._away = True
            else:
                self._away, self._until = False, began + self._terms.lease.total_seconds()
                self.coming = standing.coming
                self._have(standing.share.held, standing.share)
                await self._listener.update(standing)

    async def give(self, shard: int) -> None:
        """Free a shard for other processes. May raise StoreError."""
        await self._gate.run_for_group(processes.give, self.number, shard)
        self._have(self.held - {shard}, self.share)

    async def claim(self, shard: int) -> None:
        """Claim a shard of another process, before connecting to the shard. May raise StoreError."""
        if await self._gate.run_for_group(shard_messages.claim_shard, self.number, shard):
            self.coming |= {shard}

    async def ask_for(self, shard: int) -> None:
        """Ask the owner for a claimed shard after connecting to the shard. May raise StoreError."""
        await self.send(shard, json.dumps({GIVE: shard, TO: self.number}))

    async def pass_on(self, shard: int, to: int, message: object) -> None:
        """Give a shard to another process, with a message.

        Raises StoreError after a withdrawn claim.
        """
        await self._gate.run_for_group(shard_messages.give_shard, self.number, shard, to, message)
        self._have(self.held - {shard}, self.share)

    async def leave(self) -> None:
        """Announce that this process wants no shards; call `end` after the others took them.

        May raise StoreError.
        """
        await self._gate.run_for_group(shard_messages.announce_leaving, self.number)
        self.leaving = True

    async def turn_to_identify(self, bucket: int, gap: timedelta) -> timedelta:
        """Take the turn to identify; return the wait before another attempt, zero with the turn.

        May raise StoreError.
        """
        return await self._gate.run_for_group(processes.turn_to_identify, bucket, gap)

    async def send(self, shard: int, message: str) -> None:
        """Send a message to the owner of a shard. May raise StoreError."""
        await self._gate.run_for_group(shard_messages.send, shard, message)

    async def send_to_others(self, message: str) -> None:
        """Send a message to every other process. May raise StoreError."""
        await self._gate.run_for_group(shard_messages.send_to_others, self.number, message)

    def _start_following(self) -> None:
        if self._following is None or self._following.done():
            self._following = start_task(self._follow(), name="following deletions")

    async def _follow(self) -> None:
        try:
            deletions = await self._gate.run_for_group(_deletions)
            await self._listener.behind(partial(self._followed, *deletions))
        except StoreError as error:
            log.warning("Deletions are followed later: %s", error)

    def _followed(self, forgotten: int, erasing: frozenset[Erasure]) -> None:
        self._gate.forgotten, self._gate.erasing = forgotten, erasing

    async def _keep(self) -> None:
        pause = self._terms.lease.total_seconds() / RENEWALS_PER_LEASE
        while not self._over:
            until = time.monotonic() + (pause / 2 if self._away else pause)
            while (left := until - time.monotonic()) > 0 and not self._over:
                await self._guarded(self._wait(min(left, POLL_SECONDS)))
            await self._guarded(self.renew())

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a part of the membership's loop.

        An error is logged, and the next renewal still happens.
        """
        try:
            await work
        except Exception:
            log.exception("Something went wrong between processes; it goes on")

    async def _wait(self, seconds: float) -> None:
        """Wait for a notification, at most this long; then receive the messages."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._noticed.wait()
        self._noticed.clear()
        if self.coming:
            await self.renew()  # a claimed shard may have arrived
        if not (self._away or self._deaf):
            await self._take()

    async def _take(self) -> None:
        try:
            found = await self._gate.run_for_group(shard_messages.receive, self.number, self.own.held)
        except StoreError as error:
            log.debug("Messages from other processes will be read again: %s", error)
            return
        for what in found:
            await self._guarded(self._listener.receive(what))


async def _deletions(connection: AsyncConnection) -> tuple[int, frozenset[Erasure]]:
    """Read the number of deletions, and the unfinished ones."""
    return await deletion_ledger.last_deletion(connection), await erasures.load_ongoing(connection)
