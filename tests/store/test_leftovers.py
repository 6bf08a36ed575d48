"""Obsolete rows: which are deleted, and which stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import GuildId, TableId
from bot.domain.results import Sitting
from bot.store.rows import Moderation, TableChange
from bot.store.schema import metadata
from bot.store.store import Store
from tests.store.plans import fully_scanned_tables, record_statements
from tests.store.sample_tables import ANN, BEN, NOON, STEP, add_table, now
from tests.store.test_kept import DEALS

BEFORE = NOON + timedelta(days=1)


async def left(store: Store, tables: Sequence[TableId]) -> list[TableId]:
    """Return which of these tables are there."""
    return [table for table in tables if await store.tables.load(table) is not None]


async def rows(store: Store) -> dict[str, int]:
    """Count the rows of each table of the database in which there are any."""

    async def count(connection: AsyncConnection) -> dict[str, int]:
        found = {table.name: select(func.count()).select_from(table) for table in metadata.sorted_tables}
        return {name: (await connection.execute(query)).scalar_one() for name, query in found.items()}

    return {name: number for name, number in (await store._gate.run(count)).items() if number}


@pytest.mark.both_databases("deletes by subqueries")
async def test_1_4_finished_practice_tables_leave_no_rows(store: Store) -> None:
    match = await add_table(store)
    kept, other = [await add_table(store, solo="practice", host=host) for host in (ANN, BEN)]
    ended = [await add_table(store, solo="practice", steps=(STEP,)) for _ in range(3)]
    going = await add_table(store, solo="practice")
    for table in (kept, other, *ended):
        await store.tables.save(table, TableChange(phase="closed", at=NOON))
    await store.leftovers.delete_practice(ANN, "practice", [kept])
    assert await left(store, [match, kept, other, *ended, going]) == [match, kept, other, going]
    assert await rows(store) == {"tables": 4, "chairs": 12, "outbox": 1, "outbox_named": 1}


async def test_1_4_deleting_a_practice_table_scans_no_other_rows(path: Path) -> None:
    """All standings were read with each press of *Other cards*: with 400,000 of them that took 46 ms of the writer."""
    store = await Store.open(path, now)
    ended = await add_table(store, solo="practice", steps=(STEP,))
    await store.tables.save(ended, TableChange(phase="closed", at=NOON))
    with record_statements(store) as sent:
        await store.leftovers.delete_practice(ANN, "practice", ())
    assert await fully_scanned_tables(store, sent) == []
    assert await left(store, [ended]) == []
    await store.close()


@pytest.mark.both_databases("deletes by subqueries")
async def test_a_lobby_that_closed_without_a_match_is_deleted_after_a_month(store: Store) -> None:
    lobby, judged, played, old, going, young, last = [await add_table(store) for _ in range(7)]
    elsewhere = await add_table(store, guild=GuildId(77))
    await store.tables.save(played, TableChange(sittings=(Sitting(0, 0, ANN, house=False),), at=NOON))
    await store.tables.save(old, TableChange(steps=(STEP,), at=NOON))
    await store.tables.save(judged, TableChange(moderation=Moderation(NOON, ANN, "cancel"), at=NOON))
    for table in (lobby, judged, played, old, last, elsewhere):
        await store.tables.save(table, TableChange(phase="closed", at=NOON))
    await store.tables.save(young, TableChange(phase="closed", at=BEFORE))
    await store.leftovers.delete_lobbies(BEFORE)
    tables = [lobby, judged, played, old, going, young, last, elsewhere]
    assert await left(store, tables) == tables[1:], "the last numbers stay"


async def test_an_unplayed_duplicate_is_deleted_after_a_month(store: Store) -> None:
    opened = NOON, NOON, BEFORE, NOON
    never, begun, young, last = [await store.duplicates.add(replace(DEALS, opened=at)) for at in opened]
    await add_table(store, duplicate_id=begun)
    await store.leftovers.delete_lobbies(BEFORE)
    there = [number for number in (never, begun, young, last) if await store.duplicates.load(number)]
    assert there == [begun, young, last]
