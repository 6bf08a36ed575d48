"""Sections 8 and 9 of the rule page of Tiến Lên, an article at a time: who pays whom, and how a match ends."""

from typing import Any

import pytest

from bot.rules.matches.match import Match
from bot.rules.matches.score import nets_of
from tests.rules.tien_len_positions import (
    MANY,
    after,
    begun,
    dealt,
    fact,
    points,
    result,
    rules,
    said,
    table,
    up,
    why_not,
)

PLAIN: dict[str, Any] = {"rotten": False, "chop_pay": False, "frozen": False}
FIRST: dict[str, Any] = {"play_on": "first", "frozen": False}
FOURS = up("5", 4)


def out_in_order(count: int, **options: Any) -> list[int]:
    """Return the points where the seats go out in their order."""
    hands = ["4s", "5s", "6s", "7s"][:count]
    game = table(*hands, **PLAIN | options)
    return points(after(game, *hands[:-1]))


def test_8_1_the_sum_is_nought() -> None:
    assert sum(out_in_order(4, rotten=True)) == 0
    assert result(after(table("4s", "2h"), "4s")).payments == ()


def test_o13_1_by_places() -> None:
    assert out_in_order(4, scoring="places") == [2, 1, -1, -2]
    assert out_in_order(3) == [2, 0, -2]
    assert out_in_order(2) == [1, -1]
    assert points(after(table("4s", "5s 6s", "7s 8s 9s", "Ts", **PLAIN | FIRST), "4s")) == [2, -1, -2, 1]


def test_o13_2_by_cards() -> None:
    by_cards = PLAIN | FIRST | {"scoring": "cards"}
    nine, ten, all_of_them = up("5678", 2) + " 9s", up("5678", 2, "dh") + " 9d 9h", up("TJQKA", 2) + " 9c 3s 3h"
    assert points(after(table("4s", nine, ten, all_of_them, **by_cards), "4s")) == [9 + 20 + 39, -9, -20, -39]


def test_o13_3_to_the_winner() -> None:
    takes = PLAIN | {"scoring": "winner"}
    assert out_in_order(4, **takes) == [3, -1, -1, -1]
    assert out_in_order(3, **takes, winner_units=5) == [10, -5, -5]
    assert points(after(table("4s", up("5678"), "7d", **takes | FIRST), "4s")) == [2, -1, -1]


def test_o13_4_the_3_of_spades_last() -> None:
    three = PLAIN | {"last_three_doubles": True}
    hands = ("3s 9s", "4s", "5s", "6s")
    assert points(after(table(*hands, **three), "9s", "-", "-", "-", "3s", "4s", "5s")) == [4, 1, -1, -4]
    assert points(after(table(*hands, **PLAIN), "9s", "-", "-", "-", "3s", "4s", "5s")) == [2, 1, -1, -2]
    assert points(after(table("3c 9s", "3s", "4s", **three), "9s", "-", "-", "3c", "-", "4s")) == [2, -2, 0]
    first = three | FIRST
    assert points(after(table("3s", "4s 5s", "6s", scoring="cards", **first), "3s")) == [6, -4, -2]
    assert points(after(table("3s", "4s 5s", "6s", scoring="winner", **first), "3s")) == [4, -2, -2]
    assert points(after(table("3s 3c", "4s 5s", "6s", scoring="winner", **first), "3s 3c")) == [2, -1, -1], "a pair"
    assert said(after(table("3s", "4s", "2s", idle=(1,), **three | FIRST | {"rotten": True}), "3s")) == [
        "O13.4",
        "O14.1",
    ]
    chop = after(table("3s 2h", FOURS, "6s", **first | {"chop_pay": True}), "2h", FOURS)
    assert points(chop) == [-2 - 2, 2 + 2, 0], "only the winner's own last card counts"


