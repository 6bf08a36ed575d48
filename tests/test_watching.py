"""Watching a bot: its figures, their port, the dashboard; without any personal data."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import time
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache
from pathlib import Path
from threading import Event
from typing import Any, get_args

import pytest
import pytest_asyncio
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from bot.games import GAMES
from bot.ops.checks.running_bot import answering
from bot.ops.monitoring.figures import LEVELS, OTHER, ROUTES, STATUSES, UNREACHED, BotMetrics, route_of, status_of
from bot.ops.monitoring.instrumentation import listening, look_at
from bot.runtime.metrics import KINDS, OBSTACLES
from bot.store.engine.gate import STATEMENTS
from bot.store.repositories.tables import STATES
from bot.store.rows import Decider
from tests.standin.bot_process import BotProcess
from tests.standin.fork_server import ROOT, run_program
from tests.standin.realm import SEVERAL_WAITS, WAIT_LIMIT
from tests.standin.world import World as Discord
from tests.support.blank_database import create_blank_database
from tests.support.world import World, world

DASHBOARD = ROOT / "docs" / "grafana.json"
# What may part a figure, by the name of the label. A set that a person, a server or a table could add to has no place.
CLOSED: Mapping[str, frozenset[str]] = {
    "kind": frozenset((*KINDS, *STATEMENTS)),
    "game": frozenset(GAMES),
    "by": frozenset(get_args(Decider)),
    "route": ROUTES | {OTHER},
    "status": STATUSES | {OTHER, UNREACHED},
    "state": frozenset(STATES),
    "level": frozenset(LEVELS),
    "why": frozenset(OBSTACLES),
}
BUSY = 0.1  # seconds
ABOUT_THE_PROGRAM = ("python_", "process_", "bigger_version")


@lru_cache(maxsize=1)
def samples(text: str) -> tuple[Sample, ...]:
    """Return what Prometheus reads."""
    return tuple(sample for family in text_string_to_metric_families(text) for sample in family.samples)


def value(text: str, name: str, **labels: str) -> float:
    """Return one figure, summed over labels."""
    found = [one.value for one in samples(text) if one.name == name and labels.items() <= one.labels.items()]
    assert found, (name, labels)
    return sum(found)


def hold_nobody(text: str) -> None:
    """Hold every label of every figure against what may stand there."""
    for one in samples(text):
        if not one.name.startswith(ABOUT_THE_PROGRAM):
            parted = {name: said for name, said in one.labels.items() if name != "le"}
            assert [said for name, said in parted.items() if said not in CLOSED[name]] == [], one


# A match is played and watched


@pytest_asyncio.fixture
async def told(tmp_path: Path) -> AsyncIterator[tuple[BotMetrics, World]]:
    """Give the figures of a bot that serves."""
    figures = BotMetrics()
    with listening(figures):
        async with world(tmp_path, watch=figures) as here:
            yield figures, here


async def read(figures: BotMetrics, here: World) -> str:
    await look_at(here.bot, figures)
    return figures.text().decode()


TYPED = 3  # turns


async def test_matches_and_moves_are_counted(told: tuple[BotMetrics, World]) -> None:
    figures, here = told
    before = await read(figures, here)
    assert value(before, "bigger_interactions_total") == value(before, "bigger_plays_total") == 0
    table = await here.open_table(hands=1)
    await here.press("ben", table, "Join")
    await here.fill_up("ann", table)
    await here.press("ann", table, "Start")
    during = await read(figures, here)
    assert value(during, "bigger_tables", state="playing") == 1
    assert value(during, "bigger_tables", state="lobby") == 0
    assert value(during, "bigger_interactions_total", kind="command") == 1
    clicks = value(during, "bigger_interactions_total", kind="click")
    assert clicks == 2, "Join and Start"
    for _ in range(TYPED):
        await here.pass_(here.current_player(table) or "", table)  # a refusal is an answer as well
    await here.play_hand(table)
    after = await read(figures, here)
    steps = [(step.by, table.row.game) for step in table.row.steps]
    for by in get_args(Decider):
        assert value(after, "bigger_plays_total", by=by, game="big_two") == steps.count((by, "big_two"))
    assert value(after, "bigger_thinking_seconds_count", game="big_two") > 0
    assert value(after, "bigger_interactions_total", kind="command") == 1 + TYPED
    for progress in ("acknowledged", "answered"):
        assert value(after, f"bigger_{progress}_seconds_count", kind="command") == 1 + TYPED
        assert value(after, f"bigger_{progress}_seconds_count", kind="click") == clicks
    assert value(after, "bigger_statement_seconds_count", kind="insert") >= len(steps)
    assert value(after, "bigger_tables") == 0, "the match is over"
    assert value(after, "bigger_servers") == 1
    assert value(after, "bigger_shards_connected") == 1
    assert value(after, "bigger_store_answers") == 1
    hold_nobody(after)
    assert not [name for name in ("ann", "ben", str(here.guild.id), str(here.ann.id)) if name in after]


async def test_autocompletions_and_late_clicks_are_counted(told: tuple[BotMetrics, World]) -> None:
    figures, here = told
    await here.ann.autocomplete(here.channel, "turn", "move", "p")
    table = await here.start_table("ben", "cleo", "dev")
    await here.advance(seconds=130)
    assert table.row.steps[0].by == "clock"
    text = await read(figures, here)
    assert value(text, "bigger_interactions_total", kind="typing") == 1
    assert value(text, "bigger_answered_seconds_count", kind="typing") == 1
    assert value(text, "bigger_late_seconds_count") >= 1
    assert value(text, "bigger_late_seconds_sum") < 1
    assert value(text, "bigger_overdue_seconds") == 0


async def test_a_slow_reply_is_acknowledged_first(told: tuple[BotMetrics, World]) -> None:
    figures, here = told
    here.env.slow_answers(1.4)
    await here.slash("ann", "desk")
    text = figures.text().decode()
    assert value(text, "bigger_acknowledged_seconds_count", kind="command") == 1
    assert value(text, "bigger_answered_seconds_count", kind="command") == 1


async def test_a_stopped_bot_is_reported_as_down(tmp_path: Path) -> None:
    figures = BotMetrics()
    async with world(tmp_path, watch=figures) as here:
        await here.start_table()
        await here.stop()
        text = await read(figures, here)
    assert value(text, "bigger_store_answers") == 0


async def test_event_loop_lag_is_measured_under_load(monkeypatch: pytest.MonkeyPatch) -> None:
    figures, loop, asked = BotMetrics(), asyncio.get_running_loop(), Event()
    ask = loop.call_soon_threadsafe

    def heard(*what: Any) -> Any:
        asked.set()
        return ask(*what)

    monkeypatch.setattr(loop, "call_soon_threadsafe", heard)
    monkeypatch.setattr("bot.ops.monitoring.instrumentation.LAG_INTERVAL", 0.01)
    with listening(figures):
        assert asked.wait(WAIT_LIMIT)  # nobody is served meanwhile
        time.sleep(BUSY)  # noqa: ASYNC251  # that is what is watched
        while not value(text := figures.text().decode(), "bigger_loop_lag_seconds_count"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert value(text, "bigger_loop_lag_seconds_sum") >= BUSY, "no less on any machine"


# What figures are parted by


@pytest.mark.parametrize(
    ("method", "path", "route"),
    [
        ("PATCH", "/channels/123456789012345678/messages/223456789012345678", "PATCH /channels/{}/messages/{}"),
        ("POST", "/interactions/123/aW50ZXJhY3Rpb246/callback", "POST /interactions/{}/{}/callback"),
        ("PATCH", "/webhooks/123/aW50ZXJh_Y3Rpb246/messages/@original", "PATCH /webhooks/{}/{}/messages/@original"),
        ("PATCH", "/webhooks/123/4567/messages/89", "PATCH /webhooks/{}/{}/messages/{}"),
        ("GET", "/guilds/123/members/456", "GET /guilds/{}/members/{}"),
        ("GET", "/users/@me", "GET /users/@me"),
        ("GET", "/channels/123/messages/456/reactions/%F0%9F%91%8D", OTHER),
        ("POST", "/webhooks/123/secret/with/a/new/shape", OTHER),
    ],
)
def test_request_metrics_contain_no_ids(method: str, path: str, route: str) -> None:
    assert route_of(method, path) == route


def test_an_unknown_status_adds_no_label() -> None:
    assert [status_of(status) for status in (200, 429, 520)] == ["200", "429", OTHER]


def named(dashboard: Any) -> set[tuple[str, frozenset[str]]]:
    """Return the figures that a dashboard asks for, and the labels it expects of each."""
    found = set[tuple[str, frozenset[str]]]()
    for expression in (target["expr"] for panel in dashboard["panels"] for target in panel["targets"]):
        parted = re.findall(r"by \(([\w, ]+)\)", expression)
        labels = {name for each in parted for name in each.split(", ")} | set(
            re.findall(r"(\w+)(?:=~|!~|=|!=)", expression)
        )
        (name,) = re.findall(r"\b(?:bigger|process)_\w+", expression)
        found.add((name, frozenset(labels)))
    return found


async def test_the_dashboard_queries_only_exported_metrics(told: tuple[BotMetrics, World]) -> None:
    figures, here = told
    figures.record_request("GET /users/@me", "200", 0.1)
    text = await read(figures, here)
    there = {one.name: set[str]() for one in samples(text)}
    for one in samples(text):
        there[one.name] |= one.labels.keys()
    asked = named(json.loads(DASHBOARD.read_text("utf-8")))
    assert [(name, labels) for name, labels in asked if not labels <= there.get(name, set())] == []
    families = {family.name for family in text_string_to_metric_families(text) if family.name.startswith("bigger_")}
    shown = {re.sub(r"_(total|bucket|count|sum)$", "", name) for name, _ in asked}
    assert {name.removesuffix("_total") for name in families} - shown == {"bigger_version"}, "all that is told is shown"


# The port


@pytest.fixture
def port() -> int:
    """A port that is free."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture
