"""The cases worked out by hand for Taihe A Bao and the properties of the game, put to the plain reading of its rules.

The cases are beside the project. The bot is not involved.
"""

import json
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracle.a_bao import (
    PACKS,
    RANKS,
    Options,
    Pattern,
    beats,
    callable_cards,
    classify,
    climbs,
    hand_size,
    kind_of,
    pack,
    passes_by_itself,
    pattern,
    plays,
    shapes,
    smallest_answer,
    subsets,
)
from tests.oracle.a_bao_hand import deal_starter, next_starter, score, start, start_play

PATH = Path(__file__).parents[3] / "shared" / "rules" / "a_bao_cases.jsonl"
TABLES: list[Options] = [{"players": players, "aces": aces} for players, aces in PACKS]
THREE_KINGS: Options = {"players": 5, "aces": False, "three_kings_top": True}
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return every case, or none if the case files are absent."""
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()] if PATH.exists() else []


def asked() -> list[Any]:
    return [pytest.param(case, id=f"{case['id']} {case['rule']}") for case in cases()]


# How the reading answers a case


def run(case: Case) -> Any:
    return globals()[f"run_{case['kind']}"](case)


def told(case: Case, everything: Case) -> Case:
    """Leave out what the case does not ask."""
    return {name: everything[name] for name in case["expect"]}


def run_deck(case: Case) -> Case:
    cards = pack(case["options"])
    ranks = [card[0] for card in cards]
    found = {"size": len(cards), "hand": hand_size(case["options"])}
    return {**found, "aces": ranks.count("A"), "kings": ranks.count("K")}


def run_classify(case: Case) -> Case | None:
    found = classify(case["cards"], case["options"])
    if found is None:
        return None
    name, key = found
    rank = RANKS[key[-1]]
    return {"type": name, "len": key[0], "top": rank} if len(key) == 2 else {"type": name, "rank": rank}


def run_beats(case: Case) -> str:
    return beats(case["cand"], case["prev"], case["options"])


def run_moves(case: Case) -> list[str]:
    return sorted("-".join(play) for play in plays(case["hand"], case["top"], case["options"]))


def run_can_call(case: Case) -> bool:
    hand = case["hands"][case["seat"]]
    return case["card"] in callable_cards(hand, case["called"], four_used=case["four_used"], options=case["options"])


def run_bid(case: Case) -> Case:
    hand = start(case["hands"], case["starter"], case["four_used"], case["options"])
    results = [hand.act(*act) != "illegal" for act in case["actions"]]
    everything = {
        "results": results,
        "phase": "declared" if hand.phase == "play" else hand.phase,
        "turn": hand.turn,
        "declarer": hand.declarer,
        "callers": hand.callers,
        "pending": hand.phase == "give",
        "hands": [sorted(each) for each in hand.hands],
        "value": hand.stake(),
        "scores": hand.points,
    }
    return told(case, everything)


def run_score(case: Case) -> list[int]:
    return score(
        case["declarer"],
        won=case["won"],
        callers=case["callers"],
        players=case["options"].get("players", 4),
        opponents_played=case.get("opponents_played", True),
        declarer_plays=case.get("declarer_plays", 3),
        options=case["options"],
    )


def run_next_starter(case: Case) -> int | str:
    players = case["options"].get("players", 4)
    return next_starter(case["declarer"], won=case["won"], players=players, options=case["options"])


def run_deal_starter(case: Case) -> Case:
    starter, four_used = deal_starter(case["hands"], case["prev"], case["options"])
    return {"starter": starter, "four_used": four_used}


def run_script(case: Case) -> Case:
    options = {**case["options"], "auto_pass": "off"}  # every pass is written out
    hand = start_play(case["hands"], case["declarer"], case.get("callers", 0), options)
    results = [hand.act(*act) for act in case["actions"]]
    everything = {
        "results": results,
        "turn": hand.turn,
        "top": "-".join(pattern(hand.top)) if hand.top else None,
        "ended": hand.phase == "over",
        "won": hand.won(),
        "counts": [len(each) for each in hand.hands],
        "scores": hand.points,
    }
    return told(case, everything)


@pytest.mark.parametrize("case", asked())
def test_case(case: Case) -> None:
    assert run(case) == case["expect"]


@pytest.mark.skipif(not PATH.exists(), reason="the cases are not beside this project")
def test_every_case_of_the_sources_is_present() -> None:
    kinds = Counter(case["kind"] for case in cases())
    assert all(f"run_{kind}" in globals() for kind in kinds)
    assert kinds.total() == 71


# AB-P3 and P4: what beats what is an order; how many shapes there are


@pytest.mark.parametrize("options", [*TABLES, THREE_KINGS], ids=str)
def test_beating_is_acyclic(options: Options) -> None:
    kinds = {kind for shape in shapes(options) if (kind := kind_of(shape, options)) is not None}
    beaten = {one: {other for other in kinds if climbs(one, other)} for one in kinds}
    assert all(one not in others for one, others in beaten.items())
    assert all(one not in beaten[other] for one, others in beaten.items() for other in others)
    assert len(list(TopologicalSorter(beaten).static_order())) == len(kinds)  # raises where there is a circle


UNBEATABLE = {
    (4, True): "AAAA",
    (5, True): "AAAA",
    (3, True): "AAA",
    (4, False): "KKKK",
    (5, False): "QQQQ",
    (3, False): "KKKK",
}


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_exactly_one_combination_is_unbeatable(options: Options) -> None:
    found = ["".join(shape) for shape in shapes(options) if smallest_answer(shape, options) is None]
    assert found == [UNBEATABLE[options["players"], options["aces"]]]


def test_three_kings_are_unbeatable_where_they_count_as_four() -> None:
    assert [shape for shape in shapes(THREE_KINGS) if smallest_answer(shape, THREE_KINGS) is None] == [("K",) * 3]
    assert kind_of(("K",) * 3, THREE_KINGS) == ("four", (RANKS.index("K"),))
    assert kind_of(("K",) * 3, {**THREE_KINGS, "three_kings_top": False}) == ("triplet", (RANKS.index("K"),))


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_the_number_of_shapes_is_as_published(options: Options) -> None:
    found = shapes(options)
    assert len(set(found)) == len(found) == {40: 65, 39: 64, 36: 61, 35: 60}[len(pack(options))]


@pytest.mark.parametrize("seed", range(12))
def test_generated_shapes_equal_a_search_of_all_subsets(seed: int) -> None:
    rng = Random(seed)
    options: Options = {**rng.choice(TABLES), "three_kings_top": rng.choice([False, True])}
    cards = pack(options)
    ranks = rng.sample(RANKS, 4) if seed % 2 else rng.choice(["4567", "9TJQ", "TJQK"])
    held = pattern([card for card in cards if card[0] in ranks][:14], options)
    everything = {tried for tried in subsets(held) if kind_of(tried, options)}
    assert everything == {shape for shape in shapes(options) if Counter(shape) <= Counter(held)}


# AB-X08: who cannot but pass


def written_size(top: Pattern, options: Options) -> int | None:
    """Read off the list how few cards can beat the top, None for the unbeatable."""
    players, aces = options["players"], options["aces"]
    highest = "A" if aces else "K"
    three_are_four = aces if players == 3 else bool(options.get("three_kings_top")) and (players, aces) == (5, False)
    four = "QQQQ" if (players, aces) == (5, False) else highest * 4
    if "".join(top) == (highest * 3 if three_are_four else four):
        return None
    name, _ = kind_of(top, options) or ("", ())
    if name in ("single", "pair"):
        return 3 if highest in top else len(top)
    if name == "triplet":
        return 4 if highest in top and not three_are_four else 3
    return (3 if three_are_four else 4) if name == "four" else 3


@pytest.mark.parametrize("options", [*TABLES, THREE_KINGS], ids=str)
def test_the_smallest_answer_matches_the_documentation(options: Options) -> None:
    for top in shapes(options):
        assert smallest_answer(top, options) == written_size(top, options), top


@pytest.mark.parametrize("options", [*TABLES, THREE_KINGS], ids=str)
def test_no_player_with_a_legal_play_passes_automatically(options: Options) -> None:
    rng = Random(7)
    for _ in range(150):
        cards = rng.sample(pack(options), 9)
        top = next(tried for tried in (cards[:4], cards[:2], cards[:1]) if classify(tried, options))
        hand = cards[4 : rng.randrange(5, 9)]
        assert not (passes_by_itself(top, len(hand), options) and plays(hand, top, options))
