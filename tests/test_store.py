"""The store from outside: what is kept, what is refused, and that nothing is ever half written."""

# ruff: noqa: ASYNC220, ASYNC240 - a test may wait for its own small files

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import insert

from bot.store import opening
from bot.store.rows import (
    NO_MESSAGE,
    Chair,
    Change,
    Deadline,
    Finished,
    Habits,
    Line,
    NewTable,
    Outcome,
    Ping,
    Standing,
    Step,
    StoreError,
    TableRow,
    Taken,
)
from bot.store.schema import metadata, tables
from bot.store.store import Store

NOON = datetime(2026, 3, 1, 12, 0, 0, 123457, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
GUILD, CHANNEL, ANN, BEN, CAT = 2**62 + 1, 2**62 + 2, 101, 102, 103
CHAIRS = (Chair(0, ANN, "Ann ♦"), Chair(1, None, "Robo", house=True), Chair(2, BEN, "Ben", house=True, misses=3))
NEW = NewTable(
    guild=GUILD,
    channel=CHANNEL,
    host=ANN,
    game="big_two",
    preset="standard",
    options={"hands": 3, "money": True, "name": "大老二", "list": [1, 2]},
    seats=3,
    seed="00ff",
    pace="live",
    created=NOON,
)
STEP = Step(ply=0, seat=0, action="3d", by="person", at=NOON)


def now() -> datetime:
    return NOON


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bigger.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    store = await Store.open(path, now)
    yield store
    await store.close()


async def a_table(store: Store, deadline: Deadline | None = None, **changes: Any) -> int:
    return (await store.new_table(replace(NEW, **changes), CHAIRS, deadline)).id


async def loaded(store: Store, table: int) -> TableRow:
    row = await store.load(table)
    assert row is not None
    return row


async def refusal(path: Path) -> str:
    with pytest.raises(StoreError) as refused:
        await Store.open(path, now)
    return str(refused.value)


# What is kept


async def test_a_new_table_comes_back_as_it_was_given(store: Store) -> None:
    deadline = Deadline(NOON + MINUTE, NOON + MINUTE / 2)
    row = await store.new_table(NEW, CHAIRS, deadline)
    assert row == TableRow(
        id=row.id,
        number=1,
        guild=GUILD,
        channel=CHANNEL,
        home=CHANNEL,
        message=None,
        host=ANN,
        game="big_two",
        preset="standard",
        options=NEW.options,
        seats=3,
        seed="00ff",
        pace="live",
        phase="lobby",
        created=NOON,
        chairs=CHAIRS,
        deadline=deadline,
    )
    assert await store.load(row.id) == row
    assert await store.load(row.id + 1) is None


async def test_a_change_writes_what_it_names_and_leaves_the_rest(store: Store) -> None:
    before = await loaded(store, await a_table(store, Deadline(NOON)))
    steps = (STEP, replace(STEP, ply=1, seat=2, by="house"), replace(STEP, ply=2, action="pass", by="clock"))
    await store.save(before.id, Change())
    assert await store.load(before.id) == before
    await store.save(before.id, Change(steps=steps[:2], phase="playing", home=7, message=8))
    after = replace(before, steps=steps[:2], phase="playing", home=7, message=8)
    assert await store.load(before.id) == after
    turn = Deadline(NOON + MINUTE, NOON, reminded=True)
    await store.save(
        before.id, Change(steps=steps[2:], host=BEN, chairs=CHAIRS[1:], touch_deadline=True, deadline=turn)
    )
    after = replace(after, steps=steps, host=BEN, chairs=CHAIRS[1:], deadline=turn)
    assert await store.load(before.id) == after
    await store.save(before.id, Change(touch_deadline=True))
    assert await store.load(before.id) == replace(after, deadline=None)


async def test_a_board_that_is_gone_is_to_be_posted_again(store: Store) -> None:
    table = await a_table(store)
    await store.save(table, Change(message=8))
    await store.save(table, Change(home=7, message=NO_MESSAGE))
    row = await loaded(store, table)
    assert (row.home, row.message) == (7, None)


async def test_all_is_there_when_the_file_is_opened_again(path: Path) -> None:
    store = await Store.open(path, now)
    table = await a_table(store)
    await store.save(table, Change(steps=(STEP,)))
    kept = await store.load(table)
    await store.close()
    store = await Store.open(path, now)
    assert await store.load(table) == kept
    await store.close()
    assert not (path.parent / "backups").exists()  # nothing was migrated, so nothing is copied


async def test_a_moment_comes_back_in_utc_from_any_zone(store: Store) -> None:
    far = datetime.fromisoformat("2026-03-01T20:00:00.000001+08:00")
    row = await loaded(store, await a_table(store, created=far))
    assert row.created == far
    assert row.created.tzinfo is UTC


async def test_tables_are_numbered_in_their_guild_whoever_comes_first(store: Store) -> None:
    rows = await asyncio.gather(*(store.new_table(replace(NEW, guild=n % 2 + 1), (), None) for n in range(20)))
    for guild in (1, 2):
        assert sorted(row.number for row in rows if row.guild == guild) == list(range(1, 11))


async def test_a_taken_ply_leaves_nothing_half_written(store: Store) -> None:
    table = await a_table(store, Deadline(NOON))
    await store.save(table, Change(steps=(replace(STEP, ply=1),)))
    before = await store.load(table)
    late = Change(
        steps=(STEP, replace(STEP, ply=1, action="pass")),
        phase="over",
        chairs=CHAIRS[:1],
        touch_deadline=True,
        outcome=Outcome(1, NOON, ()),
    )
    with pytest.raises(Taken, match="Ply 1"):
        await store.save(table, late)
    assert await store.load(table) == before
    assert await store.history_count(GUILD) == 0


async def test_of_two_at_once_one_action_counts(store: Store) -> None:
    table = await a_table(store)
    clicks = (store.save(table, Change(steps=(replace(STEP, action=card),))) for card in ("3d", "4d", "5d"))
    answers = await asyncio.gather(*clicks, return_exceptions=True)
    assert [type(answer) for answer in answers].count(Taken) == 2
    assert [type(answer) for answer in answers].count(type(None)) == 1
    assert len((await loaded(store, table)).steps) == 1


async def test_a_result_is_written_once(store: Store) -> None:
    table = await a_table(store)
    won = Outcome(2, NOON, (Standing(0, ANN, "Ann", house=False, place=1, points=3, net=9),))
    await store.save(table, Change(outcome=won))
    with pytest.raises(Taken, match="result"):
        await store.save(table, Change(steps=(STEP,), outcome=replace(won, hands=5)))
    assert (await loaded(store, table)).steps == ()
    assert await store.history(GUILD, 10, 0) == (Finished(table, 1, "big_two", "standard", won),)


@pytest.mark.parametrize(
    "change", [Change(steps=(STEP,)), Change(phase="over"), Change(chairs=CHAIRS), Change(outcome=Outcome(1, NOON, ()))]
)
async def test_a_change_of_no_table_is_refused(store: Store, change: Change) -> None:
    with pytest.raises(StoreError, match="There is no table 99"):
        await store.save(99, change)


async def test_a_caller_that_is_cancelled_cuts_nothing_in_two(store: Store) -> None:
    table = await a_table(store)
    click = asyncio.ensure_future(store.save(table, Change(steps=(STEP,), phase="playing")))
    await asyncio.sleep(0)
    click.cancel()
    with pytest.raises(asyncio.CancelledError):
        await click
    row = await loaded(store, table)
    assert (row.steps, row.phase) == ((STEP,), "playing")


# What is found


async def test_open_tables_are_found_by_person_channel_and_guild(store: Store) -> None:
    lobby, playing, over, closed, other = [await a_table(store) for _ in range(4)] + [await a_table(store, guild=5)]
    await store.save(playing, Change(phase="playing", home=7, steps=(STEP,)))
    await store.save(over, Change(phase="over"))
    await store.save(closed, Change(phase="closed"))
    await store.save(other, Change(chairs=(CHAIRS[1], Chair(0, CAT, "Cat"))))
    assert await store.open_tables() == (lobby, playing, other)
    assert await store.seated(ANN) == tuple([replace(await loaded(store, n), steps=()) for n in (playing, lobby)])
    assert [row.id for row in await store.seated(BEN)] == [playing, lobby]  # a house player sits in for Ben
    assert [row.id for row in await store.seated(CAT)] == [other]
    assert await store.seated(999) == ()
    assert await store.at_home(7) == (replace(await loaded(store, playing), steps=()),)
    assert [row.id for row in await store.at_home(CHANNEL)] == [other, playing, lobby]
    assert (await store.at_home(CHANNEL))[0].chairs == (Chair(0, CAT, "Cat"), CHAIRS[1])
    assert await store.in_channel(7) == (playing,)
    assert sorted(await store.in_channel(CHANNEL)) == [lobby, playing, other]
    assert await store.in_guild(GUILD) == (lobby, playing)
    assert await store.in_guild(5) == (other,)


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
    await store.save(second, Change(message=1))
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


async def test_pings_are_taken_once(store: Store) -> None:
    table, other = await a_table(store), await a_table(store)
    first, second, third = (Ping(table, user, CHANNEL, message) for user, message in ((ANN, 1), (BEN, 2), (ANN, 3)))
    for ping in (third, second, first, Ping(other, ANN, CHANNEL, 4)):
        await store.add_ping(ping)
    assert set(await store.pings(table)) == {first, second, third}
    assert await store.take_pings(table, ANN) == (first, third)
    assert await store.pings(table) == (second,)
    assert await store.take_pings(table, ANN) == ()
    assert await store.take_pings(table, None) == (second,)
    assert await store.take_pings(other, None) == (Ping(other, ANN, CHANNEL, 4),)


async def test_habits_and_notes_are_remembered(store: Store) -> None:
    assert await store.habits(ANN) == Habits()
    await store.keep_habits(ANN, Habits(by_suit=True))
    await store.keep_habits(ANN, Habits(by_suit=True, mirror=True, locale="zh-CN"))
    assert await store.habits(ANN) == Habits(by_suit=True, mirror=True, locale="zh-CN")
    assert await store.habits(BEN) == Habits()
    assert await store.recall("commands") is None
    await store.remember("commands", "one")
    await store.remember("commands", "two")
    assert await store.recall("commands") == "two"


# What has ended


async def ended(store: Store, hands: int, *standings: Standing, minutes: int = 0, **new: Any) -> int:
    table = await a_table(store, **new)
    outcome = Outcome(hands, NOON + minutes * MINUTE, standings)
    await store.save(table, Change(phase="over", outcome=outcome))
    return table


def ends(seat: int, user: int | None, place: int, points: int, *, house: bool = False, name: str = "") -> Standing:
    return Standing(seat, user, name or f"#{user}", house, place, points, net=-points)


async def test_the_leaderboard_adds_up_persons_and_sorts_them(store: Store) -> None:
    await ended(store, 2, ends(0, ANN, 1, 0, name="Anna"), ends(1, BEN, 2, 6), ends(2, None, 3, 20, house=True))
    await ended(store, 1, ends(0, ANN, 2, 8, name="Ann"), ends(1, BEN, 1, 1), minutes=5)
    await ended(store, 4, ends(0, CAT, 1, 0, house=True), ends(1, ANN, 2, 9, name="Older"), minutes=-5)
    await ended(store, 1, ends(0, CAT, 1, 5), game="big_a", minutes=1)
    await ended(store, 1, ends(0, ANN, 1, 0), guild=5)
    ann, ben = Line(ANN, "Ann", 3, 1, 17, 7), Line(BEN, f"#{BEN}", 2, 1, 7, 3)
    assert await store.leaderboard(GUILD, None) == (Line(CAT, f"#{CAT}", 2, 1, 5, 5), ben, ann)
    assert await store.leaderboard(GUILD, "big_two") == (ben, ann, Line(CAT, f"#{CAT}", 1, 0, 0, 4))
    assert await store.leaderboard(6, None) == ()


async def test_equal_lines_go_to_whom_played_more(store: Store) -> None:
    await ended(store, 1, ends(0, ANN, 2, 4), ends(1, BEN, 2, 4))
    await ended(store, 1, ends(0, BEN, 2, 4))
    await ended(store, 0, ends(0, CAT, 2, 0))  # no hand was played to its end
    assert [line.user for line in await store.leaderboard(GUILD, None)] == [CAT, BEN, ANN]


async def test_history_is_paged_from_the_latest(store: Store) -> None:
    ids = [await ended(store, 1, ends(1, None, 2, 3, house=True), ends(0, ANN, 1, 0), minutes=n) for n in range(5)]
    await ended(store, 1, ends(0, ANN, 1, 0), guild=5)
    assert [match.table for match in await store.history(GUILD, 2, 0)] == [ids[4], ids[3]]
    assert [match.number for match in await store.history(GUILD, 9, 3)] == [2, 1]
    assert [s.seat for s in (await store.history(GUILD, 1, 0))[0].outcome.standings] == [0, 1]
    assert await store.history_count(GUILD) == 5
    assert (await store.history_count(6), await store.history(6, 5, 0)) == (0, ())


# What is refused at the door


async def test_a_second_bot_is_refused_until_the_first_is_killed(path: Path) -> None:
    other = (
        "import asyncio, datetime, pathlib, sys\n"
        "from bot.store.store import Store\n"
        "async def main():\n"
        "    store = await Store.open(pathlib.Path(sys.argv[1]), lambda: datetime.datetime.now(datetime.UTC))\n"
        "    await store.remember('who', 'the first')\n"
        "    print('ready', flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    root = Path(__file__).parents[1]
    with subprocess.Popen([sys.executable, "-c", other, str(path)], stdout=subprocess.PIPE, cwd=root) as first:
        assert first.stdout is not None
        try:
            assert first.stdout.readline() == b"ready\n"
            assert await refusal(path) == (
                f"Another running bot uses the database {path}. Stop it first: two bots must never share a file."
            )
        finally:
            first.send_signal(signal.SIGKILL)
    store = await Store.open(path, now)
    assert await store.recall("who") == "the first"
    await store.close()


async def test_a_second_store_in_one_process_is_refused_too(store: Store, path: Path) -> None:
    assert "Another running bot" in await refusal(path)
    await store.remember("still", "here")  # and the first is not disturbed


async def test_a_closed_store_says_so_and_may_be_closed_again(path: Path) -> None:
    store = await Store.open(path, now)
    await store.close()
    with pytest.raises(StoreError, match="is closed"):
        await store.recall("x")
    await store.close()


async def test_a_newer_database_is_left_alone(path: Path) -> None:
    await (await Store.open(path, now)).close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    await left_alone(path, f"The database {path} was written by a newer version of the bot (schema 9999). Nothing was")


@pytest.mark.parametrize("content", [b"not a database at all" * 500, b"SQLite format 3\x00" + b"\xff" * 8000])
async def test_a_file_that_is_no_database_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    await left_alone(path, f"The database {path} is damaged or not a database. Nothing was changed.")


async def test_a_very_long_database_is_not_read_whole_but_a_cut_is_seen(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "READ_WHOLE", 0)
    await (await Store.open(path, now)).close()
    await (await Store.open(path, now)).close()
    path.write_bytes(path.read_bytes()[:-4096])
    await left_alone(path, f"The database {path} is damaged or not a database. Nothing was changed.")


@pytest.mark.parametrize("spoil", ["cut", "scribble"])
async def test_a_damaged_database_is_left_alone(path: Path, spoil: str) -> None:
    store = await Store.open(path, now)
    for _ in range(50):
        await a_table(store)
    await store.close()
    sound = path.read_bytes()
    half = len(sound) // 2
    path.write_bytes(sound[:half] if spoil == "cut" else sound[:4096] + b"\x55" * 12288 + sound[16384:])
    await left_alone(path, f"The database {path} is damaged or not a database. Nothing was changed.")


async def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE recipes (name TEXT)")
    await left_alone(path, f"{path} is a database of some other program.")


async def left_alone(path: Path, start: str) -> None:
    before = path.read_bytes()
    assert (await refusal(path)).startswith(start)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}-lock"]


async def test_an_empty_file_is_a_new_database(path: Path) -> None:
    path.touch()
    store = await Store.open(path, now)
    assert await store.open_tables() == ()
    await store.close()


async def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    await (await Store.open(tmp_path / "a" / "100% b" / "bigger.db", now)).close()


async def test_a_folder_in_the_wrong_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert await refusal(tmp_path) == f"{tmp_path} is a folder, but the database must be a file."
    for wrong in (tmp_path / "file" / "bigger.db", tmp_path / "file" / "deeper" / "bigger.db"):
        assert await refusal(wrong) == f"{wrong.parent} is not a folder, so there is no place for the database."


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A folder, and for its time no right to write where others may not: root would be let in everywhere."""
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o755)
    rmtree(folder)


@pytest.mark.parametrize("what", ["folder", "file", "new"])
async def test_a_place_that_cannot_be_written_is_named(nobody: Path, what: str) -> None:
    path = nobody / "bigger.db"
    if what != "new":
        await (await Store.open(path, now)).close()
        path.chmod(0o444)
    before = path.read_bytes() if what != "new" else b""
    if what == "file":
        path.with_name("bigger.db-lock").chmod(0o666)
    nobody.chmod(0o777 if what == "file" else 0o555)
    if os.geteuid() == 0:
        os.seteuid(65534)
    assert (await refusal(path)).startswith(f"The database {path} cannot be written: the file or its folder is read-on")
    assert (path.read_bytes() if path.exists() else b"") == before


# What is refused later


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


# Migrations


async def test_the_migrations_make_the_schema_that_is_used(store: Store) -> None:
    connection = store._gate.connection
    assert await connection.run_sync(lambda c: compare_metadata(MigrationContext.configure(c), metadata)) == []


def a_step_more(tmp_path: Path, body: str) -> Path:
    """The migrations of a next version, which has one step more."""
    scripts = tmp_path / "next"
    copytree(opening.SCRIPTS, scripts, ignore=ignore_patterns("__pycache__"))
    head = "from alembic import op\nimport sqlalchemy as sa\nrevision, down_revision = '0002', '0001'\n"
    (scripts / "versions" / "r0002_next.py").write_text(f"{head}def upgrade():\n    {body}\n")
    return scripts


WIDER = "with op.batch_alter_table('tables') as t: t.add_column(sa.Column('mood', sa.Text))"
REBUILT = "with op.batch_alter_table('tables', recreate='always') as t: t.drop_constraint('ck_tables_pace')"
FAILING = f"{WIDER}\n    op.execute('DELETE FROM notes')\n    op.execute('SELECT nonsense')"
TORN = "op.execute('DELETE FROM tables')"


@pytest.mark.parametrize("body", [WIDER, REBUILT])
async def test_a_migration_copies_first_and_loses_nothing(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    before = await an_older_database(path)
    monkeypatch.setattr(opening, "SCRIPTS", a_step_more(tmp_path, body))
    store = await Store.open(path, now)
    assert await store.load(1) == before
    with pytest.raises(StoreError):
        await store.add_ping(Ping(99, ANN, CHANNEL, 1))  # foreign keys are watched again
    await store.close()
    copies = list((tmp_path / "backups").iterdir())
    assert [copy.name for copy in copies] == ["bigger-20260301T120000Z-0001.db"]
    monkeypatch.undo()
    assert "newer version of the bot (schema 0002)" in await refusal(path)
    store = await Store.open(copies[0], now)
    assert await store.load(1) == before
    await store.close()


@pytest.mark.parametrize("body", [FAILING, TORN])
async def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    before = await an_older_database(path)
    content = path.read_bytes()
    monkeypatch.setattr(opening, "SCRIPTS", a_step_more(tmp_path, body))
    assert str(path) in await refusal(path)
    monkeypatch.undo()
    assert path.read_bytes() == content
    store = await Store.open(path, now)
    assert await store.load(1) == before
    await store.close()


async def test_without_a_place_for_the_copy_nothing_is_migrated(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await an_older_database(path)
    content = path.read_bytes()
    (tmp_path / "backups").touch()
    monkeypatch.setattr(opening, "SCRIPTS", a_step_more(tmp_path, WIDER))
    assert f"no copy of it can be put into {tmp_path / 'backups'}" in await refusal(path)
    assert path.read_bytes() == content


async def an_older_database(path: Path) -> TableRow:
    store = await Store.open(path, now)
    table = await a_table(store, Deadline(NOON))
    await store.save(table, Change(steps=(STEP,)))
    row = await loaded(store, table)
    await store.close()
    return row


# Ten thousand sleeping tables


async def test_sleeping_tables_cost_nothing(path: Path) -> None:
    store = await Store.open(path, now)
    await fill(store, 10_000)
    await store.close()
    start = time.perf_counter()
    store = await Store.open(path, now)
    assert len(await store.due(NOON + timedelta(days=365))) == 500
    assert await store.next_due() == NOON + timedelta(seconds=1)
    assert await store.due(NOON + timedelta(seconds=2)) == (1, 2)
    assert len(await store.seated(ANN)) == 0
    assert [row.id for row in await store.at_home(7777)] == [7777]
    await store.beat(NOON)
    assert await store.resume(NOON + MINUTE) == MINUTE
    assert await store.next_due() == NOON + MINUTE + timedelta(seconds=1)
    assert time.perf_counter() - start < 3
    await store.close()


async def fill(store: Store, count: int) -> None:
    one: dict[str, Any] = {
        **{name: getattr(NEW, name) for name in NewTable.__dataclass_fields__},
        "phase": "playing",
        "message": 1,
        "touched": NOON,
    }
    rows = [{**one, "id": n, "number": n, "channel": n, "home": n} for n in range(1, count + 1)]
    for n, row in enumerate(rows, 1):
        row["deadline"] = row["wake"] = NOON + timedelta(seconds=n)
    connection = store._gate.connection
    await connection.execute(insert(tables), rows)
    await connection.commit()
