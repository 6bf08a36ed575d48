"""The chain of tables that follow each other as rematches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from bot.domain.ids import TableId
from bot.domain.refusals import Refused
from bot.store.store import Store
from bot.table.registry import TableRegistry
from bot.table.table import Table
from bot.wiring import Parts


def former_key(rematch: TableId) -> str:
    """Return the key under which the store remembers the table before a rematch."""
    return f"table before {rematch}"


def rematch_key(table: TableId) -> str:
    """Return the key under which the store remembers the rematch of a table."""
    return f"rematch of table {table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchChain:
    """Finds the tables before and after a table."""

    store: Store
    tables: TableRegistry

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the chain of a running bot."""
        return cls(store=parts.store, tables=parts.tables)

    async def latest(self, table: TableId) -> TableId:
        """Return the last table in the chain of rematches after this table."""
        while known := await self.store.notes.recall(rematch_key(table)):
            table = TableId(int(known))
        return table

    async def open_after(self, table: TableId) -> Table | None:
        """Return the last table in the chain, in its lobby or match.

        Returns None if finished, closed or deleted.
        """
        found = await self.find(await self.latest(table))
        return found if found and found.row.open else None

    async def is_rematch(self, table: TableId) -> bool:
        """Tell whether a table follows another one, which may be deleted."""
        return await self.store.notes.recall(former_key(table)) is not None

    async def former(self, table: TableId) -> Table | None:
        """Return the table that a rematch follows; None without one or if deleted."""
        known = await self.store.notes.recall(former_key(table))
        return await self.find(TableId(int(known))) if known else None

    async def find(self, number: TableId) -> Table | None:
        """Return a table; None if deleted."""
        try:
            return await self.tables.get(number)
        except Refused:
            return None
