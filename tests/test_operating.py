"""The page for the operator: each command is run here, or excluded with a reason.

Knows how commands are written there: in indented blocks, and in backticks where they begin with a program's name.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import socket
import sqlite3
import stat
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from bot.settings import Settings
from tests.standin.bot_process import BotProcess
from tests.standin.fork_server import ROOT, run_program
from tests.standin.realm import SEVERAL_WAITS, WAIT_LIMIT
from tests.standin.world import World
from tests.support.blank_database import create_blank_database

PAGE = (ROOT / "docs" / "operating.md").read_text("utf-8")
PROGRAMS = (
    "apt",
    "cd",
    "chmod",
    "cp",
    "curl",
    "docker",
    "git",
    "install",
    "journalctl",
    "make",
    "python -m",
    "sudo",
    "systemctl",
    "systemd-analyze",
    "timedatectl",
    "top",
    "useradd",
)
OURS = "python -m bot"
LOGGED = "python -m bot serve --log-format json"
AS_BOT = "sudo -u bigger .venv/bin/python -m bot"
DOCKER = "needs an image to be fetched; test_image.py holds what is built and how it is run"
SYSTEMD = "needs systemd as the first process; test_unit.py holds the units it is told of"
ROOTS = "changes the machine's users, packages or clock"
NETWORK = "fetches from the network"
INSTALLS = "installs packages; test_slim.py holds which, and test_main.py how the bot starts"
# What is not run here, and why.
OUTSIDE = {
    "apt install git make python3-venv sudo": ROOTS,
    "useradd --system --home-dir /srv/bigger --shell /usr/sbin/nologin bigger": ROOTS,
    "install -d -o bigger -g bigger /srv/bigger": ROOTS,
    "sudo -u bigger git clone ADDRESS /srv/bigger": NETWORK,
    "sudo -u bigger git pull": NETWORK,
    "git pull": NETWORK,
    "sudo -u bigger make run": INSTALLS,
    "make run": INSTALLS,
    "systemctl enable --now bigger": SYSTEMD,
    "systemctl enable --now bigger@friends": SYSTEMD,
    "systemctl stop bigger": SYSTEMD,
    "systemctl start bigger": SYSTEMD,
    "systemctl status bigger": SYSTEMD,
    "systemctl stop": SYSTEMD,
    "systemd-analyze security": SYSTEMD,
    "journalctl -u bigger": SYSTEMD,
    "journalctl -u bigger -f": SYSTEMD,
    "journalctl -u bigger -g K7F2": SYSTEMD,
    "docker compose up --build --detach": DOCKER,
    "docker compose exec bigger .venv/bin/python -m bot": DOCKER,
    "docker compose exec bigger .venv/bin/python -m bot check": DOCKER,
    "docker compose logs --follow": DOCKER,
    "timedatectl set-ntp true": ROOTS,
    "top": "shows a screen until it is left",
    "python -m bot": "serves until it is stopped, which all of these tests do",
    AS_BOT: "serves until it is stopped, and under a user that is not here",
}


def commands() -> Iterator[str]:
    """Yield what a player is told to say, in the order of the page."""
    for block, quoted in re.findall(r"(?m)^    (\S.*)$|`([^`\n]+)`", PAGE):
        said = block or quoted
        if any(said == program or said.startswith(f"{program} ") for program in PROGRAMS):
            yield said


RUN = [said for said in dict.fromkeys(commands()) if said not in OUTSIDE]
BACKUP = "python -m bot store backup"
STOPPED = [said for said in RUN if said.startswith("python -m bot store") and said != BACKUP]
SPOKEN = [said for said in RUN if said.startswith((OURS, AS_BOT)) and said not in STOPPED]


def test_every_documented_command_is_run_or_excluded_with_a_reason() -> None:
    assert len(RUN) > 15
    assert [said for said in OUTSIDE if said not in set(commands())] == [], "the page says it no longer"
    blocks = re.findall(r"(?m)^    (\S.*)$", PAGE)
    assert [line for line in blocks if line not in set(commands())] == [], "a block is commands"


@dataclass
class There:
    """A checkout of the page, with a running bot. folder: where commands are said."""

    folder: Path
    world: World
    bot: BotProcess
    port: int
    env: dict[str, str]

    async def say(self, said: str) -> tuple[int, str]:
        """Say a command as it stands on the page; return its exit code and all it has said."""
        process = await asyncio.create_subprocess_shell(
            said.replace(":9464", f":{self.port}"),
            cwd=self.folder,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        told, _ = await asyncio.wait_for(process.communicate(), WAIT_LIMIT)
        assert process.returncode is not None
        return process.returncode, told.decode()

    async def say_to_the_bot(self, said: str) -> tuple[int, str]:
        """Say something after ``python -m bot``; return its exit code and all it has said."""
        words = shlex.split(said.removeprefix(AS_BOT).removeprefix(OURS))
        code, told = await run_program("tests.standin.run", "bot", *words, env=self.env)
        assert "Traceback" not in told, told
        return code, told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What of a checkout those commands touch that are no words to the bot."""
    for name in ("docs", "units"):
        (tmp_path / name).mkdir()
    for unit in (ROOT / "docs").glob("*.service"):
        shutil.copy(unit, tmp_path / "docs")
    shutil.copy(ROOT / ".env.example", tmp_path)
    return tmp_path


