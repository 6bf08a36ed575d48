"""What is refused at the door: other bots, other files, unwritable places; each left unchanged."""

# ruff: noqa: ASYNC240 - a test may wait for its own small files

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import rmtree

import pytest

from bot.runtime.store_address import Address
from bot.store.engine import migration
from bot.store.engine.deletion_ledger import ledger_path
from bot.store.errors import StoreError
from bot.store.sqlite import files, opening
from bot.store.store import Store
from tests.standin.fork_server import ForkedProcess
from tests.store.sample_tables import ANN, NOON, add_table, now, open_refusal, scripts_up_to
from tests.support.blank_database import create_blank_database


@pytest.mark.posix("forks a process")
async def test_a_second_bot_is_refused_until_the_first_is_killed(path: Path) -> None:
    first = await ForkedProcess.start("tests.standin.keeper", str(path), env={**os.environ})
    try:
        assert await first.output.readline() == b"ready\n"
        assert await open_refusal(path) == (
            f"Another running bot uses the database {path}. Stop it first: two bots must never share a file."
        )
    finally:
        first.kill()
        await first.wait()
    store = await Store.open(path, now)
    assert await store.notes.recall("who") == "the first"
    await store.close()


async def test_a_symbolic_link_and_its_file_are_one_database(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    file, link = tmp_path / "disk" / "games.db", tmp_path / "bigger.db"
    link.symlink_to(file)
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "bigger-latest.db").symlink_to("gone.db")
    files.end_copies(link, NOON)
    store = await Store.open(link, now)
    with pytest.raises(StoreError, match="Another running bot uses"):
        await Store.open(file, now)
    assert opening.is_in_use(file)
    await store.close()
    await (await Store.open(file, now)).close()


async def test_a_symbolic_link_and_its_file_have_one_list_of_deletions(tmp_path: Path) -> None:
    """Earlier versions kept one beside the link as well."""
    (tmp_path / "disk").mkdir()
    file, link = tmp_path / "disk" / "games.db", tmp_path / "bigger.db"
    store = await Store.open(file, now)
    await store.deletions.forget_person(ANN)
    await store.close()
    link.symlink_to(file)
    former = tmp_path / "bigger.db-deleted"
    ledger_path(file).rename(former)
    for path in (link, file):
        store = await Store.open(path, now)
        assert await store.deletions.forgotten(ANN) == NOON
        await store.close()
    assert (former.exists(), ledger_path(link), ledger_path(file)) == (False, *[file.with_name("games.db-deleted")] * 2)
    former.write_text(ledger_path(file).read_text().replace("person", "server"))
    with pytest.raises(StoreError, match="There are two lists of deletions"):
        await Store.open(link, now)
    await (await Store.open(file, now)).close()
    with closing(opening.hold(file)), pytest.raises(StoreError, match="A running bot still uses"):
        files.merge_journal_if_unused(link)


@pytest.mark.both_databases("the right to use it is a lock of the server")
async def test_a_second_store_in_one_process_is_refused_too(store: Store, address: Address) -> None:
    assert "Another running bot" in await open_refusal(address)
    await store.notes.remember("still", "here")  # and the first is not disturbed


@pytest.mark.both_databases("a pool of connections is closed")
async def test_a_call_to_a_closed_store_is_cancelled_and_closing_is_idempotent(store: Store) -> None:
    await store.close()
    with pytest.raises(asyncio.CancelledError):
        await store.notes.recall("x")
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


async def test_a_large_database_is_not_read_whole_but_truncation_is_detected(
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
    for _ in range(3):
        await add_table(store)
    await store.close()
    sound = path.read_bytes()
    half = len(sound) // 2
    path.write_bytes(sound[:half] if spoil == "cut" else sound[:4096] + b"\x55" * 12288 + sound[16384:])
    await left_alone(path, f"The database {path} is damaged or not a database. Nothing was changed.")


async def test_the_database_of_another_program_is_left_alone(place: Path) -> None:
    with closing(sqlite3.connect(place)) as file, file:
        file.execute("CREATE TABLE recipes (name TEXT)")
    await left_alone(place, f"{place} is a database of some other program.")


async def left_alone(path: Path, start: str) -> None:
    before = path.read_bytes()
    assert (await open_refusal(path)).startswith(start)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}-lock"]


@pytest.mark.usefixtures("a_first_version")
async def test_an_empty_file_is_a_new_database_and_a_missing_folder_is_made(place: Path) -> None:
    place.touch()
    for new in (place, place.parent / "a" / "100% b" / "bigger.db"):
        await (await Store.open(new, now)).close()
        with closing(sqlite3.connect(new)) as file:
            assert file.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
            assert file.execute("SELECT count(*) FROM tables").fetchone() == (0,)


@pytest.fixture
def a_first_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the migrations by a single one."""
    monkeypatch.setattr(migration, "SCRIPTS", scripts_up_to(1, tmp_path))


async def test_a_folder_in_the_wrong_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert await open_refusal(tmp_path) == f"{tmp_path} is a folder, but the database must be a file."
    for wrong in (tmp_path / "file" / "bigger.db", tmp_path / "file" / "deeper" / "bigger.db"):
        assert await open_refusal(wrong) == f"{wrong.parent} isn't a folder, so there's no place for the database."


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


@pytest.mark.posix("changes its user")
@pytest.mark.parametrize("what", ["folder", "file", "new"])
async def test_a_place_that_cannot_be_written_is_named(nobody: Path, what: str) -> None:
    path = nobody / "bigger.db"
    if what != "new":
        create_blank_database(path)
        await (await Store.open(path, now)).close()
        path.chmod(0o444)
    before = path.read_bytes() if what != "new" else b""
    if what == "file":
        path.with_name("bigger.db-lock").chmod(0o666)
    nobody.chmod(0o777 if what == "file" else 0o555)
    if os.geteuid() == 0:
        os.seteuid(65534)
    assert (await open_refusal(path)).startswith(
        f"The database {path} can't be written: the file or its folder is read-on"
    )
    assert (path.read_bytes() if path.exists() else b"") == before
