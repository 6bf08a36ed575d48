"""The brute-force reading of Big Two's combinations holds to the rules under every option, and to their worked cases.

Covers the numbered rules only; whether the bot plays the same game is told elsewhere.
"""

import json
from collections import Counter
from itertools import combinations, pairwise, permutations
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracle.big_two_combinations import (
    DECKS,
    HONOURS,
    PRESETS,
    SCHEMES,
    Options,
    beats,
    classify,
    given,
    loser,
    loser_group,
    may_pass,
    pack,
    plays,
    straights,
    worth,
)

CASES = Path(__file__).parents[3] / "shared" / "rules" / "big_two_cases.jsonl"
ABOUT_TURNS = {"own", "locked"}  # who may act at all is not a question of combinations


def worked(*kinds: str) -> list[Any]:
    """Return the worked cases of these kinds, none where the file is absent."""
    lines = CASES.read_text(encoding="utf-8").splitlines() if CASES.exists() else []
    cases = [each for each in map(json.loads, lines) if each["kind"] in kinds]
    return [pytest.param(each, id=each["id"]) for each in cases if not ABOUT_TURNS & set(each.get("ctx", {}))]


@pytest.mark.parametrize("case", worked("classify", "beats", "order", "straights", "legal", "loser", "deck_count"))
def test_worked_case(case: dict[str, Any]) -> None:
    assert answer(case, given(case["options"])) == case["expect"]


def answer(case: dict[str, Any], options: Options) -> Any:
    """Return what the reading says to a case."""
    if case["kind"] == "classify":
        return classify(case["a"], options) or "illegal"
    if case["kind"] == "beats":
        return beats(case["a"], case["b"], options)
    if case["kind"] == "order":
        [ladder] = [
            order
            for order in permutations(range(len(case["plays"])))
            if all(beats(case["plays"][high], case["plays"][low], options) for low, high in combinations(order, 2))
        ]
        return list(ladder)
    if case["kind"] == "straights":
        return ["".join(run) for run in straights(options)]
    if case["kind"] == "loser":
        return loser(case["left"], case["winner"], options)
    return in_full_pack(options)[case["type"]] if case["kind"] == "deck_count" else legal(case, options)


def legal(case: dict[str, Any], options: Options) -> bool:
    """Tell whether the case's action is legal."""
    context = case.get("ctx", {})
    forced = context.get("next_count") == 1
    if case["a"] == "pass":
        return may_pass(case["hand"], case["b"], options, forced=forced)
    may = plays(
        case["hand"],
        case["b"],
        options,
        must=context.get("must_include"),
        forced=forced,
        out_of_turn=context.get("out_of_turn", False),
    )
    return frozenset(case["a"]) in may


def in_full_pack(options: Options) -> Counter[str | None]:
    """Count the combinations of up to five cards that the pack holds, trying one of each set of ranks and suits."""
    ranks, [one, other, third, last] = DECKS[options["deck"]], options["suit_order"]
    found: Counter[str | None] = Counter()
    for five in combinations(ranks, 5):
        found[classify([rank + one for rank in five], options)] += 4
        found[classify([five[0] + other, *(rank + one for rank in five[1:])], options)] += 4**5 - 4
    for many, few in permutations(ranks, 2):
        alike = [many + one, many + other, many + third]
        found[classify([*alike, few + one, few + last], options)] += 4 * 6
        found[classify([*alike, many + last, few + one], options)] += 4
    for rank in ranks:
        for size, ways in enumerate((4, 6, 4, 1), start=1):
            found[classify([rank + suit for suit in options["suit_order"][:size]], options)] += ways
    return found


