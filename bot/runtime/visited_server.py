"""The server of an interaction, if the bot is on that server: user-installed commands work anywhere."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.ids import GuildId


def server_of(interaction: discord.Interaction[Any]) -> GuildId | None:
    """Return the server of an interaction.

    None in direct and group messages, and on servers without the bot: the bot knows no roles, channels and settings
    there, and permissions on such a server mean nothing for a table elsewhere.
    """
    number = interaction.guild_id
    return GuildId(number) if number is not None and interaction.client.get_guild(number) is not None else None
