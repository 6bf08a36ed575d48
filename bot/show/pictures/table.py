"""The table as a picture: its tall cards, each player's latest action, the top play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

from bot.show.kit import card_art
from bot.show.kit.card_art import Colour
from bot.show.pictures import ring
from bot.show.pictures.canvas import BACK, DARK, FELT, GOLD, HUES, PALE, PLATE, RED, RIM, SKY, WHITE, Box, Canvas
from bot.show.pictures.lettering import fitted, legible, width, wrapped, write

STAR, DOT = "★", "●"  # the signs of two sides
SIDES = {STAR: (40, GOLD), DOT: (28, SKY)}  # their heights and colours
NAME, SMALL, SIGN, LEAST = 40, 37, 30, 24  # heights of letters
NAMES = NAME, 36
DOES = SMALL, 32, 28, LEAST  # heights of the latest action, smaller for a long word
TITLES = SMALL, 32, 28
ROUND, FRAME, PAD = 22, 6, 12
BROAD_BACK, SLIM_BACK = (52, 72), (52, 42)  # the sizes of a face-down card: on both lines of a plate, and on the second
MINI, TINY = 44, 34  # of a card that a seat holds face up
CARD, PACKED, ASIDE = 104, 64, 66  # widths of a card: in a single row, in two rows, and beside the pile
ROW = 12  # cards in one row
FAN, TITLE = 616, 760  # the greatest widths of the cards and of their title, in pixels
OVERLAP, SPREAD, GAP = 34, 120, 20  # of captured cards: a step, the steps of all together, the distance to the pile
PILL = 56
LINES = 3
BAR = 440  # pixels of a full progress bar


@dataclass(frozen=True, slots=True)
class Plate:
    """A seat in the picture.

    name: the player's chosen name. held: the number of cards, "" if hidden. does: the latest action. house: whether a
    house player acts there. leads: whether the top play is this seat's. turn: whether the table waits for this seat.
    few: whether to highlight the low number of cards. side: the sign of the seat's side, if any; role: its part in it.
    held_cards: held cards to show, in notation. reaction: an emoji or a word in place of the seat's letter.
    hue: of the player.
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
    role: str = ""
    held_cards: tuple[str, ...] = ()
    reaction: str = ""
    hue: int = 0


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """The content of a table picture; plates by seat.

    cards: the top play, in notation; title: its name. taken: the cards that it captured. lying: further cards in the
    middle. progress: steps done, and steps in total. clockwise: the direction of the seat numbers around the table.
    """

    plates: tuple[Plate, ...]
    _: KW_ONLY
    cards: tuple[str, ...] = ()
    title: str = ""
    taken: tuple[str, ...] = ()
    lying: tuple[str, ...] = ()
    progress: tuple[int, int] | None = None
    clockwise: bool = True

    def png(self) -> bytes:
        """Return the picture as PNG; cached."""
        return draw(self)


