"""Long-running commands: a bar on a terminal, lines in a log, and a sentence after an interruption."""

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
from tests.standin.fork_server import ForkedProcess, run_program
from tests.standin.realm import WAIT_LIMIT
from tests.store.released_databases import NEWER, copy_migrated, copy_released
from tests.store.test_moving import files_of

pytestmark = [pytest.mark.timeout(3 * WAIT_LIMIT), pytest.mark.posix("signals and terminals")]
LONG_PAUSE, SHORT_PAUSE = "0.1", "0.01"  # seconds per part: to interrupt a command, and to complete one
BAR_PATTERN = re.compile(r": +\d+ %\|.*\| [\d,]+/[\d,]+ \w+, \d\d:\d\d gone, [\d:?]+ left")
LINE_PATTERN = re.compile(
    r"INFO bot.ops.terminal: .+: [\d,]+ of [\d,]+ \w+ \(\d+ %\), \d:\d\d:\d\d gone(, \d:\d\d:\d\d left)?"
)


@dataclass
class LongCommand:
    """A long-running command. slow_part: BOT_SLOW of the test program. progress_text: output while running."""

    words: tuple[str, ...]
    slow_part: str
    progress_text: str
    farewell: str


COMMANDS = {
    "copy": LongCommand(
        ("store", "copy", "BIGGER_DATABASE", "{folder}/other.db"), "rows", "copying", "continues where it stopped"
    ),
    "backup": LongCommand(("store", "backup"), "vacuum", "backing up", "No backup was made"),
    "restore": LongCommand(
        ("store", "restore", "{folder}/copy.db"), "vacuum", "reading the copy", "Nothing was put back"
    ),
    "check": LongCommand(("store", "check"), "results", "computing results again", "A check changes nothing"),
    "upgrade": LongCommand(("store", "upgrade"), "steps", "updating the database", "as it was before its update"),
    "recount": LongCommand(("recount",), "ladders", "computing leaderboards", "What was computed so far is kept"),
    "serve": LongCommand(("serve",), "steps", "updating the database", "as it was before its update"),
}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with matches, in its own folder."""
    (tmp_path / "games").mkdir()
    return copy_migrated(tmp_path / "games" / "bigger.db", NEWER)


async def start_command(
    database: Path, work: LongCommand, *, terminal: bool, pause: str = LONG_PAUSE
) -> tuple[ForkedProcess, int]:
    """Start a command; return the process and a descriptor of its standard error. pause: seconds per part."""
    reading, writing = pty.openpty() if terminal else os.pipe()
    env = {
        "BIGGER_DATABASE": str(database),
        "DISCORD_TOKEN": "",
        "BIGGER_SANDBOX_PORT": "0",
        "BOT_PAUSE": pause,
        "BOT_SLOW": work.slow_part,
        "COLUMNS": "100",
    }
    words = [word.format(folder=database.parent) for word in work.words]
    process = await ForkedProcess.start(
        "tests.restart.slow_work_bot", *words, env={**os.environ, **env}, errors=writing
    )
    os.close(writing)
    return process, reading


def read_until(reading: int, progress_text: str) -> str:
    """Read a process's output until this text or its end."""
    text = ""
    with suppress(OSError):  # a closed terminal
        while progress_text not in text and (more := os.read(reading, 4096)):
            text += more.decode(errors="replace")
    return text


async def read_to_end(process: ForkedProcess, reading: int, before: str = "") -> tuple[int, str]:
    """Wait for the end of a process; return the exit code and the whole output."""
    text = before + await asyncio.to_thread(read_until, reading, "\0")
    os.close(reading)
    return await asyncio.wait_for(process.wait(), WAIT_LIMIT), text


def prepare_database(database: Path, name: str) -> None:
    """Add the files that a command needs to the folder of a database."""
    if name in ("upgrade", "serve"):
        copy_released(database, kept=NEWER)
    if name == "restore":
        copy_migrated(database.with_name("copy.db"), NEWER)


