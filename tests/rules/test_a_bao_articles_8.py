"""Section 8 of the rule page of Tàihé A Bāo, an article at a time: what a hand is worth.

Seat 0 is the declarer throughout.
"""

from itertools import product
from typing import Any

import pytest

from bot.rules.matches.match import Match
from tests.rules.a_bao_positions import (
    after,
    asking,
    between,
    bid,
    dealt,
    ended,
    fact,
    points,
    result,
    rules,
    table,
)


def stakes(**how: Any) -> int:
    """Return what the declarer gets from each opponent."""
    declarer, *others = points(won=True, **how)
    assert set(others) == {-declarer // len(others)}
    return -others[0]


def notes(**how: Any) -> list[str]:
    """Return the articles that say how the points came about."""
    return [note.article for note in result(ended(**how)).notes]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_o8_1_after_a_call(players: int) -> None:
    worth = [stakes(players=players, calls=calls, scoring="callers") for calls in range(1, players + 1)]
    assert worth == list(range(1, players + 1))
    assert fact(table(calls=3), "stakes") == 3
    assert notes(won=True, calls=3) == ["7.7", "O8.1"]


@pytest.mark.parametrize(("players", "worth"), [(3, 4), (4, 5), (5, 6)])
def test_o8_2_after_declaring(players: int, worth: int) -> None:
    assert stakes(players=players, calls=0, scoring="callers") == worth
    assert fact(table(players=players), "stakes") == worth
    assert notes(won=False, calls=0) == ["7.7", "O8.2"]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_o8_3_two_or_one(players: int) -> None:
    found = [stakes(players=players, calls=calls, scoring="simplified") for calls in range(players + 1)]
    assert found == [2] + [1] * players
    assert notes(won=True, calls=2, scoring="simplified") == ["7.7", "O8.3"]
    assert stakes(of=rules("simple"), calls=0) == 2


def test_8_1_against_each_opponent() -> None:
    assert points(won=True, calls=2) == [6, -2, -2, -2]
    assert points(won=False, calls=2) == [-6, 2, 2, 2]
    assert points(won=True, calls=0, players=5) == [24, -6, -6, -6, -6]
    assert points(won=False, calls=0, players=3) == [-8, 4, 4]
    assert points(won=False, calls=1, declarer=2) == [1, 1, -3, 1]


def test_o9_1_doubled_for_a_shutout() -> None:
    game = rules(double_shutout=True)
    for own_plays in (1, 2, 5):
        assert points(won=True, calls=2, others_played=False, own_plays=own_plays, of=game) == [12, -4, -4, -4]
    assert points(won=True, calls=0, others_played=False, of=game) == [30, -10, -10, -10]
    assert points(won=True, calls=2, others_played=True, of=game) == [6, -2, -2, -2]
    assert points(won=True, calls=2, others_played=False, double_shutout=False) == [6, -2, -2, -2]
    both = rules("simple", double_shutout=True)
    assert points(won=True, calls=0, others_played=False, of=both) == [12, -4, -4, -4]
    assert notes(won=True, calls=2, others_played=False, of=game) == ["7.7", "O8.1", "O9.1"]
    led_twice = after(table("5d 9d", of=asking(double_shutout=True), calls=2), "5d", "-", "-", "-", "9d")
    assert result(led_twice).points == (12, -4, -4, -4)


def test_o10_1_doubled_for_the_lead_only() -> None:
    game = rules(double_lead_only=True)
    assert points(won=False, calls=2, own_plays=1, of=game) == [-12, 4, 4, 4]
    assert points(won=False, calls=2, own_plays=2, of=game) == [-6, 2, 2, 2]
    assert points(won=False, calls=2, own_plays=1, double_lead_only=False) == [-6, 2, 2, 2]
    assert points(won=False, calls=0, own_plays=1, of=game) == [-30, 10, 10, 10]
    assert points(won=True, calls=2, own_plays=1, of=game) == [6, -2, -2, -2]
    assert notes(won=False, own_plays=1, of=game) == ["7.7", "O8.2", "O10.1"]
    sharp = after(table("5d 9d", "6d", of=rules("sharp"), calls=1), "5d", "6d")
    assert result(sharp).points == (-6, 2, 2, 2)


def test_8_2_a_hand_thrown_in() -> None:
    hand = dealt("thrown in", rules(starter_must_call=False))
    again = bid(hand, *["-"] * 8)
    assert (fact(again, "thrown"), again.result) == (1, None)
    assert Match(hand.rules, seed="seed", game=again).totals == (0, 0, 0, 0)


def test_8_3_the_sum_is_nought() -> None:
    for players, calls, won in product((3, 4, 5), (0, 1, 3), (True, False)):
        for doubled, scoring in product((True, False), ("callers", "simplified")):
            game = rules(players=players, scoring=scoring, double_shutout=doubled, double_lead_only=doubled)
            made = points(won=won, calls=calls, others_played=not won, own_plays=1, of=game)
            assert sum(made) == 0
            assert len(set(made[1:])) == 1
    hands = [ended(won=True, calls=2), ended(won=False, declarer=1, calls=1), ended(won=True, declarer=3)]
    assert between(rules(), *hands).totals == (6 + 1 - 5, -2 - 3 - 5, -2 + 1 - 5, -2 + 1 + 15)


def test_o17_1_what_a_point_is_worth() -> None:
    won, lost = (result(ended(won=won, calls=2, stake=5)) for won in (True, False))
    assert (won.points, won.payments) == ((6, -2, -2, -2), ((1, 0, 10), (2, 0, 10), (3, 0, 10)))
    assert (lost.points, lost.payments) == ((-6, 2, 2, 2), ((0, 1, 10), (0, 2, 10), (0, 3, 10)))


def test_o17_2_no_stake() -> None:
    over = result(ended(won=True, calls=2, stake=0))
    assert (over.points, over.payments) == ((6, -2, -2, -2), ())
    assert result(ended(won=True)).payments == ()
