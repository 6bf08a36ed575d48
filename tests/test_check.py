"""``python -m bot check``: a line for each thing, what to do where it is wrong, and an exit code."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from errno import EACCES, EDQUOT, ENOSPC, EROFS
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from bot.ops.checks.machine import database, disk, others, permissions
from bot.store.errors import StoreError
from bot.store.sqlite import faults
from bot.store.store import Store
from tests.standin.fork_server import run_program
from tests.standin.realm import SEVERAL_WAITS
from tests.standin.world import World
from tests.store.released_databases import copy_released
from tests.support.blank_database import create_blank_database
from tests.support.postgres import create_empty_database, drop_database

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)
OPERATOR = {"BIGGER_OPERATOR": "The Card Club", "BIGGER_CONTACT": "club@example.org"}


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    return {**OPERATOR, "BIGGER_DATABASE": str(tmp_path / "games" / "bigger.db"), "BIGGER_CARD_EMOJI": "no"}


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    async with World() as world:
        yield world


async def check(
    settings: dict[str, str], world: World | None = None, word: str = "check"
) -> tuple[int, dict[str, str]]:
    """Run the check to its end; return its exit code and what it said of each thing, the verdict first."""
    module = ("bot", word) if world is None else ("tests.standin.run", "bot", word)
    discord = {"DISCORD_TOKEN": ""} if world is None else world.environment()
    code, told = await run_program(*module, env={**os.environ, **discord, **settings})
    assert "Traceback" not in told
    lines = told.splitlines()
    assert all(line[:6].strip() in {"ok", "note", "wrong"} for line in lines), told
    return code, {line[6:].split(": ")[0]: line for line in lines}


async def test_without_a_token_all_other_checks_run(settings: dict[str, str]) -> None:
    code, said = await check(settings)
    assert code == 0
    assert said.keys() == {"settings", "token", "database", "deletions", "files", "disk"}
    assert "none yet; the first start creates it" in said["database"]
    assert said["token"].startswith("note  token: none, so the bot opens the sandbox")


async def test_each_fault_is_reported_with_a_remedy(world: World, settings: dict[str, str]) -> None:
    world.starts_left, world.user_install = 0, False
    code, said = await check({**settings, "BIGGER_CONTACT": "", "BIGGER_CARD_EMOJI": "yes"}, world)
    assert code == 1
    assert "Set BIGGER_OPERATOR and BIGGER_CONTACT" in said["operator"]
    assert "Wait until then" in said["shards"]
    assert "Start the bot: it registers them" in said["commands"]
    assert said["emoji"].startswith("note  emoji: 73 of 73 are missing") or "are missing" in said["emoji"]
    assert "Enter their addresses" in said["application"]
    assert said["installing"].startswith("note")


@pytest.mark.parametrize(("status", "sentence"), [(401, "refused the token"), (503, "is having trouble")])
async def test_a_refused_token_is_reported_in_one_line(
    world: World, settings: dict[str, str], status: int, sentence: str
) -> None:
    world.faults.fail("GET", "/users/@me", status=status, times=None)
    code, said = await check(settings, world)
    assert code == 1
    assert sentence in said["discord"]
    assert "commands" not in said


async def test_invalid_settings_are_reported_as_at_a_start(settings: dict[str, str]) -> None:
    code, said = await run_program("bot", "check", env={**os.environ, **settings, "BIGGER_LIVE_SECONDS": "soon"})
    assert code == 2
    assert "BIGGER_LIVE_SECONDS" in said


# What a database may be like


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games" / "bigger.db"


def test_a_check_does_not_migrate_an_older_database(path: Path) -> None:
    path.parent.mkdir()
    copy_released(path)
    before = path.read_bytes()
    assert str(database(path)).startswith("note  database: sound, schema 0003")
    assert path.read_bytes() == before


async def test_newer_damaged_and_foreign_databases_fail_the_check(path: Path, tmp_path: Path) -> None:
    create_blank_database(path)
    newer, damaged, foreign = (tmp_path / f"{name}.db" for name in ("newer", "damaged", "foreign"))
    shutil.copy(path, newer)
    with closing(sqlite3.connect(newer)) as changed:
        changed.execute("UPDATE alembic_version SET version_num = '9999'")
        changed.commit()
    damaged.write_bytes(b"no database" * 1000)
    with closing(sqlite3.connect(foreign)) as other:
        other.execute("CREATE TABLE theirs (x)")
    for each, sentence in ((newer, "newer version"), (damaged, "not a database"), (foreign, "some other program")):
        assert database(each).verdict == "wrong"
        assert sentence in database(each).said


LEFT = {
    "nothing": ([], True),
    "no tables": (["VACUUM"], True),
    "a list of steps without one": (["CREATE TABLE alembic_version (version_num TEXT)"], False),
    "an odd list of steps": (["CREATE TABLE alembic_version (x)"], False),
    "somebody's tables": (["CREATE TABLE theirs (x)"], False),
    "an unfinished copy": (["CREATE TABLE unfinished_copy (id INTEGER PRIMARY KEY)"], False),
}


@pytest.mark.parametrize("left", LEFT)
async def test_42_1_2_start_and_check_agree_on_leftovers_of_a_first_start(path: Path, left: str) -> None:
    statements, good = LEFT[left]
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as made:  # which is an empty file without a statement
        for statement in statements:
            made.execute(statement)
    found = database(path)
    assert found.verdict == ("note" if good else "wrong")
    if good:
        assert "it's still empty; the next start creates its tables" in found.said
        await (await Store.open(path, lambda: datetime.now(UTC))).close()
        assert database(path).verdict == "ok"
    else:
        with pytest.raises(StoreError) as refused:
            await Store.open(path, lambda: datetime.now(UTC))
        assert found.said == str(refused.value)


@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
async def test_readable_files_are_reported_with_a_chmod_command(path: Path, tmp_path: Path) -> None:
    create_blank_database(path)
    env = tmp_path / ".env"
    env.touch()
    assert permissions(path, env).verdict == "ok"
    env.chmod(0o644)
    path.chmod(0o640)  # noqa: ASYNC240
    found = permissions(path, env)
    assert found.verdict == "wrong"
    assert found.said.endswith(f"chmod go= {path} {env}")


@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
async def test_a_shared_database_folder_is_reported(path: Path) -> None:
    create_blank_database(path)
    path.parent.chmod(0o755)
    assert permissions(path, path.parent / ".env").verdict == "wrong"
    (path.parent / "letter").touch()
    found = permissions(path, path.parent / ".env")
    assert found.verdict == "note"
    assert found.said.endswith(f"{path.parent}. A folder of its own would be better")
    path.parent.chmod(0o700)
    assert permissions(path, path.parent / ".env").verdict == "ok"


def test_a_full_disk_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert disk(path).verdict == "ok"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100, 90, 10))
    assert (disk(path).verdict, "Free some space" in disk(path).said) == ("wrong", True)


def sqlite_error(code: int) -> sqlite3.Error:
    """Return an error of SQLite as its driver raises it."""
    error = sqlite3.OperationalError("it says something")
    error.sqlite_errorcode = code
    return error


def test_42_1_4_an_unwritable_path_is_reported_before_its_free_space(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    path.touch()
    monkeypatch.setattr(os, "access", lambda place, _: place != path)
    assert disk(path).said == f"the bot can't write to the file {path}. Give its user the right to"
    monkeypatch.setattr(os, "access", lambda place, _: place != path.parent)
    assert disk(path).said == f"the bot can't write to the folder {path.parent}. Give its user the right to"


@pytest.mark.parametrize(
    ("error", "free", "sentence"),
    [
        (OSError(ENOSPC, "No space left on device"), 10**9, "The disk is full"),
        (OSError(EDQUOT, "Disk quota exceeded"), 10**9, "The disk is full"),
        (OSError(EROFS, "Read-only file system"), 10**9, "The disk with {path} is read-only. Make it"),
        (PermissionError(EACCES, "Permission denied"), 10**9, "The database {path} can't be written"),
        (sqlite_error(sqlite3.SQLITE_IOERR_SHMSIZE), 0, "The disk is full"),
        (sqlite_error(sqlite3.SQLITE_IOERR_SHMSIZE), 10**9, "The disk refused to read or write {path}"),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), 0, "The disk is full"),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), 10**9, "The database {path} can't be written"),
    ],
)
def test_42_1_4_a_failing_disk_is_reported_with_its_reason(
    error: Exception, free: int, sentence: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - free, free))
    assert faults.sentence(path, error).startswith(sentence.format(path=path))


async def test_2_8_other_database_users_able_to_block_the_bot_are_named() -> None:
    database = create_empty_database()
    admin = await asyncpg.connect(database.reveal())
    name = f"stranger_{os.getpid()}"
    await admin.execute(f"CREATE ROLE {name} LOGIN")
    try:
        finding = await others(database)
        assert finding is not None
        assert finding.verdict == "note"
        assert name in finding.said
        here = await admin.fetchval("SELECT current_database()")
        await admin.execute(f'REVOKE CONNECT ON DATABASE "{here}" FROM PUBLIC')
        assert await others(database) is None
    finally:
        await admin.execute(f"DROP ROLE {name}")
        await admin.close()
        drop_database(database)
