"""A lobby in a channel closed to the bot is suspended like a match: it neither closes nor fills up meanwhile."""

from __future__ import annotations

import pytest

from bot.table.core.commands import Suspend
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import World

SLEEPS = "I can't post where this table is"
LATER = 15  # seconds until it has been told that the bot may write again


async def asleep(here: World) -> Table:
    """Open a lobby with Ben, and let nobody hear the bot where it stands."""
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    await here.set_bot_permissions(here.channel, send_messages=False)
    here.parts.delivery.changed(table)
    await here.advance(seconds=LATER)
    assert table.row.suspended_since
    return table


async def test_it_does_not_close_at_its_time_and_has_all_of_it_again_when_it_wakes(here: World) -> None:
    table = await asleep(here)
    assert "💤 This table is suspended because I can't post" in here.read_board(table).text
    assert "closes" not in here.read_board(table).text
    await here.advance(hours=5)
    table = await here.reload(table)
    assert (table.row.phase, table.row.suspended_since is not None) == ("lobby", True)
    await here.set_bot_permissions(here.channel, send_messages=None)
    await here.advance(seconds=LATER)
    assert not table.row.suspended_since
    assert "Everyone's here: the host can start." in here.read_board(table).text
    await here.advance(minutes=29)
    table = await here.reload(table)
    assert table.row.phase == "lobby"
    await here.press("ann", table, "Start")
    assert table.stage == "playing"


async def test_a_lobby_that_woke_closes_when_nobody_starts_it(here: World) -> None:
    table = await asleep(here)
    await here.set_bot_permissions(here.channel, send_messages=None)
    await here.advance(seconds=LATER)
    await here.advance(minutes=31)
    table = await here.reload(table)
    assert table.row.phase == "closed"


@pytest.mark.parametrize(("name", "label"), [("cleo", "Join"), ("ann", "Start"), ("ann", "Rules…")])
async def test_who_clicks_meanwhile_reads_why_nothing_happens(here: World, name: str, label: str) -> None:
    table = await asleep(here)
    if label == "Join":
        await here.press("ben", table, "Leave")
    before = table.row
    assert private_reply(await here.press(name, table, label)).text.startswith(SLEEPS)
    assert table.row == before


async def test_who_leaves_meanwhile_gets_up_and_wakes_nothing(here: World) -> None:
    table = await asleep(here)
    await here.press("ben", table, "Leave")
    assert [chair.name for chair in table.row.chairs] == ["ann"]
    await here.advance(hours=2)
    table = await here.reload(table)
    assert (table.row.phase, table.row.suspended_since is not None) == ("lobby", True)
    await here.press("ann", table, "Leave")
    assert table.row.phase == "closed"


async def test_its_host_can_call_it_off_or_take_it_elsewhere(here: World) -> None:
    first, second = await asleep(here), await here.open_table("cleo", here.guild.create_text_channel("second"))
    other = here.guild.create_text_channel("elsewhere")
    await here.settle()
    await here.slash("ann", "table move", other, table=first.id)
    assert (first.row.home, first.row.suspended_since) == (other.id, None)
    await here.press("ann", first, "Start")
    assert first.stage == "playing"
    await second.do(Suspend())
    await here.slash("cleo", "table cancel", other, table=second.id)
    assert second.row.phase == "closed"


async def test_a_locked_thread_keeps_its_lobby_until_it_is_opened(here: World) -> None:
    table = await here.open_table(seats=2)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=400, code=50083, times=None)
    here.env.inject_error("PATCH", f"/channels/{here.channel.id}", status=403, code=50013, times=None)
    await here.people["ben"].click(here.board(table), label="Join")
    await here.advance(seconds=110)
    assert table.row.suspended_since
    here.env.backend.faults.clear()
    await here.advance(minutes=10)
    await here.advance(seconds=60)  # by itself, though nothing told of it
    assert not table.row.suspended_since
    assert "Everyone's here" in here.read_board(table).text


async def test_a_restart_lets_it_sleep_on_and_after_a_week_it_closes(here: World) -> None:
    table = await asleep(here)
    await here.restart()
    table = await here.reload(table)
    assert table.row.suspended_since
    for _ in range(6):
        await here.advance(days=1)
    assert (await here.reload(table)).row.phase == "lobby"
    await here.advance(days=3)
    assert (await here.reload(table)).row.phase == "closed"
    assert await here.parts.store.tables.lobbies(here.guild.id, here.ann.id, live=True) == (0, 0)
