"""The rule page of Big Two, an article at a time: players, cards, aim, deal, play and scoring.

Sections 4 and 8 and the articles on options (C) have files of their own beside this one; that no article is without a
test is checked in test_big_two_refusals.py.
"""

from collections import Counter

import pytest

from bot.games import GAMES
from bot.rules.big_two import BigTwo
from bot.rules.big_two.hands import laid_out
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.rules import first_seat
from bot.rules.big_two.state import Dealt
from bot.rules.core.asks import Pass, PlayAsk, Ready
from bot.rules.core.cards import Card, SeededRandom, card, cards, pack, shuffled, write
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from tests.rules.positions import after, climbs, lying, named, nets, refusal, result, table

GAME = BigTwo()


def deal(seed: str = "a", dealer: int = 0) -> tuple[tuple[Card, ...], ...]:
    """Return the hands of one deal."""
    game = GAME.deal(SeededRandom(seed), dealer)
    return tuple(game.view(seat).hand for seat in range(4))


def begun(*held: str) -> BigTwoGame:
    """Return the hand that begins with these cards."""
    return laid_out(GAME, Dealt(0, cut=card("Ad")), tuple(map(cards, held)))


def left(*counts: int) -> Result:
    """Return the result of a hand won by seat 0. left: cards of the others."""
    rest = [each for each in pack() if str(each) != "2s"]
    others = [" ".join(map(str, rest[at * 13 : at * 13 + count])) for at, count in enumerate(counts)]
    return result(after(table("2s", *others), "2s"))


def test_1_1_four_players() -> None:
    assert GAME.players == 4
    assert GAME.players in GAMES["big_two"].seats
    assert len(deal()) == 4


def test_2_1_the_pack() -> None:
    assert len(pack()) == len(set(pack())) == 52
    assert Counter(held for hand in deal() for held in hand) == Counter(pack())


def test_2_2_ranks() -> None:
    assert write(GAME.sort(cards("2d Kd Ad Qd Jd Td 9d 8d 7d 6d 5d 4d 3d"))) == "3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad 2d"


def test_2_3_suits() -> None:
    assert climbs("Kd", "Kc", "Kh", "Ks")


def test_2_4_one_ladder_of_52() -> None:
    ladder = write(GAME.sort(pack())).split()
    assert ladder[:5] == ["3d", "3c", "3h", "3s", "4d"]
    assert ladder[-4:] == ["2d", "2c", "2h", "2s"]
    assert climbs(*ladder[::5], "2s")


def test_2_5_where_the_two_is_low() -> None:
    assert climbs("2s 3d 4d 5d 6c", "3d 4d 5d 6d 7c")
    assert climbs("2s 3s 4s 5s 6s", "3d 4d 5d 6d 7d")
    assert climbs("Ah Kh Qh Jh 9h", "2h 3h 4h 5h 7h")


def test_3_1_get_rid_of_your_cards() -> None:
    over = result(after(table("4d", "9d 9c", "Td", "Jd"), "4d"))
    assert over.order == (0,)
    assert over.points[0] == 0
    assert GAME.ranking((over,)) == over.points == (0, 2, 1, 1)


def test_3_2_every_card_left_costs() -> None:
    assert [left(count, 0, 0).points[1] for count in range(1, 14)] == sorted({*range(1, 10), 20, 22, 24, 39})


def test_5_1_direction() -> None:
    turns = [after(table("4d 5d", "6d 7d", "8d 9d", "Td Jd"), *moves).turn for moves in ((), ("4d",), ("4d", "-"))]
    assert turns == [0, 1, 2]


def test_5_2_the_winner_deals() -> None:
    assert {GAME.first_dealer(SeededRandom(str(seed))) for seed in range(40)} == {0, 1, 2, 3}
    over = result(after(table("4d 5d", "9d", "Td Jd", "Qd Kd"), "4d", "9d"))
    assert GAME.next_dealer(3, (over,)) == 1


def test_5_3_shuffle() -> None:
    assert deal("a") == deal("a")
    assert deal("a") != deal("b")
    three = cards("3d 4d 5d")
    orders = Counter(tuple(shuffled(three, SeededRandom(str(seed)))) for seed in range(3000))
    assert len(orders) == 6
    assert all(400 < count < 600 for count in orders.values())


