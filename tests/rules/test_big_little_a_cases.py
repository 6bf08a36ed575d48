"""The 57 cases worked out by hand for The Big and the Little A, if present beside the project.

Each case names options, a question and the answer. Positions are built as values; the game computes the rest.
The cases write out every act, so passes are never automatic.
"""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.big_little_a import BigLittleA, score
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_little_a.score import Pile
from bot.rules.core.sentences import Illegal
from tests.rules.big_little_a_positions import (
    TAKEN,
    action,
    after,
    asking,
    beats,
    between,
    counts,
    fact,
    held,
    named,
    offers,
    pile,
    said,
    table,
    winners,
)

PATH = Path(__file__).parents[3] / "shared" / "rules" / "big_little_a_cases.jsonl"
FREE = 0  # a round in which cards may have been taken that are not barred any more
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return every case, or none if the case files are absent."""
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()] if PATH.exists() else []


def of(case: Case, players: int) -> BigLittleA:
    """Return the game under the options of a case; every player is asked, for the cases name every pass."""
    return asking(**{"players": players, **case["options"]})


def run(case: Case) -> Any:
    """Return what the game answers."""
    return globals()[f"run_{case['kind']}"](case)


# Cards


def run_deal(case: Case) -> Case | None:
    if case["players"] not in GAMES["big_little_a"].seats:
        return None
    dealt = of(case, case["players"]).deal(Random("sizes"), 0)
    [size] = {len(hand) for hand in dealt.hands}
    return {"hand": size, "unused": len(dealt.unused)}


def run_classify(case: Case) -> Case | None:
    combo = named(" ".join(case["cards"]), of(case, 4))
    return {"n": len(combo.cards), "rank": combo.strength} if combo else None


def run_beats(case: Case) -> str:
    tried, top = " ".join(case["cand"]), " ".join(case["prev"])
    game = of(case, 3)
    if named(tried, game) is None:
        return "invalid"
    fits = game.compare(held(tried), held(top)) is None
    assert beats(tried, top, game) == fits
    return "beat" if fits else "no"


# The play


def before_seat_0(case: Case) -> BigLittleAGame:
    """Return the hand in which seat 0 is to act: the other seats hold their plays and spare cards."""
    players = case.get("players", 4)
    hands = [" ".join(case["hand"])] + ["1"] * (players - 1)
    for seat, played in case["plays"]:
        hands[seat] += " " + " ".join(played)
    first = case["plays"][0][0] if case["plays"] else 0
    taken = {"a": FREE, "A": FREE, **case.get("taken", {})}
    game = table(*hands, of=of(case, players), turn=first, number=case.get("round", 5), taken=taken)
    for seat, played in case["plays"]:
        while game.turn != seat:
            game = after(game, "-")
        game = after(game, " ".join(played))
    return game


def acted(game: BigLittleAGame, seat: int, text: str) -> tuple[str, BigLittleAGame]:
    """Return what a step was, in the words of the cases, and the hand after it."""
    try:
        done = game.act(seat, action(text))
    except Illegal:
        return "illegal", game
    if game.in_a_round:
        return "a_pass" if text == "-" else "a_card", done
    if text == "-":
        return "pass", done
    if game.trick.top:
        return "raise", done
    return "a_lead" if text in TAKEN else "lead", done


def run_legal(case: Case) -> str:
    game = before_seat_0(case)
    assert game.turn == 0
    text = "-" if case["act"] == "pass" else " ".join(case["cards"])
    assert (text in offers(game)) == (acted(game, 0, text)[0] != "illegal")
    return acted(game, 0, text)[0]


def run_a_round(case: Case) -> Case:
    [first, led], *others = case["plays"]
    hands = ["9 9 9"] * 4
    for seat, played in case["plays"]:
        hands[seat] = f"{played} 9"
    over = after(table(*hands, of=of(case, 4), turn=first, taken={"a": FREE, "A": FREE}), led, *(p for _, p in others))
    [taker] = winners(over)
    if led == "a":
        assert over.middle.pile
        return {"taker": taker, "to": "pile", "points": score.of_pile(over.middle.pile, over.rules.options)}
    gained = Counter(over.hands[taker]) - Counter(held("9"))
    return {"taker": taker, "to": "hand", "gain": said(over.rules.sort(tuple(gained.elements()))).split()}


def run_script(case: Case) -> Case:
    hands = [" ".join(each) for each in case["hands"]]
    game = table(
        *hands,
        of=of(case, len(hands)),
        turn=case["starter"],
        number=case.get("round", 1),
        taken={"a": FREE, "A": FREE, **case.get("taken", {})},
    )
    results = []
    for seat, what, *played in case["actions"]:
        done, game = acted(game, seat, "-" if what == "pass" else " ".join(played[0]))
        results.append(done)
    lies = pile(game)
    found = {
        "results": results,
        "winners": winners(game),
        "turn": next(iter(game.awaited), None),
        "round": game.round,
        "ended": game.result is not None,
        "counts": counts(game),
        "penalties": list(score.result(game.hands, game.middle.pile, (), game.rules.options).points),
        "a_holder": fact(game, "little"),
        "A_holder": fact(game, "big"),
        "a_pile": lies[0] if lies else None,
    }
    assert game.result is None or list(game.result.points) == found["penalties"]
    return {name: found[name] for name in case["expect"]}


# The points and the match


def run_score(case: Case) -> int:
    lies = Pile(0, held(" ".join(case["pile"]))) if case["pile"] else None
    return score.result((held(" ".join(case["hand"])),), lies, (), of(case, 4).options).points[0]


def run_next_starter(case: Case) -> int:
    before = [total - last for total, last in zip(case["totals"], case["last"], strict=True)]
    match = between(of(case, len(before)), tuple(before), tuple(case["last"]), starter=case["starter"])
    return (match.rules.next_dealer(match.game.dealer, match.results) + 1) % len(before)


def run_match(case: Case) -> Case:
    match = between(of(case, len(case["hands"][0])), *map(tuple, case["hands"]))
    first = [seat for seat, place in enumerate(match.places) if place == 1]
    found = {"over": match.over, "totals": list(match.totals), "winners": first}
    return {name: found[name] for name in case["expect"]}


@pytest.mark.skipif(not PATH.exists(), reason="the cases are not beside this project")
def test_every_case_of_the_sources_is_present() -> None:
    assert len(cases()) == 57
    assert Counter(case["kind"] for case in cases())["script"] == 14


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['id']} {case['rule']}") for case in cases()])
def test_case(case: Case) -> None:
    assert run(case) == case["expect"]
