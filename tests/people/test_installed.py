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
from tests.interactions.clicks import picture, send_click
from tests.people.test_desk import PLAYS, can, two
from tests.people.test_notices import waits_for_ben
from tests.support.message_text import private
from tests.support.user_installs import MOST, Elsewhere, in_group, without_bot
from tests.support.world import World

Place: TypeAlias = Callable[[World], Elsewhere]


def server(here: World) -> Elsewhere:
    """A server where the bot is not, of which Ben is a moderator."""
    return without_bot(here, "ben", manage_messages=True, manage_guild=True)


def group(here: World) -> Elsewhere:
    """A group message in which Ann and Dev read along."""
    return in_group(here, "ben", "ann", "dev")


anywhere = pytest.mark.parametrize("place", [server, group])


async def play(there: Elsewhere, shown: InteractionResult) -> InteractionResult:
    """Let Ben take the suggestion of the open hand."""
    if can(private(shown), "Hint"):
        shown = await there.press(shown, "Hint")
    label = can(private(shown), *PLAYS)
    assert label is not None
    return await there.press(shown, label)


async def test_a_user_install_plays_table_after_table(here: World) -> None:
    first, second = await two(here)
    there = server(here)
    shown = await there.desk()
    assert "2 tables are waiting for you." in private(shown).text
    assert "The Deck" in private(shown).text, "the server of the tables"
    shown = await there.press(shown, "Play them here")
    assert "table 2" in private(shown).text
    shown = await play(there, shown)
    assert here.turn(second) != "ben"
    assert "table 1" in private(shown).text
    shown = await play(there, shown)
    assert here.turn(first) != "ben"
    assert "Your tables" in private(shown).text
    assert there.trespasses == []
    assert there.most_followups <= MOST


async def test_a_user_installed_hand_follows_the_game_while_its_token_is_valid(here: World) -> None:
    table = await waits_for_ben(here)
    there = group(here)
    shown = await play(there, await there.press(await there.desk(), "My hand"))
    assert here.turn(table) != "ben"
    while (name := here.turn(table)) not in ("ben", None):
        await here.act(str(name), table)
    assert "Your turn" in private(shown).text
    await here.later(minutes=14)
    asleep = private(shown)
    assert "Your turn" not in asleep.text
    (wake,) = asleep.buttons
    assert "Your turn" in private(await there.press(shown, wake)).text
    assert there.trespasses == []


async def test_a_user_install_without_tables_says_how_to_open_one_and_has_only_the_desk_command(here: World) -> None:
    """The end of a lesson has a button for a new table, also in a direct message."""
    for there in (server(here), group(here)):
        shown = await there.desk()
        assert private(shown).text == "You're not at any table. /deal opens one on any server I'm on."
        assert shown.response
        told = await send_click(here, there.who, shown.response.message, str(Browse.to(NEW_TABLE, "big_two")))
        assert private(told).text == "Type /deal on a server that I'm on."
    commands = here.env.backend.commands[None].values()
    assert [each["name"] for each in commands if 1 in each["integration_types"]] == ["desk"]


@pytest.mark.rotates(2)
@anywhere
async def test_a_player_who_left_the_server_loses_access_from_user_installs_too(here: World, place: Place) -> None:
    table = await waits_for_ben(here)
    there = place(here)
    shown = await there.desk()
    here.guild.remove_member(here.people["ben"])
    await here.later(minutes=5)
    answer = await there.press(shown, "My hand")
    assert private(answer).text == GONE
    assert table.row.chairs[table.scene(None).seat or 1].house


async def test_a_moderator_of_a_server_without_the_bot_has_no_powers(here: World) -> None:
    table = await waits_for_ben(here)
    there = server(here)
    shown = await there.desk()
    assert shown.response is not None
    before = await here.parts.store.servers.known()
    for address in (f"bg:{table.id}:pause", str(Browse.to(SET, "slow"))):
        await send_click(here, there.who, shown.response.message, address, ["no"])
    assert not table.scene(None).wait.paused
    assert await here.parts.store.servers.known() == before
    assert str(there.guild) not in str(list(here.parts.presence._known))


async def test_a_message_visible_to_a_group_never_becomes_a_hand(here: World) -> None:
    await waits_for_ben(here)
    there = group(here)
    shown = await there.desk()
    assert shown.response is not None
    seen = picture(here, shown.response.message) | {"flags": 0}
    answer = await send_click(here, there.who, shown.response.message, str(Browse.to(DESK)), seen=seen)
    assert "Your turn" in private(answer).text
    assert answer.response is not None
    assert answer.response.id != shown.response.id
    assert "Your tables" in private(shown).text
