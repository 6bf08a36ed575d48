"""Section 5 of the rule page of Tàihé A Bāo, an article at a time: the second round of bidding.

By default the hands are those of FOUR, and seat 0 speaks first.
"""

from typing import Any

import pytest

from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.play import ABaoGame
from bot.rules.core.asks import Action, Choose, Give, GiveAsk, NameAsk, Pass, Play
from bot.rules.core.cards import card, cards
from bot.rules.core.sentences import Illegal, Note
from bot.rules.matches.match import Match
from tests.rules.a_bao_positions import (
    FOUR,
    begun,
    bid,
    bidding,
    callers,
    calling,
    cards_of,
    dealt,
    done,
    fact,
    kind,
    known_to,
    next_hand,
    offered,
    refusal,
    result,
    rules,
    whose,
    why_not,
)

CALL = ("call 7d", "give 5d")  # seat 0 gets it from seat 1


def test_5_1_call_or_pass() -> None:
    hand = calling()
    ask = hand.view(0).ask
    assert isinstance(ask, NameAsk)
    assert (whose(hand), ask.may_pass, bool(ask.cards)) == (0, True, True)
    assert hand.view(1).ask is None
    assert refusal(hand, Choose(("declare",))).article == "5.1"
    assert why_not(hand, "5d") == why_not(hand, "give 5d") == "5.1"
    assert why_not(hand, "-", seat=1) == "5.1"
    assert [whose(bid(hand, *["-"] * passes)) for passes in range(4)] == [0, 1, 2, 3]


def test_5_2_a_call_names_a_card() -> None:
    hand = calling()
    everywhere = offered(hand)
    assert len(everywhere) == 40 - 4 - 4  # every card but its own and the aces, a player who has it
    assert {"7d", "Td", "9h", "Ts"} <= set(everywhere)
    other = hand._replace(hands=(hand.hands[0], *hand.hands[2:], hand.hands[1]))
    assert offered(other) == everywhere


def test_5_3_handed_over_face_up() -> None:
    hand = bid(calling(), "call 9h")
    assert cards_of(hand)[0] == "4h 5d 6d 9h Kd"
    assert cards_of(hand)[3] == "4c 9d Ah"
    assert [(int(each.seat), each.amount, int(each.giver)) for each in fact(hand, "called")] == [(0, cards("9h"), 3)]
    assert [known_to(hand, seat) for seat in (None, 0, 1, 2, 3)] == [["0 9h"], [], *[["0 9h"]] * 3]


def test_5_4_a_card_in_return() -> None:
    hand = bid(calling(may_return_called_card=False), "call 9h")
    assert (whose(hand), hand.giving) == (0, True)
    ask = hand.view(0).ask
    assert isinstance(ask, GiveAsk)
    assert (int(ask.to), ask.count) == (3, 1)
    given = bid(hand, "give Kd")
    assert [cards_of(given)[seat] for seat in (0, 3)] == ["4h 5d 6d 9h", "4c 9d Kd Ah"]
    assert [known_to(given, seat) for seat in (None, 0, 1, 2, 3)] == [
        ["0 9h"],
        ["3 Kd"],
        ["0 9h"],
        ["0 9h"],
        ["0 9h"],
    ]
    assert [len(given.view(seat).private_notes) for seat in (None, 0, 1, 2, 3)] == [0, 1, 0, 0, 1]
    assert [dict(given.view(seat).private_notes[0].values)["cards"] for seat in (0, 3)] == [cards("Kd")] * 2
    assert why_not(hand, "-") == why_not(hand, "call 9d") == "5.4"
    assert {refusal(hand, Give(cards(each))).article for each in ("", "5d 6d", "7d", "5d 5d")} == {"5.4"}


def test_5_5_not_your_own() -> None:
    assert [why_not(calling(), f"call {held}") for held in FOUR[0].split()] == ["5.5"] * 4
    assert not set(FOUR[0].split()) & set(offered(calling()))


def test_5_6_no_aces() -> None:
    hand = calling(aces=True)
    assert [why_not(hand, f"call A{suit}") for suit in "dchs"] == ["5.6"] * 4
    assert refusal(calling("Ad 4d", "Ac 4c", "Ah 4h", of=rules("three")), "call Ac").article == "5.6"


