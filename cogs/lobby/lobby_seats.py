"""Taking a seat in a lobby: the replies to the player, and the start when all agree."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Self

import discord

from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import ChannelId, TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused, Unseen
from bot.interactions.answers import DONE, Reply
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.visit import Visit
from bot.localization import Localization
from bot.members import posting_permissions
from bot.members.admission import Admission
from bot.members.preferences import PreferenceCache
from bot.members.presence import Presence
from bot.rules.core.sentences import Illegal
from bot.runtime.tasks import SingleFlight
from bot.show.contests.lesson import offer, taught
from bot.show.hand.panel import PanelTab
from bot.show.kit.custom_ids import Press
from bot.show.kit.layout import Accent, private
from bot.show.lobby.menu import joined
from bot.show.rulebook.ruleset import BookRules
from bot.show.table.lobby import unrated
from bot.show.table.rule_card import terms
from bot.store.errors import StoreError
from bot.store.store import Store
from bot.table.core.chairs import people, rematch_seat, seat_of, without_agreement
from bot.table.core.commands import FillSeats, Join, Start
from bot.table.core.lobby import check_start
from bot.table.core.lobby_conditions import check_nobody_twice
from bot.table.environment import ShownTable
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies, confirm_unless_visible
from cogs.lobby.rematch_chain import RematchChain
from cogs.people.working_hours import SleepQuestion
from cogs.play.actions import REPLY_WAIT


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbySeats:
    """Gives players seats."""

    seat_replies: SeatReplies
    starting: TableStart
    hands: HandReplies
    store: Store
    chain: RematchChain
    delivery: TableDelivery
    presence: Presence
    now: Callable[[], datetime]

    async def join(self, visit: Visit, table: Table, edition: int) -> Reply:
        """Seat a player, at a rematch in the former seat, or in the next one if the seats rotate.

        A rematch begins with the last of the former players.
        """
        former = await self.chain.former(table.id)
        seat = seat_of(former.row.chairs, visit.user) if former else None
        wanted = 0 if seat is None else rematch_seat(seat, table.row.pace, table.row.seats)
        try:
            await table.do(Join(visit.user, visit.interaction.user.display_name, edition, wanted))
        except Unseen as unseen:
            return show_terms(visit, table, unseen)
        if await self.may_begin(table):
            return await self.start_rematch(visit, table)
        return await self.seat_replies.after_join(visit, table)

    async def start_rematch(self, click: Visit, table: Table) -> Reply:
        """Start a rematch after all players have agreed; show the last player the new hand."""
        await self._begin(click, table)
        return await self.show_new_hand(click, table)

    async def start_without_click(self, table: Table) -> None:
        """Start a rematch in its channel if it waits for no player any more."""
        if table.row.phase == "lobby" and await self.may_begin(table):
            with suppress(Refused, Illegal):  # the board shows that the table is still a lobby
                await self._begin(None, table)

    async def start_after_line(self, number: TableId) -> None:
        """Start a rematch that has waited for people in line, as `start_without_click`.

        Does nothing at other tables.
        """
        if await self.chain.is_rematch(number) and (table := await self.chain.find(number)) is not None:
            await self.start_without_click(table)

    async def _begin(self, click: Visit | None, table: Table) -> None:
        """Deal at a lobby for its host, with house players on the free seats.

        Raises Refused or Illegal. click: that of the last player to join, if any.
        """
        row = table.row
        try:
            if row.phase == "lobby":
                await self.starting.start(click, table, row.host, row.edition, filling=True)
        except (Refused, Illegal):
            self.delivery.changed(table)  # the board has to show that the table is still a lobby
            raise

    async def show_new_hand(self, click: Visit, table: Table) -> Reply:
        """Show a player's hand at a rematch, in place of the former hand."""
        await table.wait_until_idle(REPLY_WAIT)
        return await self.hands.hand(click, table, at=click.own, chosen=())

    async def may_begin(self, table: Table) -> bool:
        """Tell whether all former players have joined the rematch and agreed to its terms.

        At least two players wait neither for those who declined or left the server, nor for those on vacation. People
        in line who are asked to take a seat have their time to answer.
        """
        former, there = await self.chain.former(table.id), people(table.row.chairs)
        if former is None or not _is_agreed(table) or await self.delivery.seat_queue.promised(table):
            return False
        return set(people(former.row.chairs)) <= set(there) or (len(there) > 1 and not await self.expected(table))

    async def expected(self, table: ShownTable) -> int:
        """Return the number of former players for whom a rematch still waits."""
        former = await self.chain.former(table.id) if table.row.phase == "lobby" else None
        missing = set(people(former.row.chairs)) - set(people(table.row.chairs)) if former else set[UserId]()
        return len(missing - await self._absent(table, missing))

    async def _absent(self, table: ShownTable, users: set[UserId]) -> set[UserId]:
        """Return the users who will not come to a lobby.

        They declined, left the server, or are on vacation.
        """
        schedules, now = await self.store.people.work_schedules(users), self.now()
        absent = {user for user in users if schedules[user].is_on_vacation(now)} | await self.store.social.declined(
            table.id
        )
        return absent | await self.presence.gone(table.row.guild, users - absent)


