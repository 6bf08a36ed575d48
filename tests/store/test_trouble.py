"""What is refused later: a full disk, a lock; told clearly, never half written, and with no secret in it."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ground.pace import Deadline
from bot.store import opening
from bot.store.errors import StoreError
from bot.store.rows import Change, TableRow
from bot.store.store import Store
from tests.store.given import NEW, NOON, STEP, a_table, loaded, now


async def test_a_full_disk_is_told_and_nothing_is_half_written(store: Store) -> None:
    table = await a_table(store, Deadline(NOON))
    before = await store.load(table)
    connection = store._gate.connection
    pages = (await connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
    await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    long = tuple(replace(STEP, ply=ply, action="3d " * 1000) for ply in range(20))
    with pytest.raises(StoreError, match=r"^The disk is full: .* nothing was half written\.$"):
        await store.save(table, Change(phase="playing", steps=long, touch_deadline=True))
    assert await store.load(table) == before
    await connection.exec_driver_sql("PRAGMA max_page_count = 100000")
    await store.save(table, Change(steps=long))
    assert (await loaded(store, table)).steps == long


async def test_a_lock_of_another_program_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "PATIENCE", 0.05)
    store = await Store.open(path, now)
    table = await a_table(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=f"^The database {path} is locked by another program"):
            await store.save(table, Change(steps=(STEP,)))
        assert (await loaded(store, table)).steps == ()  # reading goes on
    await store.save(table, Change(steps=(STEP,)))
    await store.close()


async def test_a_queue_waits_only_once_for_a_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "PATIENCE", 0.3)
    store = await Store.open(path, now)
    table = await a_table(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        writes = [store.save(table, Change(home=home)) for home in range(1, 9)]
        *answers, row = await asyncio.gather(*writes, store.load(table), return_exceptions=True)
        assert 0.3 <= time.monotonic() - began < 0.9
        assert {str(answer) for answer in answers} == {str(answers[0])}
        assert "is locked by another program" in str(answers[0])
        assert isinstance(row, TableRow), "reading goes on"
        late = asyncio.create_task(store.save(table, Change(home=9)))
        await asyncio.sleep(0.1)
        other.execute("ROLLBACK")
    await late  # whoever comes later has patience again
    assert (await loaded(store, table)).home == 9
    await store.close()


async def test_what_is_written_is_on_the_disk_before_it_is_told(store: Store) -> None:
    kept = [("synchronous", 2), ("journal_mode", "wal"), ("foreign_keys", 1)]  # 2: FULL
    for name, value in kept:
        assert (await store._gate.connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one() == value


async def test_no_log_and_no_error_tells_a_seed(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    await a_table(store, seed="5ecret")
    assert "5ecret" not in caplog.text
    with pytest.raises(StoreError) as refused:
        await store.new_table(replace(NEW, seed="5ecret", pace="soon"), (), None)  # type: ignore[arg-type]
    assert "5ecret" not in f"{refused.value} {refused.value.__cause__}"
