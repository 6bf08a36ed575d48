"""The image and compose.yaml: all named files exist, the bot serves from them alone, with few privileges.

Building the image would download a base image; instead, the files that the Dockerfile copies are copied into a folder.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from bot.settings import Settings
from tests.standin.fork_server import ROOT
from tests.standin.realm import SEVERAL_WAITS
from tests.standin.world import World
from tests.test_slim import MAX_IDLE_MEMORY, hide_sandbox, resident_memory
from tests.test_unit import SERVICE

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
IMAGE_HOME = "/srv/bigger"


def instructions(text: str = DOCKERFILE) -> Iterator[tuple[str, str]]:
    """Yield name and argument of each instruction of a Dockerfile."""
    whole = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", text))
    for line in filter(None, whole.splitlines()):
        word, _, rest = line.partition(" ")
        yield word, rest


def last_argument(word: str) -> str:
    """Return the argument of the last instruction with this name, which is in force."""
    return [rest for name, rest in instructions() if name == word][-1]


def copied_paths() -> Iterator[tuple[str, str]]:
    """Yield the copied paths of the project, and their targets relative to the bot's folder."""
    *_, final = DOCKERFILE.split("\nFROM ")
    for word, rest in instructions(f"FROM {final}"):
        if word == "COPY" and not rest.startswith("--from"):
            *sources, target = rest.split()
            yield from ((source, target if len(sources) == 1 else f"{target}{source}") for source in sources)


def is_sent_to_builder(path: Path) -> bool:
    """Whether .dockerignore lets the builder see this path."""
    is_included = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern, wanted = line.removeprefix("!"), line.startswith("!")
        if line and not line.startswith("#"):
            above = (path, *path.parents)
            is_included = (
                wanted if any(PurePosixPath(each).match(pattern) for each in above if each != Path()) else is_included
            )
    return is_included


@pytest.fixture
def image_folder(tmp_path: Path) -> Path:
    """The bot's folder as in the image."""
    for source, target in copied_paths():
        found = [ROOT / source] if (ROOT / source).is_file() else [*(ROOT / source).rglob("*")]
        for file in (each for each in found if each.is_file() and is_sent_to_builder(each.relative_to(ROOT))):
            there = tmp_path / target / file.relative_to(ROOT / source)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, there)
            if (compiled := Path(cache_from_source(file))).exists():  # saves seconds of compiling
                (there.parent / "__pycache__").mkdir(exist_ok=True)
                shutil.copy2(compiled, there.parent / "__pycache__")
    (tmp_path / "data" / "games").mkdir(mode=0o700)
    return tmp_path


# The Dockerfile


def test_the_image_contains_the_program_and_no_secret() -> None:
    assert {source for source, _ in copied_paths()} >= {"bot", "cogs", "data", "PRIVACY.md", "pyproject.toml"}
    assert [source for source, _ in copied_paths() if not (ROOT / source).exists()] == []
    for kept in (
        ".env",
        "data/games/bigger.db",
        "data/bigger.db-wal",
        "tests/support/world.py",
        "bot/__pycache__/x.pyc",
        ".git",
    ):
        assert not is_sent_to_builder(Path(kept)), kept
    for wanted in ("bot/__main__.py", "data/rules/big_two.md", "constraints.txt"):
        assert is_sent_to_builder(Path(wanted)), wanted


def test_the_dockerfile_names_only_existing_settings() -> None:
    named = set(re.findall(r"\b(BIGGER_\w+)=", DOCKERFILE))
    assert named
    assert named <= set(Settings.defaults())


def test_the_image_runs_as_an_unprivileged_user_with_the_command_of_the_service() -> None:
    uid = last_argument("USER")
    assert re.fullmatch(r"[1-9]\d{3,}", uid), "a number, as runtimes require to rule out root"
    assert f"--uid {uid} " in DOCKERFILE
    (unit,) = re.findall(r"(?m)^ExecStart=(.*)$", SERVICE.read_text("utf-8"))
    said = json.loads(last_argument("CMD"))
    assert [f"{IMAGE_HOME}/{said[0]}", *said[1:]] == unit.split()
    assert last_argument("WORKDIR") == IMAGE_HOME


