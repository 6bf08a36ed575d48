"""Composition root: the only module that makes the parts of the bot and connects them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.club.daily_deals import DailyDeals
from bot.club.duplicates import Duplicates
from bot.club.leaderboards import Leaderboards
from bot.club.ledger import Ledgers
from bot.club.practice import Practice
from bot.club.puzzles import Puzzles
from bot.club.rating_updates import RatingUpdates
from bot.club.seasons import Seasons
from bot.delivery.context import DeliveryContext
from bot.delivery.emoji import CardEmoji
from bot.delivery.notifications.announcements import MomentPoster, SeasonAnnouncer
from bot.delivery.notifications.direct_messages import DebtNotifier
from bot.delivery.outbox.effect_runner import EffectHandlers
from bot.delivery.outbox.write_queue import WriteQueue
from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import DebtNotice, RatingUpdate
from bot.domain.ids import NO_GUILD, ChannelId, GuildId, TableId
from bot.domain.operator_notice import OperatorState
from bot.history.record_upkeep import MatchRescorer, RecordPacker
from bot.hourly_work import HourlyWork
from bot.interactions import flood_limits
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import UserRateLimit
from bot.interactions.guards import ALWAYS, limit_clicks, record_click, refuse_banned, refuse_deleted, require_access
from bot.interactions.visit import Visit
from bot.launch import Launch
from bot.lifecycle import Lifecycle
from bot.localization import Localization
from bot.members.admission import Admission
from bot.members.operator_notice import OperatorDecisions
from bot.members.posting_permissions import has_right, may_open_own_thread, may_write
from bot.members.preferences import PreferenceCache
from bot.members.presence import Presence
from bot.members.requests import DebtConfirmations
from bot.members.retention import Retention, UserDataHolders, UserDeletion
from bot.members.server_settings import Servers
from bot.members.venues import Venue
from bot.runtime.discord_requests import FallbackSender
from bot.runtime.tasks import BackgroundTask
from bot.runtime.workers import Workers
from bot.scene import PublicScene
from bot.settings import Settings
from bot.sharding.handover import AgreedTime
from bot.sharding.shards import Shards
from bot.show.people.own_data import ASK, DELETE, SHOW
from bot.show.server.about import POLICY, Operator
from bot.show.translation.reserved import reserved
from bot.store.copies.transfer import Backups
from bot.store.postgres.processes import MembershipTerms
from bot.store.store import Store
from bot.table.clock import Clock
from bot.table.core.commands import LoseChannel
from bot.table.core.time_control import Durations
from bot.table.environment import Environment, ShownTable
from bot.table.registry import TableRegistry

log = logging.getLogger(__name__)

ALLOWED_WHEN_BANNED = (
    *ALWAYS,
    SHOW,
    ASK,
    DELETE,
    POLICY,
)  # a banned person may leave a table, and see and delete their data


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a running bot. shards: None where no other process shares the store."""

    launch: Launch
    settings: Settings
    operator: Operator
    now: Callable[[], datetime]
    store: Store
    workers: Workers
    dispatcher: Dispatcher
    emoji: CardEmoji
    effect_handlers: EffectHandlers
    servers: Servers
    presence: Presence
    admission: Admission
    venue: Venue
    preferences: PreferenceCache
    localization: Localization
    user_deletion: UserDeletion
    decisions: OperatorDecisions
    tables: TableRegistry
    delivery: TableDelivery
    clock: Clock
    leaderboards: Leaderboards
    ledgers: Ledgers
    debt_confirmations: DebtConfirmations
    debt_notifier: DebtNotifier
    seasons: Seasons
    moment_poster: MomentPoster
    daily_deals: DailyDeals
    duplicates: Duplicates
    practice: Practice
    puzzles: Puzzles
    match_rescorer: MatchRescorer
    record_packer: RecordPacker
    retention: Retention
    lifecycle: Lifecycle
    shards: Shards | None

    async def start(self) -> None:
        """Join the processes that share the store, if any.

        Then give the time of the outage back to the tables, and start the clock.
        """
        if self.settings.card_emoji:
            self.emoji.fetch_soon(self.delivery.queue)
        if self.shards is not None:
            lease = timedelta(seconds=self.settings.lease_seconds)
            await self.shards.join(self.store, MembershipTerms(lease, self.settings.shards_a_process))
            self.retention.others = self.shards
            self.preferences.changed = self.shards.changed
            self.tables.notify_owner = self.shards.notify_owner
        await self.lifecycle.start(is_first=self.shards is None or self.shards.membership.is_first)

    def rest(self) -> None:
        """Stop the clock, the house players and the messages of other processes.

        From now on only players act.
        """
        self.lifecycle.rest()
        if self.shards is not None:
            self.shards.stop_receiving()

    async def finish(self) -> None:
        """Finish visits and deadlines under way, and send final updates."""
        await self.lifecycle.finish(self.shards.wait_until_idle if self.shards is not None else _nothing_handed)

    async def shut_down(self) -> None:
        """Stop all background work; then hand the shards on and close the store."""
        self.lifecycle.stop()
        self.workers.stop()
        await self.lifecycle.ended()
        if self.shards is not None:
            await self.shards.end()
        await self.launch.close()
        await self.store.close()


