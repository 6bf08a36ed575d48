"""Section 7 of the rule page of Big A, an article at a time: going out, and what is known of the sides."""

from typing import Any

import pytest

from bot.rules.core.cards import cards
from tests.rules.big_a_positions import after, asking, ended, fact, result, table

TWO = "7c 8c"  # enough to be asked


def lead_after(finisher: int, *, out: tuple[int, ...] = (), **sides: Any) -> int:
    """Return the leader after this seat went out unbeaten."""
    held = ["6d" if seat == finisher else "" if seat in out else TWO for seat in range(5)]
    game = after(table(*held, turn=finisher, out=out, **sides), "6d")
    while game.trick.moves:
        game = after(game, "-")
    return game.turn


def test_7_1_going_out() -> None:
    game = after(table("9d", "Tc 4d", "Jc 5d", partner=3), "9d")
    assert (fact(game, "out"), game.turn) == ((0,), 1)
    on = after(game, "Tc", "-", "-", "-")  # seat 0 is skipped
    assert on.turn == 1


def test_7_2_places() -> None:
    game = ended([3, 0, 2], partner=2)
    assert result(game).order[:3] == (3, 0, 2)
    assert sorted(result(game).order) == [0, 1, 2, 3, 4]
    assert fact(game, "out") == (3, 0, 2)


def test_7_3_after_a_last_play() -> None:
    assert lead_after(4, declarer=0, partner=1, known=True) == 2  # 0 and 1 are known as opponents
    assert lead_after(4, declarer=0, partner=1, known=True, out=(2,)) == 3
    over = after(table("6d", "7c 8c", "9d Td", partner=3), "6d", "7c", "-", "-", "-")
    assert over.turn == 1  # a player who beat it leads


def test_7_4_after_the_declarers() -> None:
    assert lead_after(0, declarer=0, partner=3, known=True) == 3
    assert lead_after(0, declarer=0, partner=3, known=False) == 1
    assert lead_after(0, declarer=0, partner=3, known=False, out=(1,)) == 2
    game = after(table("Ah 6d", TWO, partner=3), "Ah", "-", "-", "-", "-", "6d", "-", "-", "-", "-")
    assert (game.turn, fact(game, "lead")) == (1, 1)


def test_7_5_after_the_partners() -> None:
    held = ["6c 7c", "8c 9c", "Tc Jc", "Ah", "Qc Kc"]
    game = after(table(*held, turn=3, partner=3), "Ah")
    assert int(fact(game, "partner")) == 3  # for it has shown its Big Ace
    assert after(game, "-", "-", "-", "-").turn == 0
    assert lead_after(3, declarer=0, partner=3, known=True) == 0


def test_7_6_after_an_opponents() -> None:
    assert lead_after(4, declarer=0, partner=1) == 1  # the partner, who is still hidden
    assert lead_after(4, declarer=0, partner=3) == 1
    assert lead_after(4, declarer=0, partner=1, known=True) == 2
    assert lead_after(1, declarer=2, partner=3, known=True) == 4
    assert lead_after(1, declarer=2, partner=None, known=True) == 3


def test_7_7_who_is_known() -> None:
    held = ["6c 7c Ah", "8c 9c", "Tc Jc", "Ah Ad Kd Qd 4d", "Qc Kc"]
    game = table(*held, turn=3, partner=3)
    assert (int(fact(game, "declarer")), fact(game, "partner")) == (0, None)
    assert [note.article for note in game.view(3).private_notes] == ["2.8"]
    for played in ("Ah", "Ah Ad", "Qd Kd Ah"):
        shown = after(game, played)
        assert int(fact(shown, "partner")) == 3
        assert {note.article for seat in range(5) for note in shown.view(seat).private_notes} == {"7.7"}
        assert shown.view(0).allies == {3}
    assert fact(after(game, "Ad"), "partner") is None
    assert fact(table(*held, partner=3, both=True), "partner") == 3  # revealed before play


def test_7_7_a_declarer_who_is_alone() -> None:
    game = table("Ah Ah Ad 6c 7c", *["8c 9c Tc"] * 4, partner=None, of=asking())
    one = after(game, "Ah", "-", "-", "-", "-")
    assert (fact(one, "alone"), fact(after(one, "Ah"), "alone")) == (None, 0)
    assert fact(after(game, "Ah Ah"), "alone") == fact(after(game, "Ah Ah Ad"), "alone") == 0
    assert fact(table(*["6c 7c"] * 5, partner=None, both=True), "alone") == 0


def test_7_7_all_are_told_that_the_declarer_is_alone() -> None:
    game = table(*["6c 7c"] * 5, partner=None, both=True)
    assert [note.article for note in game.view(1).private_notes] == ["7.7"]


def test_7_8_a_captured_big_ace_proves_nothing() -> None:
    held = ["Ah Ad Ac 6d", "4h 4s 9c", "Ah 7c", "8c 8d", "5c 9d"]
    game = after(table(*held, partner=2, of=asking()), "Ah Ad Ac", "4h 4s", "-", "-", "-", "-", "Ah")
    assert (fact(game, "partner"), fact(game, "alone")) == (None, None)
    its_own = table("9h 9s 9d Ah", "4h 4s 6d", "Ah 4d 4c 7c", partner=2, of=asking(), turn=2)
    assert int(fact(after(its_own, "Ah"), "partner")) == 2


def test_7_9_when_play_ends() -> None:
    game = table("5d 6d", "As", "5c 6c", "9h 8c", "Ad Ac Ah As Ad", big="s", declarer=1, partner=4, turn=0)
    game = after(game, "5d", "As", "-", "-", "Ad Ac Ah As Ad")  # in the middle of the trick
    assert (result(game).order[:2], game.view(None).awaited) == ((1, 4), frozenset())
    secretly_alone = after(table("Ah Ah", *[TWO] * 4, partner=None, of=asking()), "Ah", "-", "-", "-", "-", "Ah")
    assert secretly_alone.result
    assert fact(secretly_alone, "alone") == 0
    with_partner = after(table("Ah", *[TWO] * 4, partner=3), "Ah")
    assert with_partner.result is None
    assert ended([1, 2, 3, 4], partner=None).result  # all four opponents of a lone declarer
    assert ended([1, 2, 4], partner=3).result


@pytest.mark.parametrize("partner", [1, 2, 3, 4])
def test_7_10_the_last_places(partner: int) -> None:
    over = result(ended([0, partner], partner=partner))
    rest = {1, 2, 3, 4} - {partner}
    assert (over.order[:2], set(over.order[2:])) == ((0, partner), rest)
    assert {over.points[seat] for seat in rest} == {-3}


def test_7_11_a_last_play_is_like_any_other() -> None:
    game = after(table("6d 6c 6h", "7d 7c 7h 9c", "4d 4c 9d", partner=3), "6d 6c 6h")
    beaten = after(game, "7d 7c 7h", "-", "-", "-")
    assert (beaten.turn, fact(beaten, "lead")) == (1, None)
    captured = after(game, "-", "4d 4c", "-", "-", "-")
    assert (captured.turn, captured.hands[2]) == (2, captured.rules.sort(cards("6d 6c 6h 9d")))
