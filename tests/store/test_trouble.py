"""What is refused later: a full disk, a lock; told clearly, never half written, and with no secret in it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import ChannelId
from bot.domain.pace import Deadline
from bot.domain.results import MatchOutcome, SeatResult
from bot.runtime.store_address import Address
from bot.store.errors import AlreadyWritten, StoreError
from bot.store.repositories import table_changes
from bot.store.rows import TableChange, TableRow
from bot.store.sqlite import opening
from bot.store.store import Store
from tests.store.plans import raw_connection, record_statements
from tests.store.sample_tables import BEN, NEW_TABLE, NOON, STEP, add_table, load_table, now

WON = MatchOutcome(1, NOON, (SeatResult(seat=0, user=BEN, name="Ben", house=False, place=1, points=3, net=9),))


async def test_a_full_disk_is_reported_without_partial_writes(path: Path) -> None:
    store = await Store.open(path, now)
    table = await add_table(store, Deadline(NOON))
    before = await store.tables.load(table)
    connection = raw_connection(store)
    pages = (await connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
    await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    long = tuple(replace(STEP, ply=ply, action="3d " * 1000) for ply in range(20))
    with pytest.raises(StoreError, match=r"^The disk is full: .* nothing was half written\.$"):
        await store.tables.save(table, TableChange(phase="playing", steps=long, touch_deadline=True))
    assert await store.tables.load(table) == before
    await connection.exec_driver_sql("PRAGMA max_page_count = 100000")
    await store.tables.save(table, TableChange(steps=long))
    assert (await load_table(store, table)).steps == long
    await store.close()


async def test_a_lock_of_another_program_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LOCK_TIMEOUT", 0.05)
    store = await Store.open(path, now)
    table = await add_table(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=f"^The database {path} is locked by another program"):
            await store.tables.save(table, TableChange(steps=(STEP,)))
        assert (await load_table(store, table)).steps == ()  # reading goes on
    await store.tables.save(table, TableChange(steps=(STEP,)))
    await store.close()


async def test_a_queue_waits_only_once_for_a_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LOCK_TIMEOUT", 0.3)
    store = await Store.open(path, now)
    table = await add_table(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with record_statements(store) as sent:
            writes = [store.tables.save(table, TableChange(home=home)) for home in map(ChannelId, range(1, 9))]
            *answers, row = await asyncio.gather(*writes, store.tables.load(table), return_exceptions=True)
        assert [one for one, _ in sent].count("PRAGMA busy_timeout = 0") == 8, "seven writers and a reader"
        assert {str(answer) for answer in answers} == {str(answers[0])}
        assert "is locked by another program" in str(answers[0])
        assert isinstance(row, TableRow), "reading goes on"
        other.execute("ROLLBACK")
    assert await store._gate.run(reading_patience) == (300,), "whoever comes later has patience again"
    await store.tables.save(table, TableChange(home=ChannelId(9)))
    assert (await load_table(store, table)).home == 9
    await store.close()


class Strayed(Exception):
    """What no database says."""


@pytest.mark.both_databases("a transaction that is undone")
@pytest.mark.parametrize("raised", [Strayed, AlreadyWritten, asyncio.CancelledError])
async def test_writes_before_an_error_are_rolled_back(
    store: Store, address: Address, raised: type[BaseException]
) -> None:
    """Were it not undone, the next call would keep it."""
    table = await add_table(store)
    before = await store.tables.load(table)

    async def work(connection: AsyncConnection) -> None:
        await table_changes.write_rows(connection, table, TableChange(steps=(STEP,), phase="playing"))
        raise raised

    with pytest.raises(raised):
        await store._gate.run(work)
    assert await store.tables.load(table) == before
    await store.notes.remember("next", "call")
    await store.close()
    again = await Store.open(address, now)
    assert (await again.tables.load(table), await again.notes.recall("next")) == (before, "call")
    await again.close()


@pytest.mark.both_databases("a transaction that is undone")
async def test_a_partly_refused_change_is_rolled_back(store: Store) -> None:
    table = await add_table(store)
    await store.tables.save(table, TableChange(outcome=WON))
    before = await load_table(store, table)
    with pytest.raises(AlreadyWritten):
        await store.tables.save(table, TableChange(steps=(STEP,), host=BEN, chairs=(), outcome=WON))
    await store.notes.remember("next", "call")
    assert await load_table(store, table) == before


@pytest.mark.both_databases("a transaction of a caller who has gone")
async def test_a_caller_that_gives_up_leaves_no_partial_write(address: Address) -> None:
    store = await Store.open(address, now)
    table, written, go_on = await add_table(store), asyncio.Event(), asyncio.Event()

    async def work(connection: AsyncConnection) -> None:
        await table_changes.write_rows(connection, table, TableChange(phase="playing"))
        written.set()
        await go_on.wait()
        await table_changes.write_rows(connection, table, TableChange(steps=(STEP,)))

    impatient = asyncio.create_task(store._gate.run(work))
    await written.wait()
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    go_on.set()
    await store.close()  # which lets those inside finish
    store = await Store.open(address, now)
    row = await load_table(store, table)
    await store.close()
    assert (row.phase, row.steps) == ("playing", (STEP,))


async def test_an_error_behind_a_lock_restores_the_lock_timeout(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever queued behind a lock waits no second time; a fault of theirs must not leave it at that for the others."""
    monkeypatch.setattr(opening, "LOCK_TIMEOUT", 0.1)
    store = await Store.open(path, now)
    table = await add_table(store)

    async def strays(_connection: AsyncConnection) -> None:
        raise Strayed

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        both = (store.tables.save(table, TableChange(home=ChannelId(1))), store._gate.run(strays))
        refused, strayed = await asyncio.gather(*both, return_exceptions=True)
        assert (type(refused), type(strayed)) == (StoreError, Strayed)
    (patience,) = await store._gate.run(reading_patience)
    assert patience == 100
    await store.tables.save(table, TableChange(home=ChannelId(2)))
    assert (await load_table(store, table)).home == 2
    await store.close()


async def reading_patience(connection: AsyncConnection) -> tuple[int]:
    """Return how many milliseconds the connection waits for another program."""
    return ((await connection.exec_driver_sql("PRAGMA busy_timeout")).scalar_one(),)


async def test_a_write_is_durable_before_it_is_reported(path: Path) -> None:
    store = await Store.open(path, now)
    kept = [("synchronous", 2), ("journal_mode", "wal"), ("foreign_keys", 1)]  # 2: FULL
    for name, value in kept:
        assert (await raw_connection(store).exec_driver_sql(f"PRAGMA {name}")).scalar_one() == value
    await store.close()


@pytest.mark.both_databases("what its driver says of an error")
async def test_logs_and_errors_contain_no_seed(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    await add_table(store, seed="5ecret")
    assert "5ecret" not in caplog.text
    with pytest.raises(StoreError) as refused:
        await store.tables.add(replace(NEW_TABLE, seed="5ecret", pace="soon"), (), None)  # type: ignore[arg-type]
    assert "5ecret" not in f"{refused.value} {refused.value.__cause__}"