async def open_parts(client: discord.AutoShardedClient, launch: Launch, online: Callable[[], bool]) -> Parts:
    """Open the store and make all parts; nothing is loaded yet. May raise StoreError.

    online: tells whether users can reach the bot.
    """
    store = await Store.open(launch.settings.database, launch.now, shared=True, watch=launch.watch)
    return _PartsBuilder(client, launch, store, online).parts()


class _PartsBuilder:
    """Makes the parts in the order of their dependencies.

    The order is: people, delivery, tables, club, process. Delivery and tables need each other: delivery looks a table
    up only for a change to show, and no table changes before all parts are made.
    """

    def __init__(
        self, client: discord.AutoShardedClient, launch: Launch, store: Store, online: Callable[[], bool]
    ) -> None:
        self.client, self.launch, self.store, self.now = client, launch, store, launch.now
        self.reserved = reserved()
        self._clicks = UserRateLimit(flood_limits.CLICKS, launch.pulse)
        self._make_people()
        self._make_delivery()
        self._make_tables(online)
        self._make_club()
        self._make_background()
        self._set_guards()

    def _make_people(self) -> None:
        """Make the parts about users and servers, and the dispatcher of interactions."""
        self.servers = Servers(self.store.servers, self.now)
        self.presence = Presence(self.client, self.now)
        self.admission = Admission(self.presence, self.now)
        self.venue = Venue(self.servers, self.presence, self.admission)
        self.preferences = PreferenceCache(self.store.people)
        self.user_deletion = UserDeletion(self.store.deletions)
        self.decisions = OperatorDecisions(self.store, self.now, self._decisions_changed)
        self.emoji = CardEmoji(self.client, self.now)
        self.sender = FallbackSender(self.now)
        self.sender.invalid_emoji = self.emoji.refused
        self.dispatcher = Dispatcher(self.launch.watch, self.sender)
        self.localization = Localization(
            self.client,
            servers=self.servers,
            preferences=self.preferences,
            emoji=self.emoji,
            default=self.launch.settings.default_locale,
        )

    def _make_delivery(self) -> None:
        """Make the parts that send and edit messages on Discord."""
        self.context = DeliveryContext(
            client=self.client,
            words_for_table=self.localization.words_for_table,
            words_in=self.localization.words_in,
            server_name=self.localization.server_name,
            on_channel_lost=_lose_channel,
            now=self.now,
            random=self.launch.random,
            is_quiet=lambda server: self.servers.known(server).is_quiet_at(self.now()),
            quiet_until=lambda server: self.servers.known(server).quiet_until(self.now()),
            may_write=self._may_write,
            wants_picture=self._is_pictured,
            may_read=partial(self._has_right, right="read_message_history"),
            may_open_threads=lambda channel: may_open_own_thread(self.client.get_channel(channel)),
            sender=self.sender,
        )
        self.effect_handlers = EffectHandlers()
        self.delivery = TableDelivery(
            context=self.context,
            queue=WriteQueue(self.launch.limits, time.monotonic),
            store=self.store,
            preferences=self.preferences,
            audience=self.admission,
            effect_handlers=self.effect_handlers,
            find=lambda number: self.tables.get(number),
            mine=lambda guild: self.store.own.has(guild),
            is_answering=self.dispatcher.is_answering,
        )

    def _make_tables(self, online: Callable[[], bool]) -> None:
        """Make the registry of tables, and its clock."""
        self.clock = Clock(self.store.clock, self.now, online, watch=self.launch.watch)
        environment = Environment(
            store=self.store,
            publisher=self.delivery,
            now=self.now,
            wake=self.clock.wake,
            durations=_durations(self.launch.settings),
            house_delay=self.launch.settings.house_delay_seconds,
            reserved=self.reserved,
            find_place=self.presence.place,
            server_settings=self.servers.settings,
            may_write=self._may_write,
            watch=self.launch.watch,
            decisions=self.decisions,
            move_chooser=self.launch.move_pool,
            workers=self.launch.workers,
        )
        self.tables = TableRegistry(environment, self.launch.seed, lambda: self.store.own)

    def _make_club(self) -> None:
        """Make ratings, seasons, debts, solo tables, puzzles, and the work on past matches."""
        delivery, seed = self.delivery, self.launch.seed
        self.leaderboards = Leaderboards(self.store, self.servers.settings, self.launch.workers)
        self.effect_handlers.on(RatingUpdate, RatingUpdates(self.leaderboards, self.store, self.tables).update)
        self.ledgers = Ledgers(self.store)
        self.debt_confirmations = DebtConfirmations(
            store=self.store, preferences=self.preferences, presence=self.presence, servers=self.servers, now=self.now
        )
        self.debt_notifier = DebtNotifier(self.context, delivery.direct_messages, self.preferences, self.ledgers)
        self.effect_handlers.on(DebtNotice, self.debt_notifier.send)
        self.moment_poster = MomentPoster(self.context, delivery.queue, delivery.outbox)
        podiums = SeasonAnnouncer(
            context=self.context,
            queue=delivery.queue,
            outbox=delivery.outbox,
            words=self.localization.words_for_server,
            may_attach=self._has_pictures,
        )
        self.seasons = Seasons(
            store=self.store,
            leaderboards=self.leaderboards,
            server_settings=self.servers.settings,
            now=self.now,
            post=podiums.send,
            mine=self._is_due_here,
        )
        self.daily_deals = DailyDeals(self.store, self.tables, self.now, self.reserved, mine=self._owns_solo_tables)
        self.practice = Practice(store=self.store, tables=self.tables, now=self.now, seed=seed, reserved=self.reserved)
        self.duplicates = Duplicates(
            store=self.store,
            tables=self.tables,
            now=self.now,
            seed=seed,
            reserved=self.reserved,
            sees=self.presence.may_see,
        )
        self.puzzles = Puzzles(self.store, self.now)
        self.match_rescorer = MatchRescorer(self.store)
        self.record_packer = RecordPacker(self.store, self.now, self.servers.settings)

    def _make_background(self) -> None:
        """Make the scheduled work: each minute, each hour, at the start and at the end."""
        self._absences = BackgroundTask(self._look_for_absences, "who is gone")
        self._backups = BackgroundTask(_backups(self.launch.settings, self.now).run_if_due, "backups")
        self.retention = Retention(self._user_data_holders(), self._guilds, self.now)
        self.lifecycle = self._make_lifecycle()
        self.clock.timed_tasks = (
            self.delivery.notice_scheduler,
            self.delivery.seat_queue,
            self.delivery.effects,
            self.decisions,
            self.seasons,
            self.daily_deals,
            self.user_deletion,
        )
        self.clock.hourly_tasks = self._hourly_work().tasks()
        self.shards = (
            Shards(self.client, self.lifecycle, self.now, self._guild_of) if isinstance(self.now, AgreedTime) else None
        )

    def _user_data_holders(self) -> UserDataHolders:
        """Return the parts that hold data of users, for retention and deletion."""
        return UserDataHolders(
            store=self.store,
            tables=self.tables,
            delivery=self.delivery,
            memories=(self.preferences, self.presence),
            servers=self.servers,
            copied=self.launch.settings.copied,
            user_deletion=self.user_deletion,
        )

    def _make_lifecycle(self) -> Lifecycle:
        """Return the lifecycle, with the background work that it starts and stops."""
        return Lifecycle(
            store=self.store,
            tables=self.tables,
            delivery=self.delivery,
            servers=self.servers,
            clock=self.clock,
            user_deletion=self.user_deletion,
            decisions=self.decisions,
            retention=self.retention,
            dispatcher=self.dispatcher,
            limits=self.launch.limits,
            background=(
                self.clock,
                self.tables,
                self.match_rescorer.background,
                self.record_packer.background,
                self.puzzles,
                self.seasons.background,
                self.daily_deals.background,
                self._absences,
                self._backups,
                self.emoji,
                self.delivery,
                self.user_deletion.beside,
            ),
            now=self.now,
            end=self.client.close,
        )

    def _hourly_work(self) -> HourlyWork:
        return HourlyWork(
            lifecycle=self.lifecycle,
            retention=self.retention,
            seasons=self.seasons,
            daily_deals=self.daily_deals,
            duplicates=self.duplicates,
            practice=self.practice,
            puzzles=self.puzzles,
            match_rescorer=self.match_rescorer,
            record_packer=self.record_packer,
            backups=self._backups,
            absences=self._absences,
            owns_solo_tables=self._owns_solo_tables,
        )

    def _set_guards(self) -> None:
        """Set the guards of visits, in order: cheap ones precede queries of store or Discord."""
        dispatcher = self.dispatcher
        banned = (refuse_banned(self.decisions.check, ALLOWED_WHEN_BANNED),) if self.decisions.known.banned else ()
        dispatcher.words = self.localization.words_in
        dispatcher.guards = (
            limit_clicks(self._clicks),
            refuse_deleted(self.user_deletion.check),
            *banned,
            self.localization.apply_preferences,
            require_access(self.tables.get, self.admission.check, self.store.duplicates.may_know),
            record_click(self.delivery.clicked),
        )
        dispatcher.command_guards = (self.localization.apply_preferences,)
        dispatcher.autocomplete_guards = (refuse_deleted(self.user_deletion.check),)
        dispatcher.on_answered = (self._postpone_expiry,)

    def parts(self) -> Parts:
        """Return the parts that the client and the cogs use."""
        return Parts(
            launch=self.launch,
            settings=self.launch.settings,
            operator=_operator(self.launch.settings),
            now=self.now,
            store=self.store,
            workers=self.launch.workers,
            dispatcher=self.dispatcher,
            emoji=self.emoji,
            effect_handlers=self.effect_handlers,
            servers=self.servers,
            presence=self.presence,
            admission=self.admission,
            venue=self.venue,
            preferences=self.preferences,
            localization=self.localization,
            user_deletion=self.user_deletion,
            decisions=self.decisions,
            tables=self.tables,
            delivery=self.delivery,
            clock=self.clock,
            leaderboards=self.leaderboards,
            ledgers=self.ledgers,
            debt_confirmations=self.debt_confirmations,
            debt_notifier=self.debt_notifier,
            seasons=self.seasons,
            moment_poster=self.moment_poster,
            daily_deals=self.daily_deals,
            duplicates=self.duplicates,
            practice=self.practice,
            puzzles=self.puzzles,
            match_rescorer=self.match_rescorer,
            record_packer=self.record_packer,
            retention=self.retention,
            lifecycle=self.lifecycle,
            shards=self.shards,
        )

    # Callbacks between the parts and the client

    async def _decisions_changed(self, before: OperatorState) -> None:
        self._set_guards()
        if self.client.is_ready():
            self.client.dispatch("upkeep_changed", before)

    async def _look_for_absences(self) -> None:
        await self.admission.replace_absent_players_daily(self.store.tables, self.tables)

    async def _guild_of(self, table: TableId) -> GuildId | None:
        return self.tables.guild_of(table) or await self.store.tables.guild_of(table)

    def _guilds(self) -> frozenset[GuildId]:
        return frozenset(GuildId(guild.id) for guild in self.client.guilds)

    def _is_due_here(self, guild: GuildId) -> bool:
        """Tell whether this process does the scheduled work of a server."""
        return self.store.share.has(guild)

    def _owns_solo_tables(self) -> bool:
        return self._is_due_here(NO_GUILD)

    def _postpone_expiry(self, visit: Visit) -> None:
        """Postpone the expiry of a clicked private message, if it is a hand."""
        if visit.own is not None:
            self.delivery.hands.touched(visit.user, visit.own)

    def _may_write(self, channel: ChannelId) -> bool:
        return may_write(self.client.get_channel(channel))

    def _has_right(self, channel: ChannelId, right: str) -> bool:
        return has_right(self.client.get_channel(channel), right)

    def _is_pictured(self, scene: PublicScene) -> bool:
        """Tell whether the board of a table is a picture.

        It is if the server wants pictures and the bot may send them.
        """
        return self._has_pictures(scene.where.guild, scene.where.home)

    def _has_pictures(self, guild: GuildId, channel: ChannelId) -> bool:
        return self.servers.known(guild).pictures and self._has_right(channel, "attach_files")


async def _nothing_handed() -> None:
    """Wait for no interaction of other processes."""


async def _lose_channel(table: ShownTable) -> None:
    log.info("The channel of table %s is gone, so it ends", table.id)
    await table.do(LoseChannel(None))


def _operator(settings: Settings) -> Operator:
    return Operator(
        name=settings.operator,
        contact=settings.contact,
        privacy=settings.privacy_link,
        terms=settings.terms_link,
        source=settings.source_link,
    )


def _backups(settings: Settings, now: Callable[[], datetime]) -> Backups:
    every = timedelta(hours=settings.backup_hours)
    return Backups(settings.database, settings.copied, every, settings.backups_kept, now)


def _durations(settings: Settings) -> Durations:
    return Durations(
        live=timedelta(seconds=settings.live_seconds),
        live_reserve=timedelta(seconds=settings.live_reserve_seconds),
        slow=timedelta(hours=settings.slow_hours),
        between=timedelta(seconds=settings.between_hands_seconds),
        lobby=timedelta(minutes=settings.lobby_minutes),
    )
