"""Whoever is late at a real table: O17 of Big A, O15 of Tàihé A Bāo, O10 of The Big and the Little A.

Each moment at which somebody can be late, under each of the three fates. What becomes of those who are asked at once
stands with the articles.
"""

from __future__ import annotations

import pytest

from bot.table.table import Table
from tests.rules import late
from tests.rules.late import Moment, all_pass, least, replaced, unfinished
from tests.world import World

A_BAO = pytest.mark.parametrize("moment", [late.calling, late.giving, late.leading, late.following])
BIG_LITTLE_A = pytest.mark.parametrize("moment", [late.first_lead, late.raising, late.naming, late.in_an_a_round])


# Big A


def lowest(table: Table) -> tuple[int, str]:
    """Return who is waited for, and the lowest of their cards."""
    seat = late.waited_for(table)
    assert table.match is not None
    return seat, str(table.match.view(seat).hand[0])


async def test_o17_1_of_big_a_the_lowest_card_is_led(here: World) -> None:
    table = await late.drawn(here, on_timeout="least")
    seat, card = lowest(table)
    assert await least(here, table) == (seat, card)
    assert await least(here, table) == ((seat + 1) % 5, "pass")


async def test_o17_2_of_big_a_a_house_player_sits_in(here: World) -> None:
    await replaced(here, await late.drawn(here, on_timeout="substitute"))


async def test_o17_3_of_big_a_the_match_ends_unfinished(here: World) -> None:
    await unfinished(here, await late.drawn(here, on_timeout="abort"))


# Tàihé A Bāo


async def test_o15_1_of_a_bao_in_the_bidding(here: World) -> None:
    table = await late.first_round(here, on_timeout="least")
    await all_pass(here, table)
    assert [await least(here, table) for _ in range(3)] == [(0, "pass"), (1, "pass"), (2, "pass")]


async def test_o15_1_of_a_bao_the_lowest_card_that_can_be_called_and_given(here: World) -> None:
    table = await late.calling(here, on_timeout="least", starter_must_call=True)
    assert await least(here, table) == (0, "name 4d")
    assert await least(here, table) == (0, "give 4d")  # the one that has just come; not the bound 4h


async def test_o15_1_of_a_bao_in_play(here: World) -> None:
    table = await late.leading(here, on_timeout="least")
    assert [await least(here, table) for _ in range(2)] == [(0, "4d"), (1, "pass")]


async def test_who_is_asked_alone_in_the_first_round_can_be_late(here: World) -> None:
    table = await late.first_round(here, on_timeout="least", first_round_mode="sequential")
    assert await least(here, table) == (0, "choose pass")
    other = await late.first_round(here, on_timeout="abort", first_round_mode="sequential")
    await unfinished(here, other)


@pytest.mark.rotates(2)
@A_BAO
async def test_o15_2_of_a_bao_a_house_player_sits_in(here: World, moment: Moment) -> None:
    await replaced(here, await moment(here, on_timeout="substitute"))


@pytest.mark.rotates(2)
@A_BAO
async def test_o15_3_of_a_bao_the_match_ends_unfinished(here: World, moment: Moment) -> None:
    await unfinished(here, await moment(here, on_timeout="abort"))


# The Big and the Little A


async def test_o10_1_of_big_little_a_in_a_normal_round(here: World) -> None:
    table = await late.first_lead(here, on_timeout="least")
    assert [await least(here, table) for _ in range(2)] == [(0, "1n"), (1, "pass")]


async def test_o10_1_of_big_little_a_a_one_before_a_joker_in_an_a_round(here: World) -> None:
    table = await late.in_an_a_round(here, on_timeout="least")
    assert await least(here, table) == (2, "1n")


async def test_o10_1_of_big_little_a_jokers_get_the_lowest_number_allowed(here: World) -> None:
    table = await late.naming(here, on_timeout="least")
    assert await least(here, table) == (1, "name 7n")  # two sixes lie there


@pytest.mark.rotates(2)
@BIG_LITTLE_A
async def test_o10_2_of_big_little_a_a_house_player_sits_in(here: World, moment: Moment) -> None:
    await replaced(here, await moment(here, on_timeout="substitute"))


@pytest.mark.rotates(2)
@BIG_LITTLE_A
async def test_o10_3_of_big_little_a_the_match_ends_unfinished(here: World, moment: Moment) -> None:
    await unfinished(here, await moment(here, on_timeout="abort"))
