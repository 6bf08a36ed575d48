"""Notices of slow tables: when people are told, where, what they read, and that a stop loses and doubles none."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from itertools import count
from typing import Any

import discord
import pytest
from simcord import UserHandle

from bot.delivery.notifications import notice_policy
from bot.domain.working_hours import WorkSchedule
from bot.store.repositories import notices as notice_scheduler
from bot.store.rows import TurnNotice
from bot.table.core.commands import RecomputeDeadline
from bot.table.table import Table
from tests.people.test_days import open_working_hours
from tests.people.test_slow_clocks import BERLIN, MANILA, set_working_hours
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SimulatedClock, World

NOTICE_SECONDS = 9.5  # seconds of a turn


def user_outside_servers(here: World, name: str) -> UserHandle:
    """Return a player outside of any server."""
    return UserHandle(here.env, here.env.backend.users[here.people[name].id])


def direct_messages(here: World, name: str) -> list[discord.Message]:
    """Return the direct messages a player has from the bot."""
    return user_outside_servers(here, name).dm_channel.history()


def channel_notices(here: World, name: str) -> list[str]:
    """Return what calls a player in the channel."""
    return [each.content for each in here.channel.history() if here.people[name].mention in each.content]


async def choose_notices(here: World, name: str, notices: str) -> None:
    """Choose where a user is notified."""
    await here.parts.preferences.change(here.people[name].id, notices=notices)


async def start_awaiting_ben(here: World, pace: str = "relaxed 10h", *others: str, by: str = "ann") -> Table:
    """Start a match with Ben to move, or with the given player as opener.

    others: who sits there as well, in place of house players.
    """
    table = await here.open_table(by, pace=pace)
    for name in ("ben", *others):
        await here.sit_down(name, table)
    await here.fill_up(by, table)
    await here.advance(minutes=3)  # in which nobody acts
    await here.begin(by, table)
    if by == "ann":
        await here.play_directly("ann", table, "3d 3c")
    return table


async def test_a_notice_names_the_waiting_table_its_recent_moves_and_has_a_button(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="relaxed 10h")
    for name in ("ann", "ben", "cleo"):
        await here.act(name, table)
    while here.current_player(table) != "ben":
        await here.act(here.current_player(table) or "", table)
    await here.advance(minutes=3)
    (message,) = [each for each in here.channel.history() if here.people["ben"].mention in each.content]
    first, since = message.content.splitlines()
    assert "your turn: [Big Two, table 1]" in first
    assert "<t:" in first, "until when"
    assert since.startswith("-# Since your turn: ")
    assert direct_messages(here, "ben") == [], "nobody is written to who has not said yes to that"
    opened = await here.people["ben"].click(message, label="My hand")
    assert "Your turn" in private_reply(opened).text


async def test_several_tables_share_one_notice_that_drops_played_ones(here: World) -> None:
    first, second = await start_awaiting_ben(here), await start_awaiting_ben(here)
    await here.advance(seconds=NOTICE_SECONDS)
    (text,) = channel_notices(here, "ben")
    assert "[Big Two, table 1]" in text
    assert "[Big Two, table 2]" in text
    await here.act("ben", first)
    (text,) = channel_notices(here, "ben")
    assert "table 1]" not in text
    assert "your turn: [Big Two, table 2]" in text
    await here.act("ben", second)
    assert channel_notices(here, "ben") == []


async def test_no_notice_is_sent_in_a_players_sleep(here: World) -> None:
    await set_working_hours(here, "ben", BERLIN)  # where it is one at night
    await start_awaiting_ben(here)
    await here.advance(hours=5)
    assert channel_notices(here, "ben") == []
    await here.advance(hours=2)
    assert len(channel_notices(here, "ben")) == 1


async def test_no_notice_is_sent_in_quiet_hours_or_beyond_the_channel_limit(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_policy, "PER_CHANNEL", 1)
    hour = here.env.now().hour
    await here.parts.servers.change(here.guild.id, here.ann.id, "zone", "UTC")
    await here.parts.servers.change(here.guild.id, here.ann.id, "quiet", (hour, (hour + 2) % 24))
    table = await start_awaiting_ben(here, "relaxed 10h", "cleo")
    await here.advance(minutes=90)
    assert channel_notices(here, "ben") == []
    await here.advance(minutes=30)
    assert len(channel_notices(here, "ben")) == 1
    await here.act("ben", table)
    assert here.current_player(await here.reload(table)) == "cleo"
    await here.advance(minutes=55)
    assert channel_notices(here, "cleo") == []
    await here.advance(minutes=6)
    assert len(channel_notices(here, "cleo")) == 1


async def test_a_player_who_opened_the_hand_gets_only_a_reminder(
    here: World,
) -> None:
    table = await start_awaiting_ben(here)
    await here.open_hand("ben", table)
    await here.advance(hours=7.9)
    assert channel_notices(here, "ben") == []
    await here.advance(hours=0.2)
    (text,) = channel_notices(here, "ben")
    assert "your time runs out" in text
    await here.advance(hours=2)
    deadline = (await here.reload(table)).row.deadline
    assert deadline is not None
    assert deadline.at - here.env.now() > timedelta(hours=11), "at the first move there is half a day more"
    (text,) = channel_notices(here, "ben")
    assert "your turn: " in text
    assert f"<t:{int(deadline.at.timestamp())}:R>" in text
    await here.advance(hours=7)
    assert "your time runs out" not in channel_notices(here, "ben")[0]
    await here.advance(hours=1)
    assert "your time runs out" in channel_notices(here, "ben")[0]


async def test_an_extension_replaces_the_reminder(here: World) -> None:
    table = await start_awaiting_ben(here, "relaxed 20h")
    await here.advance(hours=16.1)
    assert "your time runs out" in channel_notices(here, "ben")[0]
    table = await here.reload(table)
    await here.press_in_menu("ann", await here.open_hand("ann", table), "+12 hours for ben")
    assert "your turn: " in channel_notices(here, "ben")[0]
    await here.advance(hours=9)
    assert "your turn: " in channel_notices(here, "ben")[0]
    await here.advance(hours=1)
    assert "your time runs out" in channel_notices(here, "ben")[0], "four fifths of 32 hours are gone"


async def test_a_player_can_play_inside_a_direct_message(here: World) -> None:
    await choose_notices(here, "ben", "direct")
    table = await start_awaiting_ben(here, "relaxed 10h hints")
    await here.advance(seconds=NOTICE_SECONDS)
    assert channel_notices(here, "ben") == []
    (message,) = direct_messages(here, "ben")
    assert "Big Two, table 1" in ParsedMessage.of(message).text
    assert "The Deck" in ParsedMessage.of(message).text
    ben = user_outside_servers(here, "ben")
    for label in ("Hint", "Hint"):
        if label in ParsedMessage.of(message).buttons:
            await ben.click(message, label=label)
            (message,) = direct_messages(here, "ben")
    play = next(label for label in ParsedMessage.of(message).buttons if label.startswith(("Play", "Pass")))
    await ben.click(message, label=play)
    await here.settle()
    assert here.current_player(table) != "ben"
    assert direct_messages(here, "ben") == []


async def test_a_direct_message_uses_the_language_of_its_recipient(here: World) -> None:
    here.locales["ben"] = "zh-TW"
    menu = await open_working_hours(here)
    await menu.choose("day_notice", "direct")
    await start_awaiting_ben(here)
    await here.advance(seconds=NOTICE_SECONDS)
    (message,) = direct_messages(here, "ben")
    assert "輪到你" in ParsedMessage.of(message).text


async def test_closed_direct_messages_are_reported_once_at_the_table(here: World) -> None:
    await choose_notices(here, "ben", "direct")
    here.env.inject_error(
        "POST", f"/channels/{user_outside_servers(here, 'ben').dm_channel.id}/messages", status=403, code=50007
    )
    table = await start_awaiting_ben(here)
    await here.advance(seconds=NOTICE_SECONDS)
    (text,) = channel_notices(here, "ben")
    assert "I can't send you direct messages, so I'll" in text
    await here.act("ben", table)
    while here.current_player(table) != "ben":
        await here.act(here.current_player(table) or "", table)
    await here.advance(minutes=31)
    (text,) = channel_notices(here, "ben")
    assert "closed" not in text


async def test_a_server_without_hands_by_dm_has_its_notices_at_the_table(here: World) -> None:
    await here.parts.servers.change(here.guild.id, here.ann.id, "mirror", False)
    await choose_notices(here, "ben", "direct")
    table = await start_awaiting_ben(here)
    await here.advance(seconds=NOTICE_SECONDS)
    assert (len(channel_notices(here, "ben")), direct_messages(here, "ben")) == (1, [])
    await here.parts.store.people.save_working_hours(here.people["ben"].id, WorkSchedule((MANILA,)))
    await (await here.reload(table)).do(RecomputeDeadline())
    await here.settle()
    (message,) = [each for each in here.channel.history() if here.people["ben"].mention in each.content]
    assert message.edited_at is None, "other hours that change nothing for its readers change no word"


async def test_a_digest_is_sent_in_the_morning_and_no_other_notice(here: World) -> None:
    await set_working_hours(here, "ben", MANILA)  # where it is eight in the morning, and he gets up at six
    await choose_notices(here, "ben", "digest")
    await start_awaiting_ben(here, "relaxed 100h")
    await start_awaiting_ben(here, "relaxed 50h")
    await here.advance(hours=20)
    assert (channel_notices(here, "ben"), direct_messages(here, "ben")) == ([], [])
    await here.advance(hours=2)
    (message,) = direct_messages(here, "ben")
    text = ParsedMessage.of(message).text
    assert text.index("table 2") < text.index("table 1"), "what runs out first"


async def test_notices_due_at_once_are_sent_in_batches(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice_scheduler, "USERS_PER_BATCH", 1)
    first, second = [await start_awaiting_ben(here, "relaxed 10h", "cleo") for _ in range(2)]
    await here.act("ben", second)
    assert (here.current_player(first), here.current_player(second)) == ("ben", "cleo")
    await here.advance(minutes=1)
    assert [len(channel_notices(here, name)) for name in ("ben", "cleo")] == [1, 1]


@pytest.mark.rotates(2)
@pytest.mark.parametrize("code", [50083, 160005])
async def test_a_table_in_a_locked_thread_is_suspended(here: World, code: int) -> None:
    table = await start_awaiting_ben(here)
    here.env.inject_error("POST", f"/channels/{here.channel.id}/messages", status=403, code=code, times=1)
    await here.advance(seconds=NOTICE_SECONDS)
    assert (channel_notices(here, "ben"), table.row.suspended_since is not None) == ([], True)
    await here.advance(minutes=11)
    await here.advance(minutes=1)
    table = await here.reload(table)
    assert (table.row.suspended_since, len(channel_notices(here, "ben"))) == (None, 1), (
        "it goes on where one may write again"
    )


async def test_notice_timers_use_no_memory_and_sent_notices_expire_after_two_days(here: World) -> None:
    """Whatever waits is a row: nothing is in memory of a table that sleeps."""
    table = await start_awaiting_ben(here, "relaxed 100h")
    await here.advance(minutes=1)
    (turn,) = await here.parts.store.notices.turns_of_player(here.people["ben"].id)
    assert turn.told is not None
    assert await here.parts.store.notices.next_check() == turn.remind
    await here.advance(hours=1)
    here.parts.tables.drop_idle()
    assert not here.parts.tables._loaded
    assert not list(here.parts.delivery.notice_scheduler._locks)
    await here.act("ben", table)
    assert len(await notices_to_ben(here)) == 1
    await here.advance(hours=46)
    assert len(await notices_to_ben(here)) == 1
    await here.advance(hours=2)
    await here.advance(hours=1)
    assert await notices_to_ben(here) == ()


@pytest.mark.rotates(3)
@pytest.mark.parametrize("notices", ["here", "both", "thread"])
async def test_notices_are_sent_even_if_time_passes_during_the_decision(
    here: World, monkeypatch: pytest.MonkeyPatch, notices: str
) -> None:
    """Here time advances during the decision, unlike in the other tests."""
    looked = count()
    monkeypatch.setattr(
        SimulatedClock, "__call__", lambda clock: clock.env.now() + timedelta(microseconds=next(looked))
    )
    await choose_notices(here, "ben", notices)
    await start_awaiting_ben(here)
    await here.advance(seconds=NOTICE_SECONDS)
    assert len(channel_notices(here, "ben")) == 1


async def test_a_table_waiting_since_an_older_version_is_notified_after_its_first_ring(here: World) -> None:
    """A migration schedules the table as if answers were due, though no player said anything."""
    await start_awaiting_ben(here)
    await here.advance(hours=1)
    (before,) = channel_notices(here, "ben")
    await here.stop()
    with closing(sqlite3.connect(here.database_file)) as database, database:
        database.execute("DELETE FROM turns")
        database.execute("DELETE FROM notices")
        database.execute("UPDATE tables SET answers = 0")
    await here.start()
    await here.advance(minutes=1)
    assert channel_notices(here, "ben") == [before, before]
    assert await here.parts.store.notices.next_check() is not None


# A stop at any moment


async def crash_and_start(here: World) -> None:
    """Stop as if the process were killed, and start again."""
    await here.stop()
    await here.start()


async def crash_before_recording_notice(here: World) -> None:
    """Send a turn notice without recording it, as if the process were killed."""
    note = here.parts.store.notices.note_notified

    async def killed(*_: Any) -> None:
        raise ConnectionError

    here.parts.store.notices.note_notified = killed  # type: ignore[method-assign,assignment]
    await here.advance(seconds=NOTICE_SECONDS)
    here.parts.store.notices.note_notified = note  # type: ignore[method-assign]


async def stop_before_sending(here: World) -> None:
    await start_awaiting_ben(here)
    await here.advance(seconds=4)
    await crash_and_start(here)
    await here.advance(minutes=2)


async def stop_before_recording(here: World) -> None:
    await start_awaiting_ben(here)
    await crash_before_recording_notice(here)
    assert len(channel_notices(here, "ben")) == 1
    await crash_and_start(here)
    await here.advance(minutes=5)


async def stop_after_sending(here: World) -> None:
    await start_awaiting_ben(here)
    await here.advance(seconds=NOTICE_SECONDS)
    await crash_and_start(here)
    await here.advance(hours=2)


async def stop_before_reminder(here: World) -> None:
    await start_awaiting_ben(here)
    await here.advance(hours=7.9)
    await crash_and_start(here)
    await here.advance(hours=0.2)
    (text,) = channel_notices(here, "ben")
    assert "your time runs out" in text


async def stop_after_reminder(here: World) -> None:
    await start_awaiting_ben(here)
    await here.advance(hours=8.1)
    await crash_and_start(here)
    await here.advance(hours=1)


async def stop_at_night(here: World) -> None:
    await set_working_hours(here, "ben", BERLIN)
    await start_awaiting_ben(here)
    await here.advance(hours=3)
    await crash_and_start(here)
    await here.advance(hours=5)


MOMENTS = [
    stop_before_sending,
    stop_before_recording,
    stop_after_sending,
    stop_before_reminder,
    stop_after_reminder,
    stop_at_night,
]


@pytest.mark.rotates(2)
@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_stop_at_any_moment_loses_no_notice_and_doubles_none(
    here: World, moment: Callable[[World], Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    await moment(here)
    assert len(channel_notices(here, "ben")) == 1
    standing = [notice for notice in await notices_to_ben(here) if not notice.gone]
    assert len(standing) == 1
    caplog.clear()


@pytest.mark.rotates(2)
@pytest.mark.parametrize("down", [timedelta(minutes=1), timedelta(hours=30)])
async def test_a_stop_before_the_digest_loses_none_and_doubles_none(here: World, down: timedelta) -> None:
    await set_working_hours(here, "ben", MANILA)
    await choose_notices(here, "ben", "digest")
    await start_awaiting_ben(here, "relaxed 100h")
    await here.advance(hours=20)
    await here.stop()
    await here.pass_time_without_bot(seconds=down.total_seconds())
    await here.start()
    await here.advance(hours=2.5)
    assert len(direct_messages(here, "ben")) == 1
    await crash_and_start(here)
    await here.advance(hours=3)
    assert len(direct_messages(here, "ben")) == 1


async def test_a_notice_left_over_by_a_stop_is_deleted_at_the_start(here: World) -> None:
    table = await start_awaiting_ben(here)
    await here.advance(seconds=NOTICE_SECONDS)
    notice_scheduler = here.parts.delivery.notice_scheduler

    async def killed(*_: Any, **__: Any) -> None:
        return

    notice_scheduler._attend = killed  # type: ignore[method-assign]
    await here.act("ben", table)
    assert len(channel_notices(here, "ben")) == 1
    await crash_and_start(here)
    assert channel_notices(here, "ben") == []


async def test_an_outage_postpones_the_reminder(here: World) -> None:
    await start_awaiting_ben(here)
    await here.advance(hours=7)
    await here.stop()
    await here.pass_time_without_bot(hours=6)
    await here.start()
    await here.advance(minutes=30)
    assert "your time runs out" not in channel_notices(here, "ben")[0]
    await here.advance(minutes=45)
    assert "your time runs out" in channel_notices(here, "ben")[0]


async def notices_to_ben(here: World) -> tuple[TurnNotice, ...]:
    """The notices sent to Ben."""
    return await here.parts.store.notices.of_person(here.people["ben"].id)
