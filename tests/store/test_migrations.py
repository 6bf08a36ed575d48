"""Migrations: a copy first, atomic, lossless."""

# ruff: noqa: ASYNC240 - a test may wait for its own small files

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from bot.domain.chairs import Chair
from bot.domain.house_rules import Owner
from bot.domain.ids import MessageId, TableId, UserId
from bot.domain.pace import Deadline
from bot.games import GAMES
from bot.store.engine import migration
from bot.store.errors import StoreError
from bot.store.rows import Ping, TableChange, TableRow
from bot.store.schema import metadata
from bot.store.schema.columns import EPOCH
from bot.store.store import Store
from bot.table.core.chairs import premoves_of
from tests.store.released_databases import copy_older_schema
from tests.store.sample_tables import ANN, CHANNEL, GUILD, NOON, STEP, add_table, load_table, now, open_refusal

pytestmark = pytest.mark.usefixtures("in_place")
NEWEST = max(path.stem[1:5] for path in (migration.SCRIPTS / "versions").glob("r*.py"))


def unlike(*compared: Any) -> bool:
    """Tell alembic whether a column of the file starts from something else than that of the schema."""
    *_, there, _, here = compared
    return (there or "").split("::")[0].strip("()'") != (here or "").strip("()'")  # alembic is wrong of the empty text


@pytest.mark.both_databases("the schema")
async def test_migrations_produce_the_current_schema(store: Store) -> None:
    def differences(connection: Connection) -> Any:
        opts = {"compare_server_default": unlike}
        return compare_metadata(MigrationContext.configure(connection, opts=opts), metadata)

    assert await store._gate.run(lambda connection: connection.run_sync(differences)) == []


def a_step_more(tmp_path: Path, body: str) -> Path:
    """The migrations of a next version with one more step."""
    scripts = tmp_path / "next"
    copytree(migration.SCRIPTS, scripts, ignore=ignore_patterns("__pycache__"))
    head = f"from alembic import op\nimport sqlalchemy as sa\nrevision, down_revision = 'next', '{NEWEST}'\n"
    (scripts / "versions" / "next.py").write_text(f"{head}def upgrade():\n    {body}\n")
    return scripts


WIDER = "with op.batch_alter_table('tables') as t: t.add_column(sa.Column('mood', sa.Text))"
REBUILT = "with op.batch_alter_table('tables', recreate='always') as t: t.drop_constraint('ck_tables_pace')"
FAILING = f"{WIDER}\n    op.execute('DELETE FROM notes')\n    op.execute('SELECT nonsense')"
TORN = "op.execute('DELETE FROM tables')"


