"""The total points of hands."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from bot.rules.core.game import Result


def totals_of(results: Iterable[Result], players: int) -> tuple[int, ...]:
    """Return the total points of each seat over these hands."""
    points = [result.points for result in results]
    return tuple(sum(map(itemgetter(seat), points)) for seat in range(players))
