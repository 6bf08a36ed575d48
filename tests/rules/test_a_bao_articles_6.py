"""Section 6 of the rule page of Tàihé A Bāo, an article at a time: what may be played, and what beats what."""

from itertools import pairwise

import pytest

from bot.rules.core.cards import write
from tests.rules.a_bao_positions import (
    after,
    asking,
    beats,
    climbs,
    in_a_row,
    kind,
    named,
    not_led,
    not_on,
    rules,
    suits,
    table,
)

RANKS = "45679TJQKA"
LONGEST = "9d Td Jd Qd Kd"
THREE_ACES = rules("three")
KINGS_PLAIN = rules(players=5, aces=False, three_kings_top=False)
KINGS_TOP = rules(players=5, aces=False, three_kings_top=True)


def test_6_1_single() -> None:
    assert [kind(f"{rank}s") for rank in RANKS] == ["single"] * 10
    assert climbs("4d", "7s", "9d", "Kc", "Ah")
    assert not_on("7s", "9d") == "6.1"


def test_6_2_pair() -> None:
    assert [kind(suits(rank, 2)) for rank in RANKS] == ["pair"] * 10
    assert climbs("4d 4s", "9c 9h", "Td Ts", "Ad Ac")
    assert not_on("9c 9h", "Td Ts") == "6.2"
    assert kind("9d Td") is None


def test_6_3_sequence() -> None:
    assert kind("4d 5c 6h") == kind("4s 5s 6s 7s") == kind(LONGEST) == "sequence"
    assert kind("4d 5c") is None
    assert beats("9d Tc Jh", "4s 5s 6s")
    assert climbs("4s 5s 6s", "5c 6c 7c", "9d Tc Jh", "Tc Jc Qc", "Jd Qd Kd")
    assert not beats("9d Tc Jh Qs", "4s 5s 6s")
    assert not beats("9d Tc Jh", "4s 5s 6s 7s")
    combo = named("6h 4d 5c")
    assert combo
    assert str(combo.head) == "6h"


def test_6_4_double_sequence() -> None:
    assert kind("5d 5c 6d 6c") == kind(in_a_row("456", 2)) == kind(in_a_row("9TJQK", 2)) == "double_sequence"
    assert climbs("5d 5c 6d 6c", "6h 6s 7h 7s", "9d 9c Td Tc", "Qd Qc Kd Kc")
    assert not beats(in_a_row("9TJ", 2), "4d 4c 5d 5c")
    assert not beats("Qd Qc Kd Kc", "9c 9d")
    assert not_on("5d 5c 6d 6c", "Qd Qc Kd Kc") == "6.4"


def test_6_5_triplet() -> None:
    assert [kind(suits(rank, 3)) for rank in RANKS] == ["triplet"] * 10
    assert climbs(*(suits(rank, 3) for rank in RANKS))
    for top in ("Ad", "Ad Ac", "9h Th Jh", LONGEST, "Qd Qc Kd Kc", in_a_row("9TJQK", 2)):
        assert beats("4d 4c 4h", top)
        assert not beats(top, "4d 4c 4h")
    assert not_on("Kd Kc Kh", "Ad Ac Ah") == not_on("Ad", "4d 4c 4h") == "6.5"


def test_6_6_four_of_a_kind() -> None:
    assert [kind(suits(rank, 4)) for rank in RANKS] == ["four"] * 10
    assert climbs(*(suits(rank, 4) for rank in RANKS))
    for top in ("Ad", "Ad Ac", LONGEST, in_a_row("9TJQK", 2), "Qd Qc Qh", "Ad Ac Ah"):
        assert beats(suits("4", 4), top)
        assert not beats(top, suits("4", 4))
    assert not_on("Ad Ac Ah", suits("4", 4)) == not_on("Ad Ac", suits("4", 4)) == "6.6"


def test_o3_2_three_aces() -> None:
    aces = suits("A", 3)
    assert kind(aces, THREE_ACES) == "top_three"
    assert climbs("Ad", "Kd Kc Kh", suits("4", 4), suits("K", 4), aces, of=rules("three", auto_pass="off"))
    assert kind("Ad Ac", THREE_ACES) == "pair"
    assert not_on(suits("K", 4), aces, rules("three", auto_pass="off")) == "O3.2"
    assert kind(aces) == kind(aces, rules("five")) == "triplet"


