"""custom_ids: whatever a component carries comes back, old ones are understood, and nothing else is taken for ours."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import TableId
from bot.rules.core.cards import Cards, cards, double_pack, every_card, number_pack, pack
from bot.show.kit.card_codes import LIMIT, join, split, valued, values
from bot.show.kit.custom_ids import (
    BROWSE_TEMPLATE,
    DECISION_VERBS,
    MAX_TABLE_ID,
    TEMPLATE,
    UNREACHABLE_MOMENT,
    Browse,
    InvalidCustomId,
    Press,
    Verb,
    parse_custom_id,
)
from tests.support.former_custom_ids import former_custom_id

TABLES = st.integers(0, MAX_TABLE_ID).map(TableId)
SEVEN = TableId(7)
PLIES = st.integers(0, 10**9 - 1)
ALL = every_card() * 8  # as often as any pack has a card
HANDS = st.lists(st.sampled_from(range(len(ALL))), unique=True, max_size=120).map(lambda at: tuple(ALL[i] for i in at))
WORDS = st.from_regex(r"[0-9A-Za-z_-]{0,10}", fullmatch=True)


@given(TABLES, st.sampled_from(Verb), PLIES | st.none(), st.integers(0, 999))
def test_a_custom_id_round_trips(table: TableId, verb: Verb, at: int | None, part: int) -> None:
    address = Press(table, verb, at=at, part=0 if at is None else part)
    assert len(str(address)) <= LIMIT
    assert re.fullmatch(TEMPLATE, str(address))
    assert Press.read(str(address)) == parse_custom_id(str(address)) == address


def test_a_custom_id_with_an_impossible_table_number_is_invalid() -> None:
    assert Press.read(f"bg:{2**63 - 1}:hand").table == 2**63 - 1
    with pytest.raises(InvalidCustomId):
        Press.read(f"bg:{2**63}:hand")


@given(table=TABLES, ply=PLIES, verb=st.sampled_from(Verb), held=HANDS, part=st.integers(0, 9), select=st.booleans())
def test_custom_ids_of_earlier_releases_are_parsed(
    table: int, ply: int, verb: Verb, held: Cards, part: int, *, select: bool
) -> None:
    address = former_custom_id(table, ply, verb, held, part=part, select=select)
    assert len(address) <= LIMIT
    back = parse_custom_id(address)
    assert isinstance(back, Press)
    assert (back.table, back.verb) == (
        table,
        {("play", True): Verb.PLAYS, ("remove", True): Verb.SEATS}.get((verb, select), verb),
    )
    assert back.at == (ply if back.verb in DECISION_VERBS else None)
    assert back.part == (part if verb in (Verb.CHOOSE, Verb.PICK) else 0)
    assert Counter(back.cards) == Counter(held)
    assert back.cards == held or "=" in address


@pytest.mark.parametrize("held", [ALL, number_pack(), double_pack(), cards("15s BA") * 8], ids=len)
def test_any_hand_fits_a_custom_id(held: Cards) -> None:
    assert len(join(held)) <= LIMIT
    assert Counter(split(join(held))) == Counter(held)


@given(st.from_regex(r"[a-z_]{1,12}", fullmatch=True), st.lists(WORDS, max_size=6).map(tuple))
def test_a_custom_id_without_a_table_round_trips(verb: str, args: tuple[str, ...]) -> None:
    address = Browse(verb, args)
    assert re.fullmatch(BROWSE_TEMPLATE, str(address))
    assert Browse.read(str(address)) == address


def test_the_format_of_custom_ids_is_fixed() -> None:
    assert str(Press(SEVEN, Verb.HAND)) == "bg:7:hand"
    assert str(Press(SEVEN, Verb.PASS, at=31)) == "bg:7:pass:31"
    assert str(Press(SEVEN, Verb.CHOOSE, at=31, part=2)) == "bg:7:choose:31.2"
    assert str(Press(SEVEN, Verb.PICK, at=3, part=1)) == "bg:7:pick:3.1"
    assert str(Browse.to("rules", "big_two", 0, 3)) == "bv:rules:big_two:0:3"


def test_custom_ids_from_before_tiles_are_parsed() -> None:
    held = "Ad2c3h4s5d6c7h8s9dTcJhQsKd"
    for address in (parse_custom_id(f"bg:7:31:play:{held}"), parse_custom_id(f"bp:7:31:pick1:{held}")):
        assert isinstance(address, Press)
        assert address.cards == split(held)
    assert split(held) == cards("Ad 2c 3h 4s 5d 6c 7h 8s 9d Tc Jh Qs Kd")


@pytest.mark.parametrize("written", ["3", "9x", "='", "=é", "=" + "z" * 50, "3d 4c", "~0123456789abcdefghijklm"])
def test_a_custom_id_in_a_retired_format_is_too_late(written: str) -> None:
    address = parse_custom_id(f"bg:7:31:play:{written}")
    assert isinstance(address, Press)
    assert (address.at, address.cards) == (UNREACHABLE_MOMENT, None)


def test_the_patterns_distinguish_the_kinds_of_custom_ids() -> None:
    ids = (str(Press(SEVEN, Verb.PLAY, at=2)), str(Browse.to("play", 1, 2)))
    for template, mine in zip((TEMPLATE, BROWSE_TEMPLATE), ids, strict=True):
        assert [each for each in ids if re.fullmatch(template, each)] == [mine]


@pytest.mark.parametrize(
    "text",
    ["", "bg:", "bg:1:2", "bg:x:2:play", "bg:1:2:dance", "bg:1:dance", "bg:1:play:x", "bg:1:play:3.x", "bg:1:play:",
     "bg:1:play:3d4c", "bx:1:2:play", "play", "bv:", "bv:A", "bp:1:play"],
)  # fmt: skip
def test_a_foreign_custom_id_is_invalid(text: str) -> None:
    with pytest.raises(InvalidCustomId):
        parse_custom_id(text)


def test_packing_refuses_more_copies_than_any_pack_has() -> None:
    with pytest.raises(ValueError, match="copies"):
        join(pack() * 9)


def test_select_values_are_parsed_as_cards() -> None:
    assert valued(["4c", "Ts.1", "15s.2", "BJ.1"]) == cards("4c Ts 15s BJ")


def test_two_copies_of_a_card_have_two_values() -> None:
    assert values(cards("3d 3d 4c 3d")) == ["3d", "3d.1", "4c", "3d.2"]
    assert values(cards("RJ BJ RJ")) == ["RJ", "BJ", "RJ.1"]


def test_cards_are_written_without_spaces_and_read_back() -> None:
    held = every_card()[:30]
    assert join(held) == "".join(map(str, held))
    assert split(join(held)) == held


def test_cards_are_packed_when_short_of_space() -> None:
    assert join(cards("3d 3d 15s"), 7) == "3d3d15s"
    assert split(join(cards("3d 3d 15s"), 6)) == cards("3d 3d 15s")
    assert Counter(split(join(ALL))) == Counter(ALL)
    assert (len(join(ALL)), len(join(number_pack()))) == (50, 49)


def test_only_unpacked_cards_keep_their_order() -> None:
    assert split(join(cards("4c 3d 4c"))) == cards("4c 3d 4c")
    assert split(join(cards("4c 3d 4c"), 5)) == cards("3d 4c 4c")


def test_packed_cards_stay_valid_when_new_cards_are_added() -> None:
    assert join(cards("Ad Ad Ac"), 0) == "=b"  # eleven: a two, and a one that counts nine
    assert join(cards("RJ"), 0) == "=90G1q(dk[b(jAJ)}$<ftQC&SQ/{Yj9d3sMDm@4(s"
    assert join(cards("BA"), 0) == "=[=F]Z;!ms*QiI9(Ch;|M8=mG+4G224,|V3h5Wyy+,H,Xtb-e"
