"""The articles on options in sections 1 and 5 of the rule page: players, direction, who deals, and the deal itself."""

from typing import Any

import pytest

from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.cards import Card, SeededRandom, shuffled
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from tests.rules.positions import after, finished, result, rules, table

TWICE = range(40)


def deal(of: BigTwo, seed: object = "a", dealer: int = 0, past: tuple[Result, ...] = ()) -> BigTwoGame:
    """Return a hand as it is dealt."""
    return of.deal(SeededRandom(str(seed)), dealer, past)


def holder(game: BigTwoGame, held: Card) -> int | None:
    """Return the seat holding a card."""
    return next((seat for seat, hand in enumerate(game.hands) if held in hand), None)


def first_to(of: BigTwo, seed: object, dealer: int = 0, past: tuple[Result, ...] = ()) -> int | None:
    """Return the seat that gets the first card of the pack as it was shuffled."""
    return holder(deal(of, seed, dealer, past), shuffled(of.pack, SeededRandom(str(seed)))[0])


def fact(game: BigTwoGame, name: str) -> object:
    """Return a fact that every player knows, or None."""
    return dict(game.view(None).facts).get(name)


def hand_before(of: BigTwo) -> Result:
    """Return a hand that seat 1 won and in which seat 3 had most cards left."""
    return finished(of, *["6c 7c", "", "9d", "Td Jd Qd"][: of.players])


# 1 Players


def test_c38_3_three_players() -> None:
    of = rules("three_player")
    assert (of.players, len(deal(of).hands)) == (3, 3)
    game = after(table("4d 9d", "5d 8d", "6d Td", of=of), "4d", "5d", "6d")
    assert game.turn == 0
    assert (after(game, "-", "-").turn, after(game, "-", "-").trick.top) == (2, None)


def test_c43_1_two_players() -> None:
    of = rules("two_player")
    assert (of.players, len(deal(of).hands)) == (2, 2)
    game = after(table("4d 9d", "5d 8d", of=of), "4d", "-")
    assert (game.turn, game.trick.top, len(game.tricks)) == (0, None, 1)


def test_c44_7_five_players() -> None:
    of = rules("lectio_tiles")
    assert (of.players, len(deal(of).hands)) == (5, 5)
    with pytest.raises(Illegal):
        Options(players=5)  # ordinary cards do not divide among five


# 5 Direction


def turns(of: BigTwo, number: int = 1) -> list[int]:
    """Return on turn, beginning with seat 0, in a hand of this number."""
    game = table("4d 9d", "5d 8d", "6d Td", "7d Jd", number=number, of=of)
    return [after(game, *moves).turn for moves in ((), ("4d",), ("4d", "-"), ("4d", "-", "-"))]


def test_c1_2_clockwise() -> None:
    assert turns(rules(direction="clockwise")) == [0, 3, 2, 1]  # seats are numbered to the right
    assert turns(rules(direction="anticlockwise")) == [0, 1, 2, 3]


def ways(of: BigTwo) -> list[str]:
    """Return which way the first four hands of a match go, as every player is told."""
    past = [(hand_before(of),) * count for count in range(4)]
    known = [dict(deal(of, past=each).view(None).facts) for each in past]
    return [way for facts in known for way in ("anticlockwise", "clockwise") if way in facts]


def test_c1_3_by_turns_this_way_and_that() -> None:
    of = rules(direction="alternate")
    for count in range(4):
        game = deal(of, past=(hand_before(of),) * count)
        [leader] = game.awaited
        step = -1 if count % 2 else 1
        assert after(game, "3d").turn == (leader + step) % 4


def test_c1_5_first_anticlockwise() -> None:
    of = rules(direction="alternate", alternate_first="anticlockwise")
    assert ways(of) == ["anticlockwise", "clockwise", "anticlockwise", "clockwise"]


def test_c1_6_first_clockwise() -> None:
    of = rules(direction="alternate", alternate_first="clockwise")
    assert ways(of) == ["clockwise", "anticlockwise", "clockwise", "anticlockwise"]


