"""The tall cards of a table picture, with rank and suit in a left strip that stays visible under the next card.

Suits, stars and colours come from ``bot/show/kit/card_art.py``.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show.kit import card_art
from bot.show.pictures.colours import RIM, WHITE
from bot.show.pictures.lettering import write

RATIO = 1.36  # of height to width; all sizes below are in widths of a card
SCALE = 4  # every card is drawn this many times too large and then averaged down
LEFT = (0.1, 0.56, 0.38, 0.86)  # the box of the small suit, in the left strip
RIGHT = (0.42, RATIO - 0.62, 0.92, RATIO - 0.09)  # the box of the large suit or star
PEN = 0.06  # of a star


@lru_cache(maxsize=256)
def tall(card: str, width: int) -> Image.Image:
    """Return the picture of a card in notation ("3d", "BJ"), this many pixels wide."""
    wide, high = width * SCALE, round(width * RATIO) * SCALE
    rank, suit = card_art.split(card)
    picture = Image.new("RGBA", (wide, high), (*RIM, 0))
    pen = ImageDraw.Draw(picture)
    ground = card_art.GROUNDS.get(rank, WHITE)
    pen.rounded_rectangle((0, 0, wide - 1, high - 1), wide * 0.11, fill=ground, outline=RIM, width=2 * SCALE)
    _rank(pen, rank, card_art.COLOURS[suit or rank], wide)
    _sign(pen, rank, suit, wide)
    return picture.reduce(SCALE)


def _rank(pen: ImageDraw.ImageDraw, rank: str, colour: card_art.Colour, wide: int) -> None:
    """Write the rank at the top of the visible strip."""
    figures = card_art.FIGURES[rank]
    size = wide * (0.4 if len(figures) == 2 else 0.5)
    write(pen, (wide * 0.245, wide * 0.29), text=figures, size=round(size), colour=colour, anchor="m")


def _sign(pen: ImageDraw.ImageDraw, rank: str, suit: str, wide: int) -> None:
    """Draw the suit, small and large; or a joker's star; or the rank again for a card without either."""
    colour, figures = card_art.COLOURS[suit or rank], card_art.FIGURES[rank]
    if suit in card_art.AREAS:
        for box in (LEFT, RIGHT):
            for area in card_art.AREAS[suit]:
                pen.polygon(card_art.placed(area, _times(box, wide)), fill=colour)
    elif rank in card_art.STARS:
        card_art.star(pen, _times(RIGHT, wide), card_art.STARS[rank], wide * PEN, filled=rank != "RJ")
    else:
        size = wide * (0.5 if len(figures) == 2 else 0.7)
        write(pen, (wide * 0.62, wide * (RATIO - 0.4)), text=figures, size=round(size), colour=colour, anchor="m")


def _times(box: card_art.Box, wide: int) -> card_art.Box:
    left, top, right, bottom = (side * wide for side in box)
    return left, top, right, bottom
