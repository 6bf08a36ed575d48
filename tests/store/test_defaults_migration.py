"""What is stored as a difference to a preset means after a change of a default what it meant before."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ai.puzzle import Puzzle
from bot.club.duplicates import duplicate_rules
from bot.club.saved_rules import current_rules
from bot.domain.house_rules import Owner
from bot.domain.ids import ChannelId, TableId, UserId
from bot.games import GAMES
from bot.ops.store_commands import recounting
from bot.rules.variants.registration import STORED, VERSION
from bot.rules.variants.ruleset import Ruleset
from bot.runtime.store_address import Address, DatabaseServer
from bot.store.engine import migration
from bot.store.migrations.versions.r0061_defaults import STORED as MIGRATED
from bot.store.schema import metadata, results, tables
from bot.store.store import Store
from bot.table.core.state import record_of, ruleset_of
from tests.store.released_databases import (
    ANN,
    DEFAULTS,
    GUILD,
    KEPT,
    NEWER,
    copy_migrated,
    copy_older_schema,
    copy_released,
    copy_scored,
)
from tests.store.sample_tables import load_table, now, scripts_up_to
from tests.store.test_played import found
from tests.support.postgres import create_empty_database, drop_database

pytestmark = pytest.mark.usefixtures("in_place")
LEFT = TableId(22)  # a lobby of A Bao whose rules were changed once
HOST, BACKROOM = UserId(1456074443980800017), ChannelId(1456074443980800022)
Row = Mapping[str, Any]


def rows_with_options(path: Path) -> Iterator[tuple[str, str, Row]]:
    """Yield table, column and row of all options that a database has of games of which a default has changed."""
    with closing(sqlite3.connect(path)) as file:
        file.row_factory = sqlite3.Row
        for table, column in MIGRATED:
            columns = {row["name"] for row in file.execute(f"PRAGMA table_info({table})")}
            if column not in columns or "game" not in columns:
                continue
            for row in file.execute(f"SELECT * FROM {table}"):
                if GAMES[row["game"]].former_defaults() and row[column] not in (None, "null"):
                    yield table, column, dict(row)


def meaning(row: Row, column: str, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the options whose defaults have changed are in a row, by these defaults."""
    options = json.loads(row[column])
    return {name: options.get(name, defaults[name]) for name in GAMES[row["game"]].former_defaults()}


def test_all_columns_with_options_are_migrated() -> None:
    """A column of changes from a preset that a later version adds is not of this step: list it by name then."""
    kept = {
        (table.name, column.name)
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, JSON) and "game" in table.columns
    }
    assert kept == set(MIGRATED)


@pytest.mark.parametrize("kept", [KEPT, NEWER, DEFAULTS], ids=lambda kept: kept.stem)
def test_the_migration_keeps_the_meaning_of_each_option(tmp_path: Path, kept: Path) -> None:
    before = list(rows_with_options(copy_released(tmp_path / "old.db", kept=kept)))
    after = list(rows_with_options(copy_migrated(tmp_path / "new.db", kept)))
    assert before
    today = {
        game: {name: getattr(GAMES[game].defaults(), name) for name in GAMES[game].former_defaults()} for game in GAMES
    }
    said = {(table, column, _key(row)): meaning(row, column, today[row["game"]]) for table, column, row in after}
    for table, column, row in before:
        assert said[table, column, _key(row)] == meaning(row, column, GAMES[row["game"]].former_defaults()), (
            table,
            column,
        )
    if kept == DEFAULTS:
        where = {(table, column) for table, column, _ in before}
        assert where == set(MIGRATED), "there is some of all that is stored"


def _key(row: Row) -> tuple[Any, ...]:
    """Return what tells a row from the others of its table."""
    names = ("id", "table_id", "scope", "owner", "folded")
    return tuple(row[name] for name in names if name in row) or (row["channel"],)


async def test_migrated_options_are_read_with_their_old_meaning(tmp_path: Path) -> None:
    store = await Store.open(copy_migrated(tmp_path / "bigger.db", DEFAULTS), now)
    back, pair = "may_return_called_card", "big_ace_pair_scope"
    for number, name, value in (
        (4, back, False),
        (5, pair, "any_holder"),
        (10, pair, "any_holder"),
        (11, back, False),
        (14, pair, "any_holder"),
        (17, back, False),
        (18, back, True),
        (19, pair, "any_holder"),
        (20, pair, "lone_deal_only"),
        (21, back, True),
        (22, back, False),
        (23, back, False),
    ):
        row = await load_table(store, TableId(number))
        assert (number, ruleset_of(row).value(name)) == (number, value)
        assert getattr(record_of(row).begin().rules.options, name) == value
        assert {step.ply for step in row.steps} == set(range(len(row.steps)))
    lobby = await load_table(store, LEFT)
    assert lobby.revised is not None
    was = Ruleset.of(GAMES["a_bao"], lobby.revised.preset, lobby.revised.options, STORED)
    assert (was.value(back), was.value("starter_must_call")) == (False, False)
    for owner in (Owner("person", HOST), Owner("server", GUILD)):
        rules = {kept.name: current_rules(kept) for kept in await store.house_rules.of_owner(owner)}
        told = {name: found and found.code for name, found in rules.items() if name.startswith("B")}
        assert told == {
            "Bao": "AB:std@3+return=false",
            "Bao back": "AB:std@3",
            "Bao must": "AB:std@3+must_call=true,return=false",
            "Big": "BA:std@3+big_pair=any_holder",
            "Big lone": "BA:std@3",
        }
    default = await store.house_rules.channel_default(BACKROOM)
    assert default is not None
    played = await store.house_rules.last_played(BACKROOM)
    assert played is not None
    for rules_there in (current_rules(default), current_rules(played)):
        assert rules_there is not None
        assert (rules_there.game, rules_there.value(back)) == ("a_bao", False)
    duplicate = await store.duplicates.load(1)
    assert duplicate is not None
    assert not duplicate_rules(duplicate).value(back)
    (puzzle,) = await store.puzzles.of_week("a_bao", date(2026, 1, 5))
    assert not Puzzle.from_json(puzzle, GAMES).record.begin().rules.options.may_return_called_card
    await store.close()


