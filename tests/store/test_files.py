"""Who may read what lies on disk, and where a database of an earlier version goes."""

from __future__ import annotations

import logging
import os
import sqlite3
from pathlib import Path
from shutil import copy

import pytest

from bot.store.errors import StoreError
from bot.store.sqlite import files
from bot.store.store import Store
from tests.standin.bot_process import BotProcess
from tests.standin.world import World
from tests.store.sample_tables import add_table, now
from tests.support.blank_database import create_blank_database

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


def modes(folder: Path) -> dict[str, str]:
    """Return the permissions of everything below a folder, itself included."""
    below = [folder, *sorted(folder.rglob("*"))]
    return {str(each.relative_to(folder)): f"{each.stat().st_mode & 0o777:o}" for each in below}


async def used(path: Path, elsewhere: Path) -> None:
    """Put a database at a path as a kill would leave it: some writes are missing from its file."""
    create_blank_database(elsewhere / path.name)
    store = await Store.open(elsewhere / path.name, now)
    await add_table(store)
    for each in elsewhere.iterdir():  # noqa: ASYNC240
        copy(each, path.parent)
    await store.close()


async def test_all_written_files_are_private_to_the_operating_user(tmp_path: Path) -> None:
    """The whole program, started by a player whose files are readable by all."""
    env = {"BIGGER_DATABASE": str(tmp_path / "new" / "deeper" / "x.db"), "BIGGER_CARD_EMOJI": "no"}
    async with World() as world, BotProcess(world, "tests.standin.permissive_umask", env=env) as bot:
        await world.until(lambda: "is ready" in bot.output)
        found = modes(tmp_path / "new")
    assert {"deeper/x.db", "deeper/x.db-wal", "deeper/x.db-shm", "deeper/x.db-lock"} <= found.keys()
    assert {name: mode for name, mode in found.items() if mode not in ("600", "700")} == {}
    assert (found["."], found["deeper"]) == ("700", "700")


async def test_readable_files_are_reported_once_and_made_private(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "games"
    path = folder / "bigger.db"
    create_blank_database(path)
    await (await Store.open(path, now)).close()
    (folder / "backups").mkdir()
    (folder / "backups" / "bigger-2026-01-01.db").touch()
    for each in (folder, *folder.rglob("*")):
        each.chmod(0o777 if each.is_dir() else 0o664)
    caplog.set_level(logging.WARNING)
    caplog.clear()
    files.restrict_to_owner(path)
    assert set(modes(folder).values()) == {"600", "700"}
    [told] = caplog.messages
    assert "could read" in told
    assert str(path) in told
    files.restrict_to_owner(path)
    assert len(caplog.messages) == 1


async def test_a_folder_with_other_files_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "presets").mkdir()
    tmp_path.chmod(0o755)  # noqa: ASYNC240
    path = tmp_path / "bigger.db"
    create_blank_database(path)
    path.chmod(0o644)
    (tmp_path / "presets").chmod(0o755)
    await (await Store.open(path, now)).close()
    found = modes(tmp_path)
    assert (found["."], found["presets"], found["bigger.db"]) == ("755", "755", "600")


def test_a_shared_folder_is_not_made_private(tmp_path: Path) -> None:
    assert not files.is_own(Path("/srv"), Path("/srv/bigger.db"))
    tmp_path.chmod(0o1777)
    assert not files.is_own(tmp_path, tmp_path / "bigger.db")


async def test_an_older_database_moves_with_its_backups_and_journal(tmp_path: Path) -> None:
    old, new = tmp_path / "bigger.db", tmp_path / "games" / "bigger.db"
    await used(old, tmp_path / "elsewhere")
    assert (tmp_path / "bigger.db-wal").stat().st_size
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "bigger-2026-01-01.db").write_text("a copy")
    files.move_old_database(old, new)
    store = await Store.open(new, now)
    assert await store.tables.open_tables() == (1,)
    await store.close()
    assert (new.parent / "backups" / "bigger-2026-01-01.db").read_text() == "a copy"
    assert [each.name for each in tmp_path.glob("bigger*")] == []  # noqa: ASYNC240
    assert set(modes(new.parent).values()) == {"600", "700"}


async def test_a_database_in_use_or_already_there_is_not_moved(tmp_path: Path) -> None:
    old, new = tmp_path / "bigger.db", tmp_path / "games" / "bigger.db"
    create_blank_database(old)
    store = await Store.open(old, now)
    with pytest.raises(StoreError, match="still uses"):
        files.move_old_database(old, new)
    await store.close()
    new.parent.mkdir(exist_ok=True)
    sqlite3.connect(new).close()
    files.move_old_database(old, new)
    assert old.exists()
    old.unlink()
    new.unlink()
    files.move_old_database(old, new)  # there is nothing to move
    assert not new.exists()
