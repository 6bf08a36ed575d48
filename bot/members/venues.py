"""Where a user may open or move a table, by the server's settings, roles and channels.

All players of a moved table have to see the new channel. The bot's own permissions are checked elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import discord

from bot.club.saved_rules import RulesCaller
from bot.domain.house_rules import Owner
from bot.domain.ids import ChannelId, UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.server_settings import ServerSettings
from bot.members.admission import Admission
from bot.members.presence import Presence
from bot.members.server_settings import Servers
from bot.runtime.discord_requests import server_of
from bot.show.kit.words import MessageText, mention
from bot.table.table import Table

Interaction: TypeAlias = discord.Interaction[Any]
ELSEWHERE = N_("On this server, tables open in {channels}.")
UNSEEN = N_("{names} can't see this channel, so the table stays where it is.")
OTHER_BOARD = N_(
    "A match that's under way can't move between a public and a hidden channel, since its result "
    "belongs to the leaderboard it started on. A moderator can move it."
)
NO_ROLE = N_("On this server, members with the role {role} open the tables. Anyone can join them.")
NO_RIGHT = N_("Only members who can manage the server can change its house rules. You can save rules of your own.")


@dataclass(frozen=True, slots=True)
class Venue:
    """The rules about channels on all servers."""

    servers: Servers
    presence: Presence
    admission: Admission

    def check(self, interaction: Interaction, channel: ChannelId | None = None) -> None:
        """Raise Refused if the server's settings forbid the user a table.

        channel: the place, if not the interaction's.
        """
        self._check_channel(interaction, channel)
        server = self.servers.known(server_of(interaction))
        if not _may_open(interaction, server):
            raise Refused(NO_ROLE, role=MessageText(f"<@&{server.opener}>"))

    async def check_move_by_host(self, interaction: Interaction, table: Table) -> None:
        """Raise Refused if the host may not move a table to the interaction's channel."""
        self._check_channel(interaction)
        row = table.row
        if row.phase != "playing" or not row.counts or row.suspended_since or interaction.channel_id is None:
            return
        before = row.place or await self.presence.place(row.guild, row.home)
        after = await self.presence.place(row.guild, ChannelId(interaction.channel_id))
        if before.hidden != after.hidden:
            raise Refused(OTHER_BOARD)

    async def check_seen(self, channel: ChannelId, table: Table) -> None:
        """Raise Refused if a player at a table could not see another channel."""
        guild, blind = table.row.guild, list[str]()
        for chair in table.row.chairs:
            if chair.user is None or chair.house or not await self.admission.is_here(table, chair.user):
                continue
            if not await self.presence.may_see(guild, channel, chair.user):
                blind.append(chair.name)
        if blind:
            raise Refused(UNSEEN, names=blind)

    def _check_channel(self, interaction: Interaction, channel: ChannelId | None = None) -> None:
        """Raise Refused if the server's settings forbid tables in the channel."""
        server = self.servers.known(server_of(interaction))
        where = asker(interaction).channel if channel is None else _parent(interaction.guild, channel)
        if server.channels and where not in server.channels:
            raise Refused(ELSEWHERE, channels=list(map(mention, server.channels)))


def asker(interaction: Interaction) -> RulesCaller:
    """Return the user of an interaction, with server and channel."""
    channel = interaction.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id
    return RulesCaller(
        UserId(interaction.user.id), server_of(interaction), None if parent is None else ChannelId(parent)
    )


def check_owner(interaction: Interaction, owner: Owner) -> None:
    """Raise Refused if the user may not change this owner's house rules."""
    if owner.scope == "server" and not interaction.permissions.manage_guild:
        raise Refused(NO_RIGHT)


def _parent(guild: discord.Guild | None, channel: ChannelId) -> ChannelId:
    """Return a thread's parent channel; any other channel unchanged."""
    found = guild.get_channel_or_thread(channel) if guild else None
    return ChannelId(found.parent_id) if isinstance(found, discord.Thread) else channel


def _may_open(interaction: Interaction, server: ServerSettings) -> bool:
    """Tell whether a member may open tables: managers, and members with the server's role.

    Everyone may if the server has no such role, or the role was deleted.
    """
    guild, member = interaction.guild, interaction.user
    if server.opener is None or guild is None or guild.get_role(server.opener) is None:
        return True
    return interaction.permissions.manage_guild or (
        isinstance(member, discord.Member) and member.get_role(server.opener) is not None
    )
