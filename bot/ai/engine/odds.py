"""The chance that certain cards are among those that somebody holds unseen.

Knows numbers of cards alone.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb


@lru_cache(maxsize=1 << 14)
def at_least(count: int, copies: int, room: int, total: int) -> float:
    """Return the chance that of ``total`` cards, ``copies`` of them alike, ``count`` of these are among ``room``."""
    if count <= 0:
        return 1.0
    ways = sum(comb(copies, held) * comb(total - copies, room - held) for held in range(count, min(copies, room) + 1))
    return ways / comb(total, room)
