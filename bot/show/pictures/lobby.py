"""A table that fills up, as a picture: what is played in two or three lines, who sits there, and what is free.

Draws plain values and keeps what it has drawn; refuses to know scenes, words and rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show.pictures.canvas import SCALE, Canvas
from bot.show.pictures.colours import FELT, GOLD, HUES, PALE, PLATE, WHITE
from bot.show.pictures.lettering import cut, legible, width, write

WIDTH = 800  # as ring.WIDTH: a phone shows a third of it, so that nothing readable is lower than 36
BROAD = WIDTH - 40  # pixels that a line may take
TITLE, TEXT, SIGN = 54, 37, 46  # heights of letters
HEAD, STEP = 58, 48  # the middle of the title; from one line to the next
DISC, RING, ROW = 92, 7, 218  # pixels of a seat, of the ring around it, and from one row of seats to the next
IN_A_ROW = 5
DASHES = 12


@dataclass(frozen=True, slots=True)
class Place:
    """A seat, by its number. name: who has it, "" where it is free; does: in a word how things stand with them."""

    seat: int
    name: str = ""
    does: str = ""
    house: bool = False
    host: bool = False


@dataclass(frozen=True, slots=True)
class Filling:
    """What a picture of a lobby shows.

    title: what is played. parts: how long it takes and so on, on one line where they fit. places: in the order of
    turns. free: the word for a seat that nobody has.
    """

    title: str
    parts: tuple[str, ...]
    places: tuple[Place, ...]
    free: str

    def png(self) -> bytes:
        """Return the picture as PNG; drawn once."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(look: Filling) -> bytes:
    """Return the picture of a lobby as PNG."""
    lines = _lines(look.parts)
    top = HEAD + STEP * len(lines) + 44
    rows = list(_rows(len(look.places)))
    canvas = Canvas(WIDTH, top + ROW * len(rows) - 6, FELT)
    write(canvas.pen, (WIDTH / 2, HEAD), cut(look.title, TITLE, BROAD), TITLE, WHITE, "m")
    for number, text in enumerate(lines, 1):
        middle = WIDTH / 2, HEAD + 8 + number * STEP
        write(canvas.pen, middle, cut(text, TEXT, BROAD), TEXT, PALE, "m")
    apart = WIDTH // len(rows[0])
    for number, places in enumerate(rows):
        left = (WIDTH - apart * (len(places) - 1)) // 2
        for at, place in enumerate(places):
            middle = left + at * apart, top + number * ROW + DISC // 2
            _seat(canvas, look.places[place], look.free, middle, min(apart, 300) - 8)
    return canvas.png()


def _lines(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts on one line, or, where that is too long, on a line each."""
    one = " · ".join(parts)
    return (one,) if width(one, TEXT) <= BROAD else parts


def _rows(seats: int) -> Iterator[range]:
    """Give the places of each row, in the order of turns."""
    first = seats if seats <= IN_A_ROW else (seats + 1) // 2
    yield range(first)
    if first < seats:
        yield range(first, seats)


def _seat(canvas: Canvas, place: Place, free: str, middle: tuple[int, int], wide: int) -> None:
    """Draw who has a seat, around a point, their name below it, and how things stand with them."""
    x, y = middle
    if not place.name:
        canvas.put(_free(), (x - DISC // 2, y - DISC // 2))
        write(canvas.pen, (x, y + DISC // 2 + 34), cut(free, TEXT, wide), TEXT, PALE, "m")
        return
    _disc(canvas, place, middle)
    write(canvas.pen, (x, y + DISC // 2 + 34), cut(_name(place), TEXT, wide), TEXT, WHITE, "m")
    colour = GOLD if place.host else PALE
    write(canvas.pen, (x, y + DISC // 2 + 34 + STEP), cut(place.does, TEXT, wide), TEXT, colour, "m")


def _name(place: Place) -> str:
    """Return what can be drawn of a name, or the number of the seat."""
    return legible(place.name) or str(place.seat + 1)


def _disc(canvas: Canvas, place: Place, middle: tuple[int, int]) -> None:
    """Draw a letter in a colour, in a golden ring for the host, and a face with two eyes for a house player."""
    x, y = middle
    box = x - DISC // 2, y - DISC // 2, x + DISC // 2, y + DISC // 2
    hue = HUES[place.seat % len(HUES)]
    canvas.framed(box, 20 if place.house else DISC // 2, hue, GOLD if place.host else PLATE, RING)
    if place.house:
        for eye in (x - 20, x + 8):
            canvas.box((eye, y - 20, eye + 12, y), 6, WHITE)
        canvas.box((x - 20, y + 14, x + 20, y + 22), 4, WHITE)
    else:
        write(canvas.pen, middle, _name(place)[:1].upper(), SIGN, WHITE, "m")


@lru_cache(maxsize=1)
def _free() -> Image.Image:
    """Return a dashed ring around a plus."""
    size, pen = DISC * SCALE, 4 * SCALE
    picture = Image.new("RGBA", (size, size), (*PALE, 0))
    draw_ = ImageDraw.Draw(picture)
    for dash in range(DASHES):
        start = dash * 360 / DASHES
        draw_.arc((pen, pen, size - pen, size - pen), start, start + 180 / DASHES * 1.2, fill=PALE, width=pen)
    half, arm = size / 2, size / 7
    draw_.line((half - arm, half, half + arm, half), fill=PALE, width=pen)
    draw_.line((half, half - arm, half, half + arm), fill=PALE, width=pen)
    return picture.reduce(SCALE)
