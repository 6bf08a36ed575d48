"""The rule page of Big Two, an article at a time: penalty points and who pays them (C26-C33, C42, C46)."""

import pytest

from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.core.sentences import Illegal
from tests.rules.finished_hands import plain, points
from tests.rules.page_articles import under
from tests.rules.positions import after, between, finished, nets, result, rules, table, won

# What the cards cost


def costs(game: BigTwo) -> list[int]:
    """Return what 7, 8, 9, 10, 11, 12 and 13 cards cost."""
    worth = [points(game, count, 1, 2) for count in range(7, 14)]
    assert {each[0] for each in worth} == {0}  # the winner gets none
    return [each[1] for each in worth]


def test_c27_2_one_point_for_each_card() -> None:
    assert costs(under("C27.2", bands="flat")) == [7, 8, 9, 10, 11, 12, 13]


def test_c27_3_up_to_four_for_each_card() -> None:
    game = under("C27.3", bands="harsh")
    assert costs(game) == [7, 16, 18, 30, 33, 36, 52]
    assert points(game, 9, 11, 13) == (0, 18, 33, 52)


def test_c27_4_double_from_eight() -> None:
    assert costs(under("C27.4", bands="double8")) == [7, 16, 18, 20, 22, 24, 26]


def test_c27_5_double_from_eight_and_again_from_ten() -> None:
    assert costs(under("C27.5", bands="double8_10")) == [7, 16, 18, 40, 44, 48, 52]


def test_c27_6_double_from_eleven() -> None:
    assert costs(under("C27.6", "da_lao_er")) == [7, 8, 9, 10, 22, 24, 26]


def test_c27_7_a_table_of_your_own() -> None:
    game = under("C27.7", bands=((1, 2), (5, 3), (13, 10)))
    assert points(game, 4, 5, 12) == (0, 8, 15, 36)
    assert points(game, 1, 13, 2) == (0, 2, 130, 4)


def test_c27_1_penalty_points() -> None:
    game = under("C27.1", bands="double8")
    over = finished(game, "", *plain(game, 7, 8, 1))
    assert over.points == (0, 7, 16, 1)
    assert nets(over) == (24, -4, -40, 20)  # few points are good
    for table_without_sense in ((), ((2, 1),), ((1, 1), (10, 2), (8, 3)), ((1, -1),)):
        with pytest.raises(Illegal) as caught:
            Options(bands=table_without_sense)
        assert caught.value.article == "C27.1"


def test_c28_1_only_the_starter_pays_more() -> None:
    game = under("C28.1", bands_for="starter_only", one_card_rule="none")
    ten, thirteen, other = plain(game, 10, 13, 13)
    over = result(after(table("As", ten, thirteen, other, turn=2, of=game), thirteen.split()[0], "-", "As"))
    assert over.points == (0, 10, 24, 13)
    everybody = under("C27.1", bands="harsh", bands_for="all", one_card_rule="none")
    over = result(after(table("As", ten, thirteen, other, turn=2, of=everybody), thirteen.split()[0], "-", "As"))
    assert over.points == (0, 30, 36, 52)


def test_c28_2_the_starter_pays_double_everybody_pays_for_a_whole_hand() -> None:
    game = under("C28.2", bands_for="starter_below_13", one_card_rule="none")
    ten, thirteen, other = plain(game, 10, 13, 13)
    over = result(after(table("As", ten, thirteen, other, turn=2, of=game), thirteen.split()[0], "-", "As"))
    assert over.points == (0, 10, 24, 39)
    harsh = under("C28.2", bands="harsh", bands_for="starter_below_13", one_card_rule="none")
    over = result(after(table("As", ten, thirteen, other, turn=2, of=harsh), thirteen.split()[0], "-", "As"))
    assert over.points == (0, 10, 36, 52)


def test_c42_1_more_than_thirteen_cards() -> None:
    three = under("C42.1", "three_player", bands="harsh")
    assert points(three, 14, 18) == (0, 56, 72)
    two = under("C42.1", "two_player", hand_size=21, bands="double8_10")
    assert points(two, 21) == (0, 84)


def test_c42_2_more_than_thirteen_cards() -> None:
    three = under("C42.2", "three_player")
    assert points(three, 14, 17) == (0, 42, 51)
    assert points(three, 17, 18) == (0, 51, 54)
    assert points(under("C42.2", "two_player", hand_size=21), 21) == (0, 63)


def test_c29_1_twos_in_hand() -> None:
    game = under("C29.1", bands="double8_10", two_in_hand_doubles=True)
    assert finished(game, "", "2d 2c 3d 4d 5d 6d 7d 8d 9d", "3c", "2h").points == (0, 72, 3 - 2, 2)
    valued = under("C29.1", scoring="card_values", two_in_hand_doubles=True)
    assert finished(valued, "", "2d 3d", "2c 2h", "2s").points == (0, 10, 32, 8)


