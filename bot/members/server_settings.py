"""What the owners of servers have chosen, all of it in memory, so that nothing has to wait for it.

Knows the settings of every server and how they are changed. Refuses to know who may change them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from bot.domain.effects import Pending
from bot.domain.ids import GuildId, UserId
from bot.domain.server_settings import PLAIN, ServerSettings, SettingChange

SHOWN = 5  # changes that are looked back upon


class SettingsStore(Protocol):
    """What this needs of a store. Every call may raise StoreError."""

    async def server_settings(self) -> Mapping[GuildId, Mapping[str, Any]]:
        """Return what differs from the defaults, by server."""
        ...

    async def change_server(
        self, change: SettingChange, chosen: Mapping[str, Any], effects: Iterable[Pending] = ()
    ) -> None:
        """Write all that is chosen on a server, the change that led there, and the effects of the change."""
        ...

    async def server_changes(self, guild: GuildId, limit: int) -> tuple[SettingChange, ...]:
        """Return the latest changes on a server, the last one first."""
        ...


class Servers:
    """The settings of all servers. chosen: of those where anything is chosen."""

    def __init__(self, store: SettingsStore, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self.chosen: dict[GuildId, ServerSettings] = {}
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """Read what is chosen anywhere: little, for most servers choose nothing."""
        kept = await self._store.server_settings()
        self.chosen |= {guild: ServerSettings.read(chosen) for guild, chosen in kept.items()}

    def known(self, guild: GuildId | None) -> ServerSettings:
        """Return the settings of a server; the defaults in direct messages."""
        return PLAIN if guild is None else self.chosen.get(guild, PLAIN)

    async def of(self, guild: GuildId | None) -> ServerSettings:
        """Return the same for whoever can wait."""
        return self.known(guild)

    async def change(
        self, guild: GuildId, by: UserId, name: str, value: Any, effects: Iterable[Pending] = ()
    ) -> ServerSettings:
        """Choose one setting and note who did it; to choose what holds already changes nothing.

        effects: what is to be done on Discord where it changes something.
        """
        async with self._changing:
            before = self.known(guild)
            after = replace(before, **{name: value})
            if after != before:
                change = SettingChange(guild, name, value, by, self._now())
                await self._store.change_server(change, after.chosen, effects)
                self.chosen[guild] = after
            return after

    async def changes(self, guild: GuildId) -> tuple[SettingChange, ...]:
        """Return the latest changes on a server, the last one first."""
        return await self._store.server_changes(guild, SHOWN)

    def forget(self, guild: GuildId) -> None:
        """Drop what a server had chosen whose rows are deleted."""
        self.chosen.pop(guild, None)
