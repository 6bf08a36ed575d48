"""Starting the program: what it says, what it registers, and how it ends when something is wrong."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import discord
import pytest

from bot.rules.cards import every_card, pack
from bot.tell.emoji import LOOKS
from tests.standin.bot_process import BotProcess
from tests.standin.rates import Rates
from tests.standin.world import World

ROOT = Path(__file__).parents[1]


async def start(*words: str, **settings: str) -> tuple[int, str]:
    """Run the program to its end; return its exit code and what it wrote."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *words, cwd=ROOT, env={**os.environ, **settings},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode is not None
    return process.returncode, said.decode()


async def test_wrong_settings_are_one_message_that_names_them_all() -> None:
    code, said = await start(BIGGER_LIVE_SECONDS="soon", BIGGER_HOUSE_DELAY="1", BIGGER_SANDBOX_PORT="-1")
    assert code == 2
    assert all(name in said for name in ("BIGGER_LIVE_SECONDS", "BIGGER_HOUSE_DELAY", "BIGGER_SANDBOX_PORT"))
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["srve"], "knows no command 'srve'; did you mean serve?"), (["--quickly"], "Unrecognized arguments: --quickly")],
)
async def test_unknown_words_are_refused_in_a_sentence(words: list[str], sentence: str) -> None:
    code, said = await start(*words)
    assert code == 2
    assert sentence in said
    assert "--help" in said
    assert len(said.splitlines()) == 1


async def test_the_command_line_says_what_it_knows_and_what_its_codes_mean() -> None:
    code, said = await start("--help")
    assert code == 0
    assert all(
        word in said for word in ("serve", "exit codes", "1  trouble that may pass", "2  something to put right")
    )


async def test_a_damaged_store_is_left_alone(tmp_path: Path) -> None:
    database = tmp_path / "bigger.db"
    database.write_bytes(b"no database at all" * 500)
    code, said = await start(DISCORD_TOKEN="", BIGGER_DATABASE=str(database), BIGGER_SANDBOX_PORT="0")
    assert code == 2
    assert str(database) in said
    assert "Traceback" not in said
    assert database.read_bytes() == b"no database at all" * 500


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    return {"BIGGER_DATABASE": str(tmp_path / "bigger.db"), "BIGGER_CARD_EMOJI": "no"}


async def test_a_refused_token_is_one_sentence(settings: dict[str, str]) -> None:
    async with World() as world:
        world.faults.fail("GET", "/users/@me", status=401, times=None)
        bot = BotProcess(world, env=settings)
        with pytest.raises(RuntimeError):
            await bot.start()
        assert "Discord refused the token" in bot.output
        assert "Traceback" not in bot.output
        assert world.token not in bot.output


async def ended(world: World, settings: dict[str, str]) -> tuple[int, str]:
    """Start the bot, which does not get far; return its exit code and what it wrote."""
    bot = BotProcess(world, env=settings)
    with pytest.raises(RuntimeError):
        await bot.start()
    return await bot.wait(), bot.output


@pytest.mark.parametrize("path", ["/users/@me", r"/applications/\d+/commands"])
@pytest.mark.parametrize(("status", "code", "sentence"), [(503, 1, "has trouble"), (403, 2, "does not let the bot")])
async def test_discord_in_trouble_is_one_sentence(
    settings: dict[str, str], path: str, status: int, code: int, sentence: str
) -> None:
    async with World() as world:
        fault = world.faults.fail("GET", path, status=status, times=None)
        ended_with, said = await ended(world, settings)
        assert fault.hits
        assert ended_with == code
        assert sentence in said
        assert "Traceback" not in said


async def test_without_a_network_it_is_one_sentence(settings: dict[str, str]) -> None:
    async with World() as world:
        nowhere = {"STANDIN_API": "http://127.0.0.1:9/api/v10"}
        code, said = await ended(world, {**settings, **nowhere})
    assert (code, said) == (1, "Discord cannot be reached. Check the connection and start again.")


async def test_no_session_is_begun_that_discord_does_not_allow(settings: dict[str, str]) -> None:
    """Discord would end all sessions and take the token away."""
    async with World() as world:
        world.starts_left, world.shards = 1, 2
        code, said = await ended(world, settings)
        assert code == 1
        assert "no more starts today; the next one in 24.0 hours" in said
        assert "Traceback" not in said


