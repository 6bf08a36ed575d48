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
from tests.people.test_days import clock
from tests.people.test_notices import called, crashed, direct, notices, outside, told_unremembered, waits_for_ben, wants
from tests.people.test_slow_clocks import lives
from tests.support.message_text import Shown, private
from tests.support.world import Room, World, world

CALLED = 9.5  # seconds of a turn
CLOSED = "I can't send you direct messages, so I'll"


@pytest_asyncio.fixture
async def shut(here: World) -> World:
    """Ben wants to be told directly, and his direct messages are closed; the bot may open private threads."""
    await here.let_bot(here.channel, create_public_threads=False, create_private_threads=True, attach_files=False)
    await closed(here, "ben")
    return here


@pytest_asyncio.fixture
async def threaded(tmp_path: Path) -> AsyncIterator[World]:
    """A server where matches have threads of their own, and Ben's direct messages are closed."""
    async with world(tmp_path, threads=True) as made:
        await closed(made, "ben")
        yield made


async def closed(here: World, name: str, notices: str = "direct") -> None:
    """Let a player wish for direct messages whose direct messages are closed."""
    await wants(here, name, notices)
    channel = outside(here, name).dm_channel.id
    here.env.inject_error("POST", f"/channels/{channel}/messages", status=403, code=50007, times=None)


def own_threads(here: World) -> list[Channel]:
    """Return the private threads there are, the first first."""
    return [each for each in here.env.backend.channels.values() if each.type == ChannelType.PRIVATE_THREAD]


def own(here: World) -> Room:
    """Return the one private thread there is."""
    (thread,) = own_threads(here)
    return here.room(thread)


def told(here: World) -> list[discord.Message]:
    """Return what stands in the private thread that was opened last."""
    return [each for each in here.room(own_threads(here)[-1]).history() if each.content]


async def his_turn_again(here: World, table: Table) -> None:
    """Let Ben play if he has not, and the others until it is his turn again."""
    if here.turn(table) == "ben":
        await here.act("ben", table)
    while here.turn(table) != "ben":
        await here.act(here.turn(table) or "", table)
    await here.later(minutes=31)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("wish", ["direct", "both"])
async def test_closed_direct_messages_are_replaced_by_a_private_thread_with_one_explanation(
    here: World, wish: str
) -> None:
    await here.let_bot(here.channel, create_public_threads=False, create_private_threads=True, attach_files=False)
    await closed(here, "ben", wish)
    table = await waits_for_ben(here)
    await here.later(seconds=CALLED)
    thread = own_threads(here)[0]
    assert {here.name_of(user) for user in thread.thread_members} == {"ben", ""}, "and the bot"
    assert (thread.parent_id, thread.name) == (here.channel.id, "When it's your turn")
    (message,) = told(here)
    assert here.people["ben"].mention in message.content
    assert ", your turn: [Big Two, table 1]" in message.content
    assert CLOSED in message.content
    assert direct(here, "ben") == []
    assert list(Shown.of(message).buttons) == ["My hand"], "and no card"
    opened = await here.people["ben"].click(message, label="My hand")
    assert "Your turn" in private(opened).text
    await here.act("ben", table)
    assert told(here) == [], "it goes when he has acted"
    assert [notice.gone for notice in await notices(here)] == [True]
    await his_turn_again(here, table)
    (message,) = told(here)
    assert CLOSED not in message.content
    assert len(own_threads(here)) == 1


async def test_the_explanation_of_the_thread_stays_with_its_first_notice(shut: World) -> None:
    first = await waits_for_ben(shut)
    await shut.later(seconds=CALLED)
    await waits_for_ben(shut)
    await shut.later(minutes=1)
    (message,) = told(shut)
    assert ("table 2]" in message.content, CLOSED in message.content) == (True, True)
    await shut.act("ben", first)
    assert CLOSED in told(shut)[0].content


