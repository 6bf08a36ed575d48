"""Section 7 of the rule page of Tàihé A Bāo, an article at a time: how the play goes round."""

import pytest

from bot.rules.core.asks import Give, PlayAsk
from bot.rules.core.cards import cards
from tests.rules.a_bao_positions import (
    after,
    asking,
    begun,
    bidding,
    calling,
    in_a_row,
    refusal,
    result,
    rules,
    suits,
    table,
    why_not,
)

HELD = ("5d 9d Kd", "6d Tc 4c", "7d Jc 4s", "9c Qc 4h")


def test_7_1_the_first_lead() -> None:
    assert begun(bidding(), "-", "-", "declare").turn == 2
    assert begun(calling(), "-", "call 5d", "give 7d", "-", "-").turn == 1
    for led in ("9d", "9d 9c", "9d Tc Jh", "9d 9c Td Tc", "9d 9c 9h", "9d 9c 9h 9s"):
        game = table(f"{led} 4d", declarer=0, of=asking())
        assert game.view(0).ask == PlayAsk(may_pass=False)
        assert after(game, led).trick.owner == 0
    assert why_not(table(*HELD), "6d", seat=1) == "7.2"


def test_7_2_beat_or_pass() -> None:
    game = after(table(*HELD), "5d")
    assert (game.turn, game.view(1).ask, game.view(2).ask) == (1, PlayAsk(may_pass=True), None)
    assert after(game, "6d").turn == after(game, "-").turn == 2
    assert why_not(game, "7d", seat=2) == why_not(game, "-", seat=0) == "7.2"
    assert why_not(game, "Kd") == why_not(game, "") == "7.2"
    assert why_not(game, "4c") == "6.1"
    assert refusal(game, Give(cards("6d"))).article == "7.2"
    assert sorted(str(each.head) for each in game.view(1).plays) == ["6d", "Tc"]


def test_7_3_passing_is_free() -> None:
    game = after(table(*HELD), "5d")
    assert game.view(1).plays
    back = after(game, "-", "-", "9c", "-")
    assert back.turn == 1
    assert after(back, "Tc").trick.owner == 1


@pytest.mark.parametrize("players", [3, 4, 5])
def test_7_4_the_end_of_a_trick(players: int) -> None:
    game = after(table(*["5d 9d Kd"] * players, of=asking(players=players)), "5d")
    passed = after(game, *["-"] * (players - 2))
    assert (passed.tricks, len(passed.trick.moves)) == ((), players - 1)
    over = after(passed, "-")
    assert (len(over.tricks), over.trick.moves, over.turn) == (1, (), 0)
    again = after(passed, "9d", *["-"] * (players - 2))  # a play starts the count again
    assert again.tricks == ()
    assert after(again, "-").turn == players - 1


def test_7_5_the_next_lead() -> None:
    game = after(table(*HELD, of=asking()), "5d", "-", "7d", "-", "-", "-")
    assert (game.turn, game.trick.top, game.tricks[0].cards) == (2, None, cards("5d 7d"))
    assert not {*cards("5d 7d")} & {each for held in game.hands for each in held}
    assert after(game, "4s").turn == 3  # anything may be led again


def test_7_6_the_first_to_go_out() -> None:
    game = after(table("5d 9d", "6d", "Ad Ac Ah As", "7c Kd"), "5d", "6d")
    assert result(game).order == (1,)
    assert (game.awaited, game.view(2).ask) == (frozenset(), None)
    assert result(game).left == tuple(map(cards, ("9d", "", "Ad Ac Ah As", "7c Kd")))
    assert why_not(game, "Kd", seat=3) == "7.6"


@pytest.mark.parametrize("declarer", range(4))
def test_7_7_who_has_won(declarer: int) -> None:
    for winner in range(4):
        held = ["6d" if seat == winner else "7c 9c" for seat in range(4)]
        over = result(after(table(*held, declarer=declarer, turn=winner), "6d"))
        assert (over.order, over.declarer) == ((winner,), declarer)
        gained = {seat for seat in range(4) if over.points[seat] > 0}
        assert gained == ({declarer} if winner == declarer else set(range(4)) - {declarer})


def test_7_8_the_leader_plays() -> None:
    game = table(*HELD)
    assert why_not(game, "-") == "7.8"
    assert game.view(0).ask == PlayAsk(may_pass=False)
    later = after(table(*HELD, of=asking()), "Kd", "-", "-", "-")
    assert why_not(later, "-") == "7.8"


def test_o16_1_passing_by_itself() -> None:
    held = ("5d 5c 9d", "9c", "Jd", "7d 7c")
    game = after(table(*held, auto_pass="public_only"), "5d 5c")
    assert game.turn == 3  # one card cannot answer a pair
    assert [move.seat for move in game.trick.moves] == [0, 1, 2]
    asked = after(table(*held, auto_pass="off"), "5d 5c")
    assert asked.turn == 1
    high = table("Ad 5c 9d", "9c 9d", "Jd Jh", "4d 4c 4h", auto_pass="public_only")
    assert after(high, "Ad").turn == 3  # nothing but a bomb beats an ace


def test_o16_1_it_depends_on_no_hidden_card() -> None:
    for held in ("4d 5c 6h", "Kd Kc Kh"):
        game = after(table(f"{in_a_row('9TJ')} 4s", held, auto_pass="public_only"), in_a_row("9TJ"))
        assert game.turn == 1  # three cards might be a bomb


@pytest.mark.parametrize(
    ("preset", "options", "top", "unbeatable"),
    [
        ("standard", {}, suits("A", 4), True),
        ("standard", {}, suits("A", 3), False),
        ("three", {}, suits("A", 3), True),
        ("three", {}, suits("K", 4), False),
        ("without_aces", {}, suits("K", 4), True),
        ("five", {"aces": False}, suits("Q", 4), True),
        ("five", {"aces": False}, suits("K", 3), False),
        ("five", {"aces": False, "three_kings_top": True}, suits("K", 3), True),
        ("five", {"aces": False, "three_kings_top": True}, suits("Q", 4), False),
    ],
)
def test_o16_1_when_nothing_beats_it(preset: str, options: dict[str, bool], top: str, unbeatable: bool) -> None:
    game = rules(preset, **options)
    other = in_a_row("4567")
    led = after(table(f"{top} 4s", *[other] * (game.players - 1), of=game), top)
    assert (led.turn, len(led.tricks)) == ((0, 1) if unbeatable else (1, 0))
