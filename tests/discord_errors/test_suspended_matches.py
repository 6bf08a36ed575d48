"""A match in a channel where the bot may not write is suspended with its clock, and resumes with the permission."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.table.core.commands import Resume, Suspend
from bot.table.core.state import Moderator
from bot.table.table import Table
from tests.discord_errors.discord_outages import check_match_continues, finish_match, move, start_match, wait
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS

SUSPENDED_TEXT = "I can't post where this table is"


async def test_a_read_only_channel_stops_the_clock_and_the_time_is_given_back(here: World) -> None:
    table = await start_match(here, "ben", pace="live")
    left = table.row.deadline.at - here.env.now() if table.row.deadline else timedelta()
    await here.set_bot_permissions(here.channel, send_messages=False, view_channel=False)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    here.parts.delivery.changed(table)
    ply = table.state.ply
    await wait(here)
    assert table.row.suspended_since
    await move(here, table)
    await here.advance(hours=5)
    assert table.state.ply == ply, "no move counts, and no player is late"
    here.env.backend.faults.clear()
    await here.set_bot_permissions(here.channel, send_messages=None, view_channel=None)
    await wait(here, 15)
    assert not table.row.suspended_since
    assert table.row.deadline is not None
    assert timedelta() < table.row.deadline.at - here.env.now() <= max(left, timedelta(minutes=2))
    await finish_match(here, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("touched", [True, False])
async def test_a_match_is_suspended_even_if_its_board_can_still_be_edited(here: World, *, touched: bool) -> None:
    table = await start_match(here, "ben", pace="live")
    await here.set_bot_permissions(here.channel, send_messages=False)  # editing own messages needs no permission
    if touched:
        await move(here, table)
    ply, asked = table.state.ply, here.requests("POST", f"/channels/{here.channel.id}/messages")
    await wait(here, 15)
    assert table.row.suspended_since
    assert "💤" in here.read_board(table).text
    await here.advance(hours=5)
    assert (table.state.ply, table.row.suspended_since is not None) == (ply, True)
    assert here.requests("POST", f"/channels/{here.channel.id}/messages") == asked, "no ping was tried"
    await here.set_bot_permissions(here.channel, send_messages=None)
    await wait(here, 15)
    assert not table.row.suspended_since
    await check_match_continues(here, table)


async def test_a_click_at_a_suspended_match_is_refused_with_the_reason(here: World) -> None:
    table = await start_match(here, "ben")
    hand = await here.open_hand("ann", table)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50013, times=None)
    await table.do(Suspend())
    ply = table.state.ply
    name = here.current_player(table) or "ann"
    assert hand.response is not None
    said = await here.people[name].slash(here.channel, "turn", move="pass", table=table.id)
    assert private_reply(said).text.startswith(SUSPENDED_TEXT)
    assert table.state.ply == ply


async def test_a_player_with_hands_by_direct_message_is_notified_directly_once(here: World) -> None:
    table = await start_match(here, "ben")
    ben = here.people["ben"]
    await here.parts.preferences.change(ben.id, mirror=True, locale="en-US")
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    for _ in range(3):
        await move(here, table)
        await wait(here)
    sent = [each for stored in here.env.backend.messages.values() for each in stored.values()]
    notices = [each for each in sent if "is suspended because I can't post there" in str(each.components)]
    assert len(notices) == 1


@pytest.mark.rotates(2)
@pytest.mark.parametrize("code", [50001, 50013])
async def test_a_table_stays_in_a_thread_that_is_closed_to_the_bot(threaded: World, code: int) -> None:
    table = await start_match(threaded)
    thread = table.row.home
    threaded.env.inject_error("*", f"/channels/{thread}/*", status=403, code=code, times=None)
    await move(threaded, table)
    await wait(threaded)
    assert (table.row.suspended_since is not None, table.row.home) == (True, thread)
    threaded.env.backend.faults.clear()
    await threaded.advance(minutes=20)
    assert not table.row.suspended_since
    await check_match_continues(threaded, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("archived", [False, True])
async def test_locking_a_thread_stops_the_clock_at_once(threaded: World, *, archived: bool) -> None:
    table = await start_match(threaded, "ben", pace="live")
    assert threaded.env.backend.channels[table.row.home].is_thread
    await threaded.set_bot_permissions(threaded.channel, manage_threads=False)  # allows writing in a locked thread
    ply, backend = table.state.ply, threaded.env.backend
    backend.edit_channel(table.row.home, {}, thread_metadata={"locked": True, "archived": archived})
    await threaded.advance(seconds=15)
    assert table.row.suspended_since
    await threaded.advance(minutes=5)
    assert (table.state.ply, sum(chair.misses for chair in table.row.chairs)) == (ply, 0)
    backend.edit_channel(table.row.home, {}, thread_metadata={"locked": False, "archived": False})
    await threaded.advance(seconds=65)
    assert not (await threaded.reload(table)).row.suspended_since


async def test_commands_at_a_suspended_table_cause_no_requests_that_discord_refuses(here: World) -> None:
    table, elsewhere = await start_match(here, "ben"), here.guild.create_text_channel("elsewhere")
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


async def test_a_match_in_a_locked_thread_resumes_when_the_thread_is_opened(threaded: World) -> None:
    table = await start_match(threaded)
    thread = table.row.home
    threaded.env.inject_error("*", f"/channels/{thread}/messages*", status=400, code=50083, times=None)
    threaded.env.inject_error("PATCH", f"/channels/{thread}", status=403, code=50013, times=None)
    await move(threaded, table)
    await wait(threaded)
    assert table.row.suspended_since
    threaded.env.backend.faults.clear()
    threaded.env.backend.announce_channel_update(thread)
    await wait(threaded, 15)
    assert not table.row.suspended_since
    await check_match_continues(threaded, table)


async def test_the_host_of_a_suspended_match_can_move_it_to_another_channel(here: World) -> None:
    table = await start_match(here, "ben")
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await table.do(Suspend())
    other = here.guild.create_text_channel("elsewhere")
    await here.env.settle()
    await here.slash("ann", "table move", other, table=table.id)
    await wait(here)
    assert (table.row.home, table.row.suspended_since) == (other.id, None)
    await check_match_continues(here, table)


async def test_a_match_stays_suspended_after_a_restart(here: World) -> None:
    table = await start_match(here, "ben")
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await table.do(Suspend())
    await here.restart()
    again = await here.parts.tables.get(table.id)
    assert again.row.suspended_since
    here.env.backend.faults.clear()
    here.parts.delivery.changed(again)
    await wait(here)
    assert not again.row.suspended_since


async def test_house_players_do_not_act_at_a_suspended_table(here: World) -> None:
    table = await start_match(here)
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await table.do(Suspend())
    ply = table.state.ply
    await wait(here, 300)
    assert (table.row.suspended_since is not None, table.state.ply) == (True, ply)


async def test_a_moderator_who_resumes_a_table_gets_one_announcement(here: World) -> None:
    table = await start_match(here, "ben", pace="live")
    here.env.inject_error("*", f"/channels/{here.channel.id}/messages*", status=403, code=50001, times=None)
    await move(here, table)
    await wait(here, 15)
    assert table.row.suspended_since
    here.env.backend.faults.clear()
    await table.do(Resume(Moderator(here.people["dev"].id, "dev")))
    await wait(here)
    assert sum("dev resumed Big Two, table 1." in said for said in here.channel_texts(table)) == 1
    assert not table.row.suspended_since


async def test_a_moderator_cannot_resume_a_table_where_the_bot_may_not_write(here: World) -> None:
    table = await suspend_match(here)
    sent = here.requests("POST", "/channels/*/messages")
    await table.do(Resume(Moderator(here.people["dev"].id, "dev")))
    await wait(here)
    assert table.row.suspended_since
    assert here.requests("POST", "/channels/*/messages") - sent <= 1, "the suspension is not announced twice"


async def suspend_match(here: World) -> Table:
    """Suspend a match; Ben is notified by direct message."""
    table = await start_match(here, "ben", pace="live")
    await here.parts.preferences.change(here.people["ben"].id, mirror=True)
    await here.set_bot_permissions(here.channel, send_messages=False)
    await move(here, table)
    await wait(here, 15)
    assert table.row.suspended_since
    return table
