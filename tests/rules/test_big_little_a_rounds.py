"""The six example rounds of the rules of The Big and the Little A, play for play.

Anna, Bernd, Christian and Doris sit in this order. The rules do not list the hands; these hands fit every statement:
Doris has three twelves, Christian plays a four though he has lower cards, Anna keeps a joker, and her lowest number is
a three when the Big A comes. The rules say that she cannot avoid it then; with the joker, a one, she could. Nobody is
ever passed without being asked.
"""

from collections import Counter

from bot.rules.big_little_a.play import BigLittleAGame
from tests.rules.big_little_a_positions import (
    after,
    asking,
    counts,
    fact,
    hand_of,
    held,
    pile,
    seat_by_seat,
    table,
    why_not,
    winners,
)

ANNA, BERND, CHRISTIAN, DORIS = range(4)
HANDS = {
    ANNA: "2 3 5 5 6 8 8 9 10 11 12 13 J",
    BERND: "4 6 6 6 6 7 8 9 9 10 11 13 J",
    CHRISTIAN: "1 1 2 4 5 6 7 8 9 10 11 12 13",
    DORIS: "2 3 3 3 3 5 7 9 12 12 12 13 J",
}


def test_the_example_of_six_rounds_in_the_rules() -> None:
    game = table(*HANDS.values(), of=asking(), number=1, turn=ANNA)
    assert fact(game, "middle") == held("a A")

    # round 1: two fives, raised with a seven and a joker; Doris keeps one of three twelves and takes the little a
    game = seat_by_seat(game, (ANNA, "5 5"), (BERND, "7 J"), (CHRISTIAN, "-"), (DORIS, "12 12"))
    assert_round(game, 2, won=[DORIS], leads=DORIS, left=[11, 11, 13, 12])
    assert (fact(game, "middle"), fact(game, "little"), fact(game, "big")) == (held("A"), DORIS, None)
    assert hand_of(game, DORIS) == "2 3 3 3 3 5 7 9 12 13 J a"
    assert why_not(game, "a") == "5.8"  # not in the very next round

    # round 2: four threes, raised with four sixes; Bernd takes the Big A
    game = seat_by_seat(game, (DORIS, "3 3 3 3"), (ANNA, "-"), (BERND, "6 6 6 6"), (CHRISTIAN, "-"))
    assert_round(game, 3, won=[DORIS, BERND], leads=BERND, left=[11, 8, 13, 8])
    assert (fact(game, "middle"), fact(game, "little"), fact(game, "big")) == (None, DORIS, BERND)
    assert why_not(game, "A") == "5.8"

    # round 3: a ten, an eleven, the twelve that Doris has kept; Anna does not want to use her joker yet
    game = seat_by_seat(game, (BERND, "10"), (CHRISTIAN, "11"), (DORIS, "12"), (ANNA, "-"))
    assert_round(game, 4, won=[DORIS, BERND, DORIS], leads=DORIS, left=[11, 7, 12, 7])
    assert "J" in hand_of(game, ANNA)

    # round 4: the little a; both Bernd and Christian put a four on it, and Bernd was the first of them
    game = after(game, "a")
    assert game.in_a_round
    assert why_not(game, "-") == "6.2"
    game = seat_by_seat(game, (ANNA, "2"), (BERND, "4"), (CHRISTIAN, "4"))
    assert Counter(held(hand_of(game, CHRISTIAN)))[held("1")[0]] == 2  # he had lower cards
    assert_round(game, 5, won=[DORIS, BERND, DORIS, BERND], leads=BERND, left=[10, 6, 11, 6])
    assert pile(game) == (BERND, "2 4 4 a")  # 10 points
    assert fact(game, "little") is None

    # round 5: the Big A; Doris offers a joker, which is a one here; Anna plays her lowest number and takes all
    game = seat_by_seat(game, (BERND, "A"), (CHRISTIAN, "1"), (DORIS, "J"))
    assert winners(after(game, "J"))[-1] == CHRISTIAN  # the first of three ones
    game = after(game, "3")
    assert_round(game, 6, won=[DORIS, BERND, DORIS, BERND, ANNA], leads=ANNA, left=[13, 5, 10, 5])
    assert hand_of(game, ANNA) == "1 3 6 8 8 9 10 11 12 13 J J A"
    assert (fact(game, "big"), fact(game, "big_from")) == (ANNA, 7)
    assert why_not(game, "A") == "5.8"

    # round 6: a thirteen; only a joker would be higher, and nobody plays one
    game = seat_by_seat(game, (ANNA, "13"), (BERND, "-"), (CHRISTIAN, "-"), (DORIS, "-"))
    assert_round(game, 7, won=[DORIS, BERND, DORIS, BERND, ANNA, ANNA], leads=ANNA, left=[12, 5, 10, 5])

    # and now she can lead the Big A
    game = after(game, "A")
    assert (game.in_a_round, game.turn) == (True, BERND)


def assert_round(game: BigLittleAGame, number: int, *, won: list[int], leads: int, left: list[int]) -> None:
    """Check the round number, the winners so far, the leader and the card counts."""
    assert (game.round, game.turn, game.trick.moves, game.result) == (number, leads, (), None)
    assert winners(game) == won
    assert counts(game) == left
    assert dict(game.view(None).facts)["round"] == number
