"""The waiting list: notifying users who wait for the next table in a channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from discord.ext import commands

from bot.client import Bigger
from bot.delivery.outbox.effect_runner import EffectHandlers
from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import LobbyOpening, PendingEffect, WaitingCall, pending_effect
from bot.domain.ids import UserId
from bot.localization import Localization
from bot.members.presence import Presence
from bot.show.lobby.menu import opened
from bot.show.table.notices import join_row
from bot.store.store import Store
from bot.table.registry import TableRegistry
from bot.table.table import Table


@dataclass(kw_only=True, eq=False, repr=False)
class WaitingListCog(commands.Cog):
    """Notifies waiting users of new lobbies."""

    store: Store
    effect_handlers: EffectHandlers
    presence: Presence
    localization: Localization
    tables: TableRegistry
    delivery: TableDelivery
    now: Callable[[], datetime]

    def __post_init__(self) -> None:
        self.effect_handlers.on(LobbyOpening, self._look_for_waiting)
        self.effect_handlers.on(WaitingCall, self._call_waiting)

    async def _look_for_waiting(self, effect: LobbyOpening, pending: PendingEffect) -> None:
        """Take the users who wait for a new lobby's channel and game off the list.

        Skipped for a full lobby or a started match.
        """
        assert pending.table is not None
        row = (await self.tables.get(pending.table)).row
        if row.phase != "lobby" or len(row.chairs) == row.seats:
            return
        where, now = await self.presence.place(row.guild, row.channel), self.now()

        def call(users: tuple[UserId, ...]) -> PendingEffect:
            return pending_effect(WaitingCall(effect.host, users), row.guild, row.id, now)

        self.delivery.perform(await self.store.social.call_waiting(where.channel, row.game, now, call))

    async def _call_waiting(self, effect: WaitingCall, pending: PendingEffect) -> None:
        """Notify waiting users who can see the channel and have no block with the host."""
        assert pending.table is not None
        table, host = await self.tables.get(pending.table), effect.host
        users = [user for user in effect.users if user != host and await self._comes(user, host, table)]
        if users:
            scene = table.scene(None)
            w = self.localization.words_for_table(scene)
            said, below = opened(scene, users, w), join_row(scene, w)
            await self.delivery.pings.invite(table, said, users, pending.key, below=below)

    async def _comes(self, user: UserId, host: UserId, table: Table) -> bool:
        if await self.store.social.block_between(user, [host]) != "no":
            return False
        return await self.presence.sees(table.row.guild, table.row.home, user)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        WaitingListCog(
            store=parts.store,
            effect_handlers=parts.effect_handlers,
            presence=parts.presence,
            localization=parts.localization,
            tables=parts.tables,
            delivery=parts.delivery,
            now=parts.now,
        )
    )
