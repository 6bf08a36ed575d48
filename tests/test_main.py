# ruff: noqa: ASYNC240 - a test may wait for its own small files
"""Starting the program: output, registration of commands, and exit codes after errors."""

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
from tests.standin.fork_server import ROOT, run_program
from tests.standin.realm import SEVERAL_WAITS, WAIT_LIMIT
from tests.standin.world import World as Discord
from tests.support.blank_database import create_blank_database
from tests.support.world import SETTLE_TIMEOUT, World

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


async def run_to_end(*words: str, **settings: str) -> tuple[int, str]:
    """Run the program to its end; return the exit code and the output."""
    return await run_program("bot", *words, env={**os.environ, **settings})


async def test_one_message_names_all_invalid_settings() -> None:
    """The only cold start in this file: the others are forked from a loaded process."""
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
    said, _ = await asyncio.wait_for(process.communicate(), WAIT_LIMIT)
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
async def test_42_1_1_an_unreachable_database_is_a_temporary_error_and_an_invalid_address_a_permanent_one(
    address: str, exit_code: int, sentence: str
) -> None:
    code, said = await run_to_end("recount", BIGGER_DATABASE=address)
    assert (code, sentence in said, "s3cret" in said, "Traceback" in said) == (exit_code, True, False, False), said


async def test_42_1_6_output_in_an_encoding_without_suits_is_escaped() -> None:
    code, said = await run_to_end("record", "show", "docs/match.example.json", PYTHONIOENCODING="cp1252")
    assert code == 0, said
    assert "\\u" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["srve"], "knows no command 'srve'; did you mean serve?"), (["--quickly"], "Unrecognized arguments: --quickly")],
)
async def test_unknown_commands_and_options_are_refused_with_a_sentence(words: list[str], sentence: str) -> None:
    code, said = await run_to_end(*words)
    assert code == 2
    assert sentence in said
    assert "--help" in said
    assert len(said.splitlines()) == 1


async def test_help_lists_commands_and_exit_codes() -> None:
    code, said = await run_to_end("--help")
    assert code == 0
    assert all(word in said for word in ("serve", "exit codes", "1  a temporary problem", "2  something to fix"))


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    return {"BIGGER_DATABASE": str(tmp_path / "bigger.db"), "BIGGER_CARD_EMOJI": "no"}


async def run_failing_bot(discord: Discord, settings: dict[str, str]) -> tuple[int, str]:
    """Start a bot that fails to start; return the exit code and the output."""
    create_blank_database(Path(settings["BIGGER_DATABASE"]))
    bot = BotProcess(discord, env=settings)
    with pytest.raises(RuntimeError):
        await bot.start()
    assert bot.tracebacks == []
    return await bot.wait(), bot.output


async def test_a_damaged_database_is_reported_and_left_unchanged(settings: dict[str, str]) -> None:
    database = Path(settings["BIGGER_DATABASE"])
    database.write_bytes(b"no database at all" * 500)
    async with Discord() as there:
        code, said = await run_failing_bot(there, settings)
    assert code == 2
    assert str(database) in said
    assert database.read_bytes() == b"no database at all" * 500


async def test_a_refused_token_is_reported_without_the_token(settings: dict[str, str]) -> None:
    async with Discord() as there:
        there.faults.fail("GET", "/users/@me", status=401, times=None)
        _, said = await run_failing_bot(there, settings)
        assert "Discord refused the token" in said
        assert there.token not in said


@pytest.mark.parametrize(
    ("path", "status", "code", "sentence"),
    [("/users/@me", 503, 1, "is having trouble"), (r"/applications/\d+/commands", 403, 2, "won't let the bot")],
)
async def test_errors_of_discord_at_the_start_are_reported_in_one_sentence(
    settings: dict[str, str], path: str, status: int, code: int, sentence: str
) -> None:
    async with Discord() as there:
        fault = there.faults.fail("GET", path, status=status, times=None)
        ended_with, said = await run_failing_bot(there, settings)
        assert fault.hits
        assert ended_with == code
        assert sentence in said


async def test_a_missing_network_is_reported_in_one_sentence(settings: dict[str, str]) -> None:
    async with Discord() as there:
        nowhere = {"STANDIN_API": "http://127.0.0.1:9/api/v10"}
        code, said = await run_failing_bot(there, {**settings, **nowhere})
    assert (code, said) == (1, "Discord can't be reached. Check the connection and start again.")


