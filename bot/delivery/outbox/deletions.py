"""Deletes messages of the bot that are of no use any more, such as a call of a player who has acted."""

from __future__ import annotations

import discord

from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.write_queue import SOON, Queue
from bot.domain.effects import Deletion, Pending


class Removal:
    """Performs deletions; one that Discord refuses, or that was done, is over."""

    def __init__(self, client: discord.Client, queue: Queue) -> None:
        self._client = client
        self._queue = queue

    async def delete(self, effect: Deletion, _one: Pending) -> None:
        """Delete a message. Raises what Discord says."""
        where = self._client.get_partial_messageable(effect.channel)
        await self._queue.do(channel(effect.channel), where.get_partial_message(effect.message).delete, SOON)
