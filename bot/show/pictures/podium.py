"""The picture of the end of a hand or match: the winner, the standings, and the course.

Drawn from plain values and cached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from PIL import Image, ImageDraw

from bot.show.kit.card_art import Colour
from bot.show.pictures.canvas import DARK, FAINT, FELT, GOLD, HUES, PALE, PLATE, SCALE, USUAL, WHITE, Box, Canvas
from bot.show.pictures.lettering import cut, fitted, legible, width, wrapped, write

WIDTH, EDGE = 800, 28  # as ring.WIDTH: a phone shows it at a third, so text needs at least 36 pixels
BROAD = WIDTH - 2 * EDGE
TOLD = BROAD - 48  # the greatest width of a highlight in pixels
TITLE, NAME, TEXT, SIGN = 54, 42, 37, 32  # heights of letters
TEXTS = TEXT, SIGN  # heights of a text, smaller for a long text
TITLES = TITLE, 48, NAME, *TEXTS
HEAD, UNDER = 56, 112  # the middles of the title and of the line below
TOP, BARE_TOP = 222, 170  # the middle of the first seat: below the column names, or without any
STEPS = (5, 72), (7, 55), (9, 50)  # the distance between seats, for at most so many seats
DISC, AT_DISC, AT_NAME = 48, 78, 136
CROWN = (38, 26, 39)  # of the crown: its width, its height, and its top above the middle of the disc
COLUMN = 124  # the least width of a column of numbers in pixels; a long column name widens it
CHART, LOW, HIGH = 336, 240, 300  # pixels of the chart: its width, its least and usual greatest height
CAPTION, LABEL, LEAD = 84, 104, 22  # pixels below the lines; of a name beside them; and of the line's way to its name
LABELS = 34  # the least distance of two names
PILL, GAP = 56, 10  # the height of a line of a highlight with its margins; the distance to the next highlight
LINES, SPACING = 2, 48  # lines of what decided the match, and their distance
LINE = 5


@dataclass(frozen=True, slots=True)
class EndingRow:
    """A seat's line. place: the rank, "" without one. numbers: one for each column.

    hue: the number of the player's colour. crown: whether the player has won the match or hand.
    """

    seat: int
    place: str
    name: str
    numbers: tuple[str, ...]
    _: KW_ONLY
    house: bool = False
    hue: int = 0
    crown: bool = False


@dataclass(frozen=True, slots=True)
class EndingDrawing:
    """The content of a picture of an end.

    title: the winner. under: the name of the hand or match. columns: the names of the lines' numbers. course: the total
    of each seat after each hand, empty without a chart; hands: the text below the chart. decided: what decided the
    match or hand; besides: a further highlight; either may be empty.
    """

    title: str
    under: str
    columns: tuple[str, ...]
    lines: tuple[EndingRow, ...]
    _: KW_ONLY
    course: tuple[tuple[int, ...], ...] = ()
    hands: str = ""
    decided: str = ""
    besides: str = ""

    def png(self) -> bytes:
        """Return the picture as PNG; cached."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(drawing: EndingDrawing) -> bytes:
    """Return the picture of an end as PNG."""
    step = next(step for seats, step in STEPS if len(drawing.lines) <= seats)
    top = TOP if any(drawing.columns) else BARE_TOP
    foot = top + max(step * len(drawing.lines), LOW if drawing.course else 0) - step // 2 + 12
    pills = list(_pills(drawing))
    canvas = Canvas(WIDTH, foot + sum(GAP + pill.height for pill in pills) + 12, FELT)
    write(canvas.pen, (WIDTH / 2, HEAD), *fitted(drawing.title, TITLES, BROAD), colour=GOLD, anchor="m")
    write(canvas.pen, (WIDTH / 2, UNDER), *fitted(drawing.under, TEXTS, BROAD), colour=PALE, anchor="m")
    right = WIDTH - EDGE - (CHART + EDGE if drawing.course else 0)
    ends = _ends(drawing, right)
    for x, name in zip(ends, drawing.columns, strict=False):
        write(canvas.pen, (x, top - 54), text=name, size=TEXT, colour=PALE, anchor="r")
    for number, line in enumerate(drawing.lines):
        _line(canvas, line, top + number * step, ends)
    if drawing.course:
        high = top - step // 2 + 4
        tallest = max(HIGH, CAPTION + LABELS * len(drawing.lines))
        _chart(canvas, drawing, (WIDTH - EDGE - CHART, high, WIDTH - EDGE, min(foot - 16, high + tallest)))
    for pill in pills:
        pill.draw(canvas, foot)
        foot += pill.height + GAP
    return canvas.png(USUAL)  # once a hand


