"""Interactions of shards that go from one process to another: each is answered once, by whoever has the shard then.

While two processes are connected to a shard, Discord tells both of everything. Whoever has it answers, and remembers
what it has taken; the next one keeps what it hears, until it has the shard and a list of what was taken. Refuses to
know what an interaction is about.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

FRESH = 2.5  # seconds in which an interaction can be answered for the first time: Discord waits for three
MOST: Final = 1000  # of which it is remembered that they were taken: more than come in that time


class Crossing:
    """What is remembered of interactions, by shard."""

    def __init__(self) -> None:
        self._taken = defaultdict[int, deque[int]](lambda: deque(maxlen=MOST))
        self._kept = defaultdict[int, list[tuple[float, Mapping[str, Any]]]](list)
        self._by_others = dict[int, frozenset[int]]()

    def take(self, shard: int, number: int) -> None:
        """Remember that an interaction is answered here."""
        self._taken[shard].append(number)

    def taken(self, shard: int) -> list[int]:
        """Return which were answered here lately, and forget them: the shard is another's from now on."""
        return list(self._taken.pop(shard, ()))

    def keep(self, shard: int, data: Mapping[str, Any]) -> None:
        """Keep an interaction until it is known whose it is; for longer than it can be answered it is not."""
        now = time.monotonic()
        self._kept[shard] = [one for one in self._kept[shard] if now - one[0] < FRESH] + [(now, data)]

    def come(self, shard: int, taken: Collection[int]) -> Iterator[Mapping[str, Any]]:
        """Yield what was kept and nobody has answered, now that the shard is here. taken: by whoever had it."""
        self._by_others[shard] = frozenset(taken)
        yield from self.stay(shard)

    def stay(self, shard: int) -> Iterator[Mapping[str, Any]]:
        """Yield what was kept and nobody has answered: the shard stays whose it is."""
        now = time.monotonic()
        for at, data in self._kept.pop(shard, ()):
            if now - at < FRESH and not self.is_taken(shard, int(data["id"])):
                yield data

    def is_taken(self, shard: int, number: int) -> bool:
        """Tell whether an interaction was answered by whoever had the shard before."""
        return number in self._by_others.get(shard, ())

    def forget(self, shard: int) -> None:
        """Forget what was kept: the shard does not come."""
        self._kept.pop(shard, None)
