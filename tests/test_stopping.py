"""Stopping: SIGTERM and SIGINT end the real process at any moment, cleanly, within seconds, with exit code 0."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.ground.pace import LIVE
from tests.restart.crowd import crowd
from tests.standin.bot_process import BotProcess
from tests.standin.things import Channel, Message, User
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
    assert not bot.troubles, bot.output
    late = [f"{each.type} after {each.born - before:.3f} s" for each in bot.unanswered]
    assert not late, "whom it has heard it answers"


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
        told = await pressed
        assert told.ephemeral
        assert "I'm being restarted" in told.ephemeral.text


async def a_lobby(world: World, *names: str, **wishes: Any) -> tuple[Channel, list[User], Message]:
    """Let the first of these people open a table, and the others join it; the channel, the people and the board."""
    den, people = world.add_channel("den"), [world.add_user(name) for name in names]
    await world.slash(people[0], den, "deal", **wishes)
    board: Message = await world.until(lambda: den.seen_by(None)[0], 20)
    for other in people[1:]:
        await world.click(other, board, "Join")
    return den, people, board


async def test_nobody_is_heard_any_more_while_an_answer_is_finished(world: World, settings: dict[str, str]) -> None:
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output, 20)
        den, (ann, ben), board = await a_lobby(world, "ann", "ben")
        slow = world.faults.delay("POST", r"/interactions/.*", seconds=1)
        pressed = asyncio.create_task(world.slash(ann, den, "desk"))
        await world.until(lambda: slow.hits, 20)
        ending = asyncio.create_task(ends(bot, signal.SIGTERM))
        await world.until(lambda: not world.gateway.all_live(), LIMIT)
        assert bot.running, "it hangs up before it ends"
        assert (await world.click(ben, board, "Invite")).error
        assert not (await pressed).error
        await ending


async def test_while_many_people_click(world: World, settings: dict[str, str]) -> None:
    """Stopped four times under clicks, commands and autocompletions it answers whom it has heard, without a fuss."""
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output, 20)
        den, people, board = await a_lobby(world, "ann", "ben", "cleo")
        await world.click(people[0], board, "Play now")
        for stop in range(4):
            clicking = [asyncio.create_task(clicks(world, den, user, bot)) for user in people]
            await world.until(lambda: {user.id for user in people} <= answered(world, bot), 20)
            await ends(bot, signal.SIGTERM if stop % 2 else signal.SIGINT)
            await asyncio.gather(*clicking)
            await bot.start()


async def clicks(world: World, den: Channel, user: User, bot: BotProcess) -> None:
    """Let somebody ask for something again and again until the bot has ended."""
    while bot.running:
        await world.slash(user, den, "desk")
        await world.autocomplete(user, den, "deal", "game", "b")
        await world.slash(user, den, "hand")
        await asyncio.sleep(0.05)


def answered(world: World, bot: BotProcess) -> set[int]:
    """Whom this life of the bot has answered."""
    heard = [each for each in world.interactions.values() if each.generations == {bot.generation}]
    return {each.user.id for each in heard if each.acked}


async def test_while_the_store_is_opened(world: World, settings: dict[str, str]) -> None:
    database = Path(settings["BIGGER_DATABASE"])
    database.parent.mkdir()
    bot = BotProcess(world, env=settings)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # so that its first step waits
        starting = asyncio.create_task(bot.start(timeout=60))
        await world.until(lambda: world.log.matching(path="/users/@me"), 30)
        await ends(bot, signal.SIGTERM)
    with pytest.raises(RuntimeError):
        await starting


async def test_while_it_connects(world: World, settings: dict[str, str]) -> None:
    bot = BotProcess(world, env=settings)
    starting = asyncio.create_task(bot.start(timeout=60))
    await world.until(lambda: world.log.matching(path="/gateway/bot"), 30)
    await ends(bot, signal.SIGTERM)
    await asyncio.gather(starting, return_exceptions=True)


async def test_while_its_tables_wake(world: World, settings: dict[str, str]) -> None:
    database = Path(settings["BIGGER_DATABASE"])
    database.parent.mkdir()
    await crowd(world, database, 60, 3, live=LIVE)
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: world.log.matching("PATCH", r"/channels/.*"), 20)
        await ends(bot, signal.SIGTERM)
        await bot.start()
        await world.until(lambda: "is ready" in bot.output, 20)
        await ends(bot, signal.SIGTERM)


# A match whose start is cut short


async def test_a_start_that_is_cut_short_keeps_its_thread(world: World, settings: dict[str, str]) -> None:
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output, 20)
        den, (ann, _), board = await a_lobby(world, "ann", "ben")
        await cut_short(world, bot, ann, board, rf"/channels/{den.id}/messages/\d+/threads", "Play now")
        assert table_of(settings) == ("lobby", den.id), "it is not played where nobody wanted that"
        (thread,) = [each for each in world.channels.values() if each.is_thread]
        await bot.start()
        await world.until(lambda: bot.output.count("is ready") == 2, 20)
        await world.click(ann, board, "Start")  # house players have been seated
        await world.until(lambda: table_of(settings) == ("playing", thread.id), 20)
        assert [each for each in world.channels.values() if each.is_thread] == [thread]


async def test_a_start_that_is_cut_short_keeps_its_private_thread(world: World, settings: dict[str, str]) -> None:
    async with BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output, 20)
        den, (ann,), board = await a_lobby(world, "ann", game="tien_len", seats=2, hands=2)
        shown = (await world.click(ann, board, "⋯")).ephemeral
        assert shown
        for label in ("Same deals…", "At several tables"):
            await world.click(ann, shown, label)
        ben = world.add_user("ben")
        await world.until(lambda: "in a private thread" in board.text, 20)
        await asyncio.sleep(2.5)  # what is agreed to has changed
        await world.click(ben, board, "Join")
        await world.until(lambda: board.has("Start"), 20)
        await cut_short(world, bot, ann, board, rf"/channels/{den.id}/threads", "Start")
        (thread,) = [each for each in world.channels.values() if each.is_thread]
        await bot.start()
        await world.until(lambda: bot.output.count("is ready") == 2, 20)
        await world.click(ann, board, "Start")  # house players have been seated
        await world.until(lambda: table_of(settings) == ("playing", thread.id), 20)
        assert [each for each in world.channels.values() if each.is_thread] == [thread]
        assert {ann.id, ben.id} <= thread.members


async def cut_short(world: World, bot: BotProcess, host: User, board: Message, path: str, label: str) -> None:
    """Stop the bot once Discord has opened a thread for a match, and before the bot hears of it."""
    slow = world.faults.delay("POST", path, seconds=60, after=True)
    pressed = asyncio.create_task(world.click(host, board, label))
    await world.until(lambda: slow.hits, 20)
    await world.until(lambda: any(each.is_thread for each in world.channels.values()), 20)
    await ends(bot, signal.SIGTERM)
    assert (await pressed).settled, "a dot that turns for ever tells nothing"


def table_of(settings: dict[str, str]) -> tuple[str, int]:
    """The phase and the home of the newest table."""
    with closing(sqlite3.connect(settings["BIGGER_DATABASE"])) as database:
        found: tuple[str, int] = database.execute("SELECT phase, home FROM tables ORDER BY id DESC").fetchone()
    return found


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
