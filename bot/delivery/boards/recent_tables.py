"""A bounded mapping by table id, for notes that may be forgotten.

A forgotten note repeats an action at worst.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

from bot.domain.ids import TableId

MAX_TABLES = 1000  # tables

T = TypeVar("T")


class RecentTables(OrderedDict[TableId, T]):
    """Values by table id, for the most recently set tables only.

    Tables can be unloaded without notice.
    """

    def __setitem__(self, table: TableId, value: T) -> None:
        super().__setitem__(table, value)
        self.move_to_end(table)
        while len(self) > MAX_TABLES:
            del self[next(iter(self))]
