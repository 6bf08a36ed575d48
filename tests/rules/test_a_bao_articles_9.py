"""Section 9 of the rule page of Tàihé A Bāo, an article at a time: how hands make a match."""

import pytest

from bot.rules.core.asks import ChooseAsk, NameAsk, Stop
from bot.rules.core.cards import card, cards
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from tests.rules.a_bao_positions import (
    between,
    bid,
    bidding,
    calling,
    ended,
    offered,
    result,
    rules,
    table,
    why_not,
)
from tests.rules.timeouts import all_pass, first_round, following, replaced, unfinished


def test_o13_1_as_long_as_you_like() -> None:
    game = rules(match_end="open")
    over = ended(won=True, of=game)
    match = between(game, over)
    assert (match.over, match.endless, match.to_act) == (False, True, frozenset(range(4)))
    assert all(match.act(seat, Stop()).over for seat in range(4))
    assert not game.is_over((result(over),) * 100)
    with pytest.raises(Illegal):
        Match(game, seed="seed", game=table()).act(0, Stop())  # not in the middle of a hand


@pytest.mark.parametrize("deals", [1, 3])
def test_o13_2_so_many_hands(deals: int) -> None:
    game = rules(match_end="deals", deals=deals)
    over = ended(won=True, of=game)
    assert [between(game, *[over] * count).over for count in range(1, deals + 1)] == [False] * (deals - 1) + [True]
    assert (game.hands, game.target) == (deals, None)


@pytest.mark.parametrize("target", [5, 15, 16, 30, 31])
def test_o13_3_to_a_number_of_points(target: int) -> None:
    hands = {5: 1, 15: 1, 16: 2, 30: 2, 31: 3}[target]  # it is enough to reach it exactly
    game = rules(match_end="points", target=target)
    over = ended(won=True, of=game)  # 15 points for seat 0
    assert [between(game, *[over] * count).over for count in range(1, hands + 1)] == [False] * (hands - 1) + [True]
    assert (game.hands, game.target) == (None, target)
    assert not game.is_over((result(ended(won=False)), result(over)) * 9)  # seat 0 is back at nought


def test_9_1_who_wins_the_match() -> None:
    match = between(rules(), ended(won=True), ended(won=False, declarer=1, calls=1)).act(0, Stop())
    assert (match.totals, match.places) == ((16, -8, -4, -4), (1, 4, 2, 2))
    shared = between(rules(), ended(won=False, calls=2)).act(0, Stop())
    assert (shared.totals, shared.places) == ((-6, 2, 2, 2), (4, 1, 1, 1))


def test_o15_1_the_least_is_done() -> None:
    assert rules(on_timeout="least").late_policy == "least"
    first = bidding()
    assert first.view(2).declining
    ask = first.view(2).ask
    assert isinstance(ask, ChooseAsk)
    assert ask.answers[0] == first.view(2).declining
    assert ask.answers[0].code == "pass"
    must_call = calling(starter_must_call=True)
    wanted = must_call.view(0).ask
    assert isinstance(wanted, NameAsk)
    assert (wanted.may_pass, wanted.cards[0]) == (False, card("4d"))  # the lowest that can be called
    assert offered(bid(must_call, "call 4c"))[0] == "4c"  # the lowest that can be given
    lead = table("4d 4c 9d 6d 5h Ah")
    assert lead.view(0).plays.first(1)[0].cards == cards("4d")  # the lowest single card
    assert why_not(lead, "-") == "7.8"


def test_o15_2_a_house_player_takes_the_seat() -> None:
    replaced(following(on_timeout="substitute"))
    all_pass(first_round(on_timeout="substitute"))  # there nobody loses a seat


def test_o15_3_the_match_ends() -> None:
    unfinished(following(on_timeout="abort"))
    all_pass(first_round(on_timeout="abort"))
