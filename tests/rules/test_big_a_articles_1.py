"""Section 1 of the rule page of Big A, an article at a time: players and cards."""

from collections import Counter

import pytest

from bot.games import GAMES
from bot.rules.core.cards import cards
from tests.rules.big_a_positions import after, beats, climbs, drawing, held_by, kind, named, rules, standing, table


def test_1_1_five_players_on_two_sides() -> None:
    assert GAMES["big_a"].seats == (5,)
    game = table(partner=3, known=True)
    assert (rules().players, len(game.view(None).counts)) == (5, 5)
    assert [sorted(game.view(seat).allies) for seat in range(5)] == [[3], [2, 4], [1, 4], [0], [1, 2]]
    alone = table(partner=None, known=True)
    assert [len(alone.view(seat).allies) for seat in range(5)] == [0, 3, 3, 3, 3]


def test_1_2_two_packs_of_54() -> None:
    counts = Counter(map(str, rules().pack))
    assert (counts.total(), len(counts), set(counts.values())) == (108, 54, {2})
    assert counts["BJ"] == counts["RJ"] == 2
    assert kind("7d 7d") == kind("7d 7c") == "pair"
    assert not beats("7d 7d", "7d 7c")
    assert not beats("7d 7c", "7d 7d")


def test_1_3_drawing_and_playing_go_the_same_way_round() -> None:
    draw = drawing(starter=3)
    assert [[len(held_by(standing(draw, count), seat)) for seat in range(5)] for count in (1, 2, 3)] == [
        [0, 0, 0, 1, 0],
        [0, 0, 0, 1, 1],
        [1, 0, 0, 1, 1],
    ]
    game = table("4d 9d", declarer=0)
    assert [after(game, *["4d", "-", "-", "-"][:moves]).turn for moves in range(5)] == [0, 1, 2, 3, 4]


def test_1_4_suits_hardly_matter() -> None:
    assert not any(beats(one, other) for one in ("7d", "7c", "7h", "7s") for other in ("7d", "7c", "7h", "7s"))
    assert not beats("Ad", "As")
    assert rules().alike(cards("7d 8c")) == rules().alike(cards("8s 7h"))
    assert climbs("BJ", "RJ")
    assert climbs("BJ BJ", "BJ RJ", "RJ RJ")
    assert not beats("BJ RJ RJ", "BJ BJ RJ")
    assert not beats("BJ BJ RJ", "BJ RJ RJ")


@pytest.mark.parametrize("big", ["d", "c", "h", "s"])
def test_1_5_the_big_aces(big: str) -> None:
    kinds = {suit: (combo := named(f"A{suit}", big=big)) and combo.kind for suit in "dchs"}
    assert kinds == {suit: "big_ace" if suit == big else "single" for suit in "dchs"}
    assert dict(table(big=big).view(None).facts)["big"] == cards(f"A{big} A{big}")


def test_1_6_order_of_single_cards() -> None:
    assert climbs("4d", "5s", "6c", "7h", "8d", "9s", "Tc", "Jh", "Qd", "Ks", "Ac", "2h", "3d", "BJ", "RJ", "Ah")


def test_1_7_order_of_sets() -> None:
    ranks = "456789TJQKA23"
    assert climbs(*(f"{rank}d {rank}c" for rank in ranks))
    assert climbs(*(f"{rank}d {rank}c {rank}s" for rank in ranks))
    assert climbs("Kd Kc", "Ah Ad", "2d 2c")


def test_1_8_order_in_sequences() -> None:
    run = "A23456789TJQKA"
    assert climbs(*(f"{run[at]}d {run[at + 1]}c {run[at + 2]}s" for at in range(12)))
