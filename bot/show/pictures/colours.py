"""The colours of all pictures, and their shared palette.

Lists which colours meet in a picture, because only edges between two such colours need shades in the palette.
"""

from __future__ import annotations

from functools import cache
from itertools import chain

from PIL import Image

from bot.show.kit.card_art import COLOURS, GROUNDS, Colour

FELT: Colour = (20, 92, 60)
PLATE: Colour = (12, 44, 32)
WHITE: Colour = (255, 255, 255)
PALE: Colour = (190, 214, 201)
GOLD: Colour = (255, 205, 60)
DARK: Colour = (20, 24, 28)
RED: Colour = (255, 122, 110)
BACK: Colour = (52, 88, 206)  # of a face-down card
SKY: Colour = (142, 196, 255)
GREEN: Colour = (126, 224, 150)
DIM: Colour = (98, 140, 116)
FAINT: Colour = (71, 100, 88)
SHADE: Colour = (34, 78, 60)
RIM: Colour = (176, 182, 192)  # around a card
HUES: tuple[Colour, ...] = (
    (88, 101, 242),
    (206, 112, 36),
    (196, 82, 150),
    (48, 128, 196),
    (104, 134, 40),
    (146, 96, 216),
    (196, 66, 66),
    (28, 136, 126),
    (140, 110, 80),
)
MEETING: tuple[tuple[Colour, tuple[Colour, ...]], ...] = (
    (FELT, (PLATE, WHITE, PALE, GOLD, GREEN, RED, DIM, RIM, *HUES)),
    (PLATE, (WHITE, PALE, GOLD, BACK, GREEN, RED, SKY, DIM, FAINT, SHADE, *HUES)),
    (WHITE, (DARK, RIM, SHADE, BACK, *(colour for colour in COLOURS.values() if colour != WHITE), *HUES)),
    (GOLD, (DARK, *HUES)),
    (DARK, (RED, SKY)),
    *((ground, (RIM, COLOURS[rank])) for rank, ground in GROUNDS.items()),
)
SHADES = 2  # between two adjacent colours


@cache
def palette() -> Image.Image:
    """Return a picture that holds the palette."""
    pairs = ((one, other) for one, others in MEETING for other in others)
    shades = chain.from_iterable(_between(one, other) for one, other in pairs)
    held = Image.new("P", (1, 1))
    held.putpalette(list(chain.from_iterable(dict.fromkeys(shades))))
    return held


def _between(one: Colour, other: Colour) -> list[Colour]:
    """Return two colours and the shades between them."""
    steps = SHADES + 1
    mixed = (
        tuple(round(part + (end - part) * step / steps) for part, end in zip(one, other, strict=True))
        for step in range(steps + 1)
    )
    return [(red, green, blue) for red, green, blue in mixed]