async def test_a_migrated_lobby_starts_with_the_agreed_rules(tmp_path: Path) -> None:
    async with found(tmp_path, DEFAULTS, "UPDATE chairs SET agreed = 2 WHERE table_id = 22") as there:
        table = await there.parts.tables.get(LEFT)
        table.resume_play()
        await there.settle()
        assert table.row.edition == 2
        await there.fill_up("ann", table)
        await there.press("ann", table, "Start")
        assert (table.stage, table.row.rules) == ("playing", VERSION)
        assert table.match is not None
        options = table.match.rules.options
        assert (options.may_return_called_card, options.starter_must_call) == (False, True)


async def test_migrated_matches_replay_to_the_same_results(tmp_path: Path) -> None:
    """Every match of the store is replayed, with unchanged results."""
    path = copy_scored(tmp_path / "bigger.db", DEFAULTS)
    before = outcomes(copy_released(tmp_path / "old.db", kept=DEFAULTS))
    assert len(before) > 20
    assert outcomes(path) == before
    told: list[str] = []
    await recounting(path, told.append)
    assert outcomes(path) == before
    store = await Store.open(path, now)
    for number in range(1, 24):
        row = await store.tables.load(TableId(number))
        assert row is not None
        if row.phase in ("playing", "over"):
            assert record_of(row).replay().over == (row.phase == "over") or row.ended is not None
    await store.close()


def outcomes(path: Path) -> list[tuple[Any, ...]]:
    """Return the points, places and nets of all matches of a database, seat by seat."""
    with closing(sqlite3.connect(path)) as file:
        query = "SELECT table_id, seat, place, points, net FROM standings ORDER BY table_id, seat"
        return file.execute(query).fetchall()


# On both databases, row by row

OPTIONS: Mapping[str, list[tuple[dict[str, Any] | None, dict[str, Any] | None]]] = {
    "a_bao": [
        ({}, {"may_return_called_card": False}),
        ({"deals": 3}, {"deals": 3, "may_return_called_card": False}),
        ({"may_return_called_card": True}, {"may_return_called_card": True}),
        ({"may_return_called_card": False}, {"may_return_called_card": False}),
    ],
    "big_a": [
        ({}, {"big_ace_pair_scope": "any_holder"}),
        ({"big_ace_pair_scope": "lone_deal_only", "deals": 3}, {"big_ace_pair_scope": "lone_deal_only", "deals": 3}),
    ],
    "big_two": [({}, {}), ({"stake": 5}, {"stake": 5})],
}
CASES = [(game, *pair) for game, pairs in OPTIONS.items() for pair in pairs] * 2


@pytest.fixture(params=["file", "server"])
async def migrated(request: pytest.FixtureRequest, tmp_path: Path, place: Path) -> AsyncIterator[Store]:
    """A database of the version before with these options of tables and results, opened by this one."""
    address: Address = copy_older_schema(place, 60) if request.param == "file" else create_empty_database()
    with pytest.MonkeyPatch.context() as older:
        older.setattr(migration, "SCRIPTS", scripts_up_to(60, tmp_path))
        before = await Store.open(address, now)
        await before._gate.run(fill)
        await before.close()
    store = await Store.open(address, now)
    yield store
    await store.close()
    if isinstance(address, DatabaseServer):
        drop_database(address)


async def fill(connection: AsyncConnection) -> None:
    for number, (game, options, _) in enumerate(CASES, 1):
        row = {
            "id": number,
            "guild": 1,
            "number": number,
            "channel": 5,
            "home": 5,
            "host": ANN,
            "game": game,
            "preset": "standard",
            "options": json.dumps(options),
            "seats": 2,
            "seed": "00ff",
            "pace": "live",
            "phase": "over",
            "created": 0,
            "touched": 0,
            "reminded": False,
            "counts": True,
            "was_options": json.dumps(options) if number % 2 else None,
        }
        await insert(connection, "tables", row)
        result = {"table_id": number, "guild": 1, "game": game, "hands": 1, "finished": 0, "counts": True}
        await insert(connection, "results", result | {"preset": "standard", "options": json.dumps(options)})


async def insert(connection: AsyncConnection, table: str, row: Row) -> None:
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join(f":{name}" for name in row)
    await connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), row)


async def test_the_migration_writes_the_former_default_explicitly(migrated: Store) -> None:
    async def read(connection: AsyncConnection) -> None:
        for query in (select(tables.c.options).order_by(tables.c.id), select(results.c.options).order_by("table_id")):
            assert list((await connection.execute(query)).scalars()) == [after for _, _, after in CASES]
        was = list((await connection.execute(select(tables.c.was_options).order_by(tables.c.id))).scalars())
        assert was == [after if number % 2 else None for number, (_, _, after) in enumerate(CASES, 1)]

    await migrated._gate.run(read)
