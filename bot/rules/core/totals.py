"""The points of hands added up, as it is asked for again and again in a match of many.

Refuses to know what they are worth.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from bot.rules.core.game import Result


def totals_of(results: Iterable[Result], players: int) -> tuple[int, ...]:
    """Return the points of each seat in these hands together."""
    points = [result.points for result in results]
    return tuple(sum(map(itemgetter(seat), points)) for seat in range(players))
