"""Whoever is late: O17 of Big A, O15 of Tàihé A Bāo, O10 of The Big and the Little A.

Each moment at which a player can be late, under each of the three fates, as a table decides it; each fate in Discord
stands in people/test_fates_of_the_late.py. What becomes of those who are asked at once stands with the articles.
"""

from __future__ import annotations

import pytest

from tests.rules import timeouts
from tests.rules.timeouts import Moment, all_pass, least, lowest, replaced, unfinished

A_BAO = pytest.mark.parametrize("moment", [timeouts.calling, timeouts.giving, timeouts.leading, timeouts.following])
BIG_LITTLE_A = pytest.mark.parametrize(
    "moment", [timeouts.first_lead, timeouts.raising, timeouts.naming, timeouts.in_an_a_round]
)


# Big A


def test_o17_1_of_big_a_the_lowest_card_is_led() -> None:
    game = timeouts.drawn(on_timeout="least")
    seat, card = game.seat, lowest(game)
    assert least(game) == (seat, card)
    assert least(game) == ((seat + 1) % 5, "pass")


def test_o17_2_of_big_a_a_house_player_sits_in() -> None:
    replaced(timeouts.drawn(on_timeout="substitute"))


def test_o17_3_of_big_a_the_match_ends_unfinished() -> None:
    unfinished(timeouts.drawn(on_timeout="abort"))


# Tàihé A Bāo


def test_o15_1_of_a_bao_in_the_bidding() -> None:
    game = timeouts.first_round(on_timeout="least")
    all_pass(game)
    assert [least(game) for _ in range(3)] == [(0, "pass"), (1, "pass"), (2, "pass")]


def test_o15_1_of_a_bao_the_lowest_card_that_can_be_called_and_given() -> None:
    game = timeouts.calling(on_timeout="least", starter_must_call=True)
    assert least(game) == (0, "name 4d")
    assert least(game) == (0, "give 4d")  # the one that has just come; not the bound 4h


def test_o15_1_of_a_bao_in_play() -> None:
    game = timeouts.leading(on_timeout="least")
    assert [least(game) for _ in range(2)] == [(0, "4d"), (1, "pass")]


def test_a_player_asked_alone_in_the_first_round_can_time_out() -> None:
    game = timeouts.first_round(on_timeout="least", first_round_mode="sequential")
    assert least(game) == (0, "choose pass")
    other = timeouts.first_round(on_timeout="abort", first_round_mode="sequential")
    unfinished(other)


@A_BAO
def test_o15_2_of_a_bao_a_house_player_sits_in(moment: Moment) -> None:
    replaced(moment(on_timeout="substitute"))


@A_BAO
def test_o15_3_of_a_bao_the_match_ends_unfinished(moment: Moment) -> None:
    unfinished(moment(on_timeout="abort"))


# The Big and the Little A


def test_o10_1_of_big_little_a_in_a_normal_round() -> None:
    game = timeouts.first_lead(on_timeout="least")
    assert [least(game) for _ in range(2)] == [(0, "1n"), (1, "pass")]


def test_o10_1_of_big_little_a_a_one_before_a_joker_in_an_a_round() -> None:
    game = timeouts.in_an_a_round(on_timeout="least")
    assert least(game) == (2, "1n")


def test_o10_1_of_big_little_a_jokers_get_the_lowest_number_allowed() -> None:
    game = timeouts.naming(on_timeout="least")
    assert least(game) == (1, "name 7n")  # two sixes lie there


@BIG_LITTLE_A
def test_o10_2_of_big_little_a_a_house_player_sits_in(moment: Moment) -> None:
    replaced(moment(on_timeout="substitute"))


@BIG_LITTLE_A
def test_o10_3_of_big_little_a_the_match_ends_unfinished(moment: Moment) -> None:
    unfinished(moment(on_timeout="abort"))