def chopped(*moves: str, hands: tuple[str, ...], **options: Any) -> list[int]:
    """Return what is paid for chops alone, where the first to lead goes out after these moves."""
    game = after(table(*hands, **FIRST | {"rotten": False} | options), *moves)
    places = points(after(table(*hands, **PLAIN | {"play_on": "first"} | options | {"chop_pay": False}), *moves))
    return [mine - plain for mine, plain in zip(points(game), places, strict=True)]


def test_8_2_paying_for_chops() -> None:
    hands = ("2h 3s", f"{up('789')} 3c", f"{FOURS} 3d", up("TJQK"))
    chain = ("2h", up("789"), FOURS, up("TJQK"))
    assert chopped(*chain, hands=hands, chop_pay=True) == [0, 0, -9, 9]
    assert chopped(*chain, hands=hands, chop_pay=False) == [0, 0, 0, 0]
    assert "8.2" in said(after(table(*hands, **FIRST), *chain))


def test_o16_1_each_chop_by_itself() -> None:
    hands = ("2h 3s", f"{up('789')} 3c", f"{FOURS} 3d", up("TJQK"))
    chain = ("2h", up("789"), FOURS, up("TJQK"))
    assert chopped(*chain, hands=hands, chop_chain="each") == [-2, 2 - 3, 3 - 4, 4]
    assert chopped(*chain, hands=hands, chop_chain="each", chop_pay=False) == [0, 0, 0, 0]
    assert said(after(table(*hands, chop_chain="each", **FIRST | {"rotten": False}), *chain)) == ["O16.1"] * 3
    game = after(table("2h", f"{FOURS} 6s", "Kc", **PLAIN | {"chop_pay": True, "chop_chain": "each"}), "2h", FOURS)
    assert points(after(game, "-", "6s")) == [2 - 2, 0 + 2, -2], "the owner of the 2 is out and pays"


@pytest.mark.parametrize(
    ("top", "chop", "units"),
    [
        ("2s", FOURS, 1),
        ("2c", FOURS, 1),
        ("2d", up("678"), 2),
        ("2h", up("6789"), 2),
        ("2s 2h", FOURS, 3),
        ("2s 2c 2h", up("6789T"), 4),
        (FOURS, up("6", 4), 4),
        (FOURS, up("6789"), 4),
        (up("2", 4), up("6789"), 4),
        (up("456"), up("678", 2, "dh"), 3),
        (up("4567", 2), up("6789", 2, "dh"), 4),
        (up("345"), up("7", 4), 3),
        (up("3456"), up("6789T", 2, "dh"), 4),
    ],
)
def test_8_2_what_is_worth_how_much(top: str, chop: str, units: int) -> None:
    assert chopped(top, chop, hands=(f"{top} Ks", chop, "Kc Kd")) == [-units, units, 0]


def test_4_8_what_is_no_chop_costs_nothing() -> None:
    assert chopped("2s", "2h", hands=("2s Ks", "2h", "Kc Kd")) == [0, 0, 0]
    few: dict[str, Any] = {"chops": "four_of_a_kind"}
    pairs = (f"{up('456')} Ks", up("678", 2, "dh"), "Kc")
    assert chopped(up("456"), pairs[1], hands=pairs, **few) == [0, 0, 0]
    assert chopped(FOURS, up("6", 4), hands=(f"{FOURS} Ks", up("6", 4), "Kc"), **few) == [-4, 4, 0]
    assert chopped(FOURS, up("6", 4), hands=(f"{FOURS} Ks", up("6", 4), "Kc"), chops="none") == [0, 0, 0]


def test_o8_4_in_full_a_double_sequence_chops_one_of_its_length() -> None:
    hands = (f"{up('456')} Ks", up("678", 2, "dh"), "Kc")
    assert chopped(up("456"), hands[1], hands=hands, chops="full") == [-3, 3, 0]


def test_8_2_who_is_out_pays_as_well() -> None:
    game = after(table("2h", f"{FOURS} 6s", "Kc", **PLAIN | {"chop_pay": True}), "2h", FOURS, "-", "6s")
    assert points(game) == [2 - 2, 0 + 2, -2]


