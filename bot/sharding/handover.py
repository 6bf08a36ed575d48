"""The handover of shards between running processes, and what it needs of a process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from math import ceil
from typing import Final, Protocol

from bot.domain.ids import Share, TableId, UserId
from bot.runtime.tasks import RunningTasks
from bot.sharding.interactions import InteractionRouter
from bot.sharding.sessions import RETRY_SECONDS, Sessions
from bot.store.cluster.membership import Membership
from bot.store.errors import Fenced, StoreError
from bot.store.postgres.processes import MembershipState

log = logging.getLogger(__name__)

SHARD: Final = "shard"  # the message with a shard: its number,
TAKEN: Final = "taken"  # and the recently answered interactions


class ShardHandover:
    """The moves of one process's shards.

    away: the time each shard had no owner, until given back to its tables.
    """

    def __init__(
        self,
        *,
        living: ShardCallbacks,
        membership: Membership,
        sessions: Sessions,
        interactions: InteractionRouter,
        begun: RunningTasks,
        away: dict[int, timedelta],
    ) -> None:
        self._living = living
        self._membership = membership
        self._sessions = sessions
        self._interactions = interactions
        self._begun = begun
        self._away = away
        self._giving = set[int]()  # shards about to be given away

    async def update(self, standing: MembershipState) -> None:
        """React to the state of the cluster: to arriving, arrived, surplus and cancelled shards."""
        await self._shed_surplus(standing.share)
        ready, held = self._sessions.ready, self._membership.held
        for shard in sorted(ready & held - self._membership.share.held - self._giving):
            if shard in standing.taken:  # the previous owner is gone, without a list of answered interactions
                self._interactions.take_over(shard, ())
            self._begun.begin(self._resume_tables(shard))
        for shard in sorted(ready & self._membership.coming):
            self._begun.begin(self._ask_for(shard))  # again, in case the last message was lost
        for shard in sorted(ready - self._sessions.wanted - self._giving):
            self._begun.begin(self._hang_up(shard))
        if self._membership.leaving and not self._membership.held:
            await self._living.end_retired()
        elif standing.surplus is not None:
            self._begun.begin(self._claim(standing.surplus))
        self._sessions.start_launching()

    async def ready(self, shard: int) -> None:
        """Resume the tables of a connected shard whose servers are all known.

        If another process owns the shard, ask the owner for it.
        """
        self._sessions.ready.add(shard)
        if shard in self._membership.held:
            await self._resume_tables(shard)
        elif shard in self._membership.coming:
            await self._ask_for(shard)

    async def _resume_tables(self, shard: int) -> None:
        """Resume the tables of a shard, as soon as the store permits."""
        self._membership.live(shard)
        while shard in self._membership.held:
            try:
                if away := self._away.get(shard, timedelta()):
                    await self._living.give_back(shard, away)
                    del self._away[shard]  # once
                return await self._living.resume_shard(shard, away)
            except Fenced:
                return None  # the tables belong to another process
            except StoreError as error:
                log.warning("The tables of shard %d go on later: %s", shard, error)
            await asyncio.sleep(RETRY_SECONDS)
        return None

    async def _shed_surplus(self, share: Share) -> None:
        """Give away unconnected shards beyond this process's fair share."""
        surplus = len(self._membership.held) - ceil(share.count / share.processes)
        try:
            for shard in self._sessions.waiting[: max(surplus, 0)]:
                await self._membership.give(shard)
        except StoreError as error:
            log.warning("A shard is left to others later: %s", error)

    async def _claim(self, shard: int) -> None:
        """Connect to a shard of a process with too many, unless few session starts are left today."""
        if not await self._sessions.enough_left():
            return
        try:
            await self._membership.claim(shard)
        except StoreError as error:
            log.warning("A shard is claimed later: %s", error)
        self._sessions.start_launching()

    async def _ask_for(self, shard: int) -> None:
        if shard not in self._membership.coming:
            return  # the shard has arrived meanwhile
        self._interactions.keep(shard)
        try:
            await self._membership.ask_for(shard)
        except StoreError as error:
            log.warning("A shard is asked for again: %s", error)

    async def give(self, shard: int, to: int) -> None:
        """Give a shard to another process that has connected to it.

        That process answers from then on.
        """
        mine = shard in self._sessions.ready & self._membership.held and to != self._membership.number
        if not mine or shard in self._giving:
            return  # a repeated request after the handover
        self._giving.add(shard)
        self._interactions.keep(shard)
        try:
            await self._living.wait_until_idle()
            self._membership.away(shard)
            async with self._living.leaving(shard):
                message = {SHARD: shard, TAKEN: self._interactions.taken(shard)}
                await self._membership.pass_on(shard, to, message)
        except StoreError as error:
            log.warning("A shard is not given: %s", error)
            self._membership.live(shard)
            self._interactions.retain(shard)
        else:
            await self._hang_up(shard)
        finally:
            self._giving.discard(shard)

    async def _hang_up(self, shard: int) -> None:
        self._interactions.drop(shard)
        await self._sessions.hang_up(shard)


class AgreedTime:
    """The common time of all processes: the database's, since the clocks of machines differ.

    An answer of the database is some time old, and its duration bounds the difference between the clocks. Within the
    bounds the latest time is right, because nothing may be recorded at an earlier time than the click that caused it. A
    quicker answer gives closer bounds. clock: monotonic seconds.
    """

    def __init__(self, now: Callable[[], datetime], clock: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._clock = clock
        self._ahead: timedelta | None = None

    def __call__(self) -> datetime:
        """Return the time."""
        return self._now() + (self._ahead or timedelta())

    def agree(self, now: datetime, asked: float, answered: float) -> None:
        """Adopt the database's time, answered between these two moments of the monotonic clock."""
        behind = now - self._now()
        least, most = (behind + timedelta(seconds=self._clock() - moment) for moment in (answered, asked))
        if self._ahead is None or not least <= self._ahead <= most:
            self._ahead = most


class ShardCallbacks(Protocol):
    """The owner of a process's tables, with callbacks about shards. Each may raise StoreError."""

    async def give_back(self, shard: int, away: timedelta) -> None:
        """Extend the deadlines of a shard's tables by the time without an owner."""
        ...

    async def resume_shard(self, shard: int, away: timedelta) -> None:
        """Resume the tables of a connected shard. away: the time without an owner."""
        ...

    async def wait_until_idle(self) -> None:
        """Wait briefly until all present visits are answered."""
        ...

    def leaving(self, shard: int) -> AbstractAsyncContextManager[None]:
        """Return a context that locks the tables of a shard, and unloads them at its end."""
        ...

    async def end_retired(self) -> None:
        """Shut down after other processes have taken over all shards."""
        ...

    def shared_by(self, processes: int) -> None:
        """Set the number of processes."""
        ...

    async def end_fenced(self) -> None:
        """Shut down: the other processes regard this process as dead."""
        ...

    def drop_cached(self, user: UserId) -> None:
        """Drop the cached data of a user whose data another process deletes."""
        ...

    def forget(self, user: UserId) -> None:
        """Drop the cached preferences of a user: they have changed."""
        ...

    async def reread(self, table: TableId) -> None:
        """Reload a table changed by another process, if in memory."""
        ...

    async def follow(self, followed: Callable[[], None]) -> None:
        """Reload all tables after a deletion by another process.

        followed: called while all tables are locked.
        """
        ...
