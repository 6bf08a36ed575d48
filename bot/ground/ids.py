"""Whose number a number is: Discord's of people, and others as they are named here.

A number becomes one of these where it enters the house: an object of discord.py, a row of the store, an address that
was clicked on. From there it keeps its type, so that a type checker finds two that were swapped. While the bot runs
they are plain integers. Refuses to know what a number stands for beyond its kind.
"""

from __future__ import annotations

from typing import NewType

UserId = NewType("UserId", int)  # a person's on Discord
TableId = NewType("TableId", int)  # a table's in the store; what people read is its number on the server
GuildId = NewType("GuildId", int)  # a server's on Discord
