"""The desk where the bot is not: on a server and in a group message of a user who installed the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from simcord.results import InteractionResult

from bot.members.admission import GONE
from bot.show.hand.desk import DESK
from bot.show.kit.custom_ids import Browse
from bot.show.server.settings import SET
from bot.show.table.outside import NEW_TABLE
from tests.interactions.clicks import message_snapshot, send_click
from tests.people.test_desk import PLAYS, enabled_button, start_two_waiting_tables
from tests.people.test_notices import start_awaiting_ben
from tests.support.message_text import private_reply
from tests.support.user_installs import MAX_FOLLOWUPS, PlaceWithoutBot, group_without_bot, server_without_bot
from tests.support.world import World

Place: TypeAlias = Callable[[World], PlaceWithoutBot]


def bens_server(here: World) -> PlaceWithoutBot:
    """A server where the bot is not, of which Ben is a moderator."""
    return server_without_bot(here, "ben", manage_messages=True, manage_guild=True)


def bens_group(here: World) -> PlaceWithoutBot:
    """A group message in which Ann and Dev read along."""
    return group_without_bot(here, "ben", "ann", "dev")


in_every_place = pytest.mark.parametrize("place", [bens_server, bens_group])


async def play_suggestion(there: PlaceWithoutBot, shown: InteractionResult) -> InteractionResult:
    """Play the suggestion of Ben's open hand."""
    if enabled_button(private_reply(shown), "Hint"):
        shown = await there.press(shown, "Hint")
    label = enabled_button(private_reply(shown), *PLAYS)
    assert label is not None
    return await there.press(shown, label)


async def test_a_user_install_plays_table_after_table(here: World) -> None:
    first, second = await start_two_waiting_tables(here)
    there = bens_server(here)
    shown = await there.desk()
    assert "2 tables are waiting for you." in private_reply(shown).text
    assert "The Deck" in private_reply(shown).text, "the server of the tables"
    shown = await there.press(shown, "Play them here")
    assert "table 2" in private_reply(shown).text
    shown = await play_suggestion(there, shown)
    assert here.current_player(second) != "ben"
    assert "table 1" in private_reply(shown).text
    shown = await play_suggestion(there, shown)
    assert here.current_player(first) != "ben"
    assert "Your tables" in private_reply(shown).text
    assert there.trespasses == []
    assert there.most_followups <= MAX_FOLLOWUPS


async def test_a_user_installed_hand_follows_the_game_while_its_token_is_valid(here: World) -> None:
    table = await start_awaiting_ben(here)
    there = bens_group(here)
    shown = await play_suggestion(there, await there.press(await there.desk(), "My hand"))
    assert here.current_player(table) != "ben"
    while (name := here.current_player(table)) not in ("ben", None):
        await here.act(str(name), table)
    assert "Your turn" in private_reply(shown).text
    await here.advance(minutes=14)
    asleep = private_reply(shown)
    assert "Your turn" not in asleep.text
    (wake,) = asleep.buttons
    assert "Your turn" in private_reply(await there.press(shown, wake)).text
    assert there.trespasses == []


async def test_a_user_install_without_tables_says_how_to_open_one_and_has_only_the_desk_command(here: World) -> None:
    """The end of a lesson has a button for a new table, also in a direct message."""
    for there in (bens_server(here), bens_group(here)):
        shown = await there.desk()
        assert private_reply(shown).text == "You're not at any table. /deal opens one on any server I'm on."
        assert shown.response
        told = await send_click(here, there.who, shown.response.message, str(Browse.to(NEW_TABLE, "big_two")))
        assert private_reply(told).text == "Type /deal on a server that I'm on."
    commands = here.env.backend.commands[None].values()
    assert [each["name"] for each in commands if 1 in each["integration_types"]] == ["desk"]


@pytest.mark.rotates(2)
@in_every_place
async def test_a_player_who_left_the_server_loses_access_from_user_installs_too(here: World, place: Place) -> None:
    table = await start_awaiting_ben(here)
    there = place(here)
    shown = await there.desk()
    here.guild.remove_member(here.people["ben"])
    await here.advance(minutes=5)
    answer = await there.press(shown, "My hand")
    assert private_reply(answer).text == GONE
    assert table.row.chairs[table.scene(None).seat or 1].house


async def test_a_moderator_of_a_server_without_the_bot_has_no_powers(here: World) -> None:
    table = await start_awaiting_ben(here)
    there = bens_server(here)
    shown = await there.desk()
    assert shown.response is not None
    before = await here.parts.store.servers.known()
    for address in (f"bg:{table.id}:pause", str(Browse.to(SET, "slow"))):
        await send_click(here, there.who, shown.response.message, address, ["no"])
    assert not table.scene(None).wait.paused
    assert await here.parts.store.servers.known() == before
    assert str(there.guild) not in str(list(here.parts.presence._known))


async def test_a_message_visible_to_a_group_never_becomes_a_hand(here: World) -> None:
    await start_awaiting_ben(here)
    there = bens_group(here)
    shown = await there.desk()
    assert shown.response is not None
    seen = message_snapshot(here, shown.response.message) | {"flags": 0}
    answer = await send_click(here, there.who, shown.response.message, str(Browse.to(DESK)), seen=seen)
    assert "Your turn" in private_reply(answer).text
    assert answer.response is not None
    assert answer.response.id != shown.response.id
    assert "Your tables" in private_reply(shown).text
