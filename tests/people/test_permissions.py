"""Missing permissions of the bot are shown to managers only: in the settings, and in private once a day and channel."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.results import InteractionResult

from bot.members import posting_permissions
from tests.people.test_posting import NOT_HERE, bot_permissions
from tests.support.message_text import MISSING_PERMISSIONS, ParsedMessage, private_reply
from tests.support.world import Person, World, WorldChannel, world


@pytest.fixture
def boss(here: World) -> Person:
    """A member who manages the server."""
    return here.arrive("boss", here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True)))


def permission_notices(result: InteractionResult) -> list[str]:
    """Return what a manager was told of permissions after an answer."""
    assert all(sent.flags.ephemeral for sent in result.followups)
    return [said for sent in result.followups if MISSING_PERMISSIONS in (said := ParsedMessage.of(sent.message).text)]


async def use_command(
    here: World, who: Person, command: str, channel: WorldChannel | None = None, **options: Any
) -> list[str]:
    """Send a command; return the notices about permissions."""
    result = await who.slash(channel or here.channel, command, **options)
    await here.settle()
    return permission_notices(result)


async def test_admins_read_missing_permissions_in_private_and_in_the_settings(here: World, boss: Person) -> None:
    quiet = here.guild.create_text_channel(
        "quiet", overwrites=bot_permissions(here, send_messages=False, attach_files=False)
    )
    (told,) = await use_command(here, boss, "deal", quiet)
    assert told.startswith(f"**{MISSING_PERMISSIONS} <#{quiet.id}>.**")
    assert "**Send Messages**: no tables there." in told
    assert "**Attach Files**: tables are text only, no pictures." in told
    assert "View Channel" not in told
    other = here.guild.create_text_channel("other", overwrites=bot_permissions(here, send_messages=False))
    here.locales["boss"] = "zh-CN"
    result = await boss.slash(other, "desk")
    await here.settle()
    assert any("发送消息" in ParsedMessage.of(sent.message).text for sent in result.followups)
    here.locales["boss"] = "en-US"
    await here.open_table()
    shown = private_reply(await boss.slash(quiet, "bigger settings")).text
    (writing,) = (line for line in shown.splitlines() if "**Send Messages**" in line)
    assert writing.endswith(": no tables there.")
    assert f"<#{quiet.id}>" in re.findall(r"<#\d+>", writing)
    (files,) = (line for line in shown.splitlines() if "**Attach Files**" in line)
    assert files.endswith(": tables are text only, no pictures.")
    assert {f"<#{channel.id}>" for channel in (quiet, here.channel)} <= set(re.findall(r"<#\d+>", files))


async def test_missing_permissions_are_reported_once_a_day_and_channel(here: World, boss: Person) -> None:
    quiet = here.guild.create_text_channel("quiet", overwrites=bot_permissions(here, send_messages=False))
    other = here.guild.create_text_channel("other", overwrites=bot_permissions(here, send_messages=False))
    assert len(await use_command(here, boss, "deal", quiet)) == 1
    assert await use_command(here, boss, "desk", quiet) == []
    assert len(await use_command(here, boss, "desk", other)) == 1
    await here.restart()
    assert await use_command(here, boss, "deal", quiet) == []
    await here.advance(days=1)
    assert len(await use_command(here, boss, "deal", quiet)) == 1


async def test_a_lesson_needs_no_permission_so_none_is_missing_for_it(here: World, boss: Person) -> None:
    quiet = here.guild.create_text_channel(
        "quiet", overwrites=bot_permissions(here, send_messages=False, attach_files=False)
    )
    assert await use_command(here, boss, "learn lesson", quiet, game="big_two") == []
    lesson = await boss.slash(quiet, "learn lesson", game="big_two")
    await here.press_on("boss", lesson, "⋯")
    await here.settle()
    assert permission_notices(lesson) == []
    assert len(await use_command(here, boss, "deal", quiet)) == 1


async def test_of_two_simultaneous_admins_one_is_notified(here: World, boss: Person) -> None:
    quiet = here.guild.create_text_channel("quiet", overwrites=bot_permissions(here, send_messages=False))
    role = here.guild.create_role("Chief", permissions=discord.Permissions(manage_roles=True))
    chief = here.arrive("chief", role)
    first, second = await boss.slash(quiet, "desk"), await chief.slash(quiet, "desk")
    await here.settle()
    assert len([*permission_notices(first), *permission_notices(second)]) == 1


async def test_players_are_not_notified_of_missing_permissions(here: World) -> None:
    quiet = here.guild.create_text_channel("quiet", overwrites=bot_permissions(here, send_messages=False))
    for channel, command in ((quiet, "deal"), (quiet, "desk"), (here.channel, "deal")):
        result = await here.ann.slash(channel, command)
        await here.settle()
        assert permission_notices(result) == []
        assert "missing permissions" not in private_reply(result).text if result.response else True
    assert (await here.slash("ann", "deal", quiet)).text == NOT_HERE


async def test_no_notice_without_missing_permissions(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True, pictures=True) as roomy:
        role = roomy.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True))
        assert await use_command(roomy, roomy.arrive("boss", role), "deal") == []


async def test_admins_read_why_a_duplicate_cannot_be_played(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True, pictures=True) as roomy:
        role = roomy.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True))
        roomy.arrive("boss", role)
        await roomy.set_bot_permissions(roomy.channel, create_private_threads=False)
        table = await roomy.open_table("boss")
        shown = await roomy.press("boss", table, "⋯")
        for label in ("Same deals…", "At several tables"):
            assert permission_notices(shown) == [], "which is asked for by nobody"
            shown = await roomy.press_on("boss", shown, label)
        await roomy.settle()
        assert private_reply(shown).text == posting_permissions.NO_PRIVATE
        (told,) = permission_notices(shown)
        assert "**Create Private Threads**: no tables with the same deals" in told


async def test_disabled_features_are_not_missing_permissions(here: World, boss: Person) -> None:
    quiet = here.guild.create_text_channel(
        "quiet", overwrites=bot_permissions(here, attach_files=False, create_public_threads=False)
    )
    await here.set_bot_permissions(here.channel, create_public_threads=False)
    here.bot.restricted = frozenset({here.channel.id})
    assert await use_command(here, boss, "desk") == []
    here.bot.restricted = frozenset()
    assert len(await use_command(here, boss, "desk")) == 1
    for name in ("pictures", "threads"):
        await here.parts.servers.change(here.guild.id, boss.id, name, False)
    assert await use_command(here, boss, "desk", quiet) == []
