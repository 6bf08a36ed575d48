"""Leases and fencing: shard ownership, expiry of processes, and write permission."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import asyncpg
import pytest
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import SHARD_SHIFT, GuildId, TableId
from bot.runtime.store_address import DatabaseServer
from bot.sharding.handover import AgreedTime, ShardCallbacks
from bot.sharding.shards import Shards
from bot.store.cluster import membership, shard_messages
from bot.store.cluster.membership import Membership
from bot.store.copies.side_connection import connect_beside_bot, read_members
from bot.store.errors import AlreadyWritten, DeletionsPending, Fenced, StoreError
from bot.store.postgres import processes
from bot.store.postgres.connection import SETTINGS
from bot.store.postgres.opening import MAX_TRANSACTIONS, ServerGate
from bot.store.postgres.processes import MembershipState, MembershipTerms
from bot.store.repositories import table_changes
from bot.store.rows import TableChange
from bot.store.store import Store
from tests.store.sample_tables import STEP, add_table, load_table, now, open_refusal
from tests.support.postgres import borrow_database, drop_database

LEASE = timedelta(seconds=600)  # expires only when a test says so
TERMS = MembershipTerms(LEASE, most=4)
TWO_SHARD_TERMS = MembershipTerms(LEASE, most=2)
SHORT_TERMS = MembershipTerms(timedelta(seconds=0.3), most=4)  # expires by itself unless renewed, ten times a second
WAIT_LIMIT = 60  # seconds for any wait
LOCK_WAITERS = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"
SHARD_COUNT = 6
pytestmark = pytest.mark.timeout(2 * WAIT_LIMIT)


@dataclass(repr=False)
class MembershipRecorder:
    """Membership callbacks that record their calls."""

    state: MembershipState | None = None
    fences: int = 0
    messages: list[str] = field(default_factory=list)
    deletion_pending: asyncio.Event = field(default_factory=asyncio.Event)
    follow: Callable[[], None] = lambda: None

    async def update(self, standing: MembershipState) -> None:
        self.state = standing

    async def fenced(self) -> None:
        self.fences += 1

    async def receive(self, message: str) -> None:
        self.messages.append(message)

    async def behind(self, followed: Callable[[], None]) -> None:
        self.follow = followed
        self.deletion_pending.set()


@dataclass(repr=False)
class Process:
    store: Store
    membership: Membership
    recorder: MembershipRecorder

    @property
    def shards(self) -> set[int]:
        return set(self.membership.held)


@pytest.fixture
async def database() -> AsyncIterator[DatabaseServer]:
    made = borrow_database()
    yield made
    drop_database(made)


@asynccontextmanager
async def process(database: DatabaseServer, terms: MembershipTerms = TERMS) -> AsyncIterator[Process]:
    """Yield a process that has joined and renews its lease only when a test says so."""
    store, recorder = await Store.open(database, now, shared=True), MembershipRecorder()
    membership = await store.join("one", terms, SHARD_COUNT, recorder)
    yield Process(store, membership, recorder)
    await store.close()


async def test_processes_share_the_shards_and_take_over_those_of_a_process_that_leaves(
    database: DatabaseServer,
) -> None:
    async with process(database) as ann, process(database) as ben:
        assert ann.membership.is_first
        assert not ben.membership.is_first
        assert len(ann.shards) == TERMS.most
        assert ben.shards == set(range(SHARD_COUNT)) - ann.shards
        await ann.membership.end()
        await ben.membership.renew()
        assert len(ben.shards) == TERMS.most, "a process takes at most so many shards"
        assert ben.recorder.state
        assert ben.recorder.state.idle == 2
        assert ben.recorder.state.share.processes == 1
        async with process(database) as cleo:
            assert len(cleo.shards) == 2
            assert not ben.shards & cleo.shards


async def test_a_process_with_an_expired_lease_loses_its_shards_and_cannot_write(database: DatabaseServer) -> None:
    async with process(database, SHORT_TERMS) as ann:
        table = await add_table(ann.store)
        async with process(database) as ben:
            async with asyncio.timeout(WAIT_LIMIT):
                while len(ben.shards) < TERMS.most:  # ann does not renew
                    await ben.membership.renew()
            with pytest.raises(Fenced):
                await ann.store.tables.save(table, TableChange(steps=(STEP,)))
            assert (await load_table(ben.store, table)).steps == ()
            await ann.membership.renew()
            assert ann.recorder.fences == 1
            assert not await ann.membership.has(None)


async def expire_leases(*members: Process) -> None:
    """Expire the leases of these processes, in the database and on their own clocks."""
    until, renewed = processes.leases.c.until - LEASE, processes.leases.c.renewed - LEASE
    for one in members:
        passed = update(processes.leases).filter_by(process=one.membership.number).values(until=until, renewed=renewed)
        assert isinstance(one.store._gate, ServerGate)
        await one.store._gate.run_for_group(AsyncConnection.execute, passed)
        one.membership._until -= LEASE.total_seconds()


async def test_an_open_transaction_of_a_process_declared_dead_is_not_committed(database: DatabaseServer) -> None:
    """The transaction passed the fence before, and another process loads the table before the commit."""
    async with process(database) as ann, process(database) as ben:
        table, started, resume = await add_table(ann.store), asyncio.Event(), asyncio.Event()

        async def slow(connection: AsyncConnection) -> None:
            started.set()
            await resume.wait()
            await table_changes.write_rows(connection, table, TableChange(steps=(STEP,)))

        under_way = asyncio.create_task(ann.store._gate.run(slow))
        await started.wait()
        await expire_leases(ann)
        await ben.membership.renew()
        assert (await load_table(ben.store, table)).steps == ()
        resume.set()
        with pytest.raises(StoreError):
            await under_way
        assert (await load_table(ben.store, table)).steps == ()


async def test_a_lease_is_renewed_while_all_transactions_of_the_process_are_busy(
    database: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SETTINGS, "idle_in_transaction_session_timeout", str(WAIT_LIMIT * 1000))
    async with process(database) as ann:
        started, resume, before = asyncio.Event(), asyncio.Event(), ann.recorder.state

        async def slow(_connection: AsyncConnection) -> None:
            started.set()
            await resume.wait()

        waiting = [asyncio.create_task(ann.store._gate.run(slow)) for _ in range(2 * MAX_TRANSACTIONS)]
        await started.wait()
        await asyncio.wait_for(ann.membership.renew(), WAIT_LIMIT)
        assert ann.recorder.state is not before
        resume.set()
        await asyncio.gather(*waiting)


async def test_a_process_that_hangs_in_a_transaction_blocks_the_others_only_briefly(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        table, changed, resume = await add_table(ann.store), asyncio.Event(), asyncio.Event()

        async def hanging(connection: AsyncConnection) -> None:
            limit = (await connection.execute(text("SHOW idle_in_transaction_session_timeout"))).scalar_one()
            assert limit == "5s", "a hanging transaction is closed soon"
            await table_changes.write_rows(connection, table, TableChange(steps=(STEP,)))
            await connection.execute(text("SET idle_in_transaction_session_timeout = 1"))
            changed.set()
            await resume.wait()

        under_way = asyncio.create_task(ann.store._gate.run(hanging))
        await changed.wait()
        await ben.store.tables.save(table, TableChange(steps=(STEP,)))
        resume.set()
        with pytest.raises((StoreError, AlreadyWritten)):
            await under_way
        assert [step.ply for step in (await load_table(ben.store, table)).steps] == [STEP.ply]


class FailingRecorder(MembershipRecorder):
    """Callbacks that fail at each call after the first update."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = asyncio.Semaphore(0)

    async def update(self, standing: MembershipState) -> None:
        if self.state is None:
            self.state = standing
            return
        self.calls.release()
        raise ValueError("what now?")

    async def receive(self, message: str) -> None:
        await super().receive(message)
        self.calls.release()
        raise ValueError(message)


