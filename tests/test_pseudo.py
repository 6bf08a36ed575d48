"""The pseudo-language where no screen carries it: how it is made, the forms, and the words in pictures."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from discord import ui

from bot.domain.ids import TableId
from bot.domain.languages import LANGUAGES, language_of
from bot.domain.working_hours import Hours
from bot.games import GAMES
from bot.show.kit.words import Words, words
from bot.show.lobby.cut import word_form
from bot.show.lobby.options import HINTS, code_form, save_form, value_form
from bot.show.matches.replay_menu import judging
from bot.show.people.working_hours import away_form, city_form
from bot.show.pictures import lettering, lobby, podium, table
from bot.show.pictures.canvas import Picture
from bot.show.rulebook.pages import higher_form, search_form
from bot.show.server.settings import zone_form
from bot.show.table.paces import times_form
from bot.show.table.table_picture import ended, filling, picture
from bot.show.translation.extraction import messages
from tests.laws.matches import PRESETS, positions
from tests.secrecy.two_worlds import any_record
from tests.support import scenes
from tests.support.languages import CODES, PSEUDO, Kind, accented, is_cut, pseudo, untranslated

VOICES = [*map(words, CODES), pseudo()]
NAMES = ("Ann", "Ben", "Mei", "Otto", "Rosa", "Bao", "Juno", "Lena", "Iggy")
CARDS = re.compile("[♢♣♡♠]")  # many of them on a narrow plate may be cut
EACH = 6  # positions of a preset


# How it is made


def test_a_message_gets_accents_and_a_third_more_letters() -> None:
    assert accented("Pass") == "Ṕááśś"
    assert accented("**{seat}** has `3d` … /turn") == "**{seat}** ĥááś `3d` ‥ /turn"
    found = [each.message for each in messages()]
    assert 1.25 < sum(len(accented(each)) for each in found) / sum(map(len, found)) < 1.4


def test_the_pseudo_language_is_not_offered() -> None:
    assert PSEUDO not in LANGUAGES
    assert language_of(PSEUDO.locales[0]) is None


def test_untranslated_text_is_found() -> None:
    assert untranslated(Kind.BUTTON, "Play ṕááíír", ()) == "Play"
    assert untranslated(Kind.TEXT, "Nobody translated this.", ()) == "Nobody translated this"
    assert not untranslated(Kind.TEXT, "Ann ṕĺáýś `3d` at 3 minutes", ("Ann", "at"))
    assert is_cut(Kind.BUTTON, "Ṕááí…")
    assert not is_cut(Kind.TEXT, f"**{'W' * 31}…** ṕááśśééś")


# Forms


def forms(w: Words) -> Iterator[ui.Modal]:
    """Yield every form there is, with those for numbers and lists of all games."""
    hours = Hours(scenes.NOW, "Asia/Taipei")
    yield from (search_form((), w), higher_form((), w), zone_form((), w), city_form(w))
    yield from (away_form(scenes.NOW, hours, w), judging(TableId(1), True, w), judging(TableId(1), False, w))
    for game in GAMES.values():
        here = scenes.scene_for_seat(0, scenes.lobby(game.rules(next(iter(game.presets))), scenes.CHAIRS))
        yield from (word_form(here, "", w), code_form(here, w), save_form(here, w), times_form(here, w))
        yield from (value_form(here, name, w) for name, rule in game.sheet.options.items() if rule.kind in HINTS)


def read(made: ui.Modal) -> Iterator[tuple[Kind, str]]:
    """Yield the texts of a form with their kinds."""
    yield Kind.TITLE, made.title
    for item in made.walk_children():
        match item:
            case ui.Label():
                yield from ((Kind.TITLE, item.text), (Kind.DESCRIPTION, item.description or ""))
            case ui.Select():
                yield from ((Kind.OPTION, each.label) for each in item.options)


@pytest.mark.parametrize("w", VOICES, ids=lambda w: w.language.name)
def test_form_texts_fit_in_every_language(w: Words) -> None:
    for kind, text in (line for made in forms(w) for line in read(made)):
        assert not is_cut(kind, text), text
        assert w.language is not PSEUDO or not untranslated(kind, text, ()), text


# Pictures


def pictures(name: str, preset: str, w: Words) -> Iterator[Picture]:
    """Yield pictures of a lobby, of some positions of a match, and of the end of a hand."""
    rng = random.Random(f"words {preset}")
    found = list(positions(any_record(name, preset, rng).begin(), rng, hands=1))
    seats = found[0].rules.players
    chairs = tuple(replace(scenes.CHAIRS[0], seat=seat, name=NAMES[seat], house=seat % 2 == 1) for seat in range(seats))
    yield filling(scenes.lobby(found[0].rules, chairs[:2]), w)
    for match in [*rng.sample(found, min(EACH, len(found))), found[-1]]:
        here = scenes.scene(match, chairs=chairs)
        assert here.view
        shown = ended(here, here.view, w) if match.game.result else picture(here, w)
        yield from [shown] if shown else []


@pytest.mark.rotates(4)
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_no_word_in_a_picture_is_cut(name: str, preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shortened = list[str]()

    def cut(text: str, size: int, most: int) -> str:
        shortened.extend([text] if lettering.width(text, size) > most else [])
        return text

    for module in (lettering, lobby, podium):
        monkeypatch.setattr(module, "cut", cut)
    for draw in (lettering.wrapped, lobby.draw, podium.draw, table.draw, table.middle_of, table.plate_of):
        draw.cache_clear()
    for w in VOICES:
        for shown in pictures(name, preset, w):
            shown.png()
            for line in shown.alt_text.splitlines() if w.language is PSEUDO else ():
                assert not untranslated(Kind.TITLE, line, NAMES), line
    assert [text for text in shortened if not CARDS.search(text)] == []
