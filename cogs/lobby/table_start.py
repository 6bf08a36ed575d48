"""Starting a match: in the channel, in a thread, or in a duplicate's private thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import discord

from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import ChannelId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.visit import Visit
from bot.members import posting_permissions
from bot.members.admission import Admission
from bot.runtime.single_flight import SingleFlight
from bot.show.kit.custom_ids import Press
from bot.store.errors import StoreError
from bot.table.core.commands import FillSeats, Start
from bot.table.core.lobby import check_start
from bot.table.core.lobby_conditions import check_nobody_twice
from bot.table.table import Table

LOST_ACCESS = N_("{names} cannot see this channel any more and got up. Fill the free seats, then press Start again.")
NO_PRIVATE_THREAD = N_(
    "Discord did not let me open a private thread just now, so nothing has begun. Press Start once more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStart:
    """Starts tables; simultaneous clicks on Start start a table once."""

    client: discord.Client
    admission: Admission
    publisher: TableDelivery
    _starts: SingleFlight[ChannelId | None] = field(default_factory=lambda: SingleFlight("start of table"))

    async def start(self, click: Visit, table: Table, host: UserId, edition: int, *, filling: bool) -> None:
        """Start a match for the host. Raises Refused, or Unseen if the terms have changed.

        edition: the edition of the terms that the host has seen. filling: whether house players take the free seats.
        """
        await self._starts.do(table.id, partial(self._deal, click, table, host, edition, filling=filling))

    async def _deal(self, click: Visit, table: Table, host: UserId, edition: int, *, filling: bool) -> ChannelId | None:
        """Start a match for the host; return its thread, if any.

        edition, filling: as for start. The lobby links to the thread.
        """
        await table.check(check_start, host, edition, filling=filling)
        if blind := await self.admission.free_seats_without_access(table):
            raise Refused(LOST_ACCESS, names=blind)
        if filling:
            await table.do(FillSeats(host, click.habits.level))
        if table.row.duplicate_id is not None:
            return await self._deal_in_private(table, host, edition)
        thread = await self._open_thread(click, table)
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
        opened = await self.publisher.threads.open_private(table, where)
        if opened is None:
            raise Refused(NO_PRIVATE_THREAD)
        thread, removal = opened
        try:
            await table.do(Start(host, thread, edition, removal.key))
        except StoreError:
            raise  # the match may have begun; else the next start uses the thread
        except Exception:
            await self.publisher.threads.abandon(table, removal)
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
        thread = await self.publisher.threads.opened(table, channel, board)
        if thread is None and table.row.message not in (None, board):  # the board has been replaced meanwhile
            thread = await self.publisher.threads.opened(table, channel, table.row.message)
        return thread


def _is_on_board(click: Visit, table: Table) -> bool:
    """Tell whether the click was on a board of this table, current or just replaced."""
    message, address = click.interaction.message, click.address
    if message is None or message.flags.ephemeral or message.content or message.channel.id != table.row.home:
        return False
    return isinstance(address, Press) and address.table == table.id
