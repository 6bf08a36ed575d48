"""Section 9 of the rule page of The Big and the Little A, an article at a time: how hands make a match."""

from random import Random

import pytest

from bot.rules.big_little_a import BigLittleA
from bot.rules.core.asks import Ready, Stop
from bot.rules.core.sentences import Illegal
from tests.rules.big_little_a_positions import after, asking, between, can_name, next_hand, offers, rules, table
from tests.rules.timeouts import raising, replaced, unfinished


def next_starter(of: BigLittleA, *hands: tuple[int, ...], before: int = 0) -> int:
    """Return who leads first after these hands; before: who led first in the last of them."""
    dealt = next_hand(between(of, *hands, starter=before))
    assert dealt.turn == dealt.starter == (dealt.dealer + 1) % of.players
    return dealt.turn


def test_9_1_the_total() -> None:
    match = between(rules(), (1, 2, 3, 4), (10, 0, 0, 20))
    assert match.totals == (11, 2, 3, 24)
    assert match.places == (3, 1, 2, 4)


def test_o3_1_who_leads_first_later() -> None:
    game = rules(next_starter="most_total")
    assert next_starter(game, (0, 0, 55, 0), (10, 30, 5, 20)) == 2
    assert next_starter(game, (10, 30, 5, 20)) == 1


def test_o3_2_who_leads_first_later() -> None:
    game = rules(next_starter="most_last_hand")
    assert next_starter(game, (0, 0, 55, 0), (10, 30, 5, 20)) == 1


def test_o4_1_if_several_have_the_most() -> None:
    game = rules(starter_tie="last_deal_then_clockwise")
    assert [next_starter(game, (6, 6, 3, 1), (6, 6, 9, 1), before=before) for before in range(4)] == [2] * 4
    assert [next_starter(game, (6, 6, 3, 6), before=before) for before in range(4)] == [1, 3, 3, 0]
    assert [next_starter(game, (5, 5, 5, 5), before=before) for before in range(4)] == [1, 2, 3, 0]
    last = rules(starter_tie="last_deal_then_clockwise", next_starter="most_last_hand")
    assert [next_starter(last, (9, 0, 0, 0), (6, 1, 6, 1), before=before) for before in range(4)] == [2, 2, 0, 0]


def test_o4_2_if_several_have_the_most() -> None:
    game = rules(starter_tie="random")
    match = between(game, (6, 6, 3, 6), (6, 6, 3, 6))
    dealer = game.next_dealer(0, match.results)
    by_lot = {game.deal(Random(seed), dealer, match.results).turn for seed in range(40)}
    assert by_lot == {0, 1, 3}
    assert [next_starter(game, (6, 9, 3, 6), before=before) for before in range(4)] == [1] * 4  # no tie, no lot


@pytest.mark.parametrize("hands_per_match", [1, 2, 5])
def test_o2_1_the_number_of_hands(hands_per_match: int) -> None:
    game = rules(hands_per_match=hands_per_match)
    hands = [(1, 2, 3, 4)] * hands_per_match
    assert [between(game, *hands[:count]).over for count in range(1, hands_per_match + 1)] == [
        *[False] * (hands_per_match - 1),
        True,
    ]
    assert (game.hands, rules().hands, rules("short").hands, rules("party").hands) == (hands_per_match, 5, 2, 3)
    if hands_per_match > 1:
        with pytest.raises(Illegal):
            between(game, hands[0]).act(0, Stop())  # it ends by itself


def test_9_2_who_wins_the_match() -> None:
    short = rules("short")
    assert between(short, (1, 2, 3, 4), (3, 2, 3, 4)).places == (1, 1, 3, 4)  # equally few share the win
    done = between(short, (1, 2, 3, 4), (9, 2, 3, 4))
    assert (done.over, done.totals, done.places) == (True, (10, 4, 6, 8), (4, 1, 2, 3))
    with pytest.raises(Illegal):
        done.act(0, Ready())


def test_o10_1_who_is_late() -> None:
    game = asking(on_timeout="least", players=3)
    assert game.late_policy == "least"
    assert offers(table("J a 7 5 5", "1 2", "1 2", of=game))[0] == "5"  # the lowest number alone, to lead
    assert offers(table("J a", "1 2", "1 2", of=game))[0] == "J"
    assert offers(table("a A", "1 2", "1 2", of=game))[0] == "a"
    following = after(table("5 6", "7 8", "9 9", of=game), "5")
    assert offers(following)[-1] == "-"
    a_round = after(table("a 6", "J 1 8", "J 2", of=game), "a")
    assert (offers(a_round)[0], offers(after(a_round, "8"))[0]) == ("1", "J")  # a one rather than a joker


def test_o10_1_jokers_that_were_not_named_in_time() -> None:
    naming = after(table("J J 5", "1 2", "1 2", of=asking("named_jokers", players=3)), "J J")
    assert can_name(naming).split()[0] == "1"


def test_o10_2_who_is_late() -> None:
    replaced(raising(on_timeout="substitute"))


def test_o10_3_who_is_late() -> None:
    unfinished(raising(on_timeout="abort"))
