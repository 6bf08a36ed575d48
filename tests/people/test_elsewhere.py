"""Tables, and people who would have them elsewhere: other channels, other servers, messages of other tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import UserHandle
from simcord.backend.serializers import message_payload
from simcord.builders import RoleHandle
from simcord.interactions import base_payload

from bot.table.core.commands import Expel
from bot.table.core.state import Moderator
from bot.table.table import Table
from tests.people.test_presence import create_hidden_channel, set_roles
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_HANDS, World, world

DEAL = SHORT_HANDS  # whose cards do not matter

CHANNEL_UNSEEN = "ben can't see this channel, so the table stays where it is."
NO_REPLY = ""  # where all see what was done, nothing is said of it


async def forge_click(here: World, name: str, message: discord.Message, address: str, guild: int) -> None:
    """Send a click with an arbitrary custom id from a message of the bot."""
    backend = here.env.backend
    stored = backend.get_message(message.channel.id, message.id)
    record, payload = base_payload(
        backend,
        type=3,
        channel_id=stored.channel_id,
        guild_id=guild,
        user_id=here.people[name].id,
        data={"custom_id": address, "component_type": 2},
    )
    record.source_message_id = stored.id
    backend.emit("INTERACTION_CREATE", payload | {"message": dict(message_payload(backend, stored))})
    await here.settle()


async def move_table(here: World, table: Table, channel: Any, name: str = "ann") -> str:
    """Move a table as a player; return the reply."""
    return (await here.slash(name, "table move", channel, table=table.id)).text


@pytest.fixture
def role(here: World) -> RoleHandle:
    """A role that sees hidden channels."""
    return here.guild.create_role("insiders")


async def test_a_start_forged_for_the_board_of_another_table_changes_nothing_there(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True) as here:
        theirs = await here.open_table("ben")
        other = here.guild.create_text_channel("other")
        mine = await here.open_table("ann", other, seats=2)
        await here.press("ann", mine, "Add a bot")
        shown = here.read_board(theirs).text
        await forge_click(here, "ann", here.board(theirs), f"bg:{mine.id}:start:{mine.row.edition}", here.guild.id)
        assert mine.stage == "playing"
        assert mine.row.home == other.id
        assert here.read_board(theirs).text == shown


async def test_a_rematch_opens_only_on_the_server_of_the_match(here: World) -> None:
    table = await here.finish_instantly()
    abroad = here.env.create_guild(name="Abroad")
    ann, lair = (
        abroad.add_member(UserHandle(here.env, here.env.backend.users[here.ann.id])),
        abroad.create_text_channel("lair"),
    )
    await here.settle()
    await ann.slash(lair, "deal")
    await here.settle()
    (opened,) = await here.parts.store.tables.open_tables()
    number = (await here.parts.tables.get(opened)).row.message
    board = next(each for each in lair.history() if each.id == number)
    await forge_click(here, "ann", board, f"bg:{table.id}:rematch", abroad.id)
    assert await here.parts.store.tables.open_tables() == (opened,)
    await forge_click(here, "ann", here.board(table), f"bg:{table.id}:rematch", here.guild.id)
    assert len(await here.parts.store.tables.open_tables()) == 2


async def test_a_table_moves_only_to_allowed_channels_that_all_players_see(here: World, role: RoleHandle) -> None:
    backroom = create_hidden_channel(here, role)
    set_roles(here, "ann", role)
    table = await here.open_table("ann", seats=3)
    await here.press("ben", table, "Join")
    assert await move_table(here, table, backroom) == CHANNEL_UNSEEN
    assert table.row.home == here.channel.id
    here.guild.remove_member(here.people["ben"])
    await here.advance(seconds=61)
    assert await move_table(here, table, backroom) == NO_REPLY
    assert [chair.name for chair in table.row.chairs] == ["ann"]
    await here.parts.servers.change(here.guild.id, here.owner, "channels", (backroom.id,))
    assert await move_table(here, table, here.channel) == f"On this server, tables open in {backroom.mention}."


async def test_a_removed_host_cannot_move_the_table(here: World) -> None:
    garden = here.guild.create_text_channel("garden")
    table = await here.start_table("ben", seats=2)
    await table.do(Expel(Moderator(here.owner, "owner"), 0, "ann"))
    await here.settle()
    assert (await move_table(here, table, garden)).startswith("Moderators look after the tables here")
    assert table.row.home == here.channel.id


async def test_a_match_cannot_move_to_another_leaderboard_nor_a_rematch_to_a_hidden_channel(
    here: World, role: RoleHandle
) -> None:
    backroom, garden = create_hidden_channel(here, role), here.guild.create_text_channel("garden")
    for name in ("ann", "ben"):
        set_roles(here, name, role)
    table = await here.start_table("ben", seats=2, hands=1)
    assert "A match that's under way can't move between a" in await move_table(here, table, backroom)
    assert await move_table(here, table, garden) == NO_REPLY
    await here.play_hand(table)
    assert len(await matches_and_wins(here.parts.store, here.guild.id)) == 2
    set_roles(here, "ben")
    await here.advance(seconds=61)
    await here.press("ann", table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert await move_table(here, again, backroom) == NO_REPLY
    await here.press("ben", table, "Rematch")
    assert [chair.name for chair in again.row.chairs] == ["ann"]


async def test_a_removed_player_cannot_return_by_moving_a_table_or_by_a_thread(here: World) -> None:
    other = here.guild.create_text_channel("other")
    table = await here.open_table("dev", seats=3)
    await here.press("ben", table, "Join")
    await table.do(Expel(Moderator(here.owner, "owner"), 1, "ben"))
    await here.settle()
    theirs = await here.open_table("ann", other)
    await here.press("ben", theirs, "Join")
    assert (await move_table(here, theirs, here.channel)).startswith("A moderator removed ben from a table here.")
    assert theirs.row.home == other.id
    here.env.backend.create_thread(here.channel.id, "side", here.env.backend.bot_user.id)
    (thread,) = here.channel.threads
    said = (await here.slash("ben", "deal", thread)).text
    assert said.startswith("A moderator removed you from a table here.")


async def test_a_player_without_access_can_neither_end_nor_redraw_a_table(here: World, role: RoleHandle) -> None:
    backroom = create_hidden_channel(here, role)
    for name in ("ann", "ben"):
        set_roles(here, name, role)
    table = await here.open_table("ann", backroom, seats=2)
    await here.press("ben", table, "Join")
    await here.press("ann", table, "Start")
    set_roles(here, "ben")
    await here.advance(seconds=61)
    for command in ("table end", "table redraw"):
        said = (await here.slash("ben", command, table=table.id)).text
        assert said.startswith("You can't see this table's channel any more")
    assert not any(chair.vote for chair in table.row.chairs)
