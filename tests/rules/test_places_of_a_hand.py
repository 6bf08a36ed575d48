"""The place of each seat in a hand, for every game alike: who is out, who shares, who has none."""

from __future__ import annotations

import pytest

from bot.rules.core.cards import cards
from bot.rules.core.game import Result

HELD, OUT = cards("3d"), ()


@pytest.mark.parametrize(
    ("order", "left", "places"),
    [
        ((), (HELD, HELD), (None, None)),
        ((2,), (HELD, HELD, OUT, HELD), (None, None, 1, None)),
        ((0,), (HELD, HELD, HELD), (1, None, None)),
        ((2, 0, 1), (OUT, HELD, OUT), (2, 3, 1)),
        ((3, 1, 0, 2, 4), (HELD, OUT, HELD, OUT, HELD), (3, 2, 3, 1, 3)),
        ((1, 0), (OUT, OUT), (2, 1)),
        ((1, 0), (HELD, HELD), (2, 1)),
    ],
)
def test_places_by_going_out(
    order: tuple[int, ...], left: tuple[tuple[object, ...], ...], places: tuple[int | None, ...]
) -> None:
    result = Result(order, left, (0,) * len(left))  # type: ignore[arg-type]
    assert result.places == places


def test_equal_points_share_a_place() -> None:
    result = Result((2, 0, 3, 1), (OUT, HELD, OUT, HELD), (5, 9, 0, 5), by_points=True)
    assert result.places == (2, 4, 1, 2)


def test_separate_places_are_never_shared() -> None:
    result = Result((2, 0, 3, 1), (HELD, HELD, OUT, HELD), (1, -2, 2, -1), apart=True)
    assert result.places == (2, 4, 1, 3)
