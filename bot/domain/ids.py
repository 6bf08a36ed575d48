"""Ids of users, tables, servers, channels and messages; the servers of a process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NewType

UserId = NewType("UserId", int)  # a user's id on Discord
PlayerId = NewType("PlayerId", int)  # of one user in all finished matches; outlives the deletion of the user's data
TableId = NewType("TableId", int)  # a table's id in the store; people see its number on the server
GuildId = NewType("GuildId", int)  # a server's id on Discord
ChannelId = NewType("ChannelId", int)  # a channel's or thread's id on Discord
MessageId = NewType("MessageId", int)  # a message's id on Discord

NO_GUILD, NO_CHANNEL = GuildId(0), ChannelId(0)  # the place of a solo table, visible to its player only


@dataclass(frozen=True, slots=True)
class AccessChannel:
    """The channel whose permissions decide who may see a channel or thread.

    channel: a public thread's parent channel; otherwise the channel or thread itself. hidden: whether @everyone cannot
    see the channel.
    """

    channel: ChannelId
    hidden: bool = False


UNKNOWN_ACCESS_CHANNEL = AccessChannel(ChannelId(0))  # for matches from before places were recorded


SHARD_SHIFT: Final = 22  # the low bits of an id; Discord computes the shard from the other bits


def shard_of(guild: GuildId | None, count: int) -> int:
    """Return the shard of a server; None for direct messages. count: the number of shards."""
    return ((guild or 0) >> SHARD_SHIFT) % count


@dataclass(frozen=True, slots=True)
class Share:
    """The shards of one process.

    count: the number of all shards. held: the shards of this process. processes: the number of processes.
    """

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
