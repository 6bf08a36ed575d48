"""The articles on options between the deal and the first play: exchange, extra card, dragon, and who begins."""

from typing import Any

import pytest

from bot.rules.big_two import BigTwo
from bot.rules.big_two.hands import laid_out
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.state import Dealt
from bot.rules.core.asks import Give, GiveAsk, Play
from bot.rules.core.cards import SeededRandom, card, cards, pack
from bot.rules.core.game import Result, View
from bot.rules.core.sentences import Illegal, Note, Seat
from tests.rules.positions import finished, named, refusal, result, rules

EXCHANGE = rules("three_player", exchange="loser_highest_for_any", extra_card="none")
BOTH = rules("three_player", exchange="loser_highest_for_any")
DRAGON = "3d 4c 5h 6s 7d 8c 9h Ts Jd Qc Kh As 2d"
ANOTHER = "3c 4h 5s 6d 7c 8h 9s Td Jc Qh Ks Ad 2c"


def begun(of: BigTwo, *held: str, past: tuple[Result, ...] = (), stock: str = "", **dealt: Any) -> BigTwoGame:
    """Return the hand that begins with these cards."""
    return laid_out(of, Dealt(0, **dealt), tuple(map(cards, held)), past=past, stock=cards(stock))


def deal(of: BigTwo, *past: Result, seed: str = "a") -> BigTwoGame:
    """Return the hand that is dealt by seat 0 after the past ones."""
    return of.deal(SeededRandom(seed), 0, past)


def fact(game: BigTwoGame, name: str) -> Any:
    """Return a fact that every player knows, or None."""
    return dict(game.view(None).facts).get(name)


def known(game: BigTwoGame, seat: int | None) -> set[tuple[int, str]]:
    """Return which cards in other hands a seat knows of."""
    return {(other, str(held)) for other, held in game.view(seat).known}


def told(view: View) -> list[str]:
    """Return what a seat alone was told, as it reads with its cards and seats filled in."""
    return [f"{note.article} " + note.sentence.format(**shown(note)) for note in view.private_notes]


def shown(note: Note) -> dict[str, str]:
    """Return the values of a note as text."""
    return {name: " ".join(map(str, value)) if isinstance(value, tuple) else str(value) for name, value in note.values}


# 5 The exchange


def won_by_1(of: BigTwo) -> Result:
    """Return a hand that seat 1 won and seat 2 lost."""
    return finished(of, "6c", "", "7c 8c")


def exchanging(of: BigTwo = EXCHANGE, **dealt: Any) -> BigTwoGame:
    """Return the hand in which seat 1, the winner, has to give a card to seat 2, the loser, who held the ace."""
    return begun(of, "5c 9c", "3d 4h Kd", "4d As 3s", past=(won_by_1(of),), **dealt)


def test_c40_1_the_exchange() -> None:
    first = deal(EXCHANGE)
    assert first.view(next(iter(first.awaited))).must is not None  # nothing is exchanged in the first hand
    game = exchanging()
    assert [" ".join(map(str, hand)) for hand in game.hands] == ["5c 9c", "3d 4h Kd As", "3s 4d"]
    assert (game.view(1).ask, game.to_act) == (GiveAsk(Seat(2), 1, "C40.1"), frozenset({1}))
    assert fact(game, "giving") == 2
    for wrong, article in (("4h Kd", "C40.1"), ("", "C40.1"), ("2s", "C40.1")):
        with pytest.raises(Illegal) as caught:
            game.act(1, Give(cards(wrong)))
        assert caught.value.article == article
    assert [refusal(game, tried).article for tried in ("3d", "-")] == ["C40.1", "C40.1"]
    assert refusal(game, "4d", seat=2).article == "6.2"
    for each in ["3d", "4h", "Kd", "As"]:
        assert card(each) in game.act(1, Give(cards(each))).hands[2]


def test_c40_1_the_exchange_is_seen_by_two_only() -> None:
    game = exchanging()
    assert told(game.view(1)) == ["C40.1 2 gave you As; give any card back."]
    assert told(game.view(2)) == ["C40.1 You gave 1 your highest card, As."]
    assert [known(game, seat) for seat in (0, 1, 2, None)] == [set(), set(), {(1, "As")}, set()]
    after_it = game.act(1, Give(cards("4h")))
    assert told(after_it.view(2)) == ["C40.1 You gave 1 your highest card, As.", "C40.1 1 gave you 4h for it."]
    assert known(after_it, 2) >= {(1, "As")}
    assert (2, "4h") in known(after_it, 1)
    other = game.act(1, Give(cards("Kd")))
    for seat in (0, None):
        assert after_it.view(seat) == other.view(seat)  # nobody else can tell which card it was
        assert (after_it.view(seat).private_notes, known(after_it, seat)) == ((), {(1, "3d")})  # that one begins


