"""custom_ids: whatever a component carries comes back, and nothing else is taken for one of ours."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Cards, card, cards, double_pack, every_card, pack
from bot.show.ids import (
    BROWSE_TEMPLATE,
    LIMIT,
    PICK_TEMPLATE,
    TEMPLATE,
    Browse,
    Pick,
    Press,
    Unaddressed,
    Verb,
    join,
    split,
    values,
)

TABLES = st.integers(0, 10**19 - 1)
PLIES = st.integers(0, 10**9 - 1)
HANDS = st.lists(st.sampled_from(every_card()), max_size=55).map(tuple)
WORDS = st.from_regex(r"[0-9A-Za-z_-]{0,10}", fullmatch=True)


@given(TABLES, PLIES, st.sampled_from(Verb), HANDS, st.integers(0, 9))
def test_a_button_and_a_select_come_back(table: int, ply: int, verb: Verb, held: Cards, part: int) -> None:
    for kind, template in ((Press, TEMPLATE), (Pick, PICK_TEMPLATE)):
        address = kind(table, ply, verb, held, part)
        assert len(str(address)) <= LIMIT
        assert re.fullmatch(template, str(address))
        assert kind.read(str(address)) == address


@pytest.mark.parametrize("verb", Verb)
def test_the_largest_hand_fits_at_the_largest_table(verb: Verb) -> None:
    held = cards("15s") * 55
    address = Pick(10**19 - 1, 10**9 - 1, verb, held, 9)
    assert len(str(address)) <= LIMIT
    assert Pick.read(str(address)) == address


@given(st.from_regex(r"[a-z_]{1,12}", fullmatch=True), st.lists(WORDS, max_size=6).map(tuple))
def test_an_address_beside_the_tables_comes_back(verb: str, args: tuple[str, ...]) -> None:
    address = Browse(verb, args)
    assert re.fullmatch(BROWSE_TEMPLATE, str(address))
    assert Browse.read(str(address)) == address


def test_a_custom_id_is_written_as_agreed() -> None:
    assert str(Press(7, 31, Verb.HAND)) == "bg:7:31:hand"
    assert str(Press(7, 31, Verb.PLAY, cards("3d 4c Ts"))) == "bg:7:31:play:3d4cTs"
    assert str(Press(7, 31, Verb.PLAY, cards("1d 15s"))) == "bg:7:31:play:1d15s"
    assert str(Press(7, 31, Verb.PLAY, cards("BJ 3d RJ"))) == "bg:7:31:play:BJ3dRJ"
    assert str(Pick(7, 31, Verb.PICK, cards("3d"), 1)) == "bp:7:31:pick1:3d"
    assert str(Browse.to("rules", "big_two", 0, 3)) == "bv:rules:big_two:0:3"


def test_buttons_from_before_there_were_tiles_go_on_working() -> None:
    held = "Ad2c3h4s5d6c7h8s9dTcJhQsKd"
    assert Press.read(f"bg:7:31:play:{held}").cards == Pick.read(f"bp:7:31:pick1:{held}").cards == split(held)
    assert split(held) == cards("Ad 2c 3h 4s 5d 6c 7h 8s 9d Tc Jh Qs Kd")


def test_the_templates_tell_the_three_kinds_apart() -> None:
    ids = (str(Press(1, 2, Verb.PLAY)), str(Pick(1, 2, Verb.PLAY)), str(Browse.to("play", 1, 2)))
    for template, mine in zip((TEMPLATE, PICK_TEMPLATE, BROWSE_TEMPLATE), ids, strict=True):
        assert [each for each in ids if re.fullmatch(template, each)] == [mine]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bg:",
        "bg:1:2",
        "bg:x:2:play",
        "bg:1:2:dance",
        "bg:1:2:play:3",
        "bg:1:2:play:9x",
        "bg:1:2:play:~3'",
        "bg:1:2:play:3d 4c",
        "bp:1:2:play",
        "play",
    ],
)
def test_anything_else_is_not_a_button(text: str) -> None:
    with pytest.raises(Unaddressed):
        Press.read(text)


def test_what_is_too_long_even_packed_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ValueError, match="too long"):
        str(Press(1, 1, Verb.PLAY, pack() * 2))


def test_a_select_adds_its_values_to_the_cards_chosen_elsewhere() -> None:
    assert Pick(1, 1, Verb.PICK, cards("3d")).chosen(["4c", "Ts.1", "15s.2", "BJ.1"]) == cards("3d 4c Ts 15s BJ")


def test_two_copies_of_a_card_have_two_values() -> None:
    assert values(cards("3d 3d 4c 3d")) == ["3d", "3d.1", "4c", "3d.2"]
    assert values(cards("RJ BJ RJ")) == ["RJ", "BJ", "RJ.1"]


def test_cards_are_written_without_spaces_and_read_back() -> None:
    held = every_card()[:30]
    assert join(held) == "".join(map(str, held))
    assert split(join(held)) == held


def test_where_there_is_no_room_cards_are_packed() -> None:
    assert join(cards("3d 3d 15s"), 7) == "3d3d15s"
    assert split(join(cards("3d 3d 15s"), 6)) == cards("3d 3d 15s")
    assert len(join(every_card())) == 83


def test_half_of_two_packs_with_jokers_fits_and_comes_back() -> None:
    held = double_pack()[53:]
    address = Pick(10**19 - 1, 10**9 - 1, Verb.LEAVE_NOW, held, 9)
    assert (len(held), len(str(address)) <= LIMIT) == (55, True)
    assert Pick.read(str(address)).cards == held


def test_packed_cards_stay_what_they_were_in_old_messages() -> None:
    assert join(pack()) == "~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP"
    later = ("1", "10", "11", "12", "13", "14", "15")
    assert split("~QRSTUVWXYZ!#$%&()*+,-./;<=>?") == tuple(card(rank + suit) for rank in later for suit in "dchs")
    assert split("~@[") == cards("BJ RJ")
