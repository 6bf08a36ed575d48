"""Whether somebody may open a table where they ask for it, as the owner of the server has chosen."""

from __future__ import annotations

import discord

from bot.client import Bigger
from bot.ground.refused import Refused
from bot.ground.server_settings import ServerSettings
from bot.show.words import Said, mention
from bot.table.table import Table
from cogs.here import Interaction
from cogs.house_rules import place

ELSEWHERE = "On this server tables are opened in {channels}."
UNSEEN = "{names} cannot see this channel, so the table stays where it is."
OTHER_BOARD = (
    "A match that has begun does not move between a channel that everybody sees and a hidden one, for its result "
    "belongs to the leaderboard it was begun for. A moderator can move it."
)
NO_ROLE = "On this server members with the role {role} open the tables. You can join any of them."


def check_place(bot: Bigger, interaction: Interaction, channel: int | None = None) -> None:
    """Raise Refused where no table is wanted, or not of this person. channel: where, if not where they ask."""
    check_channel(bot, interaction, channel)
    server = bot.servers.known(interaction.guild_id)
    if not _may_open(interaction, server):
        raise Refused(NO_ROLE, role=Said(f"<@&{server.opener}>"))


def check_channel(bot: Bigger, interaction: Interaction, channel: int | None = None) -> None:
    """Raise Refused where no table is wanted."""
    server = bot.servers.known(interaction.guild_id)
    where = place(interaction).channel if channel is None else _parent(interaction.guild, channel)
    if server.channels and where not in server.channels:
        raise Refused(ELSEWHERE, channels=list(map(mention, server.channels)))


async def check_way(bot: Bigger, interaction: Interaction, table: Table) -> None:
    """Raise Refused where a host may not take a table along to where they ask."""
    check_channel(bot, interaction)
    row, presence = table.row, bot.presence
    if row.phase != "playing" or not row.counts or row.asleep or interaction.channel_id is None:
        return
    before = await presence.place(row.guild, row.home, row.place)
    after = await presence.place(row.guild, interaction.channel_id)
    if before.hidden != after.hidden:
        raise Refused(OTHER_BOARD)


async def check_seen(bot: Bigger, channel: int, table: Table) -> None:
    """Raise Refused where somebody who plays at a table could not see it any more in another channel."""
    guild, blind = table.row.guild, list[str]()
    for chair in table.row.chairs:
        if chair.user is None or chair.house or not await bot.admission.is_here(table, chair.user):
            continue
        if not await bot.presence.may_see(guild, channel, chair.user):
            blind.append(chair.name)
    if blind:
        raise Refused(UNSEEN, names=blind)


def _parent(guild: discord.Guild | None, channel: int) -> int:
    """Return the channel that a thread belongs to, and any other channel as it is."""
    found = guild.get_channel_or_thread(channel) if guild else None
    return found.parent_id if isinstance(found, discord.Thread) else channel


def _may_open(interaction: Interaction, server: ServerSettings) -> bool:
    """Whoever manages the server may, and everybody where the role has been deleted."""
    guild, member = interaction.guild, interaction.user
    if server.opener is None or guild is None or guild.get_role(server.opener) is None:
        return True
    return interaction.permissions.manage_guild or (
        isinstance(member, discord.Member) and member.get_role(server.opener) is not None
    )