def settings(tmp_path: Path, port: int) -> dict[str, str]:
    create_blank_database(database := tmp_path / "games" / "bigger.db")
    return {"BIGGER_DATABASE": str(database), "BIGGER_CARD_EMOJI": "no", "BIGGER_METRICS_PORT": str(port)}


async def get(port: int, path: str, host: str = "127.0.0.1", name: str = "127.0.0.1") -> tuple[int, str]:
    """Ask for something; return the status and what is said."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode())
    said = (await asyncio.wait_for(reader.read(), WAIT_LIMIT)).decode()
    writer.close()
    head, _, body = said.partition("\r\n\r\n")
    return int(head.split()[1]), body


@pytest.mark.timeout(SEVERAL_WAITS)
async def test_metrics_are_available_from_the_start(settings: dict[str, str], port: int) -> None:
    async with Discord() as there:
        login, connection = there.faults.hold("GET", "/users/@me"), there.faults.hold("GET", "/gateway/bot")
        bot = BotProcess(there, env=settings)
        await bot.begin()
        await there.until(lambda: login.hits)
        assert await get(port, "/healthz") == (200, "alive\n")
        assert await get(port, "/readyz") == (503, "not connected to Discord, the store does not answer\n")
        assert (await get(port, "/metrics"))[0] == 200
        login.release()
        await there.until(lambda: connection.hits)
        found = await asyncio.to_thread(answering, port)
        assert str(found) == "wrong health: not connected to Discord. Check its log"
        connection.release()
        await there.until(lambda: "is ready" in bot.output)
        assert await get(port, "/healthz") == (200, "alive\n")
        assert await get(port, "/readyz") == (200, "ready\n")
        await what_it_does_is_told(there, port)
        assert (await get(port, "/metrics", name="evil.example"))[0] == 403, "no page in a browser reads it"
        with pytest.raises(OSError, match=r"."):
            await get(port, "/metrics", host="127.0.0.2")
        assert await bot.stop() == 0
    assert bot.tracebacks == []


async def what_it_does_is_told(there: Discord, port: int) -> None:
    den, ann = there.add_channel("den"), there.add_user("ann")
    there.faults.limit("PATCH", r"/channels/\d+/messages/\d+", retry_after=0.5)
    opened = await there.slash(ann, den, "deal")
    await there.until(lambda: opened.settled and den.seen_by(None))
    await there.click(there.add_user("ben"), den.seen_by(None)[0], "Join")
    await there.until(lambda: "Ben" in den.seen_by(None)[0].text)
    status, text = await get(port, "/metrics")
    assert status == 200
    hold_nobody(text)
    assert value(text, "bigger_requests_total", route="POST /interactions/{}/{}/callback", status="200") == 2
    assert value(text, "bigger_requests_total", route="PATCH /channels/{}/messages/{}", status="429") == 1
    assert value(text, "bigger_request_seconds_count", route="POST /channels/{}/messages") >= 1
    assert not [one for one in samples(text) if one.labels.get("route") == OTHER and one.value], "a route is missing"
    assert value(text, "bigger_tables", state="lobby") == 1


async def test_a_port_in_use_is_reported_in_one_sentence(settings: dict[str, str], port: int) -> None:
    with socket.create_server(("127.0.0.1", port)):
        async with Discord() as there:
            bot = BotProcess(there, env=settings)
            with pytest.raises(RuntimeError):
                await bot.start()
    assert (
        bot.output
        == f"Port {port} on 127.0.0.1 is taken. BIGGER_METRICS_PORT sets another one for the metrics; 0 turns them off."
    )
    assert await bot.wait() == 2


async def test_without_metrics_their_library_is_not_loaded() -> None:
    """The fork server has loaded every start module."""
    code, said = await run_program("tests.standin.modules", "prometheus", env={**os.environ})
    assert (code, said) == (0, "[]\n")
