"""Messages that nobody waits for: sent when their turn has come, and again while nobody knows whether they arrived.

Refuses to know what they say.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import discord

from bot.ground.unreached import UNREACHED
from bot.store.errors import StoreError
from bot.tell.limits import channel
from bot.tell.outbox import Outbound, Outbox, Unanswered
from bot.tell.queue import Queue

log = logging.getLogger(__name__)

RETRIES = (10.0, 60.0, 600.0)  # seconds after each try that was not answered, or could not be stored


class Posts:
    """Sends such messages. soon: runs a coroutine in the background."""

    def __init__(self, queue: Queue, outbox: Outbox, soon: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._queue = queue
        self._outbox = outbox
        self._soon = soon

    async def send(
        self,
        message: Outbound,
        work: Callable[[], Awaitable[object]] | None = None,
        retries: tuple[float, ...] = RETRIES,
    ) -> None:
        """Send a message. work: sends it by the outbox and stores what has to be, unless nothing of it is stored."""
        place, work = channel(message.channel), work or partial(self._outbox.send_once, message)
        try:
            await self._queue.do(place, work)
        except discord.RateLimited as error:
            self._queue.again(place, work, error.retry_after)
        except (Unanswered, StoreError) as error:
            log.warning("Nobody knows whether a message stands in channel %s: %s", message.channel, error)
            if retries:
                again = partial(self.send, message, work, retries[1:])
                asyncio.get_running_loop().call_later(retries[0], lambda: self._soon(again()))
        except UNREACHED as error:
            log.warning("A message could not be sent to channel %s: %s", message.channel, error)
