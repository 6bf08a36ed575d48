"""Section 6 of the rule page of The Big and the Little A, an article at a time: rounds led with an A card."""

from itertools import product

import pytest

from bot.rules.big_little_a import BigLittleA
from tests.rules.big_little_a_positions import (
    after,
    asked,
    asking,
    counts,
    fact,
    hand_of,
    of_kind,
    offers,
    pile,
    result,
    table,
    why_not,
    winners,
)

BOTH = ("a", "A")


def taker(*played: str, led: str = "A", of: BigLittleA | None = None) -> int:
    """Return who takes an A round that seat 0 leads, if these cards are played to it."""
    hands = [f"{each} 13" for each in played]
    game = of or asking(players=len(played) + 1)
    return winners(after(table(f"{led} 13", *hands, of=game), led, *played))[0]


@pytest.mark.parametrize("led", BOTH)
def test_6_1_worth_nothing(led: str) -> None:
    for lowest in ("1", "J"):
        assert taker(lowest, lowest, led=led) == 1
    assert taker("1", "2", led=led) == 2
    game = after(table(f"{led} 13", "1 13", "1 13"), led)
    assert game.trick.top
    assert game.trick.top.strength == 0


@pytest.mark.parametrize("led", BOTH)
@pytest.mark.parametrize("round_mode", ["one_turn_each", "until_all_pass"])
def test_6_2_one_card_each_and_nobody_passes(led: str, round_mode: str) -> None:
    game = after(table(f"{led} 9", "2 2 13", "5 6", of=asking(players=3, round_mode=round_mode)), led)
    assert why_not(game, "-") == why_not(game, "2 2") == why_not(game, "") == why_not(game, "7") == "6.2"
    assert why_not(game, "2", seat=2) == "6.2"
    assert (offers(game), asked(game).may_pass) == (["2", "13"], False)
    limit = asked(game).limit
    assert limit
    assert limit.article == "6.6"
    assert winners(after(game, "2", "5")) == [2]  # that was every player's turn


def test_6_3_higher_or_lower() -> None:
    game = after(table("a 9", "7 7", "2 J 7 13", "8 8"), "a", "7")
    assert offers(game) == ["J", "2", "7", "13"]
    for card in offers(game):
        assert after(game, card).turn == 3
    assert winners(after(game, "2", "8")) == [3]


@pytest.mark.parametrize(("led", "other"), [("a", "A"), ("A", "a")])
def test_6_4_not_the_other_a_card(led: str, other: str) -> None:
    game = after(table(f"{led} 9", f"{other} 7 8", "2 3"), led)
    assert why_not(game, other) == why_not(game, f"{other} 7") == "6.4"
    assert offers(game) == ["7", "8"]


@pytest.mark.parametrize(("led", "other"), [("a", "A"), ("A", "a")])
def test_6_5_the_one_exception(led: str, other: str) -> None:
    game = after(table(f"{led} 9", other, "2 3", of=asking(players=3)), led)
    assert (offers(game), why_not(game, other)) == (["-"], "6.4")
    assert hand_of(after(game, "-"), 1) == other
    assert winners(after(game, "-", "2")) == [2]


@pytest.mark.parametrize("led", BOTH)
def test_6_6_who_takes_the_trick(led: str) -> None:
    assert taker("2", "4", "4", led=led) == 2
    assert taker("4", "2", "4", led=led) == 1
    assert taker("J", "1", led=led) == taker("1", "J", led=led) == 1
    assert taker("J", "1", "2", led=led) == 3
    numbers = [str(number) for number in range(1, 14)]
    for first, second in product(numbers, numbers):
        assert taker(first, second, led=led) == (2 if int(second) > int(first) else 1)


def test_6_6_the_a_card_too() -> None:
    game = after(table("A 9", "2 3", "4 5", of=asking(players=3)), "A", "2", "4")
    assert (fact(game, "big"), [hand_of(game, seat) for seat in range(3)]) == (2, ["9", "3", "2 4 5 A"])


