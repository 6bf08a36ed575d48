"""Section 8 of the rule page of Big A, an article at a time: what the places are worth.

Seat 0 is always the declarer and seat 1 the partner, if any.
"""

from itertools import permutations
from typing import Any

import pytest

from bot.rules.matches.match import Match
from bot.rules.matches.score import nets_of
from tests.rules.big_a_positions import after, asking, ended, points, result, rules, table

Places = tuple[int, int]  # of the declarer and of the partner
Row = tuple[int, int, int]  # the points of the declarer, of the partner and of each opponent

BASIC: dict[Places, Row] = {
    (1, 2): (6, 3, -3),
    (2, 1): (6, 3, -3),
    (1, 3): (4, 2, -2),
    (3, 1): (4, 2, -2),
    (1, 4): (2, 1, -1),
    (4, 1): (2, 1, -1),
    (4, 5): (-6, -3, 3),
    (5, 4): (-6, -3, 3),
    (2, 5): (-2, -1, 1),
    (3, 5): (-2, -1, 1),
    (5, 2): (-4, -2, 2),
    (5, 3): (-4, -2, 2),
}
SHARED: dict[Places, Row] = {
    (1, 2): (9, 9, -6),
    (2, 1): (9, 9, -6),
    (1, 3): (6, 6, -4),
    (3, 1): (6, 6, -4),
    (1, 4): (3, 3, -2),
    (4, 1): (3, 3, -2),
    (4, 5): (-9, -9, 6),
    (5, 4): (-9, -9, 6),
    (2, 5): (-3, -3, 2),
    (3, 5): (-3, -3, 2),
    (5, 2): (-6, -6, 4),
    (5, 3): (-6, -6, 4),
}


def finish(places: Places) -> list[int]:
    """Return in which order seats go out so that declarer and partner have these places, until play is over."""
    others = iter((2, 3, 4))
    seated = {places[0]: 0, places[1]: 1}
    order = [seated[place] if place in seated else next(others) for place in range(1, 6)]
    while one_sided(order[:-1]):
        order.pop()
    return order


def one_sided(out: list[int]) -> bool:
    """Tell whether every seat with cards is on the same side."""
    return len({seat in (0, 1) for seat in range(5) if seat not in out}) == 1


def row(places: Places, *, both: bool = False, **options: Any) -> Row:
    """Return what a hand with these places pays, every other player having the same."""
    made = points(finish(places), partner=1, both=both, of=rules(**options))
    assert made[2] == made[3] == made[4]
    return made[0], made[1], made[2]


def test_8_1_which_side_wins() -> None:
    for places in permutations(range(1, 6), 2):
        first, last = 1 in places, 5 in places
        declarer, partner, opponent = row(places)
        assert (declarer > 0, declarer < 0) == (first and not last, last and not first)
        assert (partner > 0, opponent < 0) == (declarer > 0, declarer > 0)


def test_8_2_the_usual_points() -> None:
    for places in permutations(range(1, 6), 2):
        assert row(places) == BASIC.get(places, (0, 0, 0)), places


def test_8_3_settled_before_the_first_lead() -> None:
    held = ["Kd", "Ah 7d", "6c 7c", "8c 9c", "Tc Jc"]
    shown_in_play = after(table(*held, turn=1, of=asking()), "Ah", "-", "-", "-", "-")
    assert shown_in_play.sides.known
    over = after(shown_in_play, "7d", "-", "-", "-", "Kd")
    assert result(over).points == (6, 3, -3, -3, -3)
    assert points([1, 0], both=True) == [9, 9, -6, -6, -6]  # shown before it
    lone = after(table("Ah Ah", *["7c 8c"] * 4, partner=None, of=asking()), "Ah Ah")
    assert result(lone).points == (32, -8, -8, -8, -8)


def test_o5_1_with_a_revealed_partner() -> None:
    for places in permutations(range(1, 6), 2):
        assert row(places, both=True, revealed_scoring="doubled_shared") == SHARED.get(places, (0, 0, 0)), places


def test_o5_2_with_a_revealed_partner() -> None:
    for places in permutations(range(1, 6), 2):
        doubled = tuple(2 * each for each in BASIC.get(places, (0, 0, 0)))
        assert row(places, both=True, revealed_scoring="doubled_unshared") == doubled, places
        assert row(places, revealed_scoring="doubled_unshared") == BASIC.get(places, (0, 0, 0))


@pytest.mark.parametrize(("both", "each"), [(False, 8), (True, 16)])
@pytest.mark.parametrize("revealed_scoring", ["doubled_shared", "doubled_unshared"])
def test_8_4_alone(both: bool, each: int, revealed_scoring: str) -> None:
    game = rules(revealed_scoring=revealed_scoring)
    others = [1, 2, 3, 4]
    for place in range(1, 6):
        out = [*others[: place - 1], 0] if place < 5 else others
        sign = {1: 1, 5: -1}.get(place, 0)
        assert points(out, partner=None, both=both, of=game) == [4 * each * sign, *[-each * sign] * 4]


def test_8_5_the_sum_is_nought() -> None:
    for places in permutations(range(1, 6), 2):
        for both in (False, True):
            assert sum(points(finish(places), partner=1, both=both)) == 0
    hands = [ended([0, 1]), ended([2, 3, 4]), ended([0], partner=None)]
    match = Match(rules(), seed="seed", game=hands[-1], results=tuple(map(result, hands)))
    assert match.totals == (6 - 6 + 32, 3 - 3 - 8, -3 + 3 - 8, -3 + 3 - 8, -3 + 3 - 8)


@pytest.mark.parametrize("places", [*BASIC])
def test_o18_1_what_a_point_is_worth(places: Places) -> None:
    over = result(ended(finish(places), of=rules(stake=5)))
    assert nets_of(over.payments, 5) == tuple(5 * won for won in over.points)
    assert all(amount > 0 for *_, amount in over.payments)
    assert over.payments


def test_o18_2_no_stake() -> None:
    assert result(ended(finish((1, 2)), of=rules(stake=0))).payments == ()
    assert result(ended(finish((1, 2)))).payments == ()