async def test_without_thread_permissions_notices_ping_at_the_table(here: World) -> None:
    await closed(here, "ben")
    await waits_for_ben(here)
    await here.later(seconds=CALLED)
    (text,) = called(here, "ben")
    assert CLOSED in text
    assert (own_threads(here), here.requests("POST", f"/channels/{here.channel.id}/threads")) == ([], 0)
    here.channel = here.room(here.env.backend.create_channel(here.guild.id, "talk", type=ChannelType.VOICE))
    await waits_for_ben(here)
    await here.later(minutes=31)
    assert (len(called(here, "ben")), own_threads(here)) == (1, [])


async def test_a_refused_thread_falls_back_to_a_ping_at_the_table(shut: World) -> None:
    shut.env.inject_error("POST", f"/channels/{shut.channel.id}/threads", status=400, code=160006)
    await waits_for_ben(shut)
    await shut.later(seconds=CALLED)
    assert (len(called(shut, "ben")), own_threads(shut)) == (1, [])


@pytest.mark.rotates(4)
@pytest.mark.parametrize(("status", "code"), [(403, 50083), (403, 160005), (404, 10003), (403, 50001)])
async def test_a_locked_or_deleted_thread_is_reopened_once(shut: World, status: int, code: int) -> None:
    table = await waits_for_ben(shut)
    await shut.later(seconds=CALLED)
    shut.env.inject_error("POST", f"/channels/{own(shut).id}/messages", status=status, code=code, times=None)
    await his_turn_again(shut, table)
    first, second = own_threads(shut)
    assert told(shut)[0].channel.id == second.id
    assert table.row.suspended_since is None, "the table has nothing to do with it"
    await shut.restart()
    await his_turn_again(shut, await shut.again(table))
    assert ([first, second], len(told(shut))) == (own_threads(shut), 1)


async def test_unwritable_threads_fall_back_to_a_ping_at_the_table(shut: World) -> None:
    table = await waits_for_ben(shut)
    shut.env.inject_error("POST", "/channels/*/messages", status=403, code=50083, times=2)  # after the one of Ben
    await shut.later(seconds=CALLED)
    assert (len(called(shut, "ben")), len(own_threads(shut))) == (1, 2)
    assert table.row.suspended_since is None


async def test_tables_in_threads_of_a_channel_share_one_notice_thread(threaded: World) -> None:
    here = threaded
    first, second = await waits_for_ben(here), await waits_for_ben(here)
    assert first.row.home != second.row.home, "each has a thread"
    await here.later(seconds=CALLED)
    (message,) = told(here)
    assert own_threads(here)[0].parent_id == here.channel.id
    assert ("table 1]" in message.content, "table 2]" in message.content) == (True, True)
    await here.act("ben", first)
    (message,) = told(here)
    assert ("table 1]" in message.content, "table 2]" in message.content) == (False, True)
    await here.act("ben", second)
    assert (told(here), len(own_threads(here))) == ([], 1)


async def test_a_table_in_an_archived_thread_is_still_notified(threaded: World) -> None:
    table = await waits_for_ben(threaded)
    await threaded.later(seconds=CALLED)
    threaded.env.backend.edit_channel(table.row.home, {}, thread_metadata={"archived": True})
    await threaded.settle()
    assert threaded.bot.get_channel(table.row.home) is None
    await threaded.later(hours=8.1)
    (message,) = told(threaded)
    assert ", your time runs out <t:" in message.content


async def test_each_channel_has_its_own_notice_thread(shut: World) -> None:
    first, other = shut.channel.id, shut.guild.create_text_channel("more-cards")
    await shut.let_bot(other, create_public_threads=False, attach_files=False)
    await waits_for_ben(shut)
    shut.channel = other
    await waits_for_ben(shut)
    await shut.later(minutes=31)
    assert [each.parent_id for each in own_threads(shut)] == [first, other.id]


