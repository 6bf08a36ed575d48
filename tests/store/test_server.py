"""A database on a server: parallel transactions appear serial, and losses never double writes."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from urllib.parse import urlsplit

import asyncpg
import pytest
from sqlalchemy import event, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import OutboxRow
from bot.domain.ids import TableId, UserId
from bot.domain.pace import Deadline
from bot.ops.monitoring.figures import BotMetrics
from bot.runtime.metrics import Obstacle
from bot.runtime.store_address import DatabaseServer
from bot.store.engine import gate
from bot.store.engine.repository import upsert
from bot.store.errors import AlreadyWritten, StoreError, WriteConflict
from bot.store.postgres import opening as server_gate
from bot.store.postgres.connection import SETTINGS
from bot.store.postgres.opening import ServerGate
from bot.store.repositories import table_changes
from bot.store.repositories.notes import read_note
from bot.store.rows import TableChange
from bot.store.schema import notes
from bot.store.store import Store
from tests.store.sample_tables import CHAIRS, MINUTE, NEW_TABLE, STEP, add_table, load_table, now, open_refusal
from tests.support.postgres import (
    borrow_database,
    create_empty_database,
    database_address,
    drop_database,
    return_database,
)


@pytest.fixture
async def kept() -> AsyncIterator[Store]:
    """A store on a server."""
    database = borrow_database()
    store = await Store.open(database, now)
    yield store
    await store.close()
    return_database(database)


def test_an_address_shows_no_password() -> None:
    server = DatabaseServer("postgresql://ann:5ecret@db.example:5432/bigger?sslmode=require")
    shown = f"{server} {server!r} {server!s:>9} {replace_in(server)}"
    assert "bigger on db.example" in shown
    assert "5ecret" not in shown
    assert "ann" not in shown
    assert server == DatabaseServer(server.reveal())


def replace_in(server: DatabaseServer) -> str:
    """Return what an error says that a player raises with an address."""
    return str(StoreError(f"{server}", [server]))


@pytest.mark.parametrize("wrong", ["mysql://x/y", "postgresql://x", "postgresql://x/a/b", "postgresql://x:port/y"])
def test_an_invalid_address_is_refused_without_repeating_it(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"^must be written postgresql://USER:PASSWORD@HOST/DATABASE$"):
        DatabaseServer(wrong)


async def test_a_missing_or_foreign_database_is_left_alone() -> None:
    assert "no database" in await open_refusal(database_address("nowhere"))
    nobody = urlsplit(database_address("postgres").reveal())
    away = DatabaseServer(nobody._replace(netloc="127.0.0.1:1", query="").geturl())
    assert re.match(r"The database postgres on 127\.0\.0\.1 can't be reached \(.+\)\.", await open_refusal(away))


async def test_a_newer_and_a_strange_database_are_left_alone(kept: Store) -> None:
    held, database = kept._gate, server_of(kept)
    await held.run(AsyncConnection.execute, text("UPDATE alembic_version SET version_num = '9999'"))
    await kept.close()
    assert "newer version of the bot (schema 9999)" in await open_refusal(database)
    strange = create_empty_database()
    await say(strange, "CREATE TABLE recipes (name TEXT)")
    assert "some other program" in await open_refusal(strange)
    drop_database(strange)


def server_of(store: Store) -> DatabaseServer:
    """Return where a store is."""
    assert isinstance(store._gate, ServerGate)
    return store._gate._server


async def say(database: DatabaseServer, statement: str) -> None:
    """Execute a statement from another connection."""
    connection = await asyncpg.connect(database.reveal())
    await connection.execute(statement)
    await connection.close()


async def test_concurrent_tables_get_distinct_numbers(kept: Store) -> None:
    made = await asyncio.gather(*(kept.tables.add(NEW_TABLE, CHAIRS, None) for _ in range(24)))
    assert sorted(row.number for row in made) == list(range(1, 25))


async def test_a_conflicting_ply_is_reported_without_partial_writes(kept: Store) -> None:
    table = await add_table(kept)
    tried = [TableChange(steps=(replace(STEP, action=f"{card}d"),), home=NEW_TABLE.channel) for card in "3456789"]
    answers = await asyncio.gather(*(kept.tables.save(table, change) for change in tried), return_exceptions=True)
    assert answers.count(None) == 1
    assert all(isinstance(answer, AlreadyWritten) for answer in answers if answer is not None)
    assert len((await load_table(kept, table)).steps) == 1


async def one_more(connection: AsyncConnection, meet: Callable[[], Awaitable[None]] | None = None) -> None:
    """Count one up. meet: waits between reading and writing."""
    found = int(await read_note(connection, "count") or 0)
    if meet is not None:
        await meet()
    await upsert(connection, notes, {"key": "count"}, {"value": str(found + 1)})


def retried(figures: BotMetrics, why: str) -> float:
    """Return how many transactions were begun again for this reason."""
    found = figures.registry.get_sample_value("bigger_transactions_retried_total", {"why": why})
    assert found is not None
    return found


class Counted(BotMetrics):
    """first: set once a transaction is begun again."""

    def __init__(self) -> None:
        super().__init__()
        self.first = asyncio.Event()

    def count_retry(self, why: Obstacle) -> None:
        super().count_retry(why)
        self.first.set()


@asynccontextmanager
async def watched(database: DatabaseServer) -> AsyncIterator[tuple[Store, Counted]]:
    """A store of one of several processes, and what is counted of it."""
    figures = Counted()
    store = await Store.open(database, now, shared=True, watch=figures)
    yield store, figures
    await store.close()


async def test_conflicting_transactions_are_retried_counted_and_serialized() -> None:
    database, both, first = borrow_database(), asyncio.Barrier(2), count(1)

    async def meet() -> None:
        """Let the first of each process, which has one such transaction at a time, have read before either writes."""
        if next(first) <= 2:
            await both.wait()

    async with watched(database) as (ann, of_ann), watched(database) as (ben, of_ben):
        await ann.notes.remember("count", "0")
        await asyncio.gather(*(store._gate.run(one_more, meet) for store in (ann, ben) for _ in range(8)))
        assert await ann.notes.recall("count") == "16"
        assert retried(of_ann, "conflict") + retried(of_ben, "conflict") > 0
        assert retried(of_ann, "connection") == retried(of_ben, "connection") == 0
    return_database(database)


NOBODY = UserId(0)
PLIES = 3


async def play_on(store: Store, table: TableId) -> None:
    """Play at a table as the bot does: write a step, and look at what else is due, waited for and to be shown."""
    for ply in range(PLIES):
        row = await load_table(store, table)
        deadline = Deadline(now() + MINUTE * ply)
        await store.tables.save(
            table, TableChange(steps=(replace(STEP, ply=ply),), deadline=deadline, touch_deadline=True)
        )
        await asyncio.gather(
            store.clock.due(now()),
            store.clock.next_due(),
            store.clock.beat(now()),
            store.notes.remember(f"at {table}", str(ply)),
            store.outbox.begin_message(
                OutboxRow(f"{table} {ply}", NEW_TABLE.guild, NOBODY, NEW_TABLE.channel, ply, now())
            ),
            store.outbox.finish(f"{table} {ply}"),
            store.tables.seated(row.host),
            store.tables.open_tables(),
            store.tables.states(),
        )


async def test_eight_tables_of_one_process_do_not_conflict() -> None:
    database = borrow_database()
    async with watched(database) as (store, figures):
        tables = [await add_table(store) for _ in range(8)]
        await asyncio.gather(*(play_on(store, table) for table in tables))
        assert [len((await load_table(store, table)).steps) for table in tables] == [PLIES] * 8
        assert retried(figures, "conflict") == 0
    return_database(database)


async def test_read_transactions_cannot_write(kept: Store) -> None:
    with pytest.raises(StoreError, match="25006"):
        await kept._gate.read(one_more)
    assert await kept.notes.recall("count") is None


async def test_a_persistent_conflict_is_reported_as_retryable(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_gate, "CONFLICT_SECONDS", 0.0)
    monkeypatch.setattr(server_gate, "MIN_CONFLICT_ATTEMPTS", 1)

    async def overtaken(connection: AsyncConnection) -> None:
        await read_note(connection, "count")
        await say(
            server_of(kept), "INSERT INTO notes VALUES ('count', '1') ON CONFLICT (key) DO UPDATE SET value = '2'"
        )
        await upsert(connection, notes, {"key": "count"}, {"value": "3"})

    with pytest.raises(WriteConflict):
        await kept._gate.run(overtaken)
    assert await kept.notes.recall("count") == "2"


async def test_a_lock_timeout_behind_an_exclusive_lock_is_retried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SETTINGS, "lock_timeout", "50")  # milliseconds
    database = borrow_database()
    async with watched(database) as (store, figures):
        other = await asyncpg.connect(database.reveal())
        await other.execute("BEGIN; LOCK TABLE notes")
        waiting = asyncio.create_task(store.notes.remember("still", "here"))
        await asyncio.wait_for(figures.first.wait(), 60)
        await other.execute("COMMIT")
        await waiting
        assert await store.notes.recall("still") == "here"
        await other.close()
    return_database(database)


async def test_a_connection_lost_before_the_commit_loses_and_repeats_nothing(kept: Store) -> None:
    table, tries = await add_table(kept), [0]

    async def work(connection: AsyncConnection) -> None:
        tries[0] += 1
        await table_changes.write_rows(connection, table, TableChange(steps=(STEP,)))
        if tries[0] == 1:
            await end(kept, connection)
        await table_changes.write_rows(connection, table, TableChange(host=UserId(9)))

    await kept._gate.run(work)
    row = await load_table(kept, table)
    assert (tries, row.steps, row.host) == ([2], (STEP,), 9)


async def end(store: Store, connection: AsyncConnection) -> None:
    """Terminate a connection on the server."""
    number = (await connection.execute(select(func.pg_backend_pid()))).scalar_one()
    await say(server_of(store), f"SELECT pg_terminate_backend({number}, 60000)")


async def test_a_connection_lost_during_the_commit_is_reported_and_never_retried(kept: Store) -> None:
    table, tries, held = await add_table(kept), [0], kept._gate
    assert isinstance(held, ServerGate)

    async def work(connection: AsyncConnection) -> None:
        tries[0] += 1
        await table_changes.write_rows(connection, table, TableChange(steps=(STEP,)))
        raw = (await connection.get_raw_connection()).driver_connection
        event.listen(held._engine.sync_engine, "commit", lambda _: raw.terminate(), once=True)  # type: ignore[union-attr]

    with pytest.raises(StoreError, match="lost while something was being stored"):
        await held.run(work)
    assert tries == [1]
    assert (await load_table(kept, table)).steps == ()


async def test_an_unreachable_server_is_reported_soon_without_loss(
    kept: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, database = await add_table(kept), server_of(kept)
    name = urlsplit(database.reveal()).path[1:]
    await say(database_address("postgres"), f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    ending = f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'"
    await say(database_address("postgres"), ending)
    with monkeypatch.context() as impatient:
        impatient.setattr(server_gate, "RECONNECT_SECONDS", 0.1)
        with pytest.raises(StoreError) as told:
            await kept.tables.save(table, TableChange(steps=(STEP,)))
    assert "5ecret" not in str(told.value)
    await say(database_address("postgres"), f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    await kept.tables.save(table, TableChange(steps=(STEP,)))
    assert (await load_table(kept, table)).steps == (STEP,)


async def test_slow_transactions_are_logged_by_name_without_values(
    kept: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "SLOW_SECONDS", 0.0)
    with caplog.at_level(logging.WARNING):
        await kept.notes.remember("seed", "5ecret")
    assert [record.message.split()[0] for record in caplog.records] == ["put_note"]
    assert "5ecret" not in caplog.text


async def test_a_returned_test_database_is_emptied_or_discarded() -> None:
    database = borrow_database()
    store = await Store.open(database, now)
    first = await add_table(store)
    await store.close()
    return_database(database)
    again = borrow_database()
    assert again == database
    store = await Store.open(again, now)
    assert await store.tables.open_tables() == ()
    assert await add_table(store) == first
    await store.close()
    await say(again, "ALTER TABLE notes ADD COLUMN more TEXT")
    return_database(again)
    other = borrow_database()
    assert other != again
    return_database(other)
