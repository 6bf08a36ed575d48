"""The brute-force reading of Big Two ranks its combinations as the rules do, under every option.

Covers the numbered rules only, and gives examples of each: which combinations climb on others, and which never meet.
"""

from itertools import combinations

import pytest

from tests.oracle.big_two_combinations import Options, beats, classify, given

LADDERS: list[tuple[Options, list[str]]] = [
    # the order of suits, C8
    ({"suit_order": "cshd"}, ["3c", "3s", "3h", "3d", "9s", "9d", "2c", "2d"]),
    ({"suit_order": "cshd"}, ["7h 7s", "7d 7c"]),
    ({"suit_order": "cshd"}, ["2h Ah Kh Qh 9h", "4d 6d 7d 8d Td"]),
    ({"suit_order": "cdhs"}, ["3c", "3d", "9c", "9d", "2h", "2s"]),
    # twos and aces in straights and which suit decides, C9
    ({}, ["As 2s 3h 4d 5h", "Ad 2d 3c 4c 5s", "2s 3s 4s 5s 6d", "2d 3d 4d 5d 6c"]),
    ({"straight_scheme": "a2345_top"}, ["2s 3s 4s 5s 6d", "2d 3d 4d 5d 6c", "As Ks Qs Js Td", "As 2c 3s 4s 5s"]),
    ({"straight_scheme": "a2345_top"}, ["As 2c 3s 4s 5s", "Ad 2h 3d 4d 5d"]),
    ({"straight_scheme": "23456_top_a2345_low"}, ["As 2s 3h 4h 5d", "Ad 2d 3c 4c 5c", "As Ks Qs Js Td"]),
    ({"straight_scheme": "23456_top_a2345_low"}, ["As Ks Qs Js Td", "2c 3s 4s 5s 6s", "2h 3d 4d 5d 6d"]),
    (
        {"straight_scheme": "23456_top_a2345_second"},
        ["As Ks Qs Js Td", "As 2h 3h 4h 5s", "Ad 2s 3d 4d 5d", "2d 3s 4s 5s 6s"],
    ),
    ({"straight_scheme": "jqka2_top_23456_second"}, ["As Ks Qs Js Td", "2c 3s 4s 5s 6s", "2h 3d 4d 5d 6d"]),
    ({"straight_scheme": "jqka2_top_23456_second"}, ["2s 3d 4d 5d 6d", "Js Qs Ks As 2d", "Jd Qd Kd Ad 2c"]),
    ({"straight_scheme": "jqka2_top_23456_low"}, ["2s 3s 4s 5s 6d", "2d 3d 4d 5d 6c", "3d 4d 5d 6d 7c"]),
    ({"straight_scheme": "indonesia_suit_of_two"}, ["As 2c 3h 4s 5d", "2h 3d 4d 5d 6s", "Ad 2s 3h 4s 5d"]),
    ({"straight_scheme": "indonesia_suit_of_two"}, ["Ts Js Qs Ks Ah", "2d 3s 4s 5s 6s", "Ac 2c 3c 4c 5d"]),
    (
        {"straight_scheme": "indonesia_suit_of_two"},
        ["As Ks Qs Js Ts", "Ad 2d 3d 4d 5d", "2c 3c 4c 5c 6c", "Ah 2h 3h 4h 5h"],
    ),
    ({"straight_scheme": "indonesia_suit_of_two", "promoted_two_decides": False}, ["As 2c 3h 4s 5s", "2h 3d 4d 5d 6d"]),
    ({"straight_scheme": "hong_kong"}, ["As 2h 3s 4d 5s", "Ad 2s 3h 4s 5d"]),
    ({"straight_scheme": "hong_kong", "promoted_two_decides": False}, ["Ad 2s 3h 4s 5d", "As 2h 3s 4d 5s"]),
    (
        {"straight_scheme": "hong_kong", "promoted_two_decides": False},
        ["2s 3s 4s 5s 6d", "2d 3d 4d 5d 6c", "As 2c 3c 4c 5d"],
    ),
    # how flushes compare, C10
    ({"flush_rank": "top_card"}, ["Ah Kh Jh 9h 8h", "As Js Ts 7s 6s", "2d Jd 7d 5d 3d", "2c 4c 5c 6c 8c"]),
    ({"flush_rank": "all_ranks"}, ["As Js Ts 7s 6s", "Ah Kh Jh 9h 7h", "Ah Kh Jh 9h 8h", "2d 7d 5d 4d 3d"]),
    ({"flush_rank": "all_ranks"}, ["Kd Qd Jd Td 8d", "Ks Qs Js Ts 8s"]),
    ({"flush_rank": "all_ranks"}, ["9s 8s 7s 6s 5s", "Td 9d 8d 7d 6d"]),
    # royal flush, quads, straight flush, C11
    ({"five_order": "royal_separate"}, ["2d 2c 2h 2s 6d", "Ks Qs Js Ts 9s", "Ad Kd Qd Jd Td", "As Ks Qs Js Ts"]),
    (
        {"five_order": "royal_only_beats_quads"},
        ["Ad Ac Ah Kd Kc", "Ks Qs Js Ts 9s", "3d 3c 3h 3s 8d", "2d 2c 2h 2s 6d", "Ad Kd Qd Jd Td", "As Ks Qs Js Ts"],
    ),
    ({"straight_scheme": "hong_kong"}, ["As Ks Qs Js Ts", "2d 3d 4d 5d 6d"]),
    ({"straight_scheme": "hong_kong", "five_order": "royal_separate"}, ["As 2s 3s 4s 5s", "Ad Kd Qd Jd Td"]),
    # quads alone and honour hands on everything, C14 and C15
    ({"quads_form": "both", "honours_beat": "any"}, ["3d 3c 3h 3s", "7d 7c 7h 7s", "2d 2c 2h 2s"]),
    ({"honours_beat": "any"}, ["2s", "3d 3c 3h 3s 4d", "4d 4c 4h 4s 3d", "3d 4d 5d 6d 7d"]),
    ({"honours_beat": "any"}, ["2h 2s", "3d 3c 3h 3s 4d"]),
    ({"honours_beat": "any"}, ["2d 2h 2s", "3d 3c 3h 3s 4d"]),
    ({"honours_beat": "any", "five_order": "royal_only_beats_quads"}, ["2s", "9d 8d 7d 6d 5d", "4d 4c 4h 4s 3d"]),
    # straight flushes of seven cards, C17
    (
        {"sf_form": "plus_two", "honours_beat": "any"},
        [
            "2s",
            "3d 3c 3h 3s 4d",
            "2d 2c 2h 2s As",
            "5d 4d 3d 2d Ad Ks Kh",
            "9s 8s 7s 6s 5s As Ks",
            "9d 8d 7d 6d 5d Td 3c",
        ],
    ),
    (
        {"sf_form": "plus_two", "honours_beat": "any", "five_order": "royal_only_beats_quads"},
        ["2d 2c 2h As Ah", "9s 8s 7s 6s 5s As Ks", "3d 3c 3h 3s 4d", "Td Jd Qd Kd Ad 3c 3h", "Ts Js Qs Ks As 3c 3h"],
    ),
    (
        {"sf_form": "plus_two", "flushes": False},
        ["8s 7s 6s 5s 4s", "9d 8d 7d 6d 5d", "9h 8h 7h 6h 5c", "9s 8s 7s 6s 5s"],
    ),
    (
        {"sf_form": "plus_two"},
        ["As Ks Qs Js Td", "9d 8d 7d 6d 5d", "Td 4d 5d 6d 7d", "3c 4c 5c 6c 7c", "3d 3c 3h 4d 4c"],
    ),
    (
        {"sf_form": "plus_two", "straight_scheme": "jqka2_top_no_low"},
        ["Ts Js Qs Ks As 3c 3h", "Td Jd Qd Kd Ad 2d 3c"],  # the best run of the seven has the two
    ),
    (
        {"sf_form": "plus_two", "straight_scheme": "jqka2_top_no_low", "five_order": "royal_separate"},
        ["Js Qs Ks As 2s 3c 3h", "Td Jd Qd Kd Ad 2d 3c", "Tc Jc Qc Kc Ac 3c 3h"],  # the royal is the best
    ),
    # the full house still beats a flush, C19
    ({"full_house_beats_straight": False}, ["2s As Ks 9s 8s", "4d 4c 4h 3d 3s", "3d 3c 3h 3s 4c"]),
    ({"full_house_beats_straight": False}, ["As Kh Qs Js Ts", "7d 5d 4d 3d 8d"]),
    # the deck of tiles, C44
    ({"preset": "lectio_tiles"}, ["3d", "9s", "10d", "15s", "1d", "1s", "2d", "2s"]),
    ({"preset": "lectio_tiles"}, ["11s 12s 13d 14d 15h", "12d 13c 14h 15s 1d", "2s 3s 4d 5h 6s", "1d 2c 3h 4s 5d"]),
    ({"preset": "lectio_tiles"}, ["1s 2h 3s 4s 5s", "1d 2s 3d 4d 5h"]),
    ({"preset": "lectio_tiles"}, ["1s 15s 13s 12s 11s", "2d 11d 5d 4d 3d", "2c 1c 5c 4c 6c"]),
]