async def test_a_lease_is_renewed_even_if_the_callbacks_of_the_process_fail(
    database: DatabaseServer, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = FailingRecorder()
    async with process(database) as ann:
        store = await Store.open(database, now, shared=True)
        member = await store.join("two", SHORT_TERMS, SHARD_COUNT, recorder)
        member.keep()
        await ann.membership.send_to_others("one")
        await ann.membership.send_to_others("two")
        for _ in range(5):
            await asyncio.wait_for(recorder.calls.acquire(), WAIT_LIMIT)
        assert recorder.messages == ["one", "two"]
        assert recorder.fences == 0
        await member.end()
        await store.close()
    assert {record.getMessage() for record in caplog.records} == {"Something went wrong between processes; it goes on"}


# Deletions of personal data by another process


async def test_a_process_that_has_not_applied_a_deletion_cannot_write_what_it_remembers(
    database: DatabaseServer,
) -> None:
    async with process(database) as ann, process(database) as ben:
        table = await add_table(ann.store)
        chairs = (await load_table(ben.store, table)).chairs
        (gone, *_) = [chair.user for chair in chairs if chair.user]
        await ann.store.deletions.forget_person(gone)
        with pytest.raises(DeletionsPending):
            await ben.store.tables.save(table, TableChange(chairs=chairs))
        await ann.store.tables.save(table, TableChange(at=now()))  # the deleting process knows about it
        await ben.membership.renew()
        assert ben.recorder.fences == 0, "the lease is renewed meanwhile"
        await asyncio.wait_for(ben.recorder.deletion_pending.wait(), WAIT_LIMIT)
        ben.recorder.follow()
        assert gone not in [chair.user for chair in (await load_table(ben.store, table)).chairs]
        await ben.store.tables.save(table, TableChange(at=now()))


async def test_a_deletion_waits_for_the_transactions_in_progress(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        table, started, resume = await add_table(ann.store), asyncio.Event(), asyncio.Event()
        chairs = (await load_table(ben.store, table)).chairs
        (gone, *_) = [chair.user for chair in chairs if chair.user]

        async def slow(connection: AsyncConnection) -> None:
            started.set()
            await resume.wait()
            await table_changes.write_rows(connection, table, TableChange(chairs=chairs))

        under_way = asyncio.create_task(ben.store._gate.run(slow))
        await started.wait()
        deleting = asyncio.create_task(ann.store.deletions.forget_person(gone))
        await wait_for_exclusive_request(database)
        assert not deleting.done()
        resume.set()
        await asyncio.gather(under_way, deleting)
        assert gone not in [chair.user for chair in (await load_table(ann.store, table)).chairs]


async def wait_for_exclusive_request(database: DatabaseServer) -> None:
    """Wait until a connection waits for exclusive access to the database."""
    async with connect_beside_bot(database) as connection, asyncio.timeout(WAIT_LIMIT):
        while not (await connection.execute(text(LOCK_WAITERS))).scalar_one():
            await connection.rollback()


@pytest.fixture
def without_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes look for messages only after a notification, not at intervals."""
    monkeypatch.setattr(membership, "POLL_SECONDS", LEASE.total_seconds())


@pytest.mark.usefixtures("without_polling")
async def test_a_message_to_all_other_processes_reaches_each_once(database: DatabaseServer) -> None:
    async with (
        process(database, TWO_SHARD_TERMS) as ann,
        process(database, TWO_SHARD_TERMS) as ben,
        process(database, TWO_SHARD_TERMS) as cleo,
    ):
        for one in (ann, ben, cleo):
            await one.membership.renew()
            one.membership.keep()
            for shard in one.shards:
                one.membership.live(shard)
        assert all(one.shards for one in (ann, ben, cleo))
        await ann.membership.send_to_others("a message")
        async with asyncio.timeout(WAIT_LIMIT):
            while not (ben.recorder.messages and cleo.recorder.messages):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (ann.recorder.messages, ben.recorder.messages, cleo.recorder.messages) == (
            [],
            ["a message"],
            ["a message"],
        )
        for one in (ann, ben, cleo):
            await one.membership.end()


async def test_a_command_line_connection_can_read_the_members(database: DatabaseServer) -> None:
    async with process(database, TWO_SHARD_TERMS) as ann, process(database, TWO_SHARD_TERMS) as ben:
        async with connect_beside_bot(database) as connection:
            members, idle = await read_members(connection, database)
        assert [(member.name, member.shards) for member in members] == [("one", 2), ("one", 2)]
        assert idle == SHARD_COUNT - 4
        await expire_leases(ben)
        await ann.membership.renew()
        async with connect_beside_bot(database) as connection:
            members, _ = await read_members(connection, database)
        assert len(members) == 1


async def test_no_process_counts_as_dead_because_the_database_was_unreachable(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        await expire_leases(ann, ben)
        await ben.membership.renew()
        await ann.membership.renew()
        await ben.membership.renew()
        assert ann.recorder.fences == 0
        assert len(ann.shards | ben.shards) == SHARD_COUNT


async def test_a_delayed_process_checks_its_lease_before_it_acts(database: DatabaseServer) -> None:
    async with process(database) as ann:
        assert await ann.membership.has(None)
        async with process(database) as ben:
            await expire_leases(ann)
            await ben.membership.renew()
            assert not await ann.membership.has(None)
            assert ann.recorder.fences == 1


async def test_all_processes_together_keep_the_identify_interval(database: DatabaseServer) -> None:
    gap = LEASE
    async with process(database) as ann, process(database) as ben:
        waits = await asyncio.gather(
            *(one.membership.turn_to_identify(0, gap) for one in (ann, ben, ann, ben)),
        )
        first, *others = sorted(waits)
        assert first == timedelta()
        assert all(gap - timedelta(seconds=WAIT_LIMIT) < wait <= gap for wait in others)
        assert await ben.membership.turn_to_identify(1, gap) == timedelta(), "another bucket"
        again = await ben.membership.turn_to_identify(0, gap)
        assert timedelta() < again < max(others), "a refused request takes no turn"


@pytest.mark.usefixtures("without_polling")
async def test_a_message_for_a_shard_reaches_the_process_that_has_it_once(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        for one in (ann, ben):
            one.membership.keep()
        (mine, *_), (theirs, *_) = ann.shards, ben.shards
        ann.membership.live(mine)
        ben.membership.live(theirs)
        await ann.membership.send(theirs, "a message")
        await ben.membership.send(mine, "another")
        async with asyncio.timeout(WAIT_LIMIT):
            while not (ann.recorder.messages and ben.recorder.messages):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (ann.recorder.messages, ben.recorder.messages) == (["another"], ["a message"])
        for one in (ann, ben):
            await one.membership.end()


async def test_a_message_handed_over_with_a_shard_is_not_read_by_the_former_process(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        (shard, *_), believed = ann.shards, ann.shards
        await ben.membership.claim(shard)
        await ann.membership.pass_on(shard, ben.membership.number, "a message")
        gate = ann.store._gate
        assert await gate.run(shard_messages.receive, ann.membership.number, believed) == ()
        await ben.membership.renew()
        assert shard in ben.shards
        assert await gate.run(shard_messages.receive, ben.membership.number, ben.shards) == ('"a message"',)


async def test_a_shard_is_not_passed_to_a_process_that_has_left(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        (shard, *_) = ann.shards
        await ben.membership.claim(shard)
        await ben.membership.end()
        with pytest.raises(StoreError, match="nobody waits for it any more"):
            await ann.membership.pass_on(shard, ben.membership.number, "a message")
        await ann.membership.renew()
        assert shard in ann.shards, "the shard would be lost otherwise"


async def test_exclusive_access_to_the_database_is_refused_while_a_bot_runs_and_vice_versa(
    database: DatabaseServer,
) -> None:
    async with process(database):
        assert "Another running bot" in await open_refusal(database)
    alone = await Store.open(database, now)
    with pytest.raises(StoreError, match="being copied"):
        await Store.open(database, now, shared=True)
    await alone.close()


async def test_a_process_that_lost_its_connection_is_no_longer_a_member(database: DatabaseServer) -> None:
    async with process(database) as ann:
        await ann.store._gate.run(AsyncConnection.execute, text("SELECT 1"))
        assert hasattr(ann.store._gate, "lock")
        await ann.store._gate.lock.close()
        await (await Store.open(database, now)).close()
        with pytest.raises(Fenced):
            await ann.store.notes.remember("still", "here")


async def test_messages_between_processes_are_part_of_no_copy() -> None:
    from bot.store.schema import metadata

    assert not set(processes.metadata.tables) & set(metadata.tables)


# Owners of tables


async def test_clicks_and_table_work_agree_on_the_process_that_owns_a_table(database: DatabaseServer) -> None:
    """A process owns a table from taking its shard until just before handing it over, connected or not."""
    async with process(database) as ann, process(database) as ben:
        await ann.membership.end()
        assert not await owned_shards(ann), "all of its shards are free"
        await ben.membership.renew()
        assert await owned_shards(ben) == ben.shards
        assert ben.store.share.held == frozenset(), "none of them is connected"
        for shard in ben.shards:
            ben.membership.live(shard)
            assert await owned_shards(ben) == ben.shards
        shard = min(ben.shards)
        ben.membership.away(shard)
        assert await owned_shards(ben) == ben.shards - {shard}
        ben.membership.live(shard)
        assert await owned_shards(ben) == ben.shards, "the shard was not handed over after all"
        await ben.membership.give(shard)
        assert await owned_shards(ben) == ben.shards
        async with process(database) as cleo:
            await expire_leases(ben)
            await cleo.membership.renew()
            await ben.membership.renew()
            assert await owned_shards(ben) == set(), "the process was declared dead"


async def owned_shards(one: Process) -> set[int]:
    """Return the shards whose clicks a process answers; assert that the process also saves their tables."""
    servers = {shard: GuildId(shard << SHARD_SHIFT) for shard in range(SHARD_COUNT)}
    clicks = {shard for shard, guild in servers.items() if await one.membership.has(guild)}
    assert clicks == {shard for shard, guild in servers.items() if one.store.own.has(guild)}
    assert one.store.share.held <= clicks, "the clock acts only at own tables"
    return clicks


class TableRecorder:
    """Records the tables to reload."""

    def __init__(self) -> None:
        self.reloaded = list[int]()

    async def reread(self, table: TableId) -> None:
        self.reloaded.append(table)


def shard_handler(one: Process, tables: TableRecorder) -> Shards:
    """Return the shard handling of a process, without a Discord client."""
    made = Shards(cast("Any", None), cast("ShardCallbacks", tables), AgreedTime(now), cast("Any", None))
    made.membership = one.membership
    return made


async def test_the_owner_of_a_table_reloads_it_after_another_process_changed_it(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        tables, guild = TableRecorder(), GuildId(min(ben.shards) << SHARD_SHIFT)
        shard_handler(ann, tables).notify_owner(TableId(7), guild)
        async with asyncio.timeout(WAIT_LIMIT):
            while not ben.recorder.messages:
                await ben.membership._take()
        (message,) = ben.recorder.messages
        owner = shard_handler(ben, tables)
        await owner.receive(message)
        await owner._begun.ended()
        assert tables.reloaded == [7]


class EventRecorder:
    """A bot that records dispatched events."""

    def __init__(self) -> None:
        self.events = list[str]()

    def dispatch(self, event: str) -> None:
        self.events.append(event)


class DeletionFollower(TableRecorder):
    """A process that applies deletions at once."""

    async def follow(self, followed: Callable[[], None]) -> None:
        followed()


async def test_1_2_cached_replays_are_dropped_when_another_process_deletes_a_player() -> None:
    bot, followed = EventRecorder(), list[str]()
    shards = Shards(cast("Any", bot), cast("ShardCallbacks", DeletionFollower()), AgreedTime(now), cast("Any", None))
    await shards.behind(lambda: followed.append("followed"))
    assert (followed, bot.events) == (["followed"], ["person_forgotten"])


async def test_2_8_notifications_from_another_database_user_are_ignored(database: DatabaseServer) -> None:
    """Any user of the database server may send notifications: their content has no effect."""
    name = f"stranger_{os.getpid()}"
    admin = await asyncpg.connect(database.reveal())
    await admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'x'")
    stranger = await asyncpg.connect(database.reveal(), user=name, password="x")  # of this test alone
    try:
        async with process(database) as ann, process(database) as ben:
            for one in (ann, ben):
                one.membership.keep()
            (theirs, *_) = ben.shards
            ben.membership.live(theirs)
            for said in ("", "-1", "9" * 20, json.dumps({"give": theirs, "to": ann.membership.number}), "☃" * 2000):
                await stranger.execute("SELECT pg_notify($1, $2)", shard_messages.CHANNEL, said)
            await stranger.execute(
                "SELECT pg_notify($1, n::text) FROM generate_series(1, 500) n", shard_messages.CHANNEL
            )
            await ann.membership.send(theirs, "a message")
            async with asyncio.timeout(WAIT_LIMIT):
                while not ben.recorder.messages:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            assert (ann.recorder.messages, ben.recorder.messages) == ([], ["a message"])
            assert (ann.recorder.fences, ben.recorder.fences) == (0, 0)
            assert theirs in ben.shards
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await stranger.execute("DELETE FROM bigger_processes.processes")
            for one in (ann, ben):
                await one.membership.end()
    finally:
        await stranger.close()
        await admin.execute(f"DROP ROLE {name}")
        await admin.close()
