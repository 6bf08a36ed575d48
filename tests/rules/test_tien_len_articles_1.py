"""Sections 1 to 3 of the rule page of Tiến Lên, an article at a time: cards, who leads first, what may be played."""

import itertools
import random
from collections import Counter

import pytest

from bot.rules.core.cards import card, pack
from bot.rules.tien_len.play import TienLenGame
from tests.rules.tien_len_positions import (
    after,
    beats,
    begun,
    dealt,
    fact,
    kind,
    next_hand,
    not_led,
    refusal,
    rules,
    table,
    up,
    why_not,
)

LOW = ("4s 9c", "3d 3h", "5s 9h")


@pytest.mark.parametrize("seed", ["a", "b"])
def test_1_1_the_pack(seed: str) -> None:
    game = dealt(seed)
    assert [len(each) for each in game.hands] == [13] * 4
    assert Counter(sum(game.hands, ())) == Counter(pack())


def test_o1_1_four_players() -> None:
    assert (len(dealt("x", players=4).hands), dealt("x").hidden_cards) == (4, ())


def test_o1_2_three_players() -> None:
    game = dealt("x", players=3)
    assert ([len(each) for each in game.hands], len(game.hidden_cards)) == ([13] * 3, 13)
    assert not set(game.hidden_cards) & set(sum(game.hands, ()))


def test_o1_3_two_players() -> None:
    game = dealt("x", players=2)
    assert ([len(each) for each in game.hands], len(game.hidden_cards)) == ([13] * 2, 26)


def test_1_2_order_of_ranks() -> None:
    order = "3456789TJQKA2"
    assert [str(each.rank) for each in rules().pack[::4]] == list(order)
    assert all(beats(f"{high}s", f"{low}h") for low, high in itertools.pairwise(order) if low != "3")


def test_1_3_order_of_suits() -> None:
    assert list(map(str, rules().pack[:4])) == ["3s", "3c", "3d", "3h"]
    assert (rules().pack[0], rules().pack[-1]) == (card("3s"), card("2h"))
    assert [str(each) for each in rules().sort(rules().pack[:8], by_suit=True)][:4] == ["3s", "4s", "3c", "4c"]


def test_o4_1_clockwise() -> None:
    game = table("5s 9s", "6s 9c", "7s 9d", direction="clockwise")
    assert [now.turn for now in (game, after(game, "5s"), after(game, "5s", "6s"))] == [0, 1, 2]


def test_o4_2_anticlockwise() -> None:
    game = table("5s 9s", "7s 9d", "6s 9c", direction="counter")
    assert [now.turn for now in (game, after(game, "5s"), after(game, "5s", "6s"))] == [0, 2, 1]


def test_2_1_the_lowest_card_leads_the_first_hand() -> None:
    for seed in "abcd":
        game = dealt(seed, players=3)
        lowest = min(sum(game.hands, ()), key=game.rules.pack.index)
        assert lowest in game.hands[game.turn]
        assert (fact(game, "low"), fact(game, "starter")) == (lowest, game.turn)
        others = [None, *(seat for seat in range(3) if seat != game.turn)]
        assert all(game.view(seat).known == ((game.turn, lowest),) for seat in others)
        imagined = game.rules.imagine(game.view(None), random.Random(seed))
        assert isinstance(imagined, TienLenGame)
        assert min(sum(imagined.hands, ()), key=game.rules.pack.index) is lowest, "what is lower lies aside"


def test_o2_1_the_first_play_contains_it() -> None:
    game = begun(*LOW)
    assert (game.turn, game.view(1).must) == (1, card("3d"))
    assert why_not(game, "3h") == "O2.1"
    assert [str(each) for each in game.view(1).plays] == ["single 3d", "pair 3d 3h"]
    assert after(game, "3d").view(1).must is None
    assert after(game, "3d", "-", "-").turn == 1
    assert after(game, "3d").view(None).known == ()


def test_o2_2_any_first_play() -> None:
    game = begun(*LOW, first_play="any")
    assert (game.turn, game.view(1).must) == (1, None)
    assert after(game, "3h").view(0).known == ((1, card("3d")),)


def test_o3_1_the_winner_leads_the_next_hand() -> None:
    game = next_hand(after(table("Kd", "Ad", "8h", turn=1, later_lead="winner", play_on="first"), "Ad"))
    assert (game.turn, fact(game, "low"), game.view(1).must) == (1, None, None)


def test_o3_2_the_lowest_card_leads_every_hand() -> None:
    game = next_hand(after(table("Kd", "Ad", "8h", turn=1, later_lead="lowest_card", play_on="first"), "Ad"))
    lowest = min(sum(game.hands, ()), key=game.rules.pack.index)
    assert lowest in game.hands[game.turn]
    assert game.view(None).must is lowest


def test_2_2_who_won_at_once_leads_too() -> None:
    over = begun(up("456") + " 7s", up("2", 4), first=False, instant="south")
    assert over.result
    assert next_hand(over).turn == 1


def test_3_1_cards_of_one_rank() -> None:
    assert [kind(up("9", count)) for count in (1, 2, 3, 4)] == ["single", "pair", "triple", "four"]
    for odd in ("9s 8s", "9s 9c 8s", "9s 9c 9d 8s", "9s 9c 9d 8s 8c", "9s 9c 9d 9h 8s", "8s 8c 9s 9c"):
        assert kind(odd) is None
        assert not_led(odd) == "3.1"


def test_3_2_sequence() -> None:
    assert kind("7d 8s 9s") == kind("3s 4c 5d 6h") == kind("Qs Kd Ah") == "sequence"
    assert kind(" ".join(f"{rank}s" for rank in "3456789TJQKA")) == "sequence"
    apart = "the ranks don't follow each other"
    for odd, why in (("Ks Ad 2h", "2s"), ("As 2s 4s", "2s"), ("4s 5s 7s", apart), ("Qs As 4d", apart)):
        assert kind(odd) is None
        assert why in refusal(table(f"{odd} 3s", "9s", "9c"), odd).sentence
        assert not_led(odd) == "3.2"


def test_o5_1_any_suits() -> None:
    assert kind("7d 8s 9s", sequence_suit="any") == kind("7s 8s 9s", sequence_suit="any") == "sequence"


def test_o5_2_one_suit() -> None:
    assert kind("7s 8s 9s", sequence_suit="same") == "sequence"
    assert kind(up("789"), sequence_suit="same") == "double_sequence"
    assert not_led("7s 8s 9d", sequence_suit="same") == "O5.2"
    assert not_led("7s 8s Td", sequence_suit="same") == "3.2"


def test_3_3_double_sequence() -> None:
    assert kind("5s 5h 6c 6d 7s 7c", double_sequences=True) == kind(up("456789")) == "double_sequence"
    assert not_led(up("KA2")) == not_led(up("459")) == "3.3"
    assert not_led("5s 5c 6s 6c") == not_led("5s 5c 6s 6c 7s") == "3.1"


def test_o6_1_no_double_sequences() -> None:
    assert kind(up("567"), double_sequences=False) is None
    assert not_led(up("567"), double_sequences=False) == "O6.1"
