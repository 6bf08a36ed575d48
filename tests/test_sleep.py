"""Unfinished tables cost rows: a bot that starts loads none of them and keeps no task for any."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.bench.sleep import fill, inside
from tests.world import world

MANY = 1000


async def test_a_start_loads_no_table_and_keeps_no_task_for_any(tmp_path: Path) -> None:
    empty, full = tmp_path / "empty", tmp_path / "full"
    full.mkdir()
    await fill(full / "bigger.db", MANY, datetime.now(UTC))
    _, tasks = await inside(empty)
    assert await inside(full) == (0, tasks)


async def test_a_table_is_loaded_when_it_is_touched_and_dropped_when_it_is_idle(tmp_path: Path) -> None:
    await fill(tmp_path / "bigger.db", MANY, datetime.now(UTC))
    async with world(tmp_path) as here:
        assert len(await here.bot.store.open_tables()) == MANY
        table = await here.bot.tables.get(500)
        assert (table.ply, table.stage, len(here.bot.tables)) == (30, "playing", 1)
        await here.settle()  # house players whose turn it was when the bot stopped
        here.env.backend.advance_clock(timedelta(minutes=11).total_seconds())
        here.bot.tables.forget_idle()
        assert len(here.bot.tables) == 0
