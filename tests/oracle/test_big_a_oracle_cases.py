"""The cases worked out by hand for Big A and the properties of its combinations, put to the plain reading of its rules.

Covers the form of the cases, where they lie beside the project; those that play a deal are not for the reading, which
knows no turns. The bot is not involved.
"""

import json
from collections import Counter
from graphlib import TopologicalSorter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracle.big_a import (
    BOMB_RUNS,
    LADDERS,
    PACK,
    RUN,
    SINGLES,
    WRITTEN,
    Kind,
    Options,
    Pattern,
    answer,
    beats,
    captures,
    classify,
    climbs,
    contained,
    in_order,
    is_play,
    kind_of,
    pattern,
    plays,
    shapes,
    subsets,
)
from tests.oracle.big_a_draw import draw_outcome, face_down, hand_sizes, window
from tests.oracle.big_a_end import BASIC, SHARED, UNSHARED, has_ended, lead_after, next_starter, score

PATH = Path(__file__).parents[3] / "shared" / "rules" / "big_a_cases.jsonl"
PLAYED = {"script": 9}  # kinds that are not put to the reading, and how many there are
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return every case, or none if the case files are absent."""
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()] if PATH.exists() else []


def asked() -> list[Any]:
    return [pytest.param(case, id=f"{case['id']} {case['rule']}") for case in cases() if case["kind"] not in PLAYED]


def of(case: Case) -> Options:
    alone = case["kind"] == "classify"  # what the cards can be at all, where no sides are said
    return {**case["options"], "lone": case.get("lone", alone)}


# How the reading answers a case


def run(case: Case) -> Any:
    return globals()[f"run_{case['kind']}"](case)


def run_classify(case: Case) -> Case | None:
    found = classify(case["cards"], case["big"], of(case))
    return None if found is None else described(found)


def described(found: Kind) -> Case:
    """Write a kind as the cases do."""
    name, key = found
    if name == "single":
        return {"type": name, "rank": "BIG" if SINGLES[key[0]] == "A*" else SINGLES[key[0]]}
    if name == "two_jokers":
        return {"type": name, "rank": ["BB", "RB", "RR"][key[0]]}
    if len(key) == 2:
        return {"type": name, "len": key[0], "top": RUN[key[1]]}
    return {"type": name, "rank": WRITTEN[key[0]]} if key else {"type": name}


def run_beats(case: Case) -> str:
    return beats(case["cand"], case["prev"], case["big"], of(case))


def run_moves(case: Case) -> list[str]:
    return sorted("-".join(play) for play in plays(case["hand"], case["top"], case["big"], of(case)))


def run_hand_sizes(case: Case) -> list[int]:
    return hand_sizes(case["starter"])


def run_face_down(case: Case) -> list[int]:
    return face_down(case["starter"])


def run_draw(case: Case) -> Case:
    results, final = draw_outcome(case["starter"], case["ace_draws"], case["events"], case["options"])
    return {"results": results, "final": {name: final[name] for name in case["expect"]["final"]}}


def run_window(case: Case) -> Case:
    applied, final = window(case["starter"], case["ace_draws"], case["windows"], case["options"])
    return {"applied": applied, "final": {name: final[name] for name in case["expect"]["final"]}}


def run_lead_next(case: Case) -> int | str:
    lead = lead_after(case["finisher"], case["declarer"], case["partner"], case["shown"], case["out"])
    return "end" if lead is None else lead


def run_score(case: Case) -> list[int]:
    return score(case["declarer"], case["partner"], case["table"], case["finish"], case["options"])


def run_next_starter(case: Case) -> int:
    return next_starter(case["starter"], case["declarer"], case["finish"], case["options"])


@pytest.mark.parametrize("case", asked())
def test_case(case: Case) -> None:
    assert run(case) == case["expect"]


@pytest.mark.skipif(not PATH.exists(), reason="the cases are not beside this project")
def test_every_case_of_the_sources_is_present() -> None:
    kinds = Counter(case["kind"] for case in cases())
    assert {kind: count for kind, count in kinds.items() if f"run_{kind}" not in globals()} == PLAYED
    assert kinds.total() == 113


# BA-P3: what beats what is an order

CHOICES: dict[str, list[Any]] = {
    "bomb_ladder": [*LADDERS],
    "fours_capture_max": [6, 7, 8],
    "ace_to_ace_sequence": [True, False],
    "big_ace_pair_scope": ["any_holder", "lone_deal_only"],
    "lone": [True, False],
}
CAPTURES: list[Options] = [
    {"bomb_ladder": ladder, "fours_capture_max": most} for ladder in LADDERS for most in (6, 7, 8)
]
LADDER_ONLY: list[Options] = [{"bomb_ladder": ladder} for ladder in LADDERS]


def kinds_of(options: Options) -> dict[Pattern, Kind]:
    return {shape: found for shape in shapes(options) if (found := kind_of(shape, options)) is not None}


@pytest.mark.parametrize("options", LADDER_ONLY, ids=str)
def test_beating_is_acyclic(options: Options) -> None:
    found = set(kinds_of(options).values())
    beaten = {one: {other for other in found if climbs(one, other, options)} for one in found}
    assert all(one not in others for one, others in beaten.items())
    assert all(one not in beaten[other] for one, others in beaten.items() for other in others)
    assert len(list(TopologicalSorter(beaten).static_order())) == len(found)  # raises where there is a circle


@pytest.mark.parametrize("options", LADDER_ONLY, ids=str)
def test_each_rung_of_the_ladder_beats_all_below(options: Options) -> None:
    ladder, options = LADDERS[options["bomb_ladder"]], {**options, "lone": True}
    bombs = [kind for kind in set(kinds_of(options).values()) if kind[0] in ladder]
    assert {kind[0] for kind in bombs} == set(ladder)
    for one, other in product(bombs, bombs):
        steps = ladder.index(one[0]) - ladder.index(other[0])
        assert climbs(one, other, options) == (steps > 0 or (steps == 0 and one[1] > other[1]))


def test_captures_may_be_cyclic() -> None:
    assert answer(("4", "4"), ("7", "7", "7")) == "capture"
    assert answer(("7", "7", "7"), ("4", "4")) == "beat"


@pytest.mark.rotates(3)
@pytest.mark.parametrize("options", CAPTURES, ids=str)
def test_a_capture_never_also_beats(options: Options) -> None:
    found = kinds_of(options)
    captured = [(one, other) for one, other in product(found, found) if captures(one, other, options)]
    assert not any(climbs(found[one], found[other], options) for one, other in captured)
    sizes = {(len(one), len(other)) for one, other in captured}
    assert sizes == {(size - 1, size) for size in range(3, options["fours_capture_max"] + 1)}
    assert all(len(set(other)) == 1 for _, other in captured)


# BA-P4: how many shapes there are


def test_shapes_of_the_basic_game() -> None:
    counts = Counter(name for name, _ in kinds_of({"lone": True}).values())
    sequences = {"sequence": 77, "double_sequence": 77}  # 78 places, of which two are the same 13 ranks: BA-K15
    alike = dict.fromkeys(("triplet", "four", "five", "six", "seven", "eight"), 13)
    runs = {"triplet_sequence": 12, "fake_eight": 13}
    jokers = {"two_jokers": 3, "three_jokers": 2, "four_jokers": 1}
    assert counts == {"single": 16, "pair": 13, **sequences, **alike, **runs, **jokers, "big_ace_pair": 1}


def test_places_of_sequences() -> None:
    places = [RUN[first : first + length] for length in range(3, 15) for first in range(len(RUN) - length + 1)]
    assert len(places) == 78
    assert len({kind_of(in_order(ranks)) for ranks in places}) == 77
    assert kind_of(in_order(RUN[:-1])) == kind_of(in_order(RUN[1:])) == ("sequence", (13, 13))
    assert sum(2 * len(ranks) <= 22 for ranks in places) == 72  # as pairs, those that fit into a hand


def test_shapes_of_the_longer_ladder() -> None:
    added = Counter(name for name, _ in kinds_of({"bomb_ladder": "homygames"}).values())
    added -= Counter(name for name, _ in kinds_of({}).values())
    pairs_of_sets = dict.fromkeys(("false_ten", "false_twelve", "false_fourteen"), 13)
    assert added == {"quad_triplet_sequence": 11, "quint_triplet_sequence": 10, **pairs_of_sets}
    assert {*LADDERS["homygames"]} - {*LADDERS["basic"]} == {*added} < {*BOMB_RUNS.values()}


def test_shapes_without_the_sequence_from_ace_to_ace() -> None:
    everything, less = kinds_of({}), kinds_of({"ace_to_ace_sequence": False})
    assert set(less) < set(everything)
    assert sorted(len(shape) for shape in set(everything) - set(less)) == [14, 28]


def test_two_big_aces_where_they_are_an_ordinary_pair() -> None:
    options: Options = {}
    assert kind_of(("A*", "A*"), {"big_ace_pair_scope": "any_holder"}) == ("big_ace_pair", ())
    assert kind_of(("A*", "A*"), options) == kind_of(("A", "A")) == kind_of(("A", "A*"))
    assert kind_of(("A*", "A*"), {**options, "lone": True}) == ("big_ace_pair", ())
    assert answer(("2", "2"), ("A*", "A*"), options) == "beat"


# The reading agrees with itself, and the tables with their rules


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(12))
def test_generated_shapes_equal_a_search_of_all_subsets(seed: int) -> None:
    rng = Random(seed)
    options, big = {name: rng.choice(values) for name, values in CHOICES.items()}, rng.choice("dchs")
    ranks = {*rng.sample("23456789TJQKA", rng.choice([2, 3, 6, 11])), "A", "J"}  # "BJ" and "RJ" with the jacks
    held = pattern(rng.sample([card for card in PACK * 2 if ranks & {*card}], 11), big)
    everything = {tried for tried in subsets(held) if kind_of(tried, options)}
    assert contained(held, options) == everything
    for top in rng.sample(sorted(everything), min(5, len(everything))):
        answers = {tried for tried in everything if is_play(tried, top, options)}
        assert {tried for tried in contained(held, options) if is_play(tried, top, options)} == answers


def test_scores_sum_to_zero() -> None:
    for table in (BASIC, SHARED, UNSHARED):
        assert all(big + other + 3 * rest == 0 for big, other, rest in table.values())
        assert all(1 in places or 5 in places for places in table)
    assert {places: tuple(2 * each for each in row) for places, row in BASIC.items()} == UNSHARED
    assert {places: ((row[0] + row[1]) // 2, row[2]) for places, row in UNSHARED.items()} == {
        places: (row[0], row[2]) for places, row in SHARED.items()
    }


def test_the_next_leader_always_exists_and_is_no_known_opponent() -> None:
    for declarer, partner, mask, finisher in product(range(5), [None, *range(5)], range(32), range(5)):
        out = {seat for seat in range(5) if mask >> seat & 1}
        if partner == declarer or finisher not in out or has_ended(declarer, partner, out):
            continue
        for shown in [set(), {partner}] if partner is not None else [set()]:
            lead = lead_after(finisher, declarer, partner, shown, out)
            assert lead is not None
            assert lead not in out
            assert finisher in (declarer, partner) or lead not in {declarer, *shown}


# What of the draw no case asks

ACES = {"Ad": [3, 43], "Ac": [10, 22], "Ah": [7, 64], "As": [30, 95]}  # seat 3 gets both of d and seat 0 both of s


def drawn(events: list[list[Any]], options: Options, **moved: list[int]) -> tuple[list[bool], list[Any]]:
    results, final = draw_outcome(0, {**ACES, **moved}, events, options)
    return results, [final[name] for name in ("status", "declarer", "partner", "table", "leader")]


def test_the_face_down_cards() -> None:
    assert [face_down(starter) for starter in (0, 3)] == [[3, 4, 0, 1, 2], [1, 2, 3, 4, 0]]


@pytest.mark.parametrize("allowed", [True, False])
def test_overcalling_oneself(allowed: bool) -> None:
    events = [[31, "expose", 0, "s"], [40, "expose_pair", 0, "s"], [108, "expose_pair", 0, "d"]]
    moved = {"Ad": [5, 40]}
    results, final = drawn(events, {"self_overcall": allowed}, **moved)
    assert results == [True, False, allowed]
    assert final == ["pair" if allowed else "single", 0, None, "lone_both" if allowed else "lone_one", 0]


@pytest.mark.parametrize("allowed", [True, False])
def test_a_forced_declarer_with_both(allowed: bool) -> None:
    results, final = drawn([["reveal", "reveal", 2]], {"forced_lone_may_reveal": allowed}, Ah=[7, 62])
    assert results == [allowed]
    assert final == ["forced", 2, None, "lone_both" if allowed else "lone_one", 2]


def test_a_forced_declarer_has_a_partner_who_stays_silent() -> None:
    results, final = drawn([["reveal", "reveal", 4]], {"forced_lone_may_reveal": True}, Ah=[7, 104])
    assert results == [False]
    assert final == ["forced", 2, 4, "basic", 2]


def test_hearts_is_asked_again_after_picking_up() -> None:
    hidden = {"Ah": [104, 106]}
    assert drawn([], {"hidden_hearts": "ask_after_pickup"}, **hidden)[1] == ["forced", 1, 4, "basic", 1]
    assert drawn([], {"hidden_hearts": "redeal_unseen"}, **hidden)[1][0] == "redeal"


def test_the_order_in_a_sealed_window() -> None:
    answers = [[0, "expose_pair", "s"], [3, "protect", "d"], [3, "expose", "d"], [2, "expose", "h"]]
    applied, final = window(0, ACES, [(100, answers)], {})
    assert applied == [[[3, "expose", "d"], [3, "protect", "d"]]]
    assert final["declarer"] == 3


def test_an_early_pair_waits_for_the_declaration() -> None:
    pairs = {"Ad": [3, 43], "Ac": [10, 20], "As": [6, 16]}  # of seats 3, 0 and 1
    later = (70, [[1, "expose_pair", "s"], [0, "expose_pair", "c"], [3, "protect", "d"]])
    applied, _ = window(0, {**ACES, **pairs}, [(35, [[3, "expose", "d"]]), later], {})
    assert applied == [[[3, "expose", "d"]], [[0, "expose_pair", "c"]]]  # 0 and 1 as of 35, in turn; 3 as of 43
    applied, _ = window(0, {**ACES, **pairs}, [(50, [[3, "expose", "d"]]), later], {})
    assert applied == [[[3, "expose", "d"]], [[3, "protect", "d"]]]  # all as of 50
