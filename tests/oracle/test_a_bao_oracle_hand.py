"""Whole hands of Taihe A Bao, at random and made up, put to the plain reading of its rules.

Covers properties of every deal and questions without a worked case. The bot is not involved.
"""

from itertools import chain, product
from random import Random
from typing import Any

import pytest

from tests.oracle.a_bao import (
    PACKS,
    Options,
    Pattern,
    answer,
    callable_cards,
    classify,
    forbidden_gifts,
    pack,
    plays,
)
from tests.oracle.a_bao_hand import Hand, sealed, stake, start, start_play

TABLES: list[Options] = [{"players": players, "aces": aces} for players, aces in PACKS]
THREE_KINGS: Options = {"players": 5, "aces": False, "three_kings_top": True}
CHOICES: dict[str, list[Any]] = {
    "recall": ["forbidden", "allowed", "complete_four"],
    "starter_must_call": [False, True],
    "single_caller_wins": [False, True],
    "scoring": ["callers", "simplified"],
    "double_shutout": [False, True],
    "double_lead_only": [False, True],
    "may_return_called_card": [False, True],
    "three_kings_top": [False, True],
    "auto_pass": ["public_only", "off"],
}


# AB-P5, P6, P1, P2 and P7: whole hands at random


def dealt(rng: Random, options: Options) -> list[list[str]]:
    cards = pack(options)
    rng.shuffle(cards)
    return [sorted(cards[seat :: options["players"]]) for seat in range(options["players"])]


def random_options(rng: Random) -> Options:
    return {**rng.choice(TABLES), **{name: rng.choice(values) for name, values in CHOICES.items()}}


def bid_at_random(hand: Hand, rng: Random, keenness: float) -> None:
    sizes, cards = [len(each) for each in hand.hands], sorted(chain(*hand.hands))
    while hand.phase in ("first", "second", "give"):
        assert hand.turn is not None
        before = repr(vars(hand))
        assert hand.act((hand.turn + 1) % hand.players, "pass") == hand.act(hand.turn, "play", ["4h"]) == "illegal"
        assert hand.act(hand.turn, "call", rng.choice(hand.hands[hand.turn])) == "illegal"
        assert repr(vars(hand)) == before
        bid_once(hand, rng, keenness)
        assert sorted(chain(*hand.hands)) == cards
        if hand.phase != "give":
            assert [len(each) for each in hand.hands] == sizes


def bid_once(hand: Hand, rng: Random, keenness: float) -> None:
    assert hand.turn is not None
    if hand.phase == "give":
        assert hand.act(hand.turn, "give", rng.choice(sorted(hand.may_give()))) == "give"  # AB-P5
    elif hand.phase == "first":
        assert hand.act(hand.turn, "declare" if rng.random() < keenness / 5 else "pass") != "illegal"
    elif rng.random() > keenness and hand.act(hand.turn, "pass") == "pass":
        return
    else:
        assert hand.act(hand.turn, "call", rng.choice(sorted(hand.may_call()))) == "call"  # AB-P5


def cards_of(held: list[str], ranks: Pattern) -> list[str]:
    found: list[str] = []
    for rank in ranks:
        found.append(next(card for card in held if card[0] == rank and card not in found))
    return found


def play_at_random(hand: Hand, rng: Random) -> None:
    while hand.phase == "play":
        assert hand.turn is not None
        held = hand.hands[hand.turn]
        offered = sorted(plays(held, hand.top, hand.options))
        assert hand.top is not None or (offered and hand.act(hand.turn, "pass") == "illegal")
        if offered and (hand.top is None or rng.random() < 0.7):
            assert hand.act(hand.turn, "play", cards_of(held, rng.choice(offered))) in ("lead", "beat")
        else:
            assert hand.act(hand.turn, "pass") in ("pass", "trick_end")