@pytest.mark.parametrize(("changes", "ladder"), LADDERS)
def test_ladders_are_ordered_strictly(changes: Options, ladder: list[str]) -> None:
    options = given(changes)
    rungs = [rung.split() for rung in ladder]
    assert all(classify(rung, options) for rung in rungs)
    for low, high in combinations(rungs, 2):
        assert beats(high, low, options)
        assert not beats(low, high, options)
    assert not any(beats(rung, rung, options) for rung in rungs)


@pytest.mark.parametrize(
    ("changes", "one", "other"),
    [
        ({"honours_beat": "any", "quads_form": "both"}, "7d 7c 7h 7s", "3d 3c 3h 3s 4d"),
        ({"honours_beat": "any", "quads_form": "both"}, "7d 7c 7h 7s", "3d 4d 5d 6d 7d"),
        ({"quads_form": "both"}, "7d 7c 7h 7s", "3d"),
        ({"honours_beat": "any"}, "2s", "As Kh Qs Js Ts"),
        ({"honours_beat": "any"}, "3d 3c", "4d 4c 4h 5d 5c"),
        ({"honours_beat": "any", "sf_form": "plus_two"}, "2s", "3d 4d 5d 6d 7d"),  # demoted: no honour hand
        ({"sf_form": "plus_two"}, "3d 3c 3h 3s 4d", "4d 5d 6d 7d 8d Ks Kh"),
        ({"full_house_beats_straight": False}, "As Ad Ah Kd Kc", "3d 4c 5h 6s 7d"),
        ({"straight_scheme": "indonesia_suit_of_two"}, "Ad 2s 3h 4s 5d", "2s 3h 4s 5d 6d"),  # one two, never both
    ],
)
def test_neither_beats_the_other(changes: Options, one: str, other: str) -> None:
    options = given(changes)
    assert classify(one.split(), options)
    assert classify(other.split(), options)
    assert not beats(one.split(), other.split(), options)
    assert not beats(other.split(), one.split(), options)
