"""Every button of a table, pressed twice by strangers and after the end.

Each is answered in a sentence, to its reader alone, and changes nothing that a stranger has no say in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from pathlib import Path

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType

from bot.interactions.dispatcher import BROKEN
from bot.interactions.guards import ALWAYS
from bot.members.admission import NO_TABLE_HERE
from bot.show.kit.custom_ids import Press, Verb
from bot.table.table import Table
from tests.interactions.clicks import message_snapshot, send_click
from tests.secrecy.request_watch import Watch
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.strict_discord import leaked_replies
from tests.support.world import SHORT_HANDS, World, world

OPEN_TO_ALL = {Verb.JOIN, Verb.FOLLOW}  # what a stranger may change
Where = Callable[[World], Awaitable[Table]]


async def lobby(here: World) -> Table:
    return await here.open_table(hands=1)


async def running(here: World) -> Table:
    return await here.start_table("ben", hands=1)


async def over(here: World) -> Table:
    table = await running(here)
    await here.play_hand(table)
    return table


async def closed(here: World) -> Table:
    table = await lobby(here)
    await here.press("ann", table, "Close this table")
    return table


async def shut_out(here: World, name: str) -> None:
    """Remove a player's access to the channel."""
    _, deny = discord.PermissionOverwrite(view_channel=False).pair()
    theirs = Overwrite(here.people[name].id, OverwriteType.MEMBER, allow=0, deny=deny.value)
    here.env.backend.edit_channel(here.channel.id, {}, overwrites=[theirs])
    await here.advance(minutes=2)


async def elsewhere(here: World, name: str, channel: ChannelHandle | None = None) -> discord.Message:
    """Return a private message of a player's that is about no table."""
    shown = (await here.people[name].slash(channel or here.channel, "bigger help")).response
    assert shown
    return shown.message


async def press_all(here: World, name: str, table: Table, but: Collection[Verb]) -> None:
    """Press every button but some twice, on a private message of another topic."""
    message = await elsewhere(here, name)
    as_it_was = message_snapshot(here, message)
    for verb in [each for each in Verb if each not in but for _ in range(2)]:
        here.pulse.at += 5
        at = table.scene(None).moment if table.match else 1
        result = await send_click(here, here.people[name], message, str(Press(table.id, verb, at=at)))
        assert result.acknowledged
        said = [each for each in (result.response, *result.followups) if each]
        assert all(each.ephemeral for each in said), verb
        assert BROKEN not in "\n".join(each.content or ParsedMessage.of(each.message).text for each in said), verb
        there = message.id in here.env.backend.messages[message.channel.id]
        if not there or message_snapshot(here, message) != as_it_was:
            message = await elsewhere(here, name)
            as_it_was = message_snapshot(here, message)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("where", [lobby, running, over, closed])
async def test_a_stranger_can_change_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture, where: Where) -> None:
    async with world(tmp_path, deal=SHORT_HANDS) as here:
        watch, table = Watch(here), await where(here)
        before = table.row
        await press_all(here, "cleo", table, OPEN_TO_ALL)
        assert (table.row.chairs, table.row.phase, table.row.steps) == (before.chairs, before.phase, before.steps)
        assert (watch.leaks, leaked_replies(here.env.backend)) == ([], [])
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []


async def test_a_user_without_access_learns_of_no_table(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        table = await running(here)
        await shut_out(here, "cleo")
        table = await here.reload(table)
        message = await elsewhere(here, "cleo", here.guild.create_text_channel("elsewhere"))
        for verb in (each for each in Verb if each not in ALWAYS):
            here.pulse.at += 5
            result = await send_click(here, here.people["cleo"], message, str(Press(table.id, verb)))
            assert private_reply(result).text == NO_TABLE_HERE, verb


@pytest.mark.parametrize("where", [over, closed])
async def test_a_player_can_change_nothing_at_an_inactive_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, where: Where
) -> None:
    async with world(tmp_path, deal=SHORT_HANDS) as here:
        table = await where(here)
        await press_all(here, "ann", table, {Verb.REMATCH})
        assert table.row.phase in ("over", "closed")
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []
