"""A store that moves house: all of it, the same to the byte, and nothing comes back that had to go."""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from errno import ENOSPC, EXDEV
from pathlib import Path

import pytest

from bot.domain.chairs import Chair
from bot.domain.ids import UserId
from bot.domain.preferences import Preferences
from bot.ops import store_commands
from bot.runtime.store_address import Address, DatabaseServer
from bot.settings import Settings
from bot.store.copies import row_transfer
from bot.store.copies.restoration import restore_backup
from bot.store.copies.row_transfer import TableDigest, copy, digest_table, read_through
from bot.store.copies.transfer import Backups, back_up, copy_store, open_store
from bot.store.engine.deletion_ledger import ledger_path
from bot.store.errors import StoreError
from bot.store.schema import metadata
from bot.store.sqlite import files, opening
from bot.store.store import Store
from tests.store.released_databases import IDS, NEWER, copy_migrated, copy_released
from tests.store.sample_tables import NEW_TABLE, NOON, add_table, now, open_refusal
from tests.support.blank_database import create_blank_database
from tests.support.postgres import create_empty_database, drop_database

pytestmark = pytest.mark.usefixtures("in_place")
ANN, BEN, CLEO = map(UserId, IDS[NEWER][1:4])


@pytest.fixture
def played(path: Path) -> Path:
    """A file that people have played in."""
    return copy_migrated(path, NEWER)


@pytest.fixture
def nothing() -> Iterator[DatabaseServer]:
    """An empty place on a server."""
    database = create_empty_database()
    yield database
    drop_database(database)


async def sums(address: Address) -> dict[str, TableDigest]:
    """Return the row count and checksum of each table."""
    async with open_store(address, NOON) as gate:
        return {table.name: await digest_table(read_through(gate), table) for table in metadata.sorted_tables}


def settings(database: Address, other: Address | None = None) -> Settings:
    """Return settings that name these."""
    return replace(Settings(), database=database, other_database=other)


async def say(ours: Settings, *words: str) -> list[str]:
    """Return what the program says to these words."""
    reader, told = argparse.ArgumentParser(), list[str]()
    store_commands.words(reader.add_subparsers())
    await store_commands.run(ours, reader.parse_args(["store", *words]), told.append)
    return told


async def test_a_copy_to_a_server_and_back_is_identical_even_after_an_interruption(
    played: Path, nothing: DatabaseServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, back = await sums(played), tmp_path / "back.db"
    assert before["actions"].rows > 100
    with monkeypatch.context() as small:
        small.setattr(row_transfer, "PAGE", 7)
        await cut_off_after(40, played, nothing)
    assert "an unfinished copy" in await open_refusal(nothing), "no bot opens it meanwhile"
    told = await say(settings(played, nothing), "copy", "BIGGER_DATABASE", "BIGGER_OTHER_DATABASE")
    assert told[-1].startswith("Everything is in empty_")
    assert await sums(nothing) == before
    await say(settings(played, nothing), "copy", "BIGGER_OTHER_DATABASE", str(back))
    assert await sums(back) == before
    for database in (nothing, back):
        assert (await say(settings(database), "check"))[1].startswith("Results: ")
        store = await Store.open(database, now)
        assert await add_table(store) == before["tables"].rows + 1, "what is set up later has numbers of its own"
        await store.close()


async def cut_off_after(pages: int, source: Path, target: DatabaseServer) -> None:
    """Begin a copy whose source becomes unreachable after some pages."""
    async with open_store(source, NOON) as out, open_store(target, NOON, include_unfinished=True) as into:
        left = iter(range(pages))

        async def read(query: object) -> object:
            if next(left, None) is None:
                raise ConnectionError
            return await read_through(out)(query)  # type: ignore[arg-type]

        with pytest.raises(ConnectionError):
            await copy(read, into)  # type: ignore[arg-type]


async def test_no_copy_into_a_database_with_games(played: Path, tmp_path: Path) -> None:
    create_blank_database(other := tmp_path / "other" / "games.db")
    store = await Store.open(other, now)
    await add_table(store)
    await store.close()
    before = await sums(other)
    with pytest.raises(StoreError, match="There are games in the database to copy to already"):
        await say(settings(played), "copy", str(played), str(other))
    assert await sums(other) == before
    with pytest.raises(StoreError, match="Both are the same"):
        await say(settings(played), "copy", str(played), "BIGGER_DATABASE")
    with pytest.raises(StoreError, match="There's no database"):
        await say(settings(played), "copy", str(tmp_path / "none.db"), str(other))
    with pytest.raises(StoreError, match=r"^BIGGER_OTHER_DATABASE is not set"):
        await say(settings(played), "copy", str(played), "BIGGER_OTHER_DATABASE")
    with pytest.raises(StoreError) as told:
        await say(settings(played), "copy", str(played), "postgresql://ann:5ecret@db/bigger")
    assert "5ecret" not in str(told.value)


async def test_deletions_stay_in_effect_after_a_move(played: Path, server: DatabaseServer, tmp_path: Path) -> None:
    """The copy is older than the deletion, which is in the ledger."""
    store = await Store.open(played, now)
    mark = store.deletions.mark(ANN)
    await store.deletions.forget_person(CLEO)
    await store.close()
    await copy_store(played, server, NOON, print)
    store = await Store.open(server, now)
    assert await store.deletions.deleted_since([BEN, CLEO], NOON - timedelta(days=1)) == {CLEO: NOON}
    await store.deletions.forget_person(BEN)
    assert store.deletions.mark(ANN) == mark
    await store.close()
    back = tmp_path / "back.db"
    await copy_store(server, back, NOON, print)
    again = await Store.open(back, now)
    assert again.deletions.mark(ANN) == mark
    assert len(ledger_path(back).read_text().splitlines()) == 3
    await again.close()


@pytest.mark.parametrize("kind", ["file", "server"])
async def test_a_backup_is_made_while_the_bot_runs_and_put_back(
    kind: str, played: Path, server: DatabaseServer, tmp_path: Path
) -> None:
    address: Address = played
    if kind == "server":
        address = server
        store = await Store.open(server, now)
        await store.tables.add(replace(NEW_TABLE, seats=2), (Chair(0, ANN, "Ann"), Chair(1, BEN, "Ben")), None)
        await store.close()
    ours, beside = settings(address), tmp_path / "elsewhere" / "bigger.db"
    store = await Store.open(address, now)
    assert str(BEN) in str([await store.tables.load(table) for table in await store.tables.open_tables()])
    backup = await back_up(address, beside, NOON)
    await store.people.save_preferences(ANN, Preferences(by_suit=not (await store.people.preferences(ANN)).by_suit))
    await store.deletions.forget_person(BEN)
    with pytest.raises(StoreError, match="Another running bot"):
        await restore_backup(backup, address, beside, NOON, print)
    await store.close()
    before, told = await sums(address), list[str]()
    await restore_backup(backup, address, beside, NOON + timedelta(seconds=1), told.append)
    assert told[0].startswith("What was there is in ")
    assert backup.exists()
    assert (await sums(address))["habits"] != before["habits"]
    store = await Store.open(address, now)  # which deletes again a player who had to go
    assert str(BEN) not in str([await store.tables.load(table) for table in await store.tables.open_tables()])
    await store.close()
    assert (await say(ours, "check"))[0].startswith("Open tables: ")


async def test_an_invalid_backup_is_refused(played: Path, tmp_path: Path) -> None:
    before, broken = await sums(played), tmp_path / "broken.db"
    broken.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="is damaged or not a database"):
        await restore_backup(broken, played, played, NOON, print)
    with pytest.raises(StoreError, match="There's no database"):
        await restore_backup(tmp_path / "none.db", played, played, NOON, print)
    assert await sums(played) == before


# What a backup may be like (issue 42, 1.2)


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """A backup as people have it: in a folder of its own, under a name of its own."""
    folder = tmp_path / "stick"
    folder.mkdir()
    return copy_migrated(folder / "tuesday.sqlite", NEWER)


def files_of(*paths: Path) -> dict[str, bytes]:
    """Return what stands in these files."""
    return {path.name: path.read_bytes() for path in paths}


def cut(path: Path) -> None:
    """Truncate a file."""
    path.write_bytes(path.read_bytes()[:50_000])


def anew(path: Path, statement: str) -> None:
    """Put another database in the place of a file."""
    path.unlink()
    change(path, statement)


async def refused(given: Path, store: Path, *words: str) -> str:
    """Return why a backup is not put back; nothing has changed, and the sentence names the file that was given."""
    before = files_of(given, store)
    with pytest.raises(StoreError) as told:
        await say(settings(store), "restore", *words, str(given))
    assert files_of(given, store) == before
    assert not list(store.parent.glob("backups/*"))
    sentence = str(told.value)
    assert str(given) in sentence
    assert "Nothing was changed" in sentence
    assert "restored.db" not in sentence
    return sentence


async def test_42_1_2_the_journal_of_a_copy_is_restored_too(played: Path, given: Path) -> None:
    with closing(sqlite3.connect(given)) as running, running:
        running.execute("PRAGMA journal_mode = WAL")
        running.execute("INSERT INTO notes (key, value) VALUES ('last night', 'yes')")
        running.commit()
        taken = given.parent / "taken"
        taken.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(f"{given}{suffix}", taken)
    copied = taken / given.name
    assert copied.with_name(f"{given.name}-wal").stat().st_size
    await say(settings(played), "restore", str(copied))
    store = await Store.open(played, now)
    assert await store.notes.recall("last night") == "yes"
    await store.close()


async def test_42_1_2_a_copy_with_a_journal_is_read_from_a_read_only_folder(
    played: Path, given: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite cannot open a journal there: it needs a file beside it."""
    change(given, "PRAGMA journal_mode = WAL")
    vacuum_into, asked = files.vacuum_into, list[Path]()

    async def nowhere(source: Path, target: Path, name: str) -> None:
        asked.append(source)
        if source.parent == given.parent:
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
            raise error
        await vacuum_into(source, target, name)

    monkeypatch.setattr(files, "vacuum_into", nowhere)
    await say(settings(played), "restore", str(given))
    assert [source.parent == given.parent for source in asked] == [True, False]


NOT_TAKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing in it": (lambda path: path.write_bytes(b""), "is empty"),
    "no tables": (lambda path: anew(path, "VACUUM"), "is empty"),
    "another program's": (lambda path: anew(path, "CREATE TABLE theirs (x)"), "some other program"),
    "of two versions": (lambda path: change(path, "INSERT INTO alembic_version VALUES ('0001')"), "some other program"),
    "of no version": (lambda path: change(path, "DELETE FROM alembic_version"), "some other program"),
    "a newer one": (lambda path: change(path, "UPDATE alembic_version SET version_num = '9999'"), "newer version"),
    "a table less": (lambda path: change(path, "DROP TABLE habits"), "add table habits"),
    "a column less": (lambda path: change(path, "ALTER TABLE habits DROP COLUMN mirror"), "add column habits.mirror"),
    "a column more": (lambda path: change(path, "ALTER TABLE habits ADD COLUMN x"), "remove column habits.x"),
    "an older one with less": (
        lambda path: change(copy_released(path), "DROP TABLE tables"),
        "can't be read as a copy",
    ),
    "torn": (lambda path: change(path, "DELETE FROM tables WHERE id = 2"), "doesn't fit together"),
    "cut": (cut, "damaged or not a database"),
    "a text": (lambda path: path.write_text("Dear diary" * 1000), "damaged or not a database"),
    "an odd count": (lambda path: change(path, COUNTED.format("'many'")), "it has followed ('many')"),
    "ahead of the list": (lambda path: change(path, COUNTED.format("'3'")), "has followed 3 deletions, but only 0"),
}
COUNTED = "INSERT OR REPLACE INTO notes (key, value) VALUES ('deletions', {})"


@pytest.mark.parametrize("what", NOT_TAKEN)
async def test_42_1_2_an_untrustworthy_copy_is_refused_by_name(what: str, played: Path, given: Path) -> None:
    spoil, sentence = NOT_TAKEN[what]
    spoil(given)
    assert sentence in await refused(given, played)


async def test_42_1_2_the_database_itself_is_refused_as_a_copy(played: Path) -> None:
    assert "is the database itself" in await refused(played, played)


async def test_42_1_2_foreign_schema_objects_are_not_restored(played: Path, given: Path) -> None:
    change(
        given,
        "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq)",
        "CREATE INDEX theirs ON habits (locale)",
        "CREATE VIEW everybody AS SELECT * FROM chairs",
        "CREATE TRIGGER forge AFTER INSERT ON results BEGIN DELETE FROM standings; END",
    )
    told = await say(settings(played), "restore", str(given))
    (line,) = [line for line in told if line.startswith("Left out of tuesday.sqlite")]
    assert all(name in line for name in ("_litestream_seq", "theirs", "everybody", "forge"))
    with closing(sqlite3.connect(played)) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_schema")}
    assert not names & {"_litestream_seq", "theirs", "everybody", "forge"}
    assert await sums(played) == await sums(given)


async def test_a_symbolic_link_is_no_second_database_and_stays_one_when_a_copy_is_put_back(
    played: Path, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    file, link = tmp_path / "disk" / "games.db", tmp_path / "link.db"
    shutil.copyfile(played, file)
    link.symlink_to(file)
    with pytest.raises(StoreError, match="Both are the same database"):
        await copy_store(link, file, NOON, print)
    await say(settings(link), "restore", str(given))
    assert (link.is_symlink(), await sums(file)) == (True, await sums(given))

    apart(file.parent, monkeypatch)
    await say(settings(link), "restore", str(given))
    assert (link.is_symlink(), await sums(file)) == (True, await sums(given))
    assert [one.name for one in file.parent.iterdir() if one.suffix == ".part"] == []


def apart(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a folder a disk of its own."""

    def replace_on_one_disk(self: Path, target: Path) -> Path:
        if (self.parent == disk) != (target.parent == disk):
            raise OSError(EXDEV, os.strerror(EXDEV))
        return rename(self, target)

    rename = Path.replace
    monkeypatch.setattr(Path, "replace", replace_on_one_disk)


async def test_a_damaged_file_behind_a_symbolic_link_is_moved_to_the_backups_from_its_disk(
    played: Path, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    file, link = tmp_path / "disk" / "games.db", tmp_path / "link.db"
    shutil.copyfile(played, file)
    cut(file)
    spoilt = file.read_bytes()
    link.symlink_to(file)
    apart(file.parent, monkeypatch)
    await say(settings(link), "restore", str(given))
    kept = next(copy for copy in files.copies(link) if copy.suffix == ".db")
    assert (kept.is_symlink(), kept.read_bytes()) == (False, spoilt)
    assert (link.is_symlink(), await sums(file)) == (True, await sums(given))


def test_a_failed_copy_to_another_disk_leaves_no_part_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "disk").mkdir()
    part, file, link = tmp_path / "new.part", tmp_path / "disk" / "games.db", tmp_path / "link.db"
    part.write_text("new")
    file.write_text("old")
    link.symlink_to(file)
    apart(file.parent, monkeypatch)

    def fill_disk(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:1])
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    monkeypatch.setattr(shutil, "copyfile", fill_disk)
    with pytest.raises(OSError, match="No space left"):
        opening.sync_and_rename(part, link)
    assert [(one.name, one.read_text()) for one in file.parent.iterdir()] == [("games.db", "old")]


async def test_42_1_2_the_deletion_ledger_is_restored_or_explicitly_dropped(
    played: Path, given: Path, tmp_path: Path
) -> None:
    store = await Store.open(given, now)
    await store.deletions.forget_person(CLEO)
    await store.close()
    own = ledger_path(given).rename(tmp_path / "own")
    assert "has followed 1 deletions, but only 0" in await refused(given, played)
    await say(settings(played), "restore", "--new-list", str(given))
    with closing(sqlite3.connect(played)) as database:
        assert database.execute("SELECT value FROM notes WHERE key = 'deletions'").fetchall() == [("0",)]
    own.rename(ledger_path(given))
    fresh = tmp_path / "fresh" / "bigger.db"
    await say(settings(fresh), "restore", str(given))
    assert ledger_path(fresh).read_text() == ledger_path(given).read_text()
    store = await Store.open(fresh, now)
    assert await store.deletions.forgotten(CLEO) == NOON
    await store.close()


