# ruff: noqa: ASYNC240 - a test may wait for its own small files
"""Starting the program: output, registrations, and ends after errors."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.delivery import emoji
from bot.delivery.emoji import CARD_STYLES, RETRY_SECONDS
from bot.ops.serving import why_not
from bot.rules.core.cards import every_card, pack
from tests.standin.bot_process import BotProcess
from tests.standin.fork_server import ROOT, ran
from tests.standin.realm import LIMIT, SEVERAL_WAITS
from tests.standin.world import World as Discord
from tests.support.blank_database import create_blank_database
from tests.support.world import SETTLE_TIMEOUT, World

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


async def start(*words: str, **settings: str) -> tuple[int, str]:
    """Run the program to its end; return its exit code and what it wrote."""
    return await ran("bot", *words, env={**os.environ, **settings})


async def test_wrong_settings_are_one_message_that_names_them_all() -> None:
    """The one start here from nothing: the others are forked from a loaded process."""
    wrong = {"BIGGER_LIVE_SECONDS": "soon", "BIGGER_HOUSE_DELAY": "1", "BIGGER_SANDBOX_PORT": "-1"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        cwd=ROOT,
        env={**os.environ, **wrong},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await asyncio.wait_for(process.communicate(), LIMIT)
    assert process.returncode == 2
    assert all(name in said.decode() for name in wrong)
    assert b"Traceback" not in said


@pytest.mark.parametrize(
    ("address", "exit_code", "sentence"),
    [
        (
            "postgresql://ann:s3cret@127.0.0.1:1/games?channel_binding=require",
            1,
            "games on 127.0.0.1 can't be reached",
        ),
        ("postgresql://ann:s3cret@127.0.0.1:1/games?schema=cards", 2, "has the parameter schema"),
        ("postgresql://ann:s3cret@127.0.0.1:1/games?sslrootcert=/no/where", 2, "/no/where, named by sslrootcert in"),
    ],
)
async def test_42_1_1_a_database_server_that_is_away_may_come_back_and_a_wrong_address_may_not(
    address: str, exit_code: int, sentence: str
) -> None:
    code, said = await start("recount", BIGGER_DATABASE=address)
    assert (code, sentence in said, "s3cret" in said, "Traceback" in said) == (exit_code, True, False, False), said


async def test_42_1_6_output_whose_encoding_lacks_suits_ends_in_no_traceback() -> None:
    code, said = await start("record", "show", "docs/match.example.json", PYTHONIOENCODING="cp1252")
    assert code == 0, said
    assert "\\u" in said


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
    assert all(word in said for word in ("serve", "exit codes", "1  a temporary problem", "2  something to fix"))


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    return {"BIGGER_DATABASE": str(tmp_path / "bigger.db"), "BIGGER_CARD_EMOJI": "no"}


async def ended(discord: Discord, settings: dict[str, str]) -> tuple[int, str]:
    """Start a bot that soon fails; return its exit code and output."""
    create_blank_database(Path(settings["BIGGER_DATABASE"]))
    bot = BotProcess(discord, env=settings)
    with pytest.raises(RuntimeError):
        await bot.start()
    assert bot.tracebacks == []
    return await bot.wait(), bot.output


async def test_a_damaged_store_is_left_alone(settings: dict[str, str]) -> None:
    database = Path(settings["BIGGER_DATABASE"])
    database.write_bytes(b"no database at all" * 500)
    async with Discord() as there:
        code, said = await ended(there, settings)
    assert code == 2
    assert str(database) in said
    assert database.read_bytes() == b"no database at all" * 500


async def test_a_refused_token_is_one_sentence(settings: dict[str, str]) -> None:
    async with Discord() as there:
        there.faults.fail("GET", "/users/@me", status=401, times=None)
        _, said = await ended(there, settings)
        assert "Discord refused the token" in said
        assert there.token not in said


@pytest.mark.parametrize(
    ("path", "status", "code", "sentence"),
    [("/users/@me", 503, 1, "is having trouble"), (r"/applications/\d+/commands", 403, 2, "won't let the bot")],
)
async def test_discord_in_trouble_is_one_sentence(
    settings: dict[str, str], path: str, status: int, code: int, sentence: str
) -> None:
    async with Discord() as there:
        fault = there.faults.fail("GET", path, status=status, times=None)
        ended_with, said = await ended(there, settings)
        assert fault.hits
        assert ended_with == code
        assert sentence in said


async def test_without_a_network_it_is_one_sentence(settings: dict[str, str]) -> None:
    async with Discord() as there:
        nowhere = {"STANDIN_API": "http://127.0.0.1:9/api/v10"}
        code, said = await ended(there, {**settings, **nowhere})
    assert (code, said) == (1, "Discord can't be reached. Check the connection and start again.")


async def test_no_session_is_begun_that_discord_does_not_allow(settings: dict[str, str]) -> None:
    """Discord would end all sessions and take the token away."""
    async with Discord() as there:
        there.starts_left, there.shards = 1, 2
        code, said = await ended(there, settings)
        assert code == 1
        assert "no more starts today; the next one in 24.0 hours" in said


async def test_a_first_start_invites_and_registers_and_the_next_one_registers_nothing(settings: dict[str, str]) -> None:
    """It serves on as many shards as Discord recommends, and ends where Discord ends its session for good."""
    create_blank_database(Path(settings["BIGGER_DATABASE"]))
    async with Discord() as there:
        there.shards = 2
        there.add_guild("Another Club")
        async with BotProcess(there, "tests.restart.gc_report_bot", env=settings) as bot:
            await there.until(lambda: "is ready. Servers: 2." in bot.output)
            assert sorted(session.shard for session in there.gateway.all_live()) == [0, 1]
            assert "scope=bot+applications.commands" in bot.output
            (asked,) = re.findall(r"permissions=(\d+)", bot.output)
            assert {name for name, on in discord.Permissions(int(asked)) if on} == {
                "read_messages",
                "send_messages",
                "send_messages_in_threads",
                "create_public_threads",
                "read_message_history",
                "attach_files",
            }, "it sees channels and writes there, and nothing more"
            assert len(there.log.matching("PUT", r".*/commands")) == 1
            the_collector_passes_over_what_was_loaded(bot)
            await bot.stop()
            there.shards = 1
            await bot.start()
            await there.until(lambda: bot.output.count("is ready") == 2)
            assert len(there.log.matching("PUT", r".*/commands")) == 1, "the same commands are registered once"
            await there.gateway.disconnect(4004)
            assert await asyncio.wait_for(bot.wait(), LIMIT) == 2
            assert "new one" in bot.output
            assert bot.tracebacks == []


def the_collector_passes_over_what_was_loaded(bot: BotProcess) -> None:
    """Issue 39, 1.6: looking at all of it held the loop for an eighth of a second."""
    told = next(line for line in bot.lines if line.startswith("collector"))
    frozen, left = map(int, told.split()[1:])
    assert frozen > 10 * left


def closed(code: int) -> discord.ConnectionClosed:
    """Return what discord.py raises where the gateway closes a session for good."""
    socket: Any = SimpleNamespace(close_code=code)
    return discord.ConnectionClosed(socket, shard_id=None)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(closed(4004), "new one"), (closed(4012), "code 4012"), (discord.PrivilegedIntentsRequired(None), "intent")],
)
def test_a_session_that_discord_ends_for_good_is_one_sentence(error: Exception, sentence: str) -> None:
    why = why_not(error)
    assert why is not None
    assert sentence in str(why)
    assert not why.passing


# Card pictures

EMOJI = "/applications/*/emojis"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be few cards, for each has four pictures: in four colours and picked, and both in two."""
    monkeypatch.setattr(emoji, "every_card", lambda: every_card()[::4])


