"""Discord's gateway: its options, readable raw interactions, and the end of sessions."""

from __future__ import annotations

import asyncio
import logging
import re
import struct
from collections.abc import Mapping
from typing import Any, Final

import aiohttp
import discord
from aiohttp import WSMsgType
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.interactions.commands import INSTALLED, WITH_BOT
from bot.interactions.flood_limits import RateLimitedTree
from bot.runtime.discord_requests import MAX_WAIT
from bot.runtime.tasks import start_awaited

log = logging.getLogger(__name__)

GUILD_READY_TIMEOUT: Final = 0.5  # seconds without a further server until all are taken as received

# The bot plays no sound, so discord.py need not warn of missing voice libraries.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

# How the bot shows itself and what it asks of Discord: no privileged intent, and nobody is mentioned by accident.
CLIENT_OPTIONS: Final[Mapping[str, Any]] = {
    "max_ratelimit_timeout": MAX_WAIT,
    "command_prefix": (),
    "tree_cls": RateLimitedTree,
    "help_command": None,
    "intents": discord.Intents(guilds=True),
    "activity": discord.Game("/deal"),
    "allowed_contexts": WITH_BOT,
    "allowed_installs": INSTALLED,
    "allowed_mentions": discord.AllowedMentions.none(),
    "guild_ready_timeout": GUILD_READY_TIMEOUT,
}

GOODBYE: Final = 1000  # the close code that ends a session
EVENTS: Final = (WSMsgType.TEXT, WSMsgType.BINARY)


async def hang_up(bot: discord.AutoShardedClient, patience: float) -> None:
    """End all sessions, and handle no further event.

    patience: the seconds to wait for Discord's last events.
    """
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


ARRIVED: Final = "INTERACTION_CREATE"
CLICK: Final = discord.InteractionType.component.value
NO_TEXT: Final = re.compile("[\x00\ud800-\udfff]")  # not encodable in UTF-8, or not storable in PostgreSQL
UNREADABLE: Final = "\ufffd"
SNOWFLAKES: Final = (6, 7, 8, 9, 11)  # types of options whose value is an id
SNOWFLAKE: Final = re.compile(r"[0-9]{1,20}")


def read_first(bot: discord.Client) -> None:
    """Clean interactions before discord.py parses them, except clicks: they hold no text."""
    parsers = bot._connection.parsers  # no public hook runs earlier
    parse = parsers[ARRIVED]
    parsers[ARRIVED] = lambda data: parse(data if data.get("type") == CLICK else readable(data))


def readable(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an interaction without values unreadable to discord.py or refused by Discord.

    Half surrogate pairs and U+0000, invalid as text, become U+FFFD. A user, channel or role still being typed is left
    out: discord.py would parse its value as a number.
    """
    return {**data, "data": _readable(data.get("data", {}))}


def _readable(part: Any) -> Any:
    if isinstance(part, str):
        return NO_TEXT.sub(UNREADABLE, part)
    if isinstance(part, list):
        return [_readable(each) for each in part if not _is_half_chosen(each)]
    return {name: _readable(each) for name, each in part.items()} if isinstance(part, dict) else part


def _is_half_chosen(option: Any) -> bool:
    """Tell whether an option names a user, channel or role without an id so far."""
    named = isinstance(option, dict) and option.get("type") in SNOWFLAKES and {"name", "value"} <= option.keys()
    return named and not SNOWFLAKE.fullmatch(str(option["value"]))