@pytest_asyncio.fixture
async def there(folder: Path) -> AsyncIterator[There]:
    """Give it while the bot runs."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    create_blank_database(database := folder / "data" / "games" / "bigger.db")
    own = {
        "BIGGER_DATABASE": str(database),
        "BIGGER_CARD_EMOJI": "no",
        "BIGGER_METRICS_PORT": str(port),
        "BIGGER_OPERATOR": "The Card Club",
        "BIGGER_CONTACT": "club@example.org",
        "BIGGER_OTHER_DATABASE": str(folder / "other.db"),
    }
    async with World() as world, BotProcess(world, "bot", *LOGGED.removeprefix(OURS).split(), env=own) as bot:
        await world.until(lambda: "is ready" in bot.output)
        env = {**os.environ, **world.environment(), **own}
        yield There(folder, world, bot, port, env)


@pytest.mark.timeout(2 * SEVERAL_WAITS)
async def test_documented_commands_work_while_the_bot_runs_and_after_its_stop(there: There) -> None:
    it_writes_the_log_that_is_named(there)
    await all_that_is_said_to_the_bot_is_understood(there)
    await what_is_asked_of_its_port_is_answered(there)
    copy = await a_copy_is_whole_though_the_bot_runs(there)
    await there.bot.stop()
    await it_is_put_back(there, copy)


def it_writes_the_log_that_is_named(there: There) -> None:
    assert LOGGED in SPOKEN
    logged = [json.loads(line) for line in there.bot.lines if line.startswith("{")]
    assert any("is ready" in line["said"] for line in logged)


async def all_that_is_said_to_the_bot_is_understood(there: There) -> None:
    assert len(SPOKEN) > 10
    for each in (each for each in SPOKEN if each != LOGGED):
        code, told = await there.say_to_the_bot(each)
        assert code == 0, (each, told)
        assert told.strip(), each
    _, shown = await there.say_to_the_bot("python -m bot upkeep show")
    assert len(shown.splitlines()) > 8, "all of it was recorded"


async def what_is_asked_of_its_port_is_answered(there: There) -> None:
    if shutil.which("curl") is None:
        return
    asked = [each for each in RUN if each.startswith("curl ")]
    for each, answer in zip(asked, ("alive", "ready", "# HELP"), strict=True):
        code, told = await there.say(each)
        assert (code, told[: len(answer)]) == (0, answer)


async def a_copy_is_whole_though_the_bot_runs(there: There) -> Path:
    assert BACKUP in SPOKEN
    backups = there.folder / "data" / "games" / "backups"
    shutil.rmtree(backups, ignore_errors=True)
    assert (await there.say_to_the_bot(BACKUP))[0] == 0
    assert holds_all(backups)
    (copy,) = backups.iterdir()
    return copy


async def it_is_put_back(there: There, copy: Path) -> None:
    assert len(STOPPED) > 2
    for each in STOPPED:
        code, told = await there.say_to_the_bot(each.replace("FILE", shlex.quote(str(copy))))
        assert code == 0, (each, told)
    assert (there.folder / "other.db").is_file()


def holds_all(backups: Path) -> bool:
    """Tell whether the only copy there is complete."""
    (copy,) = backups.iterdir()
    with closing(sqlite3.connect(copy)) as opened:
        sound: bool = opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return sound and opened.execute("SELECT count(*) FROM heartbeat").fetchone() == (1,)


def test_documented_file_operations_work(folder: Path) -> None:
    said = [each for each in RUN if re.match(r"(sudo -u bigger )?(cp|chmod|cd) ", each)]
    assert len(said) == 5
    for each in said:
        plain = each.removeprefix("sudo -u bigger ").replace("/etc/systemd/system/", "units/")
        subprocess.run(plain.replace("/srv/bigger", "."), shell=True, cwd=folder, check=True)
    assert stat.S_IMODE((folder / ".env").stat().st_mode) == 0o600
    assert {path.name for path in (folder / "units").iterdir()} == {"bigger.service", "bigger@.service"}
    assert Settings.load({}, folder / ".env").sandbox, "as it is"


def test_every_documented_command_is_of_a_known_kind() -> None:
    kinds = ("curl ", "cp ", "chmod ", "cd ", "sudo -u bigger cp ", OURS, AS_BOT)
    assert [each for each in RUN if not each.startswith(kinds)] == []
