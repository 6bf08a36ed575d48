"""Section 5 of the rule page of Big A, an article at a time: what sets of fours capture."""

from collections import Counter

import pytest

from bot.rules.core.asks import Pass
from bot.rules.core.cards import cards
from tests.rules.big_a_positions import (
    action,
    after,
    alike,
    answer,
    asking,
    beats,
    captures,
    fact,
    kind,
    lying,
    refusal,
    table,
)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_5_1_capturing(count: int) -> None:
    fours = alike("4", count)
    assert all(captures(fours, alike(rank, count + 1)) for rank in "56789TJQKA23")
    assert not captures(fours, alike("7", count))
    assert not captures(alike("5", count), alike("7", count + 1))  # only fours can


def test_5_2_what_happens() -> None:
    game = after(lying("7d 7c 7h", "4d 4c"), "4d 4c")
    assert Counter(game.hands[1]) == Counter(cards("7d 7c 7h 5c 9s"))
    assert game.trick.top
    assert game.trick.top.cards == cards("4d 4c")
    assert game.trick.moves[-1].taken == cards("7d 7c 7h")
    assert Counter(each for seat, each in game.view(3).known if seat == 1) == Counter(cards("7d 7c 7h"))


def test_5_3_the_cards_below_stay() -> None:
    game = table("Ad Ac 6d", "7d 7c 7s 6c", "4d 4c 8d", "5s 5c 9d", "Td Jd", of=asking())
    game = after(game, "Ad Ac", "7d 7c 7s", "4d 4c")
    assert Counter(game.trick.cards) == Counter(cards("Ad Ac 4d 4c"))
    assert game.turn == 3
    on = after(game, "-", "-", "-")  # three have passed since, and none before counts
    assert (on.trick.top, on.turn) == (game.trick.top, 1)
    assert after(on, "-").turn == 2
    assert after(on, "-").tricks[-1].cards == game.trick.cards


@pytest.mark.parametrize(("size", "enough"), [(3, "5d 5c"), (4, "5d 5c 5h"), (5, "5d 5c 5h 5s")])
def test_5_4_the_fours_are_what_they_are(size: int, enough: str) -> None:
    game = table(f"{alike('7', size)} 9d", f"{alike('4', size - 1)} 9c", f"{enough} BJ RJ 9h", of=asking())
    game = after(game, alike("7", size), alike("4", size - 1))
    assert after(game, enough).trick.top
    assert after(game, "BJ RJ").trick.top


def test_5_5_fours_as_usual() -> None:
    kinds = [kind(text) for text in ("4d", "4d 4c", "4d 5d 6d", "4d 4c 5d 5c 6d 6c", alike("4", 3), alike("4", 7))]
    assert kinds == ["single", "pair", "sequence", "double_sequence", "triplet", "seven"]
    assert beats(alike("4", 3), "3d 3c")
    assert beats(alike("4", 4), "7d 7c 7h")
    assert after(table("4d 4c 9d"), "4d 4c").trick.top


def test_5_6_fours_capture_fours() -> None:
    assert captures("4s 4d", "4d 4c 4h")
    assert captures("4h 4s 4d", "4d 4c 4h 4s")


def test_5_7_never_your_own() -> None:
    game = table("7d 7c 7h 4d 4c 9d", of=asking())
    game = after(game, "7d 7c 7h", "-", "-", "-")
    assert refusal(game, "4d 4c", seat=0).article == "6.2"
    over = after(game, "-")
    assert (over.turn, over.trick.top) == (0, None)
    led = after(over, "4d 4c")
    assert led.trick.moves[-1].taken == ()
    assert led.hands[0] == cards("9d")


def test_o4_1_up_to_six() -> None:
    game = asking(fours_capture_max=6)
    assert [captures(alike("4", count), alike("7", count + 1), game) for count in (2, 5, 6, 7)] == [
        True,
        True,
        False,
        False,
    ]


def test_o4_2_up_to_seven() -> None:
    game = asking(fours_capture_max=7)
    assert [captures(alike("4", count), alike("7", count + 1), game) for count in (2, 5, 6, 7)] == [
        True,
        True,
        True,
        False,
    ]


def test_o4_3_up_to_eight() -> None:
    game = asking(fours_capture_max=8)
    assert [captures(alike("4", count), alike("7", count + 1), game) for count in (2, 5, 6, 7)] == [
        True,
        True,
        True,
        True,
    ]


