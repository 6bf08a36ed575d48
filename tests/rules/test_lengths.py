"""The lengths that a lobby's menu offers: each once, each possible, and different in nothing but the length."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.rules.variants.lengths import PRESENT, lengths
from bot.rules.variants.registration import STORED
from bot.rules.variants.ruleset import Ruleset

PRESETS = [(game.name, preset) for game in GAMES.values() for preset in game.presets]


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_every_game_has_one_hand_and_five(game: str, preset: str) -> None:
    rules = Ruleset.of(GAMES[game], preset).with_wishes(stake=5)
    offered = lengths(rules)
    assert [offered[code].rules.hands for code in ("one", "five")] == [1, 5]
    assert rules in offered.values(), "the present length is among them"
    assert PRESENT not in offered
    options = GAMES[game].sheet.options
    for made in offered.values():
        assert {name for name in options if made.value(name) != rules.value(name) and not options[name].length} == set()


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_a_length_resets_the_options_of_the_others(game: str, preset: str) -> None:
    for made in lengths(Ruleset.of(GAMES[game], preset)).values():
        again = lengths(made)
        assert {code: rules.code for code, rules in again.items()} == {
            code: rules.code for code, rules in lengths(Ruleset.of(GAMES[game], preset)).items()
        }


def test_the_usual_target_and_no_end_are_offered_where_the_game_has_them() -> None:
    offered = lengths(Ruleset.of(GAMES["big_two"], "pagat"))
    assert list(offered) == ["one", "five", "target", "open"]
    assert offered["target"].rules.target == 100
    assert (offered["open"].rules.hands, offered["open"].rules.target) == (None, None)
    assert not {"target", "open"} & lengths(Ruleset.of(GAMES["big_little_a"], "standard")).keys()


def test_a_custom_length_is_offered_unchanged() -> None:
    rules = Ruleset.of(GAMES["big_two"], "pagat").with_wishes(hands=7)
    assert lengths(rules)[PRESENT] == rules
    assert list(lengths(rules)) == ["one", "five", "target", "open", PRESENT]


def test_the_length_of_a_preset_is_offered_too() -> None:
    tiles = Ruleset.of(GAMES["big_two"], "lectio_tiles")
    assert lengths(tiles)["preset"] == tiles, "chips end it too, so this differs from five hands"


def test_rules_that_are_no_longer_allowed_keep_their_length() -> None:
    former = Ruleset(GAMES["big_two"], "pagat", {"stake": 10**6}, STORED)
    assert lengths(former) == {PRESENT: former}
