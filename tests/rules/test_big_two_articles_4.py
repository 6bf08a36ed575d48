"""Section 4 of the rule page of Big Two, an article at a time: what may be played, and what beats what."""

from itertools import combinations

import pytest

from bot.rules.core.cards import pack
from tests.rules.positions import FILLER, after, beats, climbs, kind, lying, named, refusal, table


def test_4_1_one_two_three_or_five_cards() -> None:
    assert [kind(text) for text in ("9d", "9d 9c", "9d 9c 9h", "5d 6c 7d 8d 9d")] == [
        "single",
        "pair",
        "triple",
        "straight",
    ]
    for size in (4, 6, 7, 13):
        assert not any(kind(" ".join(map(str, pack()[at : at + size]))) for at in range(39))
    assert refusal(table("3d 4d 5d 6d 7d 8d"), "3d 4d 5d 6d 7d 8d").article == "4.1"


def test_4_2_single_rank_then_suit() -> None:
    assert climbs("3d", "3c", "9h", "9s", "As", "2d", "2s")
    assert refusal(lying("3c", "3d"), "3d").article == "4.2"


def test_4_3_pair_rank_then_its_highest_suit() -> None:
    assert climbs("9h 9c", "9s 9d", "Js Jh", "Qd Qc")
    assert refusal(lying("9s 9d", "9h 9c"), "9h 9c").article == "4.3"
    assert refusal(table("9s 8d 7c"), "9s 8d").article == "4.3"


def test_4_4_triple_rank_only() -> None:
    assert climbs("3s 3h 3c", "4d 4c 4h", "As Ah Ac", "2d 2c 2h")
    assert refusal(lying("4d 4c 4h", "3s 3h 3c"), "3s 3h 3c").article == "4.4"
    assert refusal(table("9s 9d 7c 6c"), "9s 9d 7c").article == "4.4"
    assert kind("9s 9d 9c 4d") is None


def test_4_5_five_types_weakest_first() -> None:
    ladder = ("As Kd Qd Jd Td", "3d 4d 5d 6d 8d", "3d 3c 3h 4d 4c", "3d 3c 3h 3s 4d", "Ad 2d 3d 4d 5d")
    assert [kind(text) for text in ladder] == ["straight", "flush", "full_house", "quads", "straight_flush"]
    assert climbs(*ladder)
    assert refusal(table("3d 5c 7h 9s Jd 4d"), "3d 5c 7h 9s Jd").article == "4.5"


def test_4_6_straight_consecutive_not_one_suit() -> None:
    assert kind("4d 5s 6c 7h 8h") == "straight"
    assert kind("4d 5s 6c 7h 9h") is None
    assert kind("4d 5d 6d 7d 8d") != "straight"


def test_4_7_order_of_the_straights() -> None:
    runs = ("A2345", "23456", "34567", "45678", "56789", "6789T", "789TJ", "89TJQ", "9TJQK", "TJQKA")
    written = [" ".join(rank + suit for rank, suit in zip(run, "sdcdc", strict=True)) for run in runs]
    assert {kind(text) for text in written} == {"straight"}
    assert climbs(*written)
    assert climbs("5s 6s 7s 8s 9h", "6d 7d 8c 9d Td")


def test_4_8_straights_of_the_same_ranks_by_the_suit_at_the_top() -> None:
    assert climbs("Qh Jc Ts 9s 8s", "Qs Jd Tc 9h 8d")
    assert climbs("5h 4c 3d 2s As", "5s 4d 3c 2h Ad")
    assert climbs("6h 5d 4d 3d 2c", "6s 5h 4h 3h 2s")
    assert climbs("Th Js Qs Ks Ad", "Td Jd Qd Kd Ac")
    assert refusal(lying("Qs Jd Tc 9h 8d", "Qh Jc Ts 9s 8h"), "Qh Jc Ts 9s 8h").article == "4.8"


@pytest.mark.parametrize("cards", ["Jd Qc Kh As 2d", "Qd Kc Ah 2s 3d", "Kd Ac 2h 3s 4d"])
def test_4_9_no_going_round_the_corner(cards: str) -> None:
    assert kind(cards) is None
    assert refusal(table(f"{cards} 9c"), cards).article == "4.9"


