"""House players in a match without persons: they play it to its end at once."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.matches.record import Record
from tests.support.abandoned_matches import play_to_the_end

TWO_HANDS = {"match_end": "deals", "deals": 2}
MATCHES: list[tuple[str, str, dict[str, Any]]] = [
    ("big_two", "pagat", TWO_HANDS),
    ("a_bao", "standard", TWO_HANDS),
    ("big_little_a", "standard", {"hands_per_match": 2}),
    ("tien_len", "south", TWO_HANDS),
    *(("big_a", preset, TWO_HANDS) for preset in ("standard", "quick", "evening")),  # three ways to draw
]


@pytest.mark.rotates(2)
@pytest.mark.parametrize(("game", "preset", "options"), MATCHES)
def test_house_players_play_a_match_to_its_end(game: str, preset: str, options: dict[str, Any]) -> None:
    begun = Record(GAMES[game], preset, seed="left", options=options)
    last, done = play_to_the_end(begun.begin())
    assert last.over
    assert len(last.results) == 2
    record = begun
    for seat, action in done:
        record = record.then(seat, action)
    assert record.replay() == last  # what is written down is the match
