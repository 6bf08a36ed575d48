"""Unfinished tables cost rows: a bot that starts loads none of them and keeps no task for any."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.ai.plain import plain_action
from bot.domain.ids import TableId
from bot.table.core.commands import Act
from tests.bench.sleep import count_loaded, fill_store
from tests.support.world import World, world

MANY = 100


async def test_a_start_loads_no_table_and_keeps_no_task_for_any(tmp_path: Path) -> None:
    empty, full = tmp_path / "empty", tmp_path / "full"
    full.mkdir()
    await fill_store(full / "bigger.db", MANY, datetime.now(UTC))
    _, tasks = await count_loaded(empty)
    assert await count_loaded(full) == (0, tasks)


async def test_a_table_is_loaded_when_it_is_touched_and_dropped_when_it_is_idle(tmp_path: Path) -> None:
    await fill_store(tmp_path / "bigger.db", MANY, datetime.now(UTC))
    async with world(tmp_path) as here:
        assert len(await here.parts.store.tables.open_tables()) == MANY
        table = await here.parts.tables.get(TableId(50))
        assert (table.state.ply, table.stage, len(here.parts.tables)) == (30, "playing", 1)
        await here.settle()  # house players whose turn it was when the bot stopped
        here.env.backend.advance_clock(timedelta(minutes=11).total_seconds())
        here.parts.tables.drop_idle()
        assert len(here.parts.tables) == 0


# A table that was dropped while something was under way there would be in memory twice, and both would act.


async def idle(here: World, minutes: int = 11) -> None:
    """Pass time without activity, then drop idle tables; ongoing work continues."""
    here.env.backend.advance_clock(timedelta(minutes=minutes).total_seconds())
    here.parts.tables.drop_idle()


async def test_a_table_at_which_a_house_player_thinks_is_not_loaded_a_second_time(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=0.01) as here:
        table = await here.start_table(hands=1, pace="none")
        assert table.match is not None
        action = plain_action(table.match.view(0))
        assert action is not None
        await table.do(Act(here.ann.id, action))
        assert table.busy
        await idle(here)
        assert await here.parts.tables.get(table.id) is table
        assert table.house.acting
        await table.house.ended()
        assert here.current_player(table) == "ann"
        await idle(here)
        again = await here.parts.tables.get(table.id)
        assert again is not table
        assert again.state.ply == table.state.ply > 1


async def test_a_table_at_which_something_is_being_written_is_not_loaded_a_second_time(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    async with table.freeze():
        await idle(here)
        assert await here.parts.tables.get(table.id) is table
    await idle(here)
    assert await here.parts.tables.get(table.id) is not table


async def test_a_recently_used_table_stays_loaded(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    for _ in range(3):
        await idle(here, minutes=6)
        assert await here.parts.tables.get(table.id) is table


async def test_concurrent_requests_for_an_unloaded_table_get_the_same_one(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    await idle(here)
    first, *others = await asyncio.gather(*(here.parts.tables.get(table.id) for _ in range(5)))
    assert first is not table
    assert all(other is first for other in others)
    assert await here.parts.tables.get(table.id) is first
