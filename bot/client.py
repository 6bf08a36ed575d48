"""The discord.py bot: loads the cogs, registers commands and buttons, answers errors, mends what a stop left behind.

Wires the parts together for one run. Refuses to decide anything about a game or a screen.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.ai_pool.pool import MovePool
from bot.club.daily_deals import DailyDeals
from bot.club.duplicates import Duplicates
from bot.club.leaderboards import Leaderboards
from bot.club.ledger import Ledgers
from bot.club.practice import Practice
from bot.club.puzzles import Puzzles
from bot.club.seasons import Seasons
from bot.delivery.boards.boards import Places
from bot.delivery.emoji import CardEmoji
from bot.delivery.notifications.debt_messages import SettledTeller
from bot.delivery.notifications.season_results import SeasonTeller
from bot.delivery.notifications.shared_moments import MomentTeller
from bot.delivery.outbox.discord_limits import Limits, Rates
from bot.delivery.outbox.effect_runner import Performers
from bot.delivery.outbox.response_headers import hearing
from bot.delivery.outbox.write_queue import Queue
from bot.delivery.table_delivery import Telling
from bot.domain.effects import DebtNotice
from bot.domain.ids import NO_GUILD, ChannelId, GuildId, TableId
from bot.domain.operator_notice import Upkeep
from bot.extensions import extensions
from bot.here import Here
from bot.history.record_packing import RecordPacker
from bot.history.rescoring import MatchRescorer
from bot.interactions import flood_limits
from bot.interactions.answers import PLAINLY, Manner
from bot.interactions.command_contexts import INSTALLED, WITH_BOT, gather
from bot.interactions.command_sync import register
from bot.interactions.command_translations import CommandNames
from bot.interactions.dispatcher import Door
from bot.interactions.flood_limits import Floodgate, Often
from bot.interactions.gateway import hang_up
from bot.interactions.guards import ALWAYS, admitted, not_deleted, not_too_often, noted, served
from bot.interactions.raw_interactions import read_first
from bot.interactions.visit import Address, Guard, Handler, Visit, Work
from bot.members.admission import Admission
from bot.members.debt_confirmations import Answering
from bot.members.deletion import Deleting
from bot.members.operator_notice import Upkeeping
from bot.members.posting_permissions import has_right, may_open_own_thread, may_write
from bot.members.preferences import RememberedHabits
from bot.members.presence import Presence
from bot.members.retention import Kept, Retention
from bot.members.server_settings import Servers
from bot.members.venues import Venue
from bot.runtime.background import BackgroundTask
from bot.runtime.discord_failures import MAX_WAIT
from bot.runtime.message_attempts import Delivery
from bot.runtime.metrics import Watch
from bot.runtime.store_address import Server
from bot.runtime.tasks import Stoppable, start_awaited, start_task
from bot.runtime.workers import Workers
from bot.scene import PublicScene
from bot.settings import Settings
from bot.sharding.process import AgreedTime
from bot.sharding.shards import Shards
from bot.show.people.own_data import ASK, DELETE, SHOW
from bot.show.server.policies import POLICY, Operator
from bot.show.translation.reserved import reserved
from bot.speaking import Speaking
from bot.store.copies.backups import Backups
from bot.store.postgres.processes import Terms
from bot.store.store import Store
from bot.table.clock import HOUR, Clock, HourlyTask
from bot.table.core.commands import LoseChannel
from bot.table.core.pace import Durations
from bot.table.environment import Environment, ShownTable
from bot.table.registry import Tables, new_seed

log = logging.getLogger(__name__)

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    attach_files=True,
)
UNDENIED = (*ALWAYS, SHOW, ASK, DELETE, POLICY)  # to leave a table, and what is kept about oneself
GUILDS_IN = 0.5  # seconds without a further server until all are taken to be there
HANG_UP = 0.5  # seconds to take leave of Discord
CUT = 0.2  # seconds for what is cancelled at the end

# Nobody hears the bot, so nobody need be warned that it could not speak.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

# How the bot shows itself and what it asks of Discord: no privileged intent, and nobody is mentioned by accident.
SESSION: dict[str, Any] = {
    "max_ratelimit_timeout": MAX_WAIT,
    "command_prefix": (),
    "tree_cls": Floodgate,
    "help_command": None,
    "intents": discord.Intents(guilds=True),
    "activity": discord.Game("/deal"),
    "allowed_contexts": WITH_BOT,
    "allowed_installs": INSTALLED,
    "allowed_mentions": discord.AllowedMentions.none(),
    "guild_ready_timeout": GUILDS_IN,
}


class Bigger(commands.AutoShardedBot):
    """The bot.

    now: the time, given by whoever runs it. seed: makes the secret seed of each match. rates: how much is sent at
    most; None for a simulated Discord. watch: who counts what happens, if anybody does.
    """

    store: Store
    tables: Tables
    telling: Telling
    clock: Clock
    habits: RememberedHabits
    speaking: Speaking
    retention: Retention
    match_rescorer: MatchRescorer
    record_packer: RecordPacker
    leaderboards: Leaderboards
    ledgers: Ledgers
    answering: Answering
    settled: SettledTeller
    seasons: Seasons
    daily_deals: DailyDeals
    duplicates: Duplicates
    practice: Practice
    puzzles: Puzzles
    moments: MomentTeller
    servers: Servers
    upkeep: Upkeeping
    deleting: Deleting
    venue: Venue
    here: Here

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime],
        seed: Callable[[], str] = new_seed,
        rates: Rates | None = None,
        pulse: Callable[[], float] = time.monotonic,
        watch: Watch | None = None,
    ) -> None:
        self.pulse = pulse
        self._watch = watch
        self._random = Random()  # of how long one waits
        self.limits = Limits(rates, self._random, time.monotonic())
        self.trace = hearing(self.limits, time.monotonic)
        super().__init__(**SESSION, http_trace=self.trace)
        self.settings = settings
        self.now = AgreedTime(now) if isinstance(settings.database, Server) else now
        self._seed = seed
        self.presence = Presence(self, self.now)
        self.admission = Admission(self.presence, self.now)
        self._round = BackgroundTask(self._look_for_who_is_gone, "who is gone")
        self.emoji = CardEmoji(self, self.now)
        self.delivery = Delivery(self.now)
        self.delivery.invalid_emoji = self.emoji.refused
        self._clicks = Often(flood_limits.CLICKS, pulse)
        self.door = Door(watch, self.delivery)
        self.there: set[int] = set()  # shards that are connected
        self.sharing: Shards | None = None  # where several processes share them
        self.move_pool = MovePool()
        self.workers = Workers()
        self.performers = Performers()
        self.restricted = frozenset[ChannelId]()  # channels where permissions are missing on purpose
        self._parts: tuple[Stoppable, ...] = ()  # all that does anything by itself
        self._is_put_away = False
        self._ending: asyncio.Task[None] | None = None

    def _guards(self) -> tuple[Guard, ...]:
        """Return what lets a click pass, in order."""
        banned = (served(self.upkeep.check, UNDENIED),) if self.upkeep.known.banned else ()
        return (
            not_too_often(self._clicks),
            not_deleted(self.deleting.check),
            *banned,
            self.speaking.as_liked,
            admitted(self.tables.get, self.admission.check, self.store.duplicates.may_know),
            noted(self.telling.clicked),
        )

    def _touched(self, visit: Visit) -> None:
        """Let whatever was clicked on be changed for longer, should it be somebody's hand."""
        if visit.own is not None:
            self.telling.hands.touched(visit.user, visit.own)

    @property
    def serving(self) -> bool:
        """Whether its parts are there: from the start, once the store is open, until the end."""
        return hasattr(self, "here") and not self._is_put_away

    @property
    def fenced(self) -> bool:
        """Whether other processes took this one for gone."""
        return hasattr(self, "here") and self.here.fenced

    @property
    def retired(self) -> bool:
        """Whether other processes have all that was here."""
        return hasattr(self, "here") and self.here.retired

    # Coming and going

    async def setup_hook(self) -> None:
        """Open the store and get ready to serve; nothing of any table is loaded."""
        read_first(self)
        self.store = await Store.open(self.settings.database, self.now, shared=True, watch=self._watch)
        self.servers = Servers(self.store.servers, self.now)
        await self.servers.load()
        self.deleting = Deleting(self.store.deletions)
        await self.deleting.learn()
        self.upkeep = Upkeeping(self.store, self.now, self._upkeep_changed)
        self.match_rescorer = MatchRescorer(self.store)
        self.record_packer = RecordPacker(self.store, self.now, self.servers.chosen)
        self.puzzles = Puzzles(self.store, self.now)
        self._backups = BackgroundTask(_backups(self.settings, self.now).look, "backups")
        self.clock = Clock(self.store.clock, self.now, lambda: bool(self.there), self._hourly_tasks(), self._watch)
        self.habits = RememberedHabits(self.store.people)
        self.speaking = Speaking(self, self.servers, self.habits, self.emoji, self.settings.default_locale)
        self.leaderboards = Leaderboards(self.store, self.servers.chosen, self.workers)
        self.ledgers = Ledgers(self.store)
        self.venue = Venue(self.servers, self.presence, self.admission)
        places = Places(
            self,
            self.speaking.public,
            self.speaking.locale,
            self.speaking.name_of,
            self._gone,
            self.now,
            self._random,
            lambda server: self.servers.known(server).quiet_at(self.now()),
            lambda server: self.servers.known(server).loud_at(self.now()),
            self._may_write,
            self._pictured,
            partial(self._has_right, right="read_message_history"),
            lambda channel: may_open_own_thread(self.get_channel(channel)),
            self.delivery,
        )
        self.telling = Telling(
            places,
            Queue(self.limits, time.monotonic),
            self.store,
            self.habits,
            self.admission,
            self.performers,
            lambda number: self.tables.get(number),
            self._owns,
            self.door.is_answering,
        )
        self.answering = Answering(self.store, self.habits, self.presence, self.servers, self.now)
        self.settled = SettledTeller(places, self.telling.directs, self.habits, self.ledgers)
        self.performers.on(DebtNotice, self.settled.tell)
        self.moments = MomentTeller(places, self.telling.queue, self.telling.outbox)
        told = SeasonTeller(places, self.telling.queue, self.telling.outbox, self.speaking.server, self._pictured_in)
        self.seasons = Seasons(self.store, self.leaderboards, self.servers.chosen, self.now, told.tell, self._due_here)
        around = Environment(
            self.store,
            self.telling,
            self.now,
            self.clock.wake,
            _times(self.settings),
            self.settings.house_delay_seconds,
            reserved(),
            self.presence.place,
            self.servers.chosen,
            self._may_write,
            self._watch,
            self.upkeep,
            self.move_pool,
            self.workers,
        )
        self.tables = Tables(around, self._seed, lambda: self.store.own)
        self.daily_deals = DailyDeals(
            self.store, self.tables, self.now, around.reserved, partial(self._due_here, NO_GUILD)
        )
        self.practice = Practice(self.store, self.tables, self.now, self._seed, around.reserved)
        self.duplicates = Duplicates(
            self.store, self.tables, self.now, self._seed, around.reserved, self.presence.may_see
        )
        self._parts = (
            self.clock,
            self.tables,
            self.match_rescorer.background,
            self.record_packer.background,
            self.puzzles,
            self.seasons.background,
            self.daily_deals.background,
            self._round,
            self._backups,
            self.emoji,
            self.telling,
            self.deleting.beside,
        )
        self.clock.timed_tasks = (
            self.telling.noticing,
            self.telling.effects,
            self.upkeep,
            self.seasons,
            self.daily_deals,
            self.deleting,
        )
        await self.upkeep.look()
        memories = self.habits, self.presence
        kept = Kept(self.store, self.tables, self.telling, memories, self.servers, self.settings.copied, self.deleting)
        self.retention = Retention(kept, lambda: frozenset(GuildId(guild.id) for guild in self.guilds), self.now)
        self.door.words, self.door.guards = self.speaking.locale, self._guards()
        self.door.offer_guards = (not_deleted(self.deleting.check),)
        self.door.answered = (self._touched,)
        self.here = Here(
            self.store,
            self.tables,
            self.telling,
            self.servers,
            self.clock,
            self.retention,
            self.door,
            self.limits,
            self.now,
            self.close,
        )
        self.tree.error(self._command_failed)
        await self.load_commands()
        await self._register()
        if self.settings.card_emoji:
            self.emoji.fetch_soon(self.telling.queue)
        if isinstance(self.settings.database, Server):
            await self._share()
        await self.here.wake(alone=self.sharing is None or self.sharing.membership.alone)

    async def _register(self) -> None:
        """Tell Discord which commands there are; later where it limits that for long: people are served meanwhile."""
        assert self.application_id is not None
        work = partial(register, self.tree, self.store.notes, self.application_id, self.settings.owner_server)
        try:
            await work()
        except discord.RateLimited as error:
            log.warning("Commands are registered later: %s", error)
            self.telling.queue.again("/applications/commands", work, error.retry_after)

    async def load_commands(self) -> None:
        """Load every command and whatever answers a click."""
        await self.tree.set_translator(CommandNames())
        waiting: list[str] = []
        for cog in extensions():
            await import_module(cog).setup(self)
            waiting = gather(self.tree)
        assert not waiting, f"commands of no group: {waiting}"

    def _hourly_tasks(self) -> tuple[HourlyTask, ...]:
        of_nobody = (
            self._end_private,
            self.match_rescorer.background.begin,
            self._pack_records,
            self._backups.begin,
            self.puzzles.make_next,
        )
        return (
            self._end_what_is_old,
            *map(self._by_one, of_nobody),
            self._round.begin,
            self._look_at_seasons,
        )

    def _by_one(self, task: HourlyTask) -> HourlyTask:
        """Return a task for the one process with the solo tables and direct messages; skipped in the others."""

        async def done() -> None:
            if self._due_here(NO_GUILD):
                await task()

        return done

    async def _upkeep_changed(self, before: Upkeep) -> None:
        """Do what follows from what whoever runs the bot has said, some of it once the bot is ready."""
        self.door.guards = self._guards()
        if self.is_ready():
            self.dispatch("upkeep_changed", before)

    async def _look_for_who_is_gone(self) -> None:
        await self.admission.look_round_daily(self.store.tables, self.tables)

    async def _look_at_seasons(self) -> None:
        await self.seasons.background.begin()

    async def _end_what_is_old(self) -> None:
        await self.retention.end()

    async def _end_private(self) -> None:
        await self.daily_deals.close_expired()
        if self._long_up:
            await self.duplicates.close_expired()
            await self.practice.close_expired()

    async def _pack_records(self) -> None:
        if self._long_up:
            await self.record_packer.background.begin()

    @property
    def _long_up(self) -> bool:
        """Whether people have had an hour since the start for what would have ended in a stop."""
        return self.now() - self.here.began >= HOUR

    async def on_shard_connect(self, shard: int) -> None:
        """Let time run: people can click now. Discord calls this at the start and after a session that was lost."""
        self.there.add(shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """Let time run again after a disconnection that lost nothing."""
        self.there.add(shard)
        self.clock.ring_now()

    async def on_shard_disconnect(self, shard: int) -> None:
        """Let time stand still while nobody can click; with several shards, as soon as none of them is there."""
        self.there.discard(shard)

    async def on_shard_ready(self, shard: int) -> None:
        """Hear that the servers of a shard are known, where this process has only some of them."""
        if self.sharing is not None:
            await self.sharing.ready(shard)

    async def on_ready(self) -> None:
        """Let the tables go on; where shards are shared, those of each by themselves."""
        if self.sharing is not None:
            return
        await self.here.all_go_on()
        open_tables = len(await self.store.tables.open_tables())
        log.info("%s is ready. Servers: %d. Open tables: %d.", self.user, len(self.guilds), open_tables)

    async def close(self) -> None:
        """Stop within five seconds, be it twice: hear no more, finish what was heard, write, close.

        What is cut short then is done at the next start.
        """
        if self._ending is None:
            self._ending = start_awaited(self._close(), name="close")
        await asyncio.shield(self._ending)

    async def _close(self) -> None:
        if self.serving:
            self.here.rest()
        if self.sharing is not None:
            self.sharing.close_ears()
        await hang_up(self, HANG_UP)
        if self.serving:
            await self.here.finish(self._handed)
        await self.put_away()
        with suppress(TimeoutError):
            await asyncio.wait_for(super().close(), HANG_UP)

    async def _handed(self) -> None:
        if self.sharing is not None:
            await self.sharing.at_rest()

    async def put_away(self) -> None:
        """Let nothing go on by itself; then hand the shards on and close the store."""
        self._is_put_away = True
        for part in (*self._parts, self.workers):
            part.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(CUT):
                for part in self._parts:
                    await part.ended()
        if self.sharing is not None:
            await self.sharing.end()
        await self.move_pool.close()
        await self.workers.ended()
        if hasattr(self, "store"):
            await self.store.close()

    def _schedule_event(self, *event: Any, **values: Any) -> asyncio.Task[None]:
        """Begin what an event of Discord asks for, and hold it until it is done."""
        return self.door.heard.hold(super()._schedule_event(*event, **values))

    # Shards that are shared with other processes

    async def _share(self) -> None:
        lease = timedelta(seconds=self.settings.lease_seconds)
        assert isinstance(self.now, AgreedTime)
        self.sharing = sharing = Shards(self, self.here, self.now, self._home)
        await sharing.join(self.store, Terms(lease, self.settings.shards_a_process))
        self.retention.others = sharing
        self.habits.changed = sharing.changed
        self.tables.tell_holder = sharing.tell_holder

    def _owns(self, guild: GuildId) -> bool:
        """Tell whether the tables of a server are this process's."""
        return self.store.own.has(guild)

    def _due_here(self, guild: GuildId) -> bool:
        """Tell whether this process does what is due on a server."""
        return self.store.share.has(guild)

    async def _home(self, table: TableId) -> GuildId | None:
        return self.tables.guild_of(table) or await self.store.tables.guild_of(table)

    def retire(self) -> None:
        """Let other processes take over, and end when they have; where there are none, say so."""
        if self.sharing is None:
            log.warning("Nobody else can take over: this bot is one process. Stop it as usual")
        else:
            self._retiring = start_task(self.sharing.retire(), "retiring")

    async def launch_shards(self) -> None:
        """Launch all shards, or those that this process has."""
        if self.sharing is not None:
            self.sharing.launch()
        else:
            await super().launch_shards()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify."""
        if self.sharing is not None and shard_id is not None:
            await self.sharing.turn(shard_id)
        else:
            await super().before_identify_hook(shard_id, initial=initial)

    # Clicks and commands

    def handle(self, address: type[Address], verb: str, handler: Handler) -> None:
        """Let clicks of this kind and verb be answered by this handler."""
        self.door.handle(address, verb, handler)

    def handle_form(self, verb: str, work: Work, *guards: Guard) -> None:
        """Let forms of this verb be answered by this, also those that were opened before the bot was started."""
        self.door.handle_form(verb, work, *guards)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Take clicks and forms; commands come by their own way."""
        self.presence.met(interaction)
        await self.door.knock(interaction)

    async def reply(
        self, interaction: discord.Interaction[Any], work: Work, manner: Manner = PLAINLY, *guards: Guard
    ) -> None:
        """Answer a command with what the work returns, or with why it could not be done."""
        await self.door.reply(interaction, work, manner, self.speaking.as_liked, *guards)

    async def _command_failed(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        await self.door.failed(interaction, error)

    @property
    def operator(self) -> Operator:
        """Who runs the bot."""
        known = self.settings
        return Operator(known.operator, known.contact, known.privacy_link, known.terms_link, known.source_link)

    def _may_write(self, channel: ChannelId) -> bool:
        """Tell whether the bot may write into a channel, as far as is known."""
        return may_write(self.get_channel(channel))

    def _pictured(self, scene: PublicScene) -> bool:
        """Tell whether the board of a table is a picture: where its server wants that and the bot may."""
        return self._pictured_in(scene.where.guild, scene.where.home)

    def _pictured_in(self, guild: GuildId, channel: ChannelId) -> bool:
        return self.servers.known(guild).pictures and self._has_right(channel, "attach_files")

    def _has_right(self, channel: ChannelId, right: str) -> bool:
        return has_right(self.get_channel(channel), right)

    async def _gone(self, table: ShownTable) -> None:
        log.info("The channel of table %s is gone, so it ends", table.id)
        await table.do(LoseChannel(None))


def _backups(settings: Settings, now: Callable[[], datetime]) -> Backups:
    every = timedelta(hours=settings.backup_hours)
    return Backups(settings.database, settings.copied, every, settings.backups_kept, now)


def _times(settings: Settings) -> Durations:
    return Durations(
        live=timedelta(seconds=settings.live_seconds),
        live_reserve=timedelta(seconds=settings.live_reserve_seconds),
        slow=timedelta(hours=settings.slow_hours),
        between=timedelta(seconds=settings.between_hands_seconds),
        lobby=timedelta(minutes=settings.lobby_minutes),
    )
