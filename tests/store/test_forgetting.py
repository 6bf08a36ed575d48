"""Forgetting: a deleted user's data is gone for good, also after restoring a copy; the data of others remains."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.chairs import Chair
from bot.domain.house_rules import HouseRules, Owner
from bot.domain.ids import ChannelId, GuildId, MessageId, UserId
from bot.domain.preferences import Preferences
from bot.domain.results import MatchOutcome, SeatResult
from bot.store.copies.transfer import copy_store
from bot.store.engine.deletion_ledger import ledger_path
from bot.store.errors import StoreError
from bot.store.rows import Ping, TableChange
from bot.store.schema import metadata
from bot.store.schema.columns import Kind, meanings
from bot.store.store import Store
from tests.store import sample_tables
from tests.store.filled_rows import fill
from tests.store.released_databases import ANN, BEN, PHASES, copy_migrated, copy_released
from tests.store.released_databases import GUILD as CLUB
from tests.store.sample_tables import GUILD, NEW_TABLE, NOON, add_table, now
from tests.support.occurrences import columns_containing, files_containing
from tests.support.totals import matches_and_wins

pytestmark = pytest.mark.usefixtures("in_place")
ALONE, HOSTED = 7, 8  # tables where Ann sits with house players, and a lobby of which she is the host


async def matches(store: Store) -> dict[int, tuple[object, ...]]:
    """Return the stored row of each table without its players."""
    rows = [await store.tables.load(number) for number in PHASES]
    return {row.id: (row.phase, row.steps, row.options, row.seed) for row in rows if row is not None}


async def test_a_deleted_user_is_in_no_row_of_a_played_database(path: Path) -> None:
    copy_released(path)
    assert {"chairs.user", "tables.host", "standings.user"} <= set(columns_containing(path, str(ANN)))
    store = await Store.open(path, now)
    before, lines = await matches(store), await matches_and_wins(store, CLUB)
    await store.deletions.forget_person(ANN)
    after = await matches(store)
    assert columns_containing(path, str(ANN)) == []
    assert [
        where for where in columns_containing(path, "ann") if not where.startswith("outbox.")
    ] == []  # "announcement"
    assert await matches_and_wins(store, CLUB) == {user: line for user, line in lines.items() if user != ANN}
    await store.close()
    closed = {number: ("closed", *before[number][1:]) for number in (ALONE, HOSTED)}
    assert after == before | closed
    assert files_containing(path.parent, ANN) == [each.name for each in (path.parent / "backups").iterdir()]


ZOE = UserId(4_242_424_242_424_242_424)


async def test_a_deleted_user_is_in_no_column_of_any_table(path: Path) -> None:
    """Every column of every table is filled, including future ones."""
    store = await Store.open(path, now)

    await fill(store, lambda _column: ZOE, lambda _column: "Zoe")
    persons = {
        f"{table.name}.{column.name}" for table in metadata.sorted_tables for column, _ in meanings(table, "person")
    }
    assert persons <= set(columns_containing(path, str(ZOE)))
    assert persons <= {
        f"{table}.{column}" for table, rows in (await store.person_data(ZOE)).items() for column in rows[0]
    }
    await store.deletions.forget_person(ZOE)
    assert columns_containing(path, str(ZOE)) == []
    assert columns_containing(path, "Zoe") == []
    await store.close()


async def test_deletion_keeps_names_and_places_of_others(path: Path) -> None:
    copy_migrated(path)
    store = await Store.open(path, now)
    before = {end.table: end.outcome for end in await store.results.history(CLUB, 99, 0)}
    await store.deletions.forget_person(BEN)
    for ended in await store.results.history(CLUB, 99, 0):
        for was, now_ in zip(before[ended.table].standings, ended.outcome.standings, strict=True):
            assert (was.place, was.points, was.net, was.house) == (now_.place, now_.points, now_.net, now_.house)
            theirs = (None, f"👤 {was.seat + 1}") if was.user == BEN else (was.user, was.name)
            assert (now_.user, now_.name) == theirs
    await store.close()


@pytest.mark.both_databases("updates by subqueries")
async def test_seats_and_hosting_are_given_up(store: Store) -> None:
    ann, ben = UserId(11), UserId(12)
    three = (Chair(0, ann, "Ann"), Chair(1, ben, "Ben"), Chair(2, None, "Mei", house=True))
    lobby = (await store.tables.add(replace(NEW_TABLE, host=ann), three, None)).id
    alone = (await store.tables.add(replace(NEW_TABLE, host=ann), three[:1], None)).id
    playing = (await store.tables.add(replace(NEW_TABLE, host=ann), three, None)).id
    said = replace(three[0], misses=1, vote="end", premoves="pass for this trick")
    await store.tables.save(playing, TableChange(phase="playing", chairs=(said, *three[1:])))
    await store.deletions.forget_person(ann)
    rows = {number: await store.tables.load(number) for number in (lobby, alone, playing)}
    kept = {number: (row.phase, row.host, row.chairs) for number, row in rows.items() if row}
    assert kept[lobby][0] == "closed", "the lobby of a host closes, whoever else sits there"
    assert kept[alone][:2] == ("closed", 0)
    assert [chair.name for chair in kept[alone][2]] == ["👤 1"]
    phase, host, chairs = kept[playing]
    assert (phase, host, chairs[1:]) == ("playing", ben, three[1:])
    assert (chairs[0].user, chairs[0].name, chairs[0].house, chairs[0].left) == (None, "👤 1", True, True)
    assert (chairs[0].misses, chairs[0].vote, chairs[0].premoves) == (0, "", "")
    assert (chairs[0].away, chairs[0].misses, chairs[0].vote) == ("left", 0, "")


async def test_own_data_are_complete_and_contain_nobody_elses(store: Store) -> None:
    table = await add_table(store)
    await store.people.save_preferences(sample_tables.ANN, Preferences(by_suit=True))
    await store.pings.add([Ping(table, sample_tables.ANN, ChannelId(5), MessageId(6))])
    whose = Owner("person", sample_tables.ANN), Owner("server", GUILD), Owner("server", GuildId(sample_tables.ANN))
    for owner, by in zip(whose, (sample_tables.ANN, sample_tables.BEN, sample_tables.BEN), strict=True):
        await store.house_rules.save(
            HouseRules(owner=owner, name="Ours", game="big_two", preset="standard", options={}, by=by, at=NOON)
        )
    data = await store.person_data(sample_tables.ANN)
    assert data.keys() == {"tables", "chairs", "outbox", "outbox_named", "pings", "habits", "house_rules"}
    assert [rules["owner"] for rules in data["house_rules"]] == [sample_tables.ANN]
    assert data["chairs"][0]["name"] == "Ann ♦"
    assert "00ff" not in str(data), "the seed is secret while the match goes on"
    assert "Ben" not in str(data)
    assert str(sample_tables.BEN) not in str(data)
    assert "about" not in data["outbox"][0], "others may stand in what is to be done"
    await store.deletions.forget_person(sample_tables.ANN)
    assert await store.person_data(sample_tables.ANN) == {}


async def test_restoring_an_old_copy_repeats_deletions_and_keeps_returned_users(path: Path, tmp_path: Path) -> None:
    copy_migrated(path)
    store = await Store.open(path, now)
    await store.deletions.forget_person(BEN)
    await store.people.save_preferences(BEN, Preferences(by_suit=True))  # Ben plays again
    await store.close()
    shutil.copy(path, tmp_path / "copy")
    store = await Store.open(path, now)
    await store.deletions.forget_person(ANN)
    await store.deletions.forget_server(GUILD)
    await store.close()
    shutil.copy(tmp_path / "copy", path)
    assert columns_containing(path, str(ANN))
    store = await Store.open(path, now)
    assert not any(row.user == ANN for end in await store.results.history(CLUB, 99, 0) for row in end.outcome.standings)
    await store.deletions.carry_out()
    assert columns_containing(path, str(ANN)) == []
    assert (await store.people.preferences(BEN)).by_suit
    await store.close()


async def test_a_failed_deletion_is_carried_out_at_the_next_start(path: Path) -> None:
    copy_migrated(path)
    store = await Store.open(path, now)
    await store._gate.run(lambda wire: store._deletions.ledger.add(wire, "person", ANN, after=0, at=NOON))
    await store.close()
    store = await Store.open(path, now)
    await store.deletions.carry_out()
    await store.close()
    assert columns_containing(path, str(ANN)) == []


async def test_the_deletion_ledger_is_anonymous_and_private(path: Path) -> None:
    store = await Store.open(path, now)
    assert not ledger_path(path).exists()
    await store.deletions.forget_person(ANN)
    assert str(ANN) not in ledger_path(path).read_text()
    assert stat.S_IMODE(ledger_path(path).stat().st_mode) == 0o600
    assert store.deletions.mark(ANN) != store.deletions.mark(BEN)
    marked = store.deletions.mark(ANN)
    await store.close()
    again = await Store.open(path, now)
    assert again.deletions.mark(ANN) == marked
    await again.close()


async def test_a_damaged_deletion_ledger_is_reported_in_a_sentence(path: Path) -> None:
    await (await Store.open(path, now)).close()
    ledger_path(path).write_text("{\n")
    with pytest.raises(StoreError, match=r"list of deletions .* can't be read"):
        await Store.open(path, now)


@pytest.mark.parametrize(
    "left",
    [
        lambda content: content + b'{"number": 2, "kind": "pers',
        lambda content: content + bytes(64),
        lambda content: content.rstrip(),
        lambda content: content.replace(b"\n", b"\n\n") + b"  \n",
        lambda content: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"),
    ],
    ids=[
        "by a power cut",
        "by a power cut, as zeros",
        "by an editor without a last line break",
        "by an editor with blank lines",
        "by an editor on Windows",
    ],
)
async def test_a_ledger_goes_on_as_a_power_cut_or_an_editor_leaves_it(
    path: Path, left: Callable[[bytes], bytes]
) -> None:
    store = await Store.open(path, now)
    await store.deletions.forget_person(ANN)
    await store.close()
    ledger_path(path).write_bytes(left(ledger_path(path).read_bytes()))
    for user in (BEN, ZOE):
        store = await Store.open(path, now)
        await store.deletions.forget_person(user)
        await store.close()
    store = await Store.open(path, now)
    assert [await store.deletions.forgotten(user) for user in (ANN, BEN, ZOE)] == [NOON] * 3
    await store.close()


@pytest.mark.parametrize("left", [b"", b"\n", bytes(64), b'{"key": "5f'], ids=["empty", "blank", "zeros", "torn"])
async def test_a_ledger_without_its_key_is_begun_again_only_if_no_deletion_was_noted(path: Path, left: bytes) -> None:
    await (await Store.open(path, now)).close()
    ledger_path(path).write_bytes(left)
    store = await Store.open(path, now)
    await store.deletions.forget_person(ANN)
    await store.close()
    assert len(ledger_path(path).read_text().splitlines()) >= 2
    ledger_path(path).write_bytes(left)
    with pytest.raises(StoreError, match=r"list of deletions .* can't be read"):
        await Store.open(path, now)
    assert ledger_path(path).read_bytes() == left


async def test_a_ledger_of_another_encoding_is_refused_in_a_sentence(path: Path) -> None:
    store = await Store.open(path, now)
    await store.deletions.forget_person(ANN)
    await store.close()
    ledger_path(path).write_bytes(ledger_path(path).read_text().encode("utf-16"))
    with pytest.raises(StoreError, match=r"list of deletions .* can't be read"):
        await copy_store(path, path.with_name("other.db"), NOON, print)


@pytest.mark.both_databases("foreign keys delete what hangs on a row")
async def test_deleting_a_server_deletes_its_rows_only(store: Store) -> None:
    here, there = await add_table(store), await add_table(store, guild=77)
    for table in (here, there):
        standings = (SeatResult(seat=0, user=sample_tables.ANN, name="Ann", house=False, place=1, points=0, net=0),)
        await store.tables.save(table, TableChange(phase="over", outcome=MatchOutcome(1, NOON, standings)))
        await store.pings.add([Ping(table, sample_tables.ANN, ChannelId(5), MessageId(6))])
    await store.house_rules.save(
        HouseRules(
            owner=Owner("server", GUILD),
            name="Ours",
            game="big_two",
            preset="standard",
            options={},
            by=sample_tables.ANN,
            at=NOON,
        )
    )
    await store.servers.depart(GUILD, NOON)
    assert await store.servers.known() == {GUILD, 77}
    await store.deletions.forget_server(GUILD)
    assert await store.servers.known() == {77}
    assert await store.tables.load(here) is None
    assert (await store.tables.load(there), await store.pings.of_table(here)) != (None, ())
    assert await store.servers.departures() == ()


@pytest.mark.both_databases("upsert")
async def test_a_departure_is_recorded_once_and_can_be_reverted(store: Store) -> None:
    await store.servers.depart(GUILD, NOON)
    await store.servers.depart(GUILD, NOON + timedelta(days=1))
    assert [(each.guild, each.at) for each in await store.servers.departures()] == [(GUILD, NOON)]
    await store.servers.come_back(GUILD)
    assert await store.servers.departures() == ()


async def test_2_1_recent_deletions_are_known_after_restoring_an_old_copy(path: Path, tmp_path: Path) -> None:
    copy_migrated(path)
    shutil.copy(path, tmp_path / "copy")
    store = await Store.open(path, now)
    await store.deletions.forget_person(ANN)
    await store.close()
    shutil.copy(tmp_path / "copy", path)
    store = await Store.open(path, now)
    assert await store.deletions.deleted_since([ANN, BEN], NOON - timedelta(days=30)) == {ANN: NOON}
    await store.close()


@pytest.mark.both_databases("the list of deletions is a table there")
async def test_2_1_recent_deletions_have_their_latest_time(store: Store) -> None:
    day, ledger = timedelta(days=1), store._deletions.ledger

    async def deleted(kind: Kind, number: int, at: datetime) -> None:
        await store._gate.run(lambda wire: ledger.add(wire, kind, number, after=0, at=at))

    for user, days in ((ANN, 40), (ANN, 2), (ANN, 5), (BEN, 30)):
        await deleted("person", user, NOON - days * day)
    await deleted("server", ZOE, NOON)
    assert await store.deletions.deleted_since([ANN, BEN, ZOE], NOON - 30 * day) == {ANN: NOON - 2 * day}
    assert await store.deletions.deleted_since([BEN], NOON - 31 * day) == {BEN: NOON - 30 * day}
    assert await store.deletions.deleted_since([], NOON) == {}
