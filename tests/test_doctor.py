"""``python -m bot doctor``: the report of ``check``, and the state of a running bot."""

from __future__ import annotations

import os
import resource
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.ops.checks import machine, running_bot
from bot.ops.checks.discord import clock
from bot.ops.checks.machine import versions
from bot.ops.checks.running_bot import alive, copies, ended, limits, shared
from bot.runtime.store_address import DatabaseServer
from bot.store.copies.side_connection import connect_beside_bot, is_used
from bot.store.engine.migration import newest_revision
from bot.store.postgres.processes import Member
from bot.store.store import Store
from bot.version import version
from tests.standin.bot_process import BotProcess
from tests.standin.realm import SEVERAL_WAITS
from tests.standin.world import World
from tests.support.blank_database import create_blank_database
from tests.support.postgres import borrow_database, return_database
from tests.test_check import OPERATOR, check

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)
MORE = {"bot", "copies", "limits", "versions", "clock"}
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    return {
        **OPERATOR,
        "BIGGER_DATABASE": str(tmp_path / "games" / "bigger.db"),
        "BIGGER_CARD_EMOJI": "no",
        "BIGGER_METRICS_PORT": str(port),
    }


async def test_a_healthy_bot_gets_all_checks_and_its_state(settings: dict[str, str]) -> None:
    create_blank_database(Path(settings["BIGGER_DATABASE"]))
    async with World() as world, BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output)
        before = len(world.log)
        checked = await well(settings, world)
        assert f"sound, schema {newest_revision()}" in checked["database"]
        assert "accepted, for bigger" in checked["token"]
        assert "1 recommended; 999 of 1,000 starts are left" in checked["shards"]
        assert checked["commands"].startswith("ok")
        assert "installing" not in checked
        assert world.token not in "".join(checked.values())
        said = await well(settings, world, "doctor")
        assert {each.method for each in world.log[before:]} == {"GET"}, "nothing is changed, and no session begun"
        assert said.keys() == checked.keys() | MORE | {"health"}
        assert said["bot"] == "ok    bot: it's running, 0 open tables"
        assert said["health"] == "ok    health: ready"
        assert said["clock"] == "ok    clock: it agrees with Discord's"
        assert said["versions"].startswith(f"ok    versions: Bigger {version()}, Python ")
        assert said["copies"].startswith("note  copies: there's none")
        await bot.stop()
        said = await well(settings, world, "doctor")
        assert "the bot isn't running" in said["health"]
        assert said["bot"].startswith("note  bot: it has ended: nothing uses the database; it was last connected ")


async def well(settings: dict[str, str], world: World, word: str = "check") -> dict[str, str]:
    """Return the report without faults."""
    code, said = await check(settings, world, word)
    assert code == 0, said
    return said


async def test_before_the_first_start_doctor_reports_the_available_checks(settings: dict[str, str]) -> None:
    code, said = await check(settings, None, "doctor")
    assert code == 0
    assert not {"bot", "copies"} & said.keys(), "there is no database yet, which is told"
    assert "none yet" in said["database"]


# How the bot is doing


@pytest.mark.parametrize(
    ("beat", "due", "verdict", "sentence"),
    [
        (None, None, "note", "it's running, but has never been connected"),
        (timedelta(seconds=61), None, "ok", "it's running, 1,200 open tables"),
        (timedelta(seconds=61), timedelta(seconds=30), "ok", "it's running"),
        (timedelta(seconds=61), timedelta(seconds=-90), "ok", "it's running"),
        (timedelta(seconds=61), timedelta(minutes=3), "wrong", "180 s behind with 1,200 open tables"),
        (
            timedelta(days=3),
            timedelta(days=2),
            "note",
            "it's running, but not connected since 2026-02-26 12:00 UTC, 1,200 open tables",
        ),
    ],
)
def test_the_last_heartbeat_determines_the_state(
    beat: timedelta | None, due: timedelta | None, verdict: str, sentence: str
) -> None:
    found = alive(None if beat is None else NOW - beat, None if due is None else NOW - due, 1200, NOW)
    assert (found.verdict, sentence in found.said) == (verdict, True), found


