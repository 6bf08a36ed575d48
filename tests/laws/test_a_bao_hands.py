"""What holds in every hand of Tàihé A Bāo, whatever is bid, called and played: properties AB-P1, P2 and P4 to P6.

Checks the property on random hands.
"""

from collections import Counter

import pytest

from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.groups import BINDING
from bot.rules.core.asks import GiveAsk, Name, NameAsk
from bot.rules.core.cards import Rank, write
from tests.rules.a_bao_positions import bid, bidding, rules, table
from tests.rules.a_bao_random import acted, by_chance

SHAPES = {40: 65, 39: 64, 36: 61, 35: 60}  # of plays, by the number of cards

many = pytest.mark.parametrize("seed", range(40))
pytestmark = pytest.mark.rotates(2)


@many
def test_every_hand_ends_with_a_valid_result(seed: int) -> None:
    """AB-P1, P2 and P6."""
    taken = list(by_chance(seed))
    for before, _, _, after in taken:
        if isinstance(before, ABaoBidding):
            assert Counter(each for held in after.hands for each in held) == Counter(after.rules.pack)
            giving = isinstance(after, ABaoBidding) and after.giving
            assert giving or len(set(map(len, after.hands))) == 1
    over = taken[-1][-1]
    assert over.result
    declarer, points = over.result.declarer, over.result.points
    assert declarer is not None
    assert sum(points) == 0
    assert {points[declarer]} == {-(len(points) - 1) * each for seat, each in enumerate(points) if seat != declarer}
    played_out = [seat for seat, held in enumerate(over.result.left) if not held]
    unplayed = over.rules.options.single_caller_wins and len(over.bid.calls) == 1
    assert played_out == ([] if unplayed else [over.result.order[0]])
    assert (points[declarer] > 0) == (over.result.order == (declarer,))


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("aces", [True, False])
def test_the_number_of_shapes_is_as_published(players: int, aces: bool) -> None:
    """AB-P4."""
    game = rules(players=players, aces=aces)
    shapes = [game.alike(combo.cards) for combo in table(of=game)._replace(hands=(game.pack,) * players).view(0).plays]
    assert len(set(shapes)) == len(shapes) == SHAPES[len(game.pack)]


@many
def test_a_caller_always_has_a_card_to_call_and_one_to_give(seed: int) -> None:
    """AB-P5."""
    for before, seat, _, _ in by_chance(seed, starter_must_call=True):
        view = before.view(seat)
        match view.ask:
            case GiveAsk():
                assert view.ask.givable(view.hand)
            case NameAsk(cards=named):
                assert named


@pytest.mark.parametrize("bound", [True, False])
@pytest.mark.parametrize("aces", [True, False])
def test_even_the_worst_hand_has_a_card_to_give(aces: bool, bound: bool) -> None:
    """AB-P5: as many unplayable cards as it can hold."""
    for players in (3, 4, 5):
        game = rules(players=players, aces=aces, starter_must_call=True)
        high = [each for each in game.pack if each.rank is Rank.ACE]
        size = len(game.pack) // players
        rest = [each for each in game.pack if each not in (*high, BINDING)]
        hand = bidding(write([BINDING, *high, *rest[-size:]][:size]), bound=bound, of=game)
        now = bid(hand, *["-"] * players)
        ask = now.view(0).ask
        assert isinstance(ask, NameAsk)
        for wanted in ask.cards:
            asked = acted(now, 0, Name(wanted)).view(0)
            assert isinstance(asked.ask, GiveAsk)
            assert asked.ask.givable(asked.hand)
