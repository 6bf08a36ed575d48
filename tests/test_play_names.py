"""The short names of plays on buttons and plates: every kind of every game, in every language."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.core.trick import Combo
from bot.show.kit.layout import columns
from bot.show.kit.play_names import THIN_SPACE, button_name, plate_name, run_ends, short_button_name
from bot.show.kit.words import Words, words
from tests.support.languages import CODES, is_pseudo, pseudo

WIDEST = 18  # columns of a name: the first button of a row has room for it on a phone of 360 pixels
PLAYS = [
    ("big_two", "Th", "10♡", "10♡"),
    ("big_two", "Td Th", "pair of 10s", "10 10"),
    ("big_two", "Kd Kh Ks", "three kings", "K K K"),
    ("big_two", "6d 7h 8d 9d Ts", "6–10 straight", "6–10"),
    ("big_two", "3d 4h 5d Ad 2s", "A–5 straight", "A–5"),
    ("big_two", "3s 5s 7s 9s Qs", "♠ flush, Q high", "flush ♠"),
    ("big_two", "5d 5c 5h 7d 7s", "full house 5s", "full house 5s"),
    ("big_two", "9d 9c 9h 9s 3d", "four 9s", "four 9s"),
    ("big_two", "6h 7h 8h 9h Th", "straight flush ♡", "straight flush ♡"),
    ("tien_len", "6s 7c 8d", "6–8 sequence", "6–8"),
    ("tien_len", "6s 6c 7c 7d 8s 8h", "6–8 double run", "6–8 ×2"),
    ("a_bao", "9d Tc Jh Qs Kd", "9–K sequence", "9–K"),
    ("big_a", "Ah Qd Kd", "Q–A sequence", "Q–A"),
    ("big_a", "2d 3d Ah", "A–3 sequence", "A–3"),
    ("big_a", "9d 9d 9c 9c 9h", "five 9s", "9 ×5"),
    ("big_a", "4d 4d 4c 5d 5d 5c 6d 6d 6c", "4–6 triplets", "4–6 ×3"),
    ("big_a", "4d 4d 4c 4c 5d 5d 5c 5c", "4–5 fake eight", "4–5 ×4"),
    ("big_a", "BJ BJ", "two jokers", "two jokers"),
    ("big_little_a", "1n 1n", "two 1s", "1 1"),
    ("big_little_a", "13n 13n 13n", "three 13s", "13 13 13"),
    ("big_little_a", "5n 5n JK", "5+5+J★", "5 5 J★"),
    ("big_little_a", "5n 5n 5n 5n 5n 5n JK", "5 ×6+J★", "5 ×6 J★"),
    ("big_little_a", "LA", "a", "a"),
]


def made(game: str, held: str) -> tuple[Combo, Words]:
    """Return these cards as a combination of a game, and the words of the game."""
    rules = GAMES[game].rules(next(iter(GAMES[game].presets)))
    combo = rules.classify(rules.sort(cards(held)))
    assert combo is not None
    return combo, words("en-US").for_players((), rules)


@pytest.mark.parametrize(("game", "held", "button", "plate"), PLAYS)
def test_a_play_is_named_on_a_button_and_on_a_plate(game: str, held: str, button: str, plate: str) -> None:
    combo, w = made(game, held)
    said = [
        text.replace(THIN_SPACE, " ").replace("\ufe0e", "") for text in (button_name(combo, w), plate_name(combo, w))
    ]
    assert said == [button, plate]


@pytest.mark.parametrize(
    ("game", "held", "said"),
    [
        ("big_two", "Th", "10♡"),
        ("big_two", "Jd Jh", "two Js"),
        ("big_two", "Kd Kh Ks", "three Ks"),
        ("big_two", "6d 7h 8d 9d Ts", "6–10"),
        ("big_two", "3s 5s 7s 9s Qs", "flush ♠"),
        ("big_two", "9d 9c 9h 9s 3d", "four 9s"),
        ("tien_len", "9d 9c 9h 9s", "four 9s"),
        ("big_a", "9d 9d 9c 9c 9h", "five 9s"),
        ("big_a", "BJ BJ", "two jokers"),
        ("big_little_a", "1n 1n", "two 1s"),
        ("big_little_a", "JK JK", "set of jokers"),
        ("big_little_a", "5n 5n JK", "5+5+J★"),
        ("big_little_a", "LA", "a"),
    ],
)
def test_without_much_room_a_button_still_says_what_a_play_is(game: str, held: str, said: str) -> None:
    name = short_button_name(*made(game, held))
    assert name.replace(THIN_SPACE, " ").replace("\ufe0e", "") == said


def test_the_suit_of_the_head_is_appended_once() -> None:
    assert button_name(*made("big_two", "Td Th"), suits=True) == "pair of 10s ♡"
    assert button_name(*made("big_two", "3h 5h 7h 9h Qh"), suits=True) == "♡ flush, Q high"
    assert button_name(*made("big_little_a", "1n 1n"), suits=True) == "two 1s"


@pytest.mark.parametrize(
    ("held", "ends"),
    [
        ("3d 4d 5d Ad 2d", ("A", "5")),
        ("Jd Qd Kd Ad 2d", ("J", "2")),
        ("3d 14d 15d 1d 2d", ("14", "3")),
        ("10d 11d 12d", ("10", "12")),
        ("2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", ("2", "A")),
        ("Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", ("A", "A")),
        ("5d 7d", None),
        ("5d 5c", None),
        ("5n JK", None),
    ],
)
def test_the_ends_of_a_run_do_not_depend_on_the_strength_of_its_cards(held: str, ends: tuple[str, str] | None) -> None:
    assert run_ends(cards(held)) == ends
    assert run_ends(cards(held)[::-1]) == ends


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_has_names_that_fit_in_every_language(name: str) -> None:
    rules = GAMES[name].rules(next(iter(GAMES[name].presets)))
    (head,) = cards("12n" if name == "big_little_a" else "Qh")
    for kind in rules.names:
        for w in (voice.for_players((), rules) for voice in (*map(words, CODES), pseudo())):
            combo = Combo(kind, head, (head, head), 0, 0)
            names = button_name(combo, w), plate_name(combo, w)
            assert all(names)
            assert is_pseudo("".join(names)) or all(columns(said) <= WIDEST for said in names), names