@pytest.mark.parametrize("name", COMMANDS)
async def test_42_1_5_an_interrupted_command_says_what_is_kept_and_how_to_continue(database: Path, name: str) -> None:
    work = COMMANDS[name]
    prepare_database(database, name)
    before = files_of(database)
    process, reading = await start_command(database, work, terminal=True)
    progress_text = await asyncio.to_thread(read_until, reading, work.progress_text)
    assert work.progress_text in progress_text, progress_text
    os.kill(process.pid, signal.SIGINT)
    code, text = await read_to_end(process, reading, progress_text)
    assert BAR_PATTERN.search(text), text
    assert work.farewell in text, text
    assert text.count("Stopped.") == 1
    assert "Traceback" not in text
    assert code == (0 if name == "serve" else 1)
    if name not in ("recount", "check"):
        assert files_of(database) == before
    if name in ("backup", "restore"):
        assert not list(database.parent.glob("backups/*"))


@pytest.mark.parametrize("name", ["copy", "upgrade"])
async def test_42_1_5_without_a_terminal_progress_is_logged_in_lines(database: Path, name: str) -> None:
    work = COMMANDS[name]
    prepare_database(database, name)
    code, text = await read_to_end(*await start_command(database, work, terminal=False, pause=SHORT_PAUSE))
    assert code == 0, text
    lines = text.splitlines()
    assert len(lines) >= 3
    assert all(LINE_PATTERN.search(line) for line in lines), text
    assert "\r" not in text


async def test_42_1_5_an_interrupted_copy_resumes_where_it_stopped(database: Path) -> None:
    work = COMMANDS["copy"]
    process, reading = await start_command(database, work, terminal=True)
    progress_text = await asyncio.to_thread(read_until, reading, "2 %|")
    os.kill(process.pid, signal.SIGINT)
    await read_to_end(process, reading, progress_text)
    process, reading = await start_command(
        database, LongCommand(work.words, "", "", ""), terminal=False, pause=SHORT_PAUSE
    )
    assert (await read_to_end(process, reading))[0] == 0
    with (
        closing(sqlite3.connect(database.with_name("other.db"))) as copied,
        closing(sqlite3.connect(database)) as given,
    ):
        counts = [one.execute("SELECT count(*) FROM actions").fetchone() for one in (copied, given)]
    assert counts[0] == counts[1]


def test_42_1_5_a_progress_line_says_how_much_is_done_and_how_much_time_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = Stage("copying", 120_000, "rows", done=30_000, began=100.0)
    monkeypatch.setattr("bot.ops.terminal.time.monotonic", lambda: 110.0)
    assert str(stage) == "copying: 30,000 of 120,000 rows (25 %), 0:00:10 gone, 0:00:30 left"
    assert str(Stage("copying", 0, "rows", done=0, began=100.0)) == "copying: 0 of 0 rows, 0:00:10 gone"


class StageRecorder(ProgressDisplay):
    """Records the stages of a command with their totals."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = list[tuple[str, str]]()

    def begin(self, name: str, total: int, unit: str) -> None:
        self.stages.append((name, f"{total} {unit}"))


async def test_42_1_5_a_migration_reports_its_steps_and_rows(database: Path) -> None:
    copy_released(database, kept=NEWER)
    recorder = StageRecorder()
    token = PROGRESS.set(recorder)
    try:
        await (await Store.open(database, lambda: datetime.now(UTC))).close()
    finally:
        PROGRESS.reset(token)
    names = [name for name, _ in recorder.stages]
    assert names == ["copying the database before its update", "updating the database", "looking through old matches"]
    assert recorder.stages[1][1] == f"{len(known_revisions()) - 12} steps"
    assert recorder.farewell == ""


async def test_42_1_5_the_library_for_progress_bars_is_not_loaded_without_a_terminal() -> None:
    """The process is forked from a server that has loaded all modules of a start."""
    assert await run_program("tests.standin.modules", "tqdm", env={**os.environ}) == (0, "[]\n")