async def test_42_1_2_a_damaged_database_is_replaced_and_stays_beside_the_copies(played: Path, given: Path) -> None:
    whole = await sums(given)
    cut(played)
    spoilt = files_of(played)[played.name]
    told = await say(settings(played), "restore", str(given))
    assert told[0].startswith("What was there is damaged; it is in ")
    kept = next(copy for copy in files.copies(played) if copy.suffix == ".db")
    assert files_of(kept)[kept.name] == spoilt
    assert await sums(played) == whole


async def test_42_1_2_an_older_copy_is_brought_up_to_date_on_a_server_too(server: DatabaseServer, given: Path) -> None:
    copy_released(given, kept=NEWER)
    ours = replace(settings(server), database=server)
    (empty := given.with_name("empty")).touch()
    with pytest.raises(StoreError, match="is empty"):
        await restore_backup(empty, server, given, NOON, print)
    await say(ours, "restore", str(given))
    copy_migrated(given, NEWER)
    assert await sums(server) == await sums(given)


def test_42_1_2_leftovers_of_a_killed_copy_are_deleted_after_a_day(tmp_path: Path) -> None:
    old, fresh = tmp_path / "new-old", tmp_path / "new-fresh"
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "part.db").touch()
    os.utime(old, (0, 0))
    with files.workspace(tmp_path) as made:
        assert {path.name for path in tmp_path.iterdir()} == {"new-fresh", made.name}
    assert list(tmp_path.iterdir()) == [fresh]


async def test_backups_are_made_on_schedule_and_rotated(played: Path) -> None:
    moment = [NOON]
    backups = Backups(played, played, timedelta(hours=6), 3, lambda: moment[0])
    for _ in range(40):
        await backups.run_if_due()
        moment[0] += timedelta(hours=1)
    names = [copy.name for copy in backups.copies()]
    assert [name.split("-")[1] for name in names] == ["20260302T120000Z", "20260302T180000Z", "20260303T000000Z"]
    assert {copy.stat().st_mode & 0o077 for copy in files.copies(played)} == {0}


async def test_backups_of_another_database_and_of_a_wrong_clock_neither_count_nor_go(played: Path) -> None:
    """`bigger-test.db` may lie beside `bigger.db`, and a machine may once have begun in another year."""
    other, late = played.with_name(f"{played.stem}-test.db"), NOON + timedelta(days=365)
    shutil.copyfile(played, other)
    theirs = [await back_up(other, other, NOON + timedelta(hours=hour)) for hour in range(3)]
    theirs += [await back_up(played, played, late + timedelta(hours=hour)) for hour in range(3)]
    for name in ("by hand", "20260230T000000Z-0063", "20260302T120000Z"):
        theirs.append(played.parent / files.BACKUPS / f"{played.stem}-{name}.db")
        theirs[-1].touch()
    moment = [NOON]
    backups = Backups(played, played, timedelta(hours=6), 3, lambda: moment[0])
    for _ in range(20):
        await backups.run_if_due()
        moment[0] += timedelta(hours=1)
    names = [copy.name.split("-")[1] for copy in backups.copies() if copy not in theirs]
    assert names == ["20260301T180000Z", "20260302T000000Z", "20260302T060000Z"]
    assert all(copy.exists() for copy in theirs)
    files.end_copies(played, late)
    assert all(copy.exists() for copy in theirs[:3]), "backups of the other database"


async def test_no_backups_without_an_interval(played: Path) -> None:
    await Backups(played, played, timedelta(), 3, now).run_if_due()
    assert files.copies(played) == ()


async def test_a_result_that_contradicts_its_record_is_reported(played: Path) -> None:
    await (await Store.open(played, now)).close()
    change(played, "UPDATE standings SET points = points + 1 WHERE table_id = 2 AND seat = 0")
    change(played, "UPDATE actions SET action = 'nonsense' WHERE table_id = 9 AND ply = 3")
    with pytest.raises(StoreError) as told:
        await say(settings(played), "check")
    lines = str(told.value).splitlines()
    assert lines[0] == "2 of them aren't as they should be:"
    assert lines[1].startswith("Table 9: its record can't be played again")
    assert lines[2] == "Result of table 2: its record says something else"


def change(path: Path, *statements: str) -> None:
    """Change a file behind the bot's back."""
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)
