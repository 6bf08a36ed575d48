"""Section 5 of the rule page of The Big and the Little A, an article at a time: the two A cards."""

import pytest

from tests.rules.big_little_a_positions import (
    after,
    asked,
    asking,
    counts,
    fact,
    hand_of,
    held,
    of_kind,
    offers,
    points,
    result,
    table,
    why_not,
    winners,
)

LITTLE_A, BIG_A = of_kind("a"), of_kind("A")


def test_5_1_the_little_a() -> None:
    game = after(table("5 9 9", "7 2 2", "4 4 4", number=1, of=asking(players=3)), "5", "7", "-")
    assert (hand_of(game, 1), counts(game)) == ("2 2 a", [2, 3, 3])
    assert (fact(game, "little"), fact(game, "middle")) == (1, held("A"))
    alone = after(table("5 9 9", "7 2 2", "4 4 4", number=1, of=asking(players=3)), "5", "-", "-")
    assert fact(alone, "little") == 0  # nobody has raised


def test_5_2_the_big_a() -> None:
    game = after(table("5 9 9 a", "7 2 2", "4 4 4", number=2, of=asking(players=3)), "5", "7", "-")
    assert (hand_of(game, 1), fact(game, "big"), fact(game, "middle")) == ("2 2 A", 1, None)


def test_5_3_two_normal_rounds() -> None:
    game = table("5 5 9", "7 J 2", "4 4 4", number=1, of=asking(players=3))
    second = after(game, "5 5", "7 J", "-")
    assert (second.in_a_round, why_not(second, "a")) == (False, "5.8")
    assert after(second, "2", "4", "9").round == 3
    assert winners(after(second, "2", "4", "9")) == [1, 0]


def test_5_4_both_to_one() -> None:
    both = after(table("J J 5", "7 2 2", "4 4 4", number=1), "J", "J")  # every other player is passed by itself
    assert (hand_of(both, 0), fact(both, "little"), fact(both, "big")) == ("5 a A", 0, 0)
    assert both.view(1).known == ((0, LITTLE_A), (0, BIG_A))


def test_5_5_cards_of_your_hand() -> None:
    game = table("5 a", "6 A", "4 4 4", of=asking(players=3))
    assert counts(game) == [2, 2, 3]
    assert game.view(2).known == game.view(None).known == ((0, LITTLE_A), (1, BIG_A))
    assert (fact(game, "little"), fact(game, "big")) == (0, 1)
    on = after(game, "5", "6", "-")
    assert (on.result, counts(on)) == (None, [1, 1, 3])  # nobody is out
    assert points("a", "A", "1") == [0, 15, 20, 1]


def test_5_6_a_hand_of_one_round() -> None:
    over = after(table("5 9", "6", "8 8", number=1), "5", "6", "8")
    assert (counts(over), result(over).points) == ([1, 0, 2], (9, 0, 8 + 15))
    assert (fact(over, "big"), fact(over, "middle")) == (None, held("A"))


def test_5_7_only_led_and_alone() -> None:
    leading = table("a A 5 5", "7 8", "9 9")
    assert why_not(leading, "a A") == why_not(leading, "a 5") == why_not(leading, "A 5 5") == "5.7"
    assert offers(leading) == ["5", "a", "A", "5 5"]
    following = after(table("5 5", "a A 7", "9 9", of=asking(players=3)), "5")
    assert why_not(following, "a") == why_not(following, "A") == "5.7"
    assert offers(following) == ["7", "-"]


@pytest.mark.parametrize(("name", "taken"), [("a", 1), ("A", 2), ("A", 6)])
def test_5_8_not_in_the_next_round(name: str, taken: int) -> None:
    for ahead in (1, 2, 3):
        pile = (1, "2 3 a") if taken > 2 else None
        game = table(f"{name} 5 5", "7 8", "9 9", number=taken + ahead, taken={name: taken}, pile=pile)
        fact_name = {"a": "little_from", "A": "big_from"}[name]
        if ahead == 1:
            assert (why_not(game, name), offers(game), fact(game, fact_name)) == ("5.8", ["5", "5 5"], taken + 2)
            limit = asked(game).limit
            assert limit
            assert (limit.article, limit.values) == ("5.8", (("card", of_kind(name)),))
        else:
            assert (after(game, name).in_a_round, asked(game).limit, fact(game, fact_name)) == (True, None, None)


def test_5_8_the_first_rounds_in_which_they_can_be_led() -> None:
    game = table("J J 9 5", "7 2 2 3", "4 4 4 3", number=1)
    for number, barred in ((1, None), (2, "a"), (3, "A")):
        assert game.round == number
        assert [name for name in ("a", "A") if name in hand_of(game, 0).split() and name not in offers(game)] == [
            *(barred or ""),
        ]
        game = after(game, "J") if number < 3 else after(game, "9", "-", "-")
    assert offers(game) == ["5", "a", "A"]


def test_5_9_each_for_itself() -> None:
    game = table("a A 9", "7 2", "4 4", number=3)
    assert after(game, "a").in_a_round
    assert why_not(game, "A") == "5.8"
    assert offers(game) == ["9", "a"]


def test_5_10_nothing_else_to_follow_with() -> None:
    for hand in ("a", "A", "a A"):
        game = after(table("5 6", hand, "9 9", of=asking(players=3)), "5")
        assert offers(game) == ["-"]
        assert after(game, "-").turn == 2
        assert why_not(game, hand) == "5.7"


def test_5_11_nothing_else_to_lead() -> None:
    game = after(table("12", "9 9", "3 3 2", number=2, turn=2, taken={}, of=asking(players=3)), "3", "12", "-")
    assert (winners(game), hand_of(game, 0)) == ([0], "A")
    assert (game.turn, game.round, fact(game, "lead")) == (1, 3, 1)  # no round is counted for it
    on = after(game, "9", "-", "-")
    assert (winners(on), on.round, on.turn, fact(on, "lead")) == ([0, 1], 4, 1, None)
    assert fact(on, "big_from") is None


def test_5_11_an_a_card_that_can_be_led_is_led() -> None:
    game = after(table("12 a", "9 9", "3 3 2", number=2, turn=2, of=asking(players=3)), "3", "12", "-")
    assert (game.turn, game.round, offers(game)) == (0, 3, ["a"])  # the Big A is barred, the little a is not


def test_5_12_no_duty() -> None:
    game = table("a A 9", "7 2", "4 4")
    assert offers(game) == ["9", "a", "A"]
    assert not after(game, "9").in_a_round
    last = table("A", "7 2", "4 4")
    assert (offers(last), why_not(last, "-")) == (["A"], "3.1")
