"""How a hand or a match has ended, as a picture: who won, how all stand, and the course of the match.

Draws plain values and keeps what it has drawn; refuses to know scenes, words and rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show.kit.card_art import Colour
from bot.show.pictures.canvas import SCALE, USUAL, Box, Canvas
from bot.show.pictures.colours import DARK, FAINT, FELT, GOLD, HUES, PALE, PLATE, WHITE
from bot.show.pictures.lettering import cut, legible, width, write

WIDTH, EDGE = 800, 28  # as ring.WIDTH: a phone shows a third of it, so that nothing readable is lower than 36
BROAD = WIDTH - 2 * EDGE
TOLD = BROAD - 48  # pixels of a line of what is worth telling
TITLE, NAME, TEXT, SIGN = 54, 42, 37, 32  # heights of letters
TITLES = TITLE, 48, NAME, TEXT  # of the title, the lowest where it is long
HEAD, UNDER = 56, 112  # the middles of the title and of the line below it
TOP, BARE_TOP = 222, 170  # the middle of the first seat: below the names of the columns, or without
ROW, NARROW, ROOMY = 72, 55, 5  # from one seat to the next; with more seats than that
DISC, AT_DISC, AT_NAME = 48, 78, 136
COLUMN = 124  # pixels of a column of numbers, and more where its name is longer
CHART, LOW, HIGH = 336, 240, 300  # pixels of the course: how wide it is, how high at least and at most
PILL, APART = 56, 66
LINE = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A seat. place: its number, "" where it has none; numbers: what stands in the columns."""

    seat: int
    place: str
    name: str
    numbers: tuple[str, ...]
    house: bool = False


@dataclass(frozen=True, slots=True)
class Podium:
    """What a picture of an end shows.

    title: who won. under: of what. columns: what the numbers of the lines are. course: how each seat stood after each
    hand, nothing where that is not shown, with hands below it. told: what is worth telling.
    """

    title: str
    under: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    course: tuple[tuple[int, ...], ...] = ()
    hands: str = ""
    told: tuple[str, ...] = ()

    def png(self) -> bytes:
        """Return the picture as PNG; drawn once."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(look: Podium) -> bytes:
    """Return the picture of an end as PNG."""
    step = ROW if len(look.lines) <= ROOMY else NARROW
    top = TOP if any(look.columns) else BARE_TOP
    foot = top + max(step * len(look.lines), LOW if look.course else 0) - step // 2 + 12
    canvas = Canvas(WIDTH, foot + APART * len(look.told) + 12, FELT)
    high = next((high for high in TITLES if width(look.title, high) <= BROAD), TEXT)
    write(canvas.pen, (WIDTH / 2, HEAD), cut(look.title, high, BROAD), high, GOLD, "m")
    write(canvas.pen, (WIDTH / 2, UNDER), cut(look.under, TEXT, BROAD), TEXT, PALE, "m")
    right = WIDTH - EDGE - (CHART + EDGE if look.course else 0)
    ends = _ends(look, right)
    for x, name in zip(ends, look.columns, strict=False):
        write(canvas.pen, (x, top - 54), name, TEXT, PALE, "r")
    for number, line in enumerate(look.lines):
        _line(canvas, line, top + number * step, ends)
    if look.course:
        high = top - step // 2 + 4
        _chart(canvas, look, (WIDTH - EDGE - CHART, high, WIDTH - EDGE, min(foot - 16, high + HIGH)))
    for number, text in enumerate(look.told):
        _pill(canvas, text, foot + APART * number + PILL // 2)
    return canvas.png(USUAL)  # once a hand


def _ends(look: Podium, right: int) -> list[int]:
    """Return where each column of numbers ends, the last at the right."""
    ends = [right - 8]
    for name in reversed(look.columns[1:]):
        ends.insert(0, ends[0] - max(COLUMN, width(name, TEXT) + 36))
    return ends


def _line(canvas: Canvas, line: Line, y: int, ends: list[int]) -> None:
    """Write a seat: its place, whose it is, and its numbers, the last of which counts most."""
    write(canvas.pen, (44, y), line.place, NAME, GOLD if line.place == "1" else WHITE, "m")
    _disc(canvas, line, y)
    wide = ends[0] - COLUMN + 16 - AT_NAME
    write(canvas.pen, (AT_NAME, y), cut(legible(line.name), NAME, wide), NAME, WHITE, "l")
    for x, number in zip(ends[:-1], line.numbers, strict=False):
        write(canvas.pen, (x, y), number, TEXT, PALE, "r")
    write(canvas.pen, (ends[-1], y), line.numbers[-1], NAME, WHITE, "r")


def _disc(canvas: Canvas, line: Line, y: int) -> None:
    """Draw a letter in the colour of a seat, or a face with two eyes for a house player."""
    left, top, hue = AT_DISC, y - DISC // 2, HUES[line.seat % len(HUES)]
    if not line.house:
        disc(canvas, legible(line.name)[:1].upper() or str(line.seat + 1), left, y, hue)
        return
    canvas.box((left, top, left + DISC, top + DISC), 11, hue)
    for x in (left + 14, left + 26):
        canvas.box((x, top + 13, x + 8, top + 24), 4, WHITE)
    canvas.box((left + 14, top + 32, left + 34, top + 37), 2, WHITE)


def disc(canvas: Canvas, sign: str, left: int, y: int, colour: Colour) -> None:
    """Draw a letter on a disc."""
    canvas.box((left, y - DISC // 2, left + DISC, y + DISC // 2), DISC // 2, colour)
    write(canvas.pen, (left + DISC // 2, y), sign, SIGN, WHITE, "m")


def _chart(canvas: Canvas, look: Podium, box: Box) -> None:
    """Draw how each seat stood after each hand, and where nothing is won or lost."""
    left, top, right, bottom = box
    canvas.box(box, 16, PLATE)
    canvas.image.paste(_lines(look, right - left - 32, bottom - top - 84), (left + 16, top + 18))
    middle = (left + right) / 2, bottom - 34
    write(canvas.pen, middle, cut(look.hands, TEXT, right - left - 20), TEXT, PALE, "m")


def _lines(look: Podium, wide: int, high: int) -> Image.Image:
    """Return the lines of the course, drawn too large and averaged down; the winner's on top."""
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
        colour = HUES[line.seat % len(HUES)]
        pen.line(points, fill=colour, width=LINE * SCALE // 2, joint="curve")
        (x, y), thick = points[-1], LINE * SCALE * 0.9
        pen.ellipse((x - thick, y - thick, x + thick, y + thick), fill=colour)
    return picture.reduce(SCALE // 2)


def _pill(canvas: Canvas, text: str, y: int) -> None:
    """Write what is worth telling."""
    text = cut(text, TEXT, TOLD)
    half = width(text, TEXT) // 2 + 26
    canvas.box((WIDTH // 2 - half, y - PILL // 2, WIDTH // 2 + half, y + PILL // 2), PILL // 2, WHITE)
    write(canvas.pen, (WIDTH / 2, y), text, TEXT, DARK, "m")
