"""Annulling a finished match and restoring it.

For members who may manage the server and did not play in the match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.effects import Announcement, pending_effect
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.history.judges import NO_MATCH, check_judge
from bot.interactions.answers import WITH_FORM, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.guards import require_permission
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Browse
from bot.show.matches.replay import Annulment
from bot.show.matches.replay_menu import JUDGE, REASON, judging
from bot.store.rows import Moderation
from bot.store.store import Store
from bot.table.registry import TableRegistry
from cogs.server.moderation import as_moderator

NO_RIGHT = N_("Only members who can manage this server can annul matches.")
NO_REASON = N_("Say why, in a few words.")
ALREADY = N_("That's already the case.")
ANNUL, RESTORE = "annul", "restore"  # kinds of moderation in the store
ANNULLED = N_("{moderator} annulled the match of {table}: {reason}")
RESTORED = N_("{moderator} made the match of {table} count again: {reason}")
MANAGING = require_permission(NO_RIGHT, "manage_guild")


async def annulment_of(store: Store, visit: Visit, table: TableId) -> Annulment | None:
    """Return whether a match is annulled and why; None if it does not count anyway."""
    match = await store.results.finished(table)
    if match is None or not match.outcome.counts:
        return None
    said = [done.reason for done in await store.moderations.of_table(table) if done.what in {ANNUL, RESTORE}]
    may = visit.interaction.permissions.manage_guild
    if may:
        try:
            await check_judge(store, match, visit.user)
        except Refused:
            may = False
    return Annulment(match.annulled, said[-1] if said else "", may)


@dataclass(kw_only=True, eq=False, repr=False)
class AnnulmentsCog(commands.Cog):
    """Annuls and restores matches."""

    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher
    tables: TableRegistry
    delivery: TableDelivery

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, JUDGE, Handler(self.ask, WITH_FORM, (MANAGING,)))
        self.dispatcher.register_form(JUDGE, self.judge, MANAGING)

    async def ask(self, click: Visit) -> Reply:
        """Ask for the reason."""
        table, annulled = click.browse.table, click.browse.args[1] == "1"
        await self._check(click, table)
        return Reply(form=judging(table, annulled, click.w))

    async def judge(self, click: Visit) -> Reply:
        """Annul or restore a match, for the typed reason."""
        number, annulled = click.browse.table, click.browse.args[1] == "1"
        await self._check(click, number)
        reason = " ".join(click.filled.get(REASON, "").split())
        if not reason:
            raise Refused(NO_REASON)
        done = Moderation(self.now(), click.user, ANNUL if annulled else RESTORE, reason=reason)
        table = await self.tables.get(number)
        values = {"moderator": as_moderator(click.interaction, table).name}
        news = Announcement(ANNULLED if annulled else RESTORED, values=values, users=(click.user,), reason=reason)
        effects = [pending_effect(news, table.row.guild, number, done.at)]
        if not await self.store.moderations.judge(number, done, annulled=annulled, effects=effects):
            raise Refused(ALREADY)
        self.delivery.perform(effects)
        return Reply()

    async def _check(self, click: Visit, table: TableId) -> None:
        """Raise Refused if the user may not annul or restore this match."""
        head = await self.store.tables.head(table)
        match = await self.store.results.finished(table)
        if head is None or match is None or head[0].guild != click.server or not match.outcome.counts:
            raise Refused(NO_MATCH)
        await check_judge(self.store, match, click.user)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        AnnulmentsCog(
            now=parts.now,
            store=parts.store,
            dispatcher=parts.dispatcher,
            tables=parts.tables,
            delivery=parts.delivery,
        )
    )