def test_c40_2_how_it_is_done() -> None:
    back = exchanging().act(1, Give(cards("As")))
    assert card("As") in back.hands[2]
    assert exchanging().view(None).must is None
    assert (back.awaited, back.view(None).must) == (frozenset({1}), card("3d"))
    given = exchanging().act(1, Give(cards("3d")))
    assert (given.awaited, given.view(None).must) == (frozenset({2}), card("3d"))  # who has the lowest card then


def test_c40_3_how_it_is_done_with_the_extra_card() -> None:
    game = exchanging(BOTH, extra=card("Ts"))
    assert (game.hidden_cards, fact(game, "taker"), fact(game, "extra")) == (cards("Ts"), None, card("Ts"))
    assert [len(hand) for hand in game.hands] == [2, 4, 2]
    kept, given = (game.act(1, Give(cards(each))) for each in ("Kd", "3d"))
    assert (fact(kept, "taker"), fact(given, "taker")) == (1, 2)
    assert (kept.awaited, given.awaited) == (frozenset({1}), frozenset({2}))
    assert card("Ts") in given.hands[2]
    assert given.hidden_cards == ()


# 5 The extra card

PLAIN = ("5c 9c", "3d 4h", "4d As")


def test_c39_1_the_extra_card() -> None:
    for seed in "abcd":
        game = deal(rules("three_player"), seed=seed)
        [taker] = game.awaited
        assert (card("3d") in game.hands[taker], fact(game, "taker")) == (True, taker)
        assert sorted(map(len, game.hands)) == [17, 17, 18]
        assert (len(game.hands[taker]), game.hidden_cards) == (18, ())
    game = begun(rules("three_player"), *PLAIN, extra=card("Ts"))
    assert (game.hands[1], game.view(None).counts) == (cards("3d 4h Ts"), (2, 3, 2))
    assert told(game.view(1)) == ["C39.1 You took the extra card, Ts."]


def test_c39_3_face_up() -> None:
    game = begun(rules("three_player", extra_card="face_up"), *PLAIN, extra=card("Ts"))
    assert fact(game, "extra") == card("Ts")
    assert all({(1, "Ts"), (1, "3d")} == known(game, seat) for seat in (0, 2, None))
    assert known(game.act(1, Play(cards("3d"))), 0) == {(1, "Ts")}  # what is played is in no hand any more


def test_c39_4_face_down() -> None:
    of = rules("three_player", extra_card="face_down")
    game = begun(of, *PLAIN, extra=card("Ts"))
    assert (fact(game, "extra"), fact(game, "taker")) == (None, 1)
    assert told(game.view(1)) == ["C39.1 You took the extra card, Ts."]
    for seat in (0, 2, None):
        assert known(game, seat) == {(1, "3d")}
        assert game.view(seat).private_notes == ()
        assert game.view(seat) == begun(of, *PLAIN, extra=card("2s")).view(seat)


@pytest.mark.parametrize("extra_card", ["face_up", "face_down"])
def test_c39_2_if_it_is_the_lowest_itself(extra_card: str) -> None:
    of = rules("three_player", extra_card=extra_card)
    game = begun(of, "4d 5d", "3h 2s", "3c 2h", extra=card("3d"))
    assert (fact(game, "taker"), game.awaited, game.view(None).must) == (2, frozenset({2}), card("3d"))
    assert refusal(game, "3c").article == "6.1"
    assert game.act(2, Play(cards("3d 3c"))).trick.top == named("3d 3c")


# 5 The dragon


def others(*dragons: str) -> list[str]:
    """Return hands of thirteen with pairs from the other cards, so without a second dragon."""
    rest = [each for each in pack() if str(each) not in " ".join(dragons).split()]
    return [" ".join(map(str, rest[at : at + 13])) for at in range(0, len(rest), 13)]


def test_c18_1_the_dragon() -> None:
    of = rules("hong_kong", dragon="wins_deal")
    first, *rest = others(DRAGON)
    game = begun(of, first, DRAGON, *rest)
    over = result(game)
    assert (over.order, over.points) == ((1,), (39, 0, 39, 39))
    assert [note.article for note in over.notes] == ["C18.1"]
    assert refusal(game, "-", seat=0).article == "6.10"
    assert (game.to_act, game.view(None).must) == (frozenset(), None)
    assert begun(rules(dragon="off"), first, DRAGON, *rest).result is None
    assert of.next_dealer(0, (over,)) == 1
    assert deal(of, over).awaited == {1}


def test_c18_2_several_dragons() -> None:
    rest = others(DRAGON, ANOTHER)
    game = begun(rules(dragon="wins_deal"), DRAGON, rest[0], ANOTHER, rest[1])
    assert result(game).order == (2,)  # the two of clubs is the higher
    assert result(game).points == (39, 39, 0, 39)
    philippine = begun(rules("pusoy_dos", dragon="wins_deal"), DRAGON, rest[0], ANOTHER, rest[1])
    assert result(philippine).order == (0,)  # there the two of diamonds is the highest card


# 6 Who begins