def test_o12_1_three_kings_are_a_triplet() -> None:
    kings = suits("K", 3)
    assert kind(kings, KINGS_PLAIN) == "triplet"
    of = rules(players=5, aces=False, three_kings_top=False, auto_pass="off")
    assert climbs("Qd Qc Qh", kings, suits("4", 4), suits("Q", 4), of=of)
    assert not_on(kings, suits("4", 4), of) == "6.6"


def test_o12_2_three_kings_count_as_four() -> None:
    kings = suits("K", 3)
    assert kind(kings, KINGS_TOP) == "top_three"
    of = rules(players=5, aces=False, three_kings_top=True, auto_pass="off")
    assert climbs("Qd Qc Qh", suits("4", 4), suits("Q", 4), kings, of=of)
    assert kind("Kd Kc", KINGS_TOP) == "pair"
    assert not_on(suits("Q", 4), kings, of) == "O12.2"
    for elsewhere in (rules(three_kings_top=True), rules("without_aces", three_kings_top=True)):
        assert kind(kings, elsewhere) == "triplet"


def test_6_7_no_eight_between() -> None:
    for wrong in ("6d 7c 9h", "7d 9d Td", in_a_row("79", 2), in_a_row("679T")):
        assert kind(wrong) is None
        assert not_led(wrong) == "6.7"
    assert kind("5d 6c 7h") == kind("9h Td Jc") == "sequence"


def test_6_8_no_aces_in_sequences() -> None:
    for wrong in ("Qd Kc Ah", "Kd Kc Ad Ac", "Ad 4d 5d"):
        assert kind(wrong, rules(aces=True)) is None
        assert not_led(wrong) == "6.8"


@pytest.mark.parametrize("aces", [True, False])
def test_6_9_kings_in_sequences(aces: bool) -> None:
    game = rules(aces=aces, auto_pass="off")
    assert kind("Jd Qc Kh", game) == "sequence"
    assert kind("Jd Jc Qd Qc Kd Kc", game) == "double_sequence"
    three_pairs = [in_a_row("".join(ranks), 2) for ranks in ("456", "567", "9TJ", "TJQ")]
    assert all(beats("Jd Jc Qd Qc Kd Kc", top, game) for top in three_pairs)
    assert climbs(*three_pairs, "Jd Jc Qd Qc Kd Kc", of=game)


def test_6_10_nothing_else() -> None:
    wrong = {
        "4d 5d": "6.2",
        "4d Kd": "6.2",
        "7d 7c 7h 9d 9c": "6.10",
        "7d 7c 7h 7s 4d": "6.10",
        in_a_row("45", 3): "6.10",
        in_a_row("45", 4): "6.10",
        "4d 6d 9d Jd Kd": "6.3",
        "4d 4c 6d 6c": "6.4",
        "4d 4c 5d": "6.10",
        "4d 6c 7h": "6.3",
    }
    for held, article in wrong.items():
        assert kind(held) is None
        assert not_led(held) == article


def test_6_11_what_beats_what() -> None:
    plain = ["9d", "9d 9c", "9d Tc Jh", "9d Tc Jh Qs", "9d 9c Td Tc", in_a_row("9TJ", 2)]
    lower = ["4d", "4d 4c", "4d 5c 6h", "4d 5c 6h 7s", "4d 4c 5d 5c", in_a_row("456", 2)]
    for at, tried in enumerate(plain):
        for place, top in enumerate(lower):
            assert beats(tried, top) == (at == place)
            assert at == place or not_on(tried, top) == "6.11"
    for one, other in pairwise(["9d 9c", "9h 9s", "9d 9h"]):
        assert not beats(one, other)
    for equal in ("9d Tc Jh", "9d 9c Td Tc"):
        assert not beats(equal, equal.replace("d", "s"))
    assert not_on("9h 9s", "9d 9c") == "6.2"


@pytest.mark.parametrize("bomb", ["4d 4c 4h", "Kd Kc Kh Ks"])
def test_6_12_bombs_can_be_led(bomb: str) -> None:
    game = table(f"{bomb} 9d", of=asking())
    assert bomb in [write(each.cards) for each in game.view(0).plays]
    assert after(game, bomb).trick.owner == 0
