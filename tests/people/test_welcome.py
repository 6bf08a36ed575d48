"""First sight: the welcome on a server, tables opened from it, and who would like to hear of the next one."""

from __future__ import annotations

import discord
import pytest
from simcord.results import InteractionResult

from bot.table.table import Table
from tests.people.test_retention import report_removal, report_return
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World


async def add_server(here: World) -> None:
    """Remove the bot from the server and add it again."""
    await report_removal(here)
    await report_return(here)


def welcome_messages(here: World) -> list[discord.Message]:
    """Return the welcomes that stand in the channel."""
    return [each for each in here.channel.history() if "Card games for your friends" in ParsedMessage.of(each).text]


async def join_and_greet(here: World) -> discord.Message:
    """Add the bot to the server; return the welcome."""
    here.bot.dispatch("first_sight", here.bot.get_channel(here.channel.id))
    await here.settle()
    (message,) = welcome_messages(here)
    return message


async def press_welcome(here: World, name: str, message: discord.Message, label: str) -> InteractionResult:
    """Press a button of the welcome."""
    result = await here.people[name].click(message, label=label)
    await here.settle()
    return result


async def newest(here: World) -> Table:
    """Return the table that was opened last."""
    return await here.parts.tables.get(max(await here.parts.store.tables.open_tables()))


async def test_a_server_is_welcomed_once_in_its_system_channel(here: World) -> None:
    await add_server(here)
    assert not welcome_messages(here), "it has no such channel"
    here.env.backend.guilds[here.guild.id].system_channel_id = here.channel.id
    await here.set_bot_permissions(here.channel, send_messages=False)
    await add_server(here)
    assert not welcome_messages(here)
    await here.set_bot_permissions(here.channel, send_messages=None)
    await add_server(here)
    await add_server(here)
    assert len(welcome_messages(here)) == 1


async def test_every_game_is_a_button_that_opens_a_table(here: World) -> None:
    message = await join_and_greet(here)
    labels = list(ParsedMessage.of(message).buttons)
    assert "A · 👥\u00a03–\u20609\u00a0·\u00a010\u00a0min" in labels[3], "a line ends after the name"
    assert [label.replace("\u00a0", " ").replace("\u2060", "") for label in labels] == [
        "Big Two · 👥 2–5 · 5 min",
        "Big A · 👥 5 · 30 min",
        "Tàihé A Bāo · 👥 3–5 · 5 min",
        "The Big and the Little A · 👥 3–9 · 10 min",
        "Tiến Lên · 👥 2–4 · 5 min",
        "Tell me when a table opens here",
    ]
    await press_welcome(here, "ben", message, labels[4])
    table = await newest(here)
    assert (table.row.game, [chair.name for chair in table.row.chairs]) == ("tien_len", ["ben"])


async def test_a_user_who_asked_is_pinged_once_for_the_next_table(here: World) -> None:
    message = await join_and_greet(here)
    told = private_reply(await press_welcome(here, "ben", message, "Tell me when a table opens here")).text
    assert told.startswith("I'll ping you here once when a table opens")
    elsewhere = await here.open_table(channel=here.guild.create_text_channel("elsewhere"))
    table = await here.open_table()
    call = f"<@{here.people['ben'].id}>: a table is open. Big Two, table 2"
    assert here.channel_texts(table) == [call]
    assert not here.channel_texts(elsewhere)
    assert here.channel_texts(await here.open_table("cleo")) == [call], "once"
    await here.press("ann", table, "Close this table")
    assert not here.channel_texts(table)


async def test_users_who_withdrew_opened_it_or_came_late_are_not_pinged(here: World) -> None:
    message = await join_and_greet(here)
    for name in ("ann", "ben"):
        told = await press_welcome(here, name, message, "Tell me when a table opens here")
    assert private_reply(await here.press_on("ben", told, "Don't ping me")).text == "OK, no ping."
    assert not here.channel_texts(await here.open_table())
    await press_welcome(here, "ben", message, "Tell me when a table opens here")
    await here.advance(days=8)
    assert "a table is open" not in str(here.channel_texts(await here.open_table("cleo")))


async def test_a_second_click_is_acknowledged_and_a_button_unsubscribes_even_after_a_restart(
    here: World,
) -> None:
    message = await join_and_greet(here)
    for _ in range(2):
        told = await press_welcome(here, "ben", message, "Tell me when a table opens here")
        assert private_reply(told).text.startswith("I'll ping you here once when a table opens")
    await here.restart()
    table = await here.open_table()
    assert here.channel_texts(table) == [f"<@{here.people['ben'].id}>: a table is open. Big Two, table 1"]
    await here.press("ann", table, "Close this table")
    again = await press_welcome(here, "ben", message, "Tell me when a table opens here")
    assert private_reply(await here.press_on("ben", again, "Don't ping me")).text == "OK, no ping."
    assert not here.channel_texts(await here.open_table("cleo"))


async def test_simultaneous_requests_for_the_next_table_ping_once(here: World) -> None:
    message = await join_and_greet(here)
    await here.click_at_once([("ben", "Tell me when a table opens here")] * 2, message)
    assert len(here.channel_texts(await here.open_table())) == 1


async def test_without_options_the_latest_game_of_the_channel_opens(here: World) -> None:
    await here.start_table(game="tien_len", hands=3)
    table = await here.open_table("ben")
    assert (table.row.game, table.row.options) == ("tien_len", {"match_end": "deals", "deals": 3})
    offered = await here.ann.autocomplete(here.channel, "deal", "game", "")
    assert offered[0]["value"] == "tien_len"
    other = await here.open_table("cleo", here.guild.create_text_channel("elsewhere"))
    assert other.row.game == "big_two"


async def test_requests_for_the_next_table_are_deleted_with_user_or_server(here: World) -> None:
    message, channel = await join_and_greet(here), here.channel.id
    for name in ("ben", "cleo"):
        await press_welcome(here, name, message, "Tell me when a table opens here")
    ben, cleo = (here.people[name].id for name in ("ben", "cleo"))
    assert [row["channel"] for row in (await here.parts.store.person_data(ben))["waits"]] == [channel]
    await here.parts.store.deletions.forget_person(ben)
    assert (await here.parts.store.person_data(ben)).get("waits", []) == []
    assert len((await here.parts.store.person_data(cleo))["waits"]) == 1
    await here.parts.store.deletions.forget_server(here.guild.id)
    assert (await here.parts.store.person_data(cleo)).get("waits", []) == []
    assert not await here.parts.store.social.call_waiting(
        channel, "big_two", here.env.now(), lambda users: pytest.fail(f"{users}")
    )
