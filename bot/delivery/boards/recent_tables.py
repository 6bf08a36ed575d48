"""Something about tables that need not be remembered for ever, by number.

Refuses to know what: of a table that is forgotten, something is done once too often.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

from bot.domain.ids import TableId

NOTED = 1000  # tables

T = TypeVar("T")


class Lately(OrderedDict[TableId, T]):
    """Something about tables, by number; only of those it was last noted for, as tables may be forgotten quietly."""

    def __setitem__(self, table: TableId, value: T) -> None:
        super().__setitem__(table, value)
        self.move_to_end(table)
        while len(self) > NOTED:
            del self[next(iter(self))]
