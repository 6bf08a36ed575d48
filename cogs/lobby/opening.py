"""Opening a table: by command, as a further duplicate table, or for a rematch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from bot.club.duplicates import Duplicates
from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import ChannelId
from bot.domain.message_ids import N_
from bot.interactions.answers import Reply
from bot.interactions.flood_limits import OPENINGS
from bot.interactions.visit import Visit
from bot.members import posting_permissions
from bot.members.venues import Venue
from bot.show.kit.phrases import table as table_name
from bot.show.kit.words import mention
from bot.store.store import Store
from bot.table.core.chairs import Chairs
from bot.table.registry import Host, TableRegistry, TableRequest
from bot.table.table import Table
from bot.wiring import Parts
from cogs.lobby.lobby_seats import SeatReplies

OPENED = N_("{table} is open in {channel}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpening:
    """Opens lobbies."""

    seat_replies: SeatReplies
    store: Store
    venue: Venue
    tables: TableRegistry
    delivery: TableDelivery
    duplicates: Duplicates

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the opening of a running bot."""
        return cls(
            seat_replies=SeatReplies.of(parts),
            store=parts.store,
            venue=parts.venue,
            tables=parts.tables,
            delivery=parts.delivery,
            duplicates=parts.duplicates,
        )

    async def open(self, visit: Visit, request: TableRequest) -> Reply:
        """Open a lobby in the user's channel. Raises Refused if no table is possible here."""
        interaction = visit.interaction
        self.venue.check(interaction)
        await posting_permissions.check(interaction)
        table = await self.open_lobby(host_of(visit), request)
        return await self.reply_to_host(visit, table)

    async def open_duplicate(self, visit: Visit, number: int) -> Reply:
        """Open a further table of a duplicate, in the duplicate's channel. Raises Refused."""
        guild, request = (
            visit.interaction.guild,
            await self.duplicates.request_table(number, visit.user, visit.guild),
        )
        assert request.duplicate is not None
        where = request.duplicate.channel
        self.venue.check(visit.interaction, where)
        await posting_permissions.check_elsewhere(guild, where)
        posting_permissions.check_private(guild.get_channel(where) if guild else None)
        return await self.reply_to_host(visit, await self.open_lobby(host_of(visit, where), request))

    async def open_lobby(self, host: Host, request: TableRequest, house_players: Chairs = ()) -> Table:
        """Open a lobby, counted against the host's limit. Raises Refused."""
        async with self.store.limits.using(OPENINGS, host.user):
            return await self.tables.open(host, request, house_players)

    async def reply_to_host(self, visit: Visit, table: Table) -> Reply:
        """Show the new lobby and return the reply to its host."""
        self.delivery.changed(table)
        w, scene = visit.w, table.scene(None)
        text = w(OPENED, table=table_name(scene, w), channel=mention(scene.where.home))
        return await self.seat_replies.after_opening(visit, table, text)


def host_of(visit: Visit, channel: ChannelId | None = None) -> Host:
    """Return the user as the host of a table. channel: by default the user's."""
    interaction = visit.interaction
    assert visit.guild is not None
    assert visit.channel is not None
    name = interaction.user.display_name
    return Host(visit.guild, channel or visit.channel, visit.user, name)