def test_42_1_4_a_stopped_bot_is_reported_at_once() -> None:
    assert ended(None, 0).said.startswith("it has never been connected")
    assert ended(NOW, 3).said.startswith("it has ended: nothing uses the database; it was last connected 2026-03-01")


@pytest.mark.parametrize("kind", ["file", "server"])
async def test_42_1_4_the_use_of_a_database_is_detected_at_once(kind: str, tmp_path: Path) -> None:
    create_blank_database(tmp_path / "bigger.db")
    address = borrow_database() if kind == "server" else tmp_path / "bigger.db"
    store = await Store.open(address, lambda: NOW, shared=True)
    seen = []
    for _ in range(2):
        async with connect_beside_bot(address) as connection:
            seen.append(await is_used(connection, address))
        await store.close()
    assert seen == [True, False]
    if isinstance(address, DatabaseServer):
        return_database(address)


@pytest.mark.parametrize(
    ("late", "idle", "verdict", "sentence"),
    [
        (-9, 0, "ok", "club 17 has 3 shards; hall 4 has 2 shards"),
        (-9, 2, "note", "2 shards have no process. Start another one"),
        (40, 2, "note", "no sign of hall 4 for 40 s"),
    ],
)
def test_processes_sharing_the_shards_are_listed(late: int, idle: int, verdict: str, sentence: str) -> None:
    members = Member("club 17", 3, timedelta(seconds=-9)), Member("hall 4", 2, timedelta(seconds=late))
    found = shared(members, idle)
    assert (found.verdict, sentence in found.said) == (verdict, True), found


@pytest.mark.parametrize(
    ("seconds", "verdict", "sentence"),
    [
        (0, "ok", "agrees with Discord's"),
        (-4, "ok", "agrees with Discord's"),
        (5, "note", "5 s ahead of Discord's"),
        (-3700, "wrong", "3,700 s behind Discord's. Have the network set it: timedatectl set-ntp true"),
    ],
)
def test_a_wrong_clock_is_reported(seconds: int, verdict: str, sentence: str) -> None:
    found = clock(timedelta(seconds=seconds))
    assert (found.verdict, sentence in found.said) == (verdict, True)


def test_backups_are_reported_by_age(tmp_path: Path) -> None:
    path, folder = tmp_path / "bigger.db", tmp_path / "backups"
    folder.mkdir()
    assert copies(path, NOW).verdict == "note"
    (folder / "bigger-2026-02-01.db").touch()
    assert copies(path, NOW).said == "the last is of 2026-02-01. Make a new one"
    (folder / "bigger-2026-02-27.db").touch()
    assert copies(path, NOW) == copies(path, NOW)
    assert (copies(path, NOW).verdict, copies(path, NOW).said) == ("ok", "the last is of 2026-02-27")
    (folder / "bigger-test-2026-02-28.db").touch()
    assert copies(path, NOW).said == "the last is of 2026-02-27", "of another database"


@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
def test_scarce_resources_are_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(running_bot, "CGROUP", tmp_path / "memory.max")
    assert limits().verdict == "ok"
    (tmp_path / "memory.max").write_text("max\n")
    assert limits().verdict == "ok"
    (tmp_path / "memory.max").write_text(str(256 * 2**20))
    assert limits().said == "256 MB of memory may be used, and many tables take more. Allow 512"
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    assert limits().said.startswith("256 files may be open at once. Allow 1024")


def test_packages_of_other_versions_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pinned = tmp_path / "constraints.txt"
    pinned.write_text('# all\nalembic==0.0.1\nnowhere==1.0 ; python_version >= "3.13"\n')
    monkeypatch.setattr(machine, "CONSTRAINTS", pinned)
    (found,) = versions()
    assert found.verdict == "note"
    assert " instead of 0.0.1. Run make run" in found.said
    assert "nowhere" not in found.said
