"""The picture of a player's profile: the course of the rating, and the best figures.

Drawn from plain values and cached.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from PIL import Image, ImageDraw

from bot.show.pictures.canvas import FELT, GOLD, HUES, PALE, PLATE, SCALE, SHADE, WHITE, Box, Canvas
from bot.show.pictures.lettering import cut, fitted, legible, width, write
from bot.show.pictures.podium import BROAD, EDGE, HEAD, NAME, TEXT, TEXTS, TITLES, UNDER, WIDTH, disc

TOP, HIGH, INSIDE = 152, 320, 18  # of the plot: its top, its height, and its margin
CELL, ABOVE, BELOW = 118, 40, 84  # a row of figures: its height, and the middles of its two lines
IN_A_ROW = 3
LINE = 5
BESIDE = 64  # from the left edge of the disc to the title
Course: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and its label."""

    number: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileDrawing:
    """The content of a profile picture.

    course: the rating's confidence interval after each match. hue: the number of the person's colour.
    """

    title: str
    under: str
    figures: tuple[Figure, ...]
    course: Course = ()
    hue: int = 0

    def png(self) -> bytes:
        """Return the picture as PNG; cached."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(drawing: ProfileDrawing) -> bytes:
    """Return the picture of a profile as PNG."""
    plotted = len(drawing.course) > 1
    top = TOP + (HIGH + 16 if plotted else 0)
    rows = -(-len(drawing.figures) // IN_A_ROW)
    canvas = Canvas(WIDTH, top + CELL * rows + 12, FELT)
    name = legible(drawing.title)
    title, size = fitted(name, TITLES, BROAD - 2 * BESIDE)
    write(canvas.pen, (WIDTH / 2, HEAD), title, size, colour=GOLD, anchor="m")
    disc(canvas, name[:1].upper(), (WIDTH - width(title, size)) // 2 - BESIDE, HEAD, colour=HUES[drawing.hue])
    write(canvas.pen, (WIDTH / 2, UNDER), *fitted(legible(drawing.under), TEXTS, BROAD), colour=PALE, anchor="m")
    if plotted:
        _plot(canvas, drawing.course, (EDGE, TOP, WIDTH - EDGE, TOP + HIGH))
    wide = WIDTH // IN_A_ROW
    for at, figure in enumerate(drawing.figures):
        x, y = wide * (at % IN_A_ROW) + wide / 2, top + CELL * (at // IN_A_ROW)
        write(canvas.pen, (x, y + ABOVE), text=cut(figure.number, NAME, wide - 16), size=NAME, colour=WHITE, anchor="m")
        write(canvas.pen, (x, y + BELOW), *fitted(figure.what, TEXTS, wide - 16), colour=PALE, anchor="m")
    return canvas.png()


def _plot(canvas: Canvas, course: Course, box: Box) -> None:
    """Draw the course of a number within its band, labelled with minimum and maximum."""
    left, top, right, bottom = box
    canvas.box(box, 16, PLATE)
    low, most = _ends(course)
    labels = max(width(str(number), TEXT) for number in (low, most)) + INSIDE
    wide, high = right - left - 2 * INSIDE - labels, bottom - top - 2 * INSIDE
    canvas.image.paste(_lines(course, wide, high), (left + INSIDE, top + INSIDE))
    for number, y in ((most, top + INSIDE + 16), (low, bottom - INSIDE - 16)):
        write(canvas.pen, (right - INSIDE, y), text=str(number), size=TEXT, colour=PALE, anchor="r")


def _ends(course: Course) -> tuple[int, int]:
    """Return the minimum and the maximum of a band."""
    return min(low for low, _ in course), max(high for _, high in course)


def _lines(course: Course, wide: int, high: int) -> Image.Image:
    """Return the band with its middle line, drawn enlarged and averaged down."""
    scale = SCALE // 2
    wide, high, margin = wide * scale, high * scale, LINE * scale
    picture = Image.new("RGB", (wide, high), PLATE)
    pen = ImageDraw.Draw(picture)
    low, most = _ends(course)

    def point(at: int, number: float) -> tuple[float, float]:
        x = 2 * margin + (wide - 4 * margin) * at / (len(course) - 1)
        return x, margin + (high - 2 * margin) * (most - number) / ((most - low) or 1)

    under, over = ([point(at, ends[way]) for at, ends in enumerate(course)] for way in (0, 1))
    pen.polygon([*under, *reversed(over)], fill=SHADE)
    points = [point(at, sum(ends) / 2) for at, ends in enumerate(course)]
    pen.line(points, fill=WHITE, width=LINE * scale, joint="curve")
    x, y = points[-1]
    pen.ellipse((x - 2 * margin, y - 2 * margin, x + 2 * margin, y + 2 * margin), fill=GOLD)
    return picture.reduce(scale)
