"""The end of the sessions at Discord's gateway: what Discord has sent is heard to the last event, and nothing after it.

Knows discord.py's shards and their sockets. Refuses to know what an event means.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from typing import Any, Final

import aiohttp
import discord
from aiohttp import WSMsgType
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.runtime.tasks import start_awaited

log = logging.getLogger(__name__)

GOODBYE: Final = 1000  # the code of a close that ends a session
EVENTS: Final = (WSMsgType.TEXT, WSMsgType.BINARY)


async def hang_up(bot: discord.AutoShardedClient, patience: float) -> None:
    """End all sessions, and hear no event any more. patience: seconds to wait for Discord's last ones."""
    shards = [info._parent for info in bot.shards.values()]  # nothing public has the socket
    if leaving := [start_awaited(_leave(shard), name=f"end of shard {shard.id}") for shard in shards]:
        await asyncio.wait(leaving, timeout=patience)
        for task in leaving:
            task.cancel()
    bot._connection.parsers.clear()  # commands, clicks, forms and all else


async def _leave(shard: Any) -> None:
    """End the session of a shard, and hear what Discord sent before it knew."""
    socket = shard.ws
    if not isinstance(socket, DiscordWebSocket):
        return  # Discord is simulated
    shard._cancel_task()  # the one that reads
    await asyncio.wait({shard._task})
    try:
        await socket.socket.send_frame(struct.pack("!H", GOODBYE), WSMsgType.CLOSE)
        while (frame := await socket.socket.receive()).type in EVENTS:
            await socket.received_message(frame.data)
    except (ReconnectWebSocket, aiohttp.ClientError, OSError) as error:
        log.debug("The session of shard %s had ended: %r", shard.id, error)
    finally:
        await socket.close(GOODBYE)