def _is_agreed(table: Table) -> bool:
    return not without_agreement(table.row.chairs, table.row.edition)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReplies:
    """Builds the replies to players who have just taken a seat."""

    store: Store
    question: SleepQuestion
    delivery: TableDelivery
    localization: Localization

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the replies of a running bot."""
        return cls(
            store=parts.store,
            question=SleepQuestion.of(parts),
            delivery=parts.delivery,
            localization=parts.localization,
        )

    async def after_join(self, visit: Visit, table: Table) -> Reply:
        """Return the reply to a player who has just taken a seat.

        The reply is the question about sleep, or else the seat: with why the table is unrated, or with the offer of a
        lesson. The first hand will replace it.
        """
        if asked := await self.question.ask_once(visit, table):
            return asked
        scene, w = table.scene(visit.user), visit.w
        said = joined(scene, w, self.localization.server_name(scene.where.guild))
        new = unrated(scene, w) is None and await self._is_new(visit, table)
        view = offer(BookRules.of_scene(scene), w, *said) if new else private(Accent.LOBBY, *said)
        landed = partial(self.delivery.opened, table, scene, tab=PanelTab.UNDEALT)
        return Reply(view=view, at=visit.own, landed=landed)

    async def after_opening(self, visit: Visit, table: Table, text: str) -> Reply:
        """Return the reply to the host of a new table, who sees the hand on pressing Start.

        In order of precedence: the question about sleep, why the table is unrated, the offer of a lesson, or `text`
        for a host in another channel.
        """
        if asked := await self.question.ask_once(visit, table):
            return asked
        if why := unrated(table.scene(visit.user), visit.w):
            return Reply(text=why)
        reply = confirm_unless_visible(visit, table, text)
        if reply is DONE and await self._is_new(visit, table):
            return Reply(view=offer(BookRules.of_scene(table.scene(None)), visit.w))
        return reply

    async def _is_new(self, visit: Visit, table: Table) -> bool:
        """Tell whether a player gets the offer of a lesson, once for each game with lessons."""
        if not taught(BookRules.of_scene(table.scene(None))):
            return False
        return await self.store.social.offer_lesson(visit.user, table.row.guild, table.row.game)


def show_terms(visit: Visit, table: Table, unseen: Unseen | None = None, at: PrivateMessage | None = None) -> Reply:
    """Show the terms of a table, and why a click did not count as agreement."""
    notice = visit.w(unseen.sentence, **unseen.values) if unseen else None
    return Reply(view=terms(table.scene(visit.user), visit.w, notice), at=at)


LOST_ACCESS = N_(
    "{names} can't see this channel any more and left the table. Fill the free seats, then press Start again."
)
NO_PRIVATE_THREAD = N_(
    "Discord didn't let me open a private thread just now, so nothing has started. Press Start again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStart:
    """Starts tables; simultaneous clicks on Start start a table once."""

    client: discord.Client
    admission: Admission
    preferences: PreferenceCache
    delivery: TableDelivery
    _starts: SingleFlight[ChannelId | None] = field(default_factory=lambda: SingleFlight("start of table"))

    async def start(self, click: Visit | None, table: Table, host: UserId, edition: int, *, filling: bool) -> None:
        """Start a match for the host. Raises Refused, or Unseen if the terms have changed.

        click: opens a thread for the match, if possible; without one, the match stays in the lobby's channel.
        edition: the edition of the terms that the host has seen. filling: whether house players take the free seats.
        """
        await self._starts.do(table.id, partial(self._deal, click, table, host, edition, filling=filling))

    async def _deal(
        self, click: Visit | None, table: Table, host: UserId, edition: int, *, filling: bool
    ) -> ChannelId | None:
        """Start a match for the host; return its thread, if any.

        edition, filling: as for start. The lobby links to the thread.
        """
        await table.check(check_start, host, edition, filling=filling)
        if blind := await self.admission.free_seats_without_access(table):
            raise Refused(LOST_ACCESS, names=blind)
        if filling:
            await table.do(FillSeats(host, (await self.preferences.of(host)).level))
        if table.row.duplicate_id is not None:
            return await self._deal_in_private(table, host, edition)
        thread = await self._open_thread(click, table) if click else None
        await table.do(Start(host, thread, edition))
        return thread

    async def _deal_in_private(self, table: Table, host: UserId, edition: int) -> ChannelId:
        """Start a match in a private thread and return the thread.

        The thread is removed again if the match cannot begin: the deals are for their players alone.
        """
        await table.check(check_nobody_twice)
        where = self.client.get_channel(table.row.home)
        posting_permissions.check_private(where)
        assert isinstance(where, discord.TextChannel)
        opened = await self.delivery.threads.open_private(table, where)
        if opened is None:
            raise Refused(NO_PRIVATE_THREAD)
        thread, removal = opened
        try:
            await table.do(Start(host, thread, edition, removal.key))
        except StoreError:
            raise  # the match may have begun; else the next start uses the thread
        except Exception:
            await self.delivery.threads.abandon(table, removal)
            raise
        return thread

    async def _open_thread(self, click: Visit, table: Table) -> ChannelId | None:
        """Open a thread under the lobby; None if the bot may not, or Discord fails.

        Also None if the click was not on a board of this table, as another match may be played in the channel. A
        board that has just been replaced counts.
        """
        channel, board = click.interaction.channel, table.row.message
        if board is None or not isinstance(channel, discord.TextChannel) or not _is_on_board(click, table):
            return None
        may = click.interaction.app_permissions
        if not (table.scene(None).terms.server.threads and posting_permissions.may_open_thread(channel, may)):
            return None
        thread = await self.delivery.threads.opened(table, channel, board)
        if thread is None and table.row.message not in (None, board):  # the board has been replaced meanwhile
            thread = await self.delivery.threads.opened(table, channel, table.row.message)
        return thread


def _is_on_board(click: Visit, table: Table) -> bool:
    """Tell whether the click was on a board of this table, current or just replaced."""
    message, address = click.interaction.message, click.address
    if message is None or message.flags.ephemeral or message.content or message.channel.id != table.row.home:
        return False
    return isinstance(address, Press) and address.table == table.id
