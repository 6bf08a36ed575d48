"""The row of plays that stand ready: on no phone does it wrap, in no game and no language, and each can be read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games import GAMES
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import cards
from bot.rules.core.game import View
from bot.rules.core.trick import EMPTY
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.show.hand.offered_plays import OfferLabel, offered
from bot.show.kit.card_symbols import Faces
from bot.show.kit.layout import columns
from bot.show.kit.play_names import THIN_SPACE
from bot.show.kit.words import PLAIN_FACES, words
from tests.golden.play import golden_path
from tests.support.languages import CODES, pseudo
from tests.support.scenes import EMOJI, at

NARROW = 235  # pixels inside a frame on a phone of 360
EDGES, GAP, DOTS, PICTURE = 24, 8, 38, 26  # pixels around a label, between buttons, of the dots, of an emoji
SIGNS = {"♢": 14, "♣": 14, "♡": 13, "♠": 14, THIN_SPACE: 4}  # of signs that are wide or narrow
SIGN = 7.6  # and of a column of others


def wide(label: OfferLabel) -> float:
    """Return about how many pixels a button takes, as was measured in a browser."""
    name = sum(SIGNS.get(sign) or SIGN * columns(sign) for sign in label.name)
    return name + EDGES + GAP + (PICTURE if label.picture else 0)


@pytest.mark.parametrize("faces", [PLAIN_FACES, EMOJI], ids=["text", "emoji"])
@pytest.mark.parametrize("name", GAMES)
def test_it_stays_on_a_line_where_a_phone_is_narrow(name: str, faces: Faces) -> None:
    record = Record.from_json(golden_path(name, next(iter(GAMES[name].presets))).read_text(), GAMES)
    seen = 0
    for match in record.positions():
        views = [match.view(seat) for seat in match.awaited] if match.game.result is None else []
        for view in (view for view in views if isinstance(view.ask, PlayAsk)):
            for w in (*(words(code, faces) for code in CODES), pseudo(faces)):
                labels = [label for _, label in offered(view, w.for_players((), match.rules))]
                seen += len(labels)
                assert sum(map(wide, labels)) + DOTS <= NARROW, labels
                assert len(set(labels)) == len(labels), labels
                assert all(label.picture or not faces.emoji for label in labels), labels
    assert seen


def said(view: View, match: Match, faces: Faces = EMOJI) -> list[str]:
    """Return what the one-tap buttons of a view say in English, the emoji in front by its name."""
    w = words("en-US", faces).for_players((), match.rules)
    labels = [label for _, label in offered(view, w)]
    return [f"{label.picture.name} {label.name}" if label.picture else label.name for label in labels]


def holding(held: str, top: str = "") -> tuple[View, Match]:
    """Return the view of a seat with these cards, who leads or has this play to beat, and its match."""
    match = at("3d")
    view, pile = match.view(1), EMPTY
    if top:
        combo = match.rules.classify(match.rules.sort(cards(top)))
        assert combo
        pile = EMPTY.played(0, combo)
    hand = match.rules.sort(cards(held))
    return replace(view, hand=hand, trick=pile, counts=(13, len(hand), 13, 13)), match


def test_ranks_never_run_together() -> None:
    assert said(*holding("6d 7h 8c 9d Ts 3c", "3d 4h 5h 6h 7h")) == ["bg1_ts 6–10 straight"]
    assert said(*holding("Tc Ts Kd Kh 3c", "9d 9h")) == ["bg1_ts 10\u200910", "bg1_kh K\u2009K"]
    assert said(*holding("Tc Ts 3c", "9d 9h")) == ["bg1_ts pair of 10s"]
    assert said(*holding("5d 5h 5c 7d 7h", "3d 3h 3c 4d 4h")) == ["bg1_5h full house 5s"]
    assert said(*holding("3s 5s 7s 9s Qs", "3d 4h 5h 6h 7h")) == ["bg1_qs ♠\ufe0e flush, Q high"]


def test_without_emoji_suits_stand_where_they_decide() -> None:
    assert said(*holding("Tc Ts 3c", "9d 9h"), PLAIN_FACES) == ["pair of 10s"]
    assert said(*holding("Tc Ts 3c", "Td Th"), PLAIN_FACES) == ["pair of 10s ♠\ufe0e"]
    assert said(*holding("Td Tc Th Ts", "9d 9h"), PLAIN_FACES) == ["10\u200910 ♣\ufe0e", "10\u200910 ♡"]
