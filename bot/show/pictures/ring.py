"""The places of seats around a pictured table.

The first seat is at the bottom, and the others follow in turn order.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.show.pictures.canvas import Box

WIDTH = 800  # pixels; on a phone the picture shrinks to a third, so readable text needs at least 36 pixels
EDGE, GAP = 14, 14
TALL = 104
MIDDLE = 220  # the height of the cards with their title
NEAR = 40  # between two plates in one row
BROAD, SLIM = 360, 248  # the widths of a plate, with at most two in a row, and with three


class SeatLayout(NamedTuple):
    """The number of seats at the bottom, left, top and right.

    wide: the width of a plate in pixels.
    """

    below: int
    left: int
    above: int
    right: int
    wide: int = BROAD


SEAT_LAYOUTS = {
    2: SeatLayout(1, 0, 1, 0),
    3: SeatLayout(1, 1, 0, 1),
    4: SeatLayout(1, 1, 1, 1),
    5: SeatLayout(1, 1, 2, 1),
    6: SeatLayout(2, 1, 2, 1),
    7: SeatLayout(2, 1, 3, 1, SLIM),
    8: SeatLayout(3, 1, 3, 1, SLIM),
    9: SeatLayout(2, 2, 3, 2, SLIM),
}


def height(seats: int) -> int:
    """Return the height of a picture with this many seats, in pixels."""
    return _foot(seats) + TALL + EDGE


def middle(seats: int) -> tuple[int, int]:
    """Return the centre of the space for cards."""
    return WIDTH // 2, _foot(seats) - GAP - MIDDLE // 2


def plates(seats: int, *, clockwise: bool = True) -> list[Box]:
    """Return the box of each seat.

    clockwise: the direction of the seat numbers around the table.
    """
    boxes = _clockwise(seats)
    return boxes if clockwise else [(WIDTH - right, top, WIDTH - left, foot) for left, top, right, foot in boxes]


def _clockwise(seats: int) -> list[Box]:
    ring, beside = SEAT_LAYOUTS[seats], _beside(seats)
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
    return EDGE + (TALL + GAP) * bool(SEAT_LAYOUTS[seats].above)


def _foot(seats: int) -> int:
    """Return the top of the plates at the bottom."""
    return _beside(seats) + (TALL + GAP) * SEAT_LAYOUTS[seats].left + MIDDLE + GAP


def _columns(count: int, wide: int) -> list[int]:
    """Return the left edge of each of this many plates in a centred row."""
    apart = wide + (GAP if count * (wide + NEAR) > WIDTH else NEAR)
    first = (WIDTH - apart * (count - 1) - wide) // 2
    return [first + at * apart for at in range(count)]
