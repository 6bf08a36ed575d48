"""Section 1 of the rule page of Tàihé A Bāo, an article at a time: players and cards."""

from collections import Counter
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.core.game import Teams
from tests.rules.a_bao_positions import (
    after,
    beats,
    begun,
    bid,
    bidding,
    calling,
    climbs,
    dealt,
    kind,
    offered,
    refusal,
    rules,
    suits,
    table,
    whose,
)


def sizes(**options: Any) -> tuple[int, list[int]]:
    """Return how many cards there are, and how many each seat gets."""
    hand = dealt("sizes", rules(**options))
    return len(hand.rules.pack), list(map(len, hand.hands))


def in_pack(**options: Any) -> dict[str, int]:
    """Return how many cards of each rank there are."""
    return Counter(str(each.rank) for each in rules(**options).pack)


def test_1_1_one_against_the_rest() -> None:
    game = table(declarer=2)
    assert [sorted(game.view(seat).allies) for seat in range(4)] == [[1, 3], [0, 3], [], [0, 1]]
    assert {game.view(seat).teams for seat in (None, *range(4))} == {Teams(frozenset({2}), frozenset({0, 1, 3}))}
    assert all(game.view(seat).known == () for seat in range(4))  # friends do not see each other's cards either


def test_o1_1_four_players() -> None:
    assert GAMES["a_bao"].seats == (3, 4, 5)
    assert sizes(players=4) == (40, [10] * 4)
    assert sizes(players=4, aces=False) == (36, [9] * 4)


def test_o1_2_five_players() -> None:
    assert sizes(players=5) == (40, [8] * 5)
    assert sizes(players=5, aces=False) == (35, [7] * 5)
    assert [len(table(players=5, declarer=0).view(seat).allies) for seat in range(5)] == [0, 3, 3, 3, 3]


def test_o1_3_three_players() -> None:
    assert sizes(players=3) == (39, [13] * 3)
    assert sizes(players=3, aces=False) == (36, [12] * 3)
    assert [len(table(players=3, declarer=0).view(seat).allies) for seat in range(3)] == [0, 1, 1]


def test_1_2_the_cards() -> None:
    assert in_pack() == dict.fromkeys("45679TJQKA", 4)
    assert len(set(rules().pack)) == 40
    assert not {"2d", "3c", "8h", "BJ", "RJ"} & set(map(str, rules().pack))
    assert kind("8d") is kind("2d 2c") is kind("9d 9d") is None


def test_o2_1_with_aces() -> None:
    assert in_pack(aces=True)["A"] == 4
    assert climbs("Kd", "Ad")
    assert kind("Qd Kd Ad") is None
    assert not [each for each in offered(calling()) if each[0] == "A"]


def test_o2_2_without_aces() -> None:
    assert in_pack(aces=False) == dict.fromkeys("45679TJQK", 4)
    game = rules(aces=False)
    assert climbs("Jd", "Qd", "Kd", of=game)
    assert climbs(suits("Q", 4), suits("K", 4), of=game)
    assert kind("Jd Qd Kd", game) == "sequence"
    hand = bid(calling("4h Kd", "5d Kc", "6d 9c", "7d 9d", of=game), "call Kc")
    assert "Kd" in offered(hand)
    assert kind("Ad", game) is None


def test_o2_3_without_the_king_of_spades() -> None:
    game = rules(players=5, aces=False)
    assert in_pack(players=5, aces=False) == {**dict.fromkeys("45679TJQ", 4), "K": 3}
    assert not set(cards("Ks")) & set(game.pack)
    assert refusal(calling(*["4c 5c"] * 5, of=game), "call Ks").article == "5.16"


def test_o3_1_without_the_ace_of_spades() -> None:
    assert in_pack(players=3, aces=True) == {**dict.fromkeys("45679TJQK", 4), "A": 3}
    assert not set(cards("As")) & set(rules("three").pack)


def test_1_3_order_of_ranks() -> None:
    assert climbs("4s", "5d", "6c", "7h", "9s", "Td", "Jc", "Qh", "Ks", "Ad")
    assert climbs("4s", "5d", "6c", "7h", "9s", "Td", "Jc", "Qh", "Ks", of=rules("without_aces"))
    held = rules().sort(cards("Ad 4s Kc 9h Td 7d"))
    assert held == cards("4s 7d 9h Td Kc Ad")


def test_1_4_suits_only_name_cards() -> None:
    assert not any(beats(one, other) for one in cards_of_nine() for other in cards_of_nine())
    assert rules().alike(cards("7d 9c")) == rules().alike(cards("9s 7h"))
    assert offered(calling("9d 9c Kd", "4h 5d 6d"))[-4:] == ["Qs", "Kc", "Kh", "Ks"]  # each is called by rank and suit


def cards_of_nine() -> list[str]:
    """Return the four nines."""
    return suits("9", 4).split()


@pytest.mark.parametrize("first", range(4))
def test_1_5_direction(first: int) -> None:
    in_turn = [(first + ahead) % 4 for ahead in range(4)]
    hand = bidding(*["4c 5c 6c"] * 4, starter=first)
    assert [whose(bid(hand, *["-"] * passes)) for passes in range(4)] == in_turn
    game = table(*["6d 7d"] * 4, declarer=first)
    assert [after(game, *["6d", "-", "-"][:moves]).turn for moves in range(4)] == in_turn
    assert begun(hand, "-", "declare").turn == in_turn[1]
