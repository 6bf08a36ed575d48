"""Presence and access in a Discord that reports no members."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.builders import RoleHandle
from simcord.enums import ChannelType, OverwriteType

from bot.domain.ids import AccessChannel, ChannelId, GuildId, UserId
from bot.members.presence import DiscordUnavailable, Presence
from tests.support.world import World, WorldChannel

VIEW = discord.Permissions(view_channel=True).value


def fresh_presence(here: World) -> Presence:
    """Return a presence service with an empty cache."""
    return Presence(here.bot, here.parts.now)


def create_hidden_channel(here: World, role: RoleHandle | None = None) -> WorldChannel:
    """Make a channel that only the bot sees, and a player who has the role."""
    may = discord.PermissionOverwrite(view_channel=True)
    everyone = here.guild.roles["@everyone"]
    seen_by: dict[Any, discord.PermissionOverwrite] = {everyone: discord.PermissionOverwrite(view_channel=False)}
    seen_by |= {role: may} if role else {}
    channel = here.guild.create_text_channel("backroom", overwrites=seen_by)
    here.env.backend.set_overwrite(
        channel.id, Overwrite(target_id=here.env.backend.bot_user.id, type=OverwriteType.MEMBER, allow=VIEW)
    )
    return channel


def set_roles(here: World, name: str, *roles: RoleHandle) -> None:
    """Set the roles of a player."""
    here.env.backend.edit_member(here.guild.id, here.people[name].id, {"role_ids": [role.id for role in roles]})


def record_requests(here: World) -> list[str]:
    """Return what will be asked of Discord from now on."""
    request, said = here.bot.http.request, list[str]()

    async def noted(route: Any, **how: Any) -> Any:
        said.append(f"{route.method} {route.path}")
        return await request(route, **how)

    here.bot.http.request = noted  # type: ignore[method-assign]
    return said


async def test_the_simulated_discord_reports_no_members(here: World) -> None:
    guild = here.bot.get_guild(here.guild.id)
    assert guild is not None
    before = set(guild.members)
    assert not here.bot.intents.members
    role = here.guild.create_role("players")
    set_roles(here, "ben", role)
    here.guild.remove_member(here.people["cleo"])
    here.guild.add_member(here.env.create_user("eve"))
    await here.settle()
    assert {member.id for member in before} == {here.env.backend.bot_user.id} == {each.id for each in guild.members}


async def test_a_departed_member_is_detected_by_one_request_a_minute(here: World) -> None:
    who, ben = fresh_presence(here), here.people["ben"].id
    said = record_requests(here)
    assert await who.member(here.guild.id, ben)
    here.guild.remove_member(here.people["ben"])
    assert await who.member(here.guild.id, ben), "for a minute nobody asks again"
    await here.advance(seconds=61)
    assert await who.member(here.guild.id, ben) is None
    assert await who.member(here.guild.id, ben) is None
    assert said.count("GET /guilds/{guild_id}/members/{member_id}") == 2


async def test_several_members_are_looked_up_in_one_request(here: World) -> None:
    who, users = fresh_presence(here), {name: person.id for name, person in here.people.items()}
    here.guild.remove_member(here.people["ben"])
    said = record_requests(here)
    assert await who.gone(here.guild.id, users.values()) == {users["ben"]}
    assert said == ["GET /guilds/{guild_id}/members/{member_id}"], "only whoever was not found is asked for alone"


async def test_no_member_counts_as_gone_if_discord_fails(here: World) -> None:
    who, ben = fresh_presence(here), here.people["ben"].id
    here.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001)
    assert await who.gone(here.guild.id, [UserId(404)]) == frozenset()
    here.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001)
    with pytest.raises(DiscordUnavailable):
        await who.sees(here.guild.id, here.channel.id, ben)
    with pytest.raises(DiscordUnavailable):
        await who.member(GuildId(404), ben)


async def test_a_public_channel_is_visible_to_every_member(here: World) -> None:
    who, ben = fresh_presence(here), here.people["ben"].id
    assert await who.sees(here.guild.id, here.channel.id, ben)
    assert not await who.sees(here.guild.id, here.channel.id, UserId(404))
    assert not await who.sees(here.guild.id, ChannelId(404), ben)
    assert await who.place(here.guild.id, here.channel.id) == AccessChannel(here.channel.id, hidden=False)
    assert await who.place(here.guild.id, ChannelId(404)) == AccessChannel(ChannelId(404), hidden=True)


async def test_a_hidden_channel_is_visible_only_while_a_member_has_its_role(here: World) -> None:
    role = here.guild.create_role("players")
    channel, who = create_hidden_channel(here, role), fresh_presence(here)
    set_roles(here, "ben", role)
    ben, cleo = here.people["ben"].id, here.people["cleo"].id
    assert await who.sees(here.guild.id, channel.id, ben)
    assert not await who.sees(here.guild.id, channel.id, cleo)
    assert await who.place(here.guild.id, channel.id) == AccessChannel(channel.id, hidden=True)
    set_roles(here, "ben")
    await here.advance(seconds=61)
    assert not await who.sees(here.guild.id, channel.id, ben)


async def test_a_permission_overwrite_takes_effect_at_once(here: World) -> None:
    channel, who, ben = create_hidden_channel(here), fresh_presence(here), here.people["ben"].id
    assert not await who.sees(here.guild.id, channel.id, ben)
    here.env.backend.set_overwrite(channel.id, Overwrite(target_id=ben, type=OverwriteType.MEMBER, allow=VIEW))
    await here.settle()
    assert await who.sees(here.guild.id, channel.id, ben)
    assert not who.has_lost(here.guild.id, channel.id, ben)
    here.env.backend.delete_overwrite(channel.id, ben)
    await here.settle()
    assert who.has_lost(here.guild.id, channel.id, ben)
    assert not who.has_lost(here.guild.id, channel.id, UserId(404)), "of whom nothing is known"


async def test_a_thread_is_visible_with_its_channel(here: World) -> None:
    role = here.guild.create_role("players")
    channel, who, ben = create_hidden_channel(here, role), fresh_presence(here), here.people["ben"].id
    thread = here.channel_handle(here.env.backend.create_thread(channel.id, "match", here.env.backend.bot_user.id))
    await here.settle()
    assert not await who.sees(here.guild.id, thread.id, ben)
    assert await who.place(here.guild.id, thread.id) == AccessChannel(channel.id, hidden=True)
    public = here.channel_handle(here.env.backend.create_thread(here.channel.id, "match", here.env.backend.bot_user.id))
    await here.settle()
    assert await who.sees(here.guild.id, public.id, ben)
    assert await who.place(here.guild.id, public.id) == AccessChannel(here.channel.id, hidden=False)


async def test_a_private_thread_is_visible_to_its_members_and_thread_admins(here: World) -> None:
    backend, who = here.env.backend, fresh_presence(here)
    ben, cleo, dev = (here.people[name].id for name in ("ben", "cleo", "dev"))
    thread = here.channel_handle(
        backend.create_thread(here.channel.id, "secret", backend.bot_user.id, type=ChannelType.PRIVATE_THREAD)
    )
    backend.add_thread_member(thread.id, ben)
    set_roles(here, "dev", here.guild.create_role("mods", permissions=discord.Permissions(manage_threads=True)))
    await here.settle()
    said = record_requests(here)
    assert [await who.sees(here.guild.id, thread.id, user) for user in (ben, cleo, dev, ben)] == [
        True,
        False,
        True,
        True,
    ]
    assert sum("thread-members" in each for each in said) == 2, "each once, and of a moderator nothing need be asked"
    assert await who.place(here.guild.id, thread.id) == AccessChannel(thread.id, hidden=True)
    backend.remove_thread_member(thread.id, ben)
    await here.advance(seconds=61)
    assert not await who.sees(here.guild.id, thread.id, ben)


async def test_an_uncached_thread_is_fetched(here: World) -> None:
    who, ben = fresh_presence(here), here.people["ben"].id
    thread = here.channel_handle(here.env.backend.create_thread(here.channel.id, "old", here.env.backend.bot_user.id))
    await here.settle()
    guild = here.bot.get_guild(here.guild.id)
    assert guild is not None
    guild._remove_thread(guild.get_thread(thread.id))  # type: ignore[arg-type]  # as for one archived before the start
    said = record_requests(here)
    assert await who.sees(here.guild.id, thread.id, ben)
    assert await who.place(here.guild.id, thread.id) == AccessChannel(here.channel.id, hidden=False)
    assert said.count("GET /channels/{channel_id}") == 1


async def test_a_user_who_clicks_needs_no_lookup(here: World) -> None:
    table = await here.open_table()
    said = record_requests(here)
    assert await here.parts.presence.sees(here.guild.id, table.row.home, here.ann.id)
    assert said == []
