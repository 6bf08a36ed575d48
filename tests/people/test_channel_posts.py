"""Posts by users in channels where they may write: the end of a match, standings, their own profile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from simcord import UserHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.table.table import Table
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SHORT_HANDS, World, world

POST = "Post in this channel"
POSTED, JUST_NOW = "Posted. Everyone here can see it now.", "You've only just posted something."
NOT_YOURS = "You can only post where you may write and attach files yourself."


@pytest.fixture
async def drawn(tmp_path: Path) -> AsyncIterator[World]:
    """A server with pictures."""
    async with world(tmp_path, deal=SHORT_HANDS, pictures=True) as here:
        yield here


async def finish_match(here: World) -> Table:
    return await here.finish_instantly("ben")


def posts(here: World, said: str) -> list[discord.Message]:
    """Return the public messages that contain this text."""
    return [each for each in here.channel.history() if not each.flags.ephemeral and said in ParsedMessage.of(each).text]


async def set_permissions(here: World, name: str, **rights: bool) -> None:
    """Allow or deny this in the channel from now on."""
    allow, deny = discord.PermissionOverwrite(**rights).pair()
    who = here.people[name].id
    here.env.backend.set_overwrite(
        here.channel.id, Overwrite(who, OverwriteType.MEMBER, allow=allow.value, deny=deny.value)
    )
    await here.settle()


async def test_a_match_end_is_posted_once_a_minute_and_never_in_direct_messages(drawn: World) -> None:
    table = await finish_match(drawn)
    shown = await drawn.press("ben", table, "Share…")
    assert list(private_reply(shown).buttons) == [POST, "Only for me"]
    assert private_reply(await drawn.press_on("ben", shown, POST)).text == POSTED
    assert private_reply(await drawn.press_on("ben", shown, POST)).text.startswith(JUST_NOW)
    (post,) = posts(drawn, "ben shares the end of Big Two, table 1.")
    assert post.attachments
    assert "move 0 of" in private_reply(await drawn.people["dev"].click(post, label="Replay")).text
    await drawn.advance(seconds=61)
    await drawn.press_on("ben", shown, POST)
    assert len(posts(drawn, "ben shares the end of")) == 2
    alone = UserHandle(drawn.env, drawn.env.backend.users[drawn.ann.id])  # in direct messages
    mine = await alone.slash("desk")
    await drawn.settle()
    given = await drawn.forge(alone, mine, f"bg:{table.id}:share")  # type: ignore[arg-type]
    assert given.response
    assert given.response.content.startswith("Share it anywhere: save the picture, copy the words.")


async def test_standings_and_profiles_are_posted_in_the_server_language(
    drawn: World,
) -> None:
    await finish_match(drawn)
    drawn.locales["ann"] = "zh-TW"
    shown = await drawn.people["ann"].slash(drawn.channel, "standings", game="big_two")
    label = next(label for label, (to, _) in private_reply(shown).buttons.items() if to.startswith("bv:standings_post"))
    await drawn.press_on("ann", shown, label)
    (post,) = posts(drawn, "ann shows the standings.")
    assert not ParsedMessage.of(post).buttons
    assert not ParsedMessage.of(post).selects
    assert "(you)" not in ParsedMessage.of(post).text
    own = await drawn.people["ben"].slash(drawn.channel, "my profile")
    other = await drawn.people["ben"].slash(drawn.channel, "my profile", person=drawn.people["ann"].user)
    assert POST not in private_reply(other).buttons
    assert private_reply(await drawn.press_on("ben", own, POST)).text == POSTED
    (post,) = posts(drawn, "ben shows their profile.")
    assert post.attachments


async def test_a_user_without_write_or_attach_permission_posts_nothing(drawn: World) -> None:
    table = await finish_match(drawn)
    shown = await drawn.press("ben", table, "Share…")
    offered = await drawn.people["ben"].slash(drawn.channel, "standings")
    for right in ("send_messages", "attach_files"):
        await set_permissions(drawn, "ben", **{right: False})
        for there in (shown, offered):
            assert private_reply(await drawn.press_on("ben", there, POST)).text == NOT_YOURS
        assert POST not in (await drawn.slash("ben", "standings")).buttons
        assert POST not in (await drawn.slash("ben", "my profile")).buttons
        given = await drawn.press("ben", table, "Share…")
        assert given.response
        assert given.response.attachments, "there is nothing to ask: it is for ben alone"


async def test_posts_fall_back_to_text_if_the_bot_may_not_attach_files(drawn: World) -> None:
    table = await finish_match(drawn)
    shown = await drawn.press("ben", table, "Share…")
    await drawn.set_bot_permissions(drawn.channel, attach_files=False)
    await drawn.press_on("ben", shown, POST)
    (post,) = posts(drawn, "ben shares the end of Big Two, table 1.")
    assert "1. " in ParsedMessage.of(post).text
    await drawn.press_on("ann", await drawn.people["ann"].slash(drawn.channel, "standings"), POST)
    (post,) = posts(drawn, "ann shows the standings.")
    assert "**ben** · " in ParsedMessage.of(post).text
