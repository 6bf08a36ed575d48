"""The balance of each player over all debts.

Debts to one player offset claims on another. Refuses to know the settlement with few payments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby

from bot.domain.debts import Balance, DebtEntry
from bot.domain.ids import PlayerId, TableId


def add_debts(known: Mapping[PlayerId, Balance], owed: Iterable[DebtEntry]) -> Mapping[PlayerId, Balance]:
    """Return the balance of each player with new debts added to the known balances. owed: in any order."""
    found = dict(known)
    for moment, together in groupby(sorted(owed, key=_order), key=lambda one: one.at):
        for player, (change, table) in _changes(together).items():
            found[player] = _changed(found.get(player), change, moment, table)
    return found


def _order(one: DebtEntry) -> tuple[datetime, int]:
    return one.at, one.table or 0


def _changes(together: Iterable[DebtEntry]) -> Mapping[PlayerId, tuple[int, TableId | None]]:
    """Return the change of each player's balance, and the latest match involved."""
    changes = defaultdict[PlayerId, tuple[int, TableId | None]](lambda: (0, None))
    for one in together:
        for player, units in ((one.payer, -one.units), (one.payee, one.units)):
            before, table = changes[player]
            changes[player] = before + units, one.table or table
    return changes


def _changed(before: Balance | None, change: int, moment: datetime, table: TableId | None) -> Balance:
    """Return the balance after a change; a change of sign passes through zero, so ``since`` restarts."""
    if before is None:
        return Balance(change, moment, table)
    units = before.units + change
    stays = (before.units > 0, before.units < 0) == (units > 0, units < 0)
    return Balance(units, before.since if stays else moment, table or before.table)
