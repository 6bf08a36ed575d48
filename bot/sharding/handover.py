"""Shards that go from one process to another while both live: asked for once connected, given, and hung up.

Knows what each of the two does when. Refuses to know the statements behind it, and whose an interaction is.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from math import ceil
from typing import Final

from bot.domain.shard_share import Share
from bot.runtime.tasks import Begun
from bot.sharding.interactions import Interactions
from bot.sharding.process import Living
from bot.sharding.sessions import AGAIN, Sessions
from bot.store.errors import Fenced, StoreError
from bot.store.membership import Membership
from bot.store.processes import Standing

log = logging.getLogger(__name__)

SHARD: Final = "shard"  # what is handed with a shard: which,
TAKEN: Final = "taken"  # and the interactions answered last


class Moving:
    """What becomes of the shards of one process. away: how long nobody had each; no more once given back."""

    def __init__(
        self,
        living: Living,
        membership: Membership,
        sessions: Sessions,
        interactions: Interactions,
        begun: Begun,
        away: dict[int, timedelta],
    ) -> None:
        self._living = living
        self._membership = membership
        self._sessions = sessions
        self._interactions = interactions
        self._begun = begun
        self._away = away
        self._giving = set[int]()  # those that are another's in a moment

    async def stands(self, standing: Standing) -> None:
        """Do what there is to do with shards that come, have come, are too many, or do not come after all."""
        await self._lighten(standing.share)
        ready, held = self._sessions.ready, self._membership.held
        for shard in sorted(ready & held - self._membership.share.held - self._giving):
            if shard in standing.taken:  # whoever had it is gone, and tells nothing
                self._interactions.come(shard, ())
            self._begun.begin(self._go_on(shard))
        for shard in sorted(ready & self._membership.coming):
            self._begun.begin(self._ask_for(shard))  # once more, if the last word was lost
        for shard in sorted(ready - self._sessions.wanted - self._giving):
            self._begun.begin(self._hang_up(shard))
        if self._membership.leaving and not self._membership.held:
            await self._living.end_retired()
        elif standing.surplus is not None:
            self._begun.begin(self._claim(standing.surplus))
        self._sessions.launch_soon()

    async def ready(self, shard: int) -> None:
        """Let the tables of a shard go on, of which all servers are known now; or ask for it, where another has it."""
        self._sessions.ready.add(shard)
        if shard in self._membership.held:
            await self._go_on(shard)
        elif shard in self._membership.coming:
            await self._ask_for(shard)

    async def _go_on(self, shard: int) -> None:
        """Let the tables of a shard go on, as soon as the store lets them."""
        self._membership.live(shard)
        while shard in self._membership.held:
            try:
                if away := self._away.get(shard, timedelta()):
                    await self._living.give_back(shard, away)
                    del self._away[shard]  # once
                return await self._living.go_on(shard, away)
            except Fenced:
                return None  # they are those of others
            except StoreError as error:
                log.warning("The tables of shard %d go on later: %s", shard, error)
            await asyncio.sleep(AGAIN)
        return None

    async def _lighten(self, share: Share) -> None:
        """Let others have what is more than this process's part, as far as nobody is connected there."""
        surplus = len(self._membership.held) - ceil(share.count / share.processes)
        try:
            for shard in self._sessions.waiting[: max(surplus, 0)]:
                await self._membership.give(shard)
        except StoreError as error:
            log.warning("A shard is left to others later: %s", error)

    async def _claim(self, shard: int) -> None:
        """Connect to a shard of whoever has more, unless few sessions are left to be begun today."""
        if not await self._sessions.enough_left():
            return
        try:
            await self._membership.claim(shard)
        except StoreError as error:
            log.warning("A shard is claimed later: %s", error)
        self._sessions.launch_soon()

    async def _ask_for(self, shard: int) -> None:
        if shard not in self._membership.coming:
            return  # it has come meanwhile
        self._interactions.keep(shard)
        try:
            await self._membership.ask_for(shard)
        except StoreError as error:
            log.warning("A shard is asked for again: %s", error)

    async def give(self, shard: int, to: int) -> None:
        """Let another process have a shard to which it is connected by now; it answers what comes from here on."""
        mine = shard in self._sessions.ready & self._membership.held and to != self._membership.number
        if not mine or shard in self._giving:
            return  # it was asked for twice, and is there by now
        self._giving.add(shard)
        self._interactions.keep(shard)
        try:
            await self._living.at_rest()
            self._membership.away(shard)
            async with self._living.leaving(shard):
                letter = {SHARD: shard, TAKEN: self._interactions.taken(shard)}
                await self._membership.pass_on(shard, to, letter)
        except StoreError as error:
            log.warning("A shard is not given: %s", error)
            self._membership.live(shard)
            self._interactions.stay(shard)
        else:
            await self._hang_up(shard)
        finally:
            self._giving.discard(shard)

    async def _hang_up(self, shard: int) -> None:
        self._interactions.gone(shard)
        await self._sessions.hang_up(shard)