def test_c1_1_what_follows_the_direction() -> None:
    of = rules(direction="clockwise")
    ten = next(seed for seed in TWICE if str(fact(deal(of, seed, 2), "cut"))[0] == "T")
    assert first_to(of, ten, dealer=2) == 1  # the count goes clockwise too
    pack = shuffled(of.pack, SeededRandom(str(ten)))
    assert [holder(deal(of, ten, 2), each) for each in pack[:5]] == [1, 0, 3, 2, 1]  # and the dealing
    assert rules(direction="clockwise", dealer="rotate").next_dealer(2, (hand_before(of),)) == 1
    careless = result(after(table("9s Kd", "3c 4c", "5h 6h", "Qs", turn=1, of=of), "3c", "-", "Qs"))
    assert careless.points == (5, 0, 0, 0)  # seat 0 has seat 3 after it, and should have played the king


# 5 Who deals


def test_c3_1_the_deal_goes_round() -> None:
    of = rules(dealer="rotate")
    assert {of.first_dealer(SeededRandom(str(seed))) for seed in TWICE} == {0, 1, 2, 3}
    assert [of.next_dealer(dealer, (hand_before(of),)) for dealer in range(4)] == [1, 2, 3, 0]
    assert [rules("denexa").next_dealer(dealer, (hand_before(of),)) for dealer in range(4)] == [3, 0, 1, 2]


def dealers(of: BigTwo) -> list[int]:
    """Return who deals the first five hands if seat 0 begins and seat 1 always wins."""
    found = [0]
    for count in range(1, 5):
        found.append(of.next_dealer(found[-1], (hand_before(of),) * count))
    return found


def test_c1_4_always_the_same_way_round() -> None:
    assert dealers(rules(direction="alternate", dealer="rotate")) == [0, 1, 2, 3, 0]
    assert dealers(rules(direction="alternate", alternate_first="clockwise", dealer="rotate")) == [0, 3, 2, 1, 0]


def test_c3_4_the_loser_deals() -> None:
    of = rules(dealer="loser")
    assert {of.first_dealer(SeededRandom(str(seed))) for seed in TWICE} == {0, 1, 2, 3}
    assert of.next_dealer(0, (hand_before(of),)) == 3


@pytest.mark.parametrize("dealer", ["winner", "loser", "rotate", "round_draw"])
def test_c3_2_the_loser_deals_and_begins(dealer: str) -> None:
    of = rules(starter="first_low_then_loser", dealer=dealer, round_deals=1)
    past = (hand_before(of),)
    game = deal(of, dealer=of.next_dealer(0, past), past=past)
    assert (game.dealer, game.awaited, game.view(None).must) == (3, frozenset({3}), None)
    assert fact(game, "draws") is None


def test_c7_2_the_draw_for_the_deal() -> None:
    of = rules(dealer="round_draw", round_deals=3)
    assert {of.first_dealer(SeededRandom(str(seed))) for seed in TWICE} == {0, 1, 2, 3}
    one = hand_before(of)
    for count in (0, 1, 2):
        assert fact(deal(of, dealer=1, past=(one,) * count), "draws") is None
        assert deal(of, dealer=1, past=(one,) * count).dealer == 1
    assert [of.next_dealer(0, (one,) * count) for count in (1, 2)] == [1, 1]  # inside a round the winner
    drawn = {}
    for seed in TWICE:
        game = deal(of, seed, dealer=1, past=(one,) * 3)
        draws = dict(game.view(None).facts)["draws"]
        assert len(set(draws)) == 4
        assert draws[game.dealer] == of.sort(draws)[-1]
        assert sorted(map(str, [held for hand in game.hands for held in hand])) == sorted(map(str, of.pack))
        drawn[game.dealer] = draws
    assert set(drawn) == {0, 1, 2, 3}
    every = rules(dealer="round_draw", round_deals=1)
    assert [fact(deal(every, past=(one,) * count), "draws") is None for count in range(3)] == [True, False, False]
    assert Options().round_deals == 10


