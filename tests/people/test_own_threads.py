"""Notices of those whose direct messages are closed: in a private thread without any secrets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from simcord.backend.models import Channel
from simcord.enums import ChannelType

from bot.domain.working_hours import WorkSchedule
from bot.table.table import Table
from tests.people.test_days import open_working_hours
from tests.people.test_notices import (
    channel_notices,
    choose_notices,
    crash_and_start,
    crash_before_recording_notice,
    direct_messages,
    notices_to_ben,
    start_awaiting_ben,
    user_outside_servers,
)
from tests.people.test_slow_clocks import set_working_hours
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, WorldChannel, world

CALLED = 9.5  # seconds of a turn
CLOSED = "I can't send you direct messages, so I'll"


@pytest_asyncio.fixture
async def shut(here: World) -> World:
    """Ben wants to be told directly, and his direct messages are closed; the bot may open private threads."""
    await here.set_bot_permissions(
        here.channel, create_public_threads=False, create_private_threads=True, attach_files=False
    )
    await close_direct_messages(here, "ben")
    return here


@pytest_asyncio.fixture
async def threaded(tmp_path: Path) -> AsyncIterator[World]:
    """A server where matches have threads of their own, and Ben's direct messages are closed."""
    async with world(tmp_path, threads=True) as made:
        await close_direct_messages(made, "ben")
        yield made


async def close_direct_messages(here: World, name: str, notices: str = "direct") -> None:
    """Choose direct messages for a user whose direct messages are closed."""
    await choose_notices(here, name, notices)
    channel = user_outside_servers(here, name).dm_channel.id
    here.env.inject_error("POST", f"/channels/{channel}/messages", status=403, code=50007, times=None)


def private_threads(here: World) -> list[Channel]:
    """Return the private threads there are, the first first."""
    return [each for each in here.env.backend.channels.values() if each.type == ChannelType.PRIVATE_THREAD]


def only_private_thread(here: World) -> WorldChannel:
    """Return the one private thread there is."""
    (thread,) = private_threads(here)
    return here.channel_handle(thread)


def thread_messages(here: World) -> list[discord.Message]:
    """Return what stands in the private thread that was opened last."""
    return [each for each in here.channel_handle(private_threads(here)[-1]).history() if each.content]


async def play_to_bens_turn(here: World, table: Table) -> None:
    """Play until Ben is awaited again."""
    if here.current_player(table) == "ben":
        await here.act("ben", table)
    while here.current_player(table) != "ben":
        await here.act(here.current_player(table) or "", table)
    await here.advance(minutes=31)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("wish", ["direct", "both"])
async def test_closed_direct_messages_are_replaced_by_a_private_thread_with_one_explanation(
    here: World, wish: str
) -> None:
    await here.set_bot_permissions(
        here.channel, create_public_threads=False, create_private_threads=True, attach_files=False
    )
    await close_direct_messages(here, "ben", wish)
    table = await start_awaiting_ben(here)
    await here.advance(seconds=CALLED)
    thread = private_threads(here)[0]
    assert {here.name_of(user) for user in thread.thread_members} == {"ben", ""}, "and the bot"
    assert (thread.parent_id, thread.name) == (here.channel.id, "When it's your turn")
    (message,) = thread_messages(here)
    assert here.people["ben"].mention in message.content
    assert ", your turn: [Big Two, table 1]" in message.content
    assert CLOSED in message.content
    assert direct_messages(here, "ben") == []
    assert list(ParsedMessage.of(message).buttons) == ["My hand"], "and no card"
    opened = await here.people["ben"].click(message, label="My hand")
    assert "Your turn" in private_reply(opened).text
    await here.act("ben", table)
    assert thread_messages(here) == [], "it goes when he has acted"
    assert [notice.gone for notice in await notices_to_ben(here)] == [True]
    await play_to_bens_turn(here, table)
    (message,) = thread_messages(here)
    assert CLOSED not in message.content
    assert len(private_threads(here)) == 1


async def test_the_explanation_of_the_thread_stays_with_its_first_notice(shut: World) -> None:
    first = await start_awaiting_ben(shut)
    await shut.advance(seconds=CALLED)
    await start_awaiting_ben(shut)
    await shut.advance(minutes=1)
    (message,) = thread_messages(shut)
    assert ("table 2]" in message.content, CLOSED in message.content) == (True, True)
    await shut.act("ben", first)
    assert CLOSED in thread_messages(shut)[0].content