STANDARD_COUNTS = {
    "single": 52,
    "pair": 78,
    "triple": 52,
    "straight": 10200,
    "flush": 5108,
    "full_house": 3744,
    "quads": 624,
    "straight_flush": 40,
}
TILES = {
    "single": 60,
    "pair": 90,
    "triple": 60,
    "straight": 12 * 1020,
    "flush": 4 * (comb(15, 5) - 12),
    "full_house": 15 * 4 * 14 * 6,
    "quads": 15 * 56,
    "straight_flush": 48,
}


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, STANDARD_COUNTS),
        ({"suit_order": "cshd"}, STANDARD_COUNTS),
        ({"preset": "hong_kong"}, STANDARD_COUNTS),
        ({"five_order": "royal_separate"}, {**STANDARD_COUNTS, "straight_flush": 36, "royal_flush": 4}),
        (
            {"straight_scheme": "no_a2345"},
            {**STANDARD_COUNTS, "straight": 9180, "flush": 5112, "straight_flush": 36},
        ),
        ({"triples": False, "flushes": False}, {**STANDARD_COUNTS, "triple": 0, "flush": 0}),
        ({"quads_form": "both"}, {**STANDARD_COUNTS, "quads_bare": 13}),
        ({"quads_form": "bare"}, {**STANDARD_COUNTS, "quads": 0, "quads_bare": 13}),
        ({"sf_form": "plus_two"}, {**STANDARD_COUNTS, "flush": 5148, "straight_flush": 0}),
        ({"sf_form": "plus_two", "bare_suited_run": "illegal"}, {**STANDARD_COUNTS, "straight_flush": 0}),
        (
            {"sf_form": "plus_two", "flushes": False},
            {**STANDARD_COUNTS, "straight": 10240, "flush": 0, "straight_flush": 0},
        ),
        ({"bare_suited_run": "illegal"}, STANDARD_COUNTS),  # without effect where five cards are enough
        ({"preset": "lectio_tiles"}, TILES),
        ({"preset": "lectio_tiles", "five_order": "royal_separate"}, {**TILES, "straight_flush": 44, "royal_flush": 4}),
    ],
)
def test_counts_of_the_full_pack(changes: Options, counts: dict[str, int]) -> None:
    found = in_full_pack(given(changes))
    del found[None]
    assert +found == +Counter(counts)


@pytest.mark.parametrize(("deck", "scheme"), [(deck, scheme) for deck in DECKS for scheme in SCHEMES])
def test_straights_climb_as_listed(deck: str, scheme: str) -> None:
    options = given({"deck": deck, "straight_scheme": scheme})
    listed = [[rank + "dcdcd"[at] for at, rank in enumerate(run)] for run in straights(options)]
    if scheme == "indonesia_suit_of_two":
        listed = listed[:-1]
    assert len(listed) >= 9
    assert all(beats(high, low, options) and not beats(low, high, options) for low, high in pairwise(listed))


def test_runs_of_tiles() -> None:
    runs = straights(given({"preset": "lectio_tiles"}))
    assert len(runs) == 12
    assert runs[0] == ("3", "4", "5", "6", "7")
    assert runs[8:] == [
        ("11", "12", "13", "14", "15"),
        ("12", "13", "14", "15", "1"),
        ("2", "3", "4", "5", "6"),
        ("1", "2", "3", "4", "5"),
    ]


@pytest.mark.parametrize(
    ("changes", "cards"),
    [
        ({"quads_form": "both"}, "3d 3c 3h 4d"),
        ({"sf_form": "plus_two"}, "3d 4d 5d 6d 7d 9s"),  # exactly seven
        ({"sf_form": "plus_two"}, "3d 4d 5d 6d 8d 9s 9d"),
        ({"sf_form": "five"}, "3d 4d 5d 6d 7d 9s 9d"),
        ({"straight_scheme": "jqka2_top_no_low"}, "Ad 2c 3d 4d 5d"),
        ({"straight_scheme": "hong_kong"}, "Jd Qc Kd Ad 2d"),
        ({"straight_scheme": "jqka2_top_no_low"}, "Qd Kc Ad 2d 3d"),
        ({"flushes": False, "straight_scheme": "no_a2345"}, "As 2s 3s 4s 5s"),
        ({"preset": "lectio_tiles"}, "13d 14c 15h 1s 2d"),
        ({"preset": "lectio_tiles", "straight_scheme": "ace_low"}, "14d 15h 1s 2d 3d"),
    ],
)
def test_invalid_plays_are_refused(changes: Options, cards: str) -> None:
    assert classify(cards.split(), given(changes)) is None


def test_suited_cards_without_a_run_are_a_flush() -> None:
    assert classify(["2d", "Ad", "Kd", "Qd", "Jd"]) == "flush"
    assert classify(["As", "2s", "3s", "4s", "5s"], given({"straight_scheme": "no_a2345"})) == "flush"
    assert classify(["As", "2s", "3s", "4s", "5s"], given({"preset": "taiwan_latta"})) == "straight"


