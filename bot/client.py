"""The discord.py client: loads the extensions, and passes Discord's events to the parts."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

import discord
from discord.ext import commands

from bot.domain.ids import ChannelId
from bot.interactions.commands import INSTALLED, WITH_BOT, CommandNames, gather, register
from bot.interactions.flood_limits import RateLimitedTree
from bot.interactions.gateway import hang_up, read_first
from bot.paths import ROOT
from bot.runtime.discord_requests import MAX_WAIT
from bot.runtime.tasks import start_awaited, start_task
from bot.sharding.shards import Shards
from bot.wiring import Launch, Parts, open_parts

log = logging.getLogger(__name__)

GUILD_READY_TIMEOUT = 0.5  # seconds without a further server until all are taken as received
CLOSE_TIMEOUT = 0.5  # seconds for closing the gateway connections

# The bot plays no sound, so discord.py need not warn of missing voice libraries.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

# How the bot shows itself and what it asks of Discord: no privileged intent, and nobody is mentioned by accident.
CLIENT_OPTIONS: dict[str, Any] = {
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


class Bigger(commands.AutoShardedBot):
    """The bot.

    there: the connected shards. restricted: channels where permissions are missing on purpose.
    """

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.connected_shards: set[int] = set()
        self.restricted = frozenset[ChannelId]()
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
        """The shards of this process, where several processes share Discord's shards; None elsewhere."""
        return self._parts.shards if self._parts else None

    # Start and stop

    async def setup_hook(self) -> None:
        """Open the store, load the cogs and start.

        The clock starts last, as it loads the first table.
        """
        await self.prepare()
        await self._register_commands()
        if self.launch.settings.card_emoji:
            self.parts.emoji.fetch_soon(self.parts.publisher.queue)
        await self.parts.start()

    async def prepare(self) -> None:
        """Open the store, load the cached state, and register all commands and handlers."""
        read_first(self)
        self._parts = parts = await open_parts(self, self.launch, lambda: bool(self.connected_shards))
        await parts.lifecycle.load()
        self.tree.error(parts.dispatcher.failed)
        await self.tree.set_translator(CommandNames())
        waiting: list[str] = []
        for cog in extensions():
            await import_module(cog).setup(self)
            waiting = gather(self.tree)
        assert not waiting, f"commands of no group: {waiting}"

    async def _register_commands(self) -> None:
        """Register the commands with Discord; under a long rate limit, later in the background."""
        assert self.application_id is not None
        owners = self.launch.settings.owner_server
        work = partial(register, self.tree, self.parts.store.notes, self.application_id, owners)
        try:
            await work()
        except discord.RateLimited as error:
            log.warning("Commands are registered later: %s", error)
            self.parts.publisher.queue.queue_after_pause("/applications/commands", work, error.retry_after)

    def retire(self) -> None:
        """Hand all shards over to other processes and end; log a warning if there are none."""
        if self.shards_shared is None:
            log.warning("Nobody else can take over: this bot is one process. Stop it as usual")
        else:
            self._retiring = start_task(self.shards_shared.retire(), "retiring")

    async def close(self) -> None:
        """Stop within five seconds: receive no more, finish visits under way, save, close.

        A second call waits for the first. Unfinished work is done at the next start.
        """
        if self._ending is None:
            self._ending = start_awaited(self._close(), name="close")
        await asyncio.shield(self._ending)

    async def _close(self) -> None:
        if self.serving:
            self.parts.lifecycle.rest()
        if self.shards_shared is not None:
            self.shards_shared.stop_receiving()
        await hang_up(self, CLOSE_TIMEOUT)
        if self.serving:
            await self.parts.lifecycle.finish(self._finish_handed)
        await self.shut_down()
        with suppress(TimeoutError):
            await asyncio.wait_for(super().close(), CLOSE_TIMEOUT)

    async def _finish_handed(self) -> None:
        if self.shards_shared is not None:
            await self.shards_shared.wait_until_idle()

    async def shut_down(self) -> None:
        """Stop all background work, hand the shards on, and close the store."""
        self._is_put_away = True
        await (self._parts.shut_down() if self._parts else self.launch.close())

    # Events

    async def on_shard_connect(self, shard: int) -> None:
        """Let the clock run.

        Discord sends this event at the start, and after a session that could not be resumed.
        """
        self.connected_shards.add(shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """Let the clock run after a disconnection without lost events."""
        self.connected_shards.add(shard)
        self.parts.clock.ring_now()

    async def on_shard_disconnect(self, shard: int) -> None:
        """Stop the clock while no shard is connected, as no player can click."""
        self.connected_shards.discard(shard)

    async def on_shard_ready(self, shard: int) -> None:
        """Resume the tables of a shard, if several processes share the shards.

        Discord sends this event once the shard's servers are known.
        """
        if self.shards_shared is not None:
            await self.shards_shared.ready(shard)

    async def on_ready(self) -> None:
        """Resume all tables, unless each shard resumes its own."""
        if self.shards_shared is not None:
            return
        await self.parts.lifecycle.resume_all()
        open_tables = len(await self.parts.store.tables.open_tables())
        log.info("%s is ready. Servers: %d. Open tables: %d.", self.user, len(self.guilds), open_tables)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle clicks and forms; discord.py dispatches commands itself."""
        parts = self.parts
        parts.presence.record_member(interaction)
        await parts.dispatcher.dispatch(interaction)

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


def extensions() -> tuple[str, ...]:
    """Return the names of all modules in ``cogs`` with a ``setup``, in the order of the alphabet."""
    paths = (path for path in (ROOT / "cogs").rglob("*.py") if "\nasync def setup(" in path.read_text("utf-8"))
    return tuple(sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths))
