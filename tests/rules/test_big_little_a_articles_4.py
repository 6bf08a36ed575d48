"""Section 4 of the rule page of The Big and the Little A, an article at a time: jokers."""

import pytest

from tests.rules.big_little_a_positions import (
    after,
    allowed,
    asking,
    beats,
    can_name,
    climbs,
    hand_of,
    kind,
    lying,
    named,
    not_on,
    offers,
    rules,
    table,
    why_not,
    winners,
)

SETS = ("single", "pair", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SINGLE, NAMED = asking(players=3, joker_only_sets="single_only"), asking(players=3, joker_only_sets="declared")


def test_4_1_with_number_cards() -> None:
    made = named("10 10 J")
    assert made
    assert (made.kind, made.strength, str(made.head)) == ("three", 10, "10n")
    for count in range(1, 9):
        for jokers in range(5):
            assert kind(" ".join(["10"] * count + ["J"] * jokers)) == SETS[count + jokers - 1]
    assert climbs("9 9 9", "10 J J", "11 11 J", "13 J J")
    assert not beats("10 J", "10 10")
    assert not beats("10 10", "10 J")
    assert kind("10 11 J") is None


def test_4_2_one_alone() -> None:
    assert all(beats("J", f"{number}") for number in range(1, 14))
    assert not_on("13", "J") == not_on("J", "J") == "4.2"
    assert offers(lying("J", "13 J")) == ["-"]


def test_o6_1_several_alone() -> None:
    game = asking(players=3, joker_only_sets="fourteen")
    for jokers in ("J J", "J J J", "J J J J"):
        made = named(jokers, game)
        assert made
        assert (made.kind, made.strength) == ("jokers", 14)
        thirteens = jokers.replace("J", "13")
        assert beats(jokers, thirteens, game)
        assert not_on(thirteens, jokers, game) == "4.2"
    assert not_on("J J", "J J", game) == "4.2"
    assert can_name(after(table("J J 5", "1", "1", of=game), "J J")) == ""  # nothing is asked


def test_o6_2_several_alone() -> None:
    led = after(table("J J J 5", "9 9", "1", of=NAMED), "J J")
    assert (led.turn, can_name(led)) == (0, "1 2 3 4 5 6 7 8 9 10 11 12 13 J")  # the joker stands for the fourteen
    fives = after(led, "as 5")
    assert (fives.turn, hand_of(fives, 0)) == (1, "5 J")
    assert allowed(fives, "9 9")
    assert why_not(after(led, "as J"), "9 9") == "4.2"
    assert named("J", NAMED) == named("J")  # a single one is a fourteen
    assert after(table("J J J 5", "9 9", "1", of=NAMED), "J").turn == 1


def test_o6_2_only_what_is_higher_can_be_named() -> None:
    game = after(lying("5 5", "J J 7 7", NAMED), "J J")
    assert can_name(game) == "6 7 8 9 10 11 12 13 J"
    assert why_not(game, "as 5") == why_not(game, "as A") == why_not(game, "7 7") == why_not(game, "-") == "O6.2"
    assert offers(lying("J J, as 7", "8 8 J J", NAMED)) == ["8 8", "8 J", "J J", "-"]
    assert not_on("J J", "J J, as J", NAMED) == "4.2"
    thirteens = after(lying("13 13", "J J", NAMED), "J J")
    assert (can_name(thirteens), thirteens.turn) == ("", 2)  # only fourteens are left, so nothing is asked


def test_o6_2_nobody_sees_jokers_before_they_are_named() -> None:
    before = table("J J 5", "9 9 1", "1 1", of=rules("named_jokers", players=3))
    naming = after(before, "J J")
    assert [naming.view(seat) for seat in (None, 1, 2)] == [before.view(seat) for seat in (None, 1, 2)]
    assert (naming.secrecy.sealed, before.secrecy.sealed) == (1, 0)
    assert winners(after(naming, "as J")) == [0]


def test_o6_3_several_alone() -> None:
    assert [kind(jokers, SINGLE) for jokers in ("J", "J J", "J J J", "J J J J")] == ["joker", None, None, None]
    game = table("J J 5", "1", "1", of=SINGLE)
    assert why_not(game, "J J") == "O6.3"
    assert offers(game) == ["5", "J", "5 J", "5 J J"]
    assert not_on("J J", "9 9", SINGLE) == "O6.3"
    assert beats("J", "13", SINGLE)


@pytest.mark.parametrize(("cards", "taker"), [("J 1 1", 1), ("1 J 1", 1), ("1 2 J", 2), ("J J J", 1)])
def test_4_3_in_an_a_round(cards: str, taker: int) -> None:
    hands = [f"{each} 13" for each in cards.split()]
    game = after(table("A 13", *hands, of=asking()), "A", *cards.split())
    assert winners(game) == [taker]


def test_4_4_never_an_a_card() -> None:
    game = table("J a A 5", "1", "1")
    assert why_not(game, "J A") == why_not(game, "J a") == why_not(game, "J a A") == "4.4"
    assert kind("J A") is None
    assert not after(game, "J").in_a_round
    taken = after(table("J 5", "6", "7", number=1), "J")
    assert hand_of(taken, 0) == "5 a"  # the little a itself, as after any other first round


def test_4_5_jokers_can_be_led() -> None:
    game = table("J J 5", "9 1", "9 1", of=asking(players=3))
    assert offers(game) == ["5", "J", "5 J", "J J", "5 J J"]
    assert winners(after(game, "J", "-", "-")) == winners(after(game, "J J", "-", "-")) == [0]
