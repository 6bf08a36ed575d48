"""The cases worked out by hand for The Big and the Little A and the properties of the game, put to the plain reading.

The cases are beside the project. The bot is not involved.
"""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracle.big_little_a import (
    HAND_SIZES,
    NUMBERS,
    PACK,
    SETS,
    UNUSED,
    Options,
    beats,
    can_begin,
    classify,
    fitting,
    in_hand,
    in_order,
    next_starter,
    penalty,
    penalty_in_pile,
    plays,
    readings,
    standing,
    taker,
)
from tests.oracle.big_little_a_deal import Deal

PATH = Path(__file__).parents[3] / "shared" / "rules" / "big_little_a_cases.jsonl"
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return every case, or none if the case files are absent."""
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()] if PATH.exists() else []


def asked() -> list[Any]:
    return [pytest.param(case, id=f"{case['id']} {case['rule']}") for case in cases()]


def by_hand(case: Case) -> Options:
    """Give the options of a case in which every act is written out."""
    return {**case["options"], "auto_pass": "off"}


# How the reading answers a case


def run(case: Case) -> Any:
    return globals()[f"run_{case['kind']}"](case)


def told(case: Case, found: Case) -> Case:
    """Leave out what the case does not ask."""
    return {name: found[name] for name in case["expect"]}


def run_deal(case: Case) -> Case | None:
    players = case["players"]
    return {"hand": HAND_SIZES[players], "unused": UNUSED[players]} if players in HAND_SIZES else None


def run_classify(case: Case) -> Case | None:
    found = classify(case["cards"], case["options"], case.get("declared"))
    return None if found is None else {"n": found[0], "rank": found[1]}


def run_beats(case: Case) -> str:
    return beats(case["cand"], case["prev"], case["options"])


def before_seat_0(case: Case) -> Deal:
    """Set up a table at which seat 0 is to act: the other seats hold their plays and spare cards."""
    hands = [case["hand"], *([] for _ in range(case.get("players", 4) - 1))]
    for seat, cards in case["plays"]:
        hands[seat] = [*hands[seat], *cards, "1"]
    hands = [hand or ["1"] for hand in hands]
    first = case["plays"][0][0] if case["plays"] else 0
    deal = Deal(hands, first, by_hand(case), case.get("round", 5), case.get("taken"))
    for seat, cards in case["plays"]:
        while deal.turn != seat:
            assert deal.act(int(deal.turn or 0), "pass") == "pass"
        assert deal.act(seat, "play", cards) != "illegal"
    return deal


def run_legal(case: Case) -> str:
    deal = before_seat_0(case)
    return deal.act(0, case["act"], case["cards"])


def run_moves(case: Case) -> list[str]:
    return sorted("pass" if verb == "pass" else "-".join(cards) for verb, cards in before_seat_0(case).offers())


def run_a_round(case: Case) -> Case:
    cards = [card for _, card in case["plays"]]
    found = {"taker": taker(case["plays"]), "to": "pile" if cards[0] == "a" else "hand"}
    if cards[0] == "a":
        return {**found, "points": penalty([], cards, case["options"])}
    return {**found, "gain": list(in_order(cards))}


def run_score(case: Case) -> int:
    return penalty(case["hand"], case["pile"], case["options"])


def run_next_starter(case: Case) -> int | None:
    return next_starter(case["totals"], case["last"], case["starter"], case["options"])


def run_match(case: Case) -> Case:
    over, totals, winners = standing(case["hands"], case["options"])
    return told(case, {"over": over, "totals": totals, "winners": winners})


def run_script(case: Case) -> Case:
    deal = Deal(case["hands"], case["starter"], by_hand(case), case.get("round", 1), case.get("taken"))
    found = {
        "results": [deal.act(*act) for act in case["actions"]],
        "winners": deal.winners,
        "turn": deal.turn,
        "round": deal.number,
        "ended": deal.over,
        "counts": [len(hand) for hand in deal.hands],
        "penalties": deal.penalties(),
        "a_holder": deal.holder("a"),
        "A_holder": deal.holder("A"),
        "a_pile": next((seat for seat, pile in enumerate(deal.piles) if pile), None),
    }
    return told(case, found)


@pytest.mark.parametrize("case", asked())
def test_case(case: Case) -> None:
    assert run(case) == case["expect"]


@pytest.mark.skipif(not PATH.exists(), reason="the cases are not beside this project")
def test_every_case_of_the_sources_is_present() -> None:
    kinds = Counter(case["kind"] for case in cases())
    assert all(f"run_{kind}" in globals() for kind in kinds)
    assert kinds.total() == 57


# The pack, and what a hand has to play


def test_the_pack() -> None:
    assert len(PACK) == 110
    assert all(players * size + UNUSED[players] == 108 for players, size in HAND_SIZES.items())


@pytest.mark.parametrize("seed", range(12))
def test_generated_sets_equal_a_search_of_all_subsets(seed: int) -> None:
    rng = Random(seed)
    options = {"joker_only_sets": rng.choice(["fourteen", "declared", "single_only"])}
    few = rng.sample(NUMBERS, rng.choice([2, 3, 6]))
    hand = rng.sample([card for card in PACK if card in few or card not in NUMBERS], 11)
    subsets = {in_order(tried) for size in range(1, 12) for tried in combinations(hand, size)}
    for top in (None, (1, 13), (1, 14), (2, rng.randrange(1, 15)), (3, rng.randrange(1, 15))):
        assert plays(hand, top, options) == {tried for tried in subsets if fitting(tried, top, options)}


def test_jokers_alone() -> None:
    two = ["J", "J"]
    assert readings(two) == {(2, 14)}
    assert readings(two, {"joker_only_sets": "single_only"}) == set()
    declared = {"joker_only_sets": "declared"}
    assert readings(two, declared) == {(2, rank) for rank in range(1, 15)}
    assert readings(["J"], declared) == {(1, 14)}
    assert [classify(two, declared, named) for named in (None, 0, 1, 14, 15)] == [None, None, (2, 1), (2, 14), None]
    assert beats(two, two, declared, (8, 7)) == "beat"
    assert beats(two, two, declared, (7, 7)) == "no"
    assert fitting(two, (2, 12), declared) == {(2, 13), (2, 14)}


def test_every_possible_set_is_generated() -> None:
    found = [len(cards) for cards in SETS]
    assert max(found) == 12
    assert len(found) == 13 * 8 * 5 + 4


# The next starter, and the points


@pytest.mark.parametrize(
    ("totals", "last", "starter", "options", "expected"),
    [
        ([9, 9, 4], [5, 6, 4], 1, {}, 1),
        ([9, 9, 4], [6, 5, 4], 0, {}, 0),
        ([9, 9, 4], [6, 6, 4], 0, {}, 1),
        ([9, 9, 4], [6, 6, 9], 1, {}, 0),
        ([9, 1, 9], [6, 1, 6], 2, {}, 0),
        ([9, 1, 1], [6, 1, 1], 0, {"starter_tie": "random"}, 0),
        ([9, 9, 1], [6, 1, 1], 0, {"starter_tie": "random"}, None),
        ([9, 1, 8], [1, 6, 6], 1, {"next_starter": "most_last_hand"}, 2),
        ([9, 8, 1], [1, 6, 6], 2, {"next_starter": "most_last_hand"}, 1),
    ],
)
def test_the_first_leader_is_found(
    totals: list[int], last: list[int], starter: int, options: Options, expected: int | None
) -> None:
    assert next_starter(totals, last, starter, options) == expected
    assert expected is None or expected in can_begin(totals, last, options)


def test_points_as_options() -> None:
    options = {
        "joker_in_hand_points": 3,
        "little_a_in_hand_points": 4,
        "big_a_in_hand_points": 5,
        "joker_in_pile_points": 6,
    }
    assert [in_hand(card, options) for card in ("J", "a", "A", "13")] == [3, 4, 5, 13]
    assert [penalty_in_pile(card, options) for card in ("J", "a", "13")] == [6, 0, 13]


def test_equal_totals_share_a_win() -> None:
    assert standing([[3, 3, 4]] * 2, {"hands_per_match": 2}) == (True, [6, 6, 8], [0, 1])
