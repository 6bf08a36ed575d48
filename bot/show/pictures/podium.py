"""The picture of the end of a hand or match: the winner, the standings, and the course of the match.

Drawn from plain values and cached.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show.kit.card_art import Colour
from bot.show.pictures.canvas import DARK, FAINT, FELT, GOLD, HUES, PALE, PLATE, SCALE, USUAL, WHITE, Box, Canvas
from bot.show.pictures.lettering import cut, fitted, legible, width, write

WIDTH, EDGE = 800, 28  # as ring.WIDTH: a phone shows it at a third, so text needs at least 36 pixels
BROAD = WIDTH - 2 * EDGE
TOLD = BROAD - 48  # the greatest width of a highlight in pixels
TITLE, NAME, TEXT, SIGN = 54, 42, 37, 32  # heights of letters
TEXTS = TEXT, SIGN  # heights of a text, smaller for a long text
TITLES = TITLE, 48, NAME, *TEXTS
HEAD, UNDER = 56, 112  # the middles of the title and of the line below
TOP, BARE_TOP = 222, 170  # the middle of the first seat: below the column names, or without any
ROW, NARROW, ROOMY = 72, 55, 5  # the distance between seats, and with more seats than ROOMY
DISC, AT_DISC, AT_NAME = 48, 78, 136
COLUMN = 124  # the least width of a column of numbers in pixels; a long column name widens it
CHART, LOW, HIGH = 336, 240, 300  # pixels of the chart: its width, its least and greatest height
PILL, APART = 56, 66
LINE = 5


@dataclass(frozen=True, slots=True)
class EndingRow:
    """A seat's line. place: the rank, "" without one. numbers: one for each column. hue: of the player."""

    seat: int
    place: str
    name: str
    numbers: tuple[str, ...]
    _: KW_ONLY
    house: bool = False
    hue: int = 0


