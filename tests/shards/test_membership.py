"""Leases and the fence: shard ownership, expiry of processes, and write permission."""

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

LEASE = timedelta(seconds=600)  # runs out where a test says so
TERMS = MembershipTerms(LEASE, most=4)
FEW = MembershipTerms(LEASE, most=2)
SHORT = MembershipTerms(timedelta(seconds=0.3), most=4)  # runs out by itself, or is renewed ten times a second
LIMIT = 60  # seconds for whatever is waited for
WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"
COUNT = 6
pytestmark = pytest.mark.timeout(2 * LIMIT)


@dataclass(repr=False)
class Heard:
    """What a process is told."""

    last: MembershipState | None = None
    fences: int = 0
    letters: list[str] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)  # to follow a deletion
    follow: Callable[[], None] = lambda: None

    async def update(self, standing: MembershipState) -> None:
        self.last = standing

    async def fenced(self) -> None:
        self.fences += 1

    async def receive(self, message: str) -> None:
        self.letters.append(message)

    async def behind(self, followed: Callable[[], None]) -> None:
        self.follow = followed
        self.asked.set()


@dataclass(repr=False)
class Process:
    store: Store
    membership: Membership
    heard: Heard

    @property
    def held(self) -> set[int]:
        return set(self.membership.held)


@pytest.fixture
async def database() -> AsyncIterator[DatabaseServer]:
    made = borrow_database()
    yield made
    drop_database(made)


@asynccontextmanager
async def process(database: DatabaseServer, terms: MembershipTerms = TERMS) -> AsyncIterator[Process]:
    """One that has joined, and renews only when a test says so."""
    store, heard = await Store.open(database, now, shared=True), Heard()
    membership = await store.join("one", terms, COUNT, heard)
    yield Process(store, membership, heard)
    await store.close()