def test_5_7_not_the_bound_four_of_hearts() -> None:
    hand = bid(calling(bound=True), "-")
    assert why_not(hand, "call 4h") == "5.7"
    assert "4h" not in offered(hand)
    assert {"4d", "4s"} <= set(offered(hand))
    assert "4h" in offered(bid(calling(bound=False), "-"))


def test_5_7_the_bound_four_is_named_as_grayed_out_only_beside_another_four() -> None:
    beside = bid(calling(bound=True), "-").view(1).ask
    alone = calling("4h 4d 4c 4s", "5d 6d Kd", "7d 7c 9c", "Td Jd Qd", bound=True).view(0).ask
    assert isinstance(beside, NameAsk)
    assert isinstance(alone, NameAsk)
    assert beside.out == Note(
        "5.5", "Grayed out: yours, called before, or {card}, which decided who starts.", (("card", card("4h")),)
    )
    assert alone.out == Note("5.5", "Grayed out: you have it.")


def test_o4_1_each_card_once() -> None:
    hand = bid(calling(recall="forbidden"), *CALL)
    assert why_not(hand, "call 7d") == "O4.1"  # nobody can call back what was called from them
    later = bid(hand, "-")
    assert why_not(later, "call 7d") == "O4.1"
    assert "7d" not in offered(later)
    sevens = calling("4c 4d 5d", "7d 9c 9d", "7c 7h 7s", recall="forbidden")
    assert why_not(bid(sevens, "call 7d", "give 4d", "-"), "call 7d") == "O4.1"


def test_o4_2_again() -> None:
    hand = bid(calling(recall="allowed"), *CALL)
    assert {"7d"} <= set(offered(hand)) & set(offered(bid(hand, "-")))
    back = bid(hand, "call 7d", "give 9c")
    assert [cards_of(back)[seat] for seat in (0, 1)] == ["4h 6d 9c Kd", "5d 7d 7c Ad"]
    assert [int(each.giver) for each in fact(back, "called")] == [1, 0]
    bound = bid(calling(bound=True, recall="allowed"), *CALL)
    assert why_not(bound, "call 4h") == "5.7"  # all else stays as it is
    assert why_not(bound, "call 7c") == "5.5"


def test_o4_3_only_for_four_of_a_kind() -> None:
    held = ("4c 4d 5d", "7d 9c 9d", "7c 7h 7s", "9h 9s 5s")
    hand = bid(calling(*held, recall="complete_four"), "call 7d", "give 4d")
    assert why_not(hand, "call 7d") == "O4.3"
    assert "7d" in offered(bid(hand, "-"))
    assert kind("7c 7d 7h 7s") == "four"
    assert "7d" not in offered(bid(hand, "-", "call 9c", "give 7c"))  # seat 3 holds no seven
    two = ("4c 4d 5d", "Kd 9c 9d", "Kc Kh 7s", "9h 9s 5s", "Tc Th Ts")
    kings = calling(*two, players=5, aces=False, recall="complete_four")
    assert why_not(bid(kings, "call Kd", "give 4d", "-"), "call Kd") == "O4.3"  # there is no fourth


@pytest.mark.parametrize("recall", ["forbidden", "complete_four"])
def test_5_8_another_suit(recall: str) -> None:
    hand = bid(calling(recall=recall), "call 9c", "give 5d", "-")
    assert {"9d", "9h", "9s"} <= set(offered(hand))
    assert callers(bid(hand, "call 9h")) == [0, 2]


def test_5_9_no_ace_in_return() -> None:
    hand = bid(calling(starter=1, aces=True), "call 9d")
    assert why_not(hand, "give Ad") == "5.9"
    assert offered(hand) == ["7d", "7c", "9d", "9c"]


def test_5_10_nor_the_bound_four_of_hearts() -> None:
    bound, free = (bid(calling(bound=each), "call 9d") for each in (True, False))
    assert why_not(bound, "give 4h") == "5.10"
    assert (offered(bound), offered(free)) == (["5d", "6d", "9d", "Kd"], ["4h", "5d", "6d", "9d", "Kd"])


