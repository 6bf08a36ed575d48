"""The 71 cases worked out by hand for Tàihé A Bāo, if present beside the project.

Each case names options, a question and the answer. Positions are built as values; the game computes the rest.
"""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.rules.a_bao import ABao
from bot.rules.a_bao.bidding import ABaoBidding, dealt
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.a_bao.state import Called
from bot.rules.core.cards import card, cards
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from tests.rules.a_bao_positions import (
    Hand,
    action,
    asking,
    begun,
    bid,
    bidding,
    callers,
    ended,
    fact,
    lying,
    named,
    offered,
    points,
    result,
    spare,
    table,
    whose,
)

PATH = Path(__file__).parents[3] / "shared" / "rules" / "a_bao_cases.jsonl"
WRITTEN = "45679TJQKA"
ONE_OF_THEM = {"top_three": "four"}  # a kind that the cases call by another name
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return every case, or none if the case files are absent."""
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()] if PATH.exists() else []


def of(case: Case) -> ABao:
    """Return the game under the options of a case; every player is asked, for the cases name every pass."""
    return asking(**case["options"])


def held(case: Case) -> list[str]:
    """Return the hands of a case."""
    return [" ".join(each) for each in case["hands"]]


def asked(case: Case, everything: Case) -> Case:
    """Return as much as the case asks for."""
    return {name: everything[name] for name in case["expect"]}


def ranks(game: ABaoRules, combo: Combo) -> str:
    """Write a play by its ranks, as the cases do."""
    return "-".join(sorted(game.alike(combo.cards), key=WRITTEN.index))


def run(case: Case) -> Any:
    """Return what the game answers."""
    return globals()[f"run_{case['kind']}"](case)


# What cards are, and what beats what


def run_deck(case: Case) -> Case:
    game = of(case)
    counts = Counter(str(each.rank) for each in game.pack)
    [size] = set(map(len, bid(game.deal(Random("deck"), 0)).hands))
    return {"size": len(game.pack), "hand": size, "aces": counts["A"], "kings": counts["K"]}


def run_classify(case: Case) -> Case | None:
    combo = named(" ".join(case["cards"]), of(case))
    if combo is None:
        return None
    name, rank = ONE_OF_THEM.get(combo.kind, combo.kind), str(combo.head.rank)
    if name.endswith("sequence"):
        return {"type": name, "len": len({each.rank for each in combo.cards}), "top": rank}
    return {"type": name, "rank": rank}


def run_beats(case: Case) -> str:
    tried = " ".join(case["cand"])
    done, _ = acted(lying(" ".join(case["prev"]), tried, of(case)), 1, tried)
    return done if done == "beat" else "no"


def run_moves(case: Case) -> list[str]:
    hand = of(case).sort(cards(" ".join(case["hand"])))
    top = " ".join(case["top"] or ())
    game = lying(top, of=of(case)) if top else table(spare(of(case), ""), turn=1, of=of(case))
    game = game._replace(hands=(game.hands[0], hand, *game.hands[2:]))
    return sorted(ranks(game.rules, combo) for combo in game.view(1).plays)


# The bidding


def run_can_call(case: Case) -> bool:
    """Ask the seat after every earlier seat has spoken, those without a call having passed."""
    hand = bidding(*held(case), starter=case["starter"], bound=case["four_used"], of=of(case))
    before = [(case["starter"] + ahead) % 4 for ahead in range((case["seat"] - case["starter"]) % 4)]
    calls = tuple(Called(seat, card(name), seat) for seat, name in zip(before, case["called"], strict=False))
    hand = hand._replace(second=True, passed=tuple(before[len(calls) :]), bid=hand.bid._replace(calls=calls))
    assert whose(hand) == case["seat"]
    offer, (done, _) = case["card"] in offered(hand), tried(hand, case["seat"], f"call {case['card']}")
    assert offer == done
    return done


def tried(hand: Hand, seat: int, text: str) -> tuple[bool, Hand]:
    """Tell whether a seat may do this, and return the hand after it."""
    try:
        done = hand.act(seat, action(hand, text))
    except Illegal:
        return False, hand
    return True, done


def run_bid(case: Case) -> Case:
    hand: Hand = bidding(*held(case), starter=case["starter"], bound=case["four_used"], of=of(case))
    results = []
    for seat, *act in case["actions"]:
        done, hand = tried(hand, seat, "-" if act == ["pass"] else " ".join(act))
        results.append(done)
    return asked(case, {"results": results, **standing(hand)})


def standing(hand: Hand) -> Case:
    """Return where a hand stands, in the words of the cases."""
    over = hand.result
    common = {
        "declarer": hand.bid.declarer,
        "callers": callers(hand),
        "hands": [sorted(map(str, each)) for each in hand.hands],
        "value": fact(hand, "stakes"),
        "scores": list(over.points) if over else None,
    }
    if isinstance(hand, ABaoGame):
        return {**common, "phase": "auto_win" if over else "declared", "turn": hand.turn, "pending": False}
    return {**common, "phase": phase(hand), "turn": whose(hand), "pending": hand.giving}


def phase(hand: ABaoBidding) -> str:
    """Return how far the bidding has come."""
    return "redeal" if hand.bid.thrown else "second" if hand.second else "first"


# What it is worth, and who starts


def run_score(case: Case) -> list[int]:
    how = {"others_played": case.get("opponents_played", True), "own_plays": case.get("declarer_plays", 3)}
    return points(won=case["won"], declarer=case["declarer"], calls=case["callers"], of=of(case), **how)


def run_next_starter(case: Case) -> int | str:
    game = of(case)
    past = (result(ended(won=case["won"], declarer=case["declarer"], of=game)),)
    hand = bid(game.deal(Random("next"), game.next_dealer(0, past), past))
    return "4h" if hand.bid.bound else whose(hand)


def run_deal_starter(case: Case) -> Case:
    game, prev = of(case), case["prev"] or {}
    starter = prev.get("redeal_starter")
    if "declarer" in prev:
        starter = game.next_dealer(0, (result(ended(won=prev["won"], declarer=prev["declarer"], of=game)),))
    hand = dealt(game, cards(" ".join(held(case))), 7, starter)  # one card for each
    return {"starter": whose(hand), "four_used": hand.bid.bound}


# The play


def run_script(case: Case) -> Case:
    game = table(*held(case), of=of(case), declarer=case["declarer"], calls=case.get("callers", 0))
    results = []
    for seat, what, *played in case["actions"]:
        done, game = acted(game, seat, "-" if what == "pass" else " ".join(played[0]))
        results.append(done)
    over, top = game.result, game.trick.top
    everything = {
        "results": results,
        "turn": next(iter(game.view(None).awaited), None),
        "top": ranks(game.rules, top) if top else None,
        "counts": list(game.view(None).counts),
        "ended": over is not None,
        "won": over.order == (case["declarer"],) if over else None,
        "scores": list(over.points) if over else None,
    }
    return asked(case, everything)


def acted(game: ABaoGame, seat: int, text: str) -> tuple[str, ABaoGame]:
    """Return what a step was, in the words of the cases, and the game after it."""
    try:
        done = begun(game.act(seat, action(game, text)))
    except Illegal:
        return "illegal", game
    if text == "-":
        return "pass" if done.trick.moves else "trick_end", done
    return "beat" if game.trick.top else "lead", done


@pytest.mark.skipif(not PATH.exists(), reason="the cases are not beside this project")
def test_every_case_of_the_sources_is_present() -> None:
    assert len(cases()) == 71
    assert Counter(case["kind"] for case in cases())["bid"] == 8


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['id']} {case['rule']}") for case in cases()])
def test_case(case: Case) -> None:
    assert run(case) == case["expect"]
