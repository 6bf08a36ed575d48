"""Rematches: a further table by the same rules for the same players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from discord.ext import commands

from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import Announcement, PendingEffect, pending_effect
from bot.domain.ids import TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import NO_TABLE, Refused
from bot.interactions.answers import REACH_FIRST, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.members import posting_permissions
from bot.members.admission import NO_TABLE_HERE, Admission
from bot.members.venues import Venue
from bot.rules.core.sentences import Illegal
from bot.runtime.tasks import SingleFlight
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.phrases import table as table_name
from bot.show.kit.words import mention
from bot.store.store import Store
from bot.table.core.chairs import SEATED, Chairs, own_house_players, own_seat, people, rematch_seat, seat_of
from bot.table.core.lobby import check_lobby
from bot.table.registry import TableRequest
from bot.table.table import Table
from bot.wiring import Parts
from cogs.lobby.lobby_seats import LobbySeats, show_terms
from cogs.lobby.opening import TableOpening, host_of
from cogs.lobby.rematch_chain import RematchChain, former_key, rematch_key

REMATCH = N_("{name} wants a rematch: join in {channel}.")
NOT_CALLED = N_("You weren't asked, so there's nothing to turn down.")
ELSEWHERE = N_("The rematch is on: {table} in {channel}.")


@dataclass(kw_only=True, eq=False, repr=False)
class RematchesCog(commands.Cog):
    """Opens rematches and seats players."""

    opening: TableOpening
    seats: LobbySeats
    chain: RematchChain
    store: Store
    dispatcher: Dispatcher
    venue: Venue
    admission: Admission
    delivery: TableDelivery
    now: Callable[[], datetime]

    @classmethod
    def of(cls, parts: Parts, opening: TableOpening, seats: LobbySeats, chain: RematchChain) -> Self:
        """Return the cog of a running bot."""
        return cls(
            opening=opening,
            seats=seats,
            chain=chain,
            store=parts.store,
            dispatcher=parts.dispatcher,
            venue=parts.venue,
            admission=parts.admission,
            delivery=parts.delivery,
            now=parts.now,
        )

    def __post_init__(self) -> None:
        self._rematches = SingleFlight[Table]("rematch after table")
        self.dispatcher.register(Press, Verb.DECLINE, Handler(self.decline))
        self.dispatcher.register(
            Press, Verb.REMATCH, Handler(self.rematch, REACH_FIRST)
        )  # the player has to learn of the seat

    async def rematch(self, click: Visit) -> Reply:
        """Open or join the rematch of a finished match; without human opponents, start it at once."""
        table = click.table
        if table.stage != "over":
            raise Refused("This match isn't over yet.")
        own_seat(table.row.chairs, click.user)
        if click.guild != table.row.guild:
            raise Refused(NO_TABLE_HERE)
        self.venue.check(click.interaction, table.row.channel)
        again, opened = await self._open_rematch(click, table)
        if await self.delivery.seat_queue.length(table.id):  # a stop came between the opening and the move
            await self.delivery.seat_queue.move(table.id, again)
        if not opened:
            return await self._at_rematch(click, table, again)
        if set(people(table.row.chairs)) <= {click.user} and not await self.delivery.seat_queue.length(again.id):
            return await self.seats.start_rematch(click, again)
        self.delivery.changed(again)
        return await self.seats.seat_replies.after_join(click, again)

    async def decline(self, click: Visit) -> Reply:
        """Turn an invitation or a rematch down.

        Only the host sees it, and nobody waits for this user.
        """
        lobby = await self._lobby_called_to(click.table, click.user)
        await lobby.check(check_lobby)
        if seat_of(lobby.row.chairs, click.user) is not None:
            raise Refused(SEATED)
        await self.store.social.decline(lobby.id, click.user, self.now())
        await self.delivery.seat_queue.follow_up(lobby)  # the seat is free for the line, or the rematch begins
        return Reply(text=click.w("OK. Only the host sees it."))

    async def _lobby_called_to(self, table: Table, user: UserId) -> Table:
        """Return the lobby to which a user was called by this table's message.

        Raises Refused for other users.
        """
        if table.stage == "over":
            called, lobby = seat_of(table.row.chairs, user) is not None, await self.chain.open_after(table.id)
        else:
            called, lobby = await self.store.social.is_invited(table.id, user), table
        if not called:
            raise Refused(NOT_CALLED)
        if lobby is None:
            raise Refused(NO_TABLE)
        return lobby

    async def _open_rematch(self, click: Visit, table: Table) -> tuple[Table, bool]:
        """Return the open rematch of a table, and whether this click opened it.

        Raises the reason if this click cannot open one.
        """
        led = opened = False

        async def open_one() -> Table:
            nonlocal led, opened
            led, latest = True, await self.chain.latest(table.id)
            known = await self.chain.open_after(latest)
            opened = known is None
            return known or await self._again(click, table, latest)

        while True:
            try:
                again = await self._rematches.do(await self.chain.latest(table.id), open_one)
            except (Refused, Illegal):
                if led:  # otherwise another player was refused, who may have opened too many tables
                    raise
            else:
                return again, opened

    async def _at_rematch(self, visit: Visit, table: Table, again: Table) -> Reply:
        """Seat a player at the open rematch; during the match, show the hand or its channel.

        The rematch may have moved. If the lobby's terms have changed, they are shown first.
        """
        await self.admission.check(visit.interaction, again)
        sits = seat_of(again.row.chairs, visit.user) is not None
        if again.row.phase != "lobby":
            return await self.seats.show_new_hand(visit, again) if sits else self._elsewhere(visit, again)
        if sits and await self.seats.may_begin(again):
            return await self.seats.start_rematch(visit, again)
        if (again.ruleset, again.row.pace) != (table.ruleset, table.row.pace):
            return show_terms(visit, again)
        return await self.seats.join(visit, again, again.row.edition)

    def _elsewhere(self, visit: Visit, table: Table) -> Reply:
        """Tell a viewer without a seat the channel of the rematch."""
        w, scene = visit.w, table.scene(None)
        return Reply(text=w(ELSEWHERE, table=table_name(scene, w), channel=mention(scene.where.home)))

    async def _again(self, visit: Visit, table: Table, latest: TableId) -> Table:
        """Open the rematch of a table. latest: the last table of the chain so far."""
        row = table.row
        await posting_permissions.check_elsewhere(visit.interaction.guild, row.channel)
        wish = TableRequest(table.ruleset, row.pace)
        seat = rematch_seat(own_seat(row.chairs, visit.user), row.pace, row.seats)
        host = replace(host_of(visit, channel=row.channel), seat=seat)
        again = await self.opening.open_lobby(host, wish, await self._house_players(table))
        await self.store.notes.remember(former_key(again.id), str(table.id))
        calls = self._calls_to_rematch(visit.user, table, again)
        await self.store.notes.remember(rematch_key(latest), str(again.id), calls)
        self.delivery.perform(calls)
        for before in {table.id, latest}:
            await self.delivery.seat_queue.move(before, again)
        return again

    async def _house_players(self, table: Table) -> Chairs:
        """Return the house players of a rematch.

        They are those of the table, fewer by the number of people in line.
        """
        row = table.row
        chairs = tuple(
            replace(chair, seat=rematch_seat(chair.seat, row.pace, row.seats))
            for chair in own_house_players(row.chairs)
        )
        return chairs[: max(len(chairs) - await self.delivery.seat_queue.length(table.id), 0)]

    def _calls_to_rematch(self, user: UserId, table: Table, again: Table) -> list[PendingEffect]:
        """Return the announcement to the other former players, if any."""
        row = table.row
        if set(people(row.chairs)) <= {user}:
            return []
        name = row.chairs[own_seat(row.chairs, user)].name
        news = Announcement(REMATCH, values={"name": name}, users=(user,), channel=again.row.home, to_rematch=True)
        return [pending_effect(news, row.guild, row.id, self.now())]
