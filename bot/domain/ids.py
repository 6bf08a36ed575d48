"""Ids of people, tables, servers, channels and messages, each with a type of its own.

A number becomes one of these where it enters the house: from an object of discord.py, a row of the store, an address
that was clicked on. From there it keeps its type, so that a type checker finds two that were swapped. While the bot
runs they are plain integers. Refuses to know whom or what a number stands for.
"""

from __future__ import annotations

from typing import NewType

UserId = NewType("UserId", int)  # a person's on Discord
PlayerId = NewType(
    "PlayerId", int
)  # whose finished matches are the same person's; it stays when that person is forgotten
TableId = NewType("TableId", int)  # a table's in the store; what people read is its number on the server
GuildId = NewType("GuildId", int)  # a server's on Discord
ChannelId = NewType("ChannelId", int)  # a channel's or thread's on Discord
MessageId = NewType("MessageId", int)  # a message's on Discord

NO_GUILD, NOWHERE = GuildId(0), ChannelId(0)  # where a private table stands, which only the person at it sees
