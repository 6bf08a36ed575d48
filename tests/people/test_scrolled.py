"""A board that has scrolled away because people talk is posted again where they do."""

from __future__ import annotations

from typing import Any

import pytest

from bot.table.table import Table
from tests.world import World

MINUTES = 6


async def talk(here: World, times: int) -> None:
    """Let people talk in the channel."""
    for at in range(times):
        await here.people["ben"].send(here.channel, f"and another thing, number {at}")


async def after_talking(here: World, times: int, minutes: int = MINUTES, **options: Any) -> tuple[Table, int | None]:
    """Let people talk at a table so many minutes old, and then play; return the table and the board it had."""
    table = await here.start_table("ben", "cleo", "dev", **options)
    before = table.row.message
    await here.later(minutes=minutes / 4)
    await here.act(str(here.turn(table)), table)
    for _ in range(3):
        await here.later(minutes=minutes / 4)
        await here.act(str(here.turn(table)), table)
    await talk(here, times)
    await here.later(minutes=1)
    await here.act(str(here.turn(table)), table)
    return table, before


async def test_a_board_that_has_scrolled_away_is_posted_again(here: World) -> None:
    table, before = await after_talking(here, 12)
    assert table.row.message != before
    assert before not in [message.id for message in here.channel.history()], "the old one is gone"
    assert str(here.turn(table)) in here.read(table).text


async def test_it_is_not_posted_again_at_once(here: World) -> None:
    table, _ = await after_talking(here, 12)
    posted = table.row.message
    await talk(here, 20)
    await here.later(minutes=1)
    await here.act(str(here.turn(table)), table)
    assert table.row.message == posted


@pytest.mark.parametrize(("times", "minutes"), [(11, MINUTES), (12, 1)])
async def test_it_stays_where_it_is_in_sight_or_new(here: World, times: int, minutes: int) -> None:
    table, before = await after_talking(here, times, minutes)
    assert table.row.message == before


async def test_it_stays_at_a_slow_table(here: World) -> None:
    table, before = await after_talking(here, 12, pace="slow")
    assert table.row.message == before


async def test_it_stays_where_the_bot_may_not_read_what_was_written(here: World) -> None:
    await here.let_bot(here.channel, read_message_history=False)
    table, before = await after_talking(here, 12)
    assert table.row.message == before


async def test_it_is_looked_for_once_a_minute_at_most(here: World) -> None:
    table, _ = await after_talking(here, 3)
    asked = here.requests("GET", "/channels/*/messages")
    for _ in range(4):
        if name := here.turn(table):
            await here.act(name, table)
    assert here.requests("GET", "/channels/*/messages") == asked
