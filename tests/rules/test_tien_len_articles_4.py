"""Sections 4 and 5 of the rule page of Tiến Lên, an article at a time: the order of combinations, chops, and turns."""

from typing import Any

import pytest

from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import cards
from tests.rules.tien_len_positions import MANY, after, beats, lying, not_on, refusal, rules, table, up, why_not

FOUR, THREE_PAIRS, FOUR_PAIRS, FIVE_PAIRS = up("5", 4), up("567"), up("6789"), up("6789T")
LOOK: dict[str, Any] = {"same_look": True}
ONE, TWO, THREE = "2s", "2s 2h", "2s 2c 2h"
OUT_OF_TURN: dict[str, Any] = {"out_of_turn_four_pairs": True}


def test_4_1_the_higher_of_its_kind() -> None:
    for high, low in (
        ("9h", "9c"),
        ("4s 4c 4d", "3s 3c 3d"),
        ("6s 7s 8h", "6d 7h 8d"),
        ("6s 7c 8s", "5d 6h 7d"),
        ("6d 6h 7d 7h 8d 8h", "6s 6c 7s 7c 8s 8c"),
        (up("6", 4), FOUR),
        ("2h", "2s"),
    ):
        assert beats(high, low)
        assert not beats(low, high)
        assert not_on(low, high) == "4.1"
    for other, low in (("8s 8c", "7s"), ("6s 7s 8s 9s", "4d 5d 6d"), ("8s 8c 8d", "7s 7c"), (FOUR, "As"), (TWO, "4s")):
        assert not beats(other, low)
    assert not_on("8s 8c", "7s") == not_on("6s 7s 8s 9s", "4d 5d 6d") == "4.1"
    assert "same kind" in refusal(lying("7s", "8s 8c"), "8s 8c").sentence


def test_4_2_pairs_of_one_rank() -> None:
    assert beats("8s 8h", "8c 8d")
    assert not_on("8c 8d", "8s 8h") == rules().article(*map(rules().classify, map(cards, ("8s 8h", "8c 8d")))) == "4.2"  # type: ignore[arg-type]


def test_4_3_the_same_look() -> None:
    assert beats("9s", "8s", **LOOK)
    assert not_on("9h", "8s", **LOOK) == "4.3"
    assert not_on("7s", "8s", **LOOK) == "4.1"
    assert beats("9s 9c", "8s 8c", **LOOK)
    assert beats("9s 9d", "8c 8h", **LOOK)
    assert not_on("9s 9d", "8s 8c", **LOOK) == not_on("9d 9h", "8s 8d", **LOOK) == "4.3"
    assert beats("2s", "Ah", **LOOK)
    assert beats("2d", "2s", **LOOK)
    assert beats("2d 2h", "As Ac", **LOOK)
    for free, low in (("6s 7s 8s", "4h 5h 6h"), ("6s 6c 6d", "5s 5c 5h"), (up("7", 4), FOUR), (FOUR, "2h")):
        assert beats(free, low, **LOOK)
    assert [str(each) for each in lying("8s", "9s 9c 9h Ks 2h", **LOOK).view(1).plays] == [
        "single 9s",
        "single Ks",
        "single 2h",
    ]
    assert beats("9h", "8s", same_look=False)


