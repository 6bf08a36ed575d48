"""Changing the number of players keeps every chosen option that is still playable."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.variants.registration import PLAYERS, RegisteredGame
from tests.laws.matches import PRESETS, possible


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_chosen_options_stay_if_playable_with_the_new_number_of_seats(name: str, preset: str) -> None:
    game, kept = GAMES[name], 0
    for option in game.sheet.options.values():
        for value in [choice.value for choice in option.choices if option.name != PLAYERS]:
            if possible(game, preset, {option.name: value}):
                kept += sum(stays(game, preset, option.name, value, seats) for seats in game.seats)
    assert kept > 40


def stays(game: RegisteredGame, preset: str, name: str, value: Any, seats: int) -> bool:
    """Tell whether a chosen value stays with a number of players; fail if it is dropped needlessly."""
    changes = game.wish(preset, {name: value}, seats=seats)
    if getattr(game.set_up(preset, **changes), name) == value:
        return True
    assert not possible(game, preset, {**changes, name: value}), f"{name}={value} could stay with {seats} players"
    return False


def test_one_unplayable_option_does_not_reset_the_others() -> None:
    """With four there is no exchange, but twelve cards can be dealt, and others drawn on a pass."""
    chosen = {"exchange": "loser_highest_for_any", "hand_size": 12, "draw_on_pass": "one", "extra_card": "none"}
    changes = GAMES["big_two"].wish("three_player", chosen, seats=4)
    options = GAMES["big_two"].set_up("three_player", **changes)
    assert (options.players, options.exchange, options.hand_size, options.draw_on_pass) == (4, "none", 12, "one")
