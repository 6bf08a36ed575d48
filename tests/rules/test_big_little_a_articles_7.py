"""Sections 7 and 8 of the rule page of The Big and the Little A, an article at a time: the end, and what is paid."""

import pytest

from tests.rules.big_little_a_positions import (
    after,
    asking,
    counts,
    ended,
    hand_of,
    held,
    pile,
    points,
    result,
    table,
    why_not,
    winners,
)


def test_7_1_when_it_ends() -> None:
    game = after(table("5", "7 2", "9 2", of=asking(players=3)), "5")
    assert game.result is None  # the round is played to its end
    over = after(game, "7", "9")
    assert (over.awaited, counts(over), winners(over)) == (frozenset(), [0, 1, 1], [2])
    assert result(over).order == (0, 1, 2)
    assert why_not(over, "2") == why_not(over, "-", seat=0) == "7.1"
    on = after(table("5 2", "7 2", "9 2", of=asking(players=3)), "5", "7", "9")
    assert (on.result, on.turn) == (None, 2)


def test_7_2_several_at_once() -> None:
    over = after(table("5", "7", "9 2", of=asking(players=3)), "5", "7", "9")
    assert result(over).points == (0, 0, 2)
    everybody = after(table("5", "7", "9", of=asking(players=3)), "5", "7", "9")
    assert result(everybody).points == (0, 0, 0)


@pytest.mark.parametrize(("number", "taken"), [(1, "a"), (2, "A")])
def test_7_3_with_a_card_from_the_middle(number: int, taken: str) -> None:
    game = after(table("5 5", "9", "3 3 2", number=number, of=asking(players=3)), "5", "9", "-")
    assert (game.result, hand_of(game, 1)) == (None, taken)
    assert game.turn == 2  # but what is barred cannot be led (5.11)
    over = after(table("5", "9", "3 3 2", number=number, of=asking(players=3)), "5", "9", "-")
    assert result(over).points == (0, {"a": 15, "A": 20}[taken], 8)


def test_7_4_with_a_big_a_trick() -> None:
    game = after(table("A 9", "2 3", "4", of=asking(players=3)), "A", "2", "4")
    assert (game.result, hand_of(game, 2)) == (None, "2 4 A")
    over = after(table("A 9", "2", "4", of=asking(players=3)), "A", "2", "4")
    assert result(over).points == (9, 0, 26)


def test_7_5_with_the_little_a_trick() -> None:
    over = after(table("a 9", "7", "4 9", of=asking(players=3)), "a", "7", "4")
    assert (counts(over), pile(over)) == ([1, 0, 1], (1, "4 7 a"))
    assert result(over).points == (9, 11, 9)


@pytest.mark.parametrize(("led", "takes"), [("A", 13 + 5 + 20), ("a", 13 + 5)])
def test_7_6_an_a_card_last(led: str, takes: int) -> None:
    over = after(table(led, "5 9", "13"), led, "5")
    assert result(over).points == (0, 9, takes)
    assert result(over).order[0] == 0


def test_8_1_numbers_in_hand() -> None:
    assert points(*(f"{number}" for number in range(1, 9))) == [*range(9)]
    assert points("9", "10", "11", "12", "13") == [0, 9, 10, 11, 12, 13]
    assert points("5 12 5", "1 1") == [0, 22, 2]
    assert result(ended("5 12", "1")).left == ((), held("5 12"), held("1"))


@pytest.mark.parametrize("joker_in_hand_points", [14, 0, 99])
def test_o9_1_a_joker_in_hand(joker_in_hand_points: int) -> None:
    each = joker_in_hand_points
    assert points("J", "J J 3", joker_in_hand_points=each) == [0, each, 2 * each + 3]
    assert points("J", "J J 3") == [0, 14, 31]


@pytest.mark.parametrize("little_a_in_hand_points", [15, 0, 20])
def test_o9_2_the_little_a_in_hand(little_a_in_hand_points: int) -> None:
    assert points("a 2", "3", little_a_in_hand_points=little_a_in_hand_points) == [0, little_a_in_hand_points + 2, 3]
    assert points("a", "3") == [0, 15, 3]


@pytest.mark.parametrize("big_a_in_hand_points", [20, 0, 40])
def test_o9_3_the_big_a_in_hand(big_a_in_hand_points: int) -> None:
    assert points("A 2", "3", big_a_in_hand_points=big_a_in_hand_points) == [0, big_a_in_hand_points + 2, 3]
    assert points("A", "a A 1") == [0, 20, 36]


def test_8_2_the_little_a_trick() -> None:
    over = ended("5", "2", pile=(2, "a 2 4 4"))
    assert result(over).points == (0, 5, 2 + 10)
    [note] = result(over).notes
    assert (note.article, dict(note.values)) == ("8.2", {"seat": 2, "cards": held("2 4 4 a"), "points": 10})
    assert points("5", "2", pile=(0, "a 13 13")) == [26, 5, 2]  # also who is out
    assert points("a", "2") == [0, 15, 2]  # the little a costs something only in hand


@pytest.mark.parametrize("joker_in_pile_points", [1, 0, 14])
def test_o9_4_a_joker_in_the_little_a_trick(joker_in_pile_points: int) -> None:
    each = joker_in_pile_points
    assert points("5", "2", pile=(1, "a J 4 J"), joker_in_pile_points=each) == [0, 5 + 4 + 2 * each, 2]
    assert points("5", "2", pile=(0, "a J J")) == [2, 5, 2]


def test_8_3_nothing_left() -> None:
    over = after(table("5", "7", "9 2", of=asking(players=3), pile=(1, "a 1 3")), "5", "7", "9")
    assert result(over).points == (0, 4, 2)
    assert result(ended("5", "2")).payments == ()  # nobody pays any player


def test_o12_1_what_a_point_is_worth() -> None:
    over = result(ended("5", "2", of=asking(players=3, stake=3)))
    assert over.points == (0, 5, 2)
    assert set(over.payments) == {(1, 0, 15), (2, 0, 6), (1, 2, 9)}


def test_o12_2_no_stake() -> None:
    assert result(ended("5", "2", of=asking(players=3, stake=0))).payments == ()
