"""Which table a command means, and what a person gets to see of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import discord
from discord.app_commands import Choice

from bot.client import Bigger
from bot.domain.ids import TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.autocompletion import by_name, choice, offering
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.replies import DONE, Reply
from bot.interactions.visit import Visit
from bot.rules.core.cards import Cards
from bot.scene import Scene
from bot.show.hand.hand import given_away, hand
from bot.show.hand.hints import Degree
from bot.show.hand.panel import Tab
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.phrases import table as table_name
from bot.store.rows import TableRow
from bot.table.core.chairs import people
from bot.table.table import Table

Interaction = discord.Interaction[Any]

NO_TABLE = N_("You do not sit at any table. Open one with /deal.")
WHICH = N_("You sit at several tables. Say which one with the option `table`.")
NOT_YET = N_("The cards have not been dealt yet: the host still has to press Start.")


async def find(bot: Bigger, visit: Visit, number: int | None) -> Table:
    """Return the table a command is meant for: the one named, or the one here, or the only one it can be.

    number: the store's number of the table, as autocompletion offers it. Raises Refused with what to do, or where they
    may not see that table's channel now.
    """
    table = await sought(bot, visit, number)
    await bot.admission.check(visit.interaction, table)
    return table


async def sought(bot: Bigger, visit: Visit, number: int | None) -> Table:
    """Return the same for who may not see it, to leave it."""
    if number is not None:
        return await bot.tables.get(TableId(number))
    own = await played(bot, visit.user)
    if not own:
        raise Refused(NO_TABLE)
    here = [row for row in own if visit.channel in (row.home, row.channel)]
    if len(candidates := here or list(own)) == 1:
        return await bot.tables.get(candidates[0].id)
    return await _awaiting(bot, visit.user, candidates)


async def played(bot: Bigger, user: UserId) -> Sequence[TableRow]:
    """Return the open tables somebody plays at; only where there are none, those they have left and can go back to."""
    seated = await bot.store.tables.seated(user)
    shared = [row for row in seated if not row.alone] or seated  # what somebody plays alone is meant only then
    return [row for row in shared if user in people(row.chairs)] or shared


async def _awaiting(bot: Bigger, user: UserId, candidates: Sequence[TableRow]) -> Table:
    """Return the only one of these tables that waits for this person."""
    waiting = []
    for row in candidates:
        table = await bot.tables.get(row.id)
        scene = table.scene(user)
        if scene.wanted:
            waiting.append(table)
    if len(waiting) != 1:
        raise Refused(WHICH)
    return waiting[0]


async def mine(bot: Bigger, visit: Visit) -> list[Choice[int]]:
    """Find the tables of the person who types."""
    rows = await bot.store.tables.seated(visit.user)
    return by_name(visit.typed, [await at_table(bot, visit, row.id) for row in rows])


async def at_table(bot: Bigger, visit: Visit, number: TableId) -> Choice[int]:
    """Return a table as it is offered."""
    scene = (await bot.tables.get(number)).scene(None)
    named = table_name(scene, visit.w)
    return choice(named if scene.where.alone else f"{named} ({bot.speaking.name_of(scene.where.guild)})", number)


offer_tables = offering(mine)


def beside(visit: Visit, table: Table, said: str) -> Reply:
    """Return what somebody reads who has done something that all see at a table: nothing where they see it too."""
    return DONE if visit.channel == table.row.home else Reply(text=said)


def aside(bot: Bigger, visit: Visit, table: Table, view: PrivateScreen) -> Reply:
    """Return what whoever has a hand here reads in its place, and anybody else for itself."""
    return in_place(bot, visit, table, view, Tab.ASIDE)


def in_place(bot: Bigger, visit: Visit, table: Table, view: PrivateScreen, tab: Tab) -> Reply:
    """Return the same. tab: what it is of their panel."""
    scene = table.scene(visit.user)
    if not scene.dealt:
        return Reply(view=view)
    return Reply(view=view, at=visit.own, landed=partial(bot.telling.opened, table, scene, tab=tab))


def _check_there(scene: Scene) -> None:
    """Raise Refused where the viewer has no hand to show."""
    if scene.seat is None and not given_away(scene):
        raise Refused("You do not sit at this table. Press ⋯ under it to watch.")
    if scene.view is None:
        raise Refused(NOT_YET if scene.stage == "lobby" else "This table is closed.")


async def hand_reply(
    bot: Bigger,
    visit: Visit,
    table: Table,
    *,
    notice: str | None = None,
    at: PrivateMessage | None = None,
    chosen: Cards | None = None,
    sure: bool = False,
    then: Degree = Degree.KIND,
) -> Reply:
    """Return the private hand of whoever asks. Raises Refused where they have none, unless it says so in its place.

    at: where it is to stand. chosen: the cards picked in it, if not those they have picked themselves. sure: whether
    they are asked if they are sure. then: what a hint says next.
    """
    scene = table.scene(visit.user)
    if at is None:
        _check_there(scene)
    view = hand(
        scene,
        visit.w,
        where=bot.speaking.name_of(scene.where.guild),
        habits=visit.habits,
        chosen=bot.telling.picks.of(scene, visit.interaction.message) if chosen is None else chosen,
        tapped=bot.telling.picks.tapped(scene),
        notice=notice,
        sure=sure,
        then=then,
        desk=at is not None and bot.telling.desks.clicked(visit.interaction.message),
    )
    if scene.seat is None:
        return Reply(view=view, at=at)
    bot.telling.sees(scene)
    return Reply(view=view, at=at, landed=partial(bot.telling.opened, table, scene))
