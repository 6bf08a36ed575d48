"""Messages of the bot's that are of no use any more: taken away when their turn in the queue has come.

What Discord could not take away is tried again, for a call that stays says that it is somebody's turn. One that may not
be deleted, or is gone, is left alone. Refuses to know what was in it.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import discord

from bot.ground.ids import ChannelId, MessageId
from bot.ground.unreached import UNREACHED
from bot.tell.limits import channel
from bot.tell.queue import SOON, Queue, Write

log = logging.getLogger(__name__)

AGAIN = 10.0, 60.0, 600.0  # seconds after each time that failed


def remove(
    client: discord.Client, queue: Queue, home: ChannelId, message: MessageId, again: tuple[float, ...] = AGAIN
) -> None:
    """Delete a message soon. again: after how many seconds it is tried again, each time that it fails."""
    work = partial(_deleted, client, queue, home, message, again)
    queue.put(Write(("delete", message), channel(home), work, SOON))


async def _deleted(
    client: discord.Client, queue: Queue, home: ChannelId, message: MessageId, again: tuple[float, ...]
) -> None:
    try:
        await client.get_partial_messageable(home).get_partial_message(message).delete()
    except (discord.NotFound, discord.Forbidden) as error:
        log.info("Message %s, which is of no use any more, is left alone: %s", message, error)
    except discord.RateLimited:
        raise  # the queue sends it again
    except UNREACHED as error:
        log.info("Message %s, which is of no use any more, stays for now: %s", message, error)
        if again:
            asyncio.get_running_loop().call_later(again[0], remove, client, queue, home, message, again[1:])