def test_o11_1_not_the_card_just_received() -> None:
    hand = bid(calling(may_return_called_card=False), "call 9d")
    assert why_not(hand, "give 9d") == "O11.1"
    assert "9d" not in offered(hand)


def test_o11_2_the_card_just_received() -> None:
    hand = bid(calling(), "call 9d")  # no sentence of the source forbids it
    assert hand == bid(calling(may_return_called_card=True), "call 9d")
    assert "9d" in offered(hand)
    back, other = bid(hand, "give 9d"), bid(hand, "give 5d")
    assert tuple(cards_of(back)) == tuple(cards_of(calling()))
    assert callers(back) == [0]
    assert [back.view(seat) for seat in (None, 1, 2)] == [other.view(seat) for seat in (None, 1, 2)]
    assert (known_to(back, 0), known_to(back, None)) == (["3 9d"], [])
    assert known_to(other, 0) == ["3 5d"]


def test_5_11_the_bidding_goes_on() -> None:
    hand = bid(calling(), *CALL)
    assert (whose(hand), hand.giving, fact(hand, "declarer")) == (1, False, None)
    now = bid(hand, "call 9d", "give 9c", "-")
    assert whose(now) == 3
    assert begun(now, "-")


def test_5_12_the_last_caller() -> None:
    game = begun(calling(), *CALL, "call 9d", "give 9c", "-", "-")
    assert (int(fact(game, "declarer")), game.turn, callers(game)) == (1, 1, [0, 1])
    assert sorted(game.view(0).allies) == [2, 3]
    assert [cards_of(game)[seat] for seat in (0, 1)] == ["4h 6d 7d Kd", "5d 7c 9d Ad"]
    all_call = begun(calling(), *CALL, "call 9d", "give 9c", "call 9h", "give Kc", "call Td", "give 4c")
    assert (callers(all_call), all_call.turn) == ([0, 1, 2, 3], 3)


def test_5_13_nobody_has_called() -> None:
    hand = dealt("nobody", rules(starter_must_call=False))
    again = bid(hand, *["-"] * 8)
    assert (again.second, again.passed, fact(again, "thrown"), again.result) == (False, (), 1, None)
    assert again.hands != hand.hands
    assert sorted(map(str, sum(again.hands, ()))) == sorted(map(str, hand.rules.pack))
    match = Match(hand.rules, seed="seed", game=hand)
    passes: list[Action] = [*[Choose(("pass",))] * 4, *[Pass()] * 4]
    for seat, passing in zip(in_turn(hand) * 2, passes, strict=True):
        match = match.act(seat, passing)
    assert (match.game, match.results, match.totals) == (again, (), (0, 0, 0, 0))


def in_turn(hand: ABaoBidding) -> list[int]:
    """Return the seats in the order in which they speak."""
    return [(hand.bid.starter + ahead) % hand.rules.players for ahead in range(hand.rules.players)]


@pytest.mark.parametrize("starter", range(4))
def test_o6_1_the_starter_may_pass(starter: int) -> None:
    hand = calling(starter=starter, starter_must_call=False)
    ask = hand.view(starter).ask
    assert isinstance(ask, NameAsk)
    assert ask.may_pass
    assert whose(bid(hand, "-")) == (starter + 1) % 4


def test_o6_2_the_starter_has_to_call() -> None:
    hand = calling(starter=2, starter_must_call=True)
    ask = hand.view(2).ask
    assert isinstance(ask, NameAsk)
    assert (ask.may_pass, ask.question.article) == (False, "O6.2")
    assert why_not(hand, "-") == "O6.2"
    game = begun(hand, "call 5d", "give Td", "-", "-", "-")  # the others may pass
    assert game.bid.declarer == 2
    sharp = dealt("sharp", rules("sharp"))
    assert why_not(bid(sharp, *["-"] * 4), "-") == "O6.2"


def test_5_14_a_pass_is_final() -> None:
    hand = bid(calling(), "-", "call 5d", "give 7d")  # seat 0 gets the 7d for its 5d
    for now in (hand, bid(hand, "-")):
        assert why_not(now, "call 7c", seat=0) == "5.1"
        assert now.view(0).ask is None
    assert begun(hand, "-", "-").bid.declarer == 1


