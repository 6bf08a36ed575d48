"""Long work on the command line: a bar on a terminal, lines in a log, and a sentence where it is ended."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import signal
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.ops.terminal import Stage
from bot.runtime.progress import PROGRESS, ProgressDisplay
from bot.store.engine.migration import known_revisions
from bot.store.store import Store
from tests.standin.fork_server import Ready, ran
from tests.standin.realm import LIMIT
from tests.store.released_databases import NEWER, copy_migrated, copy_released
from tests.store.test_moving import files_of

pytestmark = [pytest.mark.timeout(3 * LIMIT), pytest.mark.posix("signals and terminals")]
PAUSE, SHORT = "0.1", "0.01"  # seconds: to be stopped meanwhile, and to come to the end
BAR = re.compile(r": +\d+ %\|.*\| [\d,]+/[\d,]+ \w+, \d\d:\d\d gone, [\d:?]+ left")
LINE = re.compile(r"INFO bot.ops.terminal: .+: [\d,]+ of [\d,]+ \w+ \(\d+ %\), \d:\d\d:\d\d gone(, \d:\d\d:\d\d left)?")


@dataclass
class Work:
    """A command that takes long. slow: what takes its time in it. seen: what shows that it is under way."""

    words: tuple[str, ...]
    slow: str
    seen: str
    farewell: str


WORK = {
    "copy": Work(
        ("store", "copy", "BIGGER_DATABASE", "{folder}/other.db"), "rows", "copying", "goes on where it stopped"
    ),
    "backup": Work(("store", "backup"), "vacuum", "backing up", "No backup was made"),
    "restore": Work(("store", "restore", "{folder}/copy.db"), "vacuum", "reading the copy", "Nothing was put back"),
    "check": Work(("store", "check"), "results", "computing results again", "A check changes nothing"),
    "upgrade": Work(("store", "upgrade"), "steps", "updating the database", "as it was before its update"),
    "recount": Work(("recount",), "ladders", "computing leaderboards", "What was computed so far is kept"),
    "serve": Work(("serve",), "steps", "updating the database", "as it was before its update"),
}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A played database, in a folder of its own."""
    (tmp_path / "games").mkdir()
    return copy_migrated(tmp_path / "games" / "bigger.db", NEWER)


async def begun(database: Path, work: Work, *, terminal: bool, pause: str = PAUSE) -> tuple[Ready, int]:
    """Begin some work; return the process, and what reads its standard error. pause: seconds for each part of it."""
    reading, writing = pty.openpty() if terminal else os.pipe()
    env = {
        "BIGGER_DATABASE": str(database),
        "DISCORD_TOKEN": "",
        "BIGGER_SANDBOX_PORT": "0",
        "BOT_PAUSE": pause,
        "BOT_SLOW": work.slow,
        "COLUMNS": "100",
    }
    words = [word.format(folder=database.parent) for word in work.words]
    process = await Ready.start("tests.restart.slow_work_bot", *words, env={**os.environ, **env}, errors=writing)
    os.close(writing)
    return process, reading


def read_until(reading: int, seen: str) -> str:
    """Read a process's output until this text or its end."""
    text = ""
    with suppress(OSError):  # the end of a terminal
        while seen not in text and (more := os.read(reading, 4096)):
            text += more.decode(errors="replace")
    return text


async def ended(process: Ready, reading: int, before: str = "") -> tuple[int, str]:
    """Wait for the end of a process; return its exit code, and all it has written."""
    text = before + await asyncio.to_thread(read_until, reading, "\0")
    os.close(reading)
    return await asyncio.wait_for(process.wait(), LIMIT), text


def prepared(database: Path, name: str) -> None:
    """Put beside a database what some work needs."""
    if name in ("upgrade", "serve"):
        copy_released(database, kept=NEWER)
    if name == "restore":
        copy_migrated(database.with_name("copy.db"), NEWER)


@pytest.mark.parametrize("name", WORK)
async def test_42_1_5_work_that_is_ended_says_what_is_kept_and_how_to_go_on(database: Path, name: str) -> None:
    work = WORK[name]
    prepared(database, name)
    before = files_of(database)
    process, reading = await begun(database, work, terminal=True)
    seen = await asyncio.to_thread(read_until, reading, work.seen)
    assert work.seen in seen, seen
    os.kill(process.pid, signal.SIGINT)
    code, text = await ended(process, reading, seen)
    assert BAR.search(text), text
    assert work.farewell in text, text
    assert text.count("Stopped.") == 1
    assert "Traceback" not in text
    assert code == (0 if name == "serve" else 1)
    if name not in ("recount", "check"):
        assert files_of(database) == before
    if name in ("backup", "restore"):
        assert not list(database.parent.glob("backups/*"))


@pytest.mark.parametrize("name", ["copy", "upgrade"])
async def test_42_1_5_in_a_log_there_are_lines_and_no_bar(database: Path, name: str) -> None:
    work = WORK[name]
    prepared(database, name)
    code, text = await ended(*await begun(database, work, terminal=False, pause=SHORT))
    assert code == 0, text
    lines = text.splitlines()
    assert len(lines) >= 3
    assert all(LINE.search(line) for line in lines), text
    assert "\r" not in text


async def test_42_1_5_a_copy_that_was_ended_goes_on_where_it_stopped(database: Path) -> None:
    work = WORK["copy"]
    process, reading = await begun(database, work, terminal=True)
    seen = await asyncio.to_thread(read_until, reading, "2 %|")
    os.kill(process.pid, signal.SIGINT)
    await ended(process, reading, seen)
    process, reading = await begun(database, Work(work.words, "", "", ""), terminal=False, pause=SHORT)
    assert (await ended(process, reading))[0] == 0
    with (
        closing(sqlite3.connect(database.with_name("other.db"))) as copied,
        closing(sqlite3.connect(database)) as given,
    ):
        counts = [one.execute("SELECT count(*) FROM actions").fetchone() for one in (copied, given)]
    assert counts[0] == counts[1]


def test_42_1_5_a_line_says_how_much_is_done_and_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage("copying", 120_000, "rows", done=30_000, began=100.0)
    monkeypatch.setattr("bot.ops.terminal.time.monotonic", lambda: 110.0)
    assert str(stage) == "copying: 30,000 of 120,000 rows (25 %), 0:00:10 gone, 0:00:30 left"
    assert str(Stage("copying", 0, "rows", done=0, began=100.0)) == "copying: 0 of 0 rows, 0:00:10 gone"


class Heard(ProgressDisplay):
    """Notes the stages of work, with how much there is of each."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = list[tuple[str, str]]()

    def begin(self, name: str, total: int, unit: str) -> None:
        self.stages.append((name, f"{total} {unit}"))


async def test_42_1_5_a_migration_tells_its_steps_and_the_rows_that_one_goes_through(database: Path) -> None:
    copy_released(database, kept=NEWER)
    heard = Heard()
    token = PROGRESS.set(heard)
    try:
        await (await Store.open(database, lambda: datetime.now(UTC))).close()
    finally:
        PROGRESS.reset(token)
    names = [name for name, _ in heard.stages]
    assert names == ["copying the database before its update", "updating the database", "looking through old matches"]
    assert heard.stages[1][1] == f"{len(known_revisions()) - 12} steps"
    assert heard.farewell == ""


async def test_42_1_5_without_a_terminal_the_library_of_bars_is_not_loaded() -> None:
    """The fork server has loaded every start module."""
    assert await ran("tests.standin.modules", "tqdm", env={**os.environ}) == (0, "[]\n")
