"""What of the work is one process's, where several share it: each has some of Discord's shards.

Discord lets what happens on a server be heard by one shard, and what happens in direct messages by the first. Whoever
is alone has everything, whatever Discord's shards are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.domain.ids import GuildId

BITS: Final = 22  # of an id that count within a millisecond: Discord numbers its shards by the others


def shard_of(guild: GuildId | None, count: int) -> int:
    """Return by which of so many shards a server is heard; None for direct messages."""
    return ((guild or 0) >> BITS) % count


@dataclass(frozen=True, slots=True)
class Share:
    """count: of all shards. held: those of this process. processes: among how many all is shared."""

    count: int = 1
    held: frozenset[int] = frozenset({0})
    processes: int = 1

    def has(self, guild: GuildId | None) -> bool:
        """Tell whether what happens on a server is for this process; None and NO_GUILD: in direct messages."""
        return shard_of(guild, self.count) in self.held

    @property
    def whole(self) -> bool:
        """Whether all of it is for this process."""
        return len(self.held) == self.count


WHOLE: Final = Share()
