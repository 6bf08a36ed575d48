"""Time: deadlines, the one reminder, and what an outage costs nobody."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.rules.core.cards import cards
from bot.store.rows import TableRow
from bot.table import house_players as manners
from bot.table.table import Table
from tests.support.message_text import private
from tests.support.world import SHORT_HANDS, World, world


def stamp(at: datetime) -> str:
    """Discord's notation of a moment, shown in each reader's zone."""
    return f"<t:{int(at.timestamp())}:R>"


async def kept(here: World, table: Table) -> TableRow:
    """The table as the store has it."""
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    return row


async def four(here: World, **options: Any) -> Table:
    """Let four people begin a match."""
    return await here.start_table("ben", "cleo", "dev", **options)


async def test_on_timeout_the_leader_plays_the_lowest_card_and_others_pass(here: World) -> None:
    table = await four(here)
    await here.later(seconds=119)
    assert here.turn(table) == "ann"
    await here.later(seconds=2)
    assert here.turn(table) == "ben"
    assert "`3♢`" in here.read(table).text
    await here.later(seconds=121)
    assert here.turn(table) == "cleo"
    assert "Passed: ben" in here.read(table).text
    steps = (await kept(here, table)).steps
    assert [(step.seat, step.action, step.by) for step in steps] == [(0, "3d", "clock"), (1, "pass", "clock")]


async def test_deadlines_are_shown_and_one_reminder_comes_when_four_fifths_of_the_time_are_gone(here: World) -> None:
    table = await four(here)
    assert stamp(here.env.now() + timedelta(minutes=2)) in here.read(table).text
    await here.later(minutes=1)
    assert stamp(here.env.now() + timedelta(minutes=1)) in private(await here.open_hand("ann", table)).text
    await here.play("ann", table, cards("3d 3c"))
    assert stamp(here.env.now() + timedelta(minutes=2)) in here.read(table).text
    await here.later(seconds=90)
    (ping,) = here.talk(table)
    assert ", your turn: " in ping
    await here.later(seconds=8)
    (reminder,) = here.talk(table)  # in place of the ping
    assert reminder.startswith(f"<@{here.people['ben'].id}>, your time runs out {stamp(table.row.deadline.at)}")  # type: ignore[union-attr]
    sent = here.requests("POST", "/channels/*/messages")
    await here.later(seconds=20)
    assert here.requests("POST", "/channels/*/messages") == sent
    await here.play("ben", table, cards("5d 5c"))
    assert reminder not in here.talk(table)


async def test_a_table_without_a_clock_never_times_out(here: World) -> None:
    table = await four(here, pace="none")
    assert "<t:" not in here.read(table).text
    await here.later(days=400)
    table = await here.again(table)
    assert here.turn(table) == "ann"
    await here.play("ann", table, cards("3d 3c"))
    assert here.turn(table) == "ben"


async def test_downtime_is_added_to_deadlines(here: World) -> None:
    table = await four(here)
    await here.play("ann", table, cards("3d 3c"))
    await here.later(seconds=60)
    await here.stop()
    await here.later_without_bot(hours=6)
    await here.start()
    table = await here.again(table)
    assert here.turn(table) == "ben"
    assert stamp(here.env.now() + timedelta(seconds=60)) in here.read(table).text
    await here.later(seconds=59)
    assert here.turn(table) == "ben"
    await here.later(seconds=2)
    assert here.turn(table) == "cleo"


async def test_the_time_of_an_outage_is_given_back_to_the_next_hand_and_to_lobbies(here: World) -> None:
    here.deal = SHORT_HANDS
    match = await here.start_table(hands=2)
    await here.play_hand(match)
    lobby = await here.open_table("dev")
    await here.stop()
    await here.later_without_bot(hours=1)
    await here.start()
    assert (await here.again(match)).stage == "between"
    assert (await here.again(lobby)).stage == "lobby"
    await here.later(seconds=61)
    assert (await here.again(match)).stage == "playing"
    await here.later(minutes=30)
    assert (await here.again(lobby)).stage == "closed"


async def test_an_interrupted_house_player_moves_after_a_restart(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await here.start_table()
        await here.play("ann", table, cards("3d 3c"))
        assert table.state.ply == 1  # the house player takes its time
        await here.restart(house_delay_seconds=0)
        await here.later(seconds=15)
        table = await here.again(table)
        assert table.state.ply > 1
        assert here.turn(table) == "ann"


async def test_house_players_wait_for_the_configured_delay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manners, "MIN_DELAY", 1)  # all the same
    monkeypatch.setattr(manners, "MAX_DELAY", 1)
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await here.start_table()
        await here.play("ann", table, cards("3d 3c"))
        seen = []
        for _ in range(3):
            await here.later(seconds=8.5)
            seen.append((table.state.ply, here.read(table).text))
        assert [ply for ply, _ in seen] == [2, 3, 4]
        assert len({text for _, text in seen}) == 3  # every play is shown


async def test_a_clock_stopped_while_ringing_does_not_ring_again(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def end() -> None:
        here.parts.clock.stop()

    monkeypatch.setattr(here.parts.retention, "end", end)  # an hourly chore
    await here.later(minutes=61)
    beat = await here.parts.store.clock.last_beat()
    assert beat is not None
    for _ in range(3):
        await here.later(minutes=1)
    assert await here.parts.store.clock.last_beat() == beat
