"""Every registered game can be offered: named, described, its presets and options in words."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.rules.variants.registration import RegisteredGame
from bot.show.kit.words import LOCALES, words
from bot.show.rulebook.articles import book
from bot.show.typed.games import fitting, game_option, matching_games, plain
from tests.support.languages import CODES

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
BIG_TWO = GAMES["big_two"]


@games
def test_every_preset_has_a_name_and_makes_rules(game: RegisteredGame) -> None:
    assert list(game.sheet.presets) == list(game.presets)
    for preset in game.presets:
        assert game.rules(preset).game == game.name
        assert game.rules(preset).players in game.seats
        assert game.changes(game.rules(preset), preset) == {}


@games
def test_every_option_that_can_be_changed_has_words(game: RegisteredGame) -> None:
    assert tuple(game.sheet.options) == game.options
    for option in game.sheet.options.values():
        assert option.title
        assert option.text
        assert all(choice.words for choice in option.choices)


@games
def test_preset_names_and_codes_are_unique(game: RegisteredGame) -> None:
    names = game.sheet.presets.values()
    assert len({each.code for each in names}) == len({each.title for each in names}) == len(names)
    for each in names:
        for spelling in (each.code, each.name, each.title, each.title.upper()):
            assert game.sheet.preset(spelling) == each


def test_games_are_named_in_every_language() -> None:
    assert sorted(CODES) == sorted(path.name for path in LOCALES.iterdir() if path.is_dir())


@games
@pytest.mark.parametrize("language", CODES)
def test_every_game_is_offered_in_one_whole_line(game: RegisteredGame, language: str) -> None:
    w = words(language)
    line = game_option(game, w)
    assert w(game.title) in line
    assert w(game.line) in line  # nothing is cut off
    assert len(line) <= 100
    assert {str(game.seats[0]), str(game.seats[-1])} <= set(game.line.replace(",", " ").split())


@games
@pytest.mark.parametrize("language", CODES)
def test_every_game_matches_each_of_its_names(game: RegisteredGame, language: str) -> None:
    title = words(language)(game.title)
    for name in (
        game.name,
        game.sheet.code,
        title,
        title.upper(),
        f" {plain(title)} ",
        game_option(game, words(language)),
    ):
        assert matching_games(name) == [game]
        assert game in fitting(name)


def test_matches_of_names_precede_matches_of_descriptions() -> None:
    assert matching_games("two") == [BIG_TWO]
    assert fitting("two")[0] == BIG_TWO
    assert len(fitting("two")) > 1


def test_empty_input_matches_every_game_and_nonsense_none() -> None:
    assert matching_games(None) == matching_games(" ") == fitting("") == list(GAMES.values())
    assert matching_games("chess") == fitting("chess") == []


@pytest.mark.parametrize(
    ("typed", "same"),
    [("Tàihé A Bāo", "taihe a bao"), ("  ÉCOLE", "e\u0301cole "), ("Straße", "STRASSE"), ("泰和Ａ包", "泰和a包")],
)
def test_case_accents_and_spaces_do_not_count(typed: str, same: str) -> None:
    assert plain(typed) == plain(same)


@games
@pytest.mark.parametrize("locale", CODES)
def test_every_game_has_a_rule_page(game: RegisteredGame, locale: str) -> None:
    assert book(game.name, locale).sections


def test_lists_stand_for_tuples() -> None:
    rules = BIG_TWO.rules("pagat", announce_at=[1, 2], bands=[[1, 1], [10, 2]], diff_bands=[[1, 3]])
    assert BIG_TWO.changes(rules, "pagat") == {
        "announce_at": (1, 2),
        "bands": ((1, 1), (10, 2)),
        "diff_bands": ((1, 3),),
    }
    assert hash(rules.options) == hash(BIG_TWO.rules("pagat", **BIG_TWO.changes(rules, "pagat")).options)


def test_requests_become_options() -> None:
    assert BIG_TWO.wish("pagat", {}, hands=3, stake=5, target=None) == {"match_end": "deals", "deals": 3, "stake": 5}
    assert BIG_TWO.wish("pagat", {"stake": 5, "triples": False}, stake=2) == {"stake": 2, "triples": False}


@pytest.mark.parametrize("seats", BIG_TWO.seats)
@pytest.mark.parametrize(
    "preset", ["pagat", "denexa", "pusoy_dos", "taiwan", "lectio_tiles", "three_player", "two_player"]
)
def test_changing_the_seats_adapts_the_deal(preset: str, seats: int) -> None:
    assert BIG_TWO.rules(preset, **BIG_TWO.wish(preset, {}, seats=seats)).players == seats


@games
def test_common_requests_apply_to_every_game(game: RegisteredGame) -> None:
    assert game.wishes.keys() <= {"seats", "hands", "target", "stake"}


def test_an_unknown_request_or_preset_is_an_error() -> None:
    with pytest.raises(KeyError):
        BIG_TWO.wish("pagat", {}, jokers=2)
    with pytest.raises(KeyError):
        BIG_TWO.rules("nowhere")
