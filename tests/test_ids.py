"""custom_ids: whatever a component carries comes back, and nothing else is taken for one of ours."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Cards, cards, double_pack, every_card, number_pack, pack
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
ALL = every_card() * 8  # as often as any pack has a card
HANDS = st.lists(st.sampled_from(range(len(ALL))), unique=True, max_size=120).map(lambda at: tuple(ALL[i] for i in at))
WORDS = st.from_regex(r"[0-9A-Za-z_-]{0,10}", fullmatch=True)


@given(TABLES, PLIES, st.sampled_from(Verb), HANDS, st.integers(0, 9))
def test_a_button_and_a_select_come_back(table: int, ply: int, verb: Verb, held: Cards, part: int) -> None:
    for kind, template in ((Press, TEMPLATE), (Pick, PICK_TEMPLATE)):
        address = kind(table, ply, verb, held, part)
        assert len(str(address)) <= LIMIT
        assert re.fullmatch(template, str(address))
        back = kind.read(str(address))
        assert (back.table, back.ply, back.verb, back.part) == (table, ply, verb, part)
        assert Counter(back.cards) == Counter(held)
        assert back.cards == held or "=" in str(address)


@pytest.mark.parametrize("verb", Verb)
@pytest.mark.parametrize("held", [ALL, number_pack(), double_pack(), cards("15s BA") * 8], ids=len)
def test_any_hand_fits_at_the_largest_table(verb: Verb, held: Cards) -> None:
    address = Pick(10**19 - 1, 10**9 - 1, verb, held, 9)
    assert len(str(address)) <= LIMIT
    assert Counter(Pick.read(str(address)).cards) == Counter(held)


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
    assert str(Press(7, 31, Verb.PLAY, cards("5n 5n JK LA"))) == "bg:7:31:play:5n5nJKLA"
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
        "bg:1:2:play:='",
        "bg:1:2:play:=é",
        "bg:1:2:play:=" + "z" * 50,  # more than there are cards
        "bg:1:2:play:~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP",  # packed in an older way
        "bg:1:2:play:3d 4c",
        "bp:1:2:play",
        "play",
    ],
)
def test_anything_else_is_not_a_button(text: str) -> None:
    with pytest.raises(Unaddressed):
        Press.read(text)


def test_more_copies_than_any_pack_has_are_not_packed_wrongly() -> None:
    with pytest.raises(ValueError, match="copies"):
        str(Press(1, 1, Verb.PLAY, pack() * 9))


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
    assert Counter(split(join(ALL))) == Counter(ALL)
    assert (len(join(ALL)), len(join(number_pack()))) == (50, 49)


def test_cards_keep_their_order_where_they_are_written_in_full_and_only_there() -> None:
    assert split(join(cards("4c 3d 4c"))) == cards("4c 3d 4c")
    assert split(join(cards("4c 3d 4c"), 5)) == cards("3d 4c 4c")


def test_packed_cards_stay_what_they_are_when_further_cards_join() -> None:
    assert join(cards("Ad Ad Ac"), 0) == "=b"  # eleven: a two, and a one that counts nine
    assert join(cards("RJ"), 0) == "=90G1q(dk[b(jAJ)}$<ftQC&SQ/{Yj9d3sMDm@4(s"
    assert join(cards("BA"), 0) == "=[=F]Z;!ms*QiI9(Ch;|M8=mG+4G224,|V3h5Wyy+,H,Xtb-e"
