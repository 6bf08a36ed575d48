"""What is written about cards can be read again, by the program to the letter and from people in many forms.

Knows cards and actions as text. Refuses to know any game.
"""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Card, Unreadable, card, cards, pack, read, write
from bot.rules.game import Pass, Play, Ready, read_action, write_action
from tests.laws.matches import dice, lawful

SIGNS = {"d": "♦", "c": "♣", "h": "♥", "s": "♠"}
some_cards = st.lists(st.sampled_from(pack()), min_size=1, max_size=13).map(tuple)


@lawful(100)
@given(some_cards)
def test_exact_notation(held: tuple[Card, ...]) -> None:
    assert cards(write(held)) == held
    assert read(write(held)) == held
    assert read_action(write_action(Play(held))) == Play(held)


def test_every_card_is_one_object_with_one_name() -> None:
    assert len({str(each) for each in pack()}) == len(set(pack())) == 52
    assert all(card(str(each)) is each for each in pack())


def test_actions_without_cards() -> None:
    assert [read_action(write_action(action)) for action in (Pass(), Ready())] == [Pass(), Ready()]
    with pytest.raises(KeyError):
        read_action("resign")


@lawful(200)
@given(some_cards, st.sampled_from([" ", "", ", ", ",", ";", " + ", "\n", "/", "."]), st.booleans(), dice)
def test_forgiving_forms(held: tuple[Card, ...], between: str, signs: bool, rng: random.Random) -> None:
    assert read(between.join(typed(each, signs=signs, rng=rng) for each in held)) == held
    if signs:
        first = (SIGNS[each.suit] + typed(each, signs=False, rng=rng)[:-1] for each in held)
        assert read(between.join(first)) == held


def typed(held: Card, *, signs: bool, rng: random.Random) -> str:
    """Return a card as somebody might type it."""
    rank = rng.choice(["10", "T", "t"]) if held.rank == "T" else rng.choice([held.rank.value, held.rank.lower()])
    suit = SIGNS[held.suit] if signs else rng.choice([held.suit.value, held.suit.upper()])
    return rank + suit + rng.choice(["", "\ufe0f"] if signs else [""])


@pytest.mark.parametrize(
    ("text", "means"),
    [("3D 3C", "3d 3c"), ("3♦3♣", "3d 3c"), ("♦3 ♣3", "3d 3c"), ("10h", "Th"), ("th", "Th"), ("  qs,2S ", "Qs 2s")],
)
def test_forms_people_type(text: str, means: str) -> None:
    assert read(text) == cards(means)


@pytest.mark.parametrize(
    ("text", "rest"),
    [("", ""), ("   ", "   "), ("3d x", "x"), ("1h", "1h"), ("3", "3"), ("3d 11c", "11c"), ("d3", "d3")],
)
def test_what_is_no_card_is_pointed_at(text: str, rest: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(text)
    assert caught.value.rest == rest


@pytest.mark.parametrize("text", ["3D", "10h", "3", "", "3d3c"])
def test_exact_notation_forgives_nothing(text: str) -> None:
    with pytest.raises(KeyError):
        card(text)
