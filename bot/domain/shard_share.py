"""The share of the work of one process: each process owns some of Discord's shards.

Discord sends the events of a server to one shard, and direct messages to the first shard. A single process has all
shards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.domain.ids import GuildId

SHARD_SHIFT: Final = 22  # the low bits of an id; Discord computes the shard from the other bits


def shard_of(guild: GuildId | None, count: int) -> int:
    """Return the shard of a server; None for direct messages. count: the number of shards."""
    return ((guild or 0) >> SHARD_SHIFT) % count


@dataclass(frozen=True, slots=True)
class Share:
    """count: the number of all shards. held: the shards of this process. processes: the number of processes."""

    count: int = 1
    held: frozenset[int] = frozenset({0})
    processes: int = 1

    def has(self, guild: GuildId | None) -> bool:
        """Tell whether a server belongs to this process; None and NO_GUILD: direct messages."""
        return shard_of(guild, self.count) in self.held

    @property
    def whole(self) -> bool:
        """Whether this process has all shards."""
        return len(self.held) == self.count


ALL_SHARDS: Final = Share()
