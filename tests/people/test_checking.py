"""Check this deal: a number to keep before the first card, a seed after each hand, and the cards again from it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bot.ops.command_line import run
from bot.ops.shutdown import SignalHandler
from bot.rules.core.cards import SeededRandom, write
from bot.rules.matches.match import Match
from bot.rules.matches.seal import chain_seed, earlier_link
from bot.show.kit.layout import DOTS
from bot.table.core.commands import EndMatch
from bot.table.core.state import Moderator
from bot.table.table import Table
from tests.people.test_hand_end import open_first_match
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SHORT_HANDS, World, world

DEAL = SHORT_HANDS  # whose cards do not matter

KEY = "5e" * 32
NUMBER = re.compile(r"^`([0-9a-f]{64})`$", re.MULTILINE)
COMMAND = re.compile(r"`python -m bot (verify [^`]+)`")
PAGE = Path(__file__).parents[2] / "docs" / "playing.md"


async def open_verification(here: World, name: str, table: Table) -> ParsedMessage:
    """What a player sees who checks the deals of a table by way of its rules."""
    return private_reply(await here.press_on(name, await here.press(name, table, "Rules"), "Check this deal"))


def run_command_line(capsys: pytest.CaptureFixture[str], words: str) -> tuple[int, str]:
    """What the command line says to these words, and its exit code."""
    capsys.readouterr()
    code = run(words.split(), SignalHandler())
    told = capsys.readouterr()
    return code, told.out or told.err


def dealt_cards(match: Match, number: int) -> list[str]:
    """The cards of a first hand, as the command line writes them."""
    rules = match.rules
    seeded = SeededRandom(earlier_link(KEY, 1000 - number))
    first = rules.deal(seeded, match.game.dealer)
    return [f"{seat + 1}: {write(first.view(seat).hand)}" for seat in range(rules.players)]


async def test_a_match_is_committed_before_its_first_card_and_revealed_hand_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with world(tmp_path, deal=chain_seed(KEY)) as here:
        table = await here.open_table(hands=2, seats=2)
        before = await open_verification(here, "dev", table)  # who does not even sit there
        (promise,) = NUMBER.findall(before.text)
        assert promise == earlier_link(KEY, 1000)
        assert "When a hand is over, its seed appears here" in before.text
        await here.press("ben", table, "Join")
        await here.press("ann", table, "Start")
        assert NUMBER.findall((await open_verification(here, "ben", table)).text) == [promise]
        for name in ("ann", "ben"):
            here.leave_screen(name)
        await here.play_hand(table)
        first = private_reply(await here.press("ben", table, "Check this deal"))
        assert NUMBER.findall(first.text) == [promise, earlier_link(KEY, 999)]
        assert "Hand 1 is open. Its seed is:" in first.text
        assert "Its SHA-256 is the number above." in first.text
        (words,) = COMMAND.findall(first.text)
        assert table.match is not None
        held = dealt_cards(table.match, 1)
        assert run_command_line(capsys, words) == (
            0,
            "\n".join(["The seed is right. The cards, by the order on the board:", *held, ""]),
        )
        for name in ("ann", "ben"):
            await here.press(name, table, "Ready")
        await here.restart()
        table = await here.reload(table)
        assert NUMBER.findall((await open_verification(here, "ann", table)).text) == [promise, earlier_link(KEY, 999)]
        await here.play_hand(table)
        last = private_reply(await here.press("dev", table, "Check this deal"))
        assert NUMBER.findall(last.text) == [promise, earlier_link(KEY, 998)]
        assert "is the seed of the hand before; 2 times on, it is the number above." in last.text
        (words,) = COMMAND.findall(last.text)
        assert run_command_line(capsys, words)[0] == 0
        assert table.match is not None
        code, told = run_command_line(capsys, f"{words} --dealer {table.match.game.dealer + 1}")
        assert (code, told.splitlines()[1:]) == (0, dealt_cards(table.match, 2))
        shown = [ParsedMessage.of(each).text for each in here.channel.history()]
        assert not re.search("[0-9a-f]{32}", "\n".join(shown))
        await the_replay_opens_each_hand(here, table, capsys)


async def the_replay_opens_each_hand(here: World, table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    """Check each hand of a finished match where it is stepped through."""
    playback = await open_first_match(here, "dev")
    first = private_reply(await here.press_in_menu("dev", playback, "Check"))
    assert NUMBER.findall(first.text) == [earlier_link(KEY, 1000), earlier_link(KEY, 999)]
    assert f"The deals of Big Two, table {table.row.number}" in first.text
    assert "Hand 1 is open. Its seed is:" in first.text
    for label in ("Back", "Back", "⏭", DOTS):
        await here.press_on("dev", playback, label)
    assert private_reply(playback).buttons["Check"][0].startswith(f"bv:verify:{table.id}:{table.moment}:")
    last = private_reply(await here.press_on("dev", playback, "Check"))
    assert "Hand 2 is open. Its seed is:" in last.text
    assert NUMBER.findall(last.text) == [earlier_link(KEY, 1000), earlier_link(KEY, 998)]
    (words,) = COMMAND.findall(last.text)
    assert run_command_line(capsys, words)[0] == 0


async def test_the_seed_of_an_unfinished_hand_is_never_revealed(tmp_path: Path) -> None:
    async with world(tmp_path, deal=chain_seed(KEY)) as here:
        table = await here.start_table("ben", hands=2, seats=2)
        await here.play_hand(table)
        for name in ("ann", "ben"):
            await here.press(name, table, "Ready")
        await here.act(str(here.current_player(table)), table)
        assert table.stage == "playing"
        await table.do(EndMatch(Moderator(here.people["dev"].id, "dev")))
        playback = await open_first_match(here, "dev")
        for step in (0, table.state.ply, 10**9):
            shown = private_reply(await here.forge(here.people["dev"], playback, f"bv:verify:{table.id}:{step}")).text
            assert NUMBER.findall(shown) == [earlier_link(KEY, 1000), earlier_link(KEY, 999)]


async def test_a_match_of_an_earlier_version_is_revealed_as_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with world(tmp_path, deal="ab" * 32) as here:
        table = await here.start_table("ben", hands=2, seats=2)
        before = await open_verification(here, "ben", table)
        (promise,) = NUMBER.findall(before.text)
        assert "The deal of hand 1 was locked in before its first card" in before.text
        await here.play_hand(table)
        after = private_reply(await here.press("ben", table, "Check this deal"))
        assert NUMBER.findall(after.text)[0] == promise
        (words,) = COMMAND.findall(after.text)
        assert table.match is not None
        code, told = run_command_line(capsys, f"{words} --dealer {table.match.game.dealer + 1}")
        assert code == 0
        assert told.startswith("The seed is right. The cards")
        for name in ("ann", "ben"):
            await here.press(name, table, "Ready")
        assert NUMBER.findall((await open_verification(here, "ben", table)).text) not in (
            [],
            [promise],
        )  # a number for each hand


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (
            f"B2:std 2 {earlier_link(KEY, 999)} {earlier_link(KEY, 1000)}",
            "This isn't the seed that was committed to for hand 2.",
        ),
        (f"B2:std 1 {'0' * 64} {earlier_link(KEY, 1000)}", "This isn't the seed that was committed to for hand 1."),
        (f"B2:std 0 {'0' * 64} {'0' * 64}", "A match has hands from 1 to 1000."),
        (f"B2:no 1 {earlier_link(KEY, 999)} {earlier_link(KEY, 1000)}", "Big Two has no preset no."),
        (f"B2:std 1 {earlier_link(KEY, 999)} {earlier_link(KEY, 1000)} --dealer 5", "--dealer goes from 1 to 4."),
    ],
)
def test_a_mismatch_is_reported_with_exit_code_1(capsys: pytest.CaptureFixture[str], words: str, wrong: str) -> None:
    code, told = run_command_line(capsys, f"verify {words}")
    assert code == 1
    assert wrong in told


def test_the_shell_commands_of_the_verification_page_are_correct(capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (loop,) = re.findall(r"\n(    s=[0-9a-f]{64}[^\n]*\n    for i in[^\n]+)", page)
    told = subprocess.run(["bash", "-c", loop], capture_output=True, text=True, check=True).stdout
    assert told.strip() == earlier_link(KEY, 1000)
    ((words, answer),) = re.findall(r"\n    \.venv/bin/python -m bot (verify [^\n]+)\n((?:    [^\n]+\n)+)", page)
    assert run_command_line(capsys, words) == (0, re.sub(r"(?m)^    ", "", answer))
