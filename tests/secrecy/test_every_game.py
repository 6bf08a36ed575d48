"""No game is left out: of each there is a whole match that is watched, and one whose requests stand in two worlds."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.rules.variants.ruleset import read_code
from tests.secrecy import (
    test_a_bao_matches,
    test_big_a_matches,
    test_big_little_a_matches,
    test_matches,
    test_sent_in_two_worlds,
    test_tien_len_matches,
)

MATCHES = (
    *test_matches.MATCHES,
    *test_big_a_matches.MATCHES,
    *test_a_bao_matches.MATCHES,
    *test_big_little_a_matches.MATCHES,
    *test_tien_len_matches.MATCHES,
)


def game_of(code: str) -> str:
    """Return the name of the game that a rule code is for."""
    return read_code(code, GAMES)[0].name


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_watched_matches(game: str) -> None:
    assert [plan.name for plan, _ in MATCHES if game_of(plan.options.get("rules", "B2:pagat")) == game]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_compared_in_two_worlds(game: str) -> None:
    assert [code for code in test_sent_in_two_worlds.CODES if game_of(code) == game]