@pytest.mark.parametrize(
    ("top", "chopped_by", "not_by"),
    [
        (ONE, (FOUR, THREE_PAIRS, FOUR_PAIRS, FIVE_PAIRS), ()),
        (TWO, (FOUR, FOUR_PAIRS, FIVE_PAIRS), (THREE_PAIRS,)),
        (THREE, (FIVE_PAIRS,), (FOUR, THREE_PAIRS, FOUR_PAIRS)),
        (up("2", 4), (FOUR_PAIRS, FIVE_PAIRS), (FOUR, THREE_PAIRS)),
        (up("K", 4), (FOUR_PAIRS, FIVE_PAIRS), (FOUR, THREE_PAIRS)),
        (up("TJQ"), (FOUR, FOUR_PAIRS, FIVE_PAIRS), (THREE_PAIRS,)),
        (up("JQKA"), (FIVE_PAIRS,), (FOUR, THREE_PAIRS, FOUR_PAIRS)),
        ("Ah", (), (FOUR, FIVE_PAIRS)),
        ("Ks Kc", (), (FOUR, FIVE_PAIRS)),
        ("Qs Kc Ad", (), (FOUR, THREE_PAIRS)),
    ],
)
def test_4_4_chopping(top: str, chopped_by: tuple[str, ...], not_by: tuple[str, ...]) -> None:
    assert all(beats(each, top, chops="full") for each in chopped_by)
    for each in not_by:
        fits = each.count(" ") == top.count(" ")  # of the same kind and number
        assert not_on(each, top, chops="full") == ("4.1" if fits else "4.4")


def test_o8_1_four_of_a_kind_on_two_2s() -> None:
    assert beats(FOUR, TWO, quads_on_two_pair=True)


def test_o8_2_not_on_two_2s() -> None:
    assert not_on(FOUR, TWO, quads_on_two_pair=False) == "4.4"
    assert beats(FOUR, ONE, quads_on_two_pair=False)
    assert beats(FOUR_PAIRS, TWO, quads_on_two_pair=False)


def test_4_5_only_four_of_a_kind() -> None:
    few = {"chops": "four_of_a_kind"}
    assert beats(FOUR, ONE, **few)
    assert beats(up("6", 4), FOUR, **few)
    assert not_on(FOUR, TWO, **few) == not_on(FOUR, up("TJQ"), **few) == "4.5"
    for tried, top in ((FOUR_PAIRS, ONE), (FOUR_PAIRS, FOUR), (FIVE_PAIRS, up("JQKA"))):
        assert not_on(tried, top, **few) == "4.1"
    assert beats(up("678"), up("567", suits="dhsc"), **few)


def test_o8_3_no_chopping() -> None:
    assert not_on(FOUR, ONE, chops="none") == not_on(THREE_PAIRS, ONE, chops="none") == "4.1"
    assert beats(up("6", 4), FOUR, chops="none")


def test_4_6_what_goes_on_a_chop() -> None:
    game = table("2h 3s", f"{FOUR} 3c", f"{up('JQK')} 3d", f"2d {up('6789')} 3h")
    chopped = after(game, "2h", FOUR)
    assert why_not(chopped, up("JQK")) == "4.4"
    assert why_not(after(chopped, "-"), "2d") == "4.1"
    assert after(chopped, "-", up("6789")).trick.owner == 3
    assert after(table(f"{FOUR} 3s", MANY, MANY), FOUR).trick.owner == 0, "it may be led"


def test_4_7_chopping_out_of_turn() -> None:
    led = after(table("2s 3s 4s", f"2c {MANY}", f"2d {MANY}", f"{FOUR_PAIRS} 3h 4h", **OUT_OF_TURN), "2s")
    assert (led.awaited, led.to_act) == (frozenset({1}), frozenset({1, 3}))
    ask = led.view(3).ask
    assert isinstance(ask, PlayAsk)
    assert (ask.limit and ask.limit.article, ask.may_pass, led.view(2).ask) == ("4.7", False, None)
    assert [str(each) for each in led.view(3).plays] == [f"double_sequence {FOUR_PAIRS}"]
    assert why_not(led, "3: -") == "5.1"
    assert why_not(led, "2: 2d") == "5.1"
    chopped = after(led, f"3: {FOUR_PAIRS}")
    assert (chopped.turn, chopped.trick.owner) == (0, 3)
    assert after(chopped, "-", "-").turn == 2, "who was passed over is asked"
    passed = after(led, "2c", "-", "-", f"3: {FOUR_PAIRS}", "-")
    assert (passed.turn, passed.trick.owner) == (1, 3), "who had passed is in again, another who had is not"
    assert after(passed, "-").turn == 3
    own = after(table(f"2s 3s {up('JQKA')}", f"2c {MANY}", MANY, **OUT_OF_TURN), "2s")
    assert own.to_act == {1}, "nobody beats an own play"
    assert after(led, "-", "-", "-").to_act == {0}, "the trick is over"