@pytest.mark.parametrize("body", [WIDER, REBUILT])
async def test_a_migration_backs_up_first_and_loses_nothing(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    before = await an_older_database(path)
    monkeypatch.setattr(migration, "SCRIPTS", a_step_more(tmp_path, body))
    store = await Store.open(path, now)
    assert await store.tables.load(TableId(1)) == before
    with pytest.raises(StoreError):
        await store.pings.add([Ping(TableId(99), ANN, CHANNEL, MessageId(1))])  # foreign keys are watched again
    await store.close()
    copies = list((tmp_path / "backups").iterdir())
    assert [copy.name for copy in copies] == [f"bigger-20260301T120000Z-{NEWEST}.db"]
    monkeypatch.undo()
    assert "newer version of the bot (schema next)" in await open_refusal(path)
    store = await Store.open(copies[0], now)
    assert await store.tables.load(TableId(1)) == before
    await store.close()


@pytest.mark.parametrize("body", [FAILING, TORN])
async def test_a_failing_migration_changes_nothing(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    before = await an_older_database(path)
    content = path.read_bytes()
    monkeypatch.setattr(migration, "SCRIPTS", a_step_more(tmp_path, body))
    assert str(path) in await open_refusal(path)
    monkeypatch.undo()
    assert path.read_bytes() == content
    store = await Store.open(path, now)
    assert await store.tables.load(TableId(1)) == before
    await store.close()


async def test_no_migration_without_room_for_the_backup(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await an_older_database(path)
    content = path.read_bytes()
    (tmp_path / "backups").touch()
    monkeypatch.setattr(migration, "SCRIPTS", a_step_more(tmp_path, WIDER))
    assert f"no copy of it can be put into {tmp_path / 'backups'}" in await open_refusal(path)
    assert path.read_bytes() == content


async def an_older_database(path: Path) -> TableRow:
    store = await Store.open(path, now)
    table = await add_table(store, Deadline(NOON))
    await store.tables.save(table, TableChange(steps=(STEP,)))
    row = await load_table(store, table)
    await store.close()
    return row


# What the first schema left behind

FIVE_HANDS = {"match_end": "deals"}
OLD_OPTIONS: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (  # as they were, and as they are now
    ({}, FIVE_HANDS),
    ({"stake": 0, "one_card_rule": "none"}, {"stake": 0, "one_card_rule": "none"} | FIVE_HANDS),
    ({"deals": 3}, {"deals": 3} | FIVE_HANDS),
    ({"match_end": "target", "target": 50}, {"match_end": "target", "target": 50}),
)
PHASES = ("lobby", "playing", "over", "closed")
OTHER = len(PHASES) * len(OLD_OPTIONS) + 1  # the table of another game


def a_first_database(path: Path) -> None:
    """A database of the first version, without later additions."""
    with closing(sqlite3.connect(copy_older_schema(path, 1))) as database, database:
        for number, (phase, (options, _)) in enumerate(product(PHASES, OLD_OPTIONS), 1):
            insert(database, number, phase, "big_two", options)
        insert(database, OTHER, "over", "big_a", {})


def insert(database: sqlite3.Connection, number: int, phase: str, game: str, options: dict[str, Any]) -> None:
    values: dict[str, Any] = {
        "id": number,
        "guild": GUILD,
        "number": number,
        "channel": CHANNEL,
        "home": CHANNEL,
        "host": ANN,
        "game": game,
        "preset": "pagat",
        "options": json.dumps(options),
        "seats": 1,
        "seed": "00ff",
        "pace": "live",
        "phase": phase,
        "created": 0,
        "reminded": False,
        "touched": 0,
    }
    marks = ", ".join("?" * len(values))
    database.execute(f"INSERT INTO tables ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
    database.execute(
        "INSERT INTO chairs (table_id, seat, user, name, house, misses) VALUES (?, 0, 7, 'Ann', 0, 2)", (number,)
    )
    database.execute(
        "INSERT INTO actions (table_id, ply, seat, action, by, at) VALUES (?, 0, 0, '3d', 'person', 0)", (number,)
    )


def old_options(path: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as database:
        return [json.loads(row[0]) for row in database.execute("SELECT options FROM tables ORDER BY id")]


BIG_A = {"big_ace_pair_scope": "any_holder"}  # its default until step 61


async def test_old_matches_keep_their_end_after_open_matches_were_added(tmp_path: Path, place: Path) -> None:
    a_first_database(place)
    before = old_options(place)
    store = await Store.open(place, now)
    rows = [await load_table(store, number) for number in map(TableId, range(1, OTHER + 1))]
    assert [row.options for row in rows] == [after for _ in PHASES for _, after in OLD_OPTIONS] + [BIG_A]
    assert [row.phase for row in rows] == [phase for phase in PHASES for _ in OLD_OPTIONS] + ["over"]
    assert {(row.seats, row.chairs, row.steps) for row in rows} == {
        (1, (Chair(0, UserId(7), "Ann", misses=2),), (replace(STEP, at=EPOCH),))
    }
    assert await store.house_rules.of_owner(Owner("person", ANN)) == ()
    await store.close()
    (copied,) = (tmp_path / "backups").iterdir()
    assert copied.name == "bigger-20260301T120000Z-0001.db"
    assert old_options(copied) == before


@pytest.mark.parametrize(("before", "after"), OLD_OPTIONS)
def test_old_options_still_make_a_match_that_ends(before: dict[str, Any], after: dict[str, Any]) -> None:
    ends = GAMES["big_two"].rules("pagat", **after).options
    wanted = ("target", before["target"]) if "target" in before else ("deals", before.get("deals", 5))
    assert (ends.match_end, getattr(ends, ends.match_end)) == wanted


async def test_players_of_an_old_lobby_agree_to_its_rules_again(place: Path) -> None:
    with closing(sqlite3.connect(copy_older_schema(place, 3))) as database, database:
        insert(database, 1, "lobby", "big_two", FIVE_HANDS)
        database.execute("UPDATE chairs SET agreed = 864261904")
        database.execute(
            "INSERT INTO chairs (table_id, seat, user, name, house, misses, agreed)"
            " VALUES (1, 1, ?, 'Host', 0, 0, 123)",
            (ANN,),
        )
    store = await Store.open(place, now)
    row = await load_table(store, TableId(1))
    await store.close()
    assert (row.edition, row.revised) == (1, None)
    assert [(chair.user, chair.agreed) for chair in row.chairs] == [(7, 0), (ANN, 1)]


async def test_auto_pass_survives_the_migration(place: Path) -> None:
    with closing(sqlite3.connect(copy_older_schema(place, 23))) as database, database:
        insert(database, 1, "playing", "big_two", FIVE_HANDS)
        database.execute("UPDATE chairs SET passing = 1")
    store = await Store.open(place, now)
    row = await load_table(store, TableId(1))
    await store.close()
    assert [order.kind for chair in row.chairs for order in premoves_of(chair)] == ["on"]


async def test_old_waiting_slow_tables_are_due_at_once(place: Path) -> None:
    with closing(sqlite3.connect(copy_older_schema(place, 30))) as database, database:
        for number, phase in enumerate(("playing", "playing", "playing", "over", "playing"), 1):
            insert(database, number, phase, "big_two", FIVE_HANDS)
        database.execute("UPDATE tables SET pace = 'daily 8h+2d' WHERE id > 1")
        database.execute("UPDATE tables SET paused = 1 WHERE id = 3")
        database.execute(
            "INSERT INTO turns (table_id, user, asked, since, ready, together, reminded) VALUES (5, 7, '', 0, 0, 0, 0)"
        )
    store = await Store.open(place, now)
    assert await store.clock.due(now()) == (2,)
    await store.close()


async def test_old_duplicate_tables_get_their_duplicate_id(place: Path) -> None:
    with closing(sqlite3.connect(copy_older_schema(place, 44))) as database, database:
        for number in (1, 2):
            insert(database, number, "over", "big_two", FIVE_HANDS)
        database.execute(
            "INSERT INTO duplicates (id, guild, channel, by, game, preset, options, seats, seed, opened)"
            " VALUES (3, ?, ?, 7, 'big_two', 'pagat', '{}', 4, '00ff', 0)",
            (GUILD, CHANNEL),
        )
        database.execute("INSERT INTO parts (duplicate_id, user, table_id, seat) VALUES (3, 7, 2, 0)")
    store = await Store.open(place, now)
    assert [await store.duplicates.at(TableId(number)) for number in (1, 2)] == [None, 3]
    known = await store.duplicates.load(3)
    assert known is not None
    assert (known.pace.kind, known.together, known.sheet) == ("none", False, None)
    await store.close()


async def test_the_last_practice_table_of_each_user_stays(place: Path) -> None:
    with closing(sqlite3.connect(copy_older_schema(place, 56))) as database, database:
        for number, phase in enumerate(("over", "closed", "playing", "over", "closed", "over"), 1):
            insert(database, number, phase, "big_two", FIVE_HANDS)
        database.execute("UPDATE tables SET alone = 'practice' WHERE id <> 4")
        database.execute("UPDATE tables SET host = 9 WHERE id = 2")
    await (await Store.open(place, now)).close()
    with closing(sqlite3.connect(place)) as database:
        for query in ("id FROM tables", "table_id FROM chairs", "table_id FROM actions"):
            assert [number for (number,) in database.execute(f"SELECT {query} ORDER BY 1")] == [2, 3, 4, 6]


async def test_an_old_match_with_an_absent_host_gets_the_next_person(place: Path) -> None:
    away = {1: "", 2: "late", 3: "left", 4: "removed", 5: "left"}  # why the host of each table does not play
    with closing(sqlite3.connect(copy_older_schema(place, 51))) as database, database:
        for number, why in away.items():
            insert(database, number, "playing", "big_two", FIVE_HANDS)
            database.execute("UPDATE chairs SET house = ? WHERE table_id = ?", (number == 5, number))
            database.execute(
                "INSERT INTO chairs (table_id, seat, user, name, house, misses, away)"
                " VALUES (?, 1, ?, 'Host', ?, 0, ?)",
                (number, ANN, why != "", why),
            )
            database.execute(
                "INSERT INTO chairs (table_id, seat, user, name, house, misses) VALUES (?, 2, 9, 'Next', ?, 0)",
                (number, number >= 4),
            )
    store = await Store.open(place, now)
    assert [(await load_table(store, TableId(number))).host for number in away] == [ANN, ANN, 9, 7, 0]
    await store.close()
