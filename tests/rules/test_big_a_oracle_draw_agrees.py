"""The draw of Big A against the oracle, a slow and plain reading of its rules.

On random stacks, attempts, sealed answers and plans. A difference shows a fault in either of them.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from bot.rules.big_a.windows import BigADraw
from bot.rules.core.asks import Choose
from tests.oracle import big_a_draw as oracle
from tests.rules.big_a_positions import Hand, asking, began, drawing, offered, over, say, shown, silent, through

OPTIONS: dict[str, list[Any]] = {
    "self_overcall": [True, False],
    "forced_lone_may_reveal": [False, True],
    "hidden_hearts": ["expose_and_redeal", "redeal_unseen", "ask_after_pickup"],
}
SEATS = range(5)


def chosen(rng: Random) -> dict[str, Any]:
    """Return some options."""
    return {name: rng.choice(values) for name, values in OPTIONS.items()}


# Attempts at any moment


def places(rng: Random, free: range = range(108)) -> dict[str, list[int]]:
    """Return where the aces lie; often two of one seat, often late."""
    at = rng.sample(rng.choice([free, free[-30:]]), 8)
    found = {f"A{suit}": sorted(at[2 * number :][:2]) for number, suit in enumerate("dchs")}
    for both in found.values():
        twin = [each for each in free if each % 5 == both[0] % 5 and each not in at]
        if rng.random() < 0.5 and twin:
            both[1] = rng.choice(twin)
            at.append(both[1])
    return {name: sorted(both) for name, both in found.items()}


def events(rng: Random, starter: int, aces: dict[str, list[int]]) -> list[list[Any]]:
    """Return things that seats try to do, at moments when it may just be possible or not."""
    found: list[list[Any]] = []
    for _ in range(rng.randrange(1, 7)):
        name = rng.choice([*aces])
        index = rng.choice(aces[name])
        moment = rng.choice([index, index + 1, rng.randrange(109), 108])
        seat = rng.choice([(starter + index) % 5] * 3 + [rng.randrange(5)])
        act = rng.choice(["expose", "expose", "expose_pair", "expose_pair", "protect"])
        found.append([min(moment, 108), act, seat, name[1]])
    found.sort(key=lambda each: each[0])
    last = [["reveal", "reveal", rng.randrange(5)] for _ in range(rng.choice([0, 2, 4]))]
    return [each[:3] if each[1] == "protect" else each for each in found] + last


def agree_on_end(hand: Hand, final: dict[str, Any]) -> str:
    """Check the result of a draw; return its name."""
    if final["status"] == "redeal":
        assert (began(hand)["status"], began(hand)["starter"]) == ("redeal", final["starter"])
    else:
        assert began(hand) == final
    return str(final["status"])


@pytest.mark.rotates(2)
@pytest.mark.parametrize("seed", range(4))
def test_exposures_and_their_results_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    ends = Counter[str]()
    for _ in range(150):
        options, starter, aces = chosen(rng), rng.randrange(5), places(rng)
        tries = events(rng, starter, aces) if rng.random() < 0.9 else []
        expected, final = oracle.draw_outcome(starter, aces, tries, options)
        results, hand = through(drawing(starter, asking(draw_checkpoints=(0,), **options), aces), tries)
        assert results == expected, (starter, aces, tries, options)
        ends[agree_on_end(hand, final)] += 1
    assert set(ends) >= {"single", "pair", "forced"}


def test_both_aces_of_hearts_face_down() -> None:
    rng = Random("hearts")
    for _ in range(60):
        options, starter = chosen(rng), rng.randrange(5)
        aces = places(rng, range(103)) | {"Ah": sorted(rng.sample(range(103, 108), 2))}
        _, final = oracle.draw_outcome(starter, aces, [], options)
        agree_on_end(silent(drawing(starter, asking(**options), aces)), final)


ACTS = {"expose": "expose", "pair": "expose_pair", "protect": "protect"}


def answered(rng: Random, hand: Hand) -> tuple[Hand, list[list[Any]]]:
    """Answer a window at random; return what comes after it, and the answers as the reading has them."""
    given: list[list[Any]] = []
    big = shown(hand)[-1][1][-1] if shown(hand) else ""
    seats = list(SEATS)
    rng.shuffle(seats)
    for seat in seats:
        code = rng.choice(offered(hand, seat)) if rng.random() < 0.3 else "nothing"
        act, _, suit = code.partition(":")
        if act in ACTS:
            given.append([seat, ACTS[act], suit or big])
        hand = hand.act(seat, Choose((code,)))
    return hand, given


def windows(rng: Random, hand: Hand) -> tuple[Hand, list[Any], list[Any]]:
    """Answer every window at random; return the hand at its reveal, the windows, and what every player has seen."""
    asked, seen = [], []
    while isinstance(hand, BigADraw) and hand.kind != "reveal" and not hand.redealt:
        moment, before = hand.drawn, shown(hand)
        hand, given = answered(rng, hand)
        asked.append((moment, given))
        if given:
            seen.append(shown(hand)[len(before) :])
    return hand, asked, seen


@pytest.mark.rotates(2)
@pytest.mark.parametrize("seed", range(4))
def test_sealed_windows(seed: int) -> None:
    rng = Random(seed)
    took_effect = Counter[int]()
    for _ in range(60):
        rounds = tuple(sorted(rng.sample(range(21), rng.randrange(5))))
        options, starter, aces = chosen(rng), rng.randrange(5), places(rng)
        hand, asked, seen = windows(rng, drawing(starter, asking(draw_checkpoints=rounds, **options), aces))
        applied, final = oracle.window(starter, aces, asked, options)
        effective = [
            [(seat, suit) for seat, _, suit in each] for (_, given), each in zip(asked, applied, strict=True) if given
        ]
        assert [[(seat, held[-1]) for seat, held in each] for each in seen] == effective, (starter, aces, asked)
        agree_on_end(over(hand), final)
        took_effect[sum(map(len, effective))] += 1
    assert {0, 1, 2} <= set(took_effect)


def test_the_first_card_after_a_window() -> None:
    aces = {"Ad": [3, 83], "Ac": [6, 16], "As": [30, 35], "Ah": [7, 64]}
    pairs = {0: "pair:s", 1: "pair:c"}  # of seat 0 as of 35, of seat 1 as of the declaration with the card before it
    hand = say(say(drawing(0, asking(), aces), {3: "expose:d"}), pairs)
    asked = [(35, [[3, "expose", "d"]]), (70, [[0, "expose_pair", "s"], [1, "expose_pair", "c"]])]
    applied, _ = oracle.window(0, aces, asked, {})
    assert shown(hand) == [(3, "Ad"), (1, "Ac Ac")]
    assert applied == [[[3, "expose", "d"]], [[1, "expose_pair", "c"]]]


# Standing orders, card by card

CODES = [f"{act}:{suit}" for act in ("expose", "pair") for suit in "dchs"]


def plan(rng: Random) -> list[str]:
    """Return a player's possible premoves."""
    some = rng.sample(CODES, rng.choice([0, 1, 2, 4, 8]))
    return (
        some
        + rng.choice([[], ["protect"], ["protect_late"]])
        + rng.choice([[], [], ["from:5"], ["from:10"], ["from:15"]])
    )


