"""Cutting the cards: a word on top of what is settled, given after the number is told and before the first card."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.domain.chairs import by_seat
from bot.domain.ids import UserId
from bot.games import GAMES
from bot.rules.matches.match_file import ExportedMatch, export, faults
from bot.rules.matches.seal import chain_seed, cut_from_words, deal_seed, earlier_link, with_cut
from bot.show.kit.layout import DOTS
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.people.test_checking import COMMAND, KEY, NUMBER, dealt_cards, open_verification, run_command_line
from tests.people.test_rules import fill_form
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

SEED = chain_seed(KEY)
FULL = earlier_link(KEY, 1000)


async def open_cut_screen(here: World, name: str, table: Table) -> InteractionResult:
    """Open the screen for cutting the cards."""
    return await here.press_on(name, await here.press(name, table, DOTS), "Cut the cards")


async def cut_with_picture(here: World, name: str, table: Table, picture: int = 0) -> str:
    """Cut with an offered picture; return the picture."""
    shown = await open_cut_screen(here, name, table)
    assert NUMBER.findall(private_reply(shown).text) == [FULL]  # told in full before any word is taken
    label = list(private_reply(shown).buttons)[picture]
    after = await here.press_on(name, shown, label)
    assert f"You cut with **{label}**." in private_reply(after).text
    return label


async def test_the_commitment_is_shown_words_are_collected_and_the_deal_combines_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with world(tmp_path, deal=SEED) as here:
        table = await here.open_table(hands=1)
        await here.press("ben", table, "Join")
        first = await cut_with_picture(here, "ben", table)
        assert (
            first not in (await open_verification(here, "cleo", table)).text
        )  # words are not shown before they are closed
        await here.restart()
        table = await here.reload(table)
        await here.press("ann", table, "Play now")
        words = (None, first, None, None)
        assert table.row.seed == with_cut(SEED, cut_from_words(words))
        shown = (await open_verification(here, "dev", table)).text
        assert f"**ben** cut with {first}." in shown
        assert NUMBER.findall(shown) == [FULL, cut_from_words(words)]
        assert "Cut by ben." in ParsedMessage.of(here.board(table)).text
        late = await here.forge(here.people["ben"], await here.open_hand("ben", table), f"bg:{table.id}:cut:1")
        assert private_reply(late).text == "This match has already started."
        await here.play_hand(table)
        over = private_reply(await here.press("dev", table, "Check this deal")).text
        (command,) = COMMAND.findall(over)
        assert f"--cut {cut_from_words(words)}" in command
        code, told = run_command_line(capsys, command)
        held = [line.split(": ")[1] for line in told.splitlines()[1:]]
        assert (code, len(held)) == (0, 4)
        assert table.match is not None
        assert held != [line.split(": ")[1] for line in dealt_cards(table.match, 1)]  # as they would have been without


def test_different_cut_words_never_give_the_same_cut() -> None:
    given = [("a", "b"), ("ab", None), (None, "ab"), ('a","b', None), ("a", None, "b"), ("null", None), (None, None)]
    assert len({cut_from_words(words) for words in given}) == len(given)
    assert cut_from_words(("river", None, "🐢")) == cut_from_words(json.loads('["river",null,"\\ud83d\\udc22"]'))
    assert deal_seed(SEED, 1) == earlier_link(KEY, 999)
    assert re.fullmatch("[0-9a-f]{64}", deal_seed(with_cut(SEED, cut_from_words(("a",))), 1))


async def test_a_cut_word_is_exported_with_the_match_and_deleted_with_its_author(tmp_path: Path) -> None:
    async with world(tmp_path, deal=SEED) as here:
        table = await here.open_table(hands=1, seats=2)
        await here.press("ben", table, "Join")
        form = await here.press_on("ben", await open_cut_screen(here, "ben", table), "Type a word…")
        assert "**\\*rain\\***" in private_reply(await fill_form(here, "ben", form, word=" *rain* ")).text
        shown = await open_cut_screen(here, "ann", table)
        taken = await here.press_on("ann", shown, next(iter(private_reply(shown).buttons)))
        back = await here.press_on("ann", taken, "Withdraw")
        assert "Withdraw" not in private_reply(back).buttons
        await here.press("ann", table, "Start")
        for name in ("ann", "ben"):
            here.leave_screen(name)
        await here.play_hand(table)
        assert [(cut.seat, cut.word) for cut in table.row.cuts] == [(1, "*rain*")]
        found = export_match(table)
        assert (found.words, list(faults(found))) == ((None, "*rain*"), [])
        assert ExportedMatch.from_json(found.to_json(), GAMES) == found
        told = "The words of the players are not those by which the cards were cut."
        assert list(map(str, faults(replace(found, words=("*rain*", None))))) == [told]
        await here.parts.store.deletions.forget_person(UserId(here.people["ben"].id))
        await here.restart()
        found = export_match(await here.reload(table))
        assert (found.words, list(faults(found))) == (None, [])  # what was dealt stays what it was


def export_match(table: Table) -> ExportedMatch:
    """The match of a table as a file."""
    row = table.row
    found = export(record_of(row), ("A", "B"), (1, 2), by_seat(row.cuts, row.seats))
    assert found is not None
    return found


async def test_2_7_the_cut_screen_says_that_words_cannot_stop_the_operator(here: World) -> None:
    table = await here.open_table(seats=2, hands=1)
    shown = await open_cut_screen(here, "ann", table)
    assert "It can't stop the bot's operator, who can" in private_reply(shown).text
    assert "It can't stop the bot's operator, who can" in private_reply(shown).text
    form = str(await here.press_on("ann", shown, "Type a word…"))
    assert "Nobody sees it" not in form
    check_screen = (await open_verification(here, "ben", table)).text
    assert "So nobody can change the deal once a match" in check_screen
    assert "keeps whoever runs the bot" not in check_screen