async def test_quiet_hours_apply_in_a_notice_thread(shut: World) -> None:
    hour = shut.env.now().hour
    await shut.parts.servers.change(shut.guild.id, shut.ann.id, "zone", "UTC")
    await shut.parts.servers.change(shut.guild.id, shut.ann.id, "quiet", (hour, (hour + 2) % 24))
    await waits_for_ben(shut)
    await shut.later(minutes=90)
    assert own_threads(shut) == []
    await shut.later(minutes=30)
    assert len(told(shut)) == 1


async def test_a_stop_duplicates_no_notice_in_a_thread(shut: World, caplog: pytest.LogCaptureFixture) -> None:
    await waits_for_ben(shut)
    await told_unremembered(shut)
    assert len(told(shut)) == 1
    await crashed(shut)
    await shut.later(minutes=5)
    assert (len(own_threads(shut)), len(told(shut)), called(shut, "ben")) == (1, 1, [])
    assert [notice.channel for notice in await notices(shut)] == [own(shut).id]
    caplog.clear()


async def opened_unremembered(here: World) -> None:
    """Let Ben's thread be opened, and the process be killed before it is remembered."""

    async def killed(*_: Any) -> None:
        raise ConnectionError

    here.parts.store.private_threads.keep = killed  # type: ignore[method-assign,assignment]
    await here.later(seconds=CALLED)
    assert len(own_threads(here)) == 2
    await crashed(here)


async def test_an_unrecorded_thread_is_reused_after_a_stop_but_never_the_thread_of_a_table(
    shut: World, caplog: pytest.LogCaptureFixture
) -> None:
    backend = shut.env.backend
    backend.create_thread(shut.channel.id, "Big Two, table 7", backend.bot_user.id, type=ChannelType.PRIVATE_THREAD)
    await waits_for_ben(shut)
    await opened_unremembered(shut)
    await shut.later(minutes=5)
    members = [{shut.name_of(user) for user in thread.thread_members} for thread in own_threads(shut)]
    assert members == [{""}, {"ben", ""}]
    assert (len(told(shut)), called(shut, "ben")) == (1, [])
    caplog.clear()


async def test_a_thread_without_a_record_is_not_reused_for_another_user(shut: World) -> None:
    await waits_for_ben(shut, "relaxed 10h", "cleo")
    await shut.later(seconds=CALLED)
    ben = shut.people["ben"].id
    await shut.parts.store.private_threads.forget(ben, shut.channel.id)
    await shut.parts.preferences.change(shut.people["cleo"].id, notices="thread")
    await shut.act("ben", await shut.parts.tables.get((await shut.parts.store.tables.open_tables())[0]))
    await shut.later(minutes=31)
    first, second = own_threads(shut)
    assert (ben in first.thread_members, ben in second.thread_members) == (True, False)


async def test_reopened_direct_messages_are_chosen_in_the_notice_settings(shut: World) -> None:
    table = await waits_for_ben(shut)
    await shut.later(seconds=CALLED)
    shut.env.backend.faults.clear()
    menu = await clock(shut)
    assert any("thread" in values for values in menu.screen.selects.values()), "it says where they go now"
    await menu.choose("day_notice", "direct")
    await his_turn_again(shut, table)
    assert (len(direct(shut, "ben")), told(shut)) == (1, [])


async def test_a_deleted_user_leaves_no_thread_record(shut: World) -> None:
    await lives(shut, "ben")
    await waits_for_ben(shut)
    await shut.later(seconds=CALLED)
    ben = shut.people["ben"].id
    assert WorkSchedule() == (await shut.parts.store.people.work_schedules([ben]))[ben]
    assert await shut.parts.store.private_threads.of_person(ben) == {shut.channel.id: own(shut).id}
    await shut.parts.retention.forget_person(ben)
    await shut.settle()
    assert (told(shut), await notices(shut)) == ([], ())
    assert await shut.parts.store.private_threads.of_person(ben) == {}