def test_5_4_the_shown_card_stays_in_the_pack() -> None:
    for seed in range(20):
        game = GAME.deal(SeededRandom(str(seed)), 0)
        assert dict(game.view(None).facts)["cut"] in {held for seat in range(4) for held in game.view(seat).hand}


@pytest.mark.parametrize(("cut", "offset"), [("A59K", 0), ("26T", 1), ("37J", 2), ("48Q", 3)])
def test_5_5_who_gets_the_first_card(cut: str, offset: int) -> None:
    for dealer in range(4):
        assert {first_seat(GAME.options, dealer, card(f"{rank}d")) for rank in cut} == {(dealer + offset) % 4}


def test_5_6_the_suit_is_nothing_the_ace_one_and_the_two_two() -> None:
    assert {first_seat(GAME.options, 0, card(f"A{suit}")) for suit in "dchs"} == {0}
    assert {first_seat(GAME.options, 0, card(f"2{suit}")) for suit in "dchs"} == {1}


def test_5_7_thirteen_each_beginning_with_that_player() -> None:
    for seed in range(8):
        assert [len(hand) for hand in deal(str(seed))] == [13] * 4
    by_cut: dict[int, tuple[Card, ...]] = {}
    for dealer in range(4):  # one shuffle, four dealers: the same piles go round the table
        game = GAME.deal(SeededRandom("a"), dealer)
        first = first_seat(GAME.options, dealer, dict(game.view(None).facts)["cut"])
        by_cut[dealer] = game.view(first).hand
    assert len(set(by_cut.values())) == 1


def test_5_8_your_own_cards_sorted_as_you_like() -> None:
    held = cards("2s 3d Ks 3c 9d")
    assert write(GAME.sort(held)) == "3d 3c 9d Ks 2s"
    assert write(GAME.sort(held, by_suit=True)) == "3d 9d 3c Ks 2s"
    game = GAME.deal(SeededRandom("a"), 0)
    assert [len(game.view(seat).hand) for seat in (0, 1, 2, 3, None)] == [13, 13, 13, 13, 0]


def test_6_1_the_first_play() -> None:
    game = begun("4c 6c", "3d 3c 3h 3s 4d 8h", "5c 5h", "7s 7h")
    assert game.to_act == {1}
    assert refusal(game, "3c").article == "6.1"
    assert refusal(game, "-").article == "6.7"
    assert all(card("3d") in combo.cards for combo in game.view(1).plays)
    assert {combo.kind for combo in game.view(1).plays} == {"single", "pair", "triple", "quads"}
    with_odd = begun("9d 9c 9h 9s 3d 8h", "5c 5h", "6c 6h", "7c 7h")
    assert after(with_odd, "9d 9c 9h 9s 3d").turn == 1
    assert after(game, "3d").view(2).must is None


def test_6_2_turns() -> None:
    game = after(table("4d 9d", "5h Jh", "9c 8c", "5s Ts"), "4d")
    assert {game.view(seat).awaited for seat in (None, 0, 1, 2, 3)} == {frozenset({1})}
    refused = refusal(game, "9c", seat=2)
    assert (refused.article, refused.values) == ("6.2", {"seat": 1})


def test_6_3_pass_or_beat_with_your_own_cards() -> None:
    game = lying("5h", "4d Kd")
    assert refusal(game, "4d").article == "4.2"
    assert refusal(game, "As").article == "6.3"
    assert refusal(game, "").article == "6.3"
    assert refusal(game, "Kd Kd").article == "2.4"
    assert after(game, "Kd").trick.top == named("Kd")


def test_6_4_beating_is_never_a_duty() -> None:
    game = after(table("3c 8c", "2s 2h", "5d 6d", "7d 9d"), "3c")
    ask = game.view(1).ask
    assert isinstance(ask, PlayAsk)
    assert ask.may_pass
    assert after(game, "-").turn == 2


def test_6_5_a_pass_is_not_for_good() -> None:
    game = after(table("4d 9d", "Jh 7c", "2c Kd", "As Ts"), "4d", "Jh", "-", "As", "-", "-")
    assert after(game, "2c").trick.owner == 2


