"""Tables for trying many clicks: opened as people do, filled and started without a click for each."""

from __future__ import annotations

from typing import Any

from bot.domain.chairs import Level
from bot.table.core.commands import AddHousePlayer, Join, Start
from bot.table.table import Table
from tests.support.world import World


async def open_seated_table(here: World, *others: str, **options: Any) -> Table:
    """Open a table of Ann's, with these persons and house players."""
    table = await here.open_table(**options)
    for name in others:
        await table.do(Join(here.people[name].id, name, table.row.edition))
    while len(table.row.chairs) < table.row.seats:
        await table.do(AddHousePlayer(here.ann.id, Level.EASY))
    return table


async def start_seated_table(here: World, *others: str, **options: Any) -> Table:
    """Start a table of Ann's, with these persons and house players."""
    table = await open_seated_table(here, *others, **options)
    await table.do(Start(here.ann.id, None, table.row.edition))
    await here.settle()
    return table
