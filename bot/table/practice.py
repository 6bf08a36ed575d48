"""Practice: somebody plays alone with house players, as often as they like. It counts for nothing.

Knows that one has one such table at a time. Refuses to know how any of it is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from bot.ground.chair import Chair
from bot.ground.ids import TableId, UserId
from bot.ground.level import Level
from bot.ground.names import Reserved
from bot.ground.pace import Deadline
from bot.house import levels
from bot.rules.ruleset import Ruleset
from bot.store.rows import NewTable, TableRow
from bot.table.alike import of_hands
from bot.table.alone import begun, seated, set_up
from bot.table.table import Table
from bot.table.tables import Tables

LEFT = timedelta(days=7)  # after which a hand that nobody has gone on with is closed


class PracticeStore(Protocol):
    """What this needs of a store."""

    async def new_table(self, new: NewTable, chairs: tuple[Chair, ...], deadline: Deadline | None) -> TableRow:
        """Write a new table."""
        ...

    async def seated(self, user: UserId) -> tuple[TableRow, ...]:
        """Return the open tables where somebody sits."""
        ...

    async def old_practice(self, before: datetime) -> tuple[TableId, ...]:
        """Return the tables at which somebody practises who has not gone on since then."""
        ...


class Practice:
    """Who practises. now: the time; seed: makes the seed of a match."""

    def __init__(
        self,
        store: PracticeStore,
        tables: Tables,
        now: Callable[[], datetime],
        seed: Callable[[], str],
        reserved: Reserved,
    ) -> None:
        self._store = store
        self._tables = tables
        self._now = now
        self._seed = seed
        self._reserved = reserved
        self._beginning = asyncio.Lock()  # so that of two clicks one begins

    async def begin(self, user: UserId, name: str, rules: Ruleset, level: Level, *, just_so: bool = False) -> Table:
        """Return a table with a hand dealt: the one they have by these rules, or a new one in place of any other.

        level: at which house players are to play a new one, where the game knows it. just_so: whether they go on only
        with one at which house players play at that level.
        """
        rules = of_hands(rules, 1)
        async with self._beginning:
            for row in await self._store.seated(user):
                if row.alone != "practice":
                    continue
                table = await self._tables.get(row.id)
                if table.ruleset == rules and not (just_so and _level(table) != levels.at(level, rules.rules)):
                    return table
                await table.close()
            return await begun(self._tables, user, self._new(user, name, rules, level))

    async def _new(self, user: UserId, name: str, rules: Ruleset, wanted: Level) -> TableId:
        level = levels.at(wanted, rules.rules)
        chairs = seated(user, name, 0, rules.rules.players, self._reserved, level)
        new = set_up(user, rules, self._seed(), self._now(), "practice")
        return (await self._store.new_table(new, chairs, None)).id

    async def end_old(self) -> None:
        """Close what nobody has gone on with for long."""
        for table in await self._store.old_practice(self._now() - LEFT):
            await (await self._tables.get(table)).close()


def offered(rules: Ruleset) -> tuple[Level, ...]:
    """Return the levels at which house players can be met by these rules, the easiest first."""
    return levels.offered(rules.rules)


def _level(table: Table) -> Level:
    """Return at which level house players play there."""
    return next(chair.level for chair in table.row.chairs if chair.user is None)
