"""The desk: what waits for somebody on every server, and one table after the other to be played at in the same message.

Refuses to know how anything is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY
from bot.interactions.command_contexts import anywhere
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.show.hand import desk as screens
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import lines
from bot.show.kit.phrases import table as table_name
from bot.show.server.debts import unanswered
from bot.table.table import Table
from cogs.common.table_lookup import Interaction, hand_reply

LONG = timedelta(hours=6)
ENDED_OF_LATE = timedelta(days=7)  # for which the desk shows a table that was closed while it was suspended
BOOKS = 3  # ledgers that are named at once
DONE_THERE = N_("Done at {table}.")


class Desk(commands.Cog):
    """What waits for somebody."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Browse, screens.DESK, Handler(self.onward, QUIETLY))

    @anywhere
    @app_commands.command(name="desk", description=locale_str("See what waits for me: my tables on every server"))
    async def desk(self, interaction: Interaction) -> None:
        """Show every table at which this person sits."""

        async def work(visit: Visit) -> Reply:
            return await listed(self.bot, visit, await own_tables(self.bot, visit))

        await self.bot.reply(interaction, work)

    async def onward(self, click: Visit) -> Reply:
        """Show the next hand that is waited for, or all tables again."""
        named = click.browse.args[0] if click.browse.args else ""
        if named == screens.ALL:
            return await listed(self.bot, click, await own_tables(self.bot, click))
        return await next_hand(self.bot, click, TableId(int(named)) if named.isdecimal() else None)


async def own_tables(bot: Bigger, visit: Visit) -> list[Table]:
    """Return every table at which somebody sits, and those that ended of late because the bot may not write there."""
    ended = await bot.store.tables.ended_suspended(visit.user, bot.now() - ENDED_OF_LATE)
    return [
        await bot.tables.get(number)
        for number in (*[row.id for row in await bot.store.tables.seated(visit.user)], *ended)
    ]


async def listed(bot: Bigger, visit: Visit, tables: Sequence[Table], notice: str | None = None) -> Reply:
    """Return all of somebody's tables, where they clicked, and before them whether they owe anybody an answer."""
    asked = [bot.settled.where(book) for book in await bot.answering.books(visit.user, BOOKS)]
    notice = lines(notice, *unanswered(asked, visit.w))
    if visit.own is not None:
        bot.telling.hands.left(visit.user, visit.own.id)
    if not tables:
        return Reply(view=screens.no_table(visit.w, notice, here=visit.guild is not None), at=visit.own)
    scenes = [table.scene(visit.user) for table in tables]
    servers = {scene.where.guild: bot.speaking.name_of(scene.where.guild) for scene in scenes}
    since = bot.now() - LONG
    long = sum(
        scene.waits and bool(table.row.steps) and table.row.steps[-1].at < since
        for scene, table in zip(scenes, tables, strict=True)
    )
    return Reply(view=screens.desk(scenes, servers, visit.w, long, notice), at=visit.own)


async def next_hand(bot: Bigger, visit: Visit, after: TableId | None = None, notice: str | None = None) -> Reply:
    """Return the hand of the table that somebody is to play at next, in place of what they clicked on.

    after: the table that comes last. Where none waits they see all of them.
    """
    tables = {table.id: table for table in await own_tables(bot, visit)}
    ordered = screens.soonest([table.scene(visit.user) for table in tables.values()])
    waiting = [scene.where.table for scene in ordered if scene.waits]
    for number in sorted(waiting, key=lambda number: number == after):
        try:
            await bot.admission.check(visit.interaction, tables[number])
        except Refused:
            continue
        if visit.own is not None:
            bot.telling.desks.add(visit.own.id)
        return await hand_reply(bot, visit, tables[number], at=visit.own, notice=notice)
    return await listed(bot, visit, list(tables.values()), notice)


async def played_there(bot: Bigger, visit: Visit, table: Table) -> Reply:
    """Return what stands on a desk after somebody has played at a table: the next that waits for them."""
    scene = table.scene(visit.user)
    done = visit.w(DONE_THERE, table=table_name(scene, visit.w))
    return await next_hand(bot, visit, table.id, done)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Desk(bot))