def test_5_8_what_is_never_captured() -> None:
    game = asking("homygames", fours_capture_max=8)
    tops = ["BJ BJ RJ", "BJ BJ RJ RJ", "BJ RJ", "Ah Ah", "6d 6c 6h 6s 7d 7c 7h 7s", "6d 6c 6h 7d 7c 7h 8d 8c 8h"]
    for top in tops:
        assert not any(captures(alike("4", count), top, game) for count in range(2, 9))
    fake_eight = "6d 6c 6h 6s 7d 7c 7h 7s"
    assert beats("4d 4d 4c 4c 4h 4h 4s", fake_eight)
    assert not captures("4d 4c", "6d 7d 8d")


def test_5_9_aces_with_big_aces() -> None:
    game = table("Ah Ad Ac 6d", "6c 7c", "4d 4c 9c", "6h Ah", "8d 9d", partner=3, of=asking())
    game = after(game, "Ah Ad Ac", "-", "4d 4c")
    assert Counter(game.hands[2]) == Counter(cards("Ah Ad Ac 9c"))
    assert (game.sides.declarer, game.sides.partner) == (0, 3)
    assert (int(fact(game, "declarer")), fact(game, "partner")) == (0, None)
    assert all(captures(alike("4", size - 1), "Ah Ah Ad Ad Ac Ac"[: 3 * size - 1]) for size in (3, 4, 5, 6))


@pytest.mark.parametrize("seat", [1, 2])  # the partner of seat 0, and an opponent
def test_5_10_from_anybody(seat: int) -> None:
    held = ["7d 7c 7h 6d", "4d 4c 6c", "4d 4c 6h"]
    game = after(table(*held, partner=1, known=True), "7d 7c 7h", *["-"] * (seat - 1))
    assert after(game, "4d 4c").trick.moves[-1].taken == cards("7d 7c 7h")


def test_5_11_a_last_play() -> None:
    game = after(table("8d 8c 8s", "4d 4c 6d", partner=3), "8d 8c 8s")
    assert fact(game, "out") == (0,)
    taken = after(game, "4d 4c")
    assert Counter(taken.hands[1]) == Counter(cards("6d 8d 8c 8s"))
    assert fact(taken, "out") == (0,)
    assert taken.hands[0] == ()
    assert after(taken, "-", "-", "-").turn == 1  # seat 0 is not asked again


def test_5_12_with_your_last_cards() -> None:
    game = after(table("9d 9c 9s 5d", "6d 7d", "4d 4c", of=asking()), "9d 9c 9s", "-", "4d 4c")
    assert (fact(game, "out"), game.hands[2]) == (None, game.rules.sort(cards("9d 9c 9s")))
    assert after(game, "-", "-", "-", "-").turn == 2


def test_5_13_yours_at_once() -> None:
    game = after(table("9d 9c 9s 5d", "6d 7d", "4d 4c 6h", of=asking()), "9d 9c 9s", "-", "4d 4c", "-", "-", "-", "-")
    assert "triplet" in [combo.kind for combo in game.view(2).plays]
    assert after(game, "9d 9c 9s").hands[2] == cards("6h")
    assert after(game, "9d").turn == 3


def test_5_14_not_optional() -> None:
    game = lying("7d 7c 7h", "4d 4c")
    plays = [combo for combo in game.view(1).plays if combo.cards == cards("4d 4c")]
    assert len(plays) == 1
    assert len(game.act(1, action("4d 4c")).hands[1]) == len(game.hands[1]) - 2 + 3
    assert len(game.act(1, Pass()).hands[1]) == len(game.hands[1])  # but one may pass


def test_5_15_exactly_one_card_more() -> None:
    assert answer("4d 4c 4h", "7d 7c 7h") == "no"
    assert answer("4d 4c 4h 4s", "7d 7c 7h") == "beat"
    assert answer("4d 4c", "7d 7c 7h 7s") == "no"
    assert answer("4d 4c", "7d 7c") == "no"


def test_5_16_a_captured_big_ace() -> None:
    game = table("Ah Ah Ad 6d", "4d 4c 9c", "RJ 7d", partner=None, of=asking(big_ace_pair_scope="any_holder"))
    game = after(game, "Ah Ah Ad", "4d 4c", "-", "-", "-", "-")
    assert game.turn == 1
    led = after(game, "Ah")
    assert refusal(led, "RJ").article == "1.6"
    pair = after(game, "Ah Ah")
    assert pair.trick.top
    assert pair.trick.top.kind == "big_ace_pair"
