"""Stopping: SIGTERM and SIGINT end the real process at any moment with exit code 0, within seconds.

The bot's own timer limits the seconds; the tests wait longer, for slow machines.
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
from tests.kill.trial import FAST_CLOCK_BOT
from tests.restart.live_tables import set_up_live_tables
from tests.standin.bot_process import BotProcess
from tests.standin.fork_server import ForkedProcess
from tests.standin.interactions import Interaction
from tests.standin.models import Channel, Message, User
from tests.standin.realm import SEVERAL_WAITS, WAIT_LIMIT
from tests.standin.world import World
from tests.support.blank_database import create_blank_database

MAX_STOP_SECONDS = 5.0  # seconds from the signal to the end
SHORT_PATIENCE = {"BOT_PATIENCE": "3"}  # factor of the timeouts, for answers that never arrive
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


async def check_stop(bot: BotProcess, number: signal.Signals) -> None:
    """Send the signal; check exit code 0, a clean log, and answers to all received interactions."""
    os.kill(bot.pid, number)
    assert await asyncio.wait_for(bot.wait(), WAIT_LIMIT) == 0, bot.output
    assert not bot.troubles, bot.output
    assert not [each.type for each in bot.unanswered]


async def test_a_stop_ends_in_time_even_if_a_task_ignores_its_cancellation() -> None:
    """The limit of the contract, at a tenth."""
    assert shutdown.MAX_SHUTDOWN_SECONDS < MAX_STOP_SECONDS
    process = await ForkedProcess.start(
        "tests.restart.endless_program", env={**os.environ, "BOT_LIMIT": str(shutdown.MAX_SHUTDOWN_SECONDS / 10)}
    )
    assert await process.output.readline() == b"It runs.\n"
    process.terminate()
    assert await process.output.read() == b"It heard that.\n"
    assert await process.wait() == 0


# During the start


@pytest.mark.parametrize(
    ("path", "number"), [("/users/@me", TERM), (r"/applications/\d+/commands", INT), ("/gateway/bot", TERM)]
)
async def test_a_stop_while_discord_does_not_answer_the_login(
    world: World, settings: dict[str, str], path: str, number: signal.Signals
) -> None:
    silent = world.faults.hold("", path, times=None)
    bot = BotProcess(world, env=settings)
    await bot.begin()
    await world.until(lambda: silent.hits)
    await check_stop(bot, number)


async def test_a_stop_while_the_bot_connects(world: World, settings: dict[str, str]) -> None:
    bot = BotProcess(world, env=settings)
    await bot.begin()
    await world.until(lambda: world.log.matching(path="/gateway/bot"))
    await check_stop(bot, TERM)


async def test_a_stop_while_the_store_is_opened(world: World, settings: dict[str, str]) -> None:
    bot = BotProcess(world, env=settings)
    with closing(sqlite3.connect(settings["BIGGER_DATABASE"], isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # blocks the first statement of the bot
        await bot.begin()
        await world.until(lambda: world.log.matching(path="/users/@me"))
        await check_stop(bot, TERM)


async def test_a_stop_while_tables_resume(world: World, settings: dict[str, str]) -> None:
    database = Path(settings["BIGGER_DATABASE"])
    await set_up_live_tables(world, database, 15, 3, live=LIVE)
    async with BotProcess(world, FAST_CLOCK_BOT, env=settings) as bot:
        await world.until(lambda: world.log.matching("PATCH", r"/channels/.*"))
        await check_stop(bot, INT)
        await bot.start()
        await world.until(lambda: "is ready" in bot.output)
        await check_stop(bot, TERM)


@pytest.mark.rotates(3)
@pytest.mark.parametrize(
    ("module", "number"), [("argparse", TERM), ("discord.enums", INT), ("sqlalchemy.exc", TERM), ("bot.client", INT)]
)
async def test_a_stop_while_modules_are_imported(settings: dict[str, str], module: str, number: signal.Signals) -> None:
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
    rest = await asyncio.wait_for(process.stderr.read(), WAIT_LIMIT)
    assert await process.wait() == 0
    assert b"Traceback" not in rest


# While serving


async def test_a_stop_completes_received_interactions_and_the_next_start_does_the_rest(
    world: World, settings: dict[str, str]
) -> None:
    async with BotProcess(world, FAST_CLOCK_BOT, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output)
        den, (ann, ben, cleo) = world.add_channel("den"), (world.add_user(name) for name in ("ann", "ben", "cleo"))
        den.app_permissions &= ~CREATE_PUBLIC_THREADS
        await stop_while_a_click_is_answered_and_a_board_is_edited(world, bot, den, (ann, ben, cleo))
        assert newest_phase_and_home(settings) == ("playing", den.id)
        await bot.start()
        await world.until(lambda: "Ben" in den.seen_by(None)[0].text)
        await stop_while_a_command_is_answered(world, bot, den, cleo)
        await bot.start()
        await stop_while_many_users_send_commands(world, bot, den, (ann, ben, cleo))
    assert bot.output.count("Every table continues") == 3
    with closing(sqlite3.connect(settings["BIGGER_DATABASE"])) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def stop_while_a_click_is_answered_and_a_board_is_edited(
    world: World, bot: BotProcess, den: Channel, people: tuple[User, User, User]
) -> None:
    """The click is answered before the bot ends; the held edit of the board is dropped."""
    ann, ben, cleo = people
    board = await open_table(world, ann, den)
    edits = rf"/channels/{den.id}/messages/{board.id}"
    edit = world.faults.hold("PATCH", edits, times=None, generation=bot.generation)
    await world.click(ben, board, "Join")
    await world.until(lambda: edit.hits)
    answer = world.faults.hold("POST", r"/interactions/.*")
    pressed = asyncio.create_task(world.click(ann, board, "Play now"))
    await world.until(lambda: answer.hits)
    ending = asyncio.create_task(check_stop(bot, TERM))
    await world.until(lambda: not world.gateway.all_live())
    assert bot.running, "the bot disconnects before it ends"
    assert (await world.click(cleo, board, "Join")).error, "no further click is received"
    answer.release()
    interaction = await pressed
    await ending
    assert interaction.error is None
    assert interaction.settled, "the user does not wait for ever"
    assert interaction.ephemeral is not None
    assert "2 of 4" not in board.text


async def stop_while_a_command_is_answered(world: World, bot: BotProcess, den: Channel, user: User) -> None:
    answer = world.faults.hold("", r"/webhooks/.*")
    interaction = await world.slash(user, den, "deal")
    await world.until(lambda: answer.hits)
    ending = asyncio.create_task(check_stop(bot, INT))
    await world.until(lambda: not world.gateway.all_live())
    answer.release()
    await ending
    assert interaction.error is None
    assert interaction.settled, "the user does not wait for ever"


async def stop_while_many_users_send_commands(
    world: World, bot: BotProcess, den: Channel, people: tuple[User, User, User]
) -> None:
    """Commands and autocompletions received before the stop are answered; `make soak` repeats this many times."""
    asking = [asyncio.create_task(ask_until_ended(world, den, user, bot)) for user in people]
    await world.until(lambda: {user.id for user in people} <= answered_users(world, bot))
    await check_stop(bot, TERM)
    await asyncio.gather(*asking)


async def test_a_user_is_asked_to_try_again_if_an_answer_takes_longer_than_the_stop(
    world: World, settings: dict[str, str]
) -> None:
    den, ann = world.add_channel("den"), world.add_user("ann")
    async with BotProcess(world, FAST_CLOCK_BOT, env=settings | SHORT_PATIENCE) as bot:
        await world.until(lambda: "is ready" in bot.output)
        answer = world.faults.hold("POST", r"/interactions/.*")
        pressed = asyncio.create_task(world.slash(ann, den, "desk"))
        await world.until(lambda: answer.hits)
        await check_stop(bot, TERM)
        interaction = await pressed
        assert interaction.ephemeral
        assert "Please try again in a minute" in interaction.ephemeral.text


async def open_table(world: World, host: User, den: Channel, **wishes: Any) -> Message:
    """Open a table as this user; return its board."""
    await world.slash(host, den, "deal", **wishes)
    board: Message = await world.until(lambda: den.seen_by(None)[0])
    return board


async def ask_until_ended(world: World, den: Channel, user: User, bot: BotProcess) -> None:
    """Send commands and autocompletions until the bot has ended."""
    while bot.running:
        await world.slash(user, den, "desk")
        await world.autocomplete(user, den, "deal", "game", "b")
        await world.slash(user, den, "hand")
        await asyncio.sleep(0.05)


def answered_users(world: World, bot: BotProcess) -> set[int]:
    """Return the ids of users whom the present bot process has answered."""
    heard = [each for each in world.interactions.values() if each.generations == {bot.generation}]
    return {each.user.id for each in heard if each.is_acknowledged}


# Matches whose start is interrupted


async def test_matches_whose_start_is_interrupted_keep_their_threads(world: World, settings: dict[str, str]) -> None:
    """One match gets a thread from its board, the other one, a duplicate match, a private thread."""
    async with BotProcess(world, FAST_CLOCK_BOT, env=settings | SHORT_PATIENCE) as bot:
        await world.until(lambda: "is ready" in bot.output)
        private_channel, hall = world.add_channel("secret"), world.add_channel("hall")
        ann, ben, cleo, dev = (world.add_user(name) for name in ("ann", "ben", "cleo", "dev"))
        board = await open_table(world, ann, hall)
        duplicate_board = await open_table(world, cleo, private_channel, game="tien_len", seats=2, hands=2)
        await play_same_deals(world, cleo, duplicate_board)
        await world.click(ben, board, "Join")
        await asyncio.sleep(2.5)  # seconds until Join counts after a change of the terms
        await world.click(dev, duplicate_board, "Join")
        await world.until(lambda: duplicate_board.has("Start"))
        starts = [
            (ann, board, "Play now", rf"/channels/{hall.id}/messages/\d+/threads"),
            (cleo, duplicate_board, "Start", rf"/channels/{private_channel.id}/threads"),
        ]
        pressed = [await start_with_slow_thread(world, *start) for start in starts]
        threads = {each.parent: each for each in world.channels.values() if each.is_thread}
        await check_stop(bot, TERM)
        assert all([(await each).settled for each in pressed]), "no user waits for ever"
        assert {*phases_and_homes(settings)} == {("lobby", hall.id), ("lobby", private_channel.id)}, (
            "no match may start in the channel"
        )
        await bot.start()
        await world.until(lambda: bot.output.count("is ready") == 2)
        for host, lobby, *_ in starts:
            await world.until(partial(lobby.has, "Start"))  # enabled after house players were seated
            await world.click(host, lobby, "Start")
        there = {("playing", threads[hall].id), ("playing", threads[private_channel].id)}
        await world.until(lambda: {*phases_and_homes(settings)} == there)
        assert {each.parent: each for each in world.channels.values() if each.is_thread} == threads
        await world.until(lambda: {cleo.id, dev.id} <= threads[private_channel].members)


async def play_same_deals(world: World, host: User, board: Message) -> None:
    """Make a lobby a duplicate table, which needs a private thread."""
    answer = await world.click(host, board, "⋯")
    for label in ("Same deals…", "At several tables"):
        await world.click(host, await world.until(partial(message_with_button, answer, label)), label)
    await world.until(lambda: "in a private thread" in board.text)


def message_with_button(answer: Interaction, label: str) -> Message:
    """Return the message of an answer with this button. Raises StopIteration without one."""
    return next(message for message in answer.messages if message.has(label))


async def start_with_slow_thread(
    world: World, host: User, board: Message, label: str, path: str
) -> asyncio.Task[Interaction]:
    """Start a match whose thread Discord creates without answering the bot."""
    slow = world.faults.hold("POST", path, after=True)
    threads = sum(each.is_thread for each in world.channels.values())
    pressed = asyncio.create_task(world.click(host, board, label))
    await world.until(lambda: slow.hits and sum(each.is_thread for each in world.channels.values()) > threads)
    return pressed


def phases_and_homes(settings: dict[str, str]) -> list[tuple[str, int]]:
    """Return phase and home of each table, newest first."""
    with closing(sqlite3.connect(settings["BIGGER_DATABASE"])) as database:
        return database.execute("SELECT phase, home FROM tables ORDER BY id DESC").fetchall()


def newest_phase_and_home(settings: dict[str, str]) -> tuple[str, int]:
    """Return phase and home of the newest table."""
    return phases_and_homes(settings)[0]
