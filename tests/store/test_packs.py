"""Records that are packed: lossless, never too early, with damage reported."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.club.leaderboards import Leaderboards
from bot.domain.ids import TableId, UserId
from bot.history.record_upkeep import MatchRescorer, RecordPacker
from bot.store.errors import RecordDamaged
from bot.store.repositories.records import PackError, pack, unpack
from bot.store.rows import MatchStep, TableRow
from bot.store.store import Store
from tests.store.released_databases import GUILD, IDS, KEPT, NEWER, copy_migrated, copy_scored
from tests.store.sample_tables import NOON, STEP, now
from tests.store.test_what_a_match_is import rows

pytestmark = pytest.mark.usefixtures("in_place")
LATER = datetime(2099, 1, 1, tzinfo=UTC)
BEN = UserId(IDS[NEWER][2])
DERIVED = "entries", "ratings", "standings", "hands", "payments", "deeds"
LOOSE = "SELECT count(*) FROM actions JOIN tables ON tables.id = table_id WHERE phase IN ('over', 'closed')"
steps = st.lists(
    st.tuples(
        st.integers(0, 9),
        st.text(max_size=9),
        st.sampled_from(["person", "house", "clock", "order"]),
        st.datetimes(timezones=st.just(UTC)),
    ),
    min_size=1,
    max_size=5,
)


@given(steps)
def test_unpacking_restores_every_record(drawn: list[tuple[int, str, str, datetime]]) -> None:
    whole = tuple(MatchStep(ply, *row) for ply, row in enumerate(drawn))  # type: ignore[arg-type]  # by is drawn as text
    assert unpack(pack(whole)) == whole
    assert pack(whole) == pack(whole)


def test_a_record_with_a_gap_is_not_packed() -> None:
    with pytest.raises(PackError):
        pack((STEP, replace(STEP, ply=2)))


def test_every_changed_bit_of_a_pack_is_detected() -> None:
    good = pack(tuple(replace(STEP, ply=ply) for ply in range(5)))
    for at in range(len(good.body)):
        body = good.body[:at] + bytes([good.body[at] ^ 1]) + good.body[at + 1 :]
        try:
            assert unpack(replace(good, body=body)) == unpack(good)
        except PackError:
            continue
    with pytest.raises(PackError):
        unpack(replace(good, version=2))
    with pytest.raises(PackError):
        unpack(replace(good, length=4))


async def packed(store: Store, at: Callable[[], datetime] = lambda: LATER) -> None:
    """Pack old records."""
    await RecordPacker(store, at, {}, pause=0).pack()


def count(path: Path, query: str) -> int:
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute(query).fetchone()[0])


async def every(store: Store) -> list[object]:
    """Every step of every table and of a player."""
    found: list[object] = [await store.person_data(BEN)]
    for number in range(1, 60):
        table = TableId(number)
        row, head = await store.tables.load(table), await store.tables.head(table)
        found += [row, head, row and await store.records.steps(table, 3, 9)]
    return found


@pytest.mark.parametrize("kept", [KEPT, NEWER], ids=lambda kept: kept.stem)
async def test_packed_records_are_read_as_before(path: Path, kept: Path) -> None:
    copy_migrated(path, kept)
    store = await Store.open(path, now)
    before, loose = await every(store), count(path, LOOSE)
    assert loose > 0
    await packed(store, lambda: NOON - timedelta(days=9999))
    assert count(path, "SELECT count(*) FROM packs") == 0
    for _ in range(2):  # the second time there is nothing to do
        await packed(store)
        assert count(path, LOOSE) == 0
        assert await every(store) == before
    await store.close()
    store = await Store.open(path, now)
    assert await every(store) == before
    await MatchRescorer(store, pause=0).score()
    await store.close()


@pytest.mark.parametrize("kept", [KEPT, NEWER], ids=lambda kept: kept.stem)
async def test_deletion_is_the_same_for_packed_records(tmp_path: Path, kept: Path) -> None:
    found, ben = [], UserId(IDS[kept][2])
    for name in ("loose", "packed"):
        path = tmp_path / f"{name}.db"
        copy_migrated(path, kept)
        store = await Store.open(path, now)
        if name == "packed":
            await packed(store)
        await store.deletions.forget_person(ben)
        found.append([without_marks(row) for row in await every(store)])
        assert "moves" not in await store.person_data(ben)
        await store.deletions.forget_server(GUILD)
        assert count(path, "SELECT count(*) FROM packs JOIN tables ON tables.id = table_id WHERE guild <> 0") == 0
        await store.close()
    assert found[0] == found[1]


def without_marks(found: object) -> object:
    """Leave out the keyed hash that stays at a running match: each database has a key of its own."""
    if isinstance(found, dict):
        return found.get("moves")
    if isinstance(found, TableRow):
        return replace(found, chairs=tuple(replace(chair, mark="") for chair in found.chairs))
    return tuple(map(without_marks, found)) if isinstance(found, tuple) else found


async def test_a_damaged_record_is_reported_and_isolated(path: Path) -> None:
    copy_migrated(path, NEWER)
    store = await Store.open(path, now)
    await packed(store)
    with closing(sqlite3.connect(path)) as database:
        (table,) = database.execute(
            'SELECT table_id FROM chairs WHERE "user" = ? AND table_id IN (SELECT table_id FROM packs) LIMIT 1', (BEN,)
        ).fetchone()
        database.execute("UPDATE packs SET body = x'00' WHERE table_id = ?", (table,))
        database.commit()
    with pytest.raises(RecordDamaged, match=f"The packed record of table {table} is damaged"):
        await store.tables.load(TableId(table))
    told = (await store.person_data(BEN))["moves"]
    assert [row["table_id"] for row in told if row.get("damaged")] == [table]
    assert len(told) > 1
    await MatchRescorer(store, pause=0).score()
    await store.close()


async def test_a_stop_during_packing_changes_nothing(path: Path) -> None:
    copy_migrated(path, NEWER)
    store = await Store.open(path, now)
    before = await every(store)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TRIGGER no BEFORE DELETE ON actions BEGIN SELECT RAISE(FAIL, 'stopped'); END")
    await packed(store)
    assert count(path, "SELECT count(*) FROM packs") == 0
    assert await every(store) == before
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TRIGGER no")
    await packed(store)
    assert count(path, LOOSE) == 0
    assert await every(store) == before
    await store.close()


async def test_leaderboards_of_packed_records_are_the_same(path: Path) -> None:
    copy_scored(path, NEWER)
    store = await Store.open(path, now)
    found = []
    for _ in range(2):
        await Leaderboards(store, {}).recount()
        found.append([rows(path, f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in DERIVED])
        await packed(store)
    assert found[0] == found[1]
    await store.close()
