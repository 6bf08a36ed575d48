"""Who sees a table and may act there: people who lose a role, leave the server, or look from elsewhere.

The simulated Discord tells the bot of none of it: see test_presence.
"""

from __future__ import annotations

import pytest
from simcord import UserHandle
from simcord.builders import ChannelHandle, RoleHandle
from simcord.enums import ChannelType

from bot.members.presence import CACHE_TIME
from bot.show.kit.custom_ids import Browse
from bot.show.matches.moment_codes import MomentCode
from bot.show.matches.replay import REPLAY
from bot.table.table import Table
from tests.people.test_presence import create_hidden_channel, record_requests, set_roles
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter

CHANNEL_UNSEEN = "You can't see this table's channel any more"
PLAYER_GONE = "isn't on this server any more, so a bot takes"


@pytest.fixture
def players(here: World) -> RoleHandle:
    """A role that Ann, Ben and Cleo have, and Dev has not."""
    role = here.guild.create_role("players")
    for name in ("ann", "ben", "cleo"):
        set_roles(here, name, role)
    return role


@pytest.fixture
def backroom(here: World, players: RoleHandle) -> ChannelHandle:
    """A channel visible to members of the role only."""
    return create_hidden_channel(here, players)


async def finish_match(here: World, channel: ChannelHandle | None = None) -> Table:
    """Play a match of one hand to its end, Ann against Ben and house players."""
    table = await here.start_table("ben", channel=channel, game="big_two", hands=1)
    await here.play_hand(table)
    assert table.stage == "over"
    return table


async def test_a_player_without_access_leaves_the_lobby_before_the_start(here: World, backroom: ChannelHandle) -> None:
    table = await here.open_table("ann", backroom, seats=3)
    for name in ("ben", "cleo"):
        await here.press(name, table, "Join")
    set_roles(here, "ben")
    await expire_presence_cache(here)
    answer = private_reply(await here.press("ann", table, "Start")).text
    assert answer == (
        "ben can't see this channel any more and left the table. Fill the free seats, then press Start again."
    )
    assert [chair.name for chair in table.row.chairs] == ["ann", "cleo"]
    assert here.channel_texts(table)[-1] == "ben can't see or use this channel any more, so their seat is free."
    await here.press("ann", table, "Add a bot")
    await here.press("ann", table, "Start")
    assert table.stage == "playing"


async def expire_presence_cache(here: World) -> None:
    """Wait until cached memberships have expired."""
    await here.advance(seconds=CACHE_TIME.total_seconds() + 1)


def channel_text(here: World, table: Table) -> str:
    """Return all texts in a table's channel."""
    return "\n".join(ParsedMessage.of(each).text for each in here.channel_of(table).history())


def user_outside_servers(here: World, name: str) -> UserHandle:
    """Return a player outside of any server."""
    return UserHandle(here.env, here.env.backend.users[here.people[name].id])


# Finished matches


async def test_access_to_a_match_in_a_hidden_channel_is_checked_at_each_click(
    here: World, backroom: ChannelHandle
) -> None:
    table = await finish_match(here, backroom)
    listed = await here.people["cleo"].slash(here.channel, "matches list")
    assert listed.response is not None
    (choose,) = ParsedMessage.of(listed.response.message).selects
    playback = await here.people["cleo"].select(listed.response.message, [str(table.id)], custom_id=choose)
    assert "Hand 1" in private_reply(playback).text
    assert "move 1" in private_reply(await here.press_on("cleo", playback, "Move ▶")).text
    set_roles(here, "cleo")
    assert "no such finished match" in private_reply(await here.press_on("cleo", playback, "Move ▶")).text
    assert "No finished matches here yet." in (await here.slash("cleo", "matches list")).text, "at once"
    set_roles(here, "ben")
    assert "table 1" in (await here.slash("ben", "matches list")).text, "he sat in it"
    assert "No finished matches here yet." in (await here.slash("dev", "matches list")).text
    own = await here.people["dev"].slash(here.channel, "desk")
    forged = await here.forge(here.people["dev"], own, str(Browse.to(REPLAY, table.id, 0, "first")))
    assert "no such finished match" in private_reply(forged).text
    code = str(MomentCode(table.id, 0))
    closed = private_reply(await here.people["dev"].slash(here.channel, "matches list", table=code)).text
    assert "Its match was on another server, was deleted" in closed


