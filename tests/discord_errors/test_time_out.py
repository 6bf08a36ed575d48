"""The bot itself in time-out on a server: its behavior and messages, and its return without help."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest

from tests.discord_errors.discord_outages import goes_on, started, to_the_end
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS

SLEEPS = "I can't post where this table is"


@pytest.fixture(autouse=True)
def the_librarys_clock(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let discord.py judge by the simulated time whether a time-out is over."""
    monkeypatch.setattr(discord.utils, "utcnow", here.env.now)


async def time_out(here: World, **span: float) -> None:
    """Send the bot into time-out for so long, or end it; Discord tells the bot of the beginning, never of the end."""
    until = (here.env.now() + timedelta(**span)).isoformat() if span else None
    here.env.backend.edit_member(here.guild.id, here.env.backend.bot_user.id, {"timed_out_until": until})
    await here.settle()


def sent(here: World) -> int:
    """How many messages the bot has tried to send so far."""
    return here.requests("POST", "/channels/*/messages")


async def test_its_tables_sleep_at_once_and_nothing_is_sent_in_vain(here: World) -> None:
    table, lobby = await started(here, "ben", pace="live"), await here.open_table("cleo")
    left = table.row.deadline.at - here.env.now() if table.row.deadline else timedelta()
    ply, before = table.state.ply, sent(here)
    await time_out(here, hours=6)
    await here.advance(seconds=15)
    assert "💤 This table is suspended because I can't post" in here.read_board(table).text
    assert "💤 This table is suspended because I can't post" in here.read_board(lobby).text
    await here.advance(hours=5)
    table = await here.reload(table)
    assert (table.state.ply, table.row.suspended_since is not None, sent(here)) == (ply, True, before)
    assert table.row.held is not None
    assert left - timedelta(seconds=20) <= table.row.held <= left, "none of the time for a move is lost"


async def test_it_comes_back_within_the_hour_though_nothing_tells_of_the_end(here: World) -> None:
    table, lobby = await started(here, "ben", pace="live"), await here.open_table("cleo")
    await time_out(here, hours=26)
    await here.advance(hours=25)
    assert (await here.reload(table)).row.suspended_since
    for _ in range(4):
        await here.advance(minutes=30)
    table, lobby = await here.reload(table), await here.reload(lobby)
    assert (table.row.suspended_since, lobby.row.suspended_since, lobby.row.phase) == (None, None, "lobby")
    assert "💤" not in here.read_board(table).text
    await to_the_end(here, table)


async def test_it_comes_back_at_once_when_somebody_ends_it_early(here: World) -> None:
    table = await started(here, "ben")
    await time_out(here, days=7)
    await here.advance(seconds=15)
    assert table.row.suspended_since
    await time_out(here)
    await here.advance(seconds=15)
    assert not table.row.suspended_since
    await goes_on(here, table)


async def test_a_table_at_rest_that_finds_it_at_its_deadline_gives_all_the_time_again(here: World) -> None:
    table = await started(here, "ben", pace="slow")
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


async def test_who_wants_to_play_meanwhile_reads_why_nothing_happens(here: World) -> None:
    table = await started(here, "ben")
    await time_out(here, hours=1)
    await here.advance(seconds=15)
    name = str(here.current_player(table))
    said = private_reply(await here.people[name].slash(here.channel, "turn", move="pass", table=table.id))
    assert said.text.startswith(SLEEPS)
    hand = private_reply(await here.press(name, table, "My hand"))
    assert "💤 This table is suspended because I can't post" in hand.text


async def test_no_table_is_opened_meanwhile_and_the_answer_says_until_when(here: World) -> None:
    await time_out(here, hours=1)
    until = round((here.env.now() + timedelta(hours=1)).timestamp())
    answer = await here.slash("ann", "deal")
    assert answer.text.startswith(f"I'm timed out on this server until <t:{until}")
    assert not await here.parts.store.tables.open_tables()
    assert "You're not at any table" in (await here.slash("ann", "desk")).text