class _Pill(NamedTuple):
    """A highlight in one or two lines."""

    lines: tuple[str, ...]
    size: int
    colour: Colour

    @property
    def height(self) -> int:
        return PILL + SPACING * (len(self.lines) - 1)

    def draw(self, canvas: Canvas, top: int) -> None:
        half = max(width(text, self.size) for text in self.lines) // 2 + 26
        canvas.box((WIDTH // 2 - half, top, WIDTH // 2 + half, top + self.height), PILL // 2, self.colour)
        for number, text in enumerate(self.lines):
            middle = WIDTH / 2, top + PILL // 2 + SPACING * number
            write(canvas.pen, middle, text=text, size=self.size, colour=DARK, anchor="m")


def _pills(drawing: EndingDrawing) -> Iterator[_Pill]:
    """Yield the highlights: what decided the match or hand, large, and a further event."""
    if drawing.decided:
        one_line = width(drawing.decided, NAME) <= TOLD
        lines = (drawing.decided,) if one_line else wrapped(drawing.decided, TEXT, TOLD, LINES)
        yield _Pill(lines, NAME if one_line else TEXT, GOLD)
    if drawing.besides:
        yield _Pill((cut(drawing.besides, TEXT, TOLD),), TEXT, WHITE)


def _ends(drawing: EndingDrawing, right: int) -> list[int]:
    """Return the right edge of each column of numbers."""
    ends = [right - 8]
    for name in reversed(drawing.columns[1:]):
        ends.insert(0, ends[0] - max(COLUMN, width(name, TEXT) + 36))
    return ends


def _line(canvas: Canvas, line: EndingRow, y: int, ends: list[int]) -> None:
    """Draw the line of a seat: place, player, and numbers.

    The last and most important number is larger.
    """
    write(canvas.pen, (44, y), text=line.place, size=NAME, colour=GOLD if line.place == "1" else WHITE, anchor="m")
    _disc(canvas, line, y)
    wide = ends[0] - COLUMN + 16 - AT_NAME
    write(canvas.pen, (AT_NAME, y), text=cut(legible(line.name), NAME, wide), size=NAME, colour=WHITE, anchor="l")
    for x, number in zip(ends[:-1], line.numbers, strict=False):
        write(canvas.pen, (x, y), text=number, size=TEXT, colour=PALE, anchor="r")
    write(canvas.pen, (ends[-1], y), text=line.numbers[-1], size=NAME, colour=WHITE, anchor="r")


def _disc(canvas: Canvas, line: EndingRow, y: int) -> None:
    """Draw a letter in the colour of a player, or a face with two eyes for a house player.

    Winners wear a crown.
    """
    left, top, hue = AT_DISC, y - DISC // 2, HUES[line.hue]
    if line.house:
        canvas.box((left, top, left + DISC, top + DISC), 11, hue)
        for x in (left + 14, left + 26):
            canvas.box((x, top + 13, x + 8, top + 24), 4, WHITE)
        canvas.box((left + 14, top + 32, left + 34, top + 37), 2, WHITE)
    else:
        disc(canvas, legible(line.name)[:1].upper() or str(line.seat + 1), left, y, colour=hue)
    if line.crown:
        wide, high, above = CROWN
        left += (DISC - wide) // 2
        canvas.crown((left, y - above, left + wide, y - above + high), GOLD)


def disc(canvas: Canvas, sign: str, left: int, y: int, *, colour: Colour) -> None:
    """Draw a letter on a disc."""
    canvas.box((left, y - DISC // 2, left + DISC, y + DISC // 2), DISC // 2, colour)
    write(canvas.pen, (left + DISC // 2, y), text=sign, size=SIGN, colour=WHITE, anchor="m")


def _chart(canvas: Canvas, drawing: EndingDrawing, box: Box) -> None:
    """Draw each seat's total after each hand, with names at the ends, and the zero line."""
    left, top, right, bottom = box
    canvas.box(box, 16, PLATE)
    wide, high = right - left - 26 - LABEL, bottom - top - CAPTION
    names = label_heights(drawing, high)
    canvas.image.paste(_lines(drawing, wide, high, names), (left + 16, top + 18))
    for line in drawing.lines:
        at = left + 16 + wide + 4, top + 18 + names[line.seat]
        write(canvas.pen, at, text=cut(legible(line.name), SIGN, LABEL), size=SIGN, colour=WHITE, anchor="l")
    middle = (left + right) / 2, bottom - 34
    write(canvas.pen, middle, text=cut(drawing.hands, TEXT, right - left - 20), size=TEXT, colour=PALE, anchor="m")


def label_heights(drawing: EndingDrawing, high: int) -> dict[int, float]:
    """Return the height of each seat's name, near its line's end and apart from each other."""
    last = {line.seat: _height(drawing, drawing.course[line.seat][-1], high) for line in drawing.lines}
    order = sorted(last, key=last.__getitem__)
    apart = min(LABELS, (high - 2 * LINE) / max(len(order) - 1, 1))
    heights = list[float]()
    for at, seat in enumerate(order):
        room = high - LINE - apart * (len(order) - 1 - at)
        heights.append(min(room, max(last[seat], heights[-1] + apart if heights else LINE)))
    return dict(zip(order, heights, strict=True))


def _height(drawing: EndingDrawing, stand: int, high: float) -> float:
    """Return the distance of a total from the upper edge of the lines, in a chart this high."""
    stands = [0, *chain.from_iterable(drawing.course)]
    return 2 * LINE + (high - 4 * LINE) * (max(stands) - stand) / ((max(stands) - min(stands)) or 1)


def _lines(drawing: EndingDrawing, wide: int, high: int, names: Mapping[int, float]) -> Image.Image:
    """Return the lines of the chart, drawn enlarged and averaged down.

    The winner's line is on top. names: where each line leads to at the right edge.
    """
    scale = SCALE // 2
    picture = Image.new("RGB", (wide * scale, high * scale), PLATE)
    pen, thick, end = ImageDraw.Draw(picture), LINE * scale, wide - LEAD

    def point(at: int, stand: int) -> tuple[float, float]:
        x = 2 * LINE + (end - 4 * LINE) * at / (len(drawing.course[0]) - 1)
        return x * scale, _height(drawing, stand, high) * scale

    pen.line([point(0, 0), point(len(drawing.course[0]) - 1, 0)], fill=FAINT, width=SCALE)
    for line in reversed(drawing.lines):
        points = [point(at, stand) for at, stand in enumerate(drawing.course[line.seat])]
        colour, (x, y) = HUES[line.hue], points[-1]
        pen.line(points, fill=colour, width=thick, joint="curve")
        pen.line([(x, y), (wide * scale, names[line.seat] * scale)], fill=colour, width=scale * 2)
        pen.ellipse((x - 2 * thick, y - 2 * thick, x + 2 * thick, y + 2 * thick), fill=colour)
    return picture.reduce(scale)
