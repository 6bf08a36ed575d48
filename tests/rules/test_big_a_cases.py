"""The 113 cases worked out by hand for Big A, if present beside the project.

Each case names options, a question and the answer. Positions are built as values; the game computes the rest.
Moments of the draw are any number of cards, even without a window: the hand is set to that moment.
"""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.rules.big_a import BigA
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.rules import BigARules
from bot.rules.core.asks import Choose
from bot.rules.core.cards import Suit, cards, write
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from tests.rules.big_a_positions import (
    Hand,
    action,
    after,
    answer,
    asking,
    began,
    drawing,
    drawn,
    ended,
    fact,
    lying,
    points,
    result,
    say,
    shown,
    silent,
    table,
    through,
)

PATH = Path(__file__).parents[3] / "shared" / "rules" / "big_a_cases.jsonl"
ONE_OF_THEM = {"joker": "single", "big_ace": "single"}  # kinds that the cases call by another name
WRITTEN = [*"456789TJQKA23", "A*", "BJ", "RJ"]
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return every case, or none if the case files are absent."""
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()] if PATH.exists() else []


def of(case: Case) -> BigA:
    """Return the game under the options of a case; every player is asked, for the cases name every pass."""
    return asking(**case["options"])


def sides(case: Case) -> dict[str, Any]:
    """Return the sides of a case about cards alone, in which a declarer may be said to be alone."""
    return {"big": case["big"], "partner": None if case.get("lone") else 1}


def ranks(game: BigARules, combo: Combo) -> str:
    """Write a play by its ranks, as the cases do."""
    return "-".join(sorted(game.alike(combo.cards), key=WRITTEN.index))


def run(case: Case) -> Any:
    """Return what the game answers."""
    return globals()[f"run_{case['kind']}"](case)


# What cards are, and what beats what


def run_classify(case: Case) -> Case | None:
    game = of(case).in_force(Suit(case["big"]))
    combo = game.classify(cards(" ".join(case["cards"])))
    return described(game, combo) if combo else None


def described(game: BigA, combo: Combo) -> Case:
    """Write a combination as the cases do."""
    name = ONE_OF_THEM.get(combo.kind, combo.kind)
    parts = ranks(game, combo).split("-")
    if name == "two_jokers":
        return {"type": name, "rank": "".join(sorted((part[0] for part in parts), reverse=True))}
    if name in ("three_jokers", "four_jokers", "big_ace_pair"):
        return {"type": name}
    if "sequence" in name or name.startswith(("fake", "false")):
        return {"type": name, "len": len({each.rank for each in combo.cards}), "top": str(combo.head.rank)}
    return {"type": name, "rank": "BIG" if combo.kind == "big_ace" else str(combo.head.rank)}


def run_beats(case: Case) -> str:
    return answer(" ".join(case["cand"]), " ".join(case["prev"]), of(case), **sides(case))


def run_moves(case: Case) -> list[str]:
    game = lying(" ".join(case["top"]), of=of(case), **sides(case))
    hand = game.rules.sort(cards(" ".join(case["hand"])))
    game = game._replace(hands=(game.hands[0], hand, *game.hands[2:]))
    return sorted(ranks(game.rules, combo) for combo in game.view(1).plays)


# The draw


def run_hand_sizes(case: Case) -> list[int]:
    hand = silent(drawn(of(case).deal(Random("sizes"), case["starter"])))
    assert isinstance(hand, BigAGame)
    return list(hand.view(None).counts)


def at_the_start(case: Case) -> Any:
    return drawing(case["starter"], asking(draw_checkpoints=(0,), **case["options"]), case["ace_draws"])


def run_draw(case: Case) -> Case:
    results, hand = through(at_the_start(case), case["events"])
    return {"results": results, "final": expected_of(hand, case)}


def expected_of(hand: Hand, case: Case) -> Case:
    """Return of what the draw has led to as much as the case asks for."""
    final = began(hand)
    return {name: final[name] for name in case["expect"]["final"]}


def run_window(case: Case) -> Case:
    """Two answers of one seat in a window: the latter stands."""
    rounds = tuple(moment // 5 for moment, _ in case["windows"])
    hand = drawing(case["starter"], asking(draw_checkpoints=rounds, **case["options"]), case["ace_draws"])
    applied = []
    for moment, answers in case["windows"]:
        assert hand.drawn == moment
        before = len(shown(hand))
        for seat, act, suit in answers:
            hand = drawn(hand.act(seat, Choose((f"{act}:{suit}",))))
        hand = drawn(say(hand))
        applied.append(
            [[seat, "expose_pair" if " " in held else "expose", held[-1]] for seat, held in shown(hand)[before:]]
        )
    return {"applied": applied, "final": expected_of(silent(hand), case)}


# The play and its end


def run_lead_next(case: Case) -> int | str:
    finisher = case["finisher"]
    held = ["6d" if seat == finisher else "" if seat in case["out"] else "7c 8c" for seat in range(5)]
    game = table(
        *held, of=of(case), declarer=case["declarer"], partner=case["partner"], known=bool(case["shown"]), turn=finisher
    )
    game = after(game, "6d")
    while game.result is None and game.trick.moves:
        game = after(game, "-")
    return "end" if game.result else game.turn


def run_score(case: Case) -> list[int]:
    both = case["table"] in ("revealed", "lone_both")
    return points(case["finish"], of=of(case), declarer=case["declarer"], partner=case["partner"], both=both)


def run_next_starter(case: Case) -> int:
    game = of(case)
    over = ended(case["finish"], of=game, declarer=case["declarer"], partner=case["finish"][-1])
    return game.next_dealer(case["starter"], (result(over),))


def run_script(case: Case) -> Case:
    held = [" ".join(each) for each in case["hands"]]
    both = bool(case.get("revealed") or case.get("both_shown"))
    game = table(
        *held,
        of=of(case),
        big=case["big"],
        declarer=case["declarer"],
        partner=case["partner"],
        turn=case.get("leader"),
        both=both,
    )
    results = []
    for seat, what, *played in case["actions"]:
        done, game = acted(game, seat, "-" if what == "pass" else " ".join(played[0]))
        results.append(done)
    over, top = game.result, game.trick.top
    found = {
        "results": results,
        "turn": next(iter(game.view(None).awaited), None),
        "top": ranks(game.rules, top) if top else None,
        "counts": list(game.view(None).counts),
        "finish": list(fact(game, "out") or ()),
        "ended": over is not None,
        "shown": [seat for seat in range(5) if game.net[seat] > 0],
        "scores": list(over.points) if over else None,
        "hands": {seat: sorted(write(game.view(int(seat)).hand).split()) for seat in case.get("check_hands", ())},
    }
    return {name: found[name] for name in case["expect"]}


def acted(game: BigAGame, seat: int, text: str) -> tuple[str, BigAGame]:
    """Return what a step was, in the words of the cases, and the game after it."""
    try:
        done = game.act(seat, action(text))
    except Illegal:
        return "illegal", game
    if text == "-":
        return "pass" if done.trick.moves else "trick_end", done
    taken = done.trick.moves[-1].taken
    return "capture" if taken else "beat" if game.trick.top else "lead", done


@pytest.mark.skipif(not PATH.exists(), reason="the cases are not beside this project")
def test_every_case_of_the_sources_is_present() -> None:
    assert len(cases()) == 113
    assert Counter(case["kind"] for case in cases())["script"] == 9


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['id']} {case['rule']}") for case in cases()])
def test_case(case: Case) -> None:
    assert run(case) == case["expect"]
