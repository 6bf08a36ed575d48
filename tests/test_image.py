"""The image and how it is run: every named file exists, the bot serves from those alone, and has few rights.

An image build would download a base image: what the Dockerfile copies is copied into a folder.
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
from tests.test_slim import IDLE, memory, without_sandbox
from tests.test_unit import SERVICE

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
HOME = "/srv/bigger"


def instructions(text: str = DOCKERFILE) -> Iterator[tuple[str, str]]:
    """Yield each instruction of the file and what stands behind it."""
    whole = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", text))
    for line in filter(None, whole.splitlines()):
        word, _, rest = line.partition(" ")
        yield word, rest


def last(word: str) -> str:
    """Return what stands behind the last instruction of this kind, which is the one in force."""
    return [rest for name, rest in instructions() if name == word][-1]


def copied() -> Iterator[tuple[str, str]]:
    """Yield what is copied out of the project, and where to, seen from the bot's folder."""
    *_, final = DOCKERFILE.split("\nFROM ")
    for word, rest in instructions(f"FROM {final}"):
        if word == "COPY" and not rest.startswith("--from"):
            *sources, target = rest.split()
            yield from ((source, target if len(sources) == 1 else f"{target}{source}") for source in sources)


def taken(path: Path) -> bool:
    """Tell whether the builder is given a file of the project at all."""
    let = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern, wanted = line.removeprefix("!"), line.startswith("!")
        if line and not line.startswith("#"):
            above = (path, *path.parents)
            let = wanted if any(PurePosixPath(each).match(pattern) for each in above if each != Path()) else let
    return let


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the image has in the bot's folder."""
    for source, target in copied():
        found = [ROOT / source] if (ROOT / source).is_file() else [*(ROOT / source).rglob("*")]
        for file in (each for each in found if each.is_file() and taken(each.relative_to(ROOT))):
            there = tmp_path / target / file.relative_to(ROOT / source)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, there)
            if (compiled := Path(cache_from_source(file))).exists():  # to compile it here again takes seconds
                (there.parent / "__pycache__").mkdir(exist_ok=True)
                shutil.copy2(compiled, there.parent / "__pycache__")
    (tmp_path / "data" / "games").mkdir(mode=0o700)
    return tmp_path


# The Dockerfile


def test_what_is_copied_is_there_and_nothing_secret_is() -> None:
    assert {source for source, _ in copied()} >= {"bot", "cogs", "data", "PRIVACY.md", "pyproject.toml"}
    assert [source for source, _ in copied() if not (ROOT / source).exists()] == []
    for kept in (
        ".env",
        "data/games/bigger.db",
        "data/bigger.db-wal",
        "tests/support/world.py",
        "bot/__pycache__/x.pyc",
        ".git",
    ):
        assert not taken(Path(kept)), kept
    for wanted in ("bot/__main__.py", "data/rules/big_two.md", "constraints.txt"):
        assert taken(Path(wanted)), wanted


def test_every_setting_that_is_named_is_one() -> None:
    named = set(re.findall(r"\b(BIGGER_\w+)=", DOCKERFILE))
    assert named
    assert named <= set(Settings.defaults())


def test_it_runs_as_nobody_and_as_the_service_does() -> None:
    uid = last("USER")
    assert re.fullmatch(r"[1-9]\d{3,}", uid), "a number, so that it can be seen not to be root"
    assert f"--uid {uid} " in DOCKERFILE
    (unit,) = re.findall(r"(?m)^ExecStart=(.*)$", SERVICE.read_text("utf-8"))
    said = json.loads(last("CMD"))
    assert [f"{HOME}/{said[0]}", *said[1:]] == unit.split()
    assert last("WORKDIR") == HOME


def test_its_packages_are_those_that_are_tested_and_no_others() -> None:
    (steps,) = [rest for word, rest in instructions() if word == "RUN" and "pip install" in rest]
    assert "-c constraints.txt -r wanted.txt" in steps
    (program,) = re.findall(r"python -c '(.*?)'", steps)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "discord.py>=2.7.1,<2.8" in done.stdout.splitlines()
    assert not re.search("simcord|pytest|mypy", done.stdout)
    assert last("FROM") == "python:3.13-slim"


async def healthy(env: dict[str, str]) -> bool:
    """Tell what the health check of the image finds."""
    python, how, program = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
    assert (python, how) == (json.loads(last("CMD"))[0], "-c")
    try:
        await asyncio.to_thread(exec, program.replace("9464", env["BIGGER_METRICS_PORT"]), {})
    except Exception:  # noqa: BLE001  # whatever Python would end with
        return False
    return True


def beside_its_games(folder: Path) -> set[Path]:
    """Return what lies in a folder but for the games."""
    return {path for path in folder.rglob("*") if "games" not in path.parts}


async def serve_once(folder: Path, path: str, port: int) -> None:
    """Let the bot serve from a folder, be asked whether it is well, open a table, and stop.

    path: Python's path for missing packages.
    """
    async with World() as world:
        own = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "BIGGER_METRICS_PORT": str(port)}
        env = {**os.environ, **world.environment(), **own, "BIGGER_CARD_EMOJI": "no"}
        assert not await healthy(env)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.standin.run",
            "bot",
            cwd=folder,
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
        assert await healthy(env)
        assert memory(process.pid) <= IDLE
        process.terminate()
        _, told = await process.communicate()
        assert process.returncode == 0
        assert b"Warning" not in told


def test_from_just_these_files_it_serves_in_little_memory_and_writes_nowhere_but_to_its_games(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert "BIGGER_METRICS_PORT=9464" in last("ENV")
    path = f"{without_sandbox(folder / 'without')}:{ROOT}"
    before = beside_its_games(folder)
    asyncio.run(serve_once(folder, path, port))
    assert (folder / "data" / "games" / "bigger.db").is_file(), "it ran here and not in the project"
    assert beside_its_games(folder) == before


# compose.yaml


BOTS = ("bigger", "first", "second")


@pytest.mark.parametrize("name", BOTS)
def test_compose_lets_it_do_little(name: str) -> None:
    service: dict[str, Any] = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "ports" not in service, "nobody outside reaches it"
    assert service["build"] == "."
    assert service["env_file"] == ".env"
    assert int(service["stop_grace_period"].removesuffix("s")) > 5


@pytest.mark.parametrize("name", BOTS)
def test_compose_keeps_the_games(name: str) -> None:
    (volume,) = COMPOSE["services"][name]["volumes"]
    kept, _, where = volume.partition(":")
    assert kept in COMPOSE["volumes"]
    assert where == last("VOLUME")
    assert Path(where).relative_to(HOME) == Settings().copied.parent.relative_to(ROOT)


def test_two_share_a_database_that_nobody_outside_reaches() -> None:
    services = COMPOSE["services"]
    first, second, database = (services[name] for name in ("first", "second", "database"))
    assert first == second
    assert all(service["profiles"] == ["postgres"] for service in (first, second, database))
    assert "profiles" not in services["bigger"], "which is alone where nobody asks for more"
    assert "ports" not in database
    address = Settings.load({"BIGGER_DATABASE": first["environment"]["BIGGER_DATABASE"]}, Path("no .env")).database
    made = database["environment"]
    assert str(address) == f"{made['POSTGRES_DB']} on database"
    assert made["POSTGRES_PASSWORD"] == "${POSTGRES_PASSWORD:-}", "no password stands in the file"
    assert set(COMPOSE["volumes"]) == {"games", "database"}
