"""Where seats stand around the table in a picture: the first one below, the others as their numbers go round.

Knows boxes and what is left free between them; refuses to know who sits there.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.show.pictures.canvas import Box

WIDTH = 800  # pixels; a phone shows a third of them, so that nothing readable is lower than 36
EDGE, GAP = 14, 14
TALL = 104
MIDDLE = 196  # the height that the cards and their name need
NEAR = 40  # between two plates in one row


class Ring(NamedTuple):
    """How many seats stand below, at the left, above and at the right; wide: pixels of a plate."""

    below: int
    left: int
    above: int
    right: int
    wide: int = 300


RINGS = {
    2: Ring(1, 0, 1, 0),
    3: Ring(1, 1, 0, 1),
    4: Ring(1, 1, 1, 1),
    5: Ring(1, 1, 2, 1),
    6: Ring(2, 1, 2, 1),
    7: Ring(2, 1, 3, 1, 248),
    8: Ring(3, 1, 3, 1, 248),
    9: Ring(2, 2, 3, 2, 248),
}


def height(seats: int) -> int:
    """Return how high a picture of so many seats is, in pixels."""
    return _foot(seats) + TALL + EDGE


def middle(seats: int) -> tuple[int, int]:
    """Return the point around which there is space for cards."""
    return WIDTH // 2, _foot(seats) - GAP - MIDDLE // 2


def plates(seats: int, *, clockwise: bool = True) -> list[Box]:
    """Return the place of each seat. clockwise: which way their numbers go round the table."""
    boxes = _clockwise(seats)
    return boxes if clockwise else [(WIDTH - right, top, WIDTH - left, foot) for left, top, right, foot in boxes]


def _clockwise(seats: int) -> list[Box]:
    ring, beside = RINGS[seats], _beside(seats)
    sides = [beside + at * (TALL + GAP) for at in range(max(ring.left, ring.right))]
    corners = [
        *((x, _foot(seats)) for x in reversed(_columns(ring.below, ring.wide))),
        *((EDGE, y) for y in reversed(sides[: ring.left])),
        *((x, EDGE) for x in _columns(ring.above, ring.wide)),
        *((WIDTH - EDGE - ring.wide, y) for y in sides[: ring.right]),
    ]
    return [(x, y, x + ring.wide, y + TALL) for x, y in corners]


def _beside(seats: int) -> int:
    """Return the top of the first plates at the sides."""
    return EDGE + (TALL + GAP) * bool(RINGS[seats].above)


def _foot(seats: int) -> int:
    """Return the top of the plates below."""
    return _beside(seats) + (TALL + GAP) * RINGS[seats].left + MIDDLE + GAP


def _columns(count: int, wide: int) -> list[int]:
    """Return the left of each of so many plates in a row, which stand around its middle."""
    apart = wide + (GAP if count * (wide + NEAR) > WIDTH else NEAR)
    first = (WIDTH - apart * (count - 1) - wide) // 2
    return [first + at * apart for at in range(count)]
