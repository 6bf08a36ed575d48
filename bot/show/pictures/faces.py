"""Cards as they lie on a table: tall, with rank and suit on the left, readable where only that strip is seen.

Draws suits and stars by the outlines of bot/show/art, in its colours; refuses to know games.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show import art
from bot.show.pictures.lettering import write

RATIO = 1.36  # of height to width
STRIP = 0.46  # of the width, that shows what a card is
SCALE = 4
EDGE = (176, 182, 192)


@lru_cache(maxsize=256)
def tall(card: str, width: int) -> Image.Image:
    """Return the picture of a card in notation ("3d", "BJ"), so many pixels wide."""
    wide, high = width * SCALE, round(width * RATIO) * SCALE
    rank, suit = art.split(card)
    picture = Image.new("RGBA", (wide, high), (*EDGE, 0))
    pen = ImageDraw.Draw(picture)
    ground = art.GROUNDS.get(rank, (255, 255, 255))
    pen.rounded_rectangle((0, 0, wide - 1, high - 1), wide * 0.11, fill=ground, outline=EDGE, width=2 * SCALE)
    colour = art.COLOURS[suit or rank]
    figures = art.FIGURES[rank]
    if suit in art.AREAS:
        _corner(pen, figures, wide, colour)
        _areas(pen, suit, (wide * 0.1, wide * 0.56, wide * 0.38, wide * 0.56 + wide * 0.3), colour)
        _areas(pen, suit, (wide * 0.42, high - wide * 0.62, wide * 0.92, high - wide * 0.09), colour)
    elif rank in art.STARS:
        _corner(pen, figures, wide, colour)
        art.star(
            pen,
            (wide * 0.36, high - wide * 0.64, wide * 0.92, high - wide * 0.08),
            art.STARS[rank],
            wide * 0.06,
            filled=rank != "RJ",
        )
    else:
        _corner(pen, figures, wide, colour)
        write(
            pen,
            (wide * 0.62, high - wide * 0.4),
            figures,
            round(wide * (0.5 if len(figures) == 2 else 0.7)),
            colour,
            "m",
        )
    return picture.reduce(SCALE)


def _corner(pen: ImageDraw.ImageDraw, figures: str, wide: int, colour: art.Colour) -> None:
    size = wide * (0.4 if len(figures) == 2 else 0.5)
    write(pen, (wide * 0.245, wide * 0.29), figures, round(size), colour, "m")


def _areas(pen: ImageDraw.ImageDraw, suit: str, box: art.Box, colour: art.Colour) -> None:
    for area in art.AREAS[suit]:
        pen.polygon(art.placed(area, box), fill=colour)
