"""The bot without the packages of the sandbox, and with little memory.

``test_image`` serves from the files of the image alone, under the same conditions.
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

from tests.restart.live_tables import set_up_live_tables
from tests.standin.fork_server import ROOT, ForkedProcess, run_program
from tests.standin.rates import Rates
from tests.standin.realm import SEVERAL_WAITS, WAIT_LIMIT
from tests.standin.world import World
from tests.support.blank_database import create_blank_database

MAX_IDLE_MEMORY, MAX_CROWDED_MEMORY = 250, 600  # MB
TABLE_COUNT, SPEED_FACTOR = 100, 20.0


pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


def hide_sandbox(folder: Path) -> Path:
    """Create a folder that hides the packages of the sandbox when first on Python's path."""
    folder.mkdir()
    (folder / "simcord.py").write_text("raise ModuleNotFoundError('simcord')")
    return folder


@pytest.fixture
def env_without_sandbox(tmp_path: Path) -> dict[str, str]:
    """An environment without the packages of the sandbox."""
    path = f"{hide_sandbox(tmp_path / 'without')}:{ROOT}"
    return {**os.environ, "PYTHONPATH": path, "BIGGER_DATABASE": str(tmp_path / "games" / "bigger.db")}


@asynccontextmanager
async def started_bot(module: str, world: World, env: dict[str, str]) -> AsyncIterator[Process]:
    """Start a bot in a new process, and stop it at the end; check the exit code and for warnings."""
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


async def test_without_sandbox_packages_and_token_the_bot_says_what_to_do(env_without_sandbox: dict[str, str]) -> None:
    code, said = await run_program(
        "tests.standin.missing_package", "simcord", "bot", env={**env_without_sandbox, "DISCORD_TOKEN": ""}
    )
    assert code == 2
    assert said.startswith("There's no token, and the sandbox that would open instead isn't installed.")
    assert "Traceback" not in said


async def test_with_sandbox_packages_and_without_a_token_the_sandbox_opens(tmp_path: Path) -> None:
    create_blank_database(database := tmp_path / "games" / "bigger.db")
    own = {"DISCORD_TOKEN": "", "BIGGER_DATABASE": str(database), "BIGGER_SANDBOX_PORT": "0"}
    process = await ForkedProcess.start("bot", env={**os.environ, **own})
    said = (await asyncio.wait_for(process.output.readuntil(b"Ctrl-C"), WAIT_LIMIT)).decode()
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
def test_make_installs_the_sandbox_packages_only_without_a_token(
    tmp_path: Path, token: str, file: str, installed: str
) -> None:
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".env").write_text(file)
    env = {**os.environ, "DISCORD_TOKEN": token}
    done = subprocess.run(["make", "-n", "run"], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    (said,) = re.findall(r"Setting up .venv \((\w+)\)", done.stdout)
    assert said == (installed or "bot")


def resident_memory(pid: int) -> int:
    """Return the resident memory of a process in MB; 0 if the system does not report memory."""
    if not Path("/proc/self/status").exists():
        return 0
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) // 1024


@pytest.mark.soak
async def test_a_hundred_live_tables_fit_into_the_memory_limit(env_without_sandbox: dict[str, str]) -> None:
    database = Path(env_without_sandbox["BIGGER_DATABASE"])
    env = {**env_without_sandbox, "BIGGER_CARD_EMOJI": "no", "BOT_SPEED": str(SPEED_FACTOR)}
    async with World(rates=Rates(speed=SPEED_FACTOR)) as world:
        made = await set_up_live_tables(world, database, TABLE_COUNT, 10)
        async with started_bot("tests.restart.fast_clock_bot", world, env) as process:
            await world.until(lambda: len(made.first_redraws(world.generation)) == TABLE_COUNT)
            for table, user in made.turns.items():
                await world.click(user, made.boards[table], "My hand")
            assert resident_memory(process.pid) <= MAX_CROWDED_MEMORY
