"""The table as a picture: its tall cards, each player's latest action, the top play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.show.kit import card_art
from bot.show.kit.card_art import Colour
from bot.show.pictures import ring
from bot.show.pictures.canvas import BACK, DARK, FELT, GOLD, HUES, PALE, PLATE, RED, RIM, SKY, WHITE, Box, Canvas
from bot.show.pictures.lettering import cut, fitted, legible, width, wrapped, write

STAR, DOT = "★", "●"  # the signs of two sides
NAME, SMALL, SIGN = 40, 37, 30  # heights of letters
DOES = SMALL, 32, 28  # heights of the latest action, smaller for a long word
ROUND, FRAME = 22, 6
CARD, PACKED = 104, 78  # widths of a card: in a single row, and in two rows
ROW = 12  # cards in one row
FAN, TITLE = 640, 760  # the greatest widths of the cards and of their title, in pixels
LINES = 3
BAR = 440  # pixels of a full progress bar


@dataclass(frozen=True, slots=True)
class Plate:
    """A seat in the picture.

    name: the player's chosen name. held: the number of cards, "" if hidden. does: the latest action. house: whether a
    house player acts there. leads: whether the top play is this seat's. turn: whether the table waits for this seat.
    few: whether to highlight the low number of cards. side: the sign of the seat's side, if any. hue: of the player.
    """

    name: str
    _: KW_ONLY
    held: str = ""
    does: str = ""
    house: bool = False
    leads: bool = False
    turn: bool = False
    few: bool = False
    side: str = ""
    hue: int = 0


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """The content of a table picture; plates by seat.

    cards: the top play, in notation; title: its name. progress: steps done, and steps in total. clockwise: the
    direction of the seat numbers around the table.
    """

    plates: tuple[Plate, ...]
    _: KW_ONLY
    cards: tuple[str, ...] = ()
    title: str = ""
    progress: tuple[int, int] | None = None
    clockwise: bool = True

    def png(self) -> bytes:
        """Return the picture as PNG; cached."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(look: TableDrawing) -> bytes:
    """Return the picture of a table as PNG."""
    seats = len(look.plates)
    canvas = Canvas(ring.WIDTH, ring.height(seats), FELT)
    _cards(canvas, look.cards, ring.middle(seats))
    _title(canvas, look, ring.middle(seats))
    boxes = ring.plates(seats, clockwise=look.clockwise)
    for seat, (plate, box) in enumerate(zip(look.plates, boxes, strict=True)):
        canvas.image.paste(plate_of(plate, seat, box[2] - box[0]), box[:2])
    return canvas.png()


@lru_cache(maxsize=128)  # 90 KiB each
def plate_of(plate: Plate, seat: int, wide: int) -> Image.Image:
    """Return the picture of one seat, this many pixels wide."""
    canvas = Canvas(wide, ring.TALL, FELT)
    whole = (0, 0, wide, ring.TALL)
    canvas.framed(whole, ROUND, PLATE, GOLD if plate.turn else PLATE, thick=FRAME)
    name = legible(plate.name)
    _badge(canvas, name[:1].upper() or str(seat + 1), HUES[plate.hue], house=plate.house)
    write(canvas.pen, (68, 34), text=cut(name, NAME, wide - 80), size=NAME, colour=WHITE, anchor="l")
    left, right = _held(canvas, plate) if plate.held else 16, _side(canvas, plate, wide) if plate.side else wide - 12
    write(
        canvas.pen,
        (left, 78),
        *fitted(plate.does, DOES, right - left),
        colour=GOLD if plate.leads else PALE,
        anchor="l",
    )
    return canvas.image


def _badge(canvas: Canvas, sign: str, colour: Colour, *, house: bool) -> None:
    """Draw the owner of a plate: a round letter for a person, a face with two eyes for a house player."""
    box: Box = (14, 12, 58, 56)
    canvas.box(box, 10 if house else 22, colour)
    if house:
        for x in (26, 40):
            canvas.box((x, 24, x + 8, 34), 4, WHITE)
        canvas.box((26, 42, 48, 47), 2, WHITE)
    else:
        write(canvas.pen, (36, 34), text=sign, size=SIGN, colour=WHITE, anchor="m")


def _held(canvas: Canvas, plate: Plate) -> int:
    """Draw the number of cards on a card back; return the left edge for the next text."""
    right = 16 + width(plate.held, SMALL) + 20
    canvas.box((16, 60, right, 97), 8, RED if plate.few else BACK)
    write(canvas.pen, (26, 78), text=plate.held, size=SMALL, colour=DARK if plate.few else WHITE, anchor="l")
    return right + 12


def _side(canvas: Canvas, plate: Plate, wide: int) -> int:
    """Draw the sign of the seat's side; return the right edge for the text before."""
    left = wide - 58
    canvas.box((left, 54, left + 44, 98), 12, GOLD if plate.side == STAR else SKY)
    write(canvas.pen, (left + 22, 76), text=plate.side, size=SMALL, colour=DARK, anchor="m")
    return left - 8


def _cards(canvas: Canvas, cards: Sequence[str], middle: tuple[int, int]) -> None:
    """Lay the cards around the middle, overlapping if they do not fit side by side."""
    rows = [cards] if len(cards) <= ROW else [cards[: -(len(cards) // -2)], cards[-(len(cards) // -2) :]]
    size, top = CARD if len(rows) == 1 else PACKED, middle[1] - ring.MIDDLE // 2
    for row in rows:
        step = min(size + 8, (FAN - size) // max(1, len(row) - 1))
        left = middle[0] - (step * (len(row) - 1) + size) // 2
        for at, card in enumerate(row):
            canvas.put(tall(card, size), (left + at * step, top))
        top += round(PACKED * RATIO * 0.6)


def _title(canvas: Canvas, look: TableDrawing, middle: tuple[int, int]) -> None:
    """Write the name of the top play below it, or the current event in the middle."""
    x, y = middle
    if look.cards and look.title:
        text = cut(look.title, SMALL, TITLE - 44)
        half, y = width(text, SMALL) // 2 + 22, y + ring.MIDDLE // 2 - 28
        canvas.box((x - half, y - 28, x + half, y + 28), 28, GOLD)
        write(canvas.pen, (x, y), text=text, size=SMALL, colour=DARK, anchor="m")
        return
    lines = wrapped(look.title, SMALL, TITLE, LINES)
    for at, text in enumerate(lines):
        write(
            canvas.pen,
            (x, y + (at - (len(lines) - 1) / 2) * SMALL * 1.3),
            text=text,
            size=SMALL,
            colour=WHITE,
            anchor="m",
        )
    if look.progress:
        _bar(canvas, look.progress, (x, y + round((len(lines) + 1) * SMALL * 0.65) + 4))


def _bar(canvas: Canvas, progress: tuple[int, int], middle: tuple[int, int]) -> None:
    x, y = middle
    left, right = x - BAR // 2, x + BAR // 2
    canvas.box((left, y - 11, right, y + 11), 11, PLATE)
    canvas.box((left, y - 11, left + max(22, BAR * progress[0] // progress[1]), y + 11), 11, GOLD)


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