async def test_the_bot_starts_no_session_beyond_the_daily_limit(settings: dict[str, str]) -> None:
    """Discord would close all sessions and reset the token."""
    async with Discord() as there:
        there.starts_left, there.shards = 1, 2
        code, said = await run_failing_bot(there, settings)
        assert code == 1
        assert "no more starts today; the next one in 24.0 hours" in said


async def test_the_first_start_logs_an_invite_link_and_registers_commands_and_the_second_does_not(
    settings: dict[str, str],
) -> None:
    """The bot uses the recommended number of shards, and exits when Discord closes its session for good."""
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
            }, "only permissions to read and write"
            assert len(there.log.matching("PUT", r".*/commands")) == 1
            check_that_the_collector_ignores_loaded_objects(bot)
            await bot.stop()
            there.shards = 1
            await bot.start()
            await there.until(lambda: bot.output.count("is ready") == 2)
            assert len(there.log.matching("PUT", r".*/commands")) == 1, "unchanged commands are not registered again"
            await there.gateway.disconnect(4004)
            assert await asyncio.wait_for(bot.wait(), WAIT_LIMIT) == 2
            assert "new one" in bot.output
            assert bot.tracebacks == []


def check_that_the_collector_ignores_loaded_objects(bot: BotProcess) -> None:
    """Issue 39, 1.6: a collection over all loaded objects blocked the loop for an eighth of a second."""
    counts = next(line for line in bot.lines if line.startswith("collector"))
    frozen, left = map(int, counts.split()[1:])
    assert frozen > 10 * left


def closed_session(code: int) -> discord.ConnectionClosed:
    """Return the error of discord.py for a session that the gateway closed for good."""
    socket: Any = SimpleNamespace(close_code=code)
    return discord.ConnectionClosed(socket, shard_id=None)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (closed_session(4004), "new one"),
        (closed_session(4012), "code 4012"),
        (discord.PrivilegedIntentsRequired(None), "intent"),
    ],
)
def test_a_session_closed_for_good_is_reported_in_one_sentence(error: Exception, sentence: str) -> None:
    why = why_not(error)
    assert why is not None
    assert sentence in str(why)
    assert not why.passing


# Card pictures

EMOJI = "/applications/*/emojis"


@pytest.fixture
def few_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use every fourth card only: each has four emoji, by color scheme and selection."""
    monkeypatch.setattr(emoji, "every_card", lambda: every_card()[::4])


@pytest.mark.usefixtures("few_cards")
async def test_card_emoji_are_uploaded_once_and_cards_are_text_until_all_exist(here: World) -> None:
    await restart_with_emoji(here)
    assert count_uploads(here) == sum(len(look.names()) for look in CARD_STYLES)
    others = {name for look in CARD_STYLES[1:] for name in look.names().values()}
    delete_emoji(here, others)  # as after a kill during the uploads
    here.env.inject_error("POST", EMOJI, status=500, times=1)
    await here.restart(card_emoji=True)
    assert "<:" not in await article_with_cards(here)
    before = count_uploads(here)
    await here.advance(seconds=RETRY_SECONDS + 1)
    await here.parts.emoji.wait_until_ready(SETTLE_TIMEOUT)
    assert count_uploads(here) - before == sum(len(look.names()) for look in CARD_STYLES[1:]), "the uploads resume"
    assert "<:" in await article_with_cards(here)


@pytest.mark.usefixtures("few_cards")
async def test_only_missing_card_emoji_are_uploaded(here: World) -> None:
    await restart_with_emoji(here)
    before, other = count_uploads(here), {str(tile) for tile in set(every_card()).difference(pack())}
    tiles = {name for look in CARD_STYLES for card, name in look.names().items() if card in other}
    assert tiles
    delete_emoji(here, tiles)  # as before tiles existed
    await restart_with_emoji(here)
    assert count_uploads(here) - before == len(tiles)


async def restart_with_emoji(here: World) -> None:
    """Restart the bot, and wait for its uploads."""
    await here.restart(card_emoji=True)
    await here.parts.emoji.wait_until_ready(SETTLE_TIMEOUT)


def count_uploads(here: World) -> int:
    return here.requests("POST", EMOJI)


def delete_emoji(here: World, names: AbstractSet[str]) -> None:
    """Delete these emoji of the application on Discord."""
    known = here.env.backend.application_emojis
    for number in [number for number, known_as in known.items() if known_as.name in names]:
        del known[number]


async def article_with_cards(here: World) -> str:
    """Return an article of the rules that shows cards."""
    return (await here.slash("ann", "learn rules", article="4.2")).text