def test_c3_3_winner_and_loser() -> None:
    game = after(table("4d", "9d", "5d Td", "6d 8d", end="play_on"), "4d", "9d", "Td", "-", "5d")
    assert result(game).order == (0, 1, 2, 3)
    assert rules(end="play_on").next_dealer(2, (result(game),)) == 0
    assert rules(end="play_on", dealer="loser").next_dealer(2, (result(game),)) == 3
    begins = rules(end="play_on", starter="first_low_then_winner")
    assert deal(begins, past=(result(game),)).awaited == {0}


# 5 The loser


def loser(*left: str, **options: Any) -> int:
    """Return who deals after a hand that seat 0 won, where the loser deals."""
    of = rules(**{"dealer": "loser", **options})
    return of.next_dealer(0, (finished(of, "", *left),))


def test_c5_1_the_loser() -> None:
    assert loser("3d 3c 3h 3s", "4d 4c 4h 4s 5d", "2d 2c 2h") == 2
    assert [loser(*left) for left in (("3d 3c", "4d", "5d"), ("3d", "4d", "5d 5c"))] == [1, 3]


def test_c5_2_several_with_most_cards() -> None:
    assert loser("3d 3c 7h 9s Kd", "4d 6c 8h Ts Qd", "2d") == 2  # a pair against a single card
    assert loser("3d 3c 3h 9s Kd", "9d 9c 8h 8s Qd", "2d") == 2  # a triple against a pair, though that is of nines


def test_c5_3_the_poorest_loses() -> None:
    assert loser("3d 3c 7h 9s Kd", "6c 8h 8s Ts Qd", "2d") == 1  # threes are the weaker pair
    assert loser("9d 9c 9h Kh Kc", "3d 4c 5h 6s 7d", "2d") == 2  # the straight is weaker
    assert loser("5h Ts 4c", "6s Jd 3c", "Qc 4d 7h") == 1  # three single cards: the ten is the weakest


def test_c5_4_what_may_be_formed() -> None:
    triple = ("7d 7c 7h 4d 9s", "8d 8c 5h 6s Td", "2d")
    assert (loser(*triple), loser(*triple, triples=False)) == (2, 1)
    alone = ("7d 7c 7h 7s", "9d 9c 9h 4s", "2d")
    assert (loser(*alone), loser(*alone, quads_form="both"), loser(*alone, quads_form="bare")) == (1, 2, 2)
    apart = ("As Ad Ah Kd Kc", "3d 4c 5h 6s 7d", "2d")
    assert loser(*apart, full_house_beats_straight=False) == 2  # in play they could not meet
    seven = ("9s 8s 7s 6s 5s 3d 4c", "Kd Kc Kh Ks 2d 8c Th", "2h")
    by_size = {"five_order": "royal_only_beats_quads"}  # there the quads are the higher
    assert (loser(*seven, **by_size), loser(*seven, **by_size, sf_form="plus_two")) == (1, 2)


def test_c5_5_not_the_one_who_pays() -> None:
    of = rules("taiwan", dealer="loser")
    over = finished(of, "", "2d", "Kd Kc", "5d 6d 7d")
    assert over.points == (0, 1, 0, 0)
    assert of.next_dealer(0, (over,)) == 3


# 5 The first card, and how many


def test_c44_10_only_for_counting() -> None:
    of = rules("lectio_tiles", first_card="cut")
    shown = {}
    for seed in range(150):
        cut = dict(deal(of, seed).view(None).facts)["cut"]
        shown[str(cut)[:-1]] = first_to(of, seed)
    assert shown == {str(number): -(number - 1) % 5 for number in range(1, 16)}  # clockwise


