"""Deletes obsolete messages of the bot, such as the ping of a player who has acted."""

from __future__ import annotations

import discord

from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.write_queue import SOON, WriteQueue
from bot.domain.effects import MessageDeletion, Pending


class MessageDeleter:
    """Performs deletions; a refused or completed deletion is over."""

    def __init__(self, client: discord.Client, queue: WriteQueue) -> None:
        self._client = client
        self._queue = queue

    async def delete(self, effect: MessageDeletion, _one: Pending) -> None:
        """Delete a message. Raises Discord's errors."""
        where = self._client.get_partial_messageable(effect.channel)
        await self._queue.do(channel(effect.channel), where.get_partial_message(effect.message).delete, SOON)
