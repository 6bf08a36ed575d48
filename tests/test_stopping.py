"""Stopping: SIGTERM and SIGINT end the real process at any moment, cleanly, within seconds, with exit code 0.

Within how many, the bot's own clock sees to; here the wait is as long as for anything else, for machines are slow.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.domain.pace import LIVE
from bot.ops import shutdown
from tests.kill.club import CREATE_PUBLIC_THREADS
from tests.kill.trial import HURRIED
from tests.restart.crowd import crowd
from tests.standin.bot_process import BotProcess
from tests.standin.fork_server import Ready
from tests.standin.interactions import Interaction
from tests.standin.models import Channel, Message, User
from tests.standin.realm import LIMIT, SEVERAL_WAITS
from tests.standin.world import World
from tests.support.blank_database import create_blank_database

CONTRACT = 5.0  # seconds from the signal to the end
NEVER_DONE = {"BOT_PATIENCE": "3"}  # where a stop has to wait for that in vain
TERM, INT = signal.SIGTERM, signal.SIGINT
pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    create_blank_database(database := tmp_path / "games" / "bigger.db")
    return {"BIGGER_DATABASE": str(database), "BIGGER_CARD_EMOJI": "no", "BOT_PATIENCE": "10"}


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    async with World() as world:
        yield world


async def ends(bot: BotProcess, number: signal.Signals) -> None:
    """Send the signal: the process ends with 0, without a fuss, and has answered whom it has heard."""
    os.kill(bot.pid, number)
    assert await asyncio.wait_for(bot.wait(), LIMIT) == 0, bot.output
    assert not bot.troubles, bot.output
    assert not [each.type for each in bot.unanswered]


async def test_it_ends_in_time_whatever_does_not() -> None:
    """The contract; the clock of the process is ten times as fast."""
    assert shutdown.MAX_SHUTDOWN_SECONDS < CONTRACT
    process = await Ready.start(
        "tests.restart.endless_program", env={**os.environ, "BOT_LIMIT": str(shutdown.MAX_SHUTDOWN_SECONDS / 10)}
    )
    assert await process.output.readline() == b"It runs.\n"
    process.terminate()
    assert await process.output.read() == b"It heard that.\n"
    assert await process.wait() == 0


# While it begins


@pytest.mark.parametrize(
    ("path", "number"), [("/users/@me", TERM), (r"/applications/\d+/commands", INT), ("/gateway/bot", TERM)]
)
async def test_while_discord_does_not_answer_the_login(
    world: World, settings: dict[str, str], path: str, number: signal.Signals
) -> None:
    silent = world.faults.hold("", path, times=None)
    bot = BotProcess(world, env=settings)
    await bot.begin()
    await world.until(lambda: silent.hits)
    await ends(bot, number)


async def test_while_it_connects(world: World, settings: dict[str, str]) -> None:
    bot = BotProcess(world, env=settings)
    await bot.begin()
    await world.until(lambda: world.log.matching(path="/gateway/bot"))
    await ends(bot, TERM)


async def test_while_the_store_is_opened(world: World, settings: dict[str, str]) -> None:
    bot = BotProcess(world, env=settings)
    with closing(sqlite3.connect(settings["BIGGER_DATABASE"], isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # so that its first step waits
        await bot.begin()
        await world.until(lambda: world.log.matching(path="/users/@me"))
        await ends(bot, TERM)


async def test_while_its_tables_wake(world: World, settings: dict[str, str]) -> None:
    database = Path(settings["BIGGER_DATABASE"])
    await crowd(world, database, 15, 3, live=LIVE)
    async with BotProcess(world, HURRIED, env=settings) as bot:
        await world.until(lambda: world.log.matching("PATCH", r"/channels/.*"))
        await ends(bot, INT)
        await bot.start()
        await world.until(lambda: "is ready" in bot.output)
        await ends(bot, TERM)


@pytest.mark.rotates(3)
@pytest.mark.parametrize(
    ("module", "number"), [("argparse", TERM), ("discord.enums", INT), ("sqlalchemy.exc", TERM), ("bot.client", INT)]
)
async def test_while_it_is_being_loaded(settings: dict[str, str], module: str, number: signal.Signals) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "bot",
        cwd=Path(__file__).parents[1],
        env={**os.environ, **settings, "DISCORD_TOKEN": "", "BIGGER_SANDBOX_PORT": "0"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    async for line in process.stderr:
        if line.decode().split("|")[-1].strip() == module:
            break
    process.send_signal(number)
    rest = await asyncio.wait_for(process.stderr.read(), LIMIT)
    assert await process.wait() == 0
    assert b"Traceback" not in rest


# While it serves


async def test_what_it_has_heard_is_finished_and_the_next_start_does_the_rest(
    world: World, settings: dict[str, str]
) -> None:
    async with BotProcess(world, HURRIED, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output)
        den, (ann, ben, cleo) = world.add_channel("den"), (world.add_user(name) for name in ("ann", "ben", "cleo"))
        den.app_permissions &= ~CREATE_PUBLIC_THREADS
        await stopped_while_a_click_is_answered_and_a_board_is_edited(world, bot, den, (ann, ben, cleo))
        assert table_of(settings) == ("playing", den.id)
        await bot.start()
        await world.until(lambda: "Ben" in den.seen_by(None)[0].text)
        await stopped_while_a_command_is_answered(world, bot, den, cleo)
        await bot.start()
        await stopped_while_many_people_ask(world, bot, den, (ann, ben, cleo))
    assert bot.output.count("Every table goes on") == 3
    with closing(sqlite3.connect(settings["BIGGER_DATABASE"])) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def stopped_while_a_click_is_answered_and_a_board_is_edited(
    world: World, bot: BotProcess, den: Channel, people: tuple[User, User, User]
) -> None:
    """Ongoing work is finished and answered before closing; a suspended hand stays undrawn."""
    ann, ben, cleo = people
    board = await opened(world, ann, den)
    edits = rf"/channels/{den.id}/messages/{board.id}"
    edit = world.faults.hold("PATCH", edits, times=None, generation=bot.generation)
    await world.click(ben, board, "Join")
    await world.until(lambda: edit.hits)
    answer = world.faults.hold("POST", r"/interactions/.*")
    pressed = asyncio.create_task(world.click(ann, board, "Play now"))
    await world.until(lambda: answer.hits)
    ending = asyncio.create_task(ends(bot, TERM))
    await world.until(lambda: not world.gateway.all_live())
    assert bot.running, "it hangs up before it ends"
    assert (await world.click(cleo, board, "Join")).error, "nobody is heard any more"
    answer.release()
    told = await pressed
    await ending
    assert told.error is None
    assert told.settled, "nobody looks at a dot that turns for ever"
    assert told.ephemeral is not None
    assert "2 of 4" not in board.text


async def stopped_while_a_command_is_answered(world: World, bot: BotProcess, den: Channel, user: User) -> None:
    answer = world.faults.hold("", r"/webhooks/.*")
    told = await world.slash(user, den, "deal")
    await world.until(lambda: answer.hits)
    ending = asyncio.create_task(ends(bot, INT))
    await world.until(lambda: not world.gateway.all_live())
    answer.release()
    await ending
    assert told.error is None
    assert told.settled, "nobody looks at a dot that turns for ever"


async def stopped_while_many_people_ask(
    world: World, bot: BotProcess, den: Channel, people: tuple[User, User, User]
) -> None:
    """Under commands and autocompletion, heard users are answered; `make soak` repeats it a hundred times."""
    asking = [asyncio.create_task(asks(world, den, user, bot)) for user in people]
    await world.until(lambda: {user.id for user in people} <= answered(world, bot))
    await ends(bot, TERM)
    await asyncio.gather(*asking)


async def test_while_the_answer_takes_longer_than_there_is_time(world: World, settings: dict[str, str]) -> None:
    den, ann = world.add_channel("den"), world.add_user("ann")
    async with BotProcess(world, HURRIED, env=settings | NEVER_DONE) as bot:
        await world.until(lambda: "is ready" in bot.output)
        answer = world.faults.hold("POST", r"/interactions/.*")
        pressed = asyncio.create_task(world.slash(ann, den, "desk"))
        await world.until(lambda: answer.hits)
        await ends(bot, TERM)
        told = await pressed
        assert told.ephemeral
        assert "Please try again in a minute" in told.ephemeral.text


async def opened(world: World, host: User, den: Channel, **wishes: Any) -> Message:
    """Let a user open a new table; return its board."""
    await world.slash(host, den, "deal", **wishes)
    board: Message = await world.until(lambda: den.seen_by(None)[0])
    return board


async def asks(world: World, den: Channel, user: User, bot: BotProcess) -> None:
    """Let a player ask for something again and again until the bot has ended."""
    while bot.running:
        await world.slash(user, den, "desk")
        await world.autocomplete(user, den, "deal", "game", "b")
        await world.slash(user, den, "hand")
        await asyncio.sleep(0.05)


def answered(world: World, bot: BotProcess) -> set[int]:
    """Whom this life of the bot has answered."""
    heard = [each for each in world.interactions.values() if each.generations == {bot.generation}]
    return {each.user.id for each in heard if each.acked}


# Matches whose start is cut short


async def test_starts_that_are_cut_short_keep_their_threads(world: World, settings: dict[str, str]) -> None:
    """One match gets a thread from its board, the other one, with the same deals, a private thread."""
    async with BotProcess(world, HURRIED, env=settings | NEVER_DONE) as bot:
        await world.until(lambda: "is ready" in bot.output)
        secret, hall = world.add_channel("secret"), world.add_channel("hall")
        ann, ben, cleo, dev = (world.add_user(name) for name in ("ann", "ben", "cleo", "dev"))
        board = await opened(world, ann, hall)
        alike = await opened(world, cleo, secret, game="tien_len", seats=2, hands=2)
        await play_same_deals(world, cleo, alike)
        await world.click(ben, board, "Join")
        await asyncio.sleep(2.5)  # what is agreed to has changed
        await world.click(dev, alike, "Join")
        await world.until(lambda: alike.has("Start"))
        starts = [
            (ann, board, "Play now", rf"/channels/{hall.id}/messages/\d+/threads"),
            (cleo, alike, "Start", rf"/channels/{secret.id}/threads"),
        ]
        pressed = [await thread_under_way(world, *start) for start in starts]
        threads = {each.parent: each for each in world.channels.values() if each.is_thread}
        await ends(bot, TERM)
        assert all([(await each).settled for each in pressed]), "a dot that turns for ever tells nothing"
        assert {*tables(settings)} == {("lobby", hall.id), ("lobby", secret.id)}, "played where nobody wanted that"
        await bot.start()
        await world.until(lambda: bot.output.count("is ready") == 2)
        for host, lobby, *_ in starts:
            await world.until(partial(lobby.has, "Start"))  # house players have been seated
            await world.click(host, lobby, "Start")
        there = {("playing", threads[hall].id), ("playing", threads[secret].id)}
        await world.until(lambda: {*tables(settings)} == there)
        assert {each.parent: each for each in world.channels.values() if each.is_thread} == threads
        await world.until(lambda: {cleo.id, dev.id} <= threads[secret].members)


async def play_same_deals(world: World, host: User, board: Message) -> None:
    """Let a match be played with the same deals at several tables, which needs a private thread."""
    told = await world.click(host, board, "⋯")
    for label in ("Same deals…", "At several tables"):
        await world.click(host, await world.until(partial(with_button, told, label)), label)
    await world.until(lambda: "in a private thread" in board.text)


def with_button(told: Interaction, label: str) -> Message:
    """What was answered, once it has this button."""
    return next(message for message in told.messages if message.has(label))


async def thread_under_way(
    world: World, host: User, board: Message, label: str, path: str
) -> asyncio.Task[Interaction]:
    """Start a match; Discord opens a thread for it, of which the bot does not hear."""
    slow = world.faults.hold("POST", path, after=True)
    threads = sum(each.is_thread for each in world.channels.values())
    pressed = asyncio.create_task(world.click(host, board, label))
    await world.until(lambda: slow.hits and sum(each.is_thread for each in world.channels.values()) > threads)
    return pressed


def tables(settings: dict[str, str]) -> list[tuple[str, int]]:
    """The phase and the home of each table, the newest first."""
    with closing(sqlite3.connect(settings["BIGGER_DATABASE"])) as database:
        return database.execute("SELECT phase, home FROM tables ORDER BY id DESC").fetchall()


def table_of(settings: dict[str, str]) -> tuple[str, int]:
    """The phase and the home of the newest table."""
    return tables(settings)[0]