def test_4_10_flush_suit_first_then_top_card() -> None:
    assert climbs("Ah Kh Qh Th 7h", "2h Jh 9h 6h 4h", "9s 7s 6s 5s 3s")
    assert kind("2h Ah Kh Qh Jh") == "flush"
    refused = refusal(lying("2h Jh 9h 6h 4h", "Ah Kh Qh Th 7h"), "Ah Kh Qh Th 7h")
    assert refused.article == "4.10"
    assert "suit comes first" in str(refused)


def test_4_11_full_house_by_its_triple() -> None:
    assert climbs("8d 8c 8h Kd Ks", "9d 9c 9h 4d 4c")
    assert refusal(lying("9d 9c 9h 4d 4c", "8d 8c 8h Kd Ks"), "8d 8c 8h Kd Ks").article == "4.11"


def test_4_12_four_of_a_kind_with_any_fifth_card() -> None:
    assert climbs("6d 6c 6h 6s 2s", "7d 7c 7h 7s 3d")
    assert refusal(lying("7d 7c 7h 7s 3d", "6d 6c 6h 6s 2s"), "6d 6c 6h 6s 2s").article == "4.12"
    assert refusal(table("7d 7c 7h 7s 3d"), "7d 7c 7h 7s").article == "4.12"


def test_4_13_straight_flush_sequence_then_suit() -> None:
    assert climbs("Ad 2d 3d 4d 5d", "As 2s 3s 4s 5s", "8s 7s 6s 5s 4s", "9d 8d 7d 6d 5d", "9c 8c 7c 6c 5c")
    assert refusal(lying("9d 8d 7d 6d 5d", "8s 7s 6s 5s 4s"), "8s 7s 6s 5s 4s").article == "4.13"


def test_4_14_nothing_beats_the_highest_straight_flush() -> None:
    best = "As Ks Qs Js Ts"
    assert kind(best) == "straight_flush"
    assert climbs("Ah Kh Qh Jh Th", best)
    game = after(table(f"{best} {FILLER}", " ".join(str(each) for each in pack() if str(each) not in best)), best)
    assert not game.view(1).plays


def test_4_15_like_on_like() -> None:
    sizes = ("3c", "4d 4c", "5d 5c 5h", "As Ks Qs Js Ts")
    assert not any(beats(high, low) for low, high in combinations(sizes, 2))
    assert not any(beats(low, high) for low, high in combinations(sizes, 2))
    refused = refusal(lying("3c", "4d 4c"), "4d 4c")
    assert refused.article == "4.15"
    assert (refused.values["needed"], refused.values["count"]) == (1, 2)


def test_4_16_a_stronger_type_wins() -> None:
    assert climbs("As Kh Qs Js Ts", "7d 5d 4d 3d 8d", "3d 3c 3h 4d 4c", "3d 3c 3h 3s 4d", "5c 4c 3c 2c Ac")
    assert refusal(lying("7d 5d 4d 3d 8d", "As Kh Qs Js Ts"), "As Kh Qs Js Ts").article == "4.16"


@pytest.mark.parametrize(
    ("cards", "article"),
    [
        ("9d 9c 5h 5s", "4.1"),
        ("9d 9c 5h 5s 3d", "4.17"),
        ("8d 8c 8h Kd", "4.1"),
        ("8d 8c 8h Kd 3c", "4.17"),
        ("4d 5c 6h", "4.4"),
        ("4d 5c 6h 7d", "4.1"),
        ("7d 7c 7h 7s", "4.12"),
        ("4d 5c 6h 7d 8d 9d", "4.1"),
        ("3d 3c 3h 3s 4d 4c", "4.1"),
    ],
)
def test_4_17_what_is_not_a_play(cards: str, article: str) -> None:
    assert kind(cards) is None
    assert refusal(table(f"{cards} Qs"), cards).article == article


def test_4_18_how_rare_they_are() -> None:
    whole = table(" ".join(map(str, pack())))
    counts: dict[str, int] = {}
    for combo in whole.view(0).plays:
        counts[combo.kind] = counts.get(combo.kind, 0) + 1
    assert counts == {
        "single": 52,
        "pair": 78,
        "triple": 52,
        "straight": 10_200,
        "flush": 5_108,
        "full_house": 3_744,
        "quads": 624,
        "straight_flush": 40,
    }


def test_4_19_equal_never_beats() -> None:
    assert not beats("9s 9d", "9s 9c")
    assert not beats("9s 9c", "9s 9d")
    one, other = named("9s 9d"), named("9s 9c")
    assert one is not None
    assert other is not None
    assert (one.level, one.strength) == (other.level, other.strength)
    assert kind("4h 5h 6h 7h 8h") == "straight_flush"