async def test_without_thread_permissions_notices_ping_at_the_table(here: World) -> None:
    await close_direct_messages(here, "ben")
    await start_awaiting_ben(here)
    await here.advance(seconds=CALLED)
    (text,) = channel_notices(here, "ben")
    assert CLOSED in text
    assert (private_threads(here), here.requests("POST", f"/channels/{here.channel.id}/threads")) == ([], 0)
    here.channel = here.channel_handle(here.env.backend.create_channel(here.guild.id, "talk", type=ChannelType.VOICE))
    await start_awaiting_ben(here)
    await here.advance(minutes=31)
    assert (len(channel_notices(here, "ben")), private_threads(here)) == (1, [])


async def test_a_refused_thread_falls_back_to_a_ping_at_the_table(shut: World) -> None:
    shut.env.inject_error("POST", f"/channels/{shut.channel.id}/threads", status=400, code=160006)
    await start_awaiting_ben(shut)
    await shut.advance(seconds=CALLED)
    assert (len(channel_notices(shut, "ben")), private_threads(shut)) == (1, [])


@pytest.mark.rotates(4)
@pytest.mark.parametrize(("status", "code"), [(403, 50083), (403, 160005), (404, 10003), (403, 50001)])
async def test_a_locked_or_deleted_thread_is_reopened_once(shut: World, status: int, code: int) -> None:
    table = await start_awaiting_ben(shut)
    await shut.advance(seconds=CALLED)
    shut.env.inject_error(
        "POST", f"/channels/{only_private_thread(shut).id}/messages", status=status, code=code, times=None
    )
    await play_to_bens_turn(shut, table)
    first, second = private_threads(shut)
    assert thread_messages(shut)[0].channel.id == second.id
    assert table.row.suspended_since is None, "the table has nothing to do with it"
    await shut.restart()
    await play_to_bens_turn(shut, await shut.reload(table))
    assert ([first, second], len(thread_messages(shut))) == (private_threads(shut), 1)


async def test_unwritable_threads_fall_back_to_a_ping_at_the_table(shut: World) -> None:
    table = await start_awaiting_ben(shut)
    shut.env.inject_error("POST", "/channels/*/messages", status=403, code=50083, times=2)  # after the one of Ben
    await shut.advance(seconds=CALLED)
    assert (len(channel_notices(shut, "ben")), len(private_threads(shut))) == (1, 2)
    assert table.row.suspended_since is None


async def test_tables_in_threads_of_a_channel_share_one_notice_thread(threaded: World) -> None:
    here = threaded
    first, second = await start_awaiting_ben(here), await start_awaiting_ben(here)
    assert first.row.home != second.row.home, "each has a thread"
    await here.advance(seconds=CALLED)
    (message,) = thread_messages(here)
    assert private_threads(here)[0].parent_id == here.channel.id
    assert ("table 1]" in message.content, "table 2]" in message.content) == (True, True)
    await here.act("ben", first)
    (message,) = thread_messages(here)
    assert ("table 1]" in message.content, "table 2]" in message.content) == (False, True)
    await here.act("ben", second)
    assert (thread_messages(here), len(private_threads(here))) == ([], 1)


async def test_a_table_in_an_archived_thread_is_still_notified(threaded: World) -> None:
    table = await start_awaiting_ben(threaded)
    await threaded.advance(seconds=CALLED)
    threaded.env.backend.edit_channel(table.row.home, {}, thread_metadata={"archived": True})
    await threaded.settle()
    assert threaded.bot.get_channel(table.row.home) is None
    await threaded.advance(hours=8.1)
    (message,) = thread_messages(threaded)
    assert ", your time runs out <t:" in message.content


async def test_each_channel_has_its_own_notice_thread(shut: World) -> None:
    first, other = shut.channel.id, shut.guild.create_text_channel("more-cards")
    await shut.set_bot_permissions(other, create_public_threads=False, attach_files=False)
    await start_awaiting_ben(shut)
    shut.channel = other
    await start_awaiting_ben(shut)
    await shut.advance(minutes=31)
    assert [each.parent_id for each in private_threads(shut)] == [first, other.id]