def test_c30_1_ending_with_twos() -> None:
    game = under("C30.1", final_twos_double=True, quads_form="both")
    for last in ("2d", "2d 2c", "2d 2c 2h", "2d 2c 2h 2s"):
        assert points(game, 5, 4, 13, last=last) == (0, 10, 8, 78)
    for last in ("As", "2d 2c 2h 5d 5c", "2d 3c 4d 5d 6h"):
        assert points(game, 5, 4, 13, last=last) == (0, 5, 4, 39)
    both = under("C30.1", bands="double8_10", two_in_hand_doubles=True, final_twos_double=True)
    assert finished(both, "", "2d 2c 3d 4d 5d 6d 7d 8d 9d", "3c 4c 5c", "6h 7h", last="2s").points == (0, 144, 6, 4)


# What their values cost


def test_c33_1_penalty_points_by_value() -> None:
    game = under("C33.1", scoring="card_values")
    assert finished(game, "", "2s As Kd Jd 9d", "3d 4d 5d 6d 7d", "Qc Td", last="4s").points == (0, 12, 5, 3)


def test_c33_5_penalty_points_by_value_of_tiles() -> None:
    game = under("C33.5", "lectio_tiles", scoring="card_values", two_in_hand_doubles=False)
    assert finished(game, "", "2s 1s 15d 13d 9d", "3d 4d", "12c", "1d", last="4s").points == (0, 10, 2, 1, 3)


def test_c33_2_penalty_points_by_rank() -> None:
    game = under("C33.2", scoring="card_values", value_scale="ladder")
    assert finished(game, "", "2s As 5d", "3d 6d", "Kd", last="4s").points == (0, 28, 5, 11)
    of_tiles = under("C33.2", "lectio_tiles", scoring="card_values", value_scale="ladder", two_in_hand_doubles=False)
    assert finished(of_tiles, "", "2s", "1s", "15d", "3d", last="4s").points == (0, 15, 14, 13, 1)


SCALE = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 50, 98, 99)


def test_c33_6_penalty_points_by_a_scale_of_your_own() -> None:
    game = under("C33.6", scoring="card_values", value_scale=SCALE)
    assert finished(game, "", "2s As 3d", "4d Td", "Kd Qd", last="4s").points == (0, 197, 8, 59)
    assert finished(game, "", NINE, f"{NINE} 4c", "3h", last="4s").points == (0, 28, 58, 0), "doubled from ten cards on"
    tiles = (*SCALE, 11, 12)
    of_tiles = under("C33.6", "lectio_tiles", scoring="card_values", value_scale=tiles, two_in_hand_doubles=False)
    assert finished(of_tiles, "", "2s", "1s", "15d", "3d", last="4s").points == (0, 12, 11, 99, 0)
    for number in (12, 14, 15):
        with pytest.raises(Illegal, match=r"C33\.6"):
            rules(scoring="card_values", value_scale=(1,) * number)


def test_c33_6_another_deck_has_no_scale_of_its_own() -> None:
    wished = GAMES["big_two"].wish("pagat", {"scoring": "card_values", "value_scale": SCALE}, seats=5)
    assert GAMES["big_two"].set_up("pagat", **wished).value_scale == "court"
    kept = GAMES["big_two"].wish("pagat", {"scoring": "card_values", "value_scale": SCALE}, seats=3)
    assert GAMES["big_two"].set_up("pagat", **kept).value_scale == SCALE


NINE = "3d 4d 5d 6d 7d 8d 9d Td 3c"


def test_c33_3_double_from_ten_cards() -> None:
    game = under("C33.3", scoring="card_values")
    assert finished(game, "", NINE, f"{NINE} 4c", f"{NINE} 4c 2d", last="4s").points == (0, 9, 20, 28)
    by_rank = under("C33.3", scoring="card_values", value_scale="ladder")
    assert finished(by_rank, "", NINE, f"{NINE} 4c", "3h", last="4s").points == (0, 37, 78, 1)


def test_c33_4_many_cards_are_not_doubled() -> None:
    game = under("C33.4", scoring="card_values", value_double_at=None)
    assert finished(game, "", NINE, f"{NINE} 4c", f"{NINE} 4c 2d", last="4s").points == (0, 9, 10, 14)


# Who pays whom


def test_c26_5_an_example_of_settling() -> None:
    game = under("C26.5")
    over = finished(game, "", *plain(game, 9, 10, 13))
    assert over.points == (0, 9, 20, 39)
    assert nets(over) == (68, 32, -12, -88)