def test_6_6_the_end_of_a_trick() -> None:
    game = after(table("4d 9d 9c", "Jh 7c 7d", "3c Kd", "5s Ts"), "4d", "Jh", "-", "-")
    assert game.tricks == ()
    game = after(game, "-")
    assert (game.turn, len(game.tricks), game.trick.top) == (1, 1, None)
    assert after(game, "7c 7d").result is not None


def test_6_7_the_leader_must_play() -> None:
    game = table("4d 5d", "9d", "Td", "Jd")
    assert refusal(game, "-").article == "6.7"
    ask = game.view(0).ask
    assert isinstance(ask, PlayAsk)
    assert not ask.may_pass


def test_6_8_the_heap_lies_face_up() -> None:
    view = after(table("4d 9d", "Jh 7c", "2c Kd", "As Ts"), "4d", "Jh", "-").view(None)
    assert [(move.seat, move.combo) for move in view.trick.moves] == [(0, named("4d")), (1, named("Jh")), (2, None)]


def test_6_9_counting_cards_is_open() -> None:
    game = after(table("4d 9d 9c", "Jh 7c", "2c Kd", "As Ts"), "4d", "Jh")
    assert {game.view(seat).counts for seat in (None, 0, 1, 2, 3)} == {(2, 1, 2, 2)}


def test_6_10_going_out_ends_the_hand_at_once() -> None:
    game = after(table("4d 2s", "5h Jh", "9c", "5s Ts"), "4d", "5h", "9c")
    assert result(game).order == (2,)
    assert game.to_act == game.view(None).awaited == game.view(None).to_act == frozenset()
    assert {game.view(seat).ask for seat in (None, 0, 1, 2, 3)} == {None}
    assert [refusal(game, text, seat=3).article for text in ("Ts", "-")] == ["6.10", "6.10"]
    match = Match(GAME, seed="seed", game=game, results=(result(game),))
    with pytest.raises(Illegal, match=r"6\.10"):
        match.act(3, Pass())
    assert match.act(3, Ready()).ready == {3}


def test_6_11_an_example() -> None:
    hands = ("4d 5d 9h", "Jh 6d 7d", "2c 8d 9d", "As Td Jd")
    game = after(table(*hands), "4d", "Jh", "-", "As", "-", "-", "2c")
    assert (game.turn, game.trick.owner, game.trick.top) == (3, 2, named("2c"))


@pytest.mark.parametrize(("count", "points"), [(1, 1), (9, 9), (10, 20), (11, 22), (12, 24), (13, 39)])
def test_7_1_penalty_points(count: int, points: int) -> None:
    assert left(count, 1, 2).points == (0, points, 1, 2)


def test_7_2_thirteen_goes_by_the_number_of_cards() -> None:
    assert left(13, 13, 12).points == (0, 39, 39, 24)
    assert left(13, 13, 12).order == (0,)


def test_7_3_the_running_score() -> None:
    one, two = left(9, 10, 13), left(1, 2, 3)
    game = after(table("2s", "3d", "4d", "5d"), "2s")
    match = Match(GAME, seed="seed", game=game, results=(one, two))
    assert match.totals == (0, 10, 22, 42)
    assert match.places == (1, 2, 3, 4)


def test_7_4_settling_up() -> None:
    assert nets(left(9, 10, 13)) == (68, 32, -12, -88)
    one, two = left(9, 10, 13), left(1, 2, 3)
    match = Match(GAME, seed="seed", game=after(table("2s", "3d", "4d", "5d"), "2s"), results=(one, two))
    assert match.nets == tuple(map(sum, zip(nets(one), nets(two), strict=True)))
    assert match.nets == tuple(sum(match.totals) - 4 * total for total in match.totals)


def test_7_5_the_stake() -> None:
    game = table("2s", "3d 4d", "5d", "6d 7d 8d", stake=7)
    assert nets(result(after(game, "2s"))) == (42, -14, 14, -42)
    free = result(after(table("2s", "3d 4d", "5d", "6d 7d 8d", stake=0), "2s"))
    assert (free.points, free.payments) == ((0, 2, 1, 3), ())
