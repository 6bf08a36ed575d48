"""Sections 1 and 2 of the rule page of The Big and the Little A, an article at a time: the cards, and who leads."""

from collections import Counter
from random import Random

import pytest

from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.matches.match import Match
from tests.rules.big_little_a_positions import (
    after,
    asking,
    beats,
    counts,
    deal,
    ended,
    fact,
    held,
    offers,
    pile,
    points,
    result,
    rules,
    table,
)

LEFT_OVER = {3: 69, 4: 56, 5: 43, 6: 30, 7: 17, 8: 4, 9: 0}


def test_1_1_three_to_nine_players() -> None:
    assert GAMES["big_little_a"].seats == (3, 4, 5, 6, 7, 8, 9)
    for players in GAMES["big_little_a"].seats:
        game = deal("seats", rules(players=players))
        assert (game.rules.players, len(counts(game))) == (players, players)
        assert all(not game.view(seat).allies for seat in range(players))
    assert points("5 7", "1", "13 13") == [0, 12, 1, 26]  # the first to go out ends the hand


def test_1_2_the_cards() -> None:
    in_pack = Counter(map(str, rules().pack))
    assert in_pack == {f"{number}n": 8 for number in range(1, 14)} | {"JK": 4, "LA": 1, "BA": 1}
    assert in_pack.total() == 110
    assert held("13 J a A") == cards("13n JK LA BA")


def test_o1_1_thirteen_each() -> None:
    for each in (
        rules(players=3),
        rules(players=4),
        rules(players=5),
        rules(players=6),
        rules("party"),
        rules(players=8),
    ):
        assert counts(deal("thirteen", each)) == [13] * each.players


def test_o1_2_twelve_each() -> None:
    assert counts(deal("twelve", rules(players=9))) == [12] * 9


@pytest.mark.parametrize("players", LEFT_OVER)
def test_1_3_what_is_left_over(players: int) -> None:
    game = deal("left over", rules(players=players))
    assert len(game.unused) == LEFT_OVER[players]
    everything = Counter(each for hand in game.hands for each in hand) + Counter(game.hidden_cards)
    assert everything == Counter(game.rules.pack)
    assert not set(map(str, game.view(None).known)) & set(map(str, game.unused))


LEFT = ("5 5", "9")


def test_o8_1_never_shown() -> None:
    over = ended(*LEFT, unused="7 7 J", unused_cards="hidden")
    assert (over.unused, result(over).notes) == (held("7 7 J"), ())
    assert over.hidden_cards == over.unused


def test_o8_2_shown_afterwards() -> None:
    over = ended(*LEFT, unused="7 7 J", unused_cards="shown_after_deal")
    [note] = result(over).notes
    assert (note.article, dict(note.values)) == ("O8.2", {"cards": held("7 7 J")})
    assert over.view(None).result == over.view(0).result == over.result  # every player is shown them
    assert result(ended(*LEFT, unused_cards="shown_after_deal")).notes == ()  # with nine players there are none


def test_1_4_the_a_cards_in_the_middle() -> None:
    for seed in range(20):
        game = deal(f"{seed}")
        assert fact(game, "middle") == held("a A")
        assert not {*held("a A")} & {each for hand in (*game.hands, game.unused) for each in hand}
        assert (fact(game, "little"), fact(game, "big"), pile(game)) == (None, None, None)


def test_1_5_no_suits() -> None:
    assert len({*held("7 7 7")}) == 1
    assert not beats("7", "7")
    assert offers(table("5 5 5 9", "1", "1")) == ["5", "9", "5 5", "5 5 5"]  # equal cards are one offer
    assert rules().alike(held("5 J 5")) == rules().alike(held("J 5 5"))


@pytest.mark.parametrize("players", [3, 4, 9])
def test_1_6_direction(players: int) -> None:
    game = table(*["5 6 7"] * players, of=asking(players=players), turn=players - 1)
    in_turn = [after(game, *["5", *["-"] * (players - 2)][:moves]).turn for moves in range(players)]
    assert in_turn == [players - 1, *range(players - 1)]


def test_o5_1_left_to_chance() -> None:
    game = rules(first_starter="random_dealer_left")
    assert {game.first_dealer(Random(seed)) for seed in range(50)} == {0, 1, 2, 3}
    for seed in range(10):
        match = Match.start(game, f"{seed}")
        assert match.game.awaited == {(match.game.dealer + 1) % 4}  # the player on the dealer's left
    assert [deal("first", dealer=dealer).turn for dealer in range(4)] == [1, 2, 3, 0]


@pytest.mark.parametrize("first_seat", [1, 2, 3, 4, 5, 6, 7, 8, 9])
def test_o5_2_a_seat_is_named(first_seat: int) -> None:
    game = rules(players=9, first_starter="host_choice", first_seat=first_seat)
    for seed in range(5):
        match = Match.start(game, f"{seed}")
        assert match.game.awaited == {first_seat - 1}
        assert dict(match.view(None).facts)["starter"] == first_seat - 1