@pytest.mark.parametrize("led", BOTH)
def test_6_7_the_next_lead(led: str) -> None:
    game = after(table(f"{led} 9", "2 3", "4 5", of=asking(players=3)), led, "2", "4")
    assert (game.turn, game.round, asked(game).may_pass) == (2, 6, False)


@pytest.mark.parametrize("led", BOTH)
def test_6_8_never_the_leader(led: str) -> None:
    other = {"a": "A", "A": "a"}[led]
    for hands in product(("1 1", "J J", other), ("1 1", "J J", "13 13")):
        game = after(table(f"{led} 9", *hands, of=asking(players=3)), led)
        while game.trick.moves:
            game = after(game, offers(game)[0])
        assert winners(game)[0] in (1, 2)


def test_6_9_the_little_a_trick() -> None:
    game = after(table("a 9", "2 3", "J 5", "8 6 6", of=asking()), "a", "2", "J", "8")
    assert pile(game) == (3, "2 8 J a")
    assert (hand_of(game, 3), counts(game)) == ("6 6", [1, 1, 1, 2])
    assert why_not(game, "8") == why_not(game, "a") == "3.1"  # they are not held
    assert game.view(None).known == ()


def test_6_10_the_little_a_is_out() -> None:
    game = after(table("a A 9 7", "2 3 1", "4 5 1", "8 6 6", of=asking()), "a", "2", "4", "8")
    assert (fact(game, "little"), pile(game)) == (None, (3, "2 4 8 a"))
    later = after(game, "6", "9", "-", "-", "A", "3", "5", "6")
    assert (hand_of(later, 3), pile(later)) == ("3 5 6 A", (3, "2 4 8 a"))
    over = after(later, "3", "7", "-", "-")
    assert (result(over).points[3], pile(over)) == (5 + 6 + 20 + 14, (3, "2 4 8 a"))


def test_6_11_the_big_a_trick() -> None:
    game = after(table("A 9", "2 3", "J 5", "8 6 6", of=asking()), "A", "2", "J", "8")
    assert (hand_of(game, 3), counts(game), pile(game)) == ("2 6 6 8 J A", [1, 1, 1, 6], None)
    two, eight, joker, big = map(of_kind, ("2", "8", "J", "A"))
    assert game.view(0).known == ((3, two), (3, eight), (3, joker), (3, big))  # every player has seen it
    assert game.view(3).known == ()
    assert game.tricks[-1].cards == ()  # none of it lies there any more


def test_6_11_of_equal_cards_those_that_everybody_knows_of_are_played_first() -> None:
    game = after(table("A 9 9", "2 3", "J 5", "8 6 8", of=asking()), "A", "2", "J", "8")
    on = after(game, "8", "9", "-", "-")
    assert hand_of(on, 3) == "2 6 8 J A"
    assert [str(each) for seat, each in on.view(None).known if seat == 3] == ["2n", "JK", "BA"]


def test_6_12_the_big_a_goes_round() -> None:
    game = table("A 9 9", "2 3 13", "4 5 12", number=6, of=asking(players=3))
    game = after(game, "A", "2", "4")
    assert (fact(game, "big"), fact(game, "big_from"), why_not(game, "A")) == (2, 8, "5.8")
    game = after(game, "12", "-", "-")
    game = after(game, "A", "9", "3")
    assert (fact(game, "big"), fact(game, "big_from")) == (0, 10)
    assert why_not(game, "A") == "5.8"


def test_6_13_what_you_take_up_is_yours() -> None:
    game = after(table("A 2 2", "J 5", "7 3", number=6, of=asking(players=3)), "A", "J", "7")
    assert (game.turn, hand_of(game, 2)) == (2, "3 7 J A")
    assert "7 J" in offers(game)
    led = after(game, "J")
    assert led.trick.top
    assert led.trick.top.strength == 14  # no one any more
    assert why_not(led, "2") == "4.2"
