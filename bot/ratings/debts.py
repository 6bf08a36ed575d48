"""What people owe each other, all in all.

Knows that a debt to the one goes against a debt of the other, and since when somebody has not been even. Refuses to
know how it is settled with few payments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby

from bot.domain.debts import Owed, Tab
from bot.domain.ids import PlayerId, TableId


def added(known: Mapping[PlayerId, Tab], owed: Iterable[Owed]) -> Mapping[PlayerId, Tab]:
    """Return what each is to get or owes, to what is known added what came after it. owed: in any order."""
    found = dict(known)
    for moment, together in groupby(sorted(owed, key=_order), key=lambda one: one.at):
        for player, (change, table) in _changes(together).items():
            found[player] = _changed(found.get(player), change, moment, table)
    return found


def _order(one: Owed) -> tuple[datetime, int]:
    return one.at, one.table or 0


def _changes(together: Iterable[Owed]) -> Mapping[PlayerId, tuple[int, TableId | None]]:
    """Return by how much each changes, and in which match last."""
    changes = defaultdict[PlayerId, tuple[int, TableId | None]](lambda: (0, None))
    for one in together:
        for player, units in ((one.payer, -one.units), (one.payee, one.units)):
            before, table = changes[player]
            changes[player] = before + units, one.table or table
    return changes


def _changed(before: Tab | None, change: int, moment: datetime, table: TableId | None) -> Tab:
    """Change what somebody is to get; whoever goes from owing to getting was even on the way."""
    if before is None:
        return Tab(change, moment, table)
    units = before.units + change
    stays = (before.units > 0, before.units < 0) == (units > 0, units < 0)
    return Tab(units, before.since if stays else moment, table or before.table)
