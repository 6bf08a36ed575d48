"""Ends the sessions at Discord's gateway: handles each event sent before the end, and none after.

Uses discord.py's shards and their sockets.
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

GOODBYE: Final = 1000  # the close code that ends a session
EVENTS: Final = (WSMsgType.TEXT, WSMsgType.BINARY)


async def hang_up(bot: discord.AutoShardedClient, patience: float) -> None:
    """End all sessions, and handle no further event. patience: the seconds to wait for Discord's last events."""
    shards = [info._parent for info in bot.shards.values()]  # the socket is not public
    if leaving := [start_awaited(_leave(shard), name=f"end of shard {shard.id}") for shard in shards]:
        await asyncio.wait(leaving, timeout=patience)
        for task in leaving:
            task.cancel()
    bot._connection.parsers.clear()  # all kinds of events


async def _leave(shard: Any) -> None:
    """End a shard's session, and handle what Discord sent before the close."""
    socket = shard.ws
    if not isinstance(socket, DiscordWebSocket):
        return  # Discord is simulated
    shard._cancel_task()  # the reading task
    await asyncio.wait({shard._task})
    try:
        await socket.socket.send_frame(struct.pack("!H", GOODBYE), WSMsgType.CLOSE)
        while (frame := await socket.socket.receive()).type in EVENTS:
            await socket.received_message(frame.data)
    except (ReconnectWebSocket, aiohttp.ClientError, OSError) as error:
        log.debug("The session of shard %s had ended: %r", shard.id, error)
    finally:
        await socket.close(GOODBYE)