def test_4_7_only_what_it_chops_and_only_four_pairs() -> None:
    led = after(table("Ah 3s", MANY, f"{FOUR_PAIRS} 3h", **OUT_OF_TURN), "Ah")
    assert led.to_act == {1}
    short = after(table("2h 3s", MANY, f"{THREE_PAIRS} {up('9T', 1)} 3h", **OUT_OF_TURN), "2h")
    assert short.to_act == {1, 2}
    assert not short.view(2).plays
    assert why_not(short, f"2: {THREE_PAIRS}") == "4.7"
    longer = after(table(f"{up('TJQK')} 3s", MANY, f"{FOUR_PAIRS} 3h", **OUT_OF_TURN), up("TJQK"))
    assert why_not(longer, f"2: {FOUR_PAIRS}") == "4.1"
    three = after(table("2s 2c 2d 3s", MANY, f"{FOUR_PAIRS} 3h", **OUT_OF_TURN), "2s 2c 2d")
    assert three.to_act == {1}, "three 2s take ten cards"
    assert after(table("2h 3s", MANY, f"{FOUR_PAIRS} 3h", out_of_turn_four_pairs=False), "2h").to_act == {1}


# Taking turns


def test_5_1_play_or_pass() -> None:
    game = table("5s 9s", "6s Ts", "7s Js")
    assert game.view(0).ask == PlayAsk(may_pass=False)
    assert why_not(game, "-") == "5.1"
    led = after(game, "5s")
    assert led.view(1).ask == PlayAsk(may_pass=True)
    assert after(led, "-").turn == 2
    assert why_not(led, "2: 7s") == why_not(led, "0: -") == "5.1"
    over = after(table("5s", "6s", play_on="first"), "5s")
    assert why_not(over, "1: 6s") == "6.1"


def test_o9_1_a_pass_holds_for_the_trick() -> None:
    game = after(table("5s 9s Ks", "6s As", "7s Js", after_pass="out"), "5s", "-", "7s", "9s")
    assert game.turn == 2
    assert after(game, "-").turn == 0


def test_o9_2_a_pass_holds_till_the_next_play() -> None:
    game = after(table("5s 9s Ks", "6s As", "7s Js", after_pass="may_return"), "5s", "-", "7s", "9s")
    assert game.turn == 1
    assert after(game, "-").turn == 2


def test_5_2_the_end_of_a_trick() -> None:
    game = after(table("5s 9s", "6s Ts", "7s Js"), "5s", "6s", "-", "-")
    assert (game.turn, game.trick.moves, len(game.tricks)) == (1, (), 2)
    assert after(game, "Ts").tricks == game.tricks


def test_5_3_a_leader_without_cards() -> None:
    game = after(table("5s", "6s Ts", "7s Js"), "5s", "-", "-")
    assert (game.turn, game.out) == (1, (0,))


def test_o10_1_passes_stay_when_somebody_goes_out() -> None:
    game = after(table("5s 9s", "6s As", "8s", "7s Js", inherit="next"), "5s", "-", "8s")
    assert game.turn == 3
    assert after(game, "-", "-").turn == 3, "the next after who is out leads"


def test_o10_2_all_are_asked_again_when_somebody_goes_out() -> None:
    game = after(table("5s 9s", "6s As", "8s", "7s Js", inherit="all_asked_again"), "5s", "-", "8s")
    again = after(game, "-", "-")
    assert (game.turn, again.turn) == (3, 1)
    assert after(again, "-").turn == 3
    assert after(again, "As").turn == 1, "all others have passed since"
