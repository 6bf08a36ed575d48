"""What the operator says to all: no new tables, a notice on every board, who is not served; and who may not."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio

from bot.domain import operator_notice
from bot.domain.operator_notice import STORED_KEY, OperatorState
from bot.show.kit.words import words
from tests.standin.fork_server import run_program
from tests.standin.realm import SEVERAL_WAITS
from tests.support.languages import LOCALES
from tests.support.message_text import private_reply
from tests.support.world import World

pytestmark = pytest.mark.timeout(SEVERAL_WAITS)
CLOSED, NO_MORE = "I'm not opening new tables right now.", "I'm not opening new tables right now"
ADMINS = "boss", "admin"  # to both of whom Discord shows the command
NOT_SERVED = "The operator of this bot has stopped serving you."


async def run_operator_command(database: Path, *said: str) -> tuple[int, str]:
    """Say something on the command line; return the exit code and what it says."""
    env = {**os.environ, "DISCORD_TOKEN": "", "BIGGER_DATABASE": str(database)}
    code, told = await run_program("bot", "upkeep", *said, env=env)
    assert "Traceback" not in told
    return code, told


@pytest_asyncio.fixture
async def owned(here: World) -> AsyncIterator[World]:
    """Give a server on which the operator has a command."""
    await here.restart(owner_server=here.guild.id)
    admin = here.guild.create_role("admin", permissions=discord.Permissions(administrator=True))
    for name in ADMINS:
        here.arrive(name, admin)
    yield here


def make_operator(here: World, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a person the operator of the bot."""
    monkeypatch.setattr(here.bot, "owner_id", here.people[name].id)


async def use_operator_command(here: World, name: str, command: str, **options: Any) -> str:
    return (await here.slash(name, f"upkeep {command}", **options)).text


# By the command line, while the bot runs


async def test_operator_commands_reach_a_running_bot_within_a_minute(here: World) -> None:
    before = await here.open_table("ann")
    assert await run_operator_command(here.database_file, "close", "Back at eight.") == (
        0,
        "Done. A running bot follows within a minute.\n",
    )
    await here.advance(seconds=61)
    assert f"📣 {CLOSED} Back at eight." in here.read_board(before).text
    assert NO_MORE in (await here.slash("ben", "deal", pace="none")).text
    await here.press("ben", before, "Join")
    await here.press("ann", before, "Play now")
    assert before.stage == "playing", "what is open goes on"
    assert "Back at eight." in here.read_board(before).text
    assert (await run_operator_command(here.database_file, "open"))[0] == 0
    await here.advance(seconds=61)
    assert "📣" not in here.read_board(before).text
    assert len((await here.open_table("cleo")).row.chairs) == 1
    code, shown = await run_operator_command(here.database_file, "show")
    assert code == 0
    assert shown.splitlines()[:4] == [
        "new tables: opened",
        "notice: none",
        "persons that are not served: 0",
        "servers that are not served: 0",
    ]
    assert [line.split("command line: ")[1] for line in shown.splitlines()[4:]] == ["close Back at eight.", "open"]


async def test_an_announcement_closes_nothing_and_survives_a_restart(here: World) -> None:
    table = await here.open_table("ann")
    await run_operator_command(here.database_file, "announce", "Tonight at @everyone <@123>")
    await here.advance(seconds=61)
    assert "📣 Tonight at @" in here.read_board(table).text
    assert "@everyone" not in here.read_board(table).text
    assert CLOSED not in here.read_board(table).text
    await here.restart()
    other = await here.open_table("ben")
    assert "📣 Tonight" in here.read_board(other).text
    await run_operator_command(here.database_file, "announce")
    await here.advance(seconds=61)
    assert "📣" not in here.read_board(other).text


async def test_idle_tables_show_the_announcement_gradually(here: World) -> None:
    tables = [await here.open_table(name) for name in ("ann", "ben", "cleo")]
    here.parts.tables.drop(lambda row: row.id != tables[1].id)
    await run_operator_command(here.database_file, "announce", "Tonight.")
    await here.advance(seconds=61)
    for table in tables:
        assert "📣 Tonight." in here.read_board(await here.reload(table)).text


async def test_announcements_use_the_language_of_each_board(here: World) -> None:
    await run_operator_command(here.database_file, "close")
    await here.advance(seconds=61)
    for locale in LOCALES[1:]:
        here.locales["ann"] = locale
        w = words(locale)
        assert (await here.slash("ann", "deal")).text == w("I'm not opening new tables right now. Open ones continue.")


async def test_an_invalid_operator_command_is_refused_in_a_sentence(here: World, tmp_path: Path) -> None:
    code, said = await run_operator_command(here.database_file, "announce", "x" * 301)
    assert (code, said) == (2, "A notice has 300 characters at most, and this one 301.\n")
    code, said = await run_operator_command(tmp_path / "none.db", "close")
    assert code == 2
    assert "There is no database yet" in said
    code, said = await run_operator_command(here.database_file, "ban", "person", "ann")
    assert code == 2
    assert "invalid int value" in said


# Who is not served


