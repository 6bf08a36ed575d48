"""Due times, recently changed tables, and time restored after an outage."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.ids import MessageId
from bot.domain.pace import Deadline, SeatTime
from bot.store.rows import TableChange
from bot.store.store import Store
from tests.store.sample_tables import ANN, MINUTE, NOON, add_table, load_table


@pytest.mark.both_databases("the least of columns, and order")
async def test_a_table_is_due_at_its_reminder_and_again_at_its_deadline(store: Store) -> None:
    assert await store.clock.next_due() is None
    await add_table(store)
    plain = await add_table(store, Deadline(NOON + 2 * MINUTE))
    warned = await add_table(store, Deadline(NOON + 3 * MINUTE, NOON + MINUTE))
    assert await store.clock.next_due() == NOON + MINUTE
    assert await store.clock.due(NOON + MINUTE - timedelta(microseconds=1)) == ()
    assert await store.clock.due(NOON + MINUTE) == (warned,)
    assert await store.clock.due(NOON + 5 * MINUTE) == (warned, plain)
    done = Deadline(NOON + 3 * MINUTE, NOON + MINUTE, reminded=True)
    await store.tables.save(warned, TableChange(touch_deadline=True, deadline=done))
    assert await store.clock.next_due() == NOON + 2 * MINUTE
    assert await store.clock.due(NOON + 5 * MINUTE) == (plain, warned)


async def test_a_table_with_a_due_premove_is_due_unless_paused(store: Store) -> None:
    table, other = await add_table(store), await add_table(store, Deadline(NOON + 3 * MINUTE))
    await store.tables.save(table, TableChange(premove_at=NOON + MINUTE))
    await store.tables.save(other, TableChange(premove_at=NOON + 2 * MINUTE))
    assert await store.clock.next_due() == NOON + MINUTE
    assert await store.clock.due(NOON) == ()
    assert await store.clock.due(NOON + 3 * MINUTE) == (table, other)
    await store.tables.save(table, TableChange(paused=True))
    assert await store.clock.next_due() == NOON + 2 * MINUTE
    assert await store.clock.due(NOON + 3 * MINUTE) == (other,)


async def test_recently_changed_tables_are_found(store: Store) -> None:
    first, second = await add_table(store), await add_table(store, created=NOON + MINUTE)
    assert await store.clock.touched_since(NOON + MINUTE) == (second,)
    await store.tables.save(first, TableChange(at=NOON + 2 * MINUTE, phase="over"))
    await store.tables.save(second, TableChange(message=MessageId(1)))
    assert await store.clock.touched_since(NOON + 2 * MINUTE) == (first,)
    assert await store.clock.touched_since(NOON + 3 * MINUTE) == ()


@pytest.mark.both_databases("moments are moved in the database")
async def test_downtime_is_added_to_deadlines(store: Store) -> None:
    await add_table(store)
    plain = await add_table(store, Deadline(NOON))
    warned = await add_table(store, Deadline(NOON + 2 * MINUTE, NOON + MINUTE))
    outage = timedelta(days=3, microseconds=1)
    assert await store.clock.resume(NOON - MINUTE) == timedelta(), "it has never run before"
    assert await store.clock.resume(NOON - MINUTE + outage) == outage
    assert await store.clock.last_beat() == NOON - MINUTE + outage
    later = NOON + outage
    assert (await load_table(store, plain)).deadline == Deadline(later)
    assert (await load_table(store, warned)).deadline == Deadline(later + 2 * MINUTE, later + MINUTE)
    assert await store.clock.next_due() == later
    assert await store.clock.due(later) == (plain,)


async def test_a_clock_set_back_neither_adds_nor_removes_time(store: Store) -> None:
    plain = await add_table(store, Deadline(NOON + MINUTE))
    await store.tables.save(plain, TableChange(premove_at=NOON + MINUTE))
    await store.clock.beat(NOON)
    assert await store.clock.resume(NOON - 60 * MINUTE) == -60 * MINUTE
    assert (await load_table(store, plain)).deadline == Deadline(NOON - 59 * MINUTE)
    assert (await load_table(store, plain)).premove_at == NOON - 59 * MINUTE
    assert await store.clock.last_beat() == NOON - 60 * MINUTE


async def test_downtime_is_restored_in_waking_hours_only(store: Store) -> None:
    noted = Deadline(NOON + 120 * MINUTE, NOON + 90 * MINUTE)
    slow, waiting = await add_table(store, noted), await add_table(store, noted)
    running, stopped = SeatTime(0, 120 * MINUTE, NOON), SeatTime(0, 120 * MINUTE)
    await store.tables.save(slow, TableChange(times=(running,)))
    await store.tables.save(waiting, TableChange(times=(stopped,)))
    await store.clock.beat(NOON)
    assert await store.clock.resume(NOON + 60 * MINUTE) == 60 * MINUTE
    assert (await load_table(store, slow)).deadline == noted, "it is reckoned anew before anything happens"
    assert (await load_table(store, waiting)).deadline == Deadline(NOON + 180 * MINUTE, NOON + 150 * MINUTE)
    days = await store.people.work_schedules([ANN])
    assert days[ANN].runs_out(NOON, running.left) == NOON + 180 * MINUTE
    assert days[ANN].active(NOON, NOON + 61 * MINUTE) == MINUTE


@pytest.mark.both_databases("moments are moved in the database")
async def test_a_clock_set_a_day_ahead_and_back_changes_no_time(store: Store) -> None:
    slow = await add_table(store, Deadline(NOON + 120 * MINUTE, NOON + 90 * MINUTE))
    await store.tables.save(slow, TableChange(times=(SeatTime(0, 120 * MINUTE, NOON),)))
    await store.clock.beat(NOON)
    await store.clock.resume(NOON + timedelta(days=1))
    await store.clock.resume(NOON)
    (day,) = (await store.people.work_schedules([ANN])).values()
    (time,) = (await load_table(store, slow)).times
    assert time.since is not None
    assert day.active(time.since, NOON + 30 * MINUTE) == 30 * MINUTE
    await store.clock.resume(NOON - 60 * MINUTE)  # it had been an hour ahead
    (time,) = (await load_table(store, slow)).times
    assert time.since == NOON - 60 * MINUTE


@pytest.mark.both_databases("upsert")
async def test_the_heartbeat_keeps_its_last_beat(store: Store) -> None:
    assert await store.clock.last_beat() is None
    await store.clock.beat(NOON)
    await store.clock.beat(NOON + MINUTE)
    assert await store.clock.last_beat() == NOON + MINUTE
