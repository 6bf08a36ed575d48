"""What is measured runs for every game: a new one is not forgotten."""

import pytest

from bot.games import GAMES
from tests.bench.rules import ours


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_of_every_game_is_played_out(game: str) -> None:
    for preset in GAMES[game].presets:
        assert ours(game, preset)() > 0
