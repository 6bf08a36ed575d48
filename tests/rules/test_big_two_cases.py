"""The cases worked out by hand for the standard game, where they lie beside the project.

Knows the form of the cases. A case whose options or kind the standard game does not have is passed over.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.groups import STRAIGHTS
from bot.rules.big_two.rules import first_seat
from bot.rules.big_two.score import score, settle
from bot.rules.cards import Cards, card, cards, pack, write
from bot.rules.game import Illegal, Pass, Play, Result
from tests.rules.positions import after, beats, kind, nets, refusal, table

PATH = Path(__file__).parents[3] / "shared" / "rules" / "big_two_cases.jsonl"
CHOICES = {"stake": range(1000), "one_card_rule": ("pay_all", "none"), "pay_all_test": ("causal", "breach"),
           "pay_all_basis": ("points", "to_winner"), "players": (4,)}  # fmt: skip
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return the cases of part A and those about the stake."""
    if not PATH.exists():
        return []
    found = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]
    return [each for each in found if each["rule"][0] == "A" or each["rule"] == "C46" if known(each["options"])]


def known(options: dict[str, Any]) -> bool:
    return all(name in CHOICES and value in CHOICES[name] for name, value in options.items())


def chosen(case: Case) -> dict[str, Any]:
    return {name: value for name, value in case["options"].items() if name != "players"}


def written(move: list[str] | str | None) -> str:
    """Return a move of a case as positions.py writes it."""
    return "-" if move == "pass" else " ".join(move or ())


def run(case: Case) -> Any:
    """Return what the game answers."""
    return globals()[f"run_{case['kind']}"](case)


def run_beats(case: Case) -> bool:
    return beats(written(case["a"]), written(case["b"]))


def run_classify(case: Case) -> str:
    return kind(written(case["a"])) or "illegal"


def run_straights(case: Case) -> list[str]:
    played = [" ".join(rank + suit for rank, suit in zip(run, "sdcdc", strict=True)) for run in case["expect"]]
    assert {kind(text) for text in played} == {"straight"}
    return list(STRAIGHTS)


def run_order(case: Case) -> list[int]:
    plays = [written(play) for play in case["plays"]]
    return sorted(range(len(plays)), key=lambda at: sum(beats(plays[at], other) for other in plays))


@cache
def deck_counts() -> Counter[str]:
    return Counter(combo.kind for combo in table(write(pack())).view(0).plays)


def run_deck_count(case: Case) -> int:
    return deck_counts()[case["type"]]


def run_first_card(case: Case) -> int:
    return first_seat(case["dealer"], card(case["cut"]))


def run_next_dealer(case: Case) -> int:
    left = tuple(pack()[:count] for count in case["left"])
    return BigTwo().next_dealer(case["dealer"], score(Options(), case["winner"], left, None))


def run_start(case: Case) -> Case:
    game = BigTwo().resume(tuple(cards(" ".join(held)) for held in case["hands"]), 0, card("Ad"))
    view = game.view(None)
    return {"seat": game.turn, "must_include": str(view.must)}


def run_legal(case: Case) -> bool:
    must = case.get("ctx", {}).get("must_include")
    game = table(
        written(case["hand"]), "3c 4c", "5c 6c", f"{written(case['b'])} 8h", must=must, turn=3 * bool(case["b"])
    )
    game = after(game, written(case["b"])) if case["b"] else game
    try:
        after(game, written(case["a"]))
    except Illegal:
        return False
    return True


def run_sim(case: Case) -> Case | str:
    game = table(*map(" ".join, case["hands"]), turn=case["turn"])
    *before, (last, move) = case["actions"]
    for seat, earlier in before:
        game = game.act(seat, Pass() if earlier == "pass" else Play(cards(" ".join(earlier))))
    if case["expect"] == "illegal":
        assert refusal(game, written(move), seat=last)
        return "illegal"
    game = game.act(last, Pass() if move == "pass" else Play(cards(" ".join(move))))
    found = {
        "turn": game.turn,
        "cur": str(game.trick.top).split()[1:],
        "leading": game.trick.top is None,
        "tricks": len(game.tricks),
        "counts": list(game.view(None).counts),
        "over": game.result is not None,
        "winner": game.result.order[0] if game.result else None,
    }
    return {name: found[name] for name in case["expect"]}


def ended(case: Case) -> Result:
    left: tuple[Cards, ...] = tuple(pack()[:count] for count in case["left"])
    return score(Options(**chosen(case)), case["winner"], left, case.get("with", {}).get("offender"))


def run_score(case: Case) -> list[int]:
    return list(ended(case).points)


def run_net(case: Case) -> list[int]:
    return list(nets(ended(case)))


def run_settle(case: Case) -> list[int]:
    points = case["points"]
    return list(nets(Result((), ((),) * len(points), tuple(points), settle(points, 1))))


def run_liable(case: Case) -> bool:
    """Seat 0 acts before seat 1, which tries to go out at once; is the hand over then, and seat 0 charged?"""
    waiting = " ".join([case["winner_card"], *["3s"] * (case["next_count"] - 1)])
    top = written(case["b"])
    game = table(written(case["hand"]), waiting, "3c 4c", f"{top} 5c 6c", turn=3 * bool(top), **chosen(case))
    game = after(game, *([top] if top else []), written(case["a"]))
    try:
        over = after(game, case["winner_card"]).result
    except Illegal:
        return False
    return over is not None and over.notes != ()


@pytest.mark.skipif(not PATH.exists(), reason="the cases are not beside this project")
def test_the_cases_are_many() -> None:
    assert len(cases()) > 70


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['id']} {case['rule']}") for case in cases()])
def test_case(case: Case) -> None:
    assert run(case) == case["expect"]
