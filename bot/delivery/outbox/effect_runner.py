"""Runs effects: at once, again after a failure of Discord or the store, and after a stop.

The row of an effect is deleted once the effect is done or Discord refuses it for good. Each kind of effect has a
performer. A performer may run again for a completed effect, so performers send messages through the outbox.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial
from typing import Any, TypeVar

import discord

from bot.domain.effects import Effect, PendingEffect, pending_effect
from bot.domain.ids import NO_GUILD, GuildId, Share, TableId
from bot.domain.refusals import Refused
from bot.runtime.discord_requests import UNREACHED, may_pass
from bot.runtime.metrics import CAUSE, Cause
from bot.store.errors import StoreError
from bot.store.repositories.outbox import OutboxRepository

log = logging.getLogger(__name__)

E = TypeVar("E")
FAILURES: tuple[type[Exception], ...] = (*UNREACHED, StoreError)
RETRIES = (10.0, 60.0, 600.0, 3600.0)  # seconds after each failed attempt; the last repeats
SEARCH_INTERVAL = timedelta(minutes=1)  # between two searches for unfinished effects


class AttemptResult(Enum):
    """The outcome of an attempt.

    DONE: or impossible for good. LATER: the performer will call ``end``. NOT_YET: retried at another search. FAILED:
    retried after a pause.
    """

    DONE = auto()
    LATER = auto()
    NOT_YET = auto()
    FAILED = auto()


class EffectHandlers:
    """The performers by kind of effect."""

    def __init__(self) -> None:
        self._of: dict[type[Any], Callable[[Any, PendingEffect], Awaitable[AttemptResult | None]]] = {}

    def on(self, kind: type[E], performer: Callable[[E, PendingEffect], Awaitable[AttemptResult | None]]) -> None:
        """Register the performer of a kind of effect."""
        self._of[kind] = performer

    async def perform(self, pending: PendingEffect) -> AttemptResult | None:
        """Perform an effect; None means done."""
        return await self._of[type(pending.effect)](pending.effect, pending)


class EffectRunner:
    """Runs effects of all kinds.

    effect_handlers: perform the effects. mine: tells whether a server belongs to this process. run_in_background:
    starts a coroutine.
    """

    def __init__(
        self,
        *,
        outbox: OutboxRepository,
        effect_handlers: EffectHandlers,
        now: Callable[[], datetime],
        mine: Callable[[GuildId], bool],
        run_in_background: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._outbox = outbox
        self._now = now
        self._mine = mine
        self._run_in_background = run_in_background
        self._performers = effect_handlers
        self._under_way: dict[str, GuildId] = {}  # the server of each running effect, by the effect's key
        self._looked: datetime | None = None
        self._stopped = False

    def perform(self, effects: Iterable[PendingEffect], *, doubtful: bool = False) -> None:
        """Start effects that are rows of the store, except effects already running.

        doubtful: it is unknown whether the rows exist; they are looked up after a pause.
        """
        for one in effects:
            if one.key not in self._under_way:
                self._under_way[one.key] = one.guild
                if doubtful:
                    self._try_later(one, RETRIES[0], RETRIES[1:])
                else:
                    self._run_in_background(self._try(one, RETRIES))

    async def keep(self, effect: Effect, guild: GuildId, table: TableId | None = None) -> PendingEffect:
        """Save an effect without starting it.

        A later search starts the effect unless its row is deleted. Raises StoreError.
        """
        new = pending_effect(effect, guild, table, self._now())
        await self._outbox.add_effects([new])
        return new

    async def add(self, effect: Effect, guild: GuildId, table: TableId | None = None) -> None:
        """Save and start an effect that belongs to no change of a table. Raises StoreError."""
        self.perform([await self.keep(effect, guild, table)])

    async def resume(self, share: Share | None = None) -> tuple[PendingEffect, ...]:
        """Start the unfinished effects of a share, and return them. Raises StoreError."""
        self._looked = self._now()
        left = await self._outbox.effects(share)
        self.perform(left)
        return left

    def drop_cached(self, which: Callable[[GuildId], bool]) -> None:
        """Forget running effects on servers that now belong to another process."""
        self._under_way = {key: guild for key, guild in self._under_way.items() if not which(guild)}

    async def next(self) -> datetime | None:
        """Return None: the clock rings every minute in any case."""
        return None

    async def ring(self) -> None:
        """Search for unfinished effects every minute, after the first search.

        A failure or another process left them unfinished.
        """
        if self._looked is not None and self._now() - self._looked >= SEARCH_INTERVAL:
            await self.resume()

    def stop(self) -> None:
        """Start no more effects; their rows remain for the next run."""
        self._stopped = True

    async def _try(self, pending: PendingEffect, retries: tuple[float, ...], *, again: bool = False) -> None:
        """Attempt an effect that belongs to this process.

        again: whether its row may be deleted meanwhile.
        """
        CAUSE.set(Cause(table=pending.table) if pending.table else None)
        if self._stopped or not self._is_mine(pending):
            self._under_way.pop(pending.key, None)  # the process that owns the server now finds the row
            return
        outcome, at_least = await self._tried(pending, again=again)
        if outcome is AttemptResult.DONE and not await self._end(pending):
            outcome = AttemptResult.FAILED
        if outcome is AttemptResult.FAILED:
            self._try_later(pending, max(retries[0], at_least), retries[1:] or retries)
        elif outcome is not AttemptResult.LATER:
            self._under_way.pop(pending.key, None)

    def _try_later(self, pending: PendingEffect, pause: float, retries: tuple[float, ...]) -> None:
        again = partial(self._try, pending, retries, again=True)
        asyncio.get_running_loop().call_later(pause, lambda: self._run_in_background(again()))

    def _is_mine(self, pending: PendingEffect) -> bool:
        return pending.guild == NO_GUILD or self._mine(pending.guild)

    async def _tried(self, pending: PendingEffect, *, again: bool) -> tuple[AttemptResult, float]:
        """Attempt an effect; return its outcome, and the minimum of seconds before a retry.

        again: whether the row may be deleted, after a late success or with the data of the effect's user.
        """
        try:
            if again and pending.key not in await self._outbox.keys():
                return AttemptResult.NOT_YET, 0.0
            return await self._performers.perform(pending) or AttemptResult.DONE, 0.0
        except Refused as refused:
            log.info("Nothing is left to do for %s: %s", pending.key, refused)
            return AttemptResult.DONE if self._is_mine(
                pending
            ) else AttemptResult.NOT_YET, 0.0  # its table may have left this process
        except FAILURES as error:
            if not may_pass(error):
                level = logging.INFO if isinstance(error, discord.NotFound) else logging.WARNING
                log.log(level, "Discord refuses for good what was to be done (%s): %s", pending.key, error)
                return AttemptResult.DONE, 0.0
            log.warning("What is to be done on Discord (%s) has not been done yet: %s", pending.key, error)
            return AttemptResult.FAILED, error.retry_after if isinstance(error, discord.RateLimited) else 0.0
        except Exception:
            log.exception("What is to be done on Discord (%s) could not be done", pending.key)
            return AttemptResult.FAILED, 0.0

    def end(self, pending: PendingEffect) -> None:
        """Delete the row of an effect that was completed later."""
        self._run_in_background(self._ended(pending))

    async def _ended(self, pending: PendingEffect) -> None:
        await self._end(pending)
        self._under_way.pop(pending.key, None)

    async def _end(self, pending: PendingEffect) -> bool:
        try:
            await self._outbox.finish(pending.key)
        except StoreError as error:
            log.warning("What was done on Discord (%s) could not be noted: %s", pending.key, error)
            return False
        return True
