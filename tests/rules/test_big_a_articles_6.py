"""Section 6 of the rule page of Big A, an article at a time: how the play goes round."""

from collections import Counter

import pytest

from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import cards
from bot.rules.core.sentences import Illegal
from tests.rules.big_a_positions import after, asking, begun, drawing, refusal, rules, silent, table


def test_6_1_the_lead() -> None:
    for led in ("9d", "9d 9c", "9d Tc Jh", "9d 9c 9h", "RJ RJ", "Ah"):
        assert after(table(f"{led} 4d"), led).trick.top
    game = table("9d 4d")
    assert refusal(game, "-").article == "6.1"
    assert game.view(0).ask == PlayAsk(may_pass=False)


def test_6_2_your_turn() -> None:
    game = after(table("9d 4d", "Tc 4d 4c 8d", "7d 7c"), "9d")
    assert (game.turn, game.view(1).ask, game.view(2).ask) == (1, PlayAsk(may_pass=True), None)
    assert after(game, "Tc").turn == after(game, "-").turn == 2
    assert refusal(game, "Tc", seat=2).article == "6.2"
    assert refusal(game, "Kd").article == "6.2"
    assert refusal(game, "8d").article == "1.6"
    assert refusal(game, "4d 4c").article == "6.2"
    without_cards = after(table("9d 4d", "", "7d 7c"), "9d")
    assert without_cards.turn == 2  # who has no cards is not asked


def test_6_3_a_pass_binds_you_to_nothing() -> None:
    game = after(table("5d 4d", "Kd 6d", "5c 6c", "7c 8c"), "5d", "-", "-", "7c", "-", "-")
    assert game.turn == 1
    again = after(game, "Kd")
    assert again.trick.top
    assert again.trick.top.cards == cards("Kd")


def test_6_4_you_may_always_pass() -> None:
    game = after(table("5d 4d", "Kd RJ"), "5d")
    assert game.view(1).plays
    assert after(game, "-").turn == 2
    assert after(game, "Kd").turn == after(game, "RJ").turn == 2


@pytest.mark.parametrize("active", [5, 4, 3])
def test_6_5_the_end_of_a_trick(active: int) -> None:
    held = ["9d 9c 4d", "6d 6c 7d", "6h 6s 7c"][: min(active, 3)] + ["5d 5c"] * (active - 3)
    game = after(table(*held, *[""] * (5 - active), of=asking()), "9d", *["-"] * (active - 2))
    assert (game.tricks, len(game.trick.moves)) == ((), active - 1)
    over = after(game, "-")
    assert (len(over.tricks), over.trick.moves) == (1, ())
    assert not Counter(cards("9d")) & Counter(each for hand in over.hands for each in hand)  # set aside for good


def test_6_5_every_play_starts_the_count_again() -> None:
    game = after(table("5d 4d", "6d 6h", "5c 6c", "7c 8c"), "5d", "-", "-", "7c", "-", "-", "-")
    assert (game.tricks, game.turn) == ((), 2)
    assert len(after(game, "-").tricks) == 1


def test_6_6_the_next_lead() -> None:
    game = after(table("5d 4d", "6d 6h", "5c 6c", "7c 8c"), "5d", "-", "-", "7c", *["-"] * 4)
    assert (game.turn, game.trick.top) == (3, None)
    assert refusal(game, "-").article == "6.1"


def test_o16_1_passing_by_itself() -> None:
    held = ["Ah Ah 9d RJ RJ 7d 7c", "4d", "5c 6c BJ BJ", "3d", "8c 8h"]
    by_itself, never = (table(*held, partner=None, auto_pass=auto_pass) for auto_pass in ("public_only", "off"))
    assert after(by_itself, "Ah Ah").turn == 0  # all four are passed under the Big Ace pair, and it is led again
    assert after(never, "Ah Ah").turn == 1
    assert after(by_itself, "Ah").turn == 2  # with one card nobody beats a Big Ace
    assert after(never, "Ah").turn == 1
    assert after(by_itself, "7d 7c").turn == 2  # nor a pair
    assert after(by_itself, "9d").turn == 1  # but a single card perhaps, also where it does not
    assert after(by_itself, "RJ").turn == 1
    assert after(by_itself, "RJ RJ").turn == 2  # seat 2 is asked, for nobody knows its cards


def test_o16_1_two_big_aces_that_are_an_ordinary_pair_can_be_beaten() -> None:
    held = ["Ah Ah 9d", "2d 2c 4d", "5c 6c", "3d 3c", "8c 8h"]
    game = table(*held, partner=1, big_ace_pair_scope="lone_deal_only", auto_pass="public_only")
    assert after(game, "Ah Ah").turn == 1
    assert after(game, "Ah Ah", "2d 2c").turn == 2


def test_o15_1_numbers_of_cards_are_shown() -> None:
    game = rules(show_hand_counts=True)
    assert game.counted
    assert begun(silent(drawing(of=game))).view(None).counts == (22, 22, 22, 21, 21)


def test_o15_2_numbers_of_cards_are_not_shown() -> None:
    assert not rules(show_hand_counts=False, auto_pass="off").counted
    with pytest.raises(Illegal) as caught:  # a pass by itself would tell them
        rules(show_hand_counts=False, auto_pass="public_only")
    assert caught.value.article == "O16.1"
