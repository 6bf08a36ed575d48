"""After a stop: deletes messages sent in its last moments and never recorded.

A process can die between sending a message and saving the message's id. The channel then keeps a ping that nobody would
delete, or a second board. Both are recognised by their content; a ping of a player still awaited is recorded instead of
deleted. Each channel is searched once, after all boards in the channel are shown. Messages of the current run stay
untouched.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime

import discord

from bot.delivery.boards.boards import is_screen_of
from bot.delivery.context import DeliveryContext
from bot.delivery.notifications.awaited_players import uses_notices
from bot.delivery.notifications.slow_table_notices import NoticeScheduler
from bot.delivery.notifications.turn_pings import Pings
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.effect_runner import EffectRunner
from bot.delivery.outbox.outbox import Outbox
from bot.delivery.outbox.write_queue import LATER, Write, WriteQueue
from bot.domain.effects import MessageDeletion, board_key
from bot.domain.ids import ChannelId, MessageId
from bot.runtime.discord_requests import UNREACHED
from bot.show.kit.phrases import table as table_name
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

MAX_MESSAGES_READ = 50  # the newest messages of a channel: those sent last are among them
RETRY_SECONDS = 5.0  # seconds between two looks at a channel with a board still to post
MAX_TRIES = 12


class StartupSweep:
    """Tidies one channel after a stop. before: the start of the current run."""

    def __init__(
        self,
        *,
        context: DeliveryContext,
        queue: WriteQueue,
        outbox: Outbox,
        effects: EffectRunner,
        callers: tuple[Pings, NoticeScheduler],
        home: ChannelId,
        tables: tuple[ShownTable, ...],
        before: datetime,
    ) -> None:
        self._context = context
        self._queue = queue
        self._outbox = outbox
        self._effects = effects
        self._pings, self._notice_scheduler = callers
        self._home = home
        self._tables = tables
        self._before = before
        self._looks = MAX_TRIES

    def schedule(self) -> None:
        """Queue a look at the channel with low priority."""
        self._queue.put(Write(("sweep", self._home), channel(self._home), self._sweep, patience=LATER))

    async def _sweep(self) -> None:
        """Search the channel, or wait while a board is still to post.

        Discord may otherwise return an old message for the nonce of that board.
        """
        self._looks -= 1
        if self._looks and await self._is_posting():
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.schedule)
            return
        where = self._context.client.get_partial_messageable(self._home)
        try:
            found = [message async for message in where.history(limit=MAX_MESSAGES_READ, before=self._before)]
        except discord.RateLimited:
            self._looks += 1
            raise  # the queue retries
        except UNREACHED as error:
            log.warning("Channel %s could not be tidied: %s", self._home, error)
            return
        me = self._context.client.user
        for message in found:
            if me is not None and message.author.id == me.id:
                await self._judge(message)

    async def _is_posting(self) -> bool:
        """Tell whether a board in this channel is still to be posted or its post is unconfirmed."""
        unanswered = await self._outbox.unanswered()
        here = [table for table in self._tables if table.row.home == self._home]
        return any(not table.row.message or board_key(table.id) in unanswered for table in here)

    async def _judge(self, message: discord.Message) -> None:
        for table in self._tables:
            if message.id == table.row.message or message.id in await self._pings.known(table.id):
                return
            if message.id in await self._notice_scheduler.known(self._home):
                return
            if await self._is_lost(message, table):
                await self._effects.add(MessageDeletion(self._home, MessageId(message.id)), table.row.guild, table.id)

    async def _is_lost(self, message: discord.Message, table: ShownTable) -> bool:
        """Tell whether a message is useless: a ping of a player not awaited, or a second board."""
        if not self._is_ping(message, table):
            return is_screen_of(message, table.id)
        if uses_notices(table.scene(None)):
            return not await self._notice_scheduler.adopt(table, message)
        return not await self._pings.adopt(table, message)

    def _is_ping(self, message: discord.Message, table: ShownTable) -> bool:
        scene = table.scene(None)
        return (
            bool(message.raw_mentions)
            and f"[{table_name(scene, self._context.words_for_table(scene))}](" in message.content
        )