async def test_shards_are_shared_and_given_back(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        assert ann.membership.is_first
        assert not ben.membership.is_first
        assert len(ann.held) == TERMS.most
        assert ben.held == set(range(COUNT)) - ann.held
        await ann.membership.end()
        await ben.membership.renew()
        assert len(ben.held) == TERMS.most, "a process takes no more than it has room for"
        assert ben.heard.last
        assert ben.heard.last.idle == 2
        assert ben.heard.last.share.processes == 1
        async with process(database) as cleo:
            assert len(cleo.held) == 2
            assert not ben.held & cleo.held


async def test_who_lets_their_lease_run_out_is_taken_for_gone_and_writes_nothing(database: DatabaseServer) -> None:
    async with process(database, SHORT) as ann:
        table = await add_table(ann.store)
        async with process(database) as ben:
            async with asyncio.timeout(LIMIT):
                while len(ben.held) < TERMS.most:  # nobody renews it
                    await ben.membership.renew()
            with pytest.raises(Fenced):
                await ann.store.tables.save(table, TableChange(steps=(STEP,)))
            assert (await load_table(ben.store, table)).steps == ()
            await ann.membership.renew()
            assert ann.heard.fences == 1
            assert not await ann.membership.has(None)


async def lapse(*lapsing: Process) -> None:
    """Let as much time pass for these as a lease lasts."""
    until, renewed = processes.leases.c.until - LEASE, processes.leases.c.renewed - LEASE
    for one in lapsing:
        passed = update(processes.leases).filter_by(process=one.membership.number).values(until=until, renewed=renewed)
        assert isinstance(one.store._gate, ServerGate)
        await one.store._gate.run_for_group(AsyncConnection.execute, passed)
        one.membership._until -= LEASE.total_seconds()


async def test_what_is_under_way_when_one_is_taken_for_gone_is_not_kept_unseen(database: DatabaseServer) -> None:
    """It has passed the fence before, and is kept after the others have looked at the table and not seen it."""
    async with process(database) as ann, process(database) as ben:
        table, looked, go_on = await add_table(ann.store), asyncio.Event(), asyncio.Event()

        async def slow(connection: AsyncConnection) -> None:
            looked.set()
            await go_on.wait()
            await table_changes.write_rows(connection, table, TableChange(steps=(STEP,)))

        under_way = asyncio.create_task(ann.store._gate.run(slow))
        await looked.wait()
        await lapse(ann)
        await ben.membership.renew()
        assert (await load_table(ben.store, table)).steps == ()
        go_on.set()
        with pytest.raises(StoreError):
            await under_way
        assert (await load_table(ben.store, table)).steps == ()


async def test_a_lease_is_renewed_however_much_waits_for_the_database(
    database: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SETTINGS, "idle_in_transaction_session_timeout", str(LIMIT * 1000))
    async with process(database) as ann:
        looked, go_on, before = asyncio.Event(), asyncio.Event(), ann.heard.last

        async def slow(_connection: AsyncConnection) -> None:
            looked.set()
            await go_on.wait()

        waiting = [asyncio.create_task(ann.store._gate.run(slow)) for _ in range(2 * MAX_TRANSACTIONS)]
        await looked.wait()
        await asyncio.wait_for(ann.membership.renew(), LIMIT)
        assert ann.heard.last is not before
        go_on.set()
        await asyncio.gather(*waiting)


async def test_who_hangs_in_the_middle_stands_in_nobodys_way_for_long(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        table, changed, go_on = await add_table(ann.store), asyncio.Event(), asyncio.Event()

        async def hanging(connection: AsyncConnection) -> None:
            limit = (await connection.execute(text("SHOW idle_in_transaction_session_timeout"))).scalar_one()
            assert limit == "5s", "as soon as that"
            await table_changes.write_rows(connection, table, TableChange(steps=(STEP,)))
            await connection.execute(text("SET idle_in_transaction_session_timeout = 1"))
            changed.set()
            await go_on.wait()

        under_way = asyncio.create_task(ann.store._gate.run(hanging))
        await changed.wait()
        await ben.store.tables.save(table, TableChange(steps=(STEP,)))
        go_on.set()
        with pytest.raises((StoreError, AlreadyWritten)):
            await under_way
        assert [step.ply for step in (await load_table(ben.store, table)).steps] == [STEP.ply]


class Stumbling(Heard):
    """A process that cannot read its notifications."""

    def __init__(self) -> None:
        super().__init__()
        self.told = asyncio.Semaphore(0)

    async def update(self, standing: MembershipState) -> None:
        if self.last is None:
            self.last = standing
            return
        self.told.release()
        raise ValueError("what now?")

    async def receive(self, message: str) -> None:
        await super().receive(message)
        self.told.release()
        raise ValueError(message)


async def test_a_lease_is_renewed_whatever_goes_wrong_with_what_it_tells(
    database: DatabaseServer, caplog: pytest.LogCaptureFixture
) -> None:
    heard = Stumbling()
    async with process(database) as ann:
        store = await Store.open(database, now, shared=True)
        member = await store.join("two", SHORT, COUNT, heard)
        member.keep()
        await ann.membership.send_to_others("one")
        await ann.membership.send_to_others("two")
        for _ in range(5):
            await asyncio.wait_for(heard.told.acquire(), LIMIT)
        assert heard.letters == ["one", "two"]
        assert heard.fences == 0
        await member.end()
        await store.close()
    assert {record.getMessage() for record in caplog.records} == {"Something went wrong between processes; it goes on"}


# Whose data is deleted by another process


async def test_who_has_not_followed_a_deletion_writes_nothing_of_what_it_remembers(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        table = await add_table(ann.store)
        chairs = (await load_table(ben.store, table)).chairs
        (gone, *_) = [chair.user for chair in chairs if chair.user]
        await ann.store.deletions.forget_person(gone)
        with pytest.raises(DeletionsPending):
            await ben.store.tables.save(table, TableChange(chairs=chairs))
        await ann.store.tables.save(table, TableChange(at=now()))  # who deleted knows of it
        await ben.membership.renew()
        assert ben.heard.fences == 0, "the lease is renewed meanwhile"
        await asyncio.wait_for(ben.heard.asked.wait(), LIMIT)
        ben.heard.follow()
        assert gone not in [chair.user for chair in (await load_table(ben.store, table)).chairs]
        await ben.store.tables.save(table, TableChange(at=now()))


async def test_whoever_is_deleted_goes_once_all_that_is_under_way_is_done(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        table, looked, go_on = await add_table(ann.store), asyncio.Event(), asyncio.Event()
        chairs = (await load_table(ben.store, table)).chairs
        (gone, *_) = [chair.user for chair in chairs if chair.user]

        async def slow(connection: AsyncConnection) -> None:
            looked.set()
            await go_on.wait()
            await table_changes.write_rows(connection, table, TableChange(chairs=chairs))

        under_way = asyncio.create_task(ben.store._gate.run(slow))
        await looked.wait()
        deleting = asyncio.create_task(ann.store.deletions.forget_person(gone))
        await until_alone_is_wanted(database)
        assert not deleting.done()
        go_on.set()
        await asyncio.gather(under_way, deleting)
        assert gone not in [chair.user for chair in (await load_table(ann.store, table)).chairs]


async def until_alone_is_wanted(database: DatabaseServer) -> None:
    """Wait until a player waits to have the database alone."""
    async with connect_beside_bot(database) as connection, asyncio.timeout(LIMIT):
        while not (await connection.execute(text(WAITS))).scalar_one():
            await connection.rollback()


@pytest.fixture
def noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search for changes only after a notification."""
    monkeypatch.setattr(membership, "POLL_SECONDS", LEASE.total_seconds())


@pytest.mark.usefixtures("noticed")
async def test_a_message_to_all_others_comes_once_to_each(database: DatabaseServer) -> None:
    async with process(database, FEW) as ann, process(database, FEW) as ben, process(database, FEW) as cleo:
        for one in (ann, ben, cleo):
            await one.membership.renew()
            one.membership.keep()
            for shard in one.held:
                one.membership.live(shard)
        assert all(one.held for one in (ann, ben, cleo))
        await ann.membership.send_to_others("a letter")
        async with asyncio.timeout(LIMIT):
            while not (ben.heard.letters and cleo.heard.letters):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (ann.heard.letters, ben.heard.letters, cleo.heard.letters) == ([], ["a letter"], ["a letter"])
        for one in (ann, ben, cleo):
            await one.membership.end()


async def test_who_is_there_can_be_read_from_beside(database: DatabaseServer) -> None:
    async with process(database, FEW) as ann, process(database, FEW) as ben:
        async with connect_beside_bot(database) as connection:
            members, idle = await read_members(connection, database)
        assert [(member.name, member.shards) for member in members] == [("one", 2), ("one", 2)]
        assert idle == COUNT - 4
        await lapse(ben)
        await ann.membership.renew()
        async with connect_beside_bot(database) as connection:
            members, _ = await read_members(connection, database)
        assert len(members) == 1


async def test_nobody_is_taken_for_gone_because_the_database_was_away(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        await lapse(ann, ben)
        await ben.membership.renew()
        await ann.membership.renew()
        await ben.membership.renew()
        assert ann.heard.fences == 0
        assert len(ann.held | ben.held) == COUNT


async def test_whoever_is_held_up_looks_before_anything_is_done(database: DatabaseServer) -> None:
    async with process(database) as ann:
        assert await ann.membership.has(None)
        async with process(database) as ben:
            await lapse(ann)
            await ben.membership.renew()
            assert not await ann.membership.has(None)
            assert ann.heard.fences == 1


async def test_identifies_of_all_processes_keep_their_distance(database: DatabaseServer) -> None:
    gap = LEASE
    async with process(database) as ann, process(database) as ben:
        waits = await asyncio.gather(
            *(one.membership.turn_to_identify(0, gap) for one in (ann, ben, ann, ben)),
        )
        first, *others = sorted(waits)
        assert first == timedelta()
        assert all(gap - timedelta(seconds=LIMIT) < wait <= gap for wait in others)
        assert await ben.membership.turn_to_identify(1, gap) == timedelta(), "another bucket"
        again = await ben.membership.turn_to_identify(0, gap)
        assert timedelta() < again < max(others), "who asked in vain took nothing"


@pytest.mark.usefixtures("noticed")
async def test_a_message_comes_once_to_the_process_that_has_the_shard(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        for one in (ann, ben):
            one.membership.keep()
        (mine, *_), (theirs, *_) = ann.held, ben.held
        ann.membership.live(mine)
        ben.membership.live(theirs)
        await ann.membership.send(theirs, "a letter")
        await ben.membership.send(mine, "another")
        async with asyncio.timeout(LIMIT):
            while not (ann.heard.letters and ben.heard.letters):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (ann.heard.letters, ben.heard.letters) == (["another"], ["a letter"])
        for one in (ann, ben):
            await one.membership.end()


async def test_a_message_given_with_a_shard_is_not_read_by_its_former_process(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        (shard, *_), believed = ann.held, ann.held
        await ben.membership.claim(shard)
        await ann.membership.pass_on(shard, ben.membership.number, "a letter")
        gate = ann.store._gate
        assert await gate.run(shard_messages.receive, ann.membership.number, believed) == ()
        await ben.membership.renew()
        assert shard in ben.held
        assert await gate.run(shard_messages.receive, ben.membership.number, ben.held) == ('"a letter"',)


async def test_a_shard_is_not_given_to_a_process_that_has_left_meanwhile(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        (shard, *_) = ann.held
        await ben.membership.claim(shard)
        await ben.membership.end()
        with pytest.raises(StoreError, match="nobody waits for it any more"):
            await ann.membership.pass_on(shard, ben.membership.number, "a letter")
        await ann.membership.renew()
        assert shard in ann.held, "else nobody would ever have it"


async def test_whoever_wants_the_database_for_themselves_waits_for_all_bots(database: DatabaseServer) -> None:
    async with process(database):
        assert "Another running bot" in await open_refusal(database)
    alone = await Store.open(database, now)
    with pytest.raises(StoreError, match="being copied"):
        await Store.open(database, now, shared=True)
    await alone.close()


async def test_who_lost_the_connection_meanwhile_is_no_member_any_more(database: DatabaseServer) -> None:
    async with process(database) as ann:
        await ann.store._gate.run(AsyncConnection.execute, text("SELECT 1"))
        assert hasattr(ann.store._gate, "lock")
        await ann.store._gate.lock.close()
        await (await Store.open(database, now)).close()
        with pytest.raises(Fenced):
            await ann.store.notes.remember("still", "here")


async def test_what_processes_tell_each_other_stands_in_no_copy() -> None:
    from bot.store.schema import metadata

    assert not set(processes.metadata.tables) & set(metadata.tables)


# Whose a table is


async def test_there_is_one_answer_to_whose_a_table_is(database: DatabaseServer) -> None:
    """For clicks as for tables: from the moment a shard is held until it is about to be given, connected or not."""
    async with process(database) as ann, process(database) as ben:
        await ann.membership.end()
        assert not await mine(ann), "all of its shards are free"
        await ben.membership.renew()
        assert await mine(ben) == ben.held
        assert ben.store.share.held == frozenset(), "none of them is connected"
        for shard in ben.held:
            ben.membership.live(shard)
            assert await mine(ben) == ben.held
        shard = min(ben.held)
        ben.membership.away(shard)
        assert await mine(ben) == ben.held - {shard}
        ben.membership.live(shard)
        assert await mine(ben) == ben.held, "nobody wanted it after all"
        await ben.membership.give(shard)
        assert await mine(ben) == ben.held
        async with process(database) as cleo:
            await lapse(ben)
            await cleo.membership.renew()
            await ben.membership.renew()
            assert await mine(ben) == set(), "it was taken for gone"


async def mine(one: Process) -> set[int]:
    """Return the shards of which clicks are answered in a process, and see that tables there are kept as well."""
    servers = {shard: GuildId(shard << SHARD_SHIFT) for shard in range(COUNT)}
    clicks = {shard for shard, guild in servers.items() if await one.membership.has(guild)}
    assert clicks == {shard for shard, guild in servers.items() if one.store.own.has(guild)}
    assert one.store.share.held <= clicks, "nothing is done by the clock for others"
    return clicks


class Rereading:
    """A process that receives the list of changed tables."""

    def __init__(self) -> None:
        self.tables = list[int]()

    async def reread(self, table: TableId) -> None:
        self.tables.append(table)


def shards_of(one: Process, living: Rereading) -> Shards:
    """Return what a process does with its shards, without a Discord."""
    made = Shards(cast("Any", None), cast("ShardCallbacks", living), AgreedTime(now), cast("Any", None))
    made.membership = one.membership
    return made


async def test_who_has_a_table_reads_it_again_once_another_process_has_changed_it(database: DatabaseServer) -> None:
    async with process(database) as ann, process(database) as ben:
        living, guild = Rereading(), GuildId(min(ben.held) << SHARD_SHIFT)
        shards_of(ann, living).notify_owner(TableId(7), guild)
        async with asyncio.timeout(LIMIT):
            while not ben.heard.letters:
                await ben.membership._take()
        (letter,) = ben.heard.letters
        holder = shards_of(ben, living)
        await holder.receive(letter)
        await holder._begun.ended()
        assert living.tables == [7]


class Dispatching:
    """A bot that notes which events it has."""

    def __init__(self) -> None:
        self.events = list[str]()

    def dispatch(self, event: str) -> None:
        self.events.append(event)


class Following(Rereading):
    """A process that follows deletions at once."""

    async def follow(self, followed: Callable[[], None]) -> None:
        followed()


async def test_1_2_replays_with_the_name_of_somebody_whom_another_process_deletes_are_dropped() -> None:
    bot, followed = Dispatching(), list[str]()
    shards = Shards(cast("Any", bot), cast("ShardCallbacks", Following()), AgreedTime(now), cast("Any", None))
    await shards.behind(lambda: followed.append("followed"))
    assert (followed, bot.events) == (["followed"], ["person_forgotten"])


async def test_2_8_what_a_stranger_tells_the_processes_is_never_read(database: DatabaseServer) -> None:
    """Another user of the server may send notices, whatever stands there and however many: it gains nothing by it."""
    name = f"stranger_{os.getpid()}"
    admin = await asyncpg.connect(database.reveal())
    await admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'x'")
    stranger = await asyncpg.connect(database.reveal(), user=name, password="x")  # of this test alone
    try:
        async with process(database) as ann, process(database) as ben:
            for one in (ann, ben):
                one.membership.keep()
            (theirs, *_) = ben.held
            ben.membership.live(theirs)
            for said in ("", "-1", "9" * 20, json.dumps({"give": theirs, "to": ann.membership.number}), "☃" * 2000):
                await stranger.execute("SELECT pg_notify($1, $2)", shard_messages.CHANNEL, said)
            await stranger.execute(
                "SELECT pg_notify($1, n::text) FROM generate_series(1, 500) n", shard_messages.CHANNEL
            )
            await ann.membership.send(theirs, "a letter")
            async with asyncio.timeout(LIMIT):
                while not ben.heard.letters:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            assert (ann.heard.letters, ben.heard.letters) == ([], ["a letter"])
            assert (ann.heard.fences, ben.heard.fences) == (0, 0)
            assert theirs in ben.held
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await stranger.execute("DELETE FROM bigger_processes.processes")
            for one in (ann, ben):
                await one.membership.end()
    finally:
        await stranger.close()
        await admin.execute(f"DROP ROLE {name}")
        await admin.close()