@pytest.mark.usefixtures("few")
async def test_card_pictures_are_uploaded_once_and_cards_are_text_until_all_are_there(here: World) -> None:
    await with_pictures(here)
    assert uploads(here) == sum(len(look.names()) for look in CARD_STYLES)
    lose(here, {name for look in CARD_STYLES[1:] for name in look.names().values()})  # as if it had been killed by then
    here.env.inject_error("POST", EMOJI, status=500, times=1)
    await here.restart(card_emoji=True)
    assert "<:" not in await an_article(here)
    before = uploads(here)
    await here.advance(seconds=RETRY_SECONDS + 1)
    await here.parts.emoji.wait_until_ready(SETTLE_TIMEOUT)
    assert uploads(here) - before == sum(len(look.names()) for look in CARD_STYLES[1:]), "it goes on where it was"
    assert "<:" in await an_article(here)


@pytest.mark.usefixtures("few")
async def test_cards_that_are_new_are_uploaded_alone(here: World) -> None:
    await with_pictures(here)
    before, other = uploads(here), {str(tile) for tile in set(every_card()).difference(pack())}
    tiles = {name for look in CARD_STYLES for card, name in look.names().items() if card in other}
    assert tiles
    lose(here, tiles)  # as it was before there were tiles
    await with_pictures(here)
    assert uploads(here) - before == len(tiles)


async def with_pictures(here: World) -> None:
    """Restart the bot, and wait for its uploads."""
    await here.restart(card_emoji=True)
    await here.parts.emoji.wait_until_ready(SETTLE_TIMEOUT)


def uploads(here: World) -> int:
    return here.requests("POST", EMOJI)


def lose(here: World, names: AbstractSet[str]) -> None:
    """Delete these emoji."""
    known = here.env.backend.application_emojis
    for number in [number for number, known_as in known.items() if known_as.name in names]:
        del known[number]


async def an_article(here: World) -> str:
    """What the rules say with cards in it."""
    return (await here.slash("ann", "learn rules", article="4.2")).text
