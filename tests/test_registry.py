"""Every registered game can be offered: named, described, its presets and options in words."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest

from bot.rules.registry import GAMES, Registered
from bot.show.rulebook import book

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
LENGTH = {"match_end", "deals", "target"}  # told as the length of the match


@games
def test_every_preset_has_a_name_and_makes_rules(game: Registered) -> None:
    assert set(game.preset_names) == set(game.presets)
    for preset in game.presets:
        assert game.rules(preset).game == game.name
        assert game.changes(game.rules(preset), preset) == {}


@games
def test_every_option_that_can_be_changed_has_words(game: Registered) -> None:
    kinds: dict[str, Any] = get_type_hints(game.defaults)
    for field in fields(game.defaults):
        if field.name not in LENGTH:
            named = {value for name, value in game.option_words if name == field.name}
            assert None in named or named == set(get_args(kinds[field.name])), field.name


@games
@pytest.mark.parametrize("locale", ["en", "zh_CN"])
def test_every_game_has_a_rule_page(game: Registered, locale: str) -> None:
    assert book(game.name, locale).sections
