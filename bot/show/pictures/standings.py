"""A page of the standings as a picture: places, players, numbers, and their changes.

Drawn from plain values and cached.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show.kit.card_art import Colour
from bot.show.pictures.canvas import DIM, FELT, GOLD, GREEN, HUES, PALE, PLATE, RED, SCALE, WHITE, Canvas
from bot.show.pictures.lettering import cut, fitted, legible, width, write
from bot.show.pictures.podium import BROAD, EDGE, HEAD, NAME, SIGN, TEXT, TEXTS, TITLES, UNDER, WIDTH, disc

TOP, ROW, APART = 206, 108, 24  # the middle of the first row; between rows; before the viewer's own row
LIFT = 20  # from the middle of a row to the middle of each of its two lines
AT_PLACE, AT_DISC, AT_NAME = 56, 98, 162
PLACE, SMALL = 64, 26  # the width of a place in pixels, and the letter height for places too wide at any larger height
SPARK, HIGH, AT_SPARK = 132, 56, 456  # the width, height and left edge of a chart in pixels
NUMBER = 150  # pixels of a number
LINE = 4
AT_BAND, THIN, DOT = 43, 2, 5  # how far the band is below the middle of a row; half heights of band and dot


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A row of the standings.

    place: the rank. under: the second line. moved: the signed change. hue: the number of its colour. course: earlier
    values of the number, oldest first. band: the confidence interval, None if not shown. mine: whether the row is the
    viewer's own.
    """

    place: str
    name: str
    number: str
    under: str
    hue: int
    course: tuple[int, ...] = ()
    moved: int = 0
    band: tuple[int, int] | None = None
    mine: bool = False


@dataclass(frozen=True, slots=True)
class StandingsDrawing:
    """The content of a standings picture. own: the viewer's row, if on another page."""

    title: str
    under: str
    lines: tuple[StandingsRow, ...]
    own: StandingsRow | None = None

    def png(self) -> bytes:
        """Return the picture as PNG; cached."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(drawing: StandingsDrawing) -> bytes:
    """Return the picture of the standings as PNG."""
    below = APART + ROW if drawing.own else 0
    canvas = Canvas(WIDTH, TOP + ROW * len(drawing.lines) - ROW // 2 + below + 16, FELT)
    write(canvas.pen, (WIDTH / 2, HEAD), *fitted(drawing.title, TITLES, BROAD), colour=GOLD, anchor="m")
    write(canvas.pen, (WIDTH / 2, UNDER), *fitted(legible(drawing.under), TEXTS, BROAD), colour=PALE, anchor="m")
    lines = [(line, TOP + number * ROW) for number, line in enumerate(drawing.lines)]
    if drawing.own:
        lines.append((drawing.own, TOP + ROW * len(drawing.lines) + APART))
    ends = [end for line, _ in lines for end in line.band or ()]
    for line, y in lines:
        _line(canvas, line, y)
        if line.band:
            _band(canvas, line.band, (min(ends), max(ends)), y + AT_BAND)
    return canvas.png()


def _line(canvas: Canvas, line: StandingsRow, y: int) -> None:
    """Draw one row, the viewer's own on a plate."""
    if line.mine:
        canvas.box((EDGE // 2, y - ROW // 2 + 4, WIDTH - EDGE // 2, y + ROW // 2 - 4), 18, PLATE)
    high = next((high for high in (NAME, SIGN) if width(line.place, high) <= PLACE), SMALL)
    write(
        canvas.pen, (AT_PLACE, y), text=line.place, size=high, colour=GOLD if line.place == "1" else WHITE, anchor="m"
    )
    disc(canvas, legible(line.name)[:1].upper(), AT_DISC, y, colour=HUES[line.hue])
    wide = (AT_SPARK if line.course else WIDTH - EDGE - NUMBER) - AT_NAME - 16
    write(
        canvas.pen, (AT_NAME, y - LIFT), text=cut(legible(line.name), NAME, wide), size=NAME, colour=WHITE, anchor="l"
    )
    write(canvas.pen, (AT_NAME, y + LIFT + 2), *fitted(line.under, TEXTS, wide), colour=PALE, anchor="l")
    if len(line.course) > 1:
        canvas.image.paste(_spark(line, PLATE if line.mine else FELT), (AT_SPARK, y - HIGH // 2))
    right = WIDTH - EDGE
    write(canvas.pen, (right, y - LIFT if line.moved else y), text=line.number, size=NAME, colour=WHITE, anchor="r")
    if line.moved:
        sign, colour = ("▲", GREEN) if line.moved > 0 else ("▼", RED)
        write(canvas.pen, (right, y + LIFT + 2), text=f"{sign} {abs(line.moved)}", size=TEXT, colour=colour, anchor="r")


def _band(canvas: Canvas, band: tuple[int, int], scale: tuple[int, int], y: int) -> None:
    """Draw a confidence interval as a band with a dot in its middle, at the page's scale."""
    wide = WIDTH - EDGE - AT_SPARK
    low, high = (AT_SPARK + wide * (end - scale[0]) // ((scale[1] - scale[0]) or 1) for end in band)
    middle = (low + high) // 2
    canvas.box((low, y - THIN, high, y + THIN), THIN, DIM)
    canvas.box((middle - DOT, y - DOT, middle + DOT, y + DOT), DOT, PALE)


def _spark(line: StandingsRow, ground: Colour) -> Image.Image:
    """Return the chart of a number's course, drawn enlarged and averaged down."""
    wide, high, margin = SPARK * SCALE, HIGH * SCALE, LINE * SCALE
    picture = Image.new("RGB", (wide, high), ground)
    pen, low, most = ImageDraw.Draw(picture), min(line.course), max(line.course)

    def point(at: int, number: int) -> tuple[float, float]:
        x = margin + (wide - 2 * margin) * at / (len(line.course) - 1)
        return x, margin + (high - 2 * margin) * (most - number) / ((most - low) or 1)

    points = [point(at, number) for at, number in enumerate(line.course)]
    pen.line(points, fill=PALE, width=LINE * SCALE, joint="curve")
    x, y = points[-1]
    pen.ellipse((x - margin, y - margin, x + margin, y + margin), fill=GOLD)
    return picture.reduce(SCALE)
