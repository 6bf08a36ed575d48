"""The ways in for a person without a seat at a table.

They are the line for a free seat, and what is offered beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Self

from discord.ext import commands

from bot.delivery.outbox.effect_runner import EffectHandlers
from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import PendingEffect, SeatCall
from bot.domain.ids import UserId
from bot.domain.refusals import Limit, Outside, Refused
from bot.interactions.answers import REACH_FIRST, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.members.presence import Presence
from bot.show.kit.custom_ids import Press, Verb
from bot.show.table.outside import in_line, out_of_line, outside
from bot.store.store import Store
from bot.table.core.chairs import seat_of
from bot.table.core.commands import Substitute
from bot.table.core.waiting import CLOSED, check_may_wait, free_seats
from bot.table.registry import TableRegistry
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies
from cogs.lobby.lobby_seats import LobbySeats, show_terms
from cogs.lobby.rematch_chain import RematchChain

PLACES = Limit("place in line", 5, timedelta(minutes=10))  # per user; each may ping a user in the channel


@dataclass(kw_only=True, eq=False, repr=False)
class SeatQueueCog(commands.Cog):
    """The line for a free seat."""

    seats: LobbySeats
    chain: RematchChain
    hands: HandReplies
    dispatcher: Dispatcher
    effect_handlers: EffectHandlers
    presence: Presence
    store: Store
    tables: TableRegistry
    delivery: TableDelivery

    @classmethod
    def of(cls, parts: Parts, seats: LobbySeats, chain: RematchChain) -> Self:
        """Return the cog of a running bot."""
        return cls(
            seats=seats,
            chain=chain,
            hands=HandReplies.of(parts),
            dispatcher=parts.dispatcher,
            effect_handlers=parts.effect_handlers,
            presence=parts.presence,
            store=parts.store,
            tables=parts.tables,
            delivery=parts.delivery,
        )

    def __post_init__(self) -> None:
        self.dispatcher.register(Press, Verb.WAIT_FOR_SEAT, Handler(self.wait))
        self.dispatcher.register(Press, Verb.TAKE_SEAT, Handler(self.take, REACH_FIRST))
        self.dispatcher.for_outsiders = self.show_ways_in
        self.effect_handlers.on(SeatCall, self._call)

    async def show_ways_in(self, click: Visit) -> Reply:
        """Show the actions open to a user without a seat."""
        table, delivery = click.table, self.delivery
        if table.row.phase == "closed":
            return Reply(text=click.w(CLOSED))
        again = await self.chain.open_after(table.id) if table.stage == "over" else None
        there = again or table
        waits = await delivery.seat_queue.place_of(there.id, click.user) is not None
        watches = await delivery.spectators.is_subscribed(table.id, click.user)
        rematch = again.scene(click.user) if again else None
        scene = table.scene(click.user)
        return Reply(view=outside(scene, click.w, waiting=waits, watching=watches, rematch=rematch))

    async def wait(self, click: Visit) -> Reply:
        """Put the user in line for a seat, or take the user out of the line."""
        table, seat_queue = click.table, self.delivery.seat_queue
        if not click.button.at:
            await seat_queue.leave(table, click.user)
            return Reply(view=out_of_line(table.scene(click.user), click.w), at=click.own)
        await table.check(check_may_wait, click.user)
        if table.stage == "lobby" and free_seats(table.row) and not await seat_queue.length(table.id):
            return show_terms(click, table, at=click.own)
        async with self.store.limits.using(PLACES, click.user):
            place = await seat_queue.join(table, click.user)
        return Reply(view=in_line(table.scene(click.user), place, click.w), at=click.own)

    async def take(self, click: Visit) -> Reply:
        """Give the user the seat that the user was asked to take.

        In a lobby, show the terms first.
        """
        table = click.table
        if seat_of(table.row.chairs, click.user) is not None:
            return await self.hands.hand(click, table)
        asked = await self.delivery.seat_queue.place_of(table.id, click.user)
        if asked is None or asked.seat is None:
            raise Outside("You're not at this table.")
        if table.stage == "lobby":
            return show_terms(click, table, at=click.own)
        await table.do(Substitute(click.user, click.interaction.user.display_name, asked.seat))
        return await self.hands.hand(click, table)

    async def _call(self, effect: SeatCall, pending: PendingEffect) -> None:
        """Ping a person in line; a person who could not take the seat loses the place."""
        assert pending.table is not None
        table, seat_queue = await self.tables.get(pending.table), self.delivery.seat_queue
        is_asked = partial(seat_queue.is_asked, table, effect.user, effect.seat)
        if await is_asked() and not await self._may_come(table, effect.user):
            await seat_queue.leave(table, effect.user)
        await self.delivery.pings.offer_seat(table, effect.user, effect.seat, pending.key, is_asked=is_asked)

    async def _may_come(self, table: Table, user: UserId) -> bool:
        """Tell whether a person in line may take a seat, and sees the channel."""
        try:
            await table.check(check_may_wait, user)
            return await self.presence.sees(table.row.guild, table.row.home, user)
        except Refused:
            return False
