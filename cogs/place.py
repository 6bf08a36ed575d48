"""Whether somebody may open a table where they ask for it, as the owner of the server has chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.server_settings import ServerSettings
from bot.show.words import Said
from bot.table.refused import Refused
from cogs.here import Interaction
from cogs.house_rules import place

if TYPE_CHECKING:
    from bot.client import Bigger

ELSEWHERE = "On this server tables are opened in {channels}."
NO_ROLE = "On this server members with the role {role} open the tables. You can join any of them."


def check_place(bot: Bigger, interaction: Interaction) -> None:
    """Raise Refused where no table is wanted, or not of this person."""
    server = bot.servers.known(interaction.guild_id)
    if server.channels and place(interaction).channel not in server.channels:
        raise Refused(ELSEWHERE, channels=[Said(f"<#{channel}>") for channel in server.channels])
    if not _may_open(interaction, server):
        raise Refused(NO_ROLE, role=Said(f"<@&{server.opener}>"))


def _may_open(interaction: Interaction, server: ServerSettings) -> bool:
    """Whoever manages the server may, and everybody where the role has been deleted."""
    guild, member = interaction.guild, interaction.user
    if server.opener is None or guild is None or guild.get_role(server.opener) is None:
        return True
    return interaction.permissions.manage_guild or (
        isinstance(member, discord.Member) and member.get_role(server.opener) is not None
    )
