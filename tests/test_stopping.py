"""Stopping: SIGTERM and SIGINT end the real process at any moment, cleanly, within seconds, with exit code 0."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.standin.bot_process import BotProcess
from tests.standin.world import World

SIGNALS = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
LIMIT = 5.0


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    return {"BIGGER_DATABASE": str(tmp_path / "games" / "bigger.db"), "BIGGER_CARD_EMOJI": "no"}


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    async with World() as world:
        yield world


async def ends(bot: BotProcess, number: signal.Signals) -> None:
    """Send the signal: the process ends in time, with 0 and without a fuss."""
    before = time.monotonic()
    os.kill(bot.pid, number)
    assert await asyncio.wait_for(bot.wait(), 15) == 0, bot.output
    assert time.monotonic() - before < LIMIT
    assert "Traceback" not in bot.output


@SIGNALS
async def test_while_it_serves(world: World, settings: dict[str, str], number: signal.Signals) -> None:
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output, 20)
        await ends(bot, number)
        assert "Every table goes on" in bot.output
        database = sqlite3.connect(settings["BIGGER_DATABASE"])
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()


@SIGNALS
@pytest.mark.parametrize("path", ["/users/@me", r"/applications/\d+/commands", "/gateway/bot"])
async def test_while_discord_does_not_answer_the_login(
    world: World, settings: dict[str, str], number: signal.Signals, path: str
) -> None:
    silent = world.faults.delay("", path, seconds=60, times=None)
    bot = BotProcess(world, env=settings)
    starting = asyncio.create_task(bot.start(timeout=60))
    await world.until(lambda: silent.hits, 30)
    await ends(bot, number)
    with pytest.raises(RuntimeError):
        await starting


async def test_while_boards_wait_to_be_shown(world: World, settings: dict[str, str]) -> None:
    den, ann = world.add_channel("den"), world.add_user("ann")
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output, 20)
        opened = await world.slash(ann, den, "deal")
        await world.until(lambda: opened.settled and den.seen_by(None), 20)
        board = den.seen_by(None)[0]
        slow = world.faults.delay("PATCH", rf"/channels/{den.id}/messages/{board.id}", seconds=60, generation=1)
        await world.click(world.add_user("ben"), board, "Join")
        await world.until(lambda: slow.hits, 20)
        await ends(bot, signal.SIGTERM)
        assert "2 of 4" not in board.text
        await bot.start()
        await world.until(lambda: "Ben" in board.text, 20)


@pytest.mark.parametrize("path", [r"/interactions/.*", r"/webhooks/.*"])
async def test_while_somebody_is_answered(world: World, settings: dict[str, str], path: str) -> None:
    """What is under way is done and answered before anything is closed; a sleeping hand is not drawn over."""
    den, ann = world.add_channel("den"), world.add_user("ann")
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output, 20)
        opened = await world.slash(ann, den, "deal")
        await world.until(lambda: opened.settled and den.seen_by(None), 20)
        slow = world.faults.delay("", path, seconds=1)
        pressed = asyncio.create_task(world.click(ann, den.seen_by(None)[0], "Play now"))
        await world.until(lambda: slow.hits, 20)
        await ends(bot, signal.SIGTERM)
        told = await pressed
        assert told.error is None
        assert told.settled, "nobody looks at a dot that turns for ever"
        assert told.ephemeral is not None
        assert sqlite3.connect(settings["BIGGER_DATABASE"]).execute("SELECT phase FROM tables").fetchone() == (
            "playing",
        )


async def test_while_the_answer_takes_longer_than_there_is_time(world: World, settings: dict[str, str]) -> None:
    den, ann = world.add_channel("den"), world.add_user("ann")
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output, 20)
        slow = world.faults.delay("POST", r"/interactions/.*", seconds=60)
        pressed = asyncio.create_task(world.slash(ann, den, "desk"))
        await world.until(lambda: slow.hits, 20)
        await ends(bot, signal.SIGTERM)
        pressed.cancel()


@SIGNALS
@pytest.mark.parametrize("module", ["argparse", "discord.enums", "sqlalchemy.exc", "bot.client"])
async def test_while_it_is_being_loaded(settings: dict[str, str], number: signal.Signals, module: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-X", "importtime", "-m", "bot", cwd=Path(__file__).parents[1],
        env={**os.environ, **settings, "DISCORD_TOKEN": "", "BIGGER_SANDBOX_PORT": "0"},
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    async for line in process.stderr:
        if line.decode().split("|")[-1].strip() == module:
            break
    process.send_signal(number)
    rest = await asyncio.wait_for(process.stderr.read(), LIMIT)
    assert await process.wait() == 0
    assert b"Traceback" not in rest