def test_5_15_as_many_cards_as_before() -> None:
    hand = dealt("exchanges")
    now = bid(hand, *["-"] * 4)
    for _ in range(3):
        now = bid(now, f"call {offered(now)[0]}")
        assert sorted(map(len, now.hands)) == [9, 10, 10, 11]
        now = bid(now, f"give {offered(now)[0]}")
        assert list(map(len, now.hands)) == [10] * 4
    assert sorted(map(str, sum(now.hands, ()))) == sorted(map(str, hand.rules.pack))


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ({}, "2d 3c 8h BJ"),
        ({"players": 3}, "As 8d"),
        ({"aces": False}, "Ad As"),
        ({"players": 5, "aces": False}, "Ks Ac"),
    ],
)
def test_5_16_cards_that_are_there(options: dict[str, Any], missing: str) -> None:
    hand = calling("4h 5d 6d", of=rules(**options))
    for gone in missing.split():
        assert why_not(hand, f"call {gone}") == "5.16"
        with pytest.raises(Illegal):
            hand.view(0).verify((card(gone),))
    assert set(offered(hand)) <= set(map(str, hand.rules.pack))


def test_5_17_with_the_hand_you_then_have() -> None:
    keeps = {"may_return_called_card": False}
    before = bid(calling("4h 5d", "7d 7c", "Td Jd", "9d 9h", **keeps), "call 7d", "give 5d")
    assert "5d" not in offered(before)
    assert "7c" not in offered(before)
    free = bid(calling("4h 5d", "7d 7c", "Td Jd", "9d 9h", recall="allowed"), "call 7d", "give 5d")
    assert "7d" in offered(free)  # which it held before
    assert set(offered(bid(before, "call 9d"))) == {"5d", "7c"}


def test_5_18_giving_on() -> None:
    hand = bid(calling(may_return_called_card=False), *CALL, "call 9d")
    assert "5d" in offered(hand)
    on = bid(hand, "give 5d")
    assert cards_of(on)[3] == "4c 5d 9h Ah"
    assert [known_to(on, seat) for seat in (None, 0, 1, 2)] == [
        ["0 7d", "1 9d"],
        ["1 9d"],
        ["0 7d", "3 5d"],
        ["0 7d", "1 9d"],
    ]


def test_o7_1_a_single_caller() -> None:
    game = begun(calling(single_caller_wins=False), *CALL, "-", "-", "-")
    assert (game.result, game.turn, fact(game, "stakes")) == (None, 0, 1)


@pytest.mark.parametrize(
    "options",
    [
        {"scoring": "callers"},
        {"scoring": "simplified"},
        {"double_shutout": True, "double_lead_only": True},
        {"starter_must_call": True},
    ],
)
def test_o7_2_a_single_caller_wins(options: dict[str, Any]) -> None:
    game = rules(single_caller_wins=True, **options)
    over = begun(calling(starter=2, of=game), "call 5d", "give Td", "-", "-", "-")
    assert (result(over).points, fact(over, "stakes")) == ((-1, -1, 3, -1), 1)
    assert (over.awaited, result(over).order, result(over).declarer) == (frozenset(), (2,), 2)
    assert whose(next_hand(game, over)) == 2  # it counts as won
    two = begun(calling(starter=2, of=game), "call 5d", "give Td", "call 6d", "give 4c", "-", "-")
    assert (two.result, two.turn) == (None, 3)
    declared = done(bidding(of=game), "declare")
    assert isinstance(declared, ABaoGame)
    assert declared.result is None


def test_o7_2_with_three_and_five_players() -> None:
    three = begun(calling("4h 5d", of=rules("three", single_caller_wins=True)), "-", "call 4h", "give 4c", "-")
    assert result(three).points == (-1, 2, -1)
    five = calling("4h 5d", of=rules("five", single_caller_wins=True))
    over = begun(five, "call 4d", "give 5d", *["-"] * 4)
    assert result(over).points == (4, -1, -1, -1, -1)
    assert refusal(over, Play(over.hands[0][:1]), seat=0).article == "7.6"
