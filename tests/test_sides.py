"""Who plays with whom: the line of one person, that of every player, and the signs in the picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.rules.big_a.play import BigAGame
from bot.rules.matches.match import Match
from bot.show.hand.hand import hand
from bot.show.kit.words import words
from bot.show.table.board import board
from bot.show.table.sides import banner, own_banner
from bot.show.table.table_picture import picture
from tests.rules import a_bao_positions, big_a_positions
from tests.support import scenes
from tests.test_pictures import drawing_of

NAMES = ("Ann", "Ben", "Cleo", "Dev", "Eve")
CHAIRS = tuple(replace(scenes.CHAIRS[0], seat=seat, name=name, house=seat > 2) for seat, name in enumerate(NAMES))


def told(game: BigAGame, locale: str = "en-US") -> list[str]:
    """Return the line of every player, and that of each seat."""
    w = words(locale).for_players(CHAIRS, game.rules)
    return [banner(game.view(None), w), *(own_banner(game.view(seat), w) for seat in range(5))]


def test_only_the_partner_knows_their_own_role() -> None:
    assert told(big_a_positions.table(declarer=1, partner=3)) == [
        "★\u00a0Ben + ? against the rest",
        "You + ? against ★\u00a0Ben + ?",
        "★\u00a0You + ? against the rest",
        "You + ? against ★\u00a0Ben + ?",
        "★\u00a0You + Ben against the rest",
        "You + ? against ★\u00a0Ben + ?",
    ]


def test_a_declarer_with_both_aces_knows_they_play_alone() -> None:
    assert told(big_a_positions.table(declarer=1, partner=None))[:3] == [
        "★\u00a0Ben + ? against the rest",
        "You + ? against ★\u00a0Ben + ?",
        "★\u00a0You alone against the rest",
    ]


def test_revealed_sides_are_shown_to_every_player() -> None:
    assert told(big_a_positions.table(declarer=1, partner=3, known=True))[:3] == [
        "★\u00a0Ben + Dev against the rest",
        "You + Cleo + Eve against ★\u00a0Ben + Dev",
        "★\u00a0You + Dev against the rest",
    ]
    assert told(big_a_positions.table(declarer=1, partner=None, known=True))[0] == "★\u00a0Ben alone against the rest"


def test_the_line_of_sides_is_translated_into_chinese() -> None:
    assert told(big_a_positions.table(declarer=1, partner=3), "zh-TW")[:2] == [
        "★\u00a0Ben + ? 對其他人",
        "你 + ? 對 ★\u00a0Ben + ?",
    ]


@pytest.mark.parametrize(("known", "signs"), [(False, ["", "★", "", "", ""]), (True, ["●", "★", "●", "★", "●"])])
def test_the_picture_marks_each_seat_with_a_known_side(*, known: bool, signs: list[str]) -> None:
    game = big_a_positions.table(declarer=1, partner=3, known=known)
    shown = picture(scenes.scene(Match(game.rules, seed="seed", game=game), chairs=CHAIRS), words("en-US"))
    assert shown is not None
    assert [plate.side for plate in drawing_of(shown).plates] == signs
    assert [plate.role for plate in drawing_of(shown).plates] == ["", "declarer", "", "partner" * known, ""]
    assert (
        "★\u00a0Ben + Dev against the rest" if known else "★\u00a0Ben + ? against the rest"
    ) in shown.alt_text.splitlines()
    first = [line[0] for line in shown.alt_text.splitlines()[-5:]]
    assert first == [sign or name[0] for sign, name in zip(signs, NAMES, strict=True)]


@pytest.mark.parametrize("known", [False, True])
def test_the_sides_stand_below_the_picture_until_it_can_show_them(*, known: bool) -> None:
    game = big_a_positions.table(declarer=1, partner=3, known=known)
    here, w = scenes.scene(Match(game.rules, seed="seed", game=game), chairs=CHAIRS), words("en-US")
    read = scenes.texts(board(here, w, picture(here, w)))
    assert ("★\u00a0Ben + ? against the rest" in read) is not known
    assert "against the rest" in scenes.texts(board(here, w)), "the text says all"


def test_bids_are_shown_at_the_place_of_plays() -> None:
    hand = a_bao_positions.bid(a_bao_positions.calling(), "-", "call Kd")
    shown = picture(scenes.scene(Match(hand.rules, seed="seed", game=hand), chairs=CHAIRS[:4]), words("en-US"))
    assert [plate.does for plate in drawing_of(shown).plates] == ["passed", "K♢", "", ""]
    assert drawing_of(shown).title.endswith("Stake 1.")


def test_a_role_is_shown_until_the_seat_plays() -> None:
    def seen(game: BigAGame) -> str:
        at = scenes.scene(Match(game.rules, seed="seed", game=game), 5, 1, chairs=CHAIRS)
        return scenes.texts(hand(at, words("en-US"), where="Home"))

    role = "You play against "
    four = [f"5{suit} 7{suit}" for suit in "dchs"]
    begun = big_a_positions.table("4c 4d 4h 5c", *four, of=big_a_positions.asking(), partner=None)
    passed = big_a_positions.after(begun, "4c", "-", "-", "-", "-", "4d")
    assert role in seen(begun)
    assert role in seen(passed)
    assert role not in seen(big_a_positions.after(passed, "7d"))