async def test_quiet_hours_apply_in_a_notice_thread(shut: World) -> None:
    hour = shut.env.now().hour
    await shut.parts.servers.change(shut.guild.id, shut.ann.id, "zone", "UTC")
    await shut.parts.servers.change(shut.guild.id, shut.ann.id, "quiet", (hour, (hour + 2) % 24))
    await start_awaiting_ben(shut)
    await shut.advance(minutes=90)
    assert private_threads(shut) == []
    await shut.advance(minutes=30)
    assert len(thread_messages(shut)) == 1


async def test_a_stop_duplicates_no_notice_in_a_thread(shut: World, caplog: pytest.LogCaptureFixture) -> None:
    await start_awaiting_ben(shut)
    await crash_before_recording_notice(shut)
    assert len(thread_messages(shut)) == 1
    await crash_and_start(shut)
    await shut.advance(minutes=5)
    assert (len(private_threads(shut)), len(thread_messages(shut)), channel_notices(shut, "ben")) == (1, 1, [])
    assert [notice.channel for notice in await notices_to_ben(shut)] == [only_private_thread(shut).id]
    caplog.clear()


async def crash_before_recording_thread(here: World) -> None:
    """Open Ben's thread, and kill the process before the thread is recorded."""

    async def killed(*_: Any) -> None:
        raise ConnectionError

    here.parts.store.private_threads.keep = killed  # type: ignore[method-assign,assignment]
    await here.advance(seconds=CALLED)
    assert len(private_threads(here)) == 2
    await crash_and_start(here)


async def test_an_unrecorded_thread_is_reused_after_a_stop_but_never_the_thread_of_a_table(
    shut: World, caplog: pytest.LogCaptureFixture
) -> None:
    backend = shut.env.backend
    backend.create_thread(shut.channel.id, "Big Two, table 7", backend.bot_user.id, type=ChannelType.PRIVATE_THREAD)
    await start_awaiting_ben(shut)
    await crash_before_recording_thread(shut)
    await shut.advance(minutes=5)
    members = [{shut.name_of(user) for user in thread.thread_members} for thread in private_threads(shut)]
    assert members == [{""}, {"ben", ""}]
    assert (len(thread_messages(shut)), channel_notices(shut, "ben")) == (1, [])
    caplog.clear()


async def test_a_thread_without_a_record_is_not_reused_for_another_user(shut: World) -> None:
    await start_awaiting_ben(shut, "relaxed 10h", "cleo")
    await shut.advance(seconds=CALLED)
    ben = shut.people["ben"].id
    await shut.parts.store.private_threads.forget(ben, shut.channel.id)
    await shut.parts.preferences.change(shut.people["cleo"].id, notices="thread")
    await shut.act("ben", await shut.parts.tables.get((await shut.parts.store.tables.open_tables())[0]))
    await shut.advance(minutes=31)
    first, second = private_threads(shut)
    assert (ben in first.thread_members, ben in second.thread_members) == (True, False)


async def test_reopened_direct_messages_are_chosen_in_the_notice_settings(shut: World) -> None:
    table = await start_awaiting_ben(shut)
    await shut.advance(seconds=CALLED)
    shut.env.backend.faults.clear()
    menu = await open_working_hours(shut)
    assert any("thread" in values for values in menu.screen.selects.values()), "it says where they go now"
    await menu.choose("day_notice", "direct")
    await play_to_bens_turn(shut, table)
    assert (len(direct_messages(shut, "ben")), thread_messages(shut)) == (1, [])


async def test_a_deleted_user_leaves_no_thread_record(shut: World) -> None:
    await set_working_hours(shut, "ben")
    await start_awaiting_ben(shut)
    await shut.advance(seconds=CALLED)
    ben = shut.people["ben"].id
    assert WorkSchedule() == (await shut.parts.store.people.work_schedules([ben]))[ben]
    assert await shut.parts.store.private_threads.of_person(ben) == {shut.channel.id: only_private_thread(shut).id}
    await shut.parts.retention.forget_person(ben)
    await shut.settle()
    assert (thread_messages(shut), await notices_to_ben(shut)) == ([], ())
    assert await shut.parts.store.private_threads.of_person(ben) == {}
