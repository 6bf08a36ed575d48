"""A match at its length ends if one player is ahead, regardless of ties behind."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.rules.core.game import Result, Rules
from tests.laws.matches import PRESETS

TIE = {"match_tie": "extra_deal"}  # of the games that break ties


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_tie_below_the_first_place_does_not_prolong_a_match(name: str, preset: str) -> None:
    game, tried = GAMES[name], 0
    for wish in {"hands", "target"} & game.wishes.keys():
        rules = game.rules(preset, **game.wish(preset, TIE if "match_tie" in game.options else {}, **{wish: 1}))
        assert rules.is_over((ahead(rules),)), wish
        tried += 1
    assert tried


def ahead(rules: Rules) -> Result:
    """Return a hand after which seat 0 is ahead of equal others."""
    others = rules.players - 1
    for points in ((9, *(0,) * others), (0, *(9,) * others)):
        result = Result((0,), ((),) * rules.players, points)
        if rules.ranking((result,)).index(min(rules.ranking((result,)))) == 0:
            return result
    raise AssertionError("nobody is ahead")