def test_c26_2_settling_up() -> None:
    game = under("C26.2", "pusoy_dos", stake=3)
    over = finished(game, "", *plain(game, 5, 6, 7), last="2s 2h")
    assert over.points == (4, 0, 0, 0)
    assert nets(over) == (36, -12, -12, -12)
    places = under("C26.2", scoring="places", end="play_on")
    over = result(after(table("4d 5d", "9d", "8d Td", "Kd", of=places), "4d", "9d", "-", "Kd", "-", "-", "5d"))
    assert nets(over) == (-5, 11, -9, 3)


def test_c35_3_the_running_score() -> None:
    game = under("C35.3", "pusoy_dos")
    two = won(game, "", "3d", "4d", "5d", last="2s 2h")
    one = won(game, "3d 4d", "", "5d", "6d", last="9d")
    match = between(game, two, one, one)
    assert match.totals == (4, 2, 0, 0)
    assert match.places == (1, 2, 3, 3)  # the highest total stands best
    assert match.nets == (10, 2, -6, -6)


def test_c31_1_only_the_winner_is_paid() -> None:
    game = under("C31.1", settlement="winner_only")
    over = finished(game, "", *plain(game, 9, 10, 13))
    assert over.points == (0, 9, 20, 39)
    assert set(over.payments) == {(1, 0, 9), (2, 0, 20), (3, 0, 39)}
    assert nets(over) == (68, -9, -20, -39)
    with pytest.raises(Illegal) as caught:
        Options(settlement="winner_only", scoring="pusoy_dos")
    assert caught.value.article == "C31.1"


def test_c32_1_paying_by_the_difference() -> None:
    for options in ({}, {"bands": "harsh"}, {"final_twos_double": True}, {"scoring": "card_values"}):
        game = under("C32.1", "three_player", settlement="difference_banded", stake=2, **options)
        over = finished(game, "", *plain(game, 3, 10), last="2s")
        assert set(over.payments) == {(1, 0, 6), (2, 0, 40), (2, 1, 14)}  # the points play no part in it
        assert nets(over) == (46, 8, -54)


def test_c32_4_penalty_points() -> None:
    for options in ({}, {"bands": "harsh"}, {"two_in_hand_doubles": True, "final_twos_double": True}):
        game = under("C32.4", settlement="difference_banded", **options)
        assert finished(game, "", NINE, f"{NINE} 4c 2d", "3h", last="2s").points == (0, 9, 11, 1)


def test_c32_2_large_differences() -> None:
    game = under("C32.2", "three_player", settlement="difference_banded")
    assert nets(finished(game, "", *plain(game, 2, 10))) == (22, 6, -28)
    for count, paid in ((8, 8), (9, 18), (11, 22), (12, 36), (13, 39)):
        assert (1, 0, paid) in finished(game, "", *plain(game, count, 1)).payments


def test_c32_3_large_differences() -> None:
    game = under("C32.3", "three_player", settlement="difference_banded", diff_bands=((1, 2), (5, 3)))
    assert set(finished(game, "", *plain(game, 4, 9)).payments) == {(1, 0, 8), (2, 0, 27), (2, 1, 15)}
    once = under("C32.3", "three_player", settlement="difference_banded", diff_bands=((1, 1),))
    assert set(finished(once, "", *plain(once, 4, 13)).payments) == {(1, 0, 4), (2, 0, 13), (2, 1, 9)}
    twice = under("C32.3", "three_player", settlement="difference_banded", diff_bands=((1, 1), (9, 2)))
    assert set(finished(twice, "", *plain(twice, 4, 13)).payments) == {(1, 0, 4), (2, 0, 26), (2, 1, 18)}
    with pytest.raises(Illegal) as caught:
        Options(settlement="difference_banded", diff_bands=((2, 1),))
    assert caught.value.article == "C32.1"


def test_c26_4_points_only() -> None:
    game = under("C26.4", "denexa")
    over = finished(game, "", *plain(game, 9, 10, 13))
    assert (over.points, over.payments) == ((0, 9, 20, 39), ())


@pytest.mark.parametrize("settlement", ["pairwise", "winner_only", "difference_banded"])
def test_c46_1_no_stake(settlement: str) -> None:
    game = under("C46.1", settlement=settlement, stake=0)
    over = finished(game, "", *plain(game, 9, 10, 13))
    by_bands = settlement != "difference_banded"
    assert (over.points, over.payments) == ((0, 9, 20, 39) if by_bands else (0, 9, 10, 13), ())
    with pytest.raises(Illegal) as caught:
        Options(stake=-1)
    assert caught.value.article == "C46.1"
