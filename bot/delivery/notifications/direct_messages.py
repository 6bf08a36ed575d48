"""Direct messages: only to users who opted in, in channels that are opened once and remembered.

Discord takes many new direct message channels for spam: the bot opens at most ten in ten minutes, and none for an hour
after Discord has refused one as too many. A player without a channel is pinged at the table. The content of messages is
made elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.delivery.boards.boards import UNKNOWN_CHANNEL, BoardContext
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.outbox import Outbound, Outbox
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.ids import ChannelId, GuildId, MessageId, UserId
from bot.domain.usage_limits import Limit
from bot.interactions.private_replies import in_text, says_the_same, send_directly
from bot.show.kit.layout import PrivateScreen
from bot.store.rows import DirectChannel
from bot.store.store import Store

log = logging.getLogger(__name__)

OPENING = "/users/@me/channels"  # the route whose rate limit counts new channels
NEW = Limit("direct", 10, timedelta(minutes=10))  # new channels, for all users together
TOO_MANY = 40003
PAUSE = timedelta(hours=1)  # without new channels, after Discord's refusal
NOTE = "no new direct messages before"


@dataclass(frozen=True, slots=True)
class SentDirectMessage:
    """The ids of a direct message. key: of the message in the outbox."""

    channel: ChannelId
    message: MessageId
    key: str


class DirectMessages:
    """Sends direct messages."""

    def __init__(self, places: BoardContext, queue: WriteQueue, outbox: Outbox, store: Store) -> None:
        self._places = places
        self._queue = queue
        self._outbox = outbox
        self._store = store
        self._opening = asyncio.Lock()

    async def send(
        self,
        user: UserId,
        draw: Callable[[], PrivateScreen],
        *,
        of: GuildId,
        key: str,
        is_it: Callable[[discord.Message], bool] | None = None,
        urgent: bool = False,
    ) -> SentDirectMessage | None:
        """Send a user a private screen, drawn when its turn in the queue comes; None if no channel may be opened now.

        of: the message's server, whose quiet hours silence the message. key, is_it: see ``Outbound``; by default, a
        message with the same content is taken for this one. urgent: see ``Write``. Raises Discord's errors, and
        StoreError.
        """
        number = await self._store.people.direct(user) or await self._opened(user, urgent=urgent)
        if number is None:
            return None
        where = self._places.client.get_partial_messageable(number, type=discord.ChannelType.private)

        async def send(nonce: str) -> discord.Message:
            drawn, directly = draw(), partial(send_directly, where, nonce=nonce, silent=self._places.quiet(of))
            return await self._places.delivery.deliver(user, drawn, directly, partial(in_text, drawn))

        outbound = Outbound(
            key=key,
            guild=of,
            channel=number,
            send=send,
            is_it=is_it or (lambda message: says_the_same(draw(), message)),
            direct=user,
        )
        try:
            sent = await self._queue.do(channel(number), partial(self._outbox.send, outbound), urgent=urgent)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL:
                await self._store.people.forget_direct(user)
            raise
        return SentDirectMessage(number, MessageId(sent.id), key)

    async def _opened(self, user: UserId, *, urgent: bool) -> ChannelId | None:
        """Open a channel of direct messages and save its id; None at the limit."""
        async with self._opening:
            if not await self._may_open():
                return None
            try:
                create = partial(self._places.client.create_dm, discord.Object(user))
                opened = await self._queue.do(OPENING, create, urgent=urgent)
            except discord.Forbidden as error:
                if error.code != TOO_MANY:
                    raise
                log.warning("Discord lets no new direct messages be opened; none are for an hour.")
                await self._store.notes.remember(NOTE, (self._places.now() + PAUSE).isoformat())
                return None
            number = ChannelId(opened.id)
            await self._store.people.keep_direct(DirectChannel(user, number, self._places.now()))
            return number

    async def _may_open(self) -> bool:
        now, pause = self._places.now(), await self._store.notes.recall(NOTE)
        if pause is not None and now < datetime.fromisoformat(pause):
            return False
        return await self._store.limits.take(NEW) is None