async def test_a_moment_of_a_hidden_channel_cannot_be_posted_elsewhere(here: World, backroom: ChannelHandle) -> None:
    await finish_match(here, backroom)
    playback = await here.people["cleo"].slash(here.channel, "matches list", table="1")
    before = len(here.channel.history())
    answer = private_reply(await here.press_in_menu("cleo", playback, "Share…", "Post in this channel")).text
    assert answer == "This match was played in a hidden channel. Share it there."
    assert len([each for each in here.channel.history() if not each.flags.ephemeral]) <= before


async def test_matches_of_a_deleted_channel_are_visible_to_their_players_only(here: World) -> None:
    channel = here.guild.create_text_channel("gone soon")
    await finish_match(here, channel)
    assert "table 1" in (await here.slash("dev", "matches list")).text
    here.env.backend.delete_channel(channel.id)
    await here.settle()
    assert "table 1" in (await here.slash("ben", "matches list")).text
    assert "No finished matches here yet." in (await here.slash("dev", "matches list")).text


async def test_a_match_in_a_private_thread_is_visible_to_thread_members_only(here: World) -> None:
    backend = here.env.backend
    thread = backend.create_thread(here.channel.id, "secret", backend.bot_user.id, type=ChannelType.PRIVATE_THREAD)
    for name in ("ann", "ben", "cleo"):
        backend.add_thread_member(thread.id, here.people[name].id)
    await here.settle()
    await finish_match(here, here.channel_handle(thread))
    assert "table 1" in (await here.slash("cleo", "matches list")).text
    assert "No finished matches here yet." in (await here.slash("dev", "matches list")).text
    backend.remove_thread_member(thread.id, here.people["cleo"].id)
    await expire_presence_cache(here)
    assert "No finished matches here yet." in (await here.slash("cleo", "matches list")).text


async def test_leaderboards_and_match_pages_are_complete_for_each_viewer(here: World, backroom: ChannelHandle) -> None:
    await finish_match(here, backroom)
    for name in ("ann", "dev"):
        assert "No rated matches here yet." in (await here.slash(name, "standings")).text
    own = await here.slash("cleo", "standings", backroom)
    assert "ann" in own.text
    assert f"<#{backroom.id}>" in own.text
    await finish_match(here)
    assert "**ann** ·" in (await here.slash("dev", "standings")).text
    for name, seen in (("dev", [False, True]), ("cleo", [True, True])):
        shown = await here.slash(name, "matches list")
        assert [f"table {number}" in shown.text for number in (1, 2)] == seen


# Tables of others


async def test_a_table_is_visible_to_channel_viewers_even_after_closing(here: World, backroom: ChannelHandle) -> None:
    table = await here.open_table("ann", backroom)
    assert "Big Two" in (await here.slash("cleo", "learn rules", table=table.id)).text
    assert "There's no such table here." in (await here.slash("dev", "learn rules", table=table.id)).text
    shown = await here.people["dev"].slash(here.channel, "desk")
    for close in (False, True):
        if close:
            await here.press("ann", table, "Close this table")
        answer = await here.forge(here.people["dev"], shown, f"bg:{table.id}:0:rules")
        assert "There's no such table here." in private_reply(answer).text


# Acting


async def test_a_player_without_access_to_the_channel_cannot_act(here: World, backroom: ChannelHandle) -> None:
    table = await here.start_table("ben", channel=backroom)
    set_roles(here, "ben")
    assert CHANNEL_UNSEEN in (await here.slash("ben", "hand", table=table.id)).text
    assert CHANNEL_UNSEEN in (await here.slash("ben", "turn", move="3d", table=table.id)).text
    assert CHANNEL_UNSEEN in (await here.slash("ben", "table end", table=table.id)).text
    assert "left" in (await here.leave("ben", table)).text


async def test_moderators_act_only_on_tables_they_can_see(here: World, backroom: ChannelHandle) -> None:
    wardens = here.guild.create_role("Wardens")
    await here.parts.servers.change(here.guild.id, here.ann.id, "moderator", wardens.id)
    set_roles(here, "dev", wardens)
    hidden_table, open_table = await here.open_table("ann", backroom), await here.open_table("ann")
    offered = await here.people["dev"].autocomplete(here.channel, "table cancel", "table", "")
    assert [each["value"] for each in offered] == [open_table.id]
    for command in ("cancel", "move"):
        said = (await here.slash("dev", f"table {command}", table=hidden_table.id)).text
        assert "There's no such table here." in said
    assert hidden_table.stage == "lobby"


# Gone


