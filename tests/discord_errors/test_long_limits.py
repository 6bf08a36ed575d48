"""Discord limits requests for minutes: nothing is lost, and a person who waits reads a sentence in time.

The seconds are those seen for making threads (scope shared, discord-api-docs #7816).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio

from bot.interactions import commands
from bot.interactions.dispatcher import LIMITED
from bot.runtime.discord_requests import MAX_WAIT
from tests.discord_errors.discord_outages import SEND, board_ply, move, started, wait
from tests.people.test_hand_end import finish_match
from tests.people.test_moments_shared import open_match_directly
from tests.people.test_posting import bot_permissions, private_thread
from tests.people.test_same_deals import open_shared_table
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

LONG = 219.0
EDIT, MAKE = "/channels/*/messages/*", "/channels/*threads"


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """A server where the bot may open threads."""
    async with world(tmp_path, threads=True) as made:
        yield made


async def test_the_simulated_discord_limits_as_discord_py_does(here: World) -> None:
    http, where = here.bot.http, here.bot.get_partial_messageable(here.channel.id)
    assert http.max_ratelimit_timeout == MAX_WAIT
    here.env.limit("POST", SEND, MAX_WAIT + 1)
    with pytest.raises(discord.RateLimited) as raised:
        await where.send("too soon")
    assert raised.value.retry_after == pytest.approx(MAX_WAIT + 1)
    assert not isinstance(raised.value, discord.HTTPException)
    await wait(here, MAX_WAIT + 1)
    await where.send("in time")
    before = len(here.channel.history())
    here.env.limit("POST", SEND, 20.0)
    await here.ann.slash(here.channel, "deal")
    await wait(here, 10.0)
    assert len(here.channel.history()) == before, "it sleeps"
    await wait(here, 10.0)
    assert len(here.channel.history()) == before + 1


async def test_a_board_that_may_not_be_posted_for_minutes_is_posted_then(here: World) -> None:
    here.env.limit("POST", SEND, LONG)
    await here.ann.slash(here.channel, "deal")
    await here.settle()
    (number,) = await here.parts.store.tables.open_tables()
    assert not (await here.parts.tables.get(number)).row.message
    await wait(here, LONG / 2)
    assert not (await here.parts.tables.get(number)).row.message
    await wait(here, LONG)
    assert "Join" in here.read_board(await here.parts.tables.get(number)).buttons


async def test_a_board_that_may_not_be_edited_for_minutes_shows_then_how_it_stands(here: World) -> None:
    table = await started(here)
    here.env.limit("PATCH", EDIT, LONG)
    await move(here, table)
    assert board_ply(here, table) == -1
    await wait(here, LONG + 1)
    assert board_ply(here, table) == table.state.ply


async def test_news_that_may_not_be_sent_for_minutes_are_sent_then(here: World) -> None:
    table = await finish_match(here, "ben")
    here.env.limit("POST", SEND, LONG)
    await here.press("ann", table, "Rematch")
    assert not [text for text in here.channel_texts(table) if "wants a rematch" in text]
    await wait(here, LONG + 1)
    assert len([text for text in here.channel_texts(table) if "wants a rematch" in text]) == 1


async def test_who_is_to_act_is_called_once_the_limit_is_over(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", hands=1, pace="live")
    here.env.limit("POST", SEND, LONG / 4)
    await wait(here, 25)
    assert not here.channel_texts(table)
    await wait(here, LONG / 4)
    assert here.channel_texts(table)


async def test_where_no_thread_may_be_made_for_minutes_a_match_begins_in_its_channel(wide: World) -> None:
    table = await wide.open_table()
    await wide.fill_up("ann", table)
    wide.env.limit("POST", MAKE, LONG)
    await wide.press("ann", table, "Start")
    assert (table.stage, table.row.home) == ("playing", wide.channel.id)
    assert board_ply(wide, table) == table.state.ply


async def test_where_no_private_thread_may_be_made_the_host_reads_so_and_starts_later(wide: World) -> None:
    table = await open_shared_table(wide)
    await wide.advance(seconds=3)
    await wide.press("ben", table, "Join")
    wide.env.limit("POST", MAKE, LONG)
    said = private_reply(await wide.press("ann", table, "Start")).text
    assert said.startswith("Discord didn't let me open a private thread")
    assert table.stage == "lobby"
    await wait(wide, LONG)
    await wide.press("ann", table, "Start")
    assert (await wide.reload(table)).stage == "playing"
    assert table.row.home != wide.channel.id


async def test_what_a_person_waits_for_is_answered_in_a_sentence(here: World) -> None:
    await finish_match(here, "ben")
    playback = await open_match_directly(here, "dev", "1")
    here.env.limit("POST", SEND, LONG)
    await here.press_in_menu("dev", playback, "Share…")
    assert private_reply(await here.press_on("dev", playback, "Post in this channel")).text == LIMITED
    await wait(here, LONG)
    assert (
        "Everyone here can see it now"
        in private_reply(await here.press_on("dev", playback, "Post in this channel")).text
    )


async def test_a_table_that_moves_is_shown_there_once_the_limit_is_over(here: World) -> None:
    table, other = await here.open_table(), here.guild.create_text_channel("other")
    here.env.limit("POST", f"/channels/{other.id}/messages", LONG)
    await here.slash("ann", "table move", other, table=table.id)
    assert not table.row.message
    await wait(here, LONG + 1)
    assert "Join" in here.read_board(await here.reload(table)).buttons


async def test_a_message_that_may_not_be_deleted_for_minutes_is_deleted_then(here: World) -> None:
    table, other = await here.open_table(), here.guild.create_text_channel("other")
    old = table.row.message
    here.env.limit("DELETE", EDIT, LONG)
    await here.slash("ann", "table move", other, table=table.id)
    assert old in [each.id for each in here.channel.history()]
    await wait(here, LONG + 1)
    assert old not in [each.id for each in here.channel.history()]


async def test_a_thread_that_the_bot_may_not_join_for_minutes_is_no_thread_it_is_not_let_into(here: World) -> None:
    thread = await private_thread(
        here, here.guild.create_text_channel("inside", overwrites=bot_permissions(here, manage_threads=False))
    )
    here.env.backend.remove_thread_member(thread.id, here.env.backend.bot_user.id)
    await here.settle()
    here.env.limit("PUT", "/channels/*/thread-members/@me", LONG)
    assert (await here.slash("ann", "deal", thread)).text == LIMITED
    assert not await here.parts.store.tables.open_tables()


async def test_commands_that_may_not_be_registered_for_minutes_are_registered_then(here: World) -> None:
    asked = []

    async def limited(*_: object) -> None:
        asked.append(here.env.now())
        if len(asked) == 1:
            raise discord.RateLimited(LONG)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "register", limited)
        await here.restart()
        assert len(asked) == 1
        await here.open_table()
        await wait(here, LONG + 1)
        assert len(asked) == 2


async def test_an_open_hand_that_may_not_be_edited_for_minutes_holds_up_no_other(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", hands=1, pace="none")
    hands = [await here.open_hand(name, table) for name in ("ben", "cleo", "dev")]
    before = [private_reply(hand).text for hand in hands]
    adapter, slept = here.env._webhook_adapter, list[str]()
    request = adapter.request

    async def limited(route: Any, *rest: Any, **how: Any) -> Any:
        if route.method == "PATCH" and not slept:
            slept.append(route.path)
            await asyncio.sleep(LONG)  # as discord.py does, which knows no longest time for webhooks
        return await request(route, *rest, **how)

    adapter.request = limited
    await move(here, table, "ann")
    await wait(here, MAX_WAIT + 5)
    assert len(slept) == 1
    assert here.current_player(table) == "ben"
    changed = [private_reply(hand).text != text for hand, text in zip(hands, before, strict=True)]
    assert changed == [False, True, True]


async def test_a_lobby_that_may_not_be_edited_for_minutes_points_to_its_thread_then(wide: World) -> None:
    table = await wide.open_table()
    lobby = table.row.message
    wide.env.limit("PATCH", EDIT, LONG)
    await wide.press("ann", table, "Play now")
    await wait(wide, LONG + 60)
    texts = [ParsedMessage.of(each).text for each in wide.channel.history() if each.id == lobby]
    assert [f"<#{table.row.home}>" in text for text in texts] == [True]
    (first, *_) = [each for each in wide.channel_of(table).history() if each.content][-1:]
    assert f"<@{wide.ann.id}>" in first.content, "everybody is named there, in one message"
    assert "Cards are dealt!" in first.content
    named = ("is played here", "Cards are dealt!")
    assert sum(any(one in each.content for one in named) for each in wide.channel_of(table).history()) == 1
