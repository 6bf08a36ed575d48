"""Section 9 of the rule page of Big A, an article at a time: how hands make a match."""

import pytest

from bot.rules.big_a import BigA
from bot.rules.big_a.play import BigAGame
from bot.rules.core.asks import ChooseAsk, PlayAsk, Ready, Stop
from bot.rules.core.cards import cards
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from tests.rules.big_a_positions import drawing, drawn, ended, refusal, result, rules, silent, table

FINISH = [3, 0, 2]  # seat 0 being the declarer and seat 2 the partner


def between(of: BigA, *hands: BigAGame) -> Match:
    """Return the match after these finished hands."""
    return Match(of, seed="seed", game=hands[-1], results=tuple(map(result, hands)))


def next_starter(next_starter: str, before: int) -> int:
    """Return who draws first after a hand in which seat ``before`` did."""
    game = rules(next_starter=next_starter)
    over = ended(FINISH, of=game, partner=2)
    match = between(game, over._replace(facts=(("starter", before),)))
    for seat in range(5):
        match = match.act(seat, Ready())
    return match.game.dealer


def test_o1_1_the_first_to_go_out() -> None:
    assert [next_starter("first_out", before) for before in range(5)] == [3] * 5
    assert rules(next_starter="first_out").next_dealer(1, (result(ended([4, 2, 3])),)) == 4


def test_o1_2_the_declarer() -> None:
    assert [next_starter("declarer", before) for before in range(5)] == [0] * 5
    lone = result(ended([2], declarer=2, partner=None))
    assert rules(next_starter="declarer").next_dealer(1, (lone,)) == 2


def test_o1_3_round_the_table() -> None:
    assert [next_starter("rotate", before) for before in range(5)] == [1, 2, 3, 4, 0]


def test_o1_4_the_same() -> None:
    assert [next_starter("same", before) for before in range(5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("next_starter", ["first_out", "declarer", "rotate", "same"])
def test_9_1_after_a_hand_drawn_anew(next_starter: str) -> None:
    draw = drawing(3, aces={"Ah": (104, 106)}, next_starter=next_starter)
    again = drawn(silent(draw))
    assert (again.dealer, again.result, again.redealt != ()) == (3, None, True)


def test_o11_1_as_long_as_you_like() -> None:
    game = rules(match_end="open")
    match = between(game, ended([0, 1], of=game))
    assert (match.over, match.endless, match.to_act) == (False, True, frozenset(range(5)))
    for seat in range(5):
        assert match.act(seat, Stop()).over
    assert not game.is_over((result(ended([0, 1])),) * 100)
    playing = Match(game, seed="seed", game=table())
    with pytest.raises(Illegal):
        playing.act(0, Stop())  # not in the middle of a hand


@pytest.mark.parametrize("deals", [1, 3])
def test_o11_2_so_many_hands(deals: int) -> None:
    game = rules(match_end="deals", deals=deals)
    over = ended([0, 1], of=game)
    assert [between(game, *[over] * count).over for count in range(1, deals + 1)] == [False] * (deals - 1) + [True]
    assert game.hands == deals
    if deals > 1:
        with pytest.raises(Illegal):
            between(game, over).act(0, Stop())


@pytest.mark.parametrize("target", [6, 12, 13])
def test_o11_3_to_a_number_of_points(target: int) -> None:
    hands = {6: 1, 12: 2, 13: 3}[target]  # it is enough to reach it exactly
    game = rules(match_end="points", target=target)
    over = ended([0, 1], of=game)  # 6 points for seat 0
    assert [between(game, *[over] * count).over for count in range(1, hands + 1)] == [False] * (hands - 1) + [True]
    assert game.target == target
    assert not game.is_over((result(ended([0, 2, 1])),) * (target // 6))  # 4 points a hand


def test_9_2_who_wins_the_match() -> None:
    match = between(rules(), ended([0, 1]), ended([2, 3, 4])).act(0, Stop())
    assert match.totals == (0, 0, 0, 0, 0)
    assert match.places == (1, 1, 1, 1, 1)  # equally many share the win
    other = between(rules(), ended([0, 1]), ended([0, 1])).act(0, Stop())
    assert (other.totals, other.places) == ((12, 6, -6, -6, -6), (1, 2, 3, 3, 3))


def test_o17_1_the_least_is_done() -> None:
    assert rules(on_timeout="least").late_policy == "least"
    draw = drawing()
    assert all(
        isinstance(ask := draw.view(seat).ask, ChooseAsk) and ask.answers[0].code == "nothing" for seat in range(5)
    )
    lead = table("4d 4c 9d Ah RJ 7d")
    assert lead.view(0).ask == PlayAsk(may_pass=False)
    assert lead.view(0).plays.first(1)[0].cards == cards("4d")  # the lowest single card
    assert refusal(lead, "-").article == "6.1"


def test_o17_2_a_house_player_takes_the_seat() -> None:
    assert rules(on_timeout="substitute").late_policy == "substitute"


def test_o17_3_the_match_ends() -> None:
    assert rules(on_timeout="abort").late_policy == "abort"
