"""The discord.py client: passes Discord's events to the parts."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

import discord
from discord.ext import commands

from bot.domain.ids import ChannelId
from bot.extensions import load_extensions
from bot.interactions.commands import register_now_or_later
from bot.interactions.gateway import CLIENT_OPTIONS, hang_up, read_first
from bot.launch import Launch
from bot.runtime.tasks import start_awaited
from bot.sharding.shards import Shards
from bot.wiring import Parts, open_parts

log = logging.getLogger(__name__)

CLOSE_TIMEOUT = 0.5  # seconds for closing the gateway connections


class Bigger(commands.AutoShardedBot):
    """The discord.py client of the bot. connected_shards: their numbers."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.connected_shards: set[int] = set()
        self.restricted = frozenset[ChannelId]()  # channels where permissions are missing on purpose
        self._parts: Parts | None = None
        self._is_put_away = False
        self._ending: asyncio.Task[None] | None = None
        super().__init__(**CLIENT_OPTIONS, http_trace=launch.trace)

    @property
    def parts(self) -> Parts:
        """The parts of the bot, from the start on."""
        assert self._parts is not None
        return self._parts

    @property
    def serving(self) -> bool:
        """Whether the bot has its parts and its store is open."""
        return self._parts is not None and not self._is_put_away

    @property
    def shards_shared(self) -> Shards | None:
        """The shards of this process if several processes share them, else None."""
        return self._parts.shards if self._parts else None

    # Start and stop

    async def setup_hook(self) -> None:
        """Open the store, load the cogs, and start the clock last: it loads the first table."""
        await self.prepare()
        owners, later = self.launch.settings.owner_server, self.parts.delivery.queue.queue_after_pause
        await register_now_or_later(self.tree, self.parts.store.notes, owners, later)
        await self.parts.start()

    async def prepare(self) -> None:
        """Open the store, load the cached state, and register all commands and handlers."""
        read_first(self)
        self._parts = await open_parts(self, self.launch, lambda: bool(self.connected_shards))
        await self._parts.lifecycle.load()
        self.tree.error(self._parts.dispatcher.failed)
        await load_extensions(self)

    async def close(self) -> None:
        """Stop within five seconds: receive no more, finish visits under way, save, close.

        A second call waits for the first. Unfinished work is done at the next start.
        """
        if self._ending is None:
            self._ending = start_awaited(self._close(), name="close")
        await asyncio.shield(self._ending)

    async def _close(self) -> None:
        if self.serving:
            self.parts.rest()
        await hang_up(self, CLOSE_TIMEOUT)
        if self.serving:
            await self.parts.finish()
        await self.shut_down()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await super().close()

    async def shut_down(self) -> None:
        """Stop all background work, hand the shards on, and close the store."""
        self._is_put_away = True
        await (self._parts.shut_down() if self._parts else self.launch.close())

    # Events

    async def on_shard_connect(self, shard: int) -> None:
        """Let the clock run: at the start, and after a session that Discord did not resume."""
        self.connected_shards.add(shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """Let the clock run after a disconnection without lost events."""
        self.connected_shards.add(shard)
        self.parts.clock.ring_now()

    async def on_shard_disconnect(self, shard: int) -> None:
        """Stop the clock while no shard is connected, as no player can click."""
        self.connected_shards.discard(shard)

    async def on_shard_ready(self, shard: int) -> None:
        """Resume the tables of a shard, whose servers are known now, if shards are shared."""
        if self.shards_shared is not None:
            await self.shards_shared.ready(shard)

    async def on_ready(self) -> None:
        """Resume all tables, unless each shard resumes its own."""
        if self.shards_shared is None:
            await self.parts.lifecycle.resume_all()
            open_tables = len(await self.parts.store.tables.open_tables())
            log.info("%s is ready. Servers: %d. Open tables: %d.", self.user, len(self.guilds), open_tables)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle clicks and forms; discord.py dispatches commands itself."""
        self.parts.presence.record_member(interaction)
        await self.parts.dispatcher.dispatch(interaction)

    def _schedule_event(self, *event: Any, **values: Any) -> asyncio.Task[None]:
        """Start the handler of an event, and keep a reference to its task until the end."""
        task = super()._schedule_event(*event, **values)
        return self._parts.dispatcher.event_tasks.hold(task) if self._parts else task

    async def launch_shards(self) -> None:
        """Launch all shards, or those of this process."""
        if self.shards_shared is not None:
            self.shards_shared.launch()
        else:
            await super().launch_shards()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify."""
        if self.shards_shared is not None and shard_id is not None:
            await self.shards_shared.turn(shard_id)
        else:
            await super().before_identify_hook(shard_id, initial=initial)
