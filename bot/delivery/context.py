"""The context of all messages: client, languages, permissions, time, audience."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Protocol

import discord

from bot.domain.ids import ChannelId, GuildId, UserId
from bot.runtime.discord_requests import FallbackSender
from bot.scene import PublicScene, Scene
from bot.show.kit.words import Words
from bot.table.environment import ShownTable


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryContext:
    """What every message depends on; made once, in `bot/wiring.py`."""

    client: discord.Client
    words_for_table: Callable[[Scene], Words]  # in the language of a table's server
    words_in: Callable[[str], Words]  # in the language of a Discord locale
    server_name: Callable[[GuildId], str]
    on_channel_lost: Callable[[ShownTable], Awaitable[None]]  # called after the loss of a table's channel
    now: Callable[[], datetime]
    random: Random  # jitter for retries
    is_quiet: Callable[[GuildId], bool] = lambda _server: False  # whether pings on a server are silent now
    quiet_until: Callable[[GuildId], datetime | None] = lambda _server: None  # the end of a server's quiet hours
    may_write: Callable[[ChannelId], bool] = lambda _channel: True  # the bot in a channel, if known
    may_read: Callable[[ChannelId], bool] = lambda _channel: False  # the bot, the history of a channel
    may_open_threads: Callable[[ChannelId], bool] = lambda _channel: False  # the bot, private ones in a channel
    wants_picture: Callable[[PublicScene], bool] = lambda _scene: False  # the server; the channel permits pictures
    sender: FallbackSender = field(default_factory=FallbackSender)


class Audience(Protocol):
    """Checks membership and access, as `Admission` in `bot/members/admission.py` does."""

    async def is_here(self, table: ShownTable, user: UserId) -> bool:
        """Tell whether a player is still a member of a table's server.

        If not, a house player takes over the seat.
        """
        ...

    async def is_shut_out(self, table: ShownTable, user: UserId) -> bool | None:
        """Tell whether a member of the server has lost access to a table; None if Discord fails."""
        ...

    async def may_have_hand(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a player may be sent their hand."""
        ...

    async def sees(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a player can see a table's channel now. Raises the errors in UNREACHED."""
        ...

    def has_lost(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a player is known to have left or lost access; without a request."""
        ...
