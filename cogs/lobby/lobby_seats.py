"""Taking a seat in a lobby, or at a rematch.

A rematch begins when the last of the former players has joined.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused, Unseen
from bot.interactions.replies import Reply
from bot.interactions.visit import Visit
from bot.rules.core.sentences import Illegal
from bot.show.kit.phrases import table as table_name
from bot.store.store import Store
from bot.table.core.chairs import people, seat_of, without_agreement
from bot.table.core.commands import Join
from bot.table.registry import TableRegistry
from bot.table.table import Table
from cogs.common.hand_replies import HandReplies
from cogs.lobby.arrivals import SeatReplies, show_terms
from cogs.lobby.table_start import TableStart
from cogs.play.actions import REPLY_WAIT

SEATED = N_("You sit at {table}. When the cards are dealt, the button My hand shows them to you alone.")


def former_key(rematch: TableId) -> str:
    """Return the key under which the store remembers the table before a rematch."""
    return f"table before {rematch}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbySeats:
    """Gives players seats."""

    arrivals: SeatReplies
    starting: TableStart
    hands: HandReplies
    store: Store
    tables: TableRegistry
    publisher: TableDelivery

    async def join(self, visit: Visit, table: Table, edition: int) -> Reply:
        """Seat a player, at a rematch in the former seat.

        A rematch begins with the last of the former players.
        """
        former = await self.former(table)
        wanted = seat_of(former.row.chairs, visit.user) if former else None
        try:
            await table.do(Join(visit.user, visit.interaction.user.display_name, edition, wanted or 0))
        except Unseen as unseen:
            return show_terms(visit, table, unseen)
        if _is_complete(former, table):
            return await self.start_rematch(visit, table)
        return await self.arrivals.after_join(
            visit, table, visit.w(SEATED, table=table_name(table.scene(None), visit.w))
        )

    async def start_rematch(self, click: Visit, table: Table) -> Reply:
        """Start a rematch after all players have agreed; show the last player the new hand."""
        row = table.row
        try:
            if row.phase == "lobby":
                await self.starting.start(click, table, row.host, row.edition, filling=True)
        except (Refused, Illegal):
            self.publisher.changed(table)  # the board has to show that the table is still a lobby
            raise
        return await self.show_new_hand(click, table)

    async def show_new_hand(self, click: Visit, table: Table) -> Reply:
        """Show a player's hand at a rematch, in place of the former hand."""
        await table.at_rest(REPLY_WAIT)
        return await self.hands.hand(click, table, at=click.own, chosen=())

    async def former(self, table: Table) -> Table | None:
        """Return the table that a rematch follows; None without one or if deleted."""
        known = await self.store.notes.recall(former_key(table.id))
        return await self.find(TableId(int(known))) if known else None

    async def find(self, number: TableId) -> Table | None:
        """Return a table; None if deleted."""
        try:
            return await self.tables.get(number)
        except Refused:
            return None

    async def may_begin(self, table: Table) -> bool:
        """Tell whether all former players have joined the rematch and agreed to its terms."""
        return _is_complete(await self.former(table), table)


def _is_complete(former: Table | None, table: Table) -> bool:
    return former is not None and set(people(former.row.chairs)) <= set(people(table.row.chairs)) and _is_agreed(table)


def _is_agreed(table: Table) -> bool:
    return not without_agreement(table.row.chairs, table.row.edition)
