"""What is measured runs for every game: a new one is not forgotten."""

import pytest

from bot.games import GAMES
from tests.bench.__main__ import PARTS, overview, read
from tests.bench.rules import ours


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_of_every_game_is_played_out(game: str) -> None:
    for preset in GAMES[game].presets:
        assert ours(game, preset)() > 0


def test_help_lists_every_measurement_and_runs_none() -> None:
    lines = overview().partition("hours.\n\n")[2].splitlines()
    listed = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines}
    assert set(PARTS) == set(listed)
    assert all(listed.values())


def test_what_follows_a_measurement_is_given_to_it() -> None:
    assert read(["load", "abuse", "--full"]) == (["load", "abuse"], ["--full"])
    assert read(["house_a_bao", "200", "three"]) == (["house_a_bao"], ["200", "three"])
    assert read(["--full"]) == ([], ["--full"])


def test_an_unknown_measurement_is_refused_by_name() -> None:
    with pytest.raises(SystemExit, match=r"no measurement 'chess'.*own_data"):
        read(["chess"])
