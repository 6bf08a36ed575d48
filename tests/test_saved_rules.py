"""Saved rules of an earlier version, some of them unreadable."""

from __future__ import annotations

from typing import Any

import pytest

from bot.club.saved_rules import current_rules
from bot.domain.house_rules import PlayedRules
from bot.games import GAMES
from bot.rules.variants.ruleset import Ruleset


@pytest.mark.parametrize(
    "options",
    [
        {"renamed": 1},
        {"stake": "lots"},
        {"straight_scheme": "gone"},
        {"players": 3},
        {"bands": {"x": 1}},
        {"bands": [[1, 1], 2]},
    ],
)
def test_saved_rules_with_changed_options_are_unreadable(options: dict[str, Any]) -> None:
    assert current_rules(PlayedRules("big_two", "hong_kong", options)) is None


def test_saved_rules_of_a_removed_game_or_preset_are_unreadable() -> None:
    assert current_rules(PlayedRules("big_two", "gone", {})) is None
    assert current_rules(PlayedRules("gone", "hong_kong", {})) is None
    assert current_rules(PlayedRules("big_two", "hong_kong", {"stake": 5})) == Ruleset.of(
        GAMES["big_two"], "hong_kong", {"stake": 5}
    )
