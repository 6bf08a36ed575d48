"""The rule page of Big Two, an article at a time: other suits, tiles, other aims (C8, C44, sections 1-3)."""

import pytest

from bot.rules.big_two import BigTwo
from bot.rules.core.cards import SeededRandom, card, cards, tiles, write
from tests.rules.page_articles import forbids, forbids_on, forbids_to_lead, under
from tests.rules.positions import after, climbs, kind, nets, result, table

# Suits


def first_play(game: BigTwo, *low: str) -> None:
    """Hold that a player who was dealt the lowest card begins with it; low: the lowest card and the next ones."""
    for seed in ("a", "b", "c"):
        dealt = game.deal(SeededRandom(seed), 0)
        [seat] = dealt.awaited
        assert card(low[0]) in dealt.hands[seat]
        assert dealt.view(seat).must == card(low[0])
        assert forbids(dealt, str(dealt.hands[seat][1])) == "6.1"
    assert write(game.sort(game.pack)).split()[: len(low)] == [*low]


def test_c8_1_suits_diamonds_high() -> None:
    game = under("C8.1", "pusoy_dos")
    assert climbs("3c", "3s", "3h", "3d", "9c", "9s", "9h", "9d", "2c", "2s", "2h", "2d", of=game)
    assert forbids_on("9s", "9d", game) == "4.2"
    first_play(game, "3c", "3s", "3h", "3d")
    assert not after(table("2d 9c", "2h 2s 2c", "Ad", "Kd", of=game), "2d").view(1).plays


def test_c8_2_suits_as_in_bridge() -> None:
    game = under("C8.2", "taiwan_bridge_suits")
    assert climbs("3c", "3d", "3h", "3s", "9c", "9d", "9h", "9s", "2c", "2d", "2h", "2s", of=game)
    assert forbids_on("9c", "9d", game) == "4.2"
    first_play(game, "3c", "3d", "3h", "3s")


def in_suit(ranks: str, suit: str) -> str:
    return " ".join(rank + suit for rank in ranks)


@pytest.mark.parametrize(("order", "low", "high"), [("cshd", "s", "d"), ("cdhs", "c", "d"), ("cdhs", "d", "h")])
def test_c8_3_the_same_everywhere(order: str, low: str, high: str) -> None:
    game = under("C8.3", suit_order=order)
    others = [suit for suit in "dchs" if suit not in (low, high)]
    least, most = sorted(others, key=order.index)
    if order.index(low) > order.index(least):
        assert climbs(f"7{least} 7{low}", f"7{least} 7{high}", of=game)
        assert forbids_on(f"7{least} 7{low}", f"7{least} 7{high}", game) == "4.3"
    straight = f"4{least} 5{least} 6{least} 7{most} 8"
    assert climbs(straight + low, straight + high, of=game)
    assert forbids_on(straight + low, straight + high, game) == "4.8"
    flush, higher_flush = in_suit("2AKQ9", low), in_suit("34568", high)
    assert climbs(flush, higher_flush, of=game)
    assert forbids_on(flush, higher_flush, game) == "4.10"
    assert climbs(in_suit("45678", low), in_suit("45678", high), of=game)
    assert forbids_on(in_suit("45678", low), in_suit("45678", high), game) == "4.13"


def test_c8_3_the_highest_two() -> None:
    for order, best, second in (("cshd", "2d", "2h"), ("cdhs", "2s", "2h")):
        game = under("C8.3", suit_order=order, last_card_ban="highest_two")
        assert forbids(after(table("3c 4c", best, "5c 6c", "7c 8c", of=game), "3c"), best) == "C23.1"
        assert result(after(table("3c 4c", second, "5c 6c", "7c 8c", of=game), "3c", second)).order == (1,)


# Tiles


def test_c44_1_the_tiles() -> None:
    game = under("C44.1", "lectio_tiles")
    assert set(game.pack) == set(tiles()) == {card(f"{number}{suit}") for number in range(1, 16) for suit in "dchs"}
    assert len(game.pack) == 60
    dealt = game.deal(SeededRandom("a"), 0)
    assert sorted(map(str, game.pack)) == sorted(str(each) for hand in dealt.hands for each in hand)
    assert [len(hand) for hand in dealt.hands] == [12] * 5
    twice = table("3d 4d", *["5d 6d"] * 4, of=game)
    assert forbids(twice, "3d 3d") in {"2.4", "C44.1"}


def test_c44_2_ranks_and_suits_of_the_tiles() -> None:
    game = under("C44.2", "lectio_tiles")
    assert climbs(
        "3d", "3s", "4d", "9h", "10d", "15d", "15c", "15h", "15s", "1d", "1s", "2d", "2c", "2h", "2s", of=game
    )
    assert write(game.sort(cards("2d 1d 15d 10d 9d 3d"))) == "3d 9d 10d 15d 1d 2d"
    assert forbids_on("15s", "1d", game) == "4.2"


def test_c44_4_all_the_rest_with_tiles() -> None:
    game = under("C44.4", "lectio_tiles")
    assert climbs("12d 12c", "12s 12h", "1d 1c", "2d 2c", of=game)
    assert climbs("3d 3c 3h", "15d 15c 15h", "2d 2c 2h", of=game)
    types = ("1d 2c 3h 4s 5d", "3d 5d 7d 9d 11d", "3d 3c 3h 14d 14c", "3d 3c 3h 3s 15d", "3d 4d 5d 6d 7d")
    assert [kind(text, game) for text in types] == ["straight", "flush", "full_house", "quads", "straight_flush"]
    assert climbs(*types, of=game)
    assert climbs("9s 11s 13s 14s 15s", "10d 11d 13d 14d 15d", "3d 4d 5d 6d 2d", of=game)  # flushes by all their ranks
    assert forbids_on("9s 11s 13s 14s 15s", "10d 11d 13d 14d 15d", game) == "C10.3"
    assert forbids_on("3d 3c 3h 14d 14c", "4d 4c 4h 5d 5c", game) == "4.11"
    assert forbids_to_lead("12d 13c", game) == "4.3"


# Aims


def test_c34_4_do_not_be_the_loser() -> None:
    game = under("C34.4", "taiwan")
    over = result(after(table("4s", "3d 3c 5h 6h 7h 8h", "5d", "Kd Kc", of=game), "4s"))
    assert over.points == (0, 1, 0, 0)
    assert nets(over) == (1, -1, 0, 0)


def test_c35_2_only_winning_counts() -> None:
    game = under("C35.2", "pusoy_dos")
    few, many = (result(after(table("4d", held, "5d", "6d", of=game), "4d")) for held in ("7d", "7d 8d 9d Td Jd Qd"))
    assert few.points == many.points == (1, 0, 0, 0)
    assert few.payments == many.payments


def test_c36_2_the_next_best_place() -> None:
    game = under("C36.2", scoring="places", end="play_on")
    over = result(after(table("4d 5d", "9d", "8d Td", "Kd", of=game), "4d", "9d", "-", "Kd", "-", "-", "5d"))
    assert over.order == (1, 3, 0, 2)
    assert over.points == (1, 5, 0, 3)
