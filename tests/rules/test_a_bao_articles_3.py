"""Sections 2 and 3 of the rule page of Tàihé A Bāo, an article at a time: the deal, and who starts the bidding."""

from random import Random

import pytest

from bot.rules.a_bao.groups import BINDING
from tests.rules.a_bao_positions import (
    Hand,
    after,
    bid,
    bidding,
    calling,
    dealt,
    done,
    ended,
    fact,
    known_to,
    next_hand,
    offered,
    refusal,
    result,
    rules,
    table,
    whose,
)

ALL_PASS = ["-"] * 8


def holder(hand: Hand) -> int:
    """Return who has the four of hearts."""
    return next(seat for seat, held in enumerate(hand.hands) if BINDING in held)


def test_2_1_dealing() -> None:
    deals = [dealt(f"{number}") for number in range(5)]
    assert len({deal.hands for deal in deals}) == 5
    for deal in deals:
        assert sorted(map(str, sum(deal.hands, ()))) == sorted(map(str, deal.rules.pack))
        assert all(offered(deal, seat) == ["pass", "declare"] for seat in range(4))  # nothing is asked before


def test_2_2_who_draws_first() -> None:
    past = (result(ended(won=True)),)
    assert [dealt("first", past=past, dealer=seat).dealer for seat in range(4)] == [0, 1, 2, 3]
    assert [whose(dealt("first", past=past, dealer=seat)) for seat in range(4)] == [0, 1, 2, 3]
    unknown = [dealt("first", dealer=seat) for seat in range(4)]
    assert len({(deal.dealer, deal.hands) for deal in unknown}) == 1  # it makes no difference
    assert {rules().first_dealer(Random(seed)) for seed in range(50)} == set(range(4))


def test_3_1_the_first_hand() -> None:
    deals = [dealt(f"{number}") for number in range(20)]
    assert {whose(deal) for deal in deals} == set(range(4))
    for deal in deals:
        starter = holder(deal)
        assert whose(deal) == fact(deal, "bound") == starter
        assert all(known_to(deal, seat) == [f"{starter} 4h"] for seat in range(4) if seat != starter)
        assert known_to(deal, None) == [f"{starter} 4h"]


@pytest.mark.parametrize("declarer", range(4))
@pytest.mark.parametrize("calls", [0, 1, 3])
def test_o5_1_the_declarer_has_won(declarer: int, calls: int) -> None:
    game = rules(starter_rule="result")
    over = ended(won=True, declarer=declarer, calls=calls, of=game)
    assert whose(next_hand(game, over)) == declarer


@pytest.mark.parametrize("players", [3, 4, 5])
def test_o5_2_the_declarer_has_lost(players: int) -> None:
    game = rules(starter_rule="result", players=players)
    for declarer in range(players):
        over = ended(won=False, declarer=declarer, of=game)
        assert whose(next_hand(game, over)) == (declarer + 1) % players


def test_o5_3_after_a_hand_thrown_in() -> None:
    first = dealt("thrown in", rules(starter_rule="result"))
    again = bid(first, *ALL_PASS)
    assert (whose(again), fact(again, "starter"), fact(again, "bound")) == (whose(first), whose(first), None)
    assert again.hands != first.hands
    assert known_to(again, None) == []  # nobody is asked for the four of hearts
    once_more = bid(again, *ALL_PASS)
    assert (whose(once_more), fact(once_more, "thrown"), once_more.hands != again.hands) == (whose(first), 2, True)


def test_o5_4_the_four_of_hearts_every_time() -> None:
    game = rules(starter_rule="four_of_hearts")
    for won in (True, False):
        later = next_hand(game, ended(won=won, declarer=2, of=game))
        assert whose(later) == fact(later, "bound") == holder(later)
    starters = set()
    hand = dealt("every time", game)
    for _ in range(12):
        hand = bid(hand, *ALL_PASS)
        assert whose(hand) == fact(hand, "bound") == holder(hand)
        starters.add(whose(hand))
    assert starters == set(range(4))


def test_3_2_the_bound_four_of_hearts() -> None:
    bound, free = calling(bound=True), calling(bound=False)
    assert refusal(bid(bound, "-"), "call 4h").article == "5.7"
    assert refusal(bid(bound, "call 7d"), "give 4h").article == "5.10"
    assert bid(free, "-", "call 4h").giving
    assert bid(free, "call 7d", "give 4h").hands[1] == free.rules.sort((*free.hands[1][1:], BINDING)[::-1])
    game = table("4h 4d 9c", of=bound.rules)
    assert len(after(game, "4h 4d").hands[0]) == 1
    later = next_hand(free.rules, ended(won=True))
    assert fact(later, "bound") is None
    played = done(bidding(bound=True), "declare")
    assert (fact(played, "bound"), fact(played, "started")) == (None, 0)  # in play it is a card like any other
