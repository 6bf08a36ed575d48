"""The settings of all servers, in memory, so that reading them never waits.

Who may change settings is checked elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.domain.effects import PendingEffect
from bot.domain.ids import GuildId, UserId
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings, SettingChange
from bot.store.repositories.servers import ServerRepository

MAX_CHANGES_SHOWN = 5  # changes listed on a screen


class Servers:
    """The settings of all servers.

    settings: of servers with differences from the defaults.
    """

    def __init__(self, servers: ServerRepository, now: Callable[[], datetime]) -> None:
        self._servers = servers
        self._now = now
        self.settings: dict[GuildId, ServerSettings] = {}
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """Load the settings of all servers: little data, since most servers change none."""
        kept = await self._servers.settings()
        self.settings |= {guild: ServerSettings.read(chosen) for guild, chosen in kept.items()}

    def known(self, guild: GuildId | None) -> ServerSettings:
        """Return the settings of a server; the defaults in direct messages."""
        return DEFAULT_SETTINGS if guild is None else self.settings.get(guild, DEFAULT_SETTINGS)

    async def of(self, guild: GuildId | None) -> ServerSettings:
        """Return the same as `known`, for callers that need an awaitable."""
        return self.known(guild)

    async def change(
        self, guild: GuildId, by: UserId, name: str, value: Any, *, effects: Iterable[PendingEffect] = ()
    ) -> ServerSettings:
        """Change one setting and record the change; an equal value changes nothing.

        effects: started after an actual change.
        """
        async with self._changing:
            before = self.known(guild)
            after = replace(before, **{name: value})
            if after != before:
                change = SettingChange(guild=guild, name=name, value=value, by=by, at=self._now())
                await self._servers.change(change, after.chosen, effects)
                self.settings[guild] = after
            return after

    async def changes(self, guild: GuildId) -> tuple[SettingChange, ...]:
        """Return the latest changes on a server, latest first."""
        return await self._servers.changes(guild, MAX_CHANGES_SHOWN)

    def forget(self, guild: GuildId) -> None:
        """Drop the settings of a server whose rows were deleted."""
        self.settings.pop(guild, None)