def past(of: BigTwo, count: int) -> tuple[Result, ...]:
    """Return a number of hands won by seat 1 and lost by seat 3."""
    return (finished(of, "6c", "", "7c 8c", "9c Tc Jc"),) * count


def by_lowest_card(game: BigTwoGame) -> bool:
    """Tell whether the holder of the three of diamonds begins, regardless of earlier hands."""
    [leader] = game.awaited
    return card("3d") in game.hands[leader] and fact(game, "lead") is None


def test_c6_1_the_first_play() -> None:
    game = begun(rules(low_card_in_first_play=False), "5c 6c", "3d 9s 9h", "4c 4h", "8c 8h")
    assert (game.awaited, game.view(1).must) == (frozenset({1}), None)
    assert {str(combo).split(maxsplit=1)[1] for combo in game.view(1).plays} == {"3d", "9h", "9s", "9h 9s"}
    assert game.act(1, Play(cards("9h 9s"))).trick.top == named("9s 9h")
    assert refusal(begun(rules(), "5c 6c", "3d 9s", "4c 4h", "8c 8h"), "9s").article == "6.1"


def test_c4_1_every_hand_alike() -> None:
    of = rules(starter="low_card")
    for count in range(3):
        game = deal(of, *past(of, count))
        assert by_lowest_card(game)
        assert game.view(None).must == card("3d")


def begins(of: BigTwo, seat: int, count: int) -> bool:
    """Tell whether a seat begins with any lead after a number of hands."""
    game = deal(of, *past(of, count))
    if game.awaited != {seat}:
        return False
    assert (game.view(seat).must, fact(game, "lead")) == (None, seat)
    assert refusal(game, "-").article == "6.7"
    return all(game.act(seat, Play((held,))) for held in game.hands[seat])


def test_c4_2_then_the_winner() -> None:
    of = rules(starter="first_low_then_winner")
    assert by_lowest_card(deal(of))
    assert deal(of).view(None).must == card("3d")
    assert begins(of, 1, 1)
    assert begins(of, 1, 12)
    assert begins(rules("hong_kong"), 1, 1)


def test_c4_3_then_the_loser() -> None:
    of = rules(starter="first_low_then_loser")
    assert by_lowest_card(deal(of))
    assert begins(of, 3, 1)
    assert of.next_dealer(0, past(of, 1)) == 3


def test_c7_1_rounds() -> None:
    of = rules("indonesia")
    assert of.options.round_deals == 10
    assert [by_lowest_card(deal(of, *past(of, count))) for count in (0, 1, 9, 10, 11, 20)] == [
        True,
        False,
        False,
        True,
        False,
        True,
    ]
    assert deal(of, *past(of, 10)).view(None).must == card("3d")
    short = rules("indonesia", round_deals=2, low_card_in_first_play=False)
    assert [by_lowest_card(deal(short, *past(short, count))) for count in range(4)] == [True, False, True, False]
    assert deal(short).view(None).must is None


def test_c4_4_inside_a_round() -> None:
    of = rules("indonesia")
    assert all(begins(of, 1, count) for count in (1, 9, 11))
    assert not by_lowest_card(deal(rules(starter="rounds"), *past(of, 5)))


def test_c38_2_the_lowest_card_dealt() -> None:
    game = begun(rules("two_player"), "4c 9d", "3h 5d", stock="3d 3c")
    assert (game.awaited, game.view(None).must, fact(game, "low")) == (frozenset({1}), card("3h"), card("3h"))
    assert refusal(game, "5d").article == "6.1"
    free = begun(rules("two_player", low_card_in_first_play=False), "4c 9d", "3h 5d", stock="3d 3c")
    assert (free.awaited, free.view(None).must, fact(free, "low")) == (frozenset({1}), None, card("3h"))
    assert known(free, 0) == {(1, "3h")}
    philippine = begun(rules("two_player", suit_order="cshd"), "3s 9d", "3h 5d", stock="3c")
    assert (philippine.awaited, philippine.view(None).must) == (frozenset({0}), card("3s"))
    with_stock = deal(rules("three_player_draw"))
    lowest = rules().sort(tuple(held for hand in with_stock.hands for held in hand))[0]
    assert (with_stock.view(None).must, fact(with_stock, "low")) == (lowest, lowest)


def test_6_1_the_lowest_card_by_the_order_of_the_suits() -> None:
    hands = ("3d 9d", "3c 9c", "3h 9h", "3s 9s")
    assert begun(rules(suit_order="dchs"), *hands).view(None).must == card("3d")
    assert begun(rules("pusoy_dos"), *hands).view(None).must == card("3c")
    assert begun(rules("taiwan_bridge_suits"), *hands).view(None).must == card("3c")
    tiles = begun(rules("lectio_tiles"), "3d 9d", "3c 9c", "3h 9h", "3s 9s", "4d 5d")
    assert (tiles.awaited, tiles.view(None).must) == (frozenset({0}), None)
