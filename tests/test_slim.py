"""What need not be there: the sandbox with a token, and memory beyond a small machine.

That the bot serves without the one and the other is told where it serves from the files of its image alone.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.restart.crowd import crowd
from tests.standin.fork_server import ROOT, Ready, ran
from tests.standin.rates import Rates
from tests.standin.realm import LIMIT, SEVERAL_WAITS
from tests.standin.world import World
from tests.support.blank_database import create_blank_database

IDLE, CROWDED = 250, 600  # MB
TABLES, SPEED = 100, 20.0


pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


def without_sandbox(folder: Path) -> Path:
    """Give a folder of modules; where Python looks there first, the packages of the sandbox are not installed."""
    folder.mkdir()
    (folder / "simcord.py").write_text("raise ModuleNotFoundError('simcord')")
    return folder


@pytest.fixture
def slim(tmp_path: Path) -> dict[str, str]:
    """An environment in which the packages of the sandbox are not installed."""
    path = f"{without_sandbox(tmp_path / 'without')}:{ROOT}"
    return {**os.environ, "PYTHONPATH": path, "BIGGER_DATABASE": str(tmp_path / "games" / "bigger.db")}


@asynccontextmanager
async def started(module: str, world: World, env: dict[str, str]) -> AsyncIterator[Process]:
    """Start a bot from nothing, and stop it at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.standin.run",
        module,
        cwd=ROOT,
        env={**env, **world.environment()},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.terminate()
        _, told = await process.communicate()
    assert process.returncode == 0
    assert b"Warning" not in told


async def test_without_it_and_without_a_token_it_says_what_to_do(slim: dict[str, str]) -> None:
    code, said = await ran("tests.standin.missing_package", "simcord", "bot", env={**slim, "DISCORD_TOKEN": ""})
    assert code == 2
    assert said.startswith("There is no token, and the sandbox that opens then is not installed here.")
    assert "Traceback" not in said


async def test_with_it_and_without_a_token_it_opens_without_a_warning(tmp_path: Path) -> None:
    create_blank_database(database := tmp_path / "games" / "bigger.db")
    own = {"DISCORD_TOKEN": "", "BIGGER_DATABASE": str(database), "BIGGER_SANDBOX_PORT": "0"}
    process = await Ready.start("bot", env={**os.environ, **own})
    said = (await asyncio.wait_for(process.output.readuntil(b"Ctrl-C"), LIMIT)).decode()
    process.terminate()
    assert await process.wait() == 0
    assert "The sandbox is open" in said
    assert "WARNING" not in said


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")
@pytest.mark.parametrize(
    ("token", "file", "installed"),
    [
        ("", "", "sandbox"),
        ("", "DISCORD_TOKEN=\n", "sandbox"),
        ("", "#DISCORD_TOKEN=a.b.c\n", "sandbox"),
        ("a.b.c", "", ""),
        ("", "BIGGER_CARD_EMOJI=no\nDISCORD_TOKEN=a.b.c\n", ""),
    ],
)
def test_it_is_installed_only_where_there_is_no_token(tmp_path: Path, token: str, file: str, installed: str) -> None:
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".env").write_text(file)
    env = {**os.environ, "DISCORD_TOKEN": token}
    done = subprocess.run(["make", "-n", "run"], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    (said,) = re.findall(r"Setting up .venv \((\w+)\)", done.stdout)
    assert said == (installed or "bot")


def memory(pid: int) -> int:
    """Return the MB of memory that a process has for itself and shares; none where the system does not tell."""
    if not Path("/proc/self/status").exists():
        return 0
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) // 1024


@pytest.mark.soak
async def test_many_tables_need_little_memory(slim: dict[str, str]) -> None:
    database = Path(slim["BIGGER_DATABASE"])
    env = {**slim, "BIGGER_CARD_EMOJI": "no", "BOT_SPEED": str(SPEED)}
    async with World(rates=Rates(speed=SPEED)) as world:
        made = await crowd(world, database, TABLES, 10)
        async with started("tests.restart.fast_clock_bot", world, env) as process:
            await world.until(lambda: len(made.redrawn(world.generation)) == TABLES)
            for table, user in made.turns.items():
                await world.click(user, made.boards[table], "My hand")
            assert memory(process.pid) <= CROWDED
