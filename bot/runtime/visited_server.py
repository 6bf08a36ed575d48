"""On which server something is done, as far as the bot is there: what a person has installed comes from anywhere."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.ids import GuildId


def server_of(interaction: discord.Interaction[Any]) -> GuildId | None:
    """Return the server on which somebody does something.

    None in direct and group messages, and where the bot is not: it knows no roles, channels and settings of such a
    server, and what somebody may do there says nothing of a table elsewhere.
    """
    number = interaction.guild_id
    return GuildId(number) if number is not None and interaction.client.get_guild(number) is not None else None
