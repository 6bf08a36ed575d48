"""The bot itself is timed out on a server: tables are suspended, and resume by themselves."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest

from tests.discord_errors.discord_outages import check_match_continues, finish_match, start_match
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS

SUSPENDED_TEXT = "I can't post where this table is"


@pytest.fixture(autouse=True)
def simulated_library_clock(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let discord.py use the simulated time to decide whether a time-out is over."""
    monkeypatch.setattr(discord.utils, "utcnow", here.env.now)


async def time_out(here: World, **span: float) -> None:
    """Time the bot out for this long, or end its time-out; Discord sends an event only for the start."""
    until = (here.env.now() + timedelta(**span)).isoformat() if span else None
    here.env.backend.edit_member(here.guild.id, here.env.backend.bot_user.id, {"timed_out_until": until})
    await here.settle()


def count_sent(here: World) -> int:
    """Return the number of messages that the bot has tried to send."""
    return here.requests("POST", "/channels/*/messages")


async def test_a_timed_out_bot_suspends_its_tables_at_once_and_sends_nothing(here: World) -> None:
    table, lobby = await start_match(here, "ben", pace="live"), await here.open_table("cleo")
    left = table.row.deadline.at - here.env.now() if table.row.deadline else timedelta()
    ply, before = table.state.ply, count_sent(here)
    await time_out(here, hours=6)
    await here.advance(seconds=15)
    assert "💤 This table is suspended because I can't post" in here.read_board(table).text
    assert "💤 This table is suspended because I can't post" in here.read_board(lobby).text
    await here.advance(hours=5)
    table = await here.reload(table)
    assert (table.state.ply, table.row.suspended_since is not None, count_sent(here)) == (ply, True, before)
    assert table.row.held is not None
    assert left - timedelta(seconds=20) <= table.row.held <= left, "the remaining time for the move is kept"


async def test_tables_resume_within_an_hour_after_the_time_out_although_no_event_reports_its_end(here: World) -> None:
    table, lobby = await start_match(here, "ben", pace="live"), await here.open_table("cleo")
    await time_out(here, hours=26)
    await here.advance(hours=25)
    assert (await here.reload(table)).row.suspended_since
    for _ in range(4):
        await here.advance(minutes=30)
    table, lobby = await here.reload(table), await here.reload(lobby)
    assert (table.row.suspended_since, lobby.row.suspended_since, lobby.row.phase) == (None, None, "lobby")
    assert "💤" not in here.read_board(table).text
    await finish_match(here, table)


async def test_tables_resume_at_once_when_a_moderator_ends_the_time_out_early(here: World) -> None:
    table = await start_match(here, "ben")
    await time_out(here, days=7)
    await here.advance(seconds=15)
    assert table.row.suspended_since
    await time_out(here)
    await here.advance(seconds=15)
    assert not table.row.suspended_since
    await check_match_continues(here, table)


async def test_an_idle_table_whose_deadline_falls_into_a_time_out_gets_its_full_time_back(here: World) -> None:
    table = await start_match(here, "ben", pace="slow")
    ply, name = table.state.ply, here.current_player(table)
    await here.advance(hours=2)
    await here.stop()
    member = here.env.backend.get_member(here.guild.id, here.env.backend.bot_user.id)
    member.timed_out_until = (here.env.now() + timedelta(days=3)).isoformat()
    await here.start()
    await here.advance(hours=25)
    table = await here.reload(table)
    assert table.row.suspended_since
    await time_out(here)
    await here.advance(seconds=15)
    assert not table.row.suspended_since
    assert (table.state.ply, here.current_player(table)) == (ply, name)
    assert all(not chair.misses for chair in table.row.chairs)
    assert table.row.deadline is not None
    assert table.row.deadline.at - here.env.now() > timedelta(hours=23)


async def test_a_player_who_acts_during_the_time_out_reads_that_the_table_is_suspended(here: World) -> None:
    table = await start_match(here, "ben")
    await time_out(here, hours=1)
    await here.advance(seconds=15)
    name = str(here.current_player(table))
    said = private_reply(await here.people[name].slash(here.channel, "turn", move="pass", table=table.id))
    assert said.text.startswith(SUSPENDED_TEXT)
    hand = private_reply(await here.press(name, table, "My hand"))
    assert "💤 This table is suspended because I can't post" in hand.text


async def test_no_table_is_opened_during_a_time_out_and_the_answer_says_until_when(here: World) -> None:
    await time_out(here, hours=1)
    until = round((here.env.now() + timedelta(hours=1)).timestamp())
    answer = await here.slash("ann", "deal")
    assert answer.text.startswith(f"I'm timed out on this server until <t:{until}")
    assert not await here.parts.store.tables.open_tables()
    assert "You're not at any table" in (await here.slash("ann", "desk")).text