def wishes(draw: oracle.Draw, plans: list[list[str]], moment: int) -> list[tuple[str, int, str]]:
    """Return what the plans want at this moment: protecting first, then in turn; single aces as they came."""
    found = []
    for seat in ((draw.starter + ahead) % 5 for ahead in SEATS):
        codes = plans[seat]
        own = draw.big if draw.declarer == seat else None
        if own and ({"protect", f"pair:{own}"} & {*codes} or ("protect_late" in codes and moment == 108)):
            found.append((0, "protect", seat, own))
        first = max([int(code[5:]) for code in codes if code.startswith("from")], default=0)
        if moment > 5 * (first - 1) or moment == 108:
            singles = sorted((draw.seen(seat, code[-1]), code[-1]) for code in codes if code.startswith("expose"))
            found += [(1, "expose", seat, suit) for seen, suit in singles if seen]
        found += [(1, "expose_pair", seat, suit) for suit in "dchs" if f"pair:{suit}" in codes]
    return [(act, seat, suit) for _, act, seat, suit in sorted(found, key=lambda each: each[0])]


def replayed(draw: oracle.Draw, plans: list[list[str]]) -> list[tuple[int, str]]:
    """Return what the plans make seats show, by the reading."""
    found: list[tuple[int, str]] = []
    for moment in range(1, 109):
        draw.go_to(moment)
        while done := next((each for each in wishes(draw, plans, moment) if draw.act(*each)), None):
            found.append((done[1], " ".join([f"A{done[2]}"] * (1 + (draw.status == "pair")))))
    return found


@pytest.mark.rotates(2)
@pytest.mark.parametrize("seed", range(4))
def test_sealed_plans(seed: int) -> None:
    rng = Random(seed)
    lengths = Counter[int]()
    for _ in range(40):
        options, starter, aces = chosen(rng), rng.randrange(5), places(rng)
        plans = [plan(rng) for _ in SEATS]
        draw = oracle.Draw(starter, aces, options)
        expected = replayed(draw, plans)
        asked = drawing(starter, asking(draw_mode="sealed_once", **options), aces)
        said = {seat: " ".join(["order", *codes]) if codes else "nothing" for seat, codes in enumerate(plans)}
        hand = say(asked, said)
        if expected:
            assert shown(hand) == expected, (starter, aces, plans, options)
        agree_on_end(over(hand), draw.final())
        lengths[len(expected)] += 1
    assert {0, 1, 2} <= set(lengths)
