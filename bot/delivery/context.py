"""The context of all messages: Discord's client, languages, permissions and the time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.runtime.discord_requests import FallbackSender
from bot.scene import PublicScene, Scene
from bot.show.kit.words import Words
from bot.table.environment import ShownTable


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryContext:
    """What every message depends on; made once, in `bot/wiring.py`."""

    client: discord.Client
    public: Callable[[Scene], Words]  # the language of a table's server
    speaking: Callable[[str], Words]  # the language of a Discord locale
    server: Callable[[GuildId], str]  # the name of a server
    gone: Callable[[ShownTable], Awaitable[None]]  # called after the loss of a table's channel
    now: Callable[[], datetime]
    random: Random  # jitter for retries
    quiet: Callable[[GuildId], bool] = lambda _server: False  # whether pings on a server are silent now
    loud: Callable[[GuildId], datetime | None] = lambda _server: None  # the end of a server's quiet hours
    writable: Callable[[ChannelId], bool] = lambda _channel: True  # whether the bot may write in a channel, if known
    pictured: Callable[[PublicScene], bool] = lambda _scene: False  # whether a scene's place permits and wants pictures
    readable: Callable[[ChannelId], bool] = lambda _channel: False  # whether the bot may read the channel's history
    apart: Callable[[ChannelId], bool] = lambda _channel: False  # whether the bot may open private threads in a channel
    sender: FallbackSender = field(default_factory=FallbackSender)
