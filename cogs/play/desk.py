"""The desk: all tables of a player, played one after another in one message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.delivery.notifications.direct_messages import DebtNotifier
from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.commands import anywhere
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.localization import Localization
from bot.members.admission import Admission
from bot.members.requests import DebtConfirmations
from bot.show.hand import desk as screens
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import lines
from bot.show.kit.phrases import table as table_name
from bot.show.server.debts import unanswered
from bot.show.table.outside import NO_SEAT_YET, open_lobbies
from bot.store.store import Store
from bot.table.registry import TableRegistry
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies
from cogs.common.open_lobbies import OpenLobbies
from cogs.common.table_lookup import Interaction

LONG_WAIT_FROM = timedelta(hours=6)
SHOWN_AFTER_END = timedelta(days=7)  # how long the desk shows a table that ended while suspended
MAX_LEDGERS = 3  # ledgers named at most
DONE_THERE = N_("Done at {table}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskReplies:
    """Builds replies about all tables of a player."""

    hands: HandReplies
    lobbies: OpenLobbies
    store: Store
    tables: TableRegistry
    admission: Admission
    delivery: TableDelivery
    debt_notifier: DebtNotifier
    debt_confirmations: DebtConfirmations
    localization: Localization
    now: Callable[[], datetime]

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the replies of a running bot."""
        return cls(
            hands=HandReplies.of(parts),
            lobbies=OpenLobbies.of(parts),
            store=parts.store,
            tables=parts.tables,
            admission=parts.admission,
            delivery=parts.delivery,
            debt_notifier=parts.debt_notifier,
            debt_confirmations=parts.debt_confirmations,
            localization=parts.localization,
            now=parts.now,
        )

    async def tables_of(self, visit: Visit) -> list[Table]:
        """Return the player's open tables, and recent ones that ended while suspended."""
        ended = await self.store.tables.ended_suspended(visit.user, self.now() - SHOWN_AFTER_END)
        return [
            await self.tables.get(number)
            for number in (*[row.id for row in await self.store.tables.seated(visit.user)], *ended)
        ]

    async def show_tables(self, visit: Visit, tables: Sequence[Table], notice: str | None = None) -> Reply:
        """Return the list of a player's tables, in place of the clicked message.

        Above the list: debts that wait for the player's confirmation.
        """
        asked = [
            self.debt_notifier.where(book)
            for book in await self.debt_confirmations.answerable_ledgers(visit.user, MAX_LEDGERS)
        ]
        notice = lines(notice, *unanswered(asked, visit.w))
        if visit.own is not None:
            self.delivery.hands.left(visit.user, visit.own.id)
        if not tables and (found := await self.lobbies.here(visit)):
            text = lines(notice, visit.w(NO_SEAT_YET))
            return Reply(view=open_lobbies(found, visit.w, text=text), at=visit.own)
        if not tables:
            return Reply(view=screens.no_table(visit.w, notice, here=visit.guild is not None), at=visit.own)
        scenes = [table.scene(visit.user) for table in tables]
        servers = {scene.where.guild: self.localization.server_name(scene.where.guild) for scene in scenes}
        since = self.now() - LONG_WAIT_FROM
        long = sum(
            scene.waits and bool(table.row.steps) and table.row.steps[-1].at < since
            for scene, table in zip(scenes, tables, strict=True)
        )
        return Reply(view=screens.desk(scenes, servers, visit.w, long=long, notice=notice), at=visit.own)

    async def next_hand(self, visit: Visit, after: TableId | None = None, notice: str | None = None) -> Reply:
        """Return the hand of the next table that waits for the player.

        The hand replaces the clicked message. after: the table to try last. Without a waiting table, returns the list
        of tables.
        """
        tables = {table.id: table for table in await self.tables_of(visit)}
        ordered = screens.soonest([table.scene(visit.user) for table in tables.values()])
        waiting = [scene.where.table for scene in ordered if scene.waits]
        for number in sorted(waiting, key=lambda number: number == after):
            try:
                await self.admission.check(visit.interaction, tables[number])
            except Refused:
                continue
            if visit.own is not None:
                self.delivery.desks.add(visit.own.id)
            return await self.hands.hand(visit, tables[number], at=visit.own, notice=notice)
        return await self.show_tables(visit, list(tables.values()), notice)

    async def next_after(self, visit: Visit, table: Table) -> Reply:
        """Return the desk after an action at a table: the next hand that waits for the player."""
        scene = table.scene(visit.user)
        done = visit.w(DONE_THERE, table=table_name(scene, visit.w))
        return await self.next_hand(visit, table.id, done)


@dataclass(kw_only=True, eq=False, repr=False)
class DeskCog(commands.Cog):
    """The desk of a player."""

    replies: DeskReplies
    dispatcher: Dispatcher

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, screens.DESK, Handler(self.show_next, QUIETLY))

    @anywhere
    @app_commands.command(name="desk", description=locale_str("See what's waiting for me: my tables on every server"))
    async def desk(self, interaction: Interaction) -> None:
        """Show every table of the player."""

        async def work(visit: Visit) -> Reply:
            return await self.replies.show_tables(visit, await self.replies.tables_of(visit))

        await self.dispatcher.reply(interaction, work)

    async def show_next(self, click: Visit) -> Reply:
        """Show the next waiting hand, or the list of tables."""
        named = click.browse.args[0] if click.browse.args else ""
        if named == screens.ALL:
            return await self.replies.show_tables(click, await self.replies.tables_of(click))
        return await self.replies.next_hand(click, TableId(int(named)) if named.isdecimal() else None)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(DeskCog(replies=DeskReplies.of(parts), dispatcher=parts.dispatcher))