@pytest.mark.parametrize(
    ("changes", "hand", "group"),
    [
        ({}, "3d 3c 7h 9s Kd", "3d 3c"),
        ({}, "4d 6c 8h Ts Qd", "Qd"),
        ({}, "9d 9c 9h Kh Kc", "9d 9c 9h Kh Kc"),
        ({}, "9d 9c 9h Kh Qc", "9d 9c 9h"),
        ({}, "9d 9c 9h Kh Ks", "9d 9c 9h Kh Ks"),
        ({"triples": False}, "9d 9c 9h Kh Qc", "9c 9h"),
        ({}, "9d 9c 9h 9s", "9d 9c 9h"),
        ({"quads_form": "both"}, "9d 9c 9h 9s", "9d 9c 9h 9s"),
        ({"quads_form": "bare"}, "9d 9c 9h 9s Kd", "9d 9c 9h 9s"),
        ({"sf_form": "plus_two"}, "3d 4d 5d 6d 7d 2s 2h", "3d 4d 5d 6d 7d 2s 2h"),
        (  # seven cards are more than the stronger five
            {"sf_form": "plus_two", "five_order": "royal_only_beats_quads"},
            "3d 4d 5d 6d 7d 7c 7h 7s",
            "3d 4d 5d 6d 7d 7c 7h",
        ),
        ({"full_house_beats_straight": False}, "3d 4c 5h 6s 7d 7c 7h 3h", "7d 7c 7h 3d 3h"),
        ({"last_card_ban": "any_two"}, "2s", "2s"),
    ],
)
def test_the_largest_group(changes: Options, hand: str, group: str) -> None:
    options = given(changes)
    assert worth(loser_group(hand.split(), options), options) == worth(group.split(), options)
    assert loser_group(hand.split(), options) <= set(hand.split())


def test_honours_out_of_turn() -> None:
    options = given({"preset": "da_lao_er"})
    hand = ["3d", "3c", "3h", "3s", "4c", "2s", "2h"]
    fours = {frozenset(["3d", "3c", "3h", "3s", odd]) for odd in ("4c", "2s", "2h")}
    assert plays(hand, ["9d"], options, out_of_turn=True) == fours
    assert plays(hand, ["9d"], options) == fours | {frozenset(["2s"]), frozenset(["2h"])}
    assert plays(hand, None, options, out_of_turn=True) == set()
    assert plays(hand, ["4d", "4h", "4s", "5d", "5c"], options, out_of_turn=True) == fours
    assert plays(hand, ["9d"], given({"preset": "lukang"}), out_of_turn=True) == set()


def test_the_highest_single_is_forced() -> None:
    options = given({"one_card_rule": "forced"})
    hand = ["4d", "4c", "Kd"]
    assert plays(hand, None, options, forced=True) == {frozenset(["Kd"]), frozenset(["4d", "4c"])}
    assert plays(hand, ["3d"], options, forced=True) == {frozenset(["Kd"])}
    assert plays(hand, ["3d"], options) == {frozenset([card]) for card in hand}
    assert plays(hand, ["3d"], forced=True) == {frozenset([card]) for card in hand}
    assert plays(hand, ["As"], options, forced=True) == set()
    assert plays(hand, None, options, must="4d", forced=True) == {frozenset(["4d"]), frozenset(["4d", "4c"])}
    assert may_pass(hand, ["As"], options, forced=True)
    assert not may_pass(hand, ["3d"], options, forced=True)
    assert may_pass(["2s"], ["As"], {**options, "last_card_ban": "any_two"}, forced=True)


@pytest.mark.parametrize("seed", range(30))
def test_at_most_one_of_two_groups_is_better(seed: int) -> None:
    rng = Random(seed)
    options = given(rng.choice([*PRESETS.values(), {"five_order": rng.choice(list(HONOURS)), "quads_form": "both"}]))
    cards = [card for card in pack(options) if card[-1] in "ds" or card[0] in "456"]
    dealt = rng.sample(cards, 16)
    for one in plays(dealt[:8], None, options):
        for other in plays(dealt[8:], None, options):
            better, worse = beats(one, other, options), beats(other, one, options)
            assert not (better and worse)
            assert worth(one, options) != worth(other, options)
            if len(one) == len(other) and options["full_house_beats_straight"]:
                assert better == (worth(one, options) > worth(other, options)) == (not worse)
