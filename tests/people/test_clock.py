"""Time: deadlines, the reminder, and restored downtime."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.rules.core.cards import cards
from bot.store.rows import TableRow
from bot.table import house_players as manners
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World, world


def discord_timestamp(at: datetime) -> str:
    """Discord's notation of a moment, shown in each reader's zone."""
    return f"<t:{int(at.timestamp())}:R>"


async def stored_table(here: World, table: Table) -> TableRow:
    """The table as the store has it."""
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    return row


async def start_four_players(here: World, **options: Any) -> Table:
    """Start a match of four persons."""
    return await here.start_table("ben", "cleo", "dev", **options)


async def test_on_timeout_the_leader_plays_the_lowest_card_and_others_pass(here: World) -> None:
    table = await start_four_players(here)
    await here.advance(seconds=119)
    assert here.current_player(table) == "ann"
    await here.advance(seconds=2)
    assert here.current_player(table) == "ben"
    assert "`3♢`" in here.read_board(table).text
    await here.advance(seconds=121)
    assert here.current_player(table) == "cleo"
    assert "Passed: ben" in here.read_board(table).text
    steps = (await stored_table(here, table)).steps
    assert [(step.seat, step.action, step.by) for step in steps] == [(0, "3d", "clock"), (1, "pass", "clock")]


async def test_deadlines_are_shown_and_one_reminder_comes_when_four_fifths_of_the_time_are_gone(here: World) -> None:
    table = await start_four_players(here)
    assert discord_timestamp(here.env.now() + timedelta(minutes=2)) in here.read_board(table).text
    await here.advance(minutes=1)
    assert (
        discord_timestamp(here.env.now() + timedelta(minutes=1))
        in private_reply(await here.open_hand("ann", table)).text
    )
    await here.play("ann", table, cards("3d 3c"))
    assert discord_timestamp(here.env.now() + timedelta(minutes=2)) in here.read_board(table).text
    await here.advance(seconds=90)
    (ping,) = here.channel_texts(table)
    assert ", your turn: " in ping
    await here.advance(seconds=8)
    (reminder,) = here.channel_texts(table)  # in place of the ping
    assert table.row.deadline is not None
    ends = discord_timestamp(table.row.deadline.at)
    assert reminder.startswith(f"<@{here.people['ben'].id}>, your time runs out {ends}")
    sent = here.requests("POST", "/channels/*/messages")
    await here.advance(seconds=20)
    assert here.requests("POST", "/channels/*/messages") == sent
    await here.play("ben", table, cards("5d 5c"))
    assert reminder not in here.channel_texts(table)


async def test_a_table_without_a_clock_never_times_out(here: World) -> None:
    table = await start_four_players(here, pace="none")
    assert "<t:" not in here.read_board(table).text
    await here.advance(days=400)
    table = await here.reload(table)
    assert here.current_player(table) == "ann"
    await here.play("ann", table, cards("3d 3c"))
    assert here.current_player(table) == "ben"


async def test_downtime_is_added_to_deadlines(here: World) -> None:
    table = await start_four_players(here)
    await here.play("ann", table, cards("3d 3c"))
    await here.advance(seconds=60)
    await here.stop()
    await here.pass_time_without_bot(hours=6)
    await here.start()
    table = await here.reload(table)
    assert here.current_player(table) == "ben"
    assert discord_timestamp(here.env.now() + timedelta(seconds=60)) in here.read_board(table).text
    await here.advance(seconds=59)
    assert here.current_player(table) == "ben"
    await here.advance(seconds=2)
    assert here.current_player(table) == "cleo"


async def test_the_time_of_an_outage_is_given_back_to_the_next_hand_and_to_lobbies(here: World) -> None:
    here.deal = SHORT_HANDS
    match = await here.start_table(hands=2)
    await here.play_hand(match)
    lobby = await here.open_table("dev")
    await here.stop()
    await here.pass_time_without_bot(hours=1)
    await here.start()
    assert (await here.reload(match)).stage == "between"
    assert (await here.reload(lobby)).stage == "lobby"
    await here.advance(seconds=61)
    assert (await here.reload(match)).stage == "playing"
    await here.advance(minutes=30)
    assert (await here.reload(lobby)).stage == "closed"


async def test_an_interrupted_house_player_moves_after_a_restart(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await here.start_table()
        await here.play("ann", table, cards("3d 3c"))
        assert table.state.ply == 1  # the house player takes its time
        await here.restart(house_delay_seconds=0)
        await here.advance(seconds=15)
        table = await here.reload(table)
        assert table.state.ply > 1
        assert here.current_player(table) == "ann"


async def test_house_players_wait_for_the_configured_delay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manners, "MIN_DELAY", 1)  # all the same
    monkeypatch.setattr(manners, "MAX_DELAY", 1)
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await here.start_table()
        await here.play("ann", table, cards("3d 3c"))
        seen = []
        for _ in range(3):
            await here.advance(seconds=8.5)
            seen.append((table.state.ply, here.read_board(table).text))
        assert [ply for ply, _ in seen] == [2, 3, 4]
        assert len({text for _, text in seen}) == 3  # every play is shown


async def test_a_clock_stopped_while_ringing_does_not_ring_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def end() -> None:
        here.parts.clock.stop()

    monkeypatch.setattr(here.parts.retention, "end", end)  # an hourly chore
    await here.advance(minutes=61)
    beat = await here.parts.store.clock.last_beat()
    assert beat is not None
    for _ in range(3):
        await here.advance(minutes=1)
    assert await here.parts.store.clock.last_beat() == beat
