"""The row of plays that stand ready: on no phone does it wrap, in no game and no language."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.rules.core.asks import PlayAsk
from bot.rules.matches.record import Record
from bot.show.hand.controls import offered
from bot.show.kit.layout import columns
from bot.show.kit.words import words
from tests.golden.play import golden_path
from tests.support.languages import CODES, pseudo

NARROW = 235  # pixels inside a frame on a phone of 360
EDGES, GAP, DOTS = 24, 8, 38  # pixels around a label, between buttons, of the dots
SIGNS = {"♢": 14, "♣": 14, "♡": 13, "♠": 14}  # of signs that are wide
SIGN = 7.6  # and of a column of others


def wide(label: str) -> float:
    """Return about how many pixels a label takes, as was measured in a browser."""
    return sum(SIGNS.get(sign) or SIGN * columns(sign) for sign in label)


@pytest.mark.parametrize("name", GAMES)
def test_it_stays_on_a_line_where_a_phone_is_narrow(name: str) -> None:
    record = Record.from_json(golden_path(name, next(iter(GAMES[name].presets))).read_text(), GAMES)
    seen = 0
    for match in record.positions():
        views = [match.view(seat) for seat in match.awaited] if match.game.result is None else []
        for view in (view for view in views if isinstance(view.ask, PlayAsk)):
            for w in (*map(words, CODES), pseudo()):
                voice = w.for_players((), match.rules)
                labels = [label for _, label in offered(view, voice)]
                seen += len(labels)
                assert sum(wide(label) + EDGES + GAP for label in labels) + DOTS <= NARROW, labels
                assert len(set(labels)) == len(labels), labels
    assert seen
