"""Messages of the bot's that are of no use any more: taken away when their turn in the queue has come.

One that cannot be deleted stays, which does no harm. Refuses to know what was in it.
"""

from __future__ import annotations

import logging
from functools import partial

import discord

from bot.ground.ids import ChannelId, MessageId
from bot.ground.unreached import UNREACHED
from bot.tell.limits import channel
from bot.tell.queue import SOON, Queue, Write

log = logging.getLogger(__name__)


def remove(client: discord.Client, queue: Queue, home: ChannelId, message: MessageId) -> None:
    """Delete a message soon."""
    queue.put(Write(("delete", message), channel(home), partial(_deleted, client, home, message), SOON))


async def _deleted(client: discord.Client, home: ChannelId, message: MessageId) -> None:
    try:
        await client.get_partial_messageable(home).get_partial_message(message).delete()
    except UNREACHED as error:
        log.info("Message %s, which is of no use any more, stays: %s", message, error)
