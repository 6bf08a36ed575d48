"""Everything that a table shows on Discord: board, pings, private hands, notices.

Tables call it after a change has been saved. Calls return at once, and Discord's errors stay here.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from bot.delivery.boards.boards import Boards
from bot.delivery.boards.match_threads import MatchThreads
from bot.delivery.boards.picks import Picks
from bot.delivery.context import Audience, DeliveryContext
from bot.delivery.notifications.announcements import ScoresheetPoster
from bot.delivery.notifications.direct_messages import DirectMessages, SuspensionNotifier
from bot.delivery.notifications.notice_messages import HandSender, NoticeSender
from bot.delivery.notifications.private_threads import PrivateThreads
from bot.delivery.notifications.seat_queue import SeatQueue
from bot.delivery.notifications.slow_table_notices import NoticeScheduler
from bot.delivery.notifications.spectator_messages import SpectatorNotifier
from bot.delivery.notifications.turn_pings import Pings
from bot.delivery.outbox.coalescing import CoalescedWork
from bot.delivery.outbox.discord_limits import Rate, channel
from bot.delivery.outbox.effect_runner import EffectHandlers, EffectRunner
from bot.delivery.outbox.outbox import Outbox, screen_message
from bot.delivery.outbox.write_queue import WriteQueue
from bot.delivery.panels.hand_panels import Desks, HandPanels
from bot.delivery.panels.open_hands import OpenHand, OpenHands, PanelExpiry
from bot.delivery.startup_sweep import StartupSweep
from bot.delivery.table_effects import HOUSE_PLAY_WAIT, TableEffects
from bot.domain.effects import PendingEffect, board_key
from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.interactions.private_replies import PrivateMessage
from bot.members.preferences import PreferenceCache
from bot.runtime.discord_requests import UNREACHED
from bot.runtime.tasks import RunningTasks
from bot.scene import Scene
from bot.show.hand.panel import PanelTab
from bot.show.kit.layout import PublicScreen
from bot.store.store import Store
from bot.table.core.commands import AccessFound, Suspend
from bot.table.environment import ShownTable
from bot.table.registry import TableRegistry

log = logging.getLogger(__name__)
T = TypeVar("T")

MEMBERSHIP_RATE = Rate(10, 1.0)  # queries of membership before pings


class TableDelivery:
    """Publishes all tables on Discord.

    audience: checks membership and access. effect_handlers: the handlers of effects without a table. find: loads a
    table. mine: whether this process has a server. is_answering: whether a click on a private message is being
    answered.
    """

    def __init__(
        self,
        *,
        context: DeliveryContext,
        queue: WriteQueue,
        store: Store,
        preferences: PreferenceCache,
        audience: Audience,
        effect_handlers: EffectHandlers,
        find: Callable[[TableId], Awaitable[ShownTable]],
        mine: Callable[[GuildId], bool],
        is_answering: Callable[[int], bool],
    ) -> None:
        self._context, self.queue, self._store = context, queue, store
        self._preferences, self._audience, self._find = preferences, audience, find
        self._background_tasks = RunningTasks()
        self._stopped = False
        self._make_panels(is_answering)
        self._make_outbox(effect_handlers, mine)
        self._make_boards()
        self._make_pings()
        self._make_notices()
        self._register_effects(effect_handlers)

    def _make_panels(self, is_answering: Callable[[int], bool]) -> None:
        """Make the parts about private hands and desks."""
        self.hands = OpenHands(self._context.now, self._context.sender)
        self.picks = Picks()
        self.desks = Desks()
        self._panels = HandPanels(
            hands=self.hands,
            picks=self.picks,
            desks=self.desks,
            context=self._context,
            preferences=self._preferences,
            audience=self._audience,
            is_answering=is_answering,
        )
        self._panel_expiry = PanelExpiry(
            self.hands, self._context.now, self._panels.draw_expired, self.run_in_background
        )

    def _make_outbox(self, effect_handlers: EffectHandlers, mine: Callable[[GuildId], bool]) -> None:
        """Make the outbox with its effects, and the direct messages."""
        context, store = self._context, self._store
        self.effects = EffectRunner(
            outbox=store.outbox,
            effect_handlers=effect_handlers,
            now=context.now,
            mine=mine,
            run_in_background=self.run_in_background,
        )
        self.outbox = Outbox(
            client=context.client, rows=store.outbox, now=context.now, may_read=context.may_read, effects=self.effects
        )
        self.direct_messages = DirectMessages(context, self.queue, self.outbox, store)

    def _make_boards(self) -> None:
        """Make the boards, the match threads, and the coalesced updates of tables."""
        self.boards = Boards(self._context, self.queue, self.outbox)
        self.threads = MatchThreads(self._context, self.queue, self.outbox, self.effects)
        self._screen_updates = CoalescedWork(self._update_screens, "screens")
        self._ping_updates = CoalescedWork(self._update_pings, "calls")

    def _make_pings(self) -> None:
        """Make the messages that call a player or a spectator at once."""
        context, store, perform = self._context, self._store, self.effects.perform
        self._hand_sender = HandSender(context, self.direct_messages, self._preferences, self._audience.may_have_hand)
        self.pings = Pings(
            context=context,
            queue=self.queue,
            outbox=self.outbox,
            effects=self.effects,
            pings=store.pings,
            send_hand=self._hand_sender.send,
            is_here=self._is_here,
            sees_hand=self._sees_hand,
            on_ping=self.boards.redraw_after_ping,
        )
        self.seat_queue = SeatQueue(
            rows=store.seat_queue,
            pings=self.pings,
            now=context.now,
            find=self._find,
            perform=perform,
            run_in_background=self.run_in_background,
            changed=self._ping_updates.schedule,
        )
        self.spectators = SpectatorNotifier(
            context=context,
            watchers=store.watchers,
            pings=self.pings,
            seat_queue=self.seat_queue,
            sees=self._audience.sees,
            perform=perform,
        )

    def _make_notices(self) -> None:
        """Make the notices of slow tables and of suspended tables."""
        context, store = self._context, self._store
        private_threads = PrivateThreads(context, self.queue, store.private_threads)
        notice_sender = NoticeSender(
            context=context,
            queue=self.queue,
            outbox=self.outbox,
            direct_messages=self.direct_messages,
            private_threads=private_threads,
            allowed=self._audience.may_have_hand,
            on_desk=self.desks.add,
            is_open=self.hands.in_message,
        )
        self.notice_scheduler = NoticeScheduler(
            context=context,
            store=store,
            preferences=self._preferences,
            notice_sender=notice_sender,
            private_threads=private_threads,
            seen=self.pings.seen,
            is_here=self._is_here,
            run_in_background=self.run_in_background,
            perform=self.effects.perform,
        )
        self._suspensions = SuspensionNotifier(context, self.direct_messages, self._preferences, store.notices)

    def _register_effects(self, effect_handlers: EffectHandlers) -> None:
        """Register the handlers of the effects that a table's decision can have."""
        TableEffects(
            effects=self.effects,
            context=self._context,
            queue=self.queue,
            outbox=self.outbox,
            boards=self.boards,
            ping_rounds=self._ping_updates,
            pings=self.pings,
            threads=self.threads,
            spectators=self.spectators,
            scoresheets=ScoresheetPoster(self._context, self.queue, self.outbox, self._store),
            find=self._find,
        ).register(effect_handlers)

    def changed(self, table: ShownTable) -> None:
        """Redraw a table's board and open hands, and ping the awaited players.

        Changes are coalesced: one round of updates for each table, then one more for everything that changed meanwhile.
        `_update_screens` redraws the board (`Boards.changed` in `bot/delivery/boards/boards.py`); `_update_pings` sends
        and deletes pings (`Pings.update` in `bot/delivery/notifications/turn_pings.py`). A solo table has no pings,
        because its only player is looking at it.
        """
        if not table.row.solo:
            self.pings.observe(table, table.scene(None))
        self._screen_updates.schedule(table)

    def perform(self, effects: Iterable[PendingEffect], *, doubtful: bool = False) -> None:
        """Start the effects of a change. doubtful: whether the commit is uncertain."""
        self.effects.perform(effects, doubtful=doubtful)

    async def rights_changed(self, guild: GuildId, tables: TableRegistry, shut: ChannelId | None = None) -> None:
        """Suspend or resume the tables of a server after a change of permissions.

        Showing a table does both. shut: a channel or thread known to be closed to the bot, about which Discord sends
        no more events.
        """
        for table_home in await self._store.tables.homes(guild):
            if table_home.home == shut:
                await (await tables.get(table_home.table)).do(Suspend())
            elif table_home.suspended == self._context.may_write(table_home.home):
                self.changed(await tables.get(table_home.table))

    def clicked(self, table: TableId, user: UserId) -> None:
        """Note a click or command of a user at a table, as a sign of attention."""
        self.pings.note_attention(table, user)
        self.boards.prioritize(table)

    def sees(self, scene: Scene) -> None:
        """Note that the viewer is about to see a scene, so an open hand need not be redrawn."""
        self.hands.drawn(scene)
        if scene.viewer is not None:
            self.pings.note_attention(scene.where.table, scene.viewer)

    def notify_suspension(self, table: ShownTable) -> None:
        """Notify the players of a suspension directly, and stop pings."""
        self._ping_updates.schedule(table)

    def check_access(self, table: ShownTable, user: UserId) -> None:
        """Check a player's access to a table and report it to the table, unless Discord fails."""
        self.run_in_background(self._check_access(table, user))

    async def watch(self, table: ShownTable, user: UserId) -> None:
        """Subscribe a spectator to a table's events. Raises LimitReached."""
        await self.spectators.begin(table, user)
        self._ping_updates.schedule(table)  # for events during the subscription

    async def post(self, pending: PendingEffect, home: ChannelId, shown: PublicScreen) -> None:
        """Post the screen of an effect in a channel. Raises the errors in UNREACHED, StoreError."""
        target = self._context.client.get_partial_messageable(home)
        message = replace(screen_message("post", pending.guild, target, shown, self._context.sender), key=pending.key)
        await self.queue.do(channel(home), partial(self.outbox.send, message), urgent=True)

    async def sweep(self, tables: Iterable[ShownTable], before: datetime) -> None:
        """Delete messages sent before a stop without a record; in the background."""
        sent = await self.outbox.unanswered()
        homes = defaultdict[ChannelId, list[ShownTable]](list)
        for table in (table for table in tables if not table.row.solo):
            if board_key(table.id) in sent:
                self.boards.repost(table)
            for home in (table.row.home, *await self.notice_scheduler.apart(table)):
                homes[home].append(table)
        for home, here in homes.items():
            callers = self.pings, self.notice_scheduler
            StartupSweep(
                context=self._context,
                queue=self.queue,
                outbox=self.outbox,
                effects=self.effects,
                callers=callers,
                home=home,
                tables=tuple(here),
                before=before,
            ).schedule()

    def opened(
        self, table: ShownTable, scene: Scene, message: PrivateMessage | None, tab: PanelTab = PanelTab.HAND
    ) -> None:
        """Register a private hand sent to a player.

        message: the handle for edits; None for a failed delivery. tab: the hand, or the screen in its place.
        """
        if message is None:
            self.hands.lost(scene)
            return
        for former in self.hands.opened(scene, message, tab):
            self.run_in_background(_delete_outdated(former))
        self._panel_expiry.watch()
        if scene.viewer is not None and table.scene(scene.viewer) is not scene:
            self._screen_updates.schedule(table)

    def drop_cached(self, is_included: Callable[[GuildId], bool]) -> None:
        """Forget the tables on servers that now belong to another process."""
        self.effects.drop_cached(is_included)
        self.pings.drop_cached(is_included)
        self.drop_rows(is_included)

    def drop_rows(self, is_included: Callable[[GuildId], bool]) -> None:
        """Forget copies of rows of these servers, which another process may have changed."""
        self.pings.drop_rows()
        self.spectators.forget_all()
        self.seat_queue.drop_cached(is_included)

    def forget(self, user: UserId) -> None:
        """Drop cached data of a person whom the store has deleted."""
        self.pings.forget_person(user)
        self.spectators.forget_all()
        self.hands.forget(user)
        self.picks.forget_person(user)

    def stop(self) -> None:
        """Stop all delivery."""
        self._stopped = True
        self.effects.stop()
        self.queue.stop()
        self.boards.stop()
        self._screen_updates.stop()
        self._ping_updates.stop()
        self._panel_expiry.stop()
        self._background_tasks.stop()

    async def ended(self) -> None:
        """Wait until cancelled work has ended."""
        for part in (self._screen_updates, self._ping_updates, self._background_tasks, self.queue):
            await part.ended()

    async def send_last_updates(self, is_included: Callable[[GuildId], bool] = lambda _guild: True) -> None:
        """Send pending updates of these servers, and expire their open hands.

        No later run can edit the hands. A hand with picked cards stays, as the next run reads the picks from its
        buttons.
        """

        def stays(hand: OpenHand) -> bool:
            return not is_included(hand.shown.where.guild) or (
                hand.tab is PanelTab.HAND and bool(self.picks.of(hand.shown))
            )

        await self._screen_updates.settled()  # a panel being drawn decides which menus an expired one retains
        await self._panel_expiry.expire_all_except(stays)
        await self.settled()

    async def settled(self) -> None:
        """Wait until all updates due now are sent."""
        while self._screen_updates.busy or self._ping_updates.busy or self._background_tasks.busy or self.queue.busy:
            await self._screen_updates.settled()
            await self._ping_updates.settled()
            await self._background_tasks.ended()
            await self.queue.settled()

    async def _update_screens(self, table: ShownTable) -> None:
        """Update the board and the open hands, once house players have acted."""
        await table.wait_until_idle(HOUSE_PLAY_WAIT)
        if not table.row.solo:
            self.boards.changed(table)
            self._ping_updates.schedule(table)
        users = self.hands.editable(table.id)
        waits = [await self._panels.refresh(table, user) for user in users if user is not None]
        if any(waits):
            self._screen_updates.schedule_in(table, min(filter(None, waits)))
        self._panel_expiry.watch()  # for hands that have just replaced something from before the deal

    async def _is_here(self, table: ShownTable, user: UserId) -> bool:
        return await self._query_members(table, partial(self._audience.is_here, table, user))

    async def _sees_hand(self, table: ShownTable, user: UserId) -> bool:
        """Tell whether a player sees the hand without a ping.

        The hand is open on the screen, or follows by direct message.
        """
        return user in self.hands.editable(table.id) or await self._hand_sender.is_wanted(table, user)

    async def _check_access(self, table: ShownTable, user: UserId) -> None:
        shut_out = await self._query_members(table, partial(self._audience.is_shut_out, table, user))
        if shut_out is not None:
            await table.do(AccessFound(user, lost=shut_out))

    async def _query_members(self, table: ShownTable, work: Callable[[], Awaitable[T]]) -> T:
        """Run a query about a server's members within its rate limit."""
        return await self.queue.do(f"/guilds/{table.row.guild}/members", work, rate=MEMBERSHIP_RATE)

    async def _update_pings(self, table: ShownTable) -> None:
        """Ping or notify the awaited players, now or at the due time.

        The pings of players who have acted are deleted.
        """
        scene = table.scene(None)
        if scene.terms.pace.slow:
            await self.notice_scheduler.update(table, scene)
        if at := await self.pings.update(table, scene):
            self._ping_updates.schedule_in(table, max((at - self._context.now()).total_seconds(), 0.0))
        if table.id not in self.seat_queue.empty:
            await self.seat_queue.update(table)
        if table.id not in self.spectators.unwatched:
            await self.spectators.update(table, scene)  # a seat may be promised to a person in line by now
        if not scene.open:
            self.seat_queue.empty.discard(table.id)
            self.pings.forget(table.id)
            self.spectators.forget(table.id)
        await self._suspensions.update(table, scene)

    def run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background, unless delivery is stopped; log its errors."""
        if self._stopped:
            work.close()
            return
        self._background_tasks.begin(self._guarded(work))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("Background work of delivery failed")


async def _delete_outdated(message: PrivateMessage) -> None:
    """Delete an outdated private message; if Discord refuses, it has expired already."""
    try:
        await message.delete()
    except UNREACHED as error:
        log.info("A private message stays: %s", error)
