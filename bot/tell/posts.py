"""Background deliveries with retries: news, invitations, sheets, signposts, direct messages about tables.

Does not know the content of a delivery.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import discord

from bot.ground.unreached import UNREACHED, may_pass
from bot.store.errors import StoreError
from bot.tell.limits import channel
from bot.tell.outbox import Outbound, Outbox
from bot.tell.queue import Queue

log = logging.getLogger(__name__)

FAILURES: tuple[type[Exception], ...] = (*UNREACHED, StoreError)
RETRIES = (10.0, 60.0, 600.0)  # seconds after each try that failed


class Posts:
    """Delivers and retries. soon: runs a coroutine in the background."""

    def __init__(self, queue: Queue, outbox: Outbox, soon: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._queue = queue
        self._outbox = outbox
        self._soon = soon

    async def send(self, message: Outbound, work: Callable[[], Awaitable[object]] | None = None) -> None:
        """Send a message. work: sends by the outbox and stores the message's id; by default no id is stored."""
        work = work or partial(self._outbox.send_once, message)
        await self.attempt(
            partial(self._queue.do, channel(message.channel), work), f"A message for channel {message.channel}"
        )

    async def attempt(
        self, work: Callable[[], Awaitable[object]], what: str, retries: tuple[float, ...] = RETRIES
    ) -> None:
        """Do some work, again after a while if it fails for a reason that may pass. what: names it in the log."""
        try:
            await work()
        except FAILURES as error:
            log.warning("%s has not got there: %s", what, error)
            if not retries or not may_pass(error):
                return
            pause = max(retries[0], error.retry_after if isinstance(error, discord.RateLimited) else 0.0)
            again = partial(self.attempt, work, what, retries[1:])
            asyncio.get_running_loop().call_later(pause, lambda: self._soon(again()))
