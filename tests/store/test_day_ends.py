"""When the deal of a day can be finished no more: at midnight, or an hour after a stop into which that fell."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.ids import NO_GUILD, Share, TableId
from bot.store.rows import TableChange
from bot.store.store import Store
from tests.store.sample_tables import ANN, CHAIRS, NEW_TABLE, NOON

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)  # of the day of noon


async def begun(store: Store) -> TableId:
    """Begin Ann's try of the day of noon."""
    return await store.daily_deals.begin(replace(NEW_TABLE, guild=NO_GUILD, solo="day"), CHAIRS, NOON.date(), None, 1)


@pytest.mark.both_databases("moments and spans in conditions")
async def test_a_day_ends_at_midnight(store: Store) -> None:
    table = await begun(store)
    assert await store.daily_deals.next_end(NOON) == MIDNIGHT
    assert await store.daily_deals.is_played(NOON.date(), NOON)
    assert not await store.daily_deals.is_played(NOON.date(), MIDNIGHT)
    assert await store.daily_deals.late_day(ANN, MIDNIGHT) is None
    assert await store.daily_deals.overdue(MIDNIGHT - timedelta(seconds=1)) == ()
    assert await store.daily_deals.overdue(MIDNIGHT) == (table,)


@pytest.mark.parametrize("stop", [HOUR, DAY + 2 * HOUR, 20 * DAY])
async def test_2_9_a_stop_over_midnight_leaves_an_hour_to_finish(store: Store, stop: timedelta) -> None:
    table, back = await begun(store), MIDNIGHT + stop
    await store.clock.beat(MIDNIGHT - HOUR)
    await store.clock.resume(back)
    assert await store.daily_deals.late_day(ANN, back) == (NOON.date(), back + HOUR)
    assert await store.daily_deals.next_end(back) == back + HOUR
    assert await store.daily_deals.is_played(NOON.date(), back)
    assert await store.daily_deals.overdue(back) == ()
    assert await store.daily_deals.overdue(back + HOUR) == (table,)
    assert await store.daily_deals.next_end(back + HOUR) == MIDNIGHT + DAY * (stop // DAY + 1)


async def test_2_9_a_stop_within_the_day_or_after_it_changes_nothing(store: Store) -> None:
    table = await begun(store)
    await store.clock.beat(MIDNIGHT - HOUR / 2)
    await store.clock.resume(MIDNIGHT - HOUR / 6)
    assert await store.daily_deals.overdue(MIDNIGHT) == (table,)
    await store.clock.beat(MIDNIGHT)
    await store.clock.resume(MIDNIGHT + HOUR)
    assert await store.daily_deals.overdue(MIDNIGHT + HOUR) == (table,)


@pytest.mark.both_databases("moments are moved in the database")
async def test_2_9_a_second_stop_does_not_shorten_the_hour(store: Store) -> None:
    await begun(store)
    await store.clock.beat(MIDNIGHT - HOUR)
    await store.clock.resume(MIDNIGHT)
    await store.clock.beat(MIDNIGHT + HOUR / 2)
    await store.clock.resume(MIDNIGHT + 5 * HOUR)
    assert await store.daily_deals.late_day(ANN, MIDNIGHT + 5 * HOUR) == (NOON.date(), MIDNIGHT + 5 * HOUR + HOUR / 2)


async def test_2_9_a_closed_try_is_not_extended(store: Store) -> None:
    table = await begun(store)
    await store.tables.save(table, TableChange(phase="closed"))
    await store.clock.beat(MIDNIGHT - HOUR)
    await store.clock.resume(MIDNIGHT + HOUR)
    assert await store.daily_deals.late_day(ANN, MIDNIGHT + HOUR) is None
    assert not await store.daily_deals.is_played(NOON.date(), MIDNIGHT + HOUR)


async def test_2_9_the_process_with_direct_messages_extends_the_day(store: Store) -> None:
    await begun(store)
    back = MIDNIGHT + timedelta(minutes=1)
    await store.clock.give_back(Share(4, frozenset({1})), timedelta(minutes=3), back)
    assert await store.daily_deals.late_day(ANN, back) is None
    await store.clock.give_back(Share(4, frozenset({0})), timedelta(minutes=3), back)
    assert await store.daily_deals.late_day(ANN, back) == (NOON.date(), back + HOUR)