async def test_a_banned_user_can_only_view_and_delete_their_data(here: World) -> None:
    table = await here.start_table("ben")
    await run_operator_command(here.database_file, "ban", "person", str(here.people["ben"].id))
    await here.advance(seconds=61)
    for text in (
        (await here.slash("ben", "desk")).text,
        private_reply(await here.press("ben", table, "My hand")).text,
    ):
        assert text.startswith(NOT_SERVED)
    data = await here.people["ben"].slash(here.channel, "my data")
    assert NOT_SERVED not in private_reply(data).text
    assert (
        "Here's everything I store about you"
        in private_reply(await here.press_on("ben", data, "Show me everything")).text
    )
    data = await here.people["ben"].slash(here.channel, "my data")
    deleting = await here.press_on("ben", data, "Delete everything")
    assert NOT_SERVED not in private_reply(deleting).text
    assert NOT_SERVED not in private_reply(await here.open_hand("ann", table)).text, "others are served"
    asked = private_reply(await here.press("ben", table, "Leave")).text
    assert asked.startswith("Leave Big Two, table 1?"), "nobody has to wait for them"
    kept = sqlite3.connect(here.database_file)
    with closing(kept):
        (value,) = kept.execute("SELECT value FROM notes WHERE key = ?", (STORED_KEY,)).fetchone()
    assert str(here.people["ben"].id) not in value, "who it is does not stand there"
    await run_operator_command(here.database_file, "unban", "person", str(here.people["ben"].id))
    await here.advance(seconds=61)
    assert NOT_SERVED not in (await here.slash("ben", "desk")).text


async def test_a_banned_server_is_left_even_after_a_new_invitation(here: World) -> None:
    other = here.env.create_guild(name="Elsewhere")
    await here.settle()
    assert here.bot.get_guild(other.id)
    await run_operator_command(here.database_file, "ban", "server", str(other.id))
    await here.advance(seconds=61)
    assert here.bot.get_guild(other.id) is None
    assert here.bot.get_guild(here.guild.id)


# By the operator, on Discord


async def test_the_operator_command_exists_on_one_server_only(owned: World) -> None:
    tree = owned.bot.tree
    assert tree.get_command("upkeep") is None
    assert tree.get_command("upkeep", guild=owned.bot.get_guild(owned.guild.id)) is not None
    assert [each.name for each in await tree.fetch_commands(guild=discord.Object(owned.guild.id))] == ["upkeep"]
    await owned.restart(owner_server=0)
    assert owned.bot.tree.get_command("upkeep", guild=owned.bot.get_guild(owned.guild.id)) is None
    assert await owned.bot.tree.fetch_commands(guild=discord.Object(owned.guild.id)) == [], "Discord shows it no more"


async def test_the_operator_uses_discord_commands_which_are_recorded(
    owned: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_operator(owned, "boss", monkeypatch)
    table = await owned.open_table("ben")
    said = await use_operator_command(owned, "boss", "close", text="An update.")
    assert said.startswith(f"Done. The boards will follow.\n{CLOSED}\nOn every board: An update.")
    assert f"📣 {CLOSED} An update." in owned.read_board(table).text
    assert NO_MORE in (await owned.slash("cleo", "deal", pace="none")).text
    await use_operator_command(owned, "boss", "ban", kind="person", number=str(owned.people["dev"].id))
    assert (await owned.slash("dev", "desk")).text.startswith(NOT_SERVED)
    await use_operator_command(owned, "boss", "unban", kind="person", number=str(owned.people["dev"].id))
    await use_operator_command(owned, "boss", "announce", text="Soon.")
    await use_operator_command(owned, "boss", "open")
    shown = await use_operator_command(owned, "boss", "show")
    deeds = [line.split(" · ")[-1] for line in shown.splitlines() if " · Discord · " in line]
    assert [deed.split()[0] for deed in deeds] == ["open", "announce", "unban", "ban", "close"]
    assert str(owned.people["dev"].id) not in shown
    assert (await run_operator_command(owned.database_file, "show"))[1].count("Discord: ") == 5


SAID: list[tuple[str, dict[str, str]]] = [
    ("show", {}),
    ("close", {}),
    ("open", {}),
    ("announce", {"text": "I was here"}),
    ("ban", {"kind": "person", "number": "1"}),
    ("unban", {"kind": "person", "number": "1"}),
]


async def test_operator_commands_are_refused_to_others_and_on_other_servers(
    owned: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_operator(owned, "boss", monkeypatch)
    for command, options in SAID:
        assert (
            await use_operator_command(owned, "admin", command, **options) == "That's for the operator of this bot."
        ), command
        assert owned.parts.decisions.known == OperatorState()
    object.__setattr__(owned.parts.settings, "owner_server", 1)  # another one by now; Discord still shows the command
    assert await use_operator_command(owned, "boss", "close") == "That's for the operator of this bot."


async def test_invalid_operator_commands_are_explained_and_the_record_is_bounded(
    owned: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_operator(owned, "boss", monkeypatch)
    for number in ("ann", "", "-1", "１２", "9" * 5000):
        assert "That isn't an ID. Turn on Developer Mode in" in await use_operator_command(
            owned, "boss", "ban", kind="person", number=number
        ), number
    assert "characters, and the limit is 300" in await use_operator_command(owned, "boss", "announce", text="x" * 301)
    assert owned.parts.decisions.known == OperatorState()
    monkeypatch.setattr(operator_notice, "MAX_RECORDED_ACTIONS", 3)
    for text in ("0", "1", "2", "3", "4"):
        await use_operator_command(owned, "boss", "announce", text=text)
    assert [deed.what for deed in owned.parts.decisions.known.done] == ["announce 2", "announce 3", "announce 4"]
