"""The row of plays that stand ready: on no phone does it wrap, in no game and no language, and each can be read."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.games import GAMES
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import cards
from bot.rules.core.game import View
from bot.rules.core.trick import EMPTY
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.show.hand.hand import hand
from bot.show.hand.offered_plays import MAX_OFFERS, OfferLabel, offered
from bot.show.hand.panel import hand_menu
from bot.show.kit.card_symbols import Faces
from bot.show.kit.layout import columns
from bot.show.kit.play_names import THIN_SPACE
from bot.show.kit.words import PLAIN_FACES, words
from bot.show.pictures.table import TableDrawing
from bot.show.table.board import board
from bot.show.table.table_picture import picture
from tests.golden.play import golden_path
from tests.support.languages import CODES, pseudo
from tests.support.scenes import EMOJI, EN, match_after, persons_on_seats, scene, selects, texts

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
def test_ready_plays_fit_one_line_on_a_narrow_phone(name: str, faces: Faces) -> None:
    record = Record.from_json(golden_path(name, next(iter(GAMES[name].presets))).read_text(), GAMES)
    seen = 0
    for match in record.positions():
        views = [match.view(seat) for seat in match.awaited] if match.game.result is None else []
        for view in (view for view in views if isinstance(view.ask, PlayAsk)):
            for w in (*(words(code, faces) for code in CODES), pseudo(faces)):
                ready = view.plays.ready(MAX_OFFERS)
                found = offered(view, ready, w.for_players((), match.rules))
                labels, plays = [label for _, label in found], ready
                seen += len(labels)
                assert sum(map(wide, labels)) + DOTS <= NARROW, labels
                assert len(set(labels)) == len(labels), labels
                several = [bool(label.picture) for at, label in found if len(plays[at].cards) > 1]
                assert len(set(several)) <= 1, "all have an emoji or none"
                assert sum(several) == sum(bool(label.picture) for label in labels)
    assert seen


def said(view: View, match: Match, faces: Faces = EMOJI) -> list[str]:
    """Return what the one-tap buttons of a view say in English, the emoji in front by its name."""
    w = words("en-US", faces).for_players((), match.rules)
    labels = [label for _, label in offered(view, view.plays.ready(MAX_OFFERS), w)]
    return [f"{label.picture.name} {label.name}" if label.picture else label.name for label in labels]


def holding(held: str, top: str = "", match: Match | None = None) -> tuple[View, Match]:
    """Return the view of a seat with these cards, who leads or has this play to beat, and its match.

    match: of another game, where seat 1 may play.
    """
    match = match or match_after("3d")
    view, pile = replace(match.view(1), ask=PlayAsk(may_pass=True), must=None), EMPTY
    if top:
        combo = match.rules.classify(match.rules.sort(cards(top)))
        assert combo
        pile = EMPTY.played(0, combo)
    own = match.rules.sort(cards(held))
    return replace(view, hand=own, trick=pile, counts=(13, len(own), 13, 13)), match


def test_a_play_is_named_and_not_only_listed() -> None:
    assert said(*holding("6d 7h 8c 9d Ts 3c", "3d 4h 5h 6h 7h")) == ["bg1_ts 6–10 straight"]
    assert said(*holding("Tc Ts Kd Kh 3c", "9d 9h")) == ["two 10s", "two Ks"]
    assert said(*holding("Tc Ts 3c", "9d 9h")) == ["bg1_ts pair of 10s"]
    assert said(*holding("5d 5h 5c 7d 7h", "3d 3h 3c 4d 4h")) == ["bg1_5h full house 5s"]
    assert said(*holding("3s 5s 7s 9s Qs", "3d 4h 5h 6h 7h")) == ["bg1_qs ♠\ufe0e flush, Q high"]


def test_without_emoji_suits_are_shown_where_they_matter() -> None:
    assert said(*holding("Tc Ts 3c", "9d 9h"), PLAIN_FACES) == ["pair of 10s"]
    assert said(*holding("Tc Ts 3c", "Td Th"), PLAIN_FACES) == ["pair of 10s ♠\ufe0e"]
    assert said(*holding("Td Tc Th Ts", "9d 9h"), PLAIN_FACES) == ["pair of 10s ♣\ufe0e"]


def tien_len() -> Match:
    """Return a match of Tiến Lên by the rules of the South."""
    return Match.start(GAMES["tien_len"].rules("south"), seed="seed")


def test_a_play_of_many_cards_is_offered_rather_than_an_emoji() -> None:
    assert said(*holding("5d 9s Jd Jc 8h 6s 7h")) == ["5♢", "two Js", "5–9"]
    assert said(*holding("5d 9d 9c Qh")) == ["5♢", "bg1_9c pair of 9s"]


@pytest.mark.parametrize("faces", [PLAIN_FACES, EMOJI], ids=["text", "emoji"])
def test_plays_of_one_kind_are_named_alike(faces: Faces) -> None:
    two = said(*holding("5d 5c 9d 9c 3h", "4d 4h"), faces)
    assert two == ["two 5s", "two 9s"], "not a pair of 5s beside two 9s"
    both = said(*holding("4d 9d 9c Qh"), faces)
    assert both[0] == "4♢"
    assert both[1].endswith("pair of 9s")


@pytest.mark.parametrize("name", GAMES)
def test_no_set_is_offered_by_its_ranks_alone(name: str) -> None:
    record = Record.from_json(golden_path(name, next(iter(GAMES[name].presets))).read_text(), GAMES)
    seen = 0
    for match in record.positions():
        for view in (match.view(seat) for seat in match.awaited) if match.game.result is None else ():
            if isinstance(view.ask, PlayAsk):
                plays = view.plays.ready(MAX_OFFERS)
                for at, label in offered(view, plays, EN.for_players((), match.rules)):
                    ranks = {held.rank for held in plays[at].cards}
                    if len(ranks) == 1 and plays[at].cards[1:]:
                        seen += 1
                        assert THIN_SPACE not in label.name
                        assert re.search("[a-z]{3}", label.name), label
    assert seen


def test_a_single_card_is_named_once() -> None:
    assert said(*holding("Tc Kh 2s", "9d")) == ["10♣\ufe0e", "K♡", "2♠\ufe0e"]


@pytest.mark.parametrize("faces", [PLAIN_FACES, EMOJI], ids=["text", "emoji"])
def test_a_bomb_is_named_when_its_rank_alone_would_not_beat(faces: Faces) -> None:
    mark = "bg1_6h " if faces.emoji else ""
    assert said(*holding("6s 6c 6d 6h 9c", "2s", tien_len()), faces) == [f"{mark}bomb: four 6s"]
    assert said(*holding("6s 6c 6d 6h 9c", "5s 5c 5d 5h", tien_len()), faces) == [f"{mark}four 6s"]
    assert not any("bomb" in each for each in said(*holding("6s 6c 6d 6h 9c", "", tien_len()), faces))


def test_a_bomb_is_offered_beside_a_beating_card() -> None:
    view = holding("6d 6h 7c 7d 8s 8c 2h", "2s", tien_len())
    assert said(*view) == ["2♡", "bomb: 6–8 ×2"]
    assert said(*view, PLAIN_FACES) == ["2♡", "bomb: 6–8 ×2"]


def test_every_screen_explains_why_a_bomb_beats_the_top() -> None:
    view, match = holding("6s 6c 6d 6h 9c", "2s", tien_len())
    mine = replace(scene(match, 1, 1, chairs=persons_on_seats(match)), view=view)
    assert "✓ Four 6s beats 2♠\ufe0e: it's a bomb." in texts(hand(mine, EN, where="", chosen=cards("6s 6c 6d 6h")))
    listed = selects(hand_menu(mine, EN))[0].options
    assert [each.description for each in listed] == ["bomb: four 6s"]
    four = match.rules.classify(cards("6s 6c 6d 6h"))
    assert four
    here = scene(match, 1, chairs=persons_on_seats(match))
    assert here.view
    here = replace(here, view=replace(here.view, trick=view.trick.played(1, four)))
    assert "**Player1** beat the 2 of spades with a bomb, four 6s:\n## " in texts(board(here, EN))
    shown = picture(here, EN)
    assert shown
    assert isinstance(shown.drawing, TableDrawing)
    assert shown.drawing.title == "Bomb: four 6s"
