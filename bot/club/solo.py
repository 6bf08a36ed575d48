"""Solo tables: one person and house players, invisible to others. Creates and begins them."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from datetime import datetime

from bot.domain.chairs import Chair, Level
from bot.domain.contests import SoloKind, TryState
from bot.domain.ids import NO_CHANNEL, NO_GUILD, TableId, UserId
from bot.domain.names import Reserved
from bot.domain.pace import NO_CLOCK
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import MatchStep, NewTable
from bot.table.core.chairs import Chairs, filled, in_order, levelled, unique_name
from bot.table.core.commands import Start
from bot.table.registry import TableRegistry
from bot.table.table import Table


def new_solo_table(
    user: UserId,
    rules: Ruleset,
    seed: str,
    now: datetime,
    *,
    solo: SoloKind,
    duplicate: int | None = None,
    steps: tuple[MatchStep, ...] = (),
) -> NewTable:
    """Return the row of a solo table for a person.

    duplicate: the number of the duplicate to play, if any. steps: actions taken over from an earlier table. In a
    lesson no pass is automatic.
    """
    return NewTable(
        NO_GUILD,
        NO_CHANNEL,
        user,
        rules.game,
        rules.preset,
        rules.plain_changes,
        rules.rules.players,
        seed,
        replace(NO_CLOCK, openly=False) if solo == "lesson" else NO_CLOCK,
        now,
        rules.version,
        solo,
        duplicate,
        steps,
    )


def solo_chairs(
    user: UserId,
    name: str,
    seat: int,
    seats: int,
    *,
    reserved: Reserved,
    level: Level = Level.PLAIN,
    others: Chairs = (),
) -> Chairs:
    """Return the chairs with this person on a seat, and house players on the others.

    others: house players taken over from an earlier table.
    """
    chairs = in_order((Chair(seat, user, unique_name((), user, name, reserved), agreed=1), *others))
    return levelled(filled(chairs, range(seats)), lambda _: level)


async def begin_solo_table(tables: TableRegistry, user: UserId, number: Awaitable[TableId]) -> Table:
    """Return a solo table with the cards dealt: begins a new table, returns a begun one."""
    table = await tables.get(await number)
    await deal_if_new(table, user)
    return table


async def deal_if_new(table: Table, user: UserId) -> None:
    """Deal the cards of a solo table that a stop kept from beginning."""
    if table.row.phase == "lobby":
        await table.do(Start(user, None, table.row.edition))


def state_of(table: Table | None) -> TryState:
    """Return a player's progress at a solo table; None for a table not yet begun."""
    if table is None:
        return "new"
    return "begun" if table.row.open else "over" if table.row.phase == "over" else "left"
