"""What is written about cards can be read again, by the program to the letter and from people in many forms.

Covers cards and actions as text, independent of any game.
"""

import pickle
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.core.asks import Pass, Play, Ready, read_action, write_action
from bot.rules.core.cards import (
    SUITS,
    Card,
    Cards,
    Suit,
    card,
    cards,
    double_pack,
    every_card,
    jokers,
    number_pack,
    pack,
    read_unspaced,
    tiles,
    write,
)
from bot.show.typed.cards import UnreadableCards, read
from tests.laws.matches import dice
from tests.support.law_settings import law_examples

NAMED = {
    "BJ": ("BJ", "bj", "Bj", "BJ★", "black joker", "Black Joker", "JOKER BLACK", "小王", "小鬼"),
    "RJ": ("RJ", "rj", "Rj", "RJ☆", "red joker", "Red Joker", "JOKER RED", "大王", "大鬼"),
    "JK": ("JK", "jk", "J", "j", "J★", "joker", "Joker", "鬼", "王"),
    "LA": ("LA", "la", "a", "little a", "Little A", "小a", "小A"),
    "BA": ("BA", "ba", "A", "big a", "Big A", "大A", "大a"),
}
SIGNS = {"d": "♦", "c": "♣", "h": "♥", "s": "♠"}
BETWEEN = (" ", "", ", ", ",", ";", " + ", "\n", "/", ".")
decks = st.sampled_from([pack(), tiles(), double_pack(), number_pack()])


def some_of(deck: Cards) -> st.SearchStrategy[Cards]:
    """Return a strategy for some cards of a deck."""
    return st.lists(st.sampled_from(deck), min_size=1, max_size=13).map(tuple)


@law_examples(200)
@given(decks.flatmap(lambda deck: st.tuples(st.just(deck), some_of(deck))))
def test_cards_in_exact_notation_are_read(dealt: tuple[Cards, Cards]) -> None:
    deck, held = dealt
    assert cards(write(held)) == held
    assert read_unspaced(write(held).replace(" ", "")) == held
    assert read(write(held), deck) == held
    assert read_action(write_action(Play(held))) == Play(held)


def test_every_card_is_one_object_with_one_name() -> None:
    assert len({str(each) for each in every_card()}) == len(set(every_card())) == 98
    assert all(card(str(each)) is each for each in every_card())
    assert all(pickle.loads(pickle.dumps(each)) is each for each in every_card())
    assert {*pack(), *tiles(), *jokers(), *number_pack()} == set(every_card())


def test_no_card_name_is_a_prefix_of_another() -> None:
    names = [str(each) for each in every_card()]
    assert not [(one, other) for one in names for other in names if one != other and other.startswith(one)]


def test_two_packs_have_each_card_twice() -> None:
    assert Counter(double_pack()) == dict.fromkeys((*pack(), *jokers()), 2)
    assert [str(each) for each in jokers()] == [each.rank for each in jokers()] == ["BJ", "RJ"]


def test_the_number_pack_has_each_number_eight_times() -> None:
    numbers, others = cards(" ".join(f"{number}n" for number in range(1, 14))), cards("JK JK JK JK LA BA")
    assert number_pack() == numbers * 8 + others
    assert len(number_pack()) == 110
    assert {each.suit for each in numbers} == {Suit.NUMBER}
    assert {each.suit for each in others} == {Suit.NONE}
    assert Suit.NUMBER not in SUITS


def test_newer_cards_are_last_in_the_order() -> None:
    assert every_card()[80:] == (*jokers(), *dict.fromkeys(number_pack()))  # buttons hold places in this order


def test_the_two_decks_share_the_numbers_from_two_to_nine() -> None:
    assert (len(pack()), len(tiles())) == (52, 60)
    shared = {f"{number}{suit}" for number in range(2, 10) for suit in "dchs"}
    assert {str(each) for each in set(pack()) & set(tiles())} == shared


def test_unspaced_names_are_read_only_in_exact_notation() -> None:
    assert read_unspaced("1d11d10s9h15c") == cards("1d 11d 10s 9h 15c")
    assert read_unspaced("Td10d") == cards("Td 10d")
    assert read_unspaced("BJ3dRJJd") == cards("BJ 3d RJ Jd")
    assert read_unspaced("1n11n13nJKLABA5n") == cards("1n 11n 13n JK LA BA 5n")
    for wrong in ("5", "14n", "JKn", "Tn", "jk", "a", "3d4", "3d 4c", "16d", "3D", "0d", "111d", "BJd", "J", "bj"):
        with pytest.raises(KeyError):
            read_unspaced(wrong)


def test_actions_without_cards() -> None:
    assert [read_action(write_action(action)) for action in (Pass(), Ready())] == [Pass(), Ready()]
    with pytest.raises(KeyError):
        read_action("resign")


@law_examples(150)
@given(decks, st.data(), st.sampled_from(BETWEEN), st.booleans(), dice)
def test_lenient_spellings_are_read(
    deck: Cards, data: st.DataObject, between: str, signs: bool, rng: random.Random
) -> None:
    held = data.draw(some_of(deck))
    between = between or " " * (deck == number_pack())  # without a space, "1 1" is the eleven
    assert read(between.join(typed(each, signs=signs, rng=rng) for each in held), deck) == held
    if signs and deck != number_pack():
        first = [SIGNS[each.suit] + typed(each, signs=False, rng=rng)[:-1] for each in held if each.suit]
        assert not first or read(between.join(first), deck) == tuple(each for each in held if each.suit)


