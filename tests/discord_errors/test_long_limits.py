"""Discord limits requests for minutes: no message is lost, and waiting users get an answer in time.

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
from tests.discord_errors.discord_outages import SEND, board_ply, move, start_match, wait
from tests.people.test_hand_end import finish_match
from tests.people.test_moments_shared import open_match_directly
from tests.people.test_posting import bot_permissions, private_thread
from tests.people.test_same_deals import open_shared_table
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

LIMIT_SECONDS = 219.0
EDIT_PATH, CREATE_THREAD_PATH = "/channels/*/messages/*", "/channels/*threads"


@pytest_asyncio.fixture
async def threaded(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a server where the bot may open threads."""
    async with world(tmp_path, threads=True) as made:
        yield made


async def test_the_simulated_discord_sleeps_for_a_limit_as_discord_py_does(here: World) -> None:
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
    assert len(here.channel.history()) == before, "the request waits for the limit"
    await wait(here, 10.0)
    assert len(here.channel.history()) == before + 1


async def test_a_board_that_is_limited_for_minutes_is_posted_afterwards(here: World) -> None:
    here.env.limit("POST", SEND, LIMIT_SECONDS)
    await here.ann.slash(here.channel, "deal")
    await here.settle()
    (number,) = await here.parts.store.tables.open_tables()
    assert not (await here.parts.tables.get(number)).row.message
    await wait(here, LIMIT_SECONDS / 2)
    assert not (await here.parts.tables.get(number)).row.message
    await wait(here, LIMIT_SECONDS)
    assert "Join" in here.read_board(await here.parts.tables.get(number)).buttons


async def test_a_board_whose_edits_are_limited_for_minutes_is_current_afterwards(here: World) -> None:
    table = await start_match(here)
    here.env.limit("PATCH", EDIT_PATH, LIMIT_SECONDS)
    await move(here, table)
    assert board_ply(here, table) == -1
    await wait(here, LIMIT_SECONDS + 1)
    assert board_ply(here, table) == table.state.ply


async def test_announcements_that_are_limited_for_minutes_are_sent_afterwards(here: World) -> None:
    table = await finish_match(here, "ben")
    here.env.limit("POST", SEND, LIMIT_SECONDS)
    await here.press("ann", table, "Rematch")
    assert not [text for text in here.channel_texts(table) if "wants a rematch" in text]
    await wait(here, LIMIT_SECONDS + 1)
    assert len([text for text in here.channel_texts(table) if "wants a rematch" in text]) == 1


