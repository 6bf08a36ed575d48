"""When something is due, who was touched of late, and what a start after an outage gives back."""

from __future__ import annotations

from datetime import timedelta

from bot.ground.ids import MessageId
from bot.ground.pace import Deadline
from bot.store.rows import Change
from bot.store.store import Store
from tests.store.given import MINUTE, NOON, a_table, loaded


async def test_a_table_is_due_at_its_reminder_and_again_at_its_deadline(store: Store) -> None:
    assert await store.next_due() is None
    await a_table(store)
    plain = await a_table(store, Deadline(NOON + 2 * MINUTE))
    warned = await a_table(store, Deadline(NOON + 3 * MINUTE, NOON + MINUTE))
    assert await store.next_due() == NOON + MINUTE
    assert await store.due(NOON + MINUTE - timedelta(microseconds=1)) == ()
    assert await store.due(NOON + MINUTE) == (warned,)
    assert await store.due(NOON + 5 * MINUTE) == (warned, plain)
    done = Deadline(NOON + 3 * MINUTE, NOON + MINUTE, reminded=True)
    await store.save(warned, Change(touch_deadline=True, deadline=done))
    assert await store.next_due() == NOON + 2 * MINUTE
    assert await store.due(NOON + 5 * MINUTE) == (plain, warned)


async def test_tables_touched_of_late_are_found(store: Store) -> None:
    first, second = await a_table(store), await a_table(store, created=NOON + MINUTE)
    assert await store.touched_since(NOON + MINUTE) == (second,)
    await store.save(first, Change(at=NOON + 2 * MINUTE, phase="over"))
    await store.save(second, Change(message=MessageId(1)))
    assert await store.touched_since(NOON + 2 * MINUTE) == (first,)
    assert await store.touched_since(NOON + 3 * MINUTE) == ()


async def test_the_time_of_an_outage_is_given_back(store: Store) -> None:
    await a_table(store)
    plain = await a_table(store, Deadline(NOON))
    warned = await a_table(store, Deadline(NOON + 2 * MINUTE, NOON + MINUTE))
    outage = timedelta(days=3, microseconds=1)
    assert await store.resume(NOON - MINUTE) == timedelta(), "it has never run before"
    assert await store.resume(NOON - MINUTE + outage) == outage
    assert await store.last_beat() == NOON - MINUTE + outage
    later = NOON + outage
    assert (await loaded(store, plain)).deadline == Deadline(later)
    assert (await loaded(store, warned)).deadline == Deadline(later + 2 * MINUTE, later + MINUTE)
    assert await store.next_due() == later
    assert await store.due(later) == (plain,)


async def test_a_clock_that_was_set_back_takes_no_time_away(store: Store) -> None:
    plain = await a_table(store, Deadline(NOON))
    await store.beat(NOON)
    assert await store.resume(NOON - MINUTE) == timedelta()
    assert (await loaded(store, plain)).deadline == Deadline(NOON)
    assert await store.last_beat() == NOON - MINUTE


async def test_the_heartbeat_keeps_its_last_beat(store: Store) -> None:
    assert await store.last_beat() is None
    await store.beat(NOON)
    await store.beat(NOON + MINUTE)
    assert await store.last_beat() == NOON + MINUTE