async def test_a_player_gone_at_their_turn_is_replaced(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="slow")
    here.guild.remove_member(here.people["ben"])
    await expire_presence_cache(here)
    while here.current_player(table) not in ("ben", None):
        name = here.current_player(table)
        assert name is not None
        await here.act(name, table)
    assert here.current_player(table) == "ben"
    await here.advance(seconds=10)
    assert table.row.chairs[1].house
    assert table.row.chairs[1].away == "left"
    assert f"ben {PLAYER_GONE}" in channel_text(here, table)
    assert f"<@{here.people['ben'].id}>" not in channel_text(here, table)


async def test_a_departed_player_is_detected_within_a_day_and_may_return(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    lobby = await here.open_table("cleo")
    await here.press("ben", lobby, "Join")
    opened = await here.open_hand("ben", table)
    await here.press_in_menu("ben", opened, "Settings", "☐ Hand by DM", "Back to my cards")
    assert here.people["ben"].id in here.parts.delivery.hands.editable(table.id)
    here.guild.remove_member(here.people["ben"])
    await check_memberships(here)
    assert not table.row.chairs[1].house, "a minute ago he clicked"
    await expire_presence_cache(here)
    here_asked = record_requests(here)
    await check_memberships(here)
    assert table.row.chairs[1].house
    assert [chair.name for chair in lobby.row.chairs] == ["cleo"]
    assert "so their seat is free" in channel_text(here, lobby)
    assert sum("members" in each for each in here_asked) == 1
    assert here.people["ben"].id not in here.parts.delivery.hands.editable(table.id), "no hand follows him"
    assert user_outside_servers(here, "ben").dm_channel.history() == []
    here.arrive("ben", user=user_outside_servers(here, "ben"))
    await here.settle()
    shown = await here.open_hand("ben", table)
    assert table.row.chairs[1].house
    await here.press_on("ben", shown, "Take my seat back")
    assert not table.row.chairs[1].house


async def check_memberships(here: World) -> None:
    """Run the membership check."""
    await here.parts.admission.replace_absent_players(here.parts.store.tables, here.parts.tables)
    await here.settle()


async def test_the_clock_checks_memberships_once_a_day(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    await here.advance(hours=25)
    here.guild.remove_member(here.people["ben"])
    await expire_presence_cache(here)
    await here.advance(hours=2)
    assert not table.row.chairs[1].house
    await here.advance(hours=23)
    assert (await here.reload(table)).row.chairs[1].house


async def test_no_hand_by_dm_for_a_player_without_access(here: World, backroom: ChannelHandle) -> None:
    table = await here.start_table("ben", channel=backroom, pace="slow")
    opened = await here.open_hand("ben", table)
    await here.press_in_menu("ben", opened, "Settings", "☐ Hand by DM", "Back to my cards")
    set_roles(here, "ben")
    await expire_presence_cache(here)
    while here.current_player(table) == "ann":
        await here.act("ann", table)
    assert here.current_player(table) == "ben"
    await here.advance(seconds=10)
    assert user_outside_servers(here, "ben").dm_channel.history() == []
    answer = await user_outside_servers(here, "ben").slash("hand", table=table.id)
    assert CHANNEL_UNSEEN in ParsedMessage.of(answer.response.message).text


async def test_a_departed_player_who_writes_by_dm_is_replaced(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    here.guild.remove_member(here.people["ben"])
    await expire_presence_cache(here)
    answer = await user_outside_servers(here, "ben").slash("hand", table=table.id)
    await here.settle()
    assert "You're not on that server any more, so a bot" in ParsedMessage.of(answer.response.message).text
    assert table.row.chairs[1].house
    assert f"ben {PLAYER_GONE}" in channel_text(here, table)


async def test_clicks_cause_no_membership_requests(here: World, backroom: ChannelHandle) -> None:
    table = await here.open_table("ann", backroom, pace="none")
    await here.press("ben", table, "Join")
    said = record_requests(here)
    for _ in range(3):
        await expire_presence_cache(here)
        await here.press("ben", table, "Rules")
    assert [each for each in said if each.startswith("GET")] == []


async def test_a_click_on_the_board_is_trusted_before_the_server_is_loaded(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await here.open_table()
    monkeypatch.setattr(here.bot, "get_guild", lambda _: None)
    await here.press("ben", table, "Join")
    assert [chair.name for chair in table.row.chairs] == ["ann", "ben"]
    answer = await user_outside_servers(here, "ben").slash("hand", table=table.id)
    assert "I'm having trouble reaching Discord" in ParsedMessage.of(answer.response.message).text