@dataclass(frozen=True, slots=True)
class EndingDrawing:
    """The content of a picture of an end.

    title: the winner. under: the name of the hand or match. columns: the names of the lines' numbers. course: the total
    of each seat after each hand, empty without a chart; hands: the text below the chart. told: the highlights.
    """

    title: str
    under: str
    columns: tuple[str, ...]
    lines: tuple[EndingRow, ...]
    _: KW_ONLY
    course: tuple[tuple[int, ...], ...] = ()
    hands: str = ""
    highlights: tuple[str, ...] = ()

    def png(self) -> bytes:
        """Return the picture as PNG; cached."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(look: EndingDrawing) -> bytes:
    """Return the picture of an end as PNG."""
    step = ROW if len(look.lines) <= ROOMY else NARROW
    top = TOP if any(look.columns) else BARE_TOP
    foot = top + max(step * len(look.lines), LOW if look.course else 0) - step // 2 + 12
    canvas = Canvas(WIDTH, foot + APART * len(look.highlights) + 12, FELT)
    write(canvas.pen, (WIDTH / 2, HEAD), *fitted(look.title, TITLES, BROAD), colour=GOLD, anchor="m")
    write(canvas.pen, (WIDTH / 2, UNDER), *fitted(look.under, TEXTS, BROAD), colour=PALE, anchor="m")
    right = WIDTH - EDGE - (CHART + EDGE if look.course else 0)
    ends = _ends(look, right)
    for x, name in zip(ends, look.columns, strict=False):
        write(canvas.pen, (x, top - 54), text=name, size=TEXT, colour=PALE, anchor="r")
    for number, line in enumerate(look.lines):
        _line(canvas, line, top + number * step, ends)
    if look.course:
        high = top - step // 2 + 4
        _chart(canvas, look, (WIDTH - EDGE - CHART, high, WIDTH - EDGE, min(foot - 16, high + HIGH)))
    for number, text in enumerate(look.highlights):
        _pill(canvas, text, foot + APART * number + PILL // 2)
    return canvas.png(USUAL)  # once a hand


def _ends(look: EndingDrawing, right: int) -> list[int]:
    """Return the right edge of each column of numbers."""
    ends = [right - 8]
    for name in reversed(look.columns[1:]):
        ends.insert(0, ends[0] - max(COLUMN, width(name, TEXT) + 36))
    return ends


def _line(canvas: Canvas, line: EndingRow, y: int, ends: list[int]) -> None:
    """Draw the line of a seat: place, player, and numbers, the last and most important one larger."""
    write(canvas.pen, (44, y), text=line.place, size=NAME, colour=GOLD if line.place == "1" else WHITE, anchor="m")
    _disc(canvas, line, y)
    wide = ends[0] - COLUMN + 16 - AT_NAME
    write(canvas.pen, (AT_NAME, y), text=cut(legible(line.name), NAME, wide), size=NAME, colour=WHITE, anchor="l")
    for x, number in zip(ends[:-1], line.numbers, strict=False):
        write(canvas.pen, (x, y), text=number, size=TEXT, colour=PALE, anchor="r")
    write(canvas.pen, (ends[-1], y), text=line.numbers[-1], size=NAME, colour=WHITE, anchor="r")


def _disc(canvas: Canvas, line: EndingRow, y: int) -> None:
    """Draw a letter in the colour of a player, or a face with two eyes for a house player."""
    left, top, hue = AT_DISC, y - DISC // 2, HUES[line.hue]
    if not line.house:
        disc(canvas, legible(line.name)[:1].upper() or str(line.seat + 1), left, y, colour=hue)
        return
    canvas.box((left, top, left + DISC, top + DISC), 11, hue)
    for x in (left + 14, left + 26):
        canvas.box((x, top + 13, x + 8, top + 24), 4, WHITE)
    canvas.box((left + 14, top + 32, left + 34, top + 37), 2, WHITE)


def disc(canvas: Canvas, sign: str, left: int, y: int, *, colour: Colour) -> None:
    """Draw a letter on a disc."""
    canvas.box((left, y - DISC // 2, left + DISC, y + DISC // 2), DISC // 2, colour)
    write(canvas.pen, (left + DISC // 2, y), text=sign, size=SIGN, colour=WHITE, anchor="m")


def _chart(canvas: Canvas, look: EndingDrawing, box: Box) -> None:
    """Draw the total of each seat after each hand, and the zero line."""
    left, top, right, bottom = box
    canvas.box(box, 16, PLATE)
    canvas.image.paste(_lines(look, right - left - 32, bottom - top - 84), (left + 16, top + 18))
    middle = (left + right) / 2, bottom - 34
    write(canvas.pen, middle, text=cut(look.hands, TEXT, right - left - 20), size=TEXT, colour=PALE, anchor="m")


def _lines(look: EndingDrawing, wide: int, high: int) -> Image.Image:
    """Return the lines of the chart, drawn enlarged and averaged down; the winner's line on top."""
    wide, high = wide * SCALE // 2, high * SCALE // 2
    stands = [stand for seat in look.course for stand in seat]
    low, most = min(0, *stands), max(0, *stands)
    picture = Image.new("RGB", (wide, high), PLATE)
    pen, margin = ImageDraw.Draw(picture), LINE * SCALE

    def point(at: int, stand: int) -> tuple[float, float]:
        x = margin + (wide - 2 * margin) * at / (len(look.course[0]) - 1)
        return x, margin + (high - 2 * margin) * (most - stand) / ((most - low) or 1)

    pen.line([point(0, 0), point(len(look.course[0]) - 1, 0)], fill=FAINT, width=SCALE)
    for line in reversed(look.lines):
        points = [point(at, stand) for at, stand in enumerate(look.course[line.seat])]
        colour = HUES[line.hue]
        pen.line(points, fill=colour, width=LINE * SCALE // 2, joint="curve")
        (x, y), thick = points[-1], LINE * SCALE * 0.9
        pen.ellipse((x - thick, y - thick, x + thick, y + thick), fill=colour)
    return picture.reduce(SCALE // 2)


def _pill(canvas: Canvas, text: str, y: int) -> None:
    """Draw a highlight."""
    text = cut(text, TEXT, TOLD)
    half = width(text, TEXT) // 2 + 26
    canvas.box((WIDTH // 2 - half, y - PILL // 2, WIDTH // 2 + half, y + PILL // 2), PILL // 2, WHITE)
    write(canvas.pen, (WIDTH / 2, y), text=text, size=TEXT, colour=DARK, anchor="m")