@pytest.mark.parametrize(
    ("left", "units"),
    [
        ("2s", 1),
        ("2d", 2),
        ("2s 2c 2d 2h", 6),
        (FOURS, 4),
        (up("456"), 3),
        (up("45678"), 3),
        (f"{up('456')} 6d", 3),
        (f"{up('345')} {up('789', 2)}", 6),
        (up("KA2"), 2),
        (f"{up('4')} {FOURS} {up('6')}", 4),
        (up("45"), 0),
        (f"{FOURS} {up('678')} 2h", 9),
    ],
)
def test_8_3_what_is_left_in_hand(left: str, units: int) -> None:
    over = after(table("4d", "7h", f"{left} Th", **PLAIN | {"rotten": True}), "4d", "7h")
    assert points(over) == [2, units, -2 - units]
    assert said(over) == ["8.3"] * bool(units)
    assert points(after(table("4d", f"{left} Th", **PLAIN | {"rotten": True}), "4d")) == [1 + units, -1 - units]


def test_8_3_without_double_sequences() -> None:
    over = after(table("4d", f"{up('456')} 2s", **PLAIN | {"rotten": True, "double_sequences": False}), "4d")
    assert points(over) == [2, -2]


def test_o14_1_all_pay_the_winner() -> None:
    over = after(table("4d", "7h 2h", "2s Th Jh", **FIRST | {"chop_pay": False, "rotten": True}), "4d")
    assert points(over) == [2 + 2 + 1, -2, -2 - 1]
    assert set(said(over)) == {"O14.1"}, "8.3 isn't on the page of such a table"
    assert result(over).places == (1, 2, 3)


def test_8_4_frozen() -> None:
    hands = ("4d", "5d 9d", "6d 6h", "7d 7h")
    game = after(table(*hands, idle=(2,), rotten=False), "4d")
    assert (game.turn, game.last, fact(game, "last")) == (1, (2,), (2,))
    assert after(game, "5d").turn == 3, "who is frozen is passed over"
    assert why_not(game, "2: 6d") == "5.1"
    over = after(game, "-", "-", "9d", "-", "5d")
    assert (result(over).order, points(over), said(over)) == ((0, 1, 3, 2), [2 + 3, 1, -2 - 3, -1], ["8.4"])
    assert points(after(table("4d", "5d", idle=(1,), rotten=False, frozen=False), "4d")) == [1, -1]


def test_8_4_several_frozen_end_the_hand() -> None:
    over = after(table("4d", "5d 9d", "6d", "7d", idle=(1, 2), rotten=False), "4d")
    assert (result(over).order, points(over)) == ((0, 3, 1, 2), [2 + 6, -1 - 3, -2 - 3, 1])
    back = after(table("4d", "5d 9d", "6d", "7d", idle=(1, 2), rotten=False, direction="counter"), "4d")
    assert result(back).order == (0, 3, 2, 1)
    two = after(table("4d", "5d", idle=(1,), rotten=False), "4d")
    assert points(two) == [1 + 3, -1 - 3]


def test_8_4_above_who_stayed_behind() -> None:
    game = table("2d 5h", "5s 7s", "4s Ts", "4c Qs", idle=(3,), last_card_two=False, rotten=False)
    over = after(game, "5h", "-", "-", "-", "7s", "-", "-", "5s")
    assert (result(over).order, said(over)) == ((1, 2, 3, 0), ["6.3", "8.4"])


PAY_ALL: dict[str, Any] = PLAIN | FIRST | {"one_card_rule": "pay_all", "scoring": "winner"}


def paid_for_all(*moves: str, hands: tuple[str, ...], **options: Any) -> int | None:
    """Return who pays the winner for all, None where every player pays for themselves."""
    over = points(after(table(*hands, **PAY_ALL | options), *moves))
    payers = [seat for seat, units in enumerate(over) if units < 0]
    assert sum(over) == 0
    return payers[0] if len(payers) == 1 else None