def assert_tricks_end_as_they_should(hand: Hand) -> None:
    """Count the passes in a row before each play and at the end of each trick: AB-P04."""
    passes, owner = 0, hand.declarer
    for seat, result, _ in [act for act in hand.log if act[1] in ("lead", "beat", "pass", "trick_end")]:
        if result in ("lead", "beat"):
            assert result == "beat" or seat == owner  # AB-P01, P05
            passes, owner = 0, seat
        else:
            passes += 1
            assert (result == "trick_end") == (passes == hand.players - 1)


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(60))
def test_whole_hands(seed: int) -> None:
    rng = Random(seed)
    options = random_options(rng)
    hand = start(dealt(rng, options), rng.randrange(options["players"]), rng.random() < 0.3, options)
    bid_at_random(hand, rng, rng.choice([0.0, 0.2, 0.5, 0.9]))
    assert hand.phase != "redeal" or not options["starter_must_call"]
    play_at_random(hand, rng)
    assert hand.points is not None
    assert sum(hand.points) == 0
    out = [seat for seat, held in enumerate(hand.hands) if not held]
    if hand.phase == "redeal":
        assert (hand.declarer, out, set(hand.points)) == (None, [], {0})
        return
    assert hand.declarer is not None
    assert len({points for seat, points in enumerate(hand.points) if seat != hand.declarer}) == 1
    assert abs(hand.points[hand.declarer]) >= hand.players - 1
    assert len(out) == (0 if hand.phase == "auto_win" else 1)
    assert hand.won() == (hand.phase == "auto_win" or out == [hand.declarer])


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(30))
def test_automatic_passes_change_nothing_else(seed: int) -> None:
    rng = Random(seed)
    options = {**rng.choice(TABLES), "three_kings_top": rng.choice([False, True])}
    hands = dealt(rng, options)
    quick, slow = (start_play(hands, 0, 1, {**options, "auto_pass": mode}) for mode in ("public_only", "off"))
    play_at_random(quick, rng)
    for seat, result, cards in quick.log:
        assert slow.act(seat, "play" if result in ("lead", "beat") else "pass", cards) == result
    assert (slow.log, slow.points, slow.hands) == (quick.log, quick.points, quick.hands)
    assert_tricks_end_as_they_should(slow)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_sealed_answers_give_the_same_result_as_open_ones(players: int) -> None:
    hands: list[list[str]] = [[] for _ in range(players)]
    for words in product(["pass", "declare"], repeat=players):
        for starter in range(players):
            hand = start(hands, starter, False, {"players": players})
            while hand.phase == "first":
                assert hand.turn is not None
                hand.act(hand.turn, words[hand.turn])
            spoken = dict(enumerate(words))
            decided = sealed(spoken, starter, players)
            assert decided == ("second" if hand.phase == "second" else hand.declarer)
            decisive = {seat: words[seat] for seat, _, _ in hand.log}
            assert sealed(decisive, starter, players) == decided
            assert sealed({seat: word for seat, word in decisive.items() if seat != starter}, starter, players) is None


# What of the bidding no case asks


def test_forbidden_gifts() -> None:
    hand = ["4h", "Ad", "9s", "Kd"]
    assert forbidden_gifts(hand, "9s", four_used=True) == {"4h", "Ad"}
    assert forbidden_gifts(hand, "9s", four_used=False) == {"Ad"}
    assert forbidden_gifts(hand, "9s", four_used=False, options={"may_return_called_card": False}) == {"Ad", "9s"}
    assert forbidden_gifts(["4h", "Kd"], "Kc", four_used=False, options={"players": 3, "aces": False}) == set()


def test_a_second_call_may_complete_four_of_a_kind() -> None:
    hand = ["9d", "9c", "9h", "4d"]
    for recall, may in (("forbidden", False), ("allowed", True), ("complete_four", True)):
        assert ("9s" in callable_cards(hand, ["9s"], four_used=False, options={"recall": recall})) == may
    three_kings = {**THREE_KINGS, "recall": "complete_four"}
    assert "Kd" not in callable_cards(["Kc", "Kh", "4d"], ["Kd"], four_used=False, options=three_kings)  # AB-Q13


def test_the_four_of_hearts_and_aces_are_barred() -> None:
    every = callable_cards([], [], four_used=False)
    assert every == {card for card in pack() if card[0] != "A"}
    assert every - callable_cards([], [], four_used=True) == {"4h"}