async def test_the_awaited_player_is_pinged_after_the_limit(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", hands=1, pace="live")
    here.env.limit("POST", SEND, LIMIT_SECONDS / 4)
    await wait(here, 25)
    assert not here.channel_texts(table)
    await wait(here, LIMIT_SECONDS / 4)
    assert here.channel_texts(table)


async def test_a_match_starts_in_its_channel_while_threads_are_limited(threaded: World) -> None:
    table = await threaded.open_table()
    await threaded.fill_up("ann", table)
    threaded.env.limit("POST", CREATE_THREAD_PATH, LIMIT_SECONDS)
    await threaded.press("ann", table, "Start")
    assert (table.stage, table.row.home) == ("playing", threaded.channel.id)
    assert board_ply(threaded, table) == table.state.ply


async def test_the_host_reads_that_private_threads_are_limited_and_starts_later(threaded: World) -> None:
    table = await open_shared_table(threaded)
    await threaded.advance(seconds=3)
    await threaded.press("ben", table, "Join")
    threaded.env.limit("POST", CREATE_THREAD_PATH, LIMIT_SECONDS)
    said = private_reply(await threaded.press("ann", table, "Start")).text
    assert said.startswith("Discord didn't let me open a private thread")
    assert table.stage == "lobby"
    await wait(threaded, LIMIT_SECONDS)
    await threaded.press("ann", table, "Start")
    assert (await threaded.reload(table)).stage == "playing"
    assert table.row.home != threaded.channel.id


async def test_a_user_whose_request_is_limited_gets_a_sentence(here: World) -> None:
    await finish_match(here, "ben")
    playback = await open_match_directly(here, "dev", "1")
    here.env.limit("POST", SEND, LIMIT_SECONDS)
    await here.press_in_menu("dev", playback, "Share…")
    assert private_reply(await here.press_on("dev", playback, "Post in this channel")).text == LIMITED
    await wait(here, LIMIT_SECONDS)
    assert (
        "Everyone here can see it now"
        in private_reply(await here.press_on("dev", playback, "Post in this channel")).text
    )


async def test_a_moved_table_is_shown_in_its_new_channel_after_the_limit(here: World) -> None:
    table, other = await here.open_table(), here.guild.create_text_channel("other")
    here.env.limit("POST", f"/channels/{other.id}/messages", LIMIT_SECONDS)
    await here.slash("ann", "table move", other, table=table.id)
    assert not table.row.message
    await wait(here, LIMIT_SECONDS + 1)
    assert "Join" in here.read_board(await here.reload(table)).buttons


async def test_a_message_whose_deletion_is_limited_is_deleted_afterwards(here: World) -> None:
    table, other = await here.open_table(), here.guild.create_text_channel("other")
    old = table.row.message
    here.env.limit("DELETE", EDIT_PATH, LIMIT_SECONDS)
    await here.slash("ann", "table move", other, table=table.id)
    assert old in [each.id for each in here.channel.history()]
    await wait(here, LIMIT_SECONDS + 1)
    assert old not in [each.id for each in here.channel.history()]


async def test_a_limited_join_of_a_thread_is_not_reported_as_a_missing_permission(here: World) -> None:
    thread = await private_thread(
        here, here.guild.create_text_channel("inside", overwrites=bot_permissions(here, manage_threads=False))
    )
    here.env.backend.remove_thread_member(thread.id, here.env.backend.bot_user.id)
    await here.settle()
    here.env.limit("PUT", "/channels/*/thread-members/@me", LIMIT_SECONDS)
    assert (await here.slash("ann", "deal", thread)).text == LIMITED
    assert not await here.parts.store.tables.open_tables()


async def test_commands_whose_registration_is_limited_are_registered_afterwards(here: World) -> None:
    asked = []

    async def limited(*_: object) -> None:
        asked.append(here.env.now())
        if len(asked) == 1:
            raise discord.RateLimited(LIMIT_SECONDS)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "register", limited)
        await here.restart()
        assert len(asked) == 1
        await here.open_table()
        await wait(here, LIMIT_SECONDS + 1)
        assert len(asked) == 2


async def test_an_open_hand_whose_edits_are_limited_delays_no_other_hand(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", hands=1, pace="none")
    hands = [await here.open_hand(name, table) for name in ("ben", "cleo", "dev")]
    before = [private_reply(hand).text for hand in hands]
    adapter, slept = here.env._webhook_adapter, list[str]()
    request = adapter.request

    async def limited(route: Any, *rest: Any, **how: Any) -> Any:
        if route.method == "PATCH" and not slept:
            slept.append(route.path)
            await asyncio.sleep(LIMIT_SECONDS)  # as discord.py does, without a timeout for webhooks
        return await request(route, *rest, **how)

    adapter.request = limited
    await move(here, table, "ann")
    await wait(here, MAX_WAIT + 5)
    assert len(slept) == 1
    assert here.current_player(table) == "ben"
    changed = [private_reply(hand).text != text for hand, text in zip(hands, before, strict=True)]
    assert changed == [False, True, True]


async def test_a_lobby_whose_edits_are_limited_points_to_its_thread_afterwards(threaded: World) -> None:
    table = await threaded.open_table()
    lobby = table.row.message
    threaded.env.limit("PATCH", EDIT_PATH, LIMIT_SECONDS)
    await threaded.press("ann", table, "Play now")
    await wait(threaded, LIMIT_SECONDS + 60)
    texts = [ParsedMessage.of(each).text for each in threaded.channel.history() if each.id == lobby]
    assert [f"<#{table.row.home}>" in text for text in texts] == [True]
    (first, *_) = [each for each in threaded.channel_of(table).history() if each.content][-1:]
    assert f"<@{threaded.ann.id}>" in first.content, "one message mentions all players"
    assert "Cards are dealt!" in first.content
    named = ("is played here", "Cards are dealt!")
    assert sum(any(one in each.content for one in named) for each in threaded.channel_of(table).history()) == 1