@pytest.mark.parametrize(
    ("hands", "moves", "payer"),
    [
        (("5d 9d", "Jd", "7s 8h"), ("5d", "Jd"), None),  # 9d would not have stopped it
        (("5d Qd", "Jd", "7s 8h"), ("5d", "Jd"), 0),
        (("5d 6d Qd", "Jd", "7s 8h"), ("Qd", "-", "-", "5d", "Jd"), None),  # the highest that is left
        (("5d 5h Qd", "Jd", "7s 8h"), ("Qd", "-", "-", "5d", "Jd"), 0),  # two or more cards could be led
        (("4d 9d", "5d Kd", "Jd", "7s 8h"), ("4d", "5d", "Jd"), 1),
        (("4d 9d", "5d Td", "Jd", "7s 8h"), ("4d", "5d", "Jd"), None),
        (("4d 9d", "5d Kd", "Jd", "7s 8h"), ("4d", "-", "Jd"), 1),  # a pass
        (("4d 9d", "5d 6d Kd", "Jd", "7s 8h"), ("4d", "Kd", "-", "-", "-", "5d", "Jd"), None),
        (("4d 9d", "5d Kd Qd", "Jd", "7s 8h"), ("4d", "-", "-"), None),
    ],
)
def test_8_6_before_a_player_with_one_card(hands: tuple[str, ...], moves: tuple[str, ...], payer: int | None) -> None:
    game = after(table(*hands, **PAY_ALL), *moves)
    assert (paid_for_all(*moves, hands=hands) if game.result else None) == payer


def test_8_6_under_the_same_look() -> None:
    hands, moves = ("5d 9s", "6d Qs 7d", "9d", "7s 8h"), ("5d", "6d", "9d")
    assert paid_for_all(*moves, hands=hands, same_look=True) is None, "Qs may not be put there"
    assert paid_for_all(*moves, hands=hands, same_look=False) == 1


def test_8_6_the_next_who_is_really_asked() -> None:
    hands = ("4d 9d Qs", "5c", "6d Jd", "7s 8h")
    assert paid_for_all("4d", "-", "6d", "-", "9d", "Jd", hands=hands) == 0, "seat 1 has passed"


def test_8_7_what_care_is_not() -> None:
    chop = ("2s 9d", f"{FOURS} 3c 2h", "2d", "7s 8h")
    assert paid_for_all("2s", "-", "2d", hands=chop) == 1, "2h would have stopped it"
    assert after(table(*chop, **PAY_ALL), "2s", FOURS).result is None
    pairs = ("5d 5h Qd", "6d 6h Ad", "Jd 9c", "7s 8h As")
    assert paid_for_all("5d 5h", "-", "-", "-", "Qd", hands=pairs) is None, "in a trick of pairs nothing is asked"


def test_8_8_paying_for_all() -> None:
    hands = ("5d Qd", "Jd", "7s 8h", "3c 2h")
    by_cards = after(table(*hands, **PAY_ALL | {"scoring": "cards", "rotten": True}), "5d", "Jd")
    assert points(by_cards) == [-1 - 2 - 2 - 2, 7, 0, 0]
    assert said(by_cards) == ["8.8"]
    none = PAY_ALL | {"scoring": "cards", "one_card_rule": "none"}
    assert points(after(table(*hands, **none), "5d", "Jd")) == [-1, 5, -2, -2]
    two = after(table(*hands[:2], **PAY_ALL | {"scoring": "cards"}), "5d", "Jd")
    assert (points(two), said(two)) == ([-1, 1], []), "with two players there is nobody else to pay for"
    frozen = after(table(*hands, idle=(3,), **PAY_ALL | {"frozen": True, "play_on": "first"}), "5d", "Jd")
    assert points(frozen) == [-3 - 3, 6, 0, 0]


