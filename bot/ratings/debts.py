"""What people owe each other, all in all.

Knows that a debt to the one goes against a debt of the other, and since when somebody has not been even. Refuses to
know how it is settled with few payments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby

from bot.ground.debts import Balance, Owed
from bot.ground.ids import PlayerId


def balances(owed: Iterable[Owed]) -> Mapping[PlayerId, Balance]:
    """Return what each is to get or owes, without those who are even. owed: in any order."""
    found = dict[PlayerId, Balance]()
    for moment, together in groupby(sorted(owed, key=lambda one: one.at), key=lambda one: one.at):
        for player, change in _changes(together).items():
            _add(found, player, change, moment)
    return found


def _changes(together: Iterable[Owed]) -> Mapping[PlayerId, int]:
    changes = defaultdict[PlayerId, int](int)
    for one in together:
        changes[one.payer] -= one.units
        changes[one.payee] += one.units
    return changes


def _add(found: dict[PlayerId, Balance], player: PlayerId, change: int, moment: datetime) -> None:
    """Change a balance; whoever goes from owing to getting was even on the way."""
    before = found.pop(player, None)
    units = change + (before.units if before else 0)
    if units:
        stays = before is not None and (before.units > 0) == (units > 0)
        found[player] = Balance(units, before.since if before and stays else moment)
