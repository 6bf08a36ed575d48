"""Sections 6 and 7 of the rule page of Tiến Lên, an article at a time: how a hand ends, and what wins at once."""

import itertools
import random
from typing import Any

import pytest

from bot.rules.tien_len.play import TienLenGame
from tests.rules.tien_len_positions import MANY, after, begun, fact, held, points, result, said, table, up, why_not

TWELVE = " ".join(f"{rank}s" for rank in "3456789TJQKA")
SIX = f"{up('3579JK')} 2s"
FIVE = f"{up('45678')} Ts Qs As"
FOUR_2S = f"{up('2', 4)} 3h"
PLAIN = "3c 4d 5c 6h 8d 9s Td Jh Qc Kh Ad 2d"


def test_o11_1_playing_on_for_places() -> None:
    game = table("5s", "6s Ts", "7s", "Js Qs", play_on="all")
    over = after(game, "5s", "-", "7s", "-", "Qs", "-")
    assert over.result is None
    assert (over.turn, over.out, fact(over, "out")) == (3, (0, 2), (0, 2))
    ended = after(over, "Js")
    assert (result(ended).order, result(ended).places) == ((0, 2, 3, 1), (1, 4, 2, 3))


def test_o11_2_until_the_first_is_out() -> None:
    game = after(table("7s 8s 9s", "6s", "Ts Js", "Qs Ks", turn=1, play_on="first"), "6s")
    assert (result(game).order, result(game).places) == ((1, 2, 3, 0), (4, 1, 2, 3))
    back = after(table("7s 8s", "Ts Js", "6s", turn=2, play_on="first", direction="counter"), "6s")
    assert result(back).order == (2, 1, 0)


def test_6_1_the_last_play_cannot_be_answered() -> None:
    game = after(table("5s", "6s"), "5s")
    assert (result(game).order, game.awaited) == ((0, 1), frozenset())
    assert why_not(game, "1: 6s") == "6.1"
    assert after(table("2h", "6s", last_card_two=True), "2h").result


def test_6_2_no_2_last() -> None:
    ban: dict[str, Any] = {"last_card_two": False}
    for hand in ("2h", "2s 2h", "2s 2c 2h", up("2", 4)):
        assert why_not(table(hand, "9s", **ban), hand) == "6.2"
    assert after(table("2s 2h", "9s 9c", **ban), "2s").view(1).ask
    assert after(table("2s 2h 9d", "9s 9c", **ban), "2s 2h").result is None
    assert after(table("9d", "9s 9c", **ban), "9d").result
    facing = after(table("5s 6s", "2h", "9s 9c", **ban), "5s")
    assert not facing.view(1).plays
    assert after(facing, "-").turn == 2


def test_6_3_staying_behind() -> None:
    game = table("2d 5h", "5s 7s", "4s Ts", "4c Qs", last_card_two=False)
    behind = after(game, "5h", "-", "-", "-")
    assert (behind.turn, behind.last, fact(behind, "last"), behind.result) == (1, (0,), (0,), None)
    assert held(behind)[0] == "2d"
    imagined = behind.rules.imagine(behind.view(1), random.Random(1))
    assert isinstance(imagined, TienLenGame)
    assert held(imagined)[0][0] == "2", "everybody knows that it is a 2"
    over = after(behind, "7s", "-", "Qs", "-", "4c")
    assert over.out == (3,)
    ended = after(over, "5s")
    assert (result(ended).order, said(ended)[0]) == ((3, 1, 2, 0), "6.3")
    two = after(table("2d 5h", "5s 7s", last_card_two=False), "5h", "-")
    assert result(two).order == (1, 0), "only one other is in"
    next_too = after(table("2d 5h", "2s 6s", "4s 4c", "4d 7c", last_card_two=False), "5h", "6s", "-", "-", "-")
    assert (next_too.turn, next_too.last) == (2, (1,))


# Won at once


def test_7_1_before_the_first_lead() -> None:
    for first in (True, False):
        over = begun(PLAIN, FOUR_2S, MANY, first=first, instant="south")
        assert (result(over).order[0], said(over), over.awaited) == (1, ["7.1"], frozenset())
        assert result(over).places == (2, 1, 2)
    assert begun(f"{up('45678')} Ts Qs As", PLAIN, double_sequences=False, sequence_suit="same").result


@pytest.mark.parametrize(
    ("hand", "wins"),
    [
        (FOUR_2S, True),
        (TWELVE, True),
        (f"{TWELVE} 3h", True),
        (FIVE, True),
        (SIX, True),
        (f"{up('3', 3)} {up('57')} {up('J', 4)} {up('K')}", True),
        (f"{up('QKA2')} 3s 3c 9s", False),
        (f"{up('TJQKA')} 3s", True),
        (f"{up('JQKA2')} 3s", False),
        (PLAIN, False),
        (f"{up('3579')} {up('J', 3)}", False),
    ],
)
def test_o12_1_what_wins(hand: str, wins: bool) -> None:
    assert bool(begun(PLAIN, hand, first=False, instant="south").result) == wins