def test_a_single_caller_is_never_doubled() -> None:
    options = {"single_caller_wins": True, "double_shutout": True, "scoring": "simplified", "players": 3}
    hand = start([["4d", "5d"], ["6d", "7d"], ["9d", "Td"]], 1, False, options)
    for seat in (1, 2, 0, 1):
        assert hand.act(seat, "pass") == "pass"
    assert (hand.act(2, "call", "4d"), hand.act(2, "give", "Td"), hand.act(0, "pass")) == ("call", "give", "pass")
    assert (hand.phase, hand.declarer, hand.points, hand.won()) == ("auto_win", 2, [-1, -1, 2], True)


DOUBLED: Options = {"double_shutout": True, "double_lead_only": True, "auto_pass": "off"}


@pytest.mark.parametrize(("options", "points"), [({}, [3, -1, -1, -1]), (DOUBLED, [6, -2, -2, -2])], ids=str)
def test_winning_before_anybody_else_has_played(options: Options, points: list[int]) -> None:
    hand = start_play([["4d", "5d"], ["6d", "7d"], ["9d", "Td"], ["Jd", "Qd"]], 0, 1, options)
    hand.act(0, "play", ["4d"])
    for seat in (1, 2, 3):
        hand.act(seat, "pass")
    assert hand.act(0, "play", ["5d"]) == "lead"
    assert hand.points == points


def test_winning_after_somebody_else_has_played() -> None:
    hand = start_play([["4d", "7d"], ["6d", "9d"], ["9c", "Td"], ["Jd", "Qd"]], 0, 1, DOUBLED)
    hand.act(0, "play", ["4d"])
    hand.act(1, "play", ["6d"])
    for seat in (2, 3):
        hand.act(seat, "pass")
    assert hand.act(0, "play", ["7d"]) == "beat"
    assert hand.points == [3, -1, -1, -1]


@pytest.mark.parametrize(("options", "points"), [({}, [-3, 1, 1, 1]), (DOUBLED, [-6, 2, 2, 2])], ids=str)
def test_losing_with_the_first_lead_only(options: Options, points: list[int]) -> None:
    hand = start_play([["4d", "7d"], ["6d"], ["9c", "Td"], ["Jd", "Qd"]], 0, 1, options)
    hand.act(0, "play", ["4d"])
    assert hand.act(1, "play", ["6d"]) == "beat"
    assert hand.points == points


def test_losing_with_more_than_the_first_lead() -> None:
    hand = start_play([["4d", "7d", "9h"], ["6d", "9d"], ["9c", "Td"], ["Jd", "Qd"]], 0, 1, DOUBLED)
    for seat, card in [(0, "4d"), (1, "6d"), (2, None), (3, None), (0, "7d"), (1, "9d")]:
        assert hand.act(seat, "play" if card else "pass", [card]) != "illegal"
    assert hand.points == [-3, 1, 1, 1]


def test_stakes() -> None:
    assert [stake(callers, 5) for callers in range(6)] == [6, 1, 2, 3, 4, 5]
    assert [stake(callers, 5, {"scoring": "simplified"}) for callers in range(3)] == [2, 1, 1]


def test_a_top_that_nobody_can_beat_ends_the_trick_at_once() -> None:
    hands = [["Ad", "Ac", "Ah", "As", "4d"], ["4h", "5h", "6h", "7h"], ["4c", "4s"], ["5d", "6d", "7d", "9d"]]
    hand = start_play(hands, 0)
    assert hand.act(0, "play", ["Ad", "Ac", "Ah", "As"]) == "lead"
    assert (hand.turn, hand.top, [result for _, result, _ in hand.log]) == (
        0,
        None,
        ["lead", "pass", "pass", "trick_end"],
    )


@pytest.mark.parametrize("top", ["4d", "Kd", "Ad"])
def test_a_player_with_too_few_cards_passes(top: str) -> None:
    hand = start_play([[top, "4h"], ["9c"], ["9d", "9h"], ["5d", "5c", "5h"]], 0)
    hand.act(0, "play", [top])
    assert hand.turn == (3 if top == "Ad" else 1)


def test_no_player_answers_an_empty_table() -> None:
    with pytest.raises(ValueError, match="no combination"):
        answer(("4",), ("4", "5"))
    with pytest.raises(ValueError, match="not cards"):
        classify(["As"], {"players": 3})
