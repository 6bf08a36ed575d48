"""A page of a ladder as a picture: who stands where, with how much, and how that has changed.

Draws plain values and keeps what it has drawn; refuses to know ratings and words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show.kit.card_art import Colour
from bot.show.pictures.canvas import SCALE, Canvas
from bot.show.pictures.colours import DIM, FELT, GOLD, GREEN, HUES, PALE, PLATE, RED, WHITE
from bot.show.pictures.lettering import cut, legible, width, write
from bot.show.pictures.podium import BROAD, EDGE, HEAD, NAME, SIGN, TEXT, TITLES, UNDER, WIDTH, disc

TOP, ROW, APART = 206, 108, 24  # the middle of the first row, from one to the next, and before one's own
LIFT = 20  # from the middle of a row to the middle of each of its two lines
AT_PLACE, AT_DISC, AT_NAME = 56, 98, 162
PLACE, SMALL = 64, 26  # pixels of a place, and the height of one that is wider all the same
SPARK, HIGH, AT_SPARK = 132, 56, 456  # pixels of a course: how wide and high it is, and where it begins
NUMBER = 150  # pixels of a number
LINE = 4
AT_BAND, THIN, DOT = 43, 2, 5  # how far below the middle of a row its band lies, half its height, and that of its dot


@dataclass(frozen=True, slots=True)
class Rank:
    """A line. place: its number; under: what else is to be said; moved: with its sign; hue: which colour it has.

    course: how the number was, oldest first. band: from where to where it may lie in truth, nothing where that is not
    said. mine: whether it is the reader's own.
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
class Ranks:
    """What a picture of a ladder shows. own: the reader's line, where it is on another page."""

    title: str
    under: str
    lines: tuple[Rank, ...]
    own: Rank | None = None

    def png(self) -> bytes:
        """Return the picture as PNG; drawn once."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(look: Ranks) -> bytes:
    """Return the picture of a ladder as PNG."""
    below = APART + ROW if look.own else 0
    canvas = Canvas(WIDTH, TOP + ROW * len(look.lines) - ROW // 2 + below + 16, FELT)
    high = next((high for high in TITLES if width(look.title, high) <= BROAD), TEXT)
    write(canvas.pen, (WIDTH / 2, HEAD), cut(look.title, high, BROAD), high, GOLD, "m")
    write(canvas.pen, (WIDTH / 2, UNDER), cut(legible(look.under), TEXT, BROAD), TEXT, PALE, "m")
    lines = [(line, TOP + number * ROW) for number, line in enumerate(look.lines)]
    if look.own:
        lines.append((look.own, TOP + ROW * len(look.lines) + APART))
    ends = [end for line, _ in lines for end in line.band or ()]
    for line, y in lines:
        _line(canvas, line, y)
        if line.band:
            _band(canvas, line.band, (min(ends), max(ends)), y + AT_BAND)
    return canvas.png()


def _line(canvas: Canvas, line: Rank, y: int) -> None:
    """Write one line; the reader's own on a plate."""
    if line.mine:
        canvas.box((EDGE // 2, y - ROW // 2 + 4, WIDTH - EDGE // 2, y + ROW // 2 - 4), 18, PLATE)
    high = next((high for high in (NAME, SIGN) if width(line.place, high) <= PLACE), SMALL)
    write(canvas.pen, (AT_PLACE, y), line.place, high, GOLD if line.place == "1" else WHITE, "m")
    disc(canvas, legible(line.name)[:1].upper(), AT_DISC, y, HUES[line.hue % len(HUES)])
    wide = (AT_SPARK if line.course else WIDTH - EDGE - NUMBER) - AT_NAME - 16
    write(canvas.pen, (AT_NAME, y - LIFT), cut(legible(line.name), NAME, wide), NAME, WHITE, "l")
    write(canvas.pen, (AT_NAME, y + LIFT + 2), cut(line.under, TEXT, wide), TEXT, PALE, "l")
    if len(line.course) > 1:
        canvas.image.paste(_spark(line, PLATE if line.mine else FELT), (AT_SPARK, y - HIGH // 2))
    right = WIDTH - EDGE
    write(canvas.pen, (right, y - LIFT if line.moved else y), line.number, NAME, WHITE, "r")
    if line.moved:
        sign, colour = ("▲", GREEN) if line.moved > 0 else ("▼", RED)
        write(canvas.pen, (right, y + LIFT + 2), f"{sign} {abs(line.moved)}", TEXT, colour, "r")


def _band(canvas: Canvas, band: tuple[int, int], scale: tuple[int, int], y: int) -> None:
    """Draw from where to where a number may lie in truth, by one measure for the whole page, and the number itself."""
    wide = WIDTH - EDGE - AT_SPARK
    low, high = (AT_SPARK + wide * (end - scale[0]) // ((scale[1] - scale[0]) or 1) for end in band)
    middle = (low + high) // 2
    canvas.box((low, y - THIN, high, y + THIN), THIN, DIM)
    canvas.box((middle - DOT, y - DOT, middle + DOT, y + DOT), DOT, PALE)


def _spark(line: Rank, ground: Colour) -> Image.Image:
    """Return the course of a number, drawn too large and averaged down."""
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
