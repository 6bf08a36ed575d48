"""The effects of tables: what each kind does on Discord."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import discord

from bot.delivery.boards.boards import Boards
from bot.delivery.boards.match_threads import MatchThreads
from bot.delivery.context import DeliveryContext
from bot.delivery.notifications.announcements import ScoresheetPoster
from bot.delivery.notifications.awaited_players import uses_notices
from bot.delivery.notifications.spectator_messages import SpectatorNotifier
from bot.delivery.notifications.turn_pings import Pings
from bot.delivery.outbox.coalescing import CoalescedWork
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.effect_runner import AttemptResult, EffectHandlers, EffectRunner
from bot.delivery.outbox.outbox import MessageDeleter, Outbox, text_message
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.effects import (
    Announcement,
    DealCall,
    Invitation,
    MessageDeletion,
    PendingEffect,
    Redraw,
    Reminder,
    ScoresheetUpdate,
    ShutOutNotice,
    Signpost,
    ThreadOpening,
    ThreadRemoval,
    Vacancy,
    WatcherCall,
)
from bot.domain.ids import TableId
from bot.show.kit.phrases import person
from bot.show.kit.phrases import table as table_name
from bot.show.kit.words import MessageText, mention
from bot.show.lobby.menu import invitation
from bot.show.matches.replay import spoken_of
from bot.show.table.notices import back_row, invitation_row, join_row, rematch_call_row, rematch_row
from bot.table.core.chairs import seat_of
from bot.table.core.commands import Vacate
from bot.table.environment import ShownTable

HOUSE_PLAY_WAIT = 0.5  # seconds that screens and pings wait for house players about to act


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEffects:
    """Performs the effects of changes of tables.

    find: loads a table. ping_rounds: updates the pings of a table.
    """

    effects: EffectRunner
    context: DeliveryContext
    queue: WriteQueue
    outbox: Outbox
    boards: Boards
    ping_rounds: CoalescedWork
    pings: Pings
    threads: MatchThreads
    spectators: SpectatorNotifier
    scoresheets: ScoresheetPoster
    find: Callable[[TableId], Awaitable[ShownTable]]

    def register(self, effect_handlers: EffectHandlers) -> None:
        """Register the function for each kind of effect."""
        effect_handlers.on(Announcement, self._announce)
        effect_handlers.on(MessageDeletion, MessageDeleter(self.context.client, self.queue).delete)
        effect_handlers.on(Redraw, self._redraw)
        effect_handlers.on(DealCall, self._call_for_deal)
        effect_handlers.on(Reminder, self._remind)
        effect_handlers.on(Invitation, self._invite)
        effect_handlers.on(WatcherCall, self._call_watchers)
        effect_handlers.on(ShutOutNotice, self._bring_back)
        effect_handlers.on(ScoresheetUpdate, self._update_scoresheet)
        effect_handlers.on(Signpost, self._point)
        effect_handlers.on(ThreadOpening, self._open_thread)
        effect_handlers.on(ThreadRemoval, self._remove_thread)
        effect_handlers.on(Vacancy, self._go_on_without)

    async def _table(self, pending: PendingEffect) -> ShownTable:
        assert pending.table is not None
        return await self.find(pending.table)

    async def _announce(self, effect: Announcement, pending: PendingEffect) -> None:
        scene = (await self._table(pending)).scene(None)
        if not self.context.may_write(scene.where.home):
            return
        w, values = self.context.words_for_table(scene), dict[str, object](effect.values)
        if effect.channel is not None:
            values["channel"] = mention(effect.channel)
        if effect.reason:
            values["reason"] = spoken_of(effect.reason)
        values["people"] = [person(user, w) for user in effect.called]
        people = [discord.Object(user) for user in effect.called]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=people or False)
        text = w(effect.sentence, table=table_name(scene, w), **values)
        target = self.context.client.get_partial_messageable(scene.where.home)
        below = rematch_call_row(scene, w) if effect.to_rematch else rematch_row(scene, w)
        if effect.back and below is None:
            below = back_row(scene, w)
        message = text_message(pending.key, pending.guild, target, text, mentions=mentions, below=below)
        await self.queue.do(channel(scene.where.home), partial(self.outbox.send, message))

    async def _redraw(self, effect: Redraw, pending: PendingEffect) -> AttemptResult | None:
        """Redraw a board and ping the awaited players; done only after no ping is pending."""
        table = await self._table(pending)
        table.resume_play()
        if table.row.solo:
            return None  # a solo table has neither board nor pings
        if effect.anew:
            self.boards.repost(table)

        def shown() -> None:
            self.ping_rounds.when_done(table, partial(self.effects.end, pending))

        self.boards.when_shown(table, shown)
        return AttemptResult.LATER

    async def _go_on_without(self, effect: Vacancy, pending: PendingEffect) -> None:
        """Apply a player's departure to the deadline and the vote of the remaining players."""
        await (await self._table(pending)).do(Vacate(effect.seat, effect.vote))

    async def _call_for_deal(self, effect: DealCall, pending: PendingEffect) -> AttemptResult:
        """Ping the players who do not see their first hand; done after the next round of pings."""
        table = await self._table(pending)
        await self.pings.expect_deal(table, partial(self.effects.end, pending))
        await table.wait_until_idle(HOUSE_PLAY_WAIT)  # as screens do
        self.ping_rounds.schedule(table)
        return AttemptResult.LATER

    async def _remind(self, effect: Reminder, pending: PendingEffect) -> None:
        """Remind the awaited players of the deadline, or the host in a lobby.

        Players of slow matches get notices instead: see slow_table_notices.
        """
        table = await self._table(pending)
        scene = table.scene(None)
        if scene.stage == "lobby":
            await self.pings.remind_host(table, pending.key)
        elif uses_notices(scene):
            self.ping_rounds.schedule(table)
        elif scene.moment == effect.moment:
            await self.pings.remind(table)

    async def _invite(self, effect: Invitation, pending: PendingEffect) -> None:
        table = await self._table(pending)
        scene, seat = table.scene(None), seat_of(table.row.chairs, effect.by)
        if seat is None:
            return
        w = self.context.words_for_table(scene)
        whom = [person(user, w) for user in effect.users] + ([MessageText(f"<@&{effect.role}>")] if effect.role else [])
        text = invitation(scene, seat, " ".join(whom), w)
        below = join_row(scene, w) if effect.role else invitation_row(scene, w)
        await self.pings.invite(table, text, effect.users, pending.key, below=below, role=effect.role)

    async def _call_watchers(self, effect: WatcherCall, pending: PendingEffect) -> None:
        await self.spectators.ping_spectators(await self._table(pending), effect, pending.key)

    async def _bring_back(self, effect: ShutOutNotice, pending: PendingEffect) -> None:
        table = await self._table(pending)
        late = table.row.deadline
        if (
            late and late.shut_out and not late.remind_at and effect.user in table.state.missing
        ):  # effects may run hours later: check again
            await self.threads.announce_lost_access(table, effect.user, pending.key)

    async def _update_scoresheet(self, _effect: ScoresheetUpdate, pending: PendingEffect) -> None:
        await self.scoresheets.show(await self._table(pending))

    async def _point(self, effect: Signpost, pending: PendingEffect) -> None:
        await self.threads.point(await self._table(pending), effect)

    async def _open_thread(self, effect: ThreadOpening, pending: PendingEffect) -> None:
        table = await self._table(pending)
        if table.row.home == effect.thread:
            await self.threads.add_players(table, effect.thread, pending.key)

    async def _remove_thread(self, effect: ThreadRemoval, pending: PendingEffect) -> AttemptResult | None:
        """Delete the thread of an interrupted start, unless the table is still a lobby.

        A lobby's next start reuses the thread.
        """
        table = await self._table(pending)
        if table.row.phase == "lobby":
            return AttemptResult.NOT_YET
        await self.threads.undo(table, effect.thread)
        return None
