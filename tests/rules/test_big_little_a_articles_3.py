"""Section 3 of the rule page of The Big and the Little A, an article at a time: how a round goes."""

from bot.rules.big_little_a.play import BigLittleAGame
from tests.rules.big_little_a_positions import (
    after,
    asked,
    asking,
    beats,
    climbs,
    counts,
    hand_of,
    lying,
    not_on,
    offers,
    points,
    rules,
    table,
    why_not,
    winners,
)


def test_3_1_leading() -> None:
    game = table("5 5 7 J a", "1 2", "1 2")
    assert offers(game) == ["5", "7", "J", "a", "5 5", "5 J", "7 J", "5 5 J"]
    assert not asked(game).may_pass
    assert why_not(game, "-") == "3.1"
    assert why_not(game, "5 7") == "3.1"
    assert why_not(game, "5 7 J") == "3.1"
    assert why_not(game, "") == "3.1"
    assert why_not(game, "9") == why_not(game, "7 7") == "3.1"  # not held
    assert [after(game, led).in_a_round for led in ("5", "5 5 J", "a")] == [False, False, True]


def test_3_2_raise_or_pass() -> None:
    game = lying("5 5", "5 5 7 7 9")
    assert (offers(game), asked(game).may_pass) == (["7 7", "-"], True)
    assert beats("7 7", "5 5")
    assert not_on("7 7", "7 7") == not_on("5 5", "7 7") == "3.2"
    assert why_not(game, "7 7", seat=2) == "3.2"
    assert [game.view(seat).ask for seat in (0, 2)] == [None, None]


def test_3_3_the_same_number_of_cards() -> None:
    assert climbs(*(f"{number}" for number in range(1, 14)), "J")
    assert climbs(*(f"{number} {number}" for number in range(1, 14)))
    assert not_on("9 9 9", "5 5") == not_on("9", "5 5") == not_on("9 9", "5") == "3.3"
    assert not_on("J", "5 5") == "3.3"
    assert offers(lying("5 5 5", "9 9 9 9 8 8")) == ["9 9 9", "-"]


def test_3_4_passing_is_free() -> None:
    game = lying("5 5", "13 13 J")
    assert offers(game) == ["13 13", "13 J", "-"]
    passed = after(game, "-")
    assert (passed.turn, hand_of(passed, 1)) == (2, "1 13 13 J")


def three_in_turn(**options: str) -> BigLittleAGame:
    """Return the hand in which one of three has led a five, the next has passed, and the last has played a seven."""
    return after(table("5 9 2", "8 8 2", "7 4", of=asking(players=3, **options)), "5", "-", "7")


def test_o7_1_one_turn_each() -> None:
    game = three_in_turn(round_mode="one_turn_each")
    assert (winners(game), game.turn, game.round) == ([2], 2, 6)  # the nine is too late
    assert why_not(game, "9", seat=0) == "3.2"


def test_o7_2_until_all_have_passed() -> None:
    game = three_in_turn(round_mode="until_all_pass")
    assert (winners(game), game.turn, game.round) == ([], 0, 5)
    on = after(game, "9")
    assert (on.turn, winners(after(on, "-", "-"))) == (1, [0])
    back = after(game, "-", "8", "-")  # a player who has passed may raise
    assert (back.turn, offers(back)) == (0, ["9", "-"])
    assert winners(after(back, "9", "-", "-")) == [0]
    assert winners(after(back, "-")) == [1]
    assert after(table("a 9", "6 8", "7 2", of=rules("go_round", players=3)), "a", "6", "7").round == 6  # as ever (6.2)


def test_o7_2_whoever_has_no_cards_left_is_skipped() -> None:
    game = after(table("5 9", "7", "3 8 10", of=rules("go_round", players=3)), "5", "7", "8", "9")
    assert (game.turn, [move.seat for move in game.trick.moves if move.combo is None]) == (2, [1])
    assert winners(after(game, "10")) == [2]  # and seat 0 has none either


def test_3_5_the_next_lead() -> None:
    game = table("5 2", "7 2", "9 2", "4 2", of=asking())
    assert [after(game, "5", *moves).turn for moves in (["7", "9", "-"], ["7", "-", "-"], ["-", "-", "-"])] == [2, 1, 0]
    assert winners(after(game, "5", "-", "-", "-", "2", "7", "9", "-")) == [0, 2]


def test_3_6_the_cards_are_gone() -> None:
    game = after(table("5 5 2", "7 7 2", "9", of=asking(players=3)), "5 5", "7 7", "-")
    assert [hand_of(game, seat) for seat in range(3)] == ["2", "2", "9"]
    assert game.view(1).trick.moves == ()
    assert points("5", "1") == [0, 5, 1]  # seat 0 has won the last round, and pays nothing


def test_3_7_a_pass_binds_you_to_nothing() -> None:
    game = after(table("5 4 4", "9 9", "8 8", of=asking(players=3)), "5", "-", "-", "4")
    assert offers(game) == ["9", "-"]
    assert winners(after(game, "9", "-")) == [0, 1]


def test_o11_1_by_itself() -> None:
    hands = ("9 9 J 2", "13 A", "11 11 a", "5")
    quick, slow = (table(*hands, auto_pass=auto_pass) for auto_pass in ("public_only", "off"))
    assert after(quick, "9 9").turn == 2  # beside the Big A seat 1 has one card
    assert winners(after(quick, "9 9", "11 11")) == [2]  # and seat 3 one card
    assert winners(after(quick, "J")) == [0]  # a fourteen ends the round
    assert after(slow, "9 9").turn == after(slow, "J").turn == 1
    assert after(slow, "9 9", "-", "11 11").turn == 3
    assert after(quick, "9").turn == 1  # one card may be enough


def test_o11_1_nothing_but_a_cards() -> None:
    for led in ("9", "9 9"):
        assert after(table("9 9 2", "A", "11 11 a"), led).turn == 2
        assert after(table("9 9 2", "A", "11 11 a", auto_pass="off"), led).turn == 1


def test_o11_1_the_last_card_of_an_a_round() -> None:
    game = after(table("a 9", "13 A", "2 5", "4"), "a")
    assert game.turn == 2  # the thirteen has been played
    over = after(game, "2")
    assert (winners(over), counts(over)) == ([1], [1, 1, 1, 0])
    assert after(table("a 9", "A", "2 5", "4"), "a").turn == 2  # nothing but an A card: passed
    assert after(table("a 9", "13 A", "2 5", "4", auto_pass="off"), "a").turn == 1


def test_o11_1_it_never_depends_on_which_cards_you_hold() -> None:
    game = table("9 9 2", "3 4 5", "13 13 1", of=rules(players=3))
    assert after(game, "9 9").turn == 1  # who has no pair is asked all the same
    assert after(table("13 2", "12 3", "12 3"), "13").turn == 1  # who has nothing higher too