async def test_the_collector_passes_over_what_was_loaded_at_the_start(settings: dict[str, str]) -> None:
    """Issue 39, 1.6: looking at all of it held the loop for an eighth of a second."""
    async with World() as world, BotProcess(world, "tests.restart.collecting", env=settings) as bot:
        await world.until(lambda: any(line.startswith("collector") for line in bot.lines))
    (told,) = [line for line in bot.lines if line.startswith("collector")]
    frozen, left = map(int, told.split()[1:])
    assert frozen > 10 * left


async def test_it_serves_on_as_many_shards_as_discord_recommends(settings: dict[str, str]) -> None:
    async with World() as world:
        world.shards = 2
        world.add_guild("Another Club")
        async with BotProcess(world, env=settings) as bot:
            await world.until(lambda: "is ready. Servers: 2." in bot.output, 20)
            assert sorted(session.shard for session in world.gateway.all_live()) == [0, 1]


@pytest.mark.parametrize(("closed", "sentence"), [(4004, "new one"), (4014, "intent"), (4012, "code 4012")])
async def test_a_session_that_discord_ends_for_good_is_one_sentence(
    settings: dict[str, str], closed: int, sentence: str
) -> None:
    async with World() as world, BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output)
        await world.gateway.disconnect(closed)
        assert await asyncio.wait_for(bot.wait(), 15) == 2
        assert sentence in bot.output
        assert "Traceback" not in bot.output


async def test_a_first_start_invites_registers_and_says_what_it_serves(settings: dict[str, str]) -> None:
    async with World() as world, BotProcess(world, env=settings) as bot:
        await world.until(lambda: "is ready" in bot.output)
        assert "scope=bot+applications.commands" in bot.output
        (asked,) = re.findall(r"permissions=(\d+)", bot.output)
        assert {name for name, on in discord.Permissions(int(asked)) if on} == {
            "read_messages", "send_messages", "send_messages_in_threads", "create_public_threads",
            "read_message_history", "attach_files",
        }, "it sees channels and writes there, and nothing more"  # fmt: skip
        assert len(world.log.matching("PUT", r".*/commands")) == 1
        await bot.stop()
        await bot.start()
        await world.until(lambda: bot.output.count("is ready") == 2)
        assert len(world.log.matching("PUT", r".*/commands")) == 1, "the same commands are registered once"


FACES = sum(len(look.names()) for look in LOOKS)  # a card, the same card picked, and both in four colours


async def test_card_pictures_are_uploaded_once(tmp_path: Path) -> None:
    settings = {"BIGGER_DATABASE": str(tmp_path / "bigger.db"), "BIGGER_CARD_EMOJI": "yes", "BOT_SPEED": "200"}
    async with World(rates=Rates(speed=200)) as world, BotProcess(world, "tests.restart.hurried", env=settings) as bot:
        den, ann = world.add_channel("den"), world.add_user("ann")
        await world.until(lambda: len(world.emojis) > len(every_card()) / 2, timeout=20)
        half = await world.slash(ann, den, "learn rules", article="4.2")
        await world.until(lambda: half.settled)
        assert half.ephemeral is not None
        assert "<:" not in half.ephemeral.text, "as text until all are there"
        await bot.kill9()
        await bot.start()
        await world.until(lambda: len(world.emojis) == FACES, timeout=40)
        await bot.stop()
        assert len(world.log.matching("POST", r".*/emojis")) <= FACES + 1, "it went on where it was"
        other = {str(tile) for tile in set(every_card()).difference(pack())}
        tiles = {name for look in LOOKS for card, name in look.names().items() if card in other}
        for gone in [number for number, emoji in world.emojis.items() if emoji["name"] in tiles]:
            del world.emojis[gone]  # as it was before there were tiles
        await bot.start()
        await world.until(lambda: bot.output.count("is ready") == 3)
        await world.until(lambda: len(world.emojis) == FACES, timeout=40)
        await asyncio.sleep(0.5)
        asked = await world.slash(ann, den, "learn rules", article="4.2")
        await world.until(lambda: asked.settled)
        assert asked.ephemeral is not None
        assert "<:" in asked.ephemeral.text
        assert len(world.log.matching("POST", r".*/emojis")) <= FACES + len(tiles) + 1
        assert world.rates.refused == 0