def test_8_8_for_the_places_of_whoever_goes_out() -> None:
    pay = PLAIN | {"one_card_rule": "pay_all"}
    over = after(table("5d Qd", "Jd", "7s Ks", "3c 4h", **pay), "5d", "Jd", "Ks", "-", "-", "7s", "-", "Qd")
    assert result(over).order == (1, 2, 0, 3)
    assert points(over) == [-2 - 1, 2, 1, 0], "for the last, who would have paid the first"
    assert said(over) == ["8.8"]


def test_8_8_nobody_pays_for_a_highest_card_that_ends_a_trick() -> None:
    pay = PLAIN | {"one_card_rule": "pay_all", "rotten": True}
    over = after(table("4d 9d", "3h", "5d", "3s 3c 4s 4c 5s 5c", **pay), "4d", "-", "5d", "-", "9d", "3h")
    assert result(over).order == (2, 0, 1, 3)
    assert said(over) == ["8.3"], "the pairs are paid for by whoever holds them"


def test_8_8_with_the_pass_that_hands_the_lead_over() -> None:
    hands = ("9d Jd", "8d 9h", "Kd 4s")
    assert paid_for_all("9d", "-", "-", "Jd", hands=hands) == 2
    assert paid_for_all("9d", "-", "-", "Kd", hands=("9d Kd", "8d 9h", "Qd 4s")) is None, "Qd does not stop Kd"


def test_8_5_won_at_once() -> None:
    twos = f"{up('2', 4)} 3h"
    assert points(begun(MANY, twos, "Jd", "9c")) == [-4, 12, -4, -4]
    assert points(begun(MANY, twos, scoring="cards", play_on="first")) == [-4, 4]


def test_o17_1_what_a_point_is_worth() -> None:
    hands = ("2h 3s", f"{up('789')} 3c", f"{FOURS} 3d", up("TJQK"))
    chain = after(table(*hands, **FIRST, stake=5), "2h", up("789"), FOURS, up("TJQK"))
    over = result(chain)
    assert nets_of(over.payments, 4) == tuple(5 * won for won in over.points)
    assert (2, 3, 45) in over.payments, "the chops"
    at_once = result(begun(MANY, f"{up('2', 4)} 3h", "Jd", stake=2))
    assert (at_once.points, at_once.payments) == ((-4, 8, -4), ((0, 1, 8), (2, 1, 8)))


def test_o17_2_no_stake() -> None:
    over = result(after(table("4s", "5s 2h", stake=0), "4s"))
    assert over.points == (3, -3)
    assert over.payments == ()


# The match


def test_o15_1_an_open_match() -> None:
    assert rules(match_end="open").hands is rules(match_end="open").target is None
    assert not rules().is_over((result(after(table("4s", "5s"), "4s")),) * 50)


def test_o15_2_so_many_hands() -> None:
    over = result(after(table("4s", "5s"), "4s"))
    game = rules(match_end="deals", deals=3)
    assert [game.is_over((over,) * count) for count in (2, 3)] == [False, True]


def test_o15_3_to_a_number_of_points() -> None:
    over = result(after(table("4s", "5s", rotten=False, frozen=False), "4s"))
    game = rules(players=2, match_end="points", target=2)
    assert [game.is_over((over,) * count) for count in (1, 2)] == [False, True]


def test_9_1_who_wins_the_match() -> None:
    over = result(after(table("4s", "5s", "6s", rotten=False), "4s", "5s"))
    game = rules(players=3)
    assert Match(game, seed="s", game=dealt("x", players=3), results=(over,)).places == (1, 2, 3)
    back = result(after(table("6s", "5s", "4s", rotten=False, turn=2, direction="counter"), "4s", "5s"))
    assert Match(game, seed="s", game=dealt("x", players=3), results=(over, back)).places == (1, 1, 1)


def test_9_2_who_is_late() -> None:
    assert rules().late_policy == "least"
    assert [str(each) for each in table("9s 9d", "5s").view(0).plays.first(1)] == ["single 9s"]
