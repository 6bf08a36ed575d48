"""Every registered game can be offered: named, described, its presets and options in words."""

from __future__ import annotations

import pytest

from bot.rules.registry import GAMES, Registered
from bot.show.rulebook import book

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
BIG_TWO = GAMES["big_two"]


@games
def test_every_preset_has_a_name_and_makes_rules(game: Registered) -> None:
    assert list(game.sheet.presets) == list(game.presets)
    for preset in game.presets:
        assert game.rules(preset).game == game.name
        assert game.rules(preset).players in game.seats
        assert game.changes(game.rules(preset), preset) == {}


@games
def test_every_option_that_can_be_changed_has_words(game: Registered) -> None:
    assert tuple(game.sheet.options) == game.options
    for option in game.sheet.options.values():
        assert option.title
        assert option.text
        assert all(choice.words for choice in option.choices)


@games
def test_names_of_presets_are_their_own(game: Registered) -> None:
    names = game.sheet.presets.values()
    assert len({each.code for each in names}) == len({each.title for each in names}) == len(names)
    for each in names:
        for spelling in (each.code, each.name, each.title, each.title.upper()):
            assert game.sheet.preset(spelling) == each


@games
@pytest.mark.parametrize("locale", ["en", "zh_CN"])
def test_every_game_has_a_rule_page(game: Registered, locale: str) -> None:
    assert book(game.name, locale).sections


def test_lists_stand_for_tuples() -> None:
    rules = BIG_TWO.rules("pagat", announce_at=[1, 2], bands=[[1, 1], [10, 2]], diff_bands=[[1, 3]])
    assert BIG_TWO.changes(rules, "pagat") == {
        "announce_at": (1, 2),
        "bands": ((1, 1), (10, 2)),
        "diff_bands": ((1, 3),),
    }
    assert hash(rules.options) == hash(BIG_TWO.rules("pagat", **BIG_TWO.changes(rules, "pagat")).options)


def test_wishes_become_options() -> None:
    assert BIG_TWO.wish("pagat", {}, hands=3, stake=5, target=None) == {"match_end": "deals", "deals": 3, "stake": 5}
    assert BIG_TWO.wish("pagat", {"stake": 5, "triples": False}, stake=2) == {"stake": 2, "triples": False}


@pytest.mark.parametrize("seats", BIG_TWO.seats)
@pytest.mark.parametrize(
    "preset", ["pagat", "denexa", "pusoy_dos", "taiwan", "lectio_tiles", "three_player", "two_player"]
)
def test_a_wish_for_other_seats_deals_so_that_they_all_get_cards(preset: str, seats: int) -> None:
    assert BIG_TWO.rules(preset, **BIG_TWO.wish(preset, {}, seats=seats)).players == seats


def test_an_unknown_wish_or_preset_is_an_error() -> None:
    with pytest.raises(KeyError):
        BIG_TWO.wish("pagat", {}, jokers=2)
    with pytest.raises(KeyError):
        BIG_TWO.rules("nowhere")
