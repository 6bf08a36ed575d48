"""A match in a channel closed to the bot is suspended with its clock, and resumes when the channel opens."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.table.core.commands import Resume, Suspend
from bot.table.core.state import Moderator
from bot.table.table import Table
from tests.discord_errors.discord_outages import goes_on, move, started, to_the_end, wait
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS

SLEEPS = "I can't post where this table is"


async def test_a_channel_made_read_only_stops_the_clock_and_gives_the_time_back(here: World) -> None:
    table = await started(here, "ben", pace="live")
    left = table.row.deadline.at - here.env.now() if table.row.deadline else timedelta()
    await here.set_bot_permissions(here.channel, send_messages=False, view_channel=False)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    here.parts.delivery.changed(table)
    ply = table.state.ply
    await wait(here)
    assert table.row.suspended_since
    await move(here, table)
    await here.advance(hours=5)
    assert table.state.ply == ply, "nobody's move counts, and nobody is late"
    here.env.backend.faults.clear()
    await here.set_bot_permissions(here.channel, send_messages=None, view_channel=None)
    await wait(here, 15)
    assert not table.row.suspended_since
    assert table.row.deadline is not None
    assert timedelta() < table.row.deadline.at - here.env.now() <= max(left, timedelta(minutes=2))
    await to_the_end(here, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("touched", [True, False])
async def test_it_sleeps_where_its_board_may_still_be_edited(here: World, *, touched: bool) -> None:
    table = await started(here, "ben", pace="live")
    await here.set_bot_permissions(
        here.channel, send_messages=False
    )  # Discord asks for no right to edit what is one's own
    if touched:
        await move(here, table)
    ply, asked = table.state.ply, here.requests("POST", f"/channels/{here.channel.id}/messages")
    await wait(here, 15)
    assert table.row.suspended_since
    assert "💤" in here.read_board(table).text
    await here.advance(hours=5)
    assert (table.state.ply, table.row.suspended_since is not None) == (ply, True)
    assert here.requests("POST", f"/channels/{here.channel.id}/messages") == asked, "nobody is called in vain"
    await here.set_bot_permissions(here.channel, send_messages=None)
    await wait(here, 15)
    assert not table.row.suspended_since
    await goes_on(here, table)


async def test_who_clicks_meanwhile_is_told_why_nothing_happens(here: World) -> None:
    table = await started(here, "ben")
    hand = await here.open_hand("ann", table)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50013, times=None)
    await table.do(Suspend())
    ply = table.state.ply
    name = here.current_player(table) or "ann"
    assert hand.response is not None
    said = await here.people[name].slash(here.channel, "turn", move="pass", table=table.id)
    assert private_reply(said).text.startswith(SLEEPS)
    assert table.state.ply == ply


async def test_who_gets_their_hand_directly_is_told_directly_and_once(here: World) -> None:
    table = await started(here, "ben")
    ben = here.people["ben"]
    await here.parts.preferences.change(ben.id, mirror=True, locale="en-US")
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    for _ in range(3):
        await move(here, table)
        await wait(here)
    sent = [each for stored in here.env.backend.messages.values() for each in stored.values()]
    told = [each for each in sent if "is suspended because I can't post there" in str(each.components)]
    assert len(told) == 1


@pytest.mark.rotates(2)
@pytest.mark.parametrize("code", [50001, 50013])
async def test_a_thread_that_is_closed_to_the_bot_stays_the_place_of_its_table(roomy: World, code: int) -> None:
    table = await started(roomy)
    thread = table.row.home
    roomy.env.inject_error("*", f"/channels/{thread}/*", status=403, code=code, times=None)
    await move(roomy, table)
    await wait(roomy)
    assert (table.row.suspended_since is not None, table.row.home) == (True, thread)
    roomy.env.backend.faults.clear()
    await roomy.advance(minutes=20)
    assert not table.row.suspended_since
    await goes_on(roomy, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("archived", [False, True])
async def test_a_thread_that_is_locked_stops_the_clock_at_once(roomy: World, *, archived: bool) -> None:
    table = await started(roomy, "ben", pace="live")
    assert roomy.env.backend.channels[table.row.home].is_thread
    await roomy.set_bot_permissions(roomy.channel, manage_threads=False)  # else it may write there all the same
    ply, backend = table.state.ply, roomy.env.backend
    backend.edit_channel(table.row.home, {}, thread_metadata={"locked": True, "archived": archived})
    await roomy.advance(seconds=15)
    assert table.row.suspended_since
    await roomy.advance(minutes=5)
    assert (table.state.ply, sum(chair.misses for chair in table.row.chairs)) == (ply, 0)
    backend.edit_channel(table.row.home, {}, thread_metadata={"locked": False, "archived": False})
    await roomy.advance(seconds=65)
    assert not (await roomy.reload(table)).row.suspended_since


async def test_what_anybody_does_at_a_sleeping_table_is_not_refused_by_discord_each_time(here: World) -> None:
    table, elsewhere = await started(here, "ben"), here.guild.create_text_channel("elsewhere")
    await here.set_bot_permissions(here.channel, view_channel=False)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await here.advance(seconds=15)
    assert table.row.suspended_since
    before = here.requests("PATCH", f"/channels/{here.channel.id}/messages/*")
    for _ in range(10):
        await here.ann.slash(elsewhere, "turn", move="pass", table=table.id)
        await here.advance(seconds=1)
        await here.set_bot_permissions(elsewhere, send_messages=None)
    assert here.requests("PATCH", f"/channels/{here.channel.id}/messages/*") - before <= 1


async def test_a_locked_thread_sleeps_until_it_is_opened(roomy: World) -> None:
    table = await started(roomy)
    thread = table.row.home
    roomy.env.inject_error("*", f"/channels/{thread}/messages*", status=400, code=50083, times=None)
    roomy.env.inject_error("PATCH", f"/channels/{thread}", status=403, code=50013, times=None)
    await move(roomy, table)
    await wait(roomy)
    assert table.row.suspended_since
    roomy.env.backend.faults.clear()
    roomy.env.backend.announce_channel_update(thread)
    await wait(roomy, 15)
    assert not table.row.suspended_since
    await goes_on(roomy, table)


async def test_its_host_takes_it_to_another_channel(here: World) -> None:
    table = await started(here, "ben")
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await table.do(Suspend())
    other = here.guild.create_text_channel("elsewhere")
    await here.env.settle()
    await here.slash("ann", "table move", other, table=table.id)
    await wait(here)
    assert (table.row.home, table.row.suspended_since) == (other.id, None)
    await goes_on(here, table)


async def test_a_restart_lets_it_sleep_on(here: World) -> None:
    table = await started(here, "ben")
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await table.do(Suspend())
    await here.restart()
    again = await here.parts.tables.get(table.id)
    assert again.row.suspended_since
    here.env.backend.faults.clear()
    here.parts.delivery.changed(again)
    await wait(here)
    assert not again.row.suspended_since


async def test_house_players_sleep_as_well(here: World) -> None:
    table = await started(here)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await table.do(Suspend())
    ply = table.state.ply
    await wait(here, 300)
    assert (table.row.suspended_since is not None, table.state.ply) == (True, ply)


async def test_a_moderator_who_wakes_a_table_is_heard_once(here: World) -> None:
    table = await started(here, "ben", pace="live")
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await move(here, table)
    await wait(here, 15)
    assert table.row.suspended_since
    here.env.backend.faults.clear()
    await table.do(Resume(Moderator(here.people["dev"].id, "dev")))
    await wait(here)
    assert sum("dev resumed Big Two, table 1." in said for said in here.channel_texts(table)) == 1
    assert not table.row.suspended_since


async def test_a_moderator_wakes_no_table_where_the_bot_may_not_write(here: World) -> None:
    table = await asleep(here)
    sent = here.requests("POST", "/channels/*/messages")
    await table.do(Resume(Moderator(here.people["dev"].id, "dev")))
    await wait(here)
    assert table.row.suspended_since
    assert here.requests("POST", "/channels/*/messages") - sent <= 1, "nobody hears a second time that it sleeps"


async def asleep(here: World) -> Table:
    """Let a table sleep, about which Ben hears by direct message."""
    table = await started(here, "ben", pace="live")
    await here.parts.preferences.change(here.people["ben"].id, mirror=True)
    await here.set_bot_permissions(here.channel, send_messages=False)
    await move(here, table)
    await wait(here, 15)
    assert table.row.suspended_since
    return table