@pytest.mark.parametrize(("direction", "ahead"), [("anticlockwise", 1), ("clockwise", -1)])
def test_c2_2_where_the_count_ends(direction: str, ahead: int) -> None:
    of = rules(direction=direction)
    shown = {str(fact(deal(of, seed, 1), "cut"))[0]: first_to(of, seed, 1) for seed in range(120)}
    for ranks, away in (("A59K", 0), ("26T", 1), ("37J", 2), ("48Q", 3)):
        assert {shown[rank] for rank in ranks} == {(1 + away * ahead) % 4}


def test_c2_1_the_first_card() -> None:
    of = rules(first_card="next_player")
    for seed in range(5):
        game, pack = deal(of, seed, dealer=3), shuffled(of.pack, SeededRandom(str(seed)))
        assert (holder(game, pack[0]), holder(game, pack[-1]), fact(game, "cut")) == (0, 3, None)
    assert first_to(rules("denexa"), "a", dealer=3) == 2


def sizes(**options: Any) -> tuple[set[int], int]:
    """Return how many cards each player is dealt, and how many are left over."""
    game = deal(rules(**options))
    return {len(hand) for hand in game.hands}, len(game.hidden_cards)


def test_c38_5_thirteen_each() -> None:
    assert sizes(hand_size="all") == sizes(hand_size=13) == ({13}, 0)


def test_c38_6_all_of_them() -> None:
    assert sizes(players=2, hand_size="all") == ({26}, 0)
    assert sizes(players=3, deck="tiles60") == ({20}, 0)
    assert sizes(players=4, deck="tiles60") == ({15}, 0)
    with pytest.raises(Illegal, match=r"doesn't divide"):
        Options(players=3, hand_size="all")


def test_c44_11_twelve_each() -> None:
    assert sizes(preset="lectio_tiles") == ({12}, 0)


def test_c38_7_twelve_each() -> None:
    assert [sizes(players=seats, hand_size=12) for seats in (2, 3, 4)] == [({12}, 28), ({12}, 16), ({12}, 4)]


def test_c38_8_thirteen_each() -> None:
    assert [sizes(players=seats, hand_size=13) for seats in (2, 3)] == [({13}, 26), ({13}, 13)]
    assert sizes(players=4, hand_size=13, deck="tiles60") == ({13}, 8)


def test_c38_9_seventeen_each() -> None:
    assert sizes(preset="two_player") == ({17}, 18)
    assert sizes(players=3, hand_size=17) == ({17}, 1)


def test_c38_10_twenty_one_each() -> None:
    assert sizes(players=2, hand_size=21) == ({21}, 10)
    with pytest.raises(Illegal, match=r"aren't enough cards"):
        Options(players=3, hand_size=21)


def test_c38_1_enough_cards() -> None:
    for players, hand_size in ((2, 21), (3, 17), (4, 13)):
        assert len({len(hand) for hand in deal(rules(players=players, hand_size=hand_size)).hands}) == 1
    too_many = ({"players": 3, "hand_size": 21}, {"hand_size": 17}, {"players": 5, "hand_size": 12})
    for wrong in (*too_many, {"players": 3, "hand_size": "all"}, {"players": 5, "hand_size": "all"}):
        with pytest.raises(Illegal) as caught:
            rules(**wrong)
        assert caught.value.article == "C38.1"


def test_c38_4_the_rest() -> None:
    game = deal(rules("two_player"))
    rest = set(game.hidden_cards)
    assert len(rest) == 18
    for seat in (0, 1, None):
        view = game.view(seat)
        assert not rest & {*view.hand, *(held for _, held in view.known)}
    [leader] = game.awaited
    assert len(after(game, str(game.view(leader).must), "-").hidden_cards) == 18  # nobody draws from it


def test_c41_1_the_stock() -> None:
    assert [fact(deal(rules("three_player_draw", players=seats)), "stock") for seats in (2, 3)] == [26, 13]
    anew = [deal(rules("three_player_draw"), seed).dealt.luck for seed in "ab"]
    assert len({0, *anew}) == 3  # how the stock is shuffled again cannot be foreseen