def typed(held: Card, *, signs: bool, rng: random.Random) -> str:
    """Return a card as a player might type it."""
    if held.suit is Suit.NONE:
        return rng.choice(NAMED[str(held)])
    if held.suit is Suit.NUMBER:
        return held.rank + rng.choice(["", "n", "N"])
    rank = rng.choice(["10", "T", "t"]) if held.rank == "T" else rng.choice([held.rank.value, held.rank.lower()])
    suit = SIGNS[held.suit] if signs else rng.choice([held.suit.value, held.suit.upper()])
    return rank + suit + rng.choice(["", "\ufe0f"] if signs else [""])


@pytest.mark.parametrize(
    ("text", "means"),
    [("3D 3C", "3d 3c"), ("3♦3♣", "3d 3c"), ("♦3 ♣3", "3d 3c"), ("10h", "Th"), ("th", "Th"), ("  qs,2S ", "Qs 2s")],
)
def test_typed_cards_are_read(text: str, means: str) -> None:
    assert read(text, pack()) == cards(means)


@pytest.mark.parametrize(
    ("text", "means"),
    [("10d 1D", "10d 1d"), ("15s11h", "15s 11h"), ("♦1♦10 ♣ 12", "1d 10d 12c"), ("3♦♣4", "3d 4c"), ("9d", "9d")],
)
def test_typed_tiles_are_read(text: str, means: str) -> None:
    assert read(text, tiles()) == cards(means)


@pytest.mark.parametrize(
    ("text", "means"),
    [("bj RJ", "BJ RJ"), ("3d 3d", "3d 3d"), ("大王大王小王", "RJ RJ BJ"), ("Red joker, black joker 3♦", "RJ BJ 3d")],
)
def test_typed_cards_of_two_packs_are_read(text: str, means: str) -> None:
    assert read(text, double_pack()) == cards(means)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("5 5 J", "5n 5n JK"),
        ("5", "5n"),
        ("13", "13n"),
        ("10 10 j", "10n 10n JK"),
        ("1010J", "10n 10n JK"),
        ("5 5", "5n 5n"),
        ("55", "5n 5n"),
        ("1 1", "1n 1n"),
        ("11", "11n"),
        ("111", "11n 1n"),
        ("1, 11", "1n 11n"),
        ("a", "LA"),
        ("A", "BA"),
        ("aA", "LA BA"),
        ("LITTLE A", "LA"),
        ("big a", "BA"),
        ("小a 大A", "LA BA"),
        ("5N5n", "5n 5n"),
        ("jk JK", "JK JK"),
        ("joker 3", "JK 3n"),
        ("鬼王", "JK JK"),
        ("7 7 J★", "7n 7n JK"),
    ],
)
def test_typed_cards_of_the_number_pack_are_read(text: str, means: str) -> None:
    assert read(text, number_pack()) == cards(means)


@pytest.mark.parametrize(
    ("text", "rest"), [("0", "0"), ("5 x", "x"), ("5d", "d"), ("T", "T"), ("big", "big"), ("大", "大")]
)
def test_an_unreadable_number_card_is_named_in_the_error(text: str, rest: str) -> None:
    with pytest.raises(UnreadableCards) as caught:
        read(text, number_pack())
    assert caught.value.rest == rest


def test_a_lone_a_is_a_card_of_the_number_pack_only() -> None:
    for deck in (pack(), tiles(), double_pack()):
        for text in ("a", "A", "JK", "5", "5n"):
            with pytest.raises(UnreadableCards):
                read(text, deck)


@pytest.mark.parametrize(("text", "rest"), [("3d joker", "joker"), ("🃏", "🃏"), ("bjd", "d"), ("1d", "1d")])
def test_an_ambiguous_joker_is_refused(text: str, rest: str) -> None:
    with pytest.raises(UnreadableCards) as caught:
        read(text, double_pack())
    assert caught.value.rest == rest


def test_jokers_are_not_read_for_decks_without_them() -> None:
    for deck in (pack(), tiles()):
        with pytest.raises(UnreadableCards):
            read("RJ", deck)


def test_a_number_means_the_tile_if_both_decks_are_known() -> None:
    assert read("10d td 10", every_card()) == cards("10d Td 10n")


@pytest.mark.parametrize("text", ["Ad", "Td", "16d", "3d 0d", "qs"])
def test_an_unreadable_tile_is_named_in_the_error(text: str) -> None:
    with pytest.raises(UnreadableCards) as caught:
        read(text, tiles())
    assert caught.value.rest == text.rpartition(" ")[2]


@pytest.mark.parametrize(
    ("text", "rest"),
    [("", ""), ("   ", "   "), ("3d x", "x"), ("1h", "1h"), ("3", "3"), ("3d 11c", "11c"), ("d33", "3"), ("of", "of")],
)
def test_an_unreadable_card_is_named_in_the_error(text: str, rest: str) -> None:
    with pytest.raises(UnreadableCards) as caught:
        read(text, pack())
    assert caught.value.rest == rest


@pytest.mark.parametrize("text", ["3D", "16h", "10H", "3", "", "3d3c"])
def test_exact_notation_is_strict(text: str) -> None:
    with pytest.raises(KeyError):
        card(text)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("红桃K", "Kh"),
        ("方块10", "Td"),
        ("黑桃 a", "As"),
        ("♥K", "Kh"),
        ("kh", "Kh"),
        ("梅花３、梅花４", "3c 4c"),
        ("Ａ♠，K♠", "As Ks"),
        ("heart k, spades 2", "Kh 2s"),
        ("紅心10 方塊J", "Th Jd"),
        ("3 clubs 3 diamonds", "3c 3d"),
    ],
)
def test_cards_typed_in_several_languages_are_read(typed: str, meant: str) -> None:
    assert write(read(typed, pack())) == meant