def test_o12_1_four_3s_in_the_first_hand() -> None:
    threes = f"{up('3', 4)} 5s 7s"
    assert begun(threes, PLAIN, first=True, instant="south").result
    assert begun(threes, PLAIN, first=False, instant="south").result is None
    assert result(begun(threes, SIX.replace("3s 3c", "4s 4c"), first=True)).order[0] == 1


def test_o12_2_few_hands_win() -> None:
    assert all(begun(PLAIN, each, first=False, instant="few").result for each in (FOUR_2S, TWELVE, SIX))
    assert begun(PLAIN, FIVE, instant="few").result is None
    assert begun(PLAIN, f"{up('3', 4)} 5s 7s", instant="few").result is None


def test_o12_3_nothing_wins_at_once() -> None:
    assert all(begun(PLAIN, each, instant="none").result is None for each in (FOUR_2S, TWELVE, FIVE, SIX))


MORE: dict[str, tuple[str, ...]] = {  # by option: hands that win, and one that does not, from weak to strong
    "triples_in_row": (f"{up('456', 3)} 9s Js Kd As", f"{up('QKA', 3)} 6s 3s 7d 9h", f"{up('KA2', 3)} 3s 5s 7d 9h"),
    "two_fours": (
        f"{up('59', 4)} 3s 7d Js Kd As",
        f"{up('52', 4)} 3s 7d Js Kd As",
        f"{up('59', 3)} 3s 7d Js Kd As Qd Td",
    ),
    "four_triples": (f"{up('579J', 3)} As", f"{up('57', 3)} {up('J', 4)} {up('2', 3)}", f"{up('579', 3)} Js Jc As 3d"),
    "one_colour": (
        "3s 3c 5s 6s 7c 9c Ts Tc Js Qc As Ac 2s",
        "3h 5d 6h 6d 7h 9d Th Jd Qh Kd Ad 2d 2h",
        "3s 3c 5s 6s 7c 9c Ts Tc Js Qc As Ac 2d",
    ),
}


def at_once(option: str) -> None:
    """Assert the immediate wins of an option, their cost by 8.5, and their absence without the option."""
    low, high, none = MORE[option]
    for hand in (low, high):
        assert points(begun(PLAIN, hand, "9c", first=False, **{option: True})) == [-4, 8, -4]
        assert result(begun(PLAIN, hand, first=False, instant="few", **{option: True})).order[0] == 1
    assert begun(PLAIN, none, first=False, **{option: True}).result is None
    assert begun(PLAIN, low, first=False, **{option: False}).result is None
    assert begun(PLAIN, low, first=False, instant="none", **{option: True}).result is None


def test_o12_4_one_colour() -> None:
    at_once("one_colour")
    black, red, _ = MORE["one_colour"]
    assert result(begun(black, red, first=False, one_colour=True)).order[0] == 1, "2h is the highest card"
    for strength in (("twos", FOUR_2S, 1), ("twelve", TWELVE.replace("3s", "3d"), 0)):
        assert result(begun(black, strength[1], first=False, one_colour=True)).order[0] == strength[2]


def test_o12_5_four_triples() -> None:
    at_once("four_triples")
    low, high, _ = MORE["four_triples"]
    assert result(begun(low, high, first=False, four_triples=True)).order[0] == 1
    assert result(begun(low, TWELVE, first=False, four_triples=True)).order[0] == 1
    assert result(begun(low, FIVE, first=False, four_triples=True)).order[0] == 0


def test_o12_6_two_fours() -> None:
    at_once("two_fours")
    low, _, _ = MORE["two_fours"]
    both = {"two_fours": True, "four_triples": True}
    assert result(begun(low, MORE["four_triples"][0], first=False, **both)).order[0] == 1
    assert result(begun(low, FIVE, first=False, two_fours=True)).order[0] == 0
    assert result(begun(low, f"{up('68', 4)} 3s 3d Qs Kd Ah", first=False, two_fours=True)).order[0] == 0
    assert result(begun(low, f"{up('6T', 4)} 3s 3d Qs Kd 2h", first=False, two_fours=True)).order[0] == 1


def test_o12_7_three_triples_in_a_row() -> None:
    at_once("triples_in_row")
    low, high, _ = MORE["triples_in_row"]
    both = {"two_fours": True, "triples_in_row": True}
    assert result(begun(low, high, first=False, triples_in_row=True)).order[0] == 1
    assert result(begun(low, MORE["two_fours"][0], first=False, **both)).order[0] == 1
    assert result(begun(low, FIVE, first=False, triples_in_row=True)).order[0] == 0
    assert result(begun(low, SIX, first=False, triples_in_row=True, instant="few")).order[0] == 0


def test_7_2_several_at_once() -> None:
    for weak, strong in itertools.pairwise((SIX, FIVE, TWELVE, FOUR_2S)):
        assert result(begun(strong, weak)).order[0] == 0
        assert result(begun(weak, strong)).order[0] == 1
    low, high = f"{up('45678')} As 2s 2c", f"{up('56789', suits='dhsc')} 3s 3c 3d"
    assert result(begun(low, high, first=False)).order[0] == 1, "the ace and the 2s belong to no five pairs"
    other = " ".join(f"{rank}h" for rank in "3456789TJQKA")
    assert result(begun(TWELVE, f"{other} 2s")).order[0] == 1
    assert sum(points(begun(TWELVE, f"{other} 2s"))) == 0
