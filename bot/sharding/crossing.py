"""Interactions on shards that move between processes: each is answered once, by the owner of the shard.

During a move two processes are connected to a shard and receive the same events. The owner answers, and remembers the
answered interactions; the next owner queues its interactions until it owns the shard and knows the list of answered
ones. The content of interactions is irrelevant here.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

FRESH = 2.5  # seconds in which an interaction can get its first response; Discord waits for three
MAX_ANSWERED: Final = 1000  # remembered answered interactions per shard: more than arrive in that time


class InteractionBuffer:
    """Answered and queued interactions, by shard."""

    def __init__(self) -> None:
        self._taken = defaultdict[int, deque[int]](lambda: deque(maxlen=MAX_ANSWERED))
        self._kept = defaultdict[int, list[tuple[float, Mapping[str, Any]]]](list)
        self._by_others = dict[int, frozenset[int]]()

    def take(self, shard: int, number: int) -> None:
        """Record an interaction as answered by this process."""
        self._taken[shard].append(number)

    def taken(self, shard: int) -> list[int]:
        """Return the recently answered interactions, and forget them: the shard now belongs to another process."""
        return list(self._taken.pop(shard, ()))

    def keep(self, shard: int, data: Mapping[str, Any]) -> None:
        """Queue an interaction until its owner is known; drop interactions past the time for a response."""
        now = time.monotonic()
        self._kept[shard] = [one for one in self._kept[shard] if now - one[0] < FRESH] + [(now, data)]

    def take_over(self, shard: int, taken: Collection[int]) -> Iterator[Mapping[str, Any]]:
        """Yield the queued interactions without an answer, after this process has become the owner.

        taken: the interactions answered by the previous owner.
        """
        self._by_others[shard] = frozenset(taken)
        yield from self.retain(shard)

    def retain(self, shard: int) -> Iterator[Mapping[str, Any]]:
        """Yield the queued interactions without an answer: the shard keeps its owner."""
        now = time.monotonic()
        for at, data in self._kept.pop(shard, ()):
            if now - at < FRESH and not self.is_taken(shard, int(data["id"])):
                yield data

    def is_taken(self, shard: int, number: int) -> bool:
        """Tell whether the shard's previous owner answered an interaction."""
        return number in self._by_others.get(shard, ())

    def forget(self, shard: int) -> None:
        """Drop the queued interactions: another process owns the shard."""
        self._kept.pop(shard, None)