@lru_cache(maxsize=64)
def draw(drawing: TableDrawing) -> bytes:
    """Return the picture of a table as PNG."""
    seats = len(drawing.plates)
    canvas = Canvas(ring.WIDTH, ring.height(seats), FELT)
    middle = middle_of(replace(drawing, plates=()))
    canvas.image.paste(middle, (0, ring.middle(seats)[1] - middle.height // 2))
    boxes = ring.plates(seats, clockwise=drawing.clockwise)
    for seat, (plate, box) in enumerate(zip(drawing.plates, boxes, strict=True)):
        canvas.image.paste(plate_of(plate, seat, box[2] - box[0]), box[:2])
    return canvas.png()


# Plates


@lru_cache(maxsize=128)  # 110 KiB each
def plate_of(plate: Plate, seat: int, wide: int) -> Image.Image:
    """Return the picture of one seat, this many pixels wide."""
    canvas = Canvas(wide, ring.TALL, FELT)
    whole = (0, 0, wide, ring.TALL)
    if plate.turn:
        canvas.framed(whole, ROUND, PLATE, GOLD, thick=FRAME)
    else:
        canvas.box(whole, ROUND, PLATE)
    back = _back(canvas, plate, wide) if plate.held else (wide - PAD, ring.TALL, wide - PAD, ring.TALL)
    _name(canvas, plate, seat, (back[0] if back[1] < ring.TALL // 2 else wide) - PAD + 4)
    _does(canvas, plate, _shown(canvas, plate, back[0] - PAD // 2) - PAD // 4)
    return canvas.image


def _back(canvas: Canvas, plate: Plate, wide: int) -> Box:
    """Draw the number of cards on a face-down card at the right; return the box of the card."""
    across, down = BROAD_BACK if wide >= ring.BROAD else SLIM_BACK
    top = (ring.TALL - down) // 2 if wide >= ring.BROAD else ring.TALL - PAD + 3 - down
    box = wide - PAD - across, top, wide - PAD, top + down
    canvas.framed(box, 9, RED if plate.few else BACK, WHITE, thick=3)
    text, size = fitted(plate.held, DOES, across - 8)
    middle = box[0] + across / 2, top + down / 2
    write(canvas.pen, middle, text=text, size=size, colour=DARK if plate.few else WHITE, anchor="m")
    return box


def _name(canvas: Canvas, plate: Plate, seat: int, right: int) -> None:
    """Draw who sits there: the badge with the sign of the side, and the name."""
    name, left = legible(plate.name), 80 if plate.side else 72 if plate.reaction else 66
    if plate.reaction:
        canvas.box((8, 6, 64, 62), 28, WHITE)
        text, size = fitted(plate.reaction, DOES, 42)
        write(canvas.pen, (36, 34), text=text, size=size, colour=DARK, anchor="m")
    else:
        _badge(canvas, name[:1].upper() or str(seat + 1), HUES[plate.hue], house=plate.house)
    if plate.side:
        size, colour = SIDES[plate.side]
        for height, ink in ((size + 12, PLATE), (size, colour)):
            write(canvas.pen, (60, 48), text=plate.side, size=height, colour=ink, anchor="m")
    write(canvas.pen, (left, 34), *fitted(name, NAMES, right - left), colour=WHITE, anchor="l")


def _badge(canvas: Canvas, sign: str, colour: Colour, *, house: bool) -> None:
    """Draw the owner of a plate: a letter for a person, a face for a house player."""
    box: Box = (14, 12, 58, 56)
    canvas.box(box, 10 if house else 22, colour)
    if house:
        for x in (26, 40):
            canvas.box((x, 24, x + 8, 34), 4, WHITE)
        canvas.box((26, 42, 48, 47), 2, WHITE)
    else:
        write(canvas.pen, (36, 34), text=sign, size=SIGN, colour=WHITE, anchor="m")


def _shown(canvas: Canvas, plate: Plate, right: int) -> int:
    """Draw the cards that a seat holds face up, to the left of a point.

    Return their left edge.
    """
    size = MINI if len(plate.held_cards) < 2 or canvas.image.width >= ring.BROAD else TINY
    for card in reversed(plate.held_cards):
        right -= size
        canvas.put(mini(card, size), (right, 76 - size // 2))
        right -= 3
    return right


def _does(canvas: Canvas, plate: Plate, right: int) -> None:
    """Write the role of a seat and its latest action; the action alone where both do not fit."""
    both = " · ".join(filter(None, (plate.role, plate.does)))
    text = both if width(both, SIGN - 2) <= right - 16 else plate.does
    colour = GOLD if plate.leads else PALE
    write(canvas.pen, (16, 78), *fitted(text, DOES, right - 16), colour=colour, anchor="l")


# The middle


@lru_cache(maxsize=16)  # 520 KiB each
def middle_of(drawing: TableDrawing) -> Image.Image:
    """Return the picture of the pile with its title and the cards beside it, or of an event."""
    canvas = Canvas(ring.WIDTH, ring.MIDDLE, FELT)
    x, y = ring.WIDTH // 2, ring.MIDDLE // 2
    top = y - (round(CARD * RATIO) + PAD + PILL) // 2
    title = x, top + round(CARD * RATIO) + PAD + PILL // 2
    if drawing.cards:
        _pile(canvas, drawing, (x, top))
        _aside(canvas, drawing.lying, y)
        _pill(canvas, drawing.title, title, FAN if drawing.lying else TITLE)
    elif drawing.lying:
        _cards(canvas, drawing.lying, (x, top), FAN)
        write(canvas.pen, title, *fitted(drawing.title, TITLES, TITLE), colour=WHITE, anchor="m")
    else:
        _event(canvas, drawing, (x, y))
    return canvas.image


def _pile(canvas: Canvas, drawing: TableDrawing, at: tuple[int, int]) -> None:
    """Lay the top play around the middle, and on its right the cards that it captured."""
    x, top = at
    if not drawing.taken:
        _cards(canvas, drawing.cards, at, FAN)
        return
    step = min(OVERLAP, SPREAD // len(drawing.taken))
    aside = step * (len(drawing.taken) - 1) + ASIDE
    right = _cards(canvas, drawing.cards, (x - (GAP + aside) // 2, top), FAN - GAP - aside)
    for number, card in enumerate(drawing.taken):
        captured = tall(card, ASIDE, ground=PALE)
        canvas.put(captured, (right + GAP + number * step, top + round(CARD * RATIO) - captured.height))


def _cards(canvas: Canvas, cards: Sequence[str], at: tuple[int, int], room: int) -> int:
    """Lay cards around a point, overlapping if they do not fit side by side.

    Return their right edge.
    """
    rows = [cards] if len(cards) <= ROW else [cards[: -(len(cards) // -2)], cards[-(len(cards) // -2) :]]
    size, (x, top), right = CARD if len(rows) == 1 else PACKED, at, 0
    for row in rows:
        step = min(size + 8, (room - size) // max(1, len(row) - 1))
        wide = step * (len(row) - 1) + size
        for number, card in enumerate(row):
            canvas.put(tall(card, size), (x - wide // 2 + number * step, top))
        top += round(PACKED * RATIO * 0.6)
        right = max(right, x - wide // 2 + wide)
    return right


def _aside(canvas: Canvas, cards: Sequence[str], y: int) -> None:
    """Lay cards at the left edge, one above the other."""
    apart = round(ASIDE * RATIO) + 8
    for number, card in enumerate(cards):
        canvas.put(tall(card, ASIDE), (ring.EDGE, y - (apart * len(cards) - 8) // 2 + number * apart))


def _pill(canvas: Canvas, title: str, middle: tuple[int, int], room: int) -> None:
    """Write the name of the top play below it."""
    x, y = middle
    text, size = fitted(title, TITLES, room - 44)
    half = width(text, size) // 2 + 22
    canvas.box((x - half, y - PILL // 2, x + half, y + PILL // 2), PILL // 2, GOLD)
    write(canvas.pen, middle, text=text, size=size, colour=DARK, anchor="m")


def _event(canvas: Canvas, drawing: TableDrawing, middle: tuple[int, int]) -> None:
    """Write the current event in the middle, with its progress."""
    x, y = middle
    lines = wrapped(drawing.title, SMALL, TITLE, LINES)
    for at, text in enumerate(lines):
        write(
            canvas.pen,
            (x, y + (at - (len(lines) - 1) / 2) * SMALL * 1.3),
            text=text,
            size=SMALL,
            colour=WHITE,
            anchor="m",
        )
    if drawing.progress:
        _bar(canvas, drawing.progress, (x, y + round((len(lines) + 1) * SMALL * 0.65) + 4))


def _bar(canvas: Canvas, progress: tuple[int, int], middle: tuple[int, int]) -> None:
    x, y = middle
    left, right = x - BAR // 2, x + BAR // 2
    canvas.box((left, y - 11, right, y + 11), 11, PLATE)
    canvas.box((left, y - 11, left + max(22, BAR * progress[0] // progress[1]), y + 11), 11, GOLD)


# Cards


RATIO = 1.36  # of height to width; all sizes of this part are in widths of a card
SCALE = 4  # every card is drawn this many times too large and then averaged down
LEFT = (0.1, 0.56, 0.38, 0.86)  # the box of the small suit, in the left strip
RIGHT = (0.42, RATIO - 0.62, 0.92, RATIO - 0.09)  # the box of the large suit or star
PEN = 0.06  # of a star


@lru_cache(maxsize=256)
def tall(card: str, width: int, ground: Colour = WHITE) -> Image.Image:
    """Return the picture of a card in notation ("3d", "BJ"), this many pixels wide.

    ground: its colour if plain.
    """
    wide, high = width * SCALE, round(width * RATIO) * SCALE
    rank, suit = card_art.split(card)
    picture = Image.new("RGBA", (wide, high), (*RIM, 0))
    pen = ImageDraw.Draw(picture)
    fill = card_art.GROUNDS.get(rank, ground)
    pen.rounded_rectangle((0, 0, wide - 1, high - 1), wide * 0.11, fill=fill, outline=RIM, width=2 * SCALE)
    _rank(pen, rank, card_art.FOUR_COLOURS[suit or rank], wide)
    _sign(pen, rank, suit, wide)
    return picture.reduce(SCALE)


@lru_cache(maxsize=32)
def mini(card: str, size: int) -> Image.Image:
    """Return a small square picture of a card in notation, the one of its emoji."""
    return Image.open(BytesIO(card_art.face(card))).resize((size, size), Image.Resampling.LANCZOS)


def _rank(pen: ImageDraw.ImageDraw, rank: str, colour: card_art.Colour, wide: int) -> None:
    """Write the rank at the top of the visible strip."""
    figures = card_art.FIGURES[rank]
    size = wide * (0.4 if len(figures) == 2 else 0.5)
    write(pen, (wide * 0.245, wide * 0.29), text=figures, size=round(size), colour=colour, anchor="m")


def _sign(pen: ImageDraw.ImageDraw, rank: str, suit: str, wide: int) -> None:
    """Draw a card's suit, small and large, or a joker's star, or else the rank again."""
    colour, figures = card_art.FOUR_COLOURS[suit or rank], card_art.FIGURES[rank]
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
