"""Ids of users, tables, servers, channels and messages, each with a separate type; and the place of a table.

A number gets its type on entry: from an object of discord.py, a row of the store, the custom id of a clicked button.
From there on a type checker finds swapped ids. At run time they are plain integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

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
