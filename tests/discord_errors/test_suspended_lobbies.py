"""A lobby in a channel where the bot may not write is suspended like a match: no deadlines, no new players."""

from __future__ import annotations

import pytest

from bot.table.core.commands import Suspend
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import World

SUSPENDED_TEXT = "I can't post where this table is"
RESUME_DELAY = 15  # seconds until the bot notices that it may write again


async def suspend_lobby(here: World) -> Table:
    """Open a lobby with Ben, and forbid the bot to write in its channel."""
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    await here.set_bot_permissions(here.channel, send_messages=False)
    here.parts.delivery.changed(table)
    await here.advance(seconds=RESUME_DELAY)
    assert table.row.suspended_since
    return table


async def test_a_suspended_lobby_does_not_close_and_has_its_full_time_after_it_resumes(here: World) -> None:
    table = await suspend_lobby(here)
    assert "💤 This table is suspended because I can't post" in here.read_board(table).text
    assert "closes" not in here.read_board(table).text
    await here.advance(hours=5)
    table = await here.reload(table)
    assert (table.row.phase, table.row.suspended_since is not None) == ("lobby", True)
    await here.set_bot_permissions(here.channel, send_messages=None)
    await here.advance(seconds=RESUME_DELAY)
    assert not table.row.suspended_since
    assert "Everyone's here: the host can start." in here.read_board(table).text
    await here.advance(minutes=29)
    table = await here.reload(table)
    assert table.row.phase == "lobby"
    await here.press("ann", table, "Start")
    assert table.stage == "playing"


async def test_a_resumed_lobby_closes_if_its_host_does_not_start_it(here: World) -> None:
    table = await suspend_lobby(here)
    await here.set_bot_permissions(here.channel, send_messages=None)
    await here.advance(seconds=RESUME_DELAY)
    await here.advance(minutes=31)
    table = await here.reload(table)
    assert table.row.phase == "closed"


@pytest.mark.parametrize(("name", "label"), [("cleo", "Join"), ("ann", "Start"), ("ann", "Rules…")])
async def test_a_click_at_a_suspended_lobby_is_refused_with_the_reason(here: World, name: str, label: str) -> None:
    table = await suspend_lobby(here)
    if label == "Join":
        await here.press("ben", table, "Leave")
    before = table.row
    assert private_reply(await here.press(name, table, label)).text.startswith(SUSPENDED_TEXT)
    assert table.row == before


async def test_a_player_can_leave_a_suspended_lobby_which_stays_suspended(here: World) -> None:
    table = await suspend_lobby(here)
    await here.press("ben", table, "Leave")
    assert [chair.name for chair in table.row.chairs] == ["ann"]
    await here.advance(hours=2)
    table = await here.reload(table)
    assert (table.row.phase, table.row.suspended_since is not None) == ("lobby", True)
    await here.press("ann", table, "Leave")
    assert table.row.phase == "closed"


async def test_the_host_of_a_suspended_lobby_can_close_it_or_move_it(here: World) -> None:
    first, second = await suspend_lobby(here), await here.open_table("cleo", here.guild.create_text_channel("second"))
    other = here.guild.create_text_channel("elsewhere")
    await here.settle()
    await here.slash("ann", "table move", other, table=first.id)
    assert (first.row.home, first.row.suspended_since) == (other.id, None)
    await here.press("ann", first, "Start")
    assert first.stage == "playing"
    await second.do(Suspend())
    await here.slash("cleo", "table cancel", other, table=second.id)
    assert second.row.phase == "closed"


async def test_a_lobby_in_a_locked_thread_resumes_when_the_thread_is_opened(here: World) -> None:
    table = await here.open_table(seats=2)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=400, code=50083, times=None)
    here.env.inject_error("PATCH", f"/channels/{here.channel.id}", status=403, code=50013, times=None)
    await here.people["ben"].click(here.board(table), label="Join")
    await here.advance(seconds=110)
    assert table.row.suspended_since
    here.env.backend.faults.clear()
    await here.advance(minutes=10)
    await here.advance(seconds=60)  # by itself, without an event
    assert not table.row.suspended_since
    assert "Everyone's here" in here.read_board(table).text


async def test_a_lobby_stays_suspended_after_a_restart_and_closes_after_a_week(here: World) -> None:
    table = await suspend_lobby(here)
    await here.restart()
    table = await here.reload(table)
    assert table.row.suspended_since
    for _ in range(6):
        await here.advance(days=1)
    assert (await here.reload(table)).row.phase == "lobby"
    await here.advance(days=3)
    assert (await here.reload(table)).row.phase == "closed"
    assert await here.parts.store.tables.lobbies(here.guild.id, here.ann.id, live=True) == (0, 0)
