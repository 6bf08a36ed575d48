"""The picture of a lobby: the game, the seated players, and the free seats.

Drawn from plain values and cached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show.pictures.canvas import FELT, GOLD, HUES, PALE, PLATE, SCALE, WHITE, Canvas
from bot.show.pictures.lettering import cut, fitted, legible, width, write

WIDTH = 800  # as ring.WIDTH: a phone shows it at a third, so text needs at least 36 pixels
BROAD = WIDTH - 40  # the greatest width of a line in pixels
TEXT, SIGN = 37, 46  # heights of letters
TEXTS = TEXT, 32  # heights of a text, smaller for a long text
TITLES = 54, 48, 42, *TEXTS
HEAD, STEP = 58, 48  # the middle of the title; the distance between lines
DISC, RING, ROW = 92, 7, 218  # pixels of a seat, of the ring around the seat, and between two rows of seats
IN_A_ROW = 5
DASHES = 12


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat, by number.

    name: of the player, "" for a free seat. does: the status in a word. hue: of the player.
    """

    seat: int
    _: KW_ONLY
    name: str = ""
    does: str = ""
    house: bool = False
    host: bool = False
    hue: int = 0


@dataclass(frozen=True, slots=True)
class LobbyDrawing:
    """The content of a lobby picture.

    title: of the game. parts: duration and similar facts, on one line if they fit. places: in the order of turns. free:
    the word for a free seat.
    """

    title: str
    parts: tuple[str, ...]
    places: tuple[LobbySeat, ...]
    free: str

    def png(self) -> bytes:
        """Return the picture as PNG; cached."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(drawing: LobbyDrawing) -> bytes:
    """Return the picture of a lobby as PNG."""
    lines = _lines(drawing.parts)
    top = HEAD + STEP * len(lines) + 44
    rows = list(_rows(len(drawing.places)))
    canvas = Canvas(WIDTH, top + ROW * len(rows) - 6, FELT)
    write(canvas.pen, (WIDTH / 2, HEAD), *fitted(drawing.title, TITLES, BROAD), colour=WHITE, anchor="m")
    for number, text in enumerate(lines, 1):
        middle = WIDTH / 2, HEAD + 8 + number * STEP
        write(canvas.pen, middle, *fitted(text, TEXTS, BROAD), colour=PALE, anchor="m")
    apart = WIDTH // len(rows[0])
    for number, places in enumerate(rows):
        left = (WIDTH - apart * (len(places) - 1)) // 2
        for at, place in enumerate(places):
            middle = left + at * apart, top + number * ROW + DISC // 2
            _seat(canvas, drawing.places[place], drawing.free, middle, wide=min(apart, 300) - 8)
    return canvas.png()


def _lines(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts joined on one line, or one line each if the joined line is too long."""
    one = " · ".join(parts)
    return (one,) if width(one, TEXT) <= BROAD else parts


def _rows(seats: int) -> Iterator[range]:
    """Yield the seats of each row, in the order of turns."""
    first = seats if seats <= IN_A_ROW else (seats + 1) // 2
    yield range(first)
    if first < seats:
        yield range(first, seats)


def _seat(canvas: Canvas, place: LobbySeat, free: str, middle: tuple[int, int], *, wide: int) -> None:
    """Draw a seat around a point, with the player's name and status, or as a free seat."""
    x, y = middle
    if not place.name:
        canvas.put(_free(), (x - DISC // 2, y - DISC // 2))
        write(canvas.pen, (x, y + DISC // 2 + 34), *fitted(free, TEXTS, wide), colour=PALE, anchor="m")
        return
    _disc(canvas, place, middle)
    write(canvas.pen, (x, y + DISC // 2 + 34), text=cut(_name(place), TEXT, wide), size=TEXT, colour=WHITE, anchor="m")
    colour = GOLD if place.host else PALE
    write(canvas.pen, (x, y + DISC // 2 + 34 + STEP), *fitted(place.does, TEXTS, wide), colour=colour, anchor="m")


def _name(place: LobbySeat) -> str:
    """Return the drawable part of a name, or the number of the seat."""
    return legible(place.name) or str(place.seat + 1)


def _disc(canvas: Canvas, place: LobbySeat, middle: tuple[int, int]) -> None:
    """Draw a player's letter, with a golden ring for the host, or a house player's face."""
    x, y = middle
    box = x - DISC // 2, y - DISC // 2, x + DISC // 2, y + DISC // 2
    canvas.framed(box, 20 if place.house else DISC // 2, HUES[place.hue], GOLD if place.host else PLATE, thick=RING)
    if place.house:
        for eye in (x - 20, x + 8):
            canvas.box((eye, y - 20, eye + 12, y), 6, WHITE)
        canvas.box((x - 20, y + 14, x + 20, y + 22), 4, WHITE)
    else:
        write(canvas.pen, middle, text=_name(place)[:1].upper(), size=SIGN, colour=WHITE, anchor="m")


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
