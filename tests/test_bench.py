"""The benchmarks cover every game, and their command line."""

import pytest

from bot.games import GAMES
from tests.bench.__main__ import PARTS, describe_all, parse_arguments
from tests.bench.rules import our_playout


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_benchmark_plays_a_hand_of_every_preset(game: str) -> None:
    for preset in GAMES[game].presets:
        assert our_playout(game, preset)() > 0


def test_help_lists_every_measurement_and_runs_none() -> None:
    lines = describe_all().partition("hours.\n\n")[2].splitlines()
    listed = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines}
    assert set(PARTS) == set(listed)
    assert all(listed.values())


def test_arguments_after_a_measurement_are_passed_to_it() -> None:
    assert parse_arguments(["load", "abuse", "--full"]) == (["load", "abuse"], ["--full"])
    assert parse_arguments(["house_a_bao", "200", "three"]) == (["house_a_bao"], ["200", "three"])
    assert parse_arguments(["--full"]) == ([], ["--full"])


def test_an_unknown_measurement_is_refused_by_name() -> None:
    with pytest.raises(SystemExit, match=r"no measurement 'chess'.*own_data"):
        parse_arguments(["chess"])