def test_the_image_installs_exactly_the_tested_packages() -> None:
    (steps,) = [rest for word, rest in instructions() if word == "RUN" and "pip install" in rest]
    assert "-c constraints.txt -r wanted.txt" in steps
    (program,) = re.findall(r"python -c '(.*?)'", steps)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "discord.py>=2.7.1,<2.8" in done.stdout.splitlines()
    assert not re.search("simcord|pytest|mypy", done.stdout)
    assert last_argument("FROM") == "python:3.13-slim"


async def is_healthy(env: dict[str, str]) -> bool:
    """Run the health check of the image; return whether it succeeds."""
    python, how, program = json.loads(last_argument("HEALTHCHECK").partition("CMD ")[2])
    assert (python, how) == (json.loads(last_argument("CMD"))[0], "-c")
    try:
        await asyncio.to_thread(exec, program.replace("9464", env["BIGGER_METRICS_PORT"]), {})
    except Exception:  # noqa: BLE001  # any error of the check
        return False
    return True


def paths_except_games(image_folder: Path) -> set[Path]:
    """Return the paths in a folder, except for the games."""
    return {path for path in image_folder.rglob("*") if "games" not in path.parts}


async def serve_once(image_folder: Path, path: str, port: int) -> None:
    """Start the bot from a folder, check its health and memory, open a table, and stop the bot.

    path: PYTHONPATH, which hides packages.
    """
    async with World() as world:
        own = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "BIGGER_METRICS_PORT": str(port)}
        env = {**os.environ, **world.environment(), **own, "BIGGER_CARD_EMOJI": "no"}
        assert not await is_healthy(env)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.standin.run",
            "bot",
            cwd=image_folder,
            env=env,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        ann, den = world.add_user("ann"), world.add_channel("den")
        await world.until(lambda: list(world.gateway.all_live()))
        opened = await world.slash(ann, den, "deal")
        await world.until(lambda: opened.settled and den.seen_by(None))
        about = await world.slash(ann, den, "bigger about")
        await world.until(lambda: about.settled and about.ephemeral)
        assert await is_healthy(env)
        assert resident_memory(process.pid) <= MAX_IDLE_MEMORY
        process.terminate()
        _, told = await process.communicate()
        assert process.returncode == 0
        assert b"Warning" not in told


def test_the_bot_serves_from_the_files_of_the_image_and_writes_only_into_its_games_folder(image_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert "BIGGER_METRICS_PORT=9464" in last_argument("ENV")
    path = f"{hide_sandbox(image_folder / 'without')}:{ROOT}"
    before = paths_except_games(image_folder)
    asyncio.run(serve_once(image_folder, path, port))
    assert (image_folder / "data" / "games" / "bigger.db").is_file(), "the bot used this folder, not the project"
    assert paths_except_games(image_folder) == before


# compose.yaml


BOT_SERVICES = ("bigger", "first", "second")


@pytest.mark.parametrize("name", BOT_SERVICES)
def test_compose_gives_each_bot_few_privileges(name: str) -> None:
    service: dict[str, Any] = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "ports" not in service, "no public port"
    assert service["build"] == "."
    assert service["env_file"] == ".env"
    assert int(service["stop_grace_period"].removesuffix("s")) > 5


@pytest.mark.parametrize("name", BOT_SERVICES)
def test_compose_keeps_the_games_in_a_volume(name: str) -> None:
    (volume,) = COMPOSE["services"][name]["volumes"]
    kept, _, where = volume.partition(":")
    assert kept in COMPOSE["volumes"]
    assert where == last_argument("VOLUME")
    assert Path(where).relative_to(IMAGE_HOME) == Settings().copied.parent.relative_to(ROOT)


def test_two_bots_share_a_database_without_public_ports() -> None:
    services = COMPOSE["services"]
    first, second, database = (services[name] for name in ("first", "second", "database"))
    assert first == second
    assert all(service["profiles"] == ["postgres"] for service in (first, second, database))
    assert "profiles" not in services["bigger"], "the default service"
    assert "ports" not in database
    address = Settings.load({"BIGGER_DATABASE": first["environment"]["BIGGER_DATABASE"]}, Path("no .env")).database
    made = database["environment"]
    assert str(address) == f"{made['POSTGRES_DB']} on database"
    assert made["POSTGRES_PASSWORD"] == "${POSTGRES_PASSWORD:-}", "no password in the file"
    assert set(COMPOSE["volumes"]) == {"games", "database"}
