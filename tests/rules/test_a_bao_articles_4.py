"""Section 4 of the rule page of Tàihé A Bāo, an article at a time: the first round of bidding.

By default every player is asked at once; the tests act in turn anyway.
"""

from itertools import product

import pytest

from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.play import ABaoGame
from bot.rules.core.asks import Choose, ChooseAsk, Pass
from tests.rules.a_bao_positions import (
    FOUR,
    begun,
    bid,
    bidding,
    cards_of,
    fact,
    known_to,
    offered,
    refusal,
    rules,
    whose,
    why_not,
)

DECLARE = Choose(("declare",))
modes = pytest.mark.parametrize("first_round_mode", ["sealed", "sequential"])


@modes
def test_4_1_declare_or_pass(first_round_mode: str) -> None:
    hand = bidding(starter=2, first_round_mode=first_round_mode)
    for passed in range(4):
        now = bid(hand, *["-"] * passed)
        assert whose(now) == (2 + passed) % 4
        assert offered(now) == ["pass", "declare"]
        assert begun(now, "declare").bid.declarer == whose(now)
    assert {why_not(hand, each) for each in ("call 7d", "give 5d", "5d")} == {"4.1"}
    assert refusal(hand, Pass()).article == refusal(hand, Choose(())).article == "4.1"
    once = bid(bidding(first_round_mode="sequential"), "-")
    assert why_not(once, "declare", seat=0) == "4.1"  # once each


@modes
def test_4_2_the_first_one_counts(first_round_mode: str) -> None:
    hand = bidding(starter=3, first_round_mode=first_round_mode)
    for passed in range(4):
        game = begun(hand, *["-"] * passed, "declare")
        assert (game.turn, int(fact(game, "declarer"))) == ((3 + passed) % 4, (3 + passed) % 4)
        assert tuple(cards_of(game)) == FOUR
        assert fact(game, "called") is None
        assert all(known_to(game, seat) == [] for seat in (None, 0, 1, 2, 3))


@modes
def test_4_3_when_all_have_passed(first_round_mode: str) -> None:
    hand = bidding(starter=1, first_round_mode=first_round_mode)
    now = bid(hand, "-", "-", "-", "-")
    assert (now.second, whose(now), now.hands) == (True, 1, hand.hands)
    assert not bid(hand, "-", "-", "-").second


def test_o14_1_all_at_once() -> None:
    hand = bidding(first_round_mode="sealed")
    assert hand.awaited == hand.to_act == frozenset(range(4))
    later = hand.act(2, DECLARE)
    assert isinstance(later, ABaoBidding)
    assert later.awaited == {0, 1, 3}
    assert [later.view(seat) for seat in (None, 0, 1, 3)] == [hand.view(seat) for seat in (None, 0, 1, 3)]
    ask = later.view(2).ask
    assert isinstance(ask, ChooseAsk)
    assert ask.given == ("declare",)
    game = bid(later, "-").act(1, DECLARE)  # it is not waited for seat 3
    assert isinstance(game, ABaoGame)
    assert fact(game, "declarer") == 1
    assert game == bid(hand, "-").act(1, DECLARE)  # what seat 2 has answered has left no trace
    decided = hand.act(0, DECLARE)
    assert isinstance(decided, ABaoGame)  # nor for any player after the starter


def test_o14_1_an_answer_can_be_changed_until_it_is_read() -> None:
    hand = bidding(first_round_mode="sealed").act(2, DECLARE).act(2, Choose(("pass",)))
    assert isinstance(hand, ABaoBidding)
    assert bid(hand, "-", "-", "-").second


@pytest.mark.parametrize("starter", range(4))
def test_o14_1_it_comes_to_the_same(starter: int) -> None:
    for answers in product(("pass", "declare"), repeat=4):
        sealed, one_by_one = (bidding(starter=starter, first_round_mode=mode) for mode in ("sealed", "sequential"))
        one, other = answered(sealed, answers), answered(one_by_one, answers)
        assert type(one) is type(other)
        assert (one.bid, one.hands, one.to_act) == (other.bid, other.hands, other.to_act)


def answered(hand: ABaoBidding, answers: tuple[str, ...]) -> ABaoBidding | ABaoGame:
    """Return a hand after its first round; where all are asked at once, the last in turn answers first."""
    now: ABaoBidding | ABaoGame = hand
    in_turn = [(hand.bid.starter + ahead) % 4 for ahead in range(4)]
    for seat in in_turn[::-1] if hand.secrecy.together else in_turn:
        if isinstance(now, ABaoBidding):
            now = now.act(seat, Choose((answers[seat],)))
    return now


def test_o14_2_one_after_the_other() -> None:
    hand = bidding(starter=2, of=rules(first_round_mode="sequential"))
    assert hand.to_act == {2}
    assert not hand.secrecy.together
    assert why_not(hand, "declare", seat=3) == "4.1"
    now = bid(hand, "-")
    assert now.to_act == {3}
    assert fact(now, "passed") == (2,)  # every player hears it
    assert fact(bid(now, "-"), "passed") == (2, 3)
    assert offered(hand, 3) == []
