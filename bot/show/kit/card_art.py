"""The card faces: small square PNG pictures, drawn from lines and curves alone.

Every face stays readable at 22 pixels, the size of an emoji in a line of text: the rank is one bold pen line as tall as
the card allows, and suits differ in outline as well as in colour. A joker has the letter of its colour and a star,
filled for the black joker and hollow for the red one. A card of the number pack has a number alone, in an ink of its
own; the joker of that pack has a J and a star of another colour, and its two A cards are coloured all over.

No font and no picture file takes part: the same Pillow always gives the same bytes. A card is written in notation
("3d", "Ts", "15s", "BJ", "5n").
"""

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from math import ceil, cos, radians, sin
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

VERSION: Final = "bg1"
"""The first part of every emoji name. Raise it with every change of the drawing: Discord's emojis are found by name."""
SIZE: Final = 128
"""Width and height of a picture in pixels: Discord's recommendation for an emoji."""

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[int, int, int]
Columns: TypeAlias = Sequence[tuple[int, int]]  # the left and right edge of each figure
Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom, in pixels of the finished picture

_SCALE = 8  # every picture is drawn this many times too large and then averaged down
_RED: Colour = (208, 8, 30)
_BLACK: Colour = (14, 16, 22)
_WHITE: Colour = (255, 255, 255)
_BLUE: Colour = (0, 66, 196)
_GOLD: Colour = (246, 148, 0)
_PURPLE: Colour = (146, 20, 176)
_LILAC: Colour = (240, 208, 250)
_AZURE: Colour = (0, 92, 214)
_GREEN: Colour = (0, 128, 44)
_EDGE: Colour = (140, 146, 158)  # separates the card from a white page, yet is no frame on a dark one
_PALE: Colour = (255, 228, 130)  # the ground of a selected card
_FRAME: Colour = (196, 104, 0)  # the frame of a selected card
_CARD: Box = (2, 2, 126, 126)  # a margin of two pixels keeps neighbouring emojis in a line of text apart
_RADIUS, _BORDER, _BROAD = 19, 4, 10
_PEN, _PAIR_PEN = 17, 15  # two figures need the space between their lines more than the lines
_TOP, _BOTTOM = 14, 114  # of every rank
_SINGLE, _PAIR = ((8, 62),), ((7, 28), (33, 71))  # left and right of a single figure, and of two figures
# A 1 stretched as wide as other figures looks like a 7; a star needs more room than a suit.
_SLIM = {"1": ((20, 48),), "11": ((9, 30), (39, 60)), "B": ((8, 54),), "R": ((8, 54),)}
# The same sizes for a rank alone, in the middle of the card. The A cards need room within their letters.
_ALONE_PEN, _ALONE_PAIR_PEN = 20, 18
_ALONE_SINGLE, _ALONE_PAIR = ((30, 98),), ((12, 43), (56, 116))
_ALONE_OWN = {"1": ((44, 80),), "11": ((21, 54), (72, 105)), "A": ((18, 110),), "a": ((26, 102),)}
_LOW_TOP = 28  # of the only small letter
_GAP, _SUIT_RIGHT, _SUIT_SLIMNESS = 4, 122, 1.18
_STAR_PEN = 8


def _arc(centre: Point, radius: Point, start: float, end: float) -> list[Point]:
    """Points every six degrees from `start` to `end` (0 is right, 90 is down)."""
    steps = ceil(abs(end - start) / 6)
    turns = (radians(start + (end - start) * i / steps) for i in range(steps + 1))
    return [(centre[0] + radius[0] * cos(turn), centre[1] + radius[1] * sin(turn)) for turn in turns]


# The pen lines of each character in a unit square, y down. The square is stretched to the character's box; the pen is
# not, so a narrow character is as bold as a wide one.
_LINES: dict[str, list[list[Point]]] = {
    "0": [_arc((0.5, 0.5), (0.5, 0.5), 0, 360)],
    "1": [[(0, 0.2), (1, 0), (1, 1)]],
    "2": [[*_arc((0.5, 0.28), (0.48, 0.28), 190, 390), (0, 1), (1, 1)]],
    "3": [_arc((0.48, 0.24), (0.46, 0.24), 200, 450) + _arc((0.48, 0.74), (0.52, 0.26), 270, 520)],
    "4": [[(0.74, 1), (0.74, 0), (0, 0.7), (1, 0.7)]],
    "5": [[(0.92, 0), (0.1, 0), *_arc((0.47, 0.67), (0.53, 0.33), 215, 510)]],
    "6": [_arc((0.5, 0.68), (0.5, 0.32), 0, 360), [(0, 0.68), *_arc((0.5, 0.36), (0.5, 0.36), 180, 328)]],
    "7": [[(0, 0), (1, 0), (0.36, 1)]],
    "8": [_arc((0.5, 0.24), (0.45, 0.24), 0, 360), _arc((0.5, 0.74), (0.5, 0.26), 0, 360)],
    "9": [_arc((0.5, 0.32), (0.5, 0.32), 0, 360), [(1, 0.32), *_arc((0.5, 0.64), (0.5, 0.36), 0, 148)]],
    "J": [[(0.4, 0), (1, 0), *_arc((0.5, 0.7), (0.5, 0.3), 0, 170)]],
    "Q": [_arc((0.5, 0.48), (0.5, 0.48), 0, 360), [(0.56, 0.68), (1, 1)]],
    "K": [[(0, 0), (0, 1)], [(1, 0), (0, 0.62)], [(0.36, 0.42), (1, 1)]],
    "A": [[(0, 1), (0.5, 0), (1, 1)], [(0.2, 0.7), (0.8, 0.7)]],
    "a": [[*_arc((0.5, 0.28), (0.5, 0.28), 205, 360), (1, 1)], _arc((0.5, 0.7), (0.5, 0.3), 0, 360)],
    "B": [
        [*_arc((0.4, 0.24), (0.52, 0.24), 270, 450), (0, 0.48), (0, 0), (0.4, 0)],
        [(0, 0.48), *_arc((0.45, 0.74), (0.55, 0.26), 270, 450), (0, 1), (0, 0.48)],
    ],
    "R": [[(0, 1), (0, 0), *_arc((0.5, 0.27), (0.5, 0.27), 270, 450), (0, 0.54)], [(0.4, 0.54), (1, 1)]],
}
FIGURES = {"T": "10", "BJ": "B", "RJ": "R", "JK": "J", "LA": "a", "BA": "A"} | {
    rank: rank for rank in (*"3456789JQKA21", *(str(number) for number in range(10, 16)))
}

_FOOT: list[Point] = [(0.45, 0.5), (0.55, 0.5), (0.59, 0.84), (0.76, 1), (0.24, 1), (0.41, 0.84)]


def _heart(top: float, bottom: float) -> list[Point]:
    """The outline of a heart from `top` to `bottom`.

    With `bottom` above `top` the heart is upside down.
    """
    turns = (radians(degree) for degree in range(0, 360, 3))
    plan = [(sin(t) ** 3, 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) for t in turns]
    return [(0.5 + x / 2, top + (bottom - top) * (11.9 - y) / 28.9) for x, y in plan]


# The filled areas of each suit in a unit square, y down.
AREAS: dict[str, list[list[Point]]] = {
    "d": [[(0.5, 0), (0.94, 0.5), (0.5, 1), (0.06, 0.5)]],
    "c": [_arc(centre, (0.24, 0.205), 0, 360) for centre in ((0.5, 0.265), (0.24, 0.635), (0.76, 0.635))]
    + [_arc((0.5, 0.52), (0.1, 0.1), 0, 360), _FOOT],
    "h": [_heart(0.1, 1)],
    "s": [_heart(0.87, 0), _FOOT],
}
COLOURS = {"d": _RED, "c": _BLACK, "h": _RED, "s": _BLACK, "n": _BLUE}
COLOURS |= {"BJ": _BLACK, "RJ": _RED, "JK": _BLUE, "LA": _PURPLE, "BA": _WHITE}  # the ranks without a suit
FOUR_COLOURS = COLOURS | {"d": _AZURE, "c": _GREEN}  # of a four-colour deck
STARS = {"BJ": _BLACK, "RJ": _RED, "JK": _GOLD}
GROUNDS = {"LA": _LILAC, "BA": _PURPLE}  # of the coloured cards
_NUMBERS = [str(number) for number in range(1, 14)]  # the ranks of the suit "n", which has no symbol
_POINTS: list[Point] = [  # of a star with five points, in a unit square
    (0.5 + radius * sin(radians(36 * turn)), 0.55 - radius * cos(radians(36 * turn)))
    for turn, radius in enumerate((0.53, 0.27) * 5)
]


def face(card: str, *, picked: bool = False, four: bool = False) -> bytes:
    """Return a PNG of the card in notation ("3d", "15s", "5n", "BJ").

    Raises ValueError for invalid notation. picked: draw the card as selected, visible on any ground and without colour
    vision. four: use the four-colour deck.
    """
    rank, suit = split(card)
    colour = (FOUR_COLOURS if four else COLOURS)[suit or rank]
    picture, pen = _blank(GROUNDS.get(rank, _PALE if picked else _WHITE), picked=picked)
    if suit in AREAS:
        _fill(pen, AREAS[suit], _beside(_write(pen, rank, colour)), colour)
    elif rank in STARS:
        _star(pen, _beside(_write(pen, rank, colour)), STARS[rank], filled=rank != "RJ")
    else:
        _write_alone(pen, rank, colour)
    return _png(picture)


def emoji_name(card: str, *, picked: bool = False, four: bool = False) -> str:
    """Return the emoji name of a face: "bg1_3d", "bg1_bj", selected "bg1_3d_up".

    Raises ValueError for invalid notation.
    """
    rank, suit = split(card)
    return f"{VERSION}_{rank.lower()}{suit}{'_four' * four}{'_up' * picked}"


def recoloured(card: str) -> bool:
    """Tell whether the four-colour deck draws a card in another colour.

    Raises ValueError for invalid notation.
    """
    rank, suit = split(card)
    return COLOURS[suit or rank] != FOUR_COLOURS[suit or rank]


def split(card: str) -> tuple[str, str]:
    """Return the rank and the suit ("" without one) of a card in notation.

    Raises ValueError for invalid notation.
    """
    if len(card) == 2 and card in COLOURS:
        return card, ""
    rank, suit = card[:-1], card[-1:]
    if rank in COLOURS or not (rank in _NUMBERS if suit == "n" else rank in FIGURES and suit in AREAS):
        raise ValueError(f"not a card: {card!r}")
    return rank, suit


def _blank(ground: Colour, *, picked: bool) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """Return an empty card of this colour, still too large by `_SCALE`, and a pen.

    picked: with a broad frame.
    """
    # Premultiplied alpha: scaling down straight alpha would leave a dark fringe around the card.
    picture = Image.new("RGBa", (SIZE * _SCALE, SIZE * _SCALE))
    pen = ImageDraw.Draw(picture)
    edge, border = (_FRAME, _BROAD) if picked else (_EDGE, _BORDER)
    pen.rounded_rectangle(_scaled(_CARD), _RADIUS * _SCALE, fill=ground, outline=edge, width=border * _SCALE)
    return picture, pen


def _write(pen: ImageDraw.ImageDraw, rank: str, colour: Colour) -> float:
    """Draw the rank at the left of the card and return its right edge, in pixels."""
    figures = FIGURES[rank]
    usual, width = (_PAIR, _PAIR_PEN) if len(figures) == 2 else (_SINGLE, _PEN)
    columns = _SLIM.get(figures, usual)
    _spell(pen, figures, columns, width, colour=colour)
    return columns[-1][1]


def _write_alone(pen: ImageDraw.ImageDraw, rank: str, colour: Colour) -> None:
    figures = FIGURES[rank]
    usual, width = (_ALONE_PAIR, _ALONE_PAIR_PEN) if len(figures) == 2 else (_ALONE_SINGLE, _ALONE_PEN)
    _spell(pen, figures, _ALONE_OWN.get(figures, usual), width, colour=colour)


def _spell(pen: ImageDraw.ImageDraw, figures: str, columns: Columns, width: int, *, colour: Colour) -> None:
    """Draw each figure between the edges of its column with a pen of this width."""
    for character, (left, right) in zip(figures, columns, strict=True):
        top = _LOW_TOP if character.islower() else _TOP
        inner = (left + width / 2, top + width / 2, right - width / 2, _BOTTOM - width / 2)
        for line in _LINES[character]:
            _stroke(pen, placed(line, inner), width, colour)


def _beside(left: float) -> Box:
    """Return the box of the suit beside a rank ending at `left`.

    The box takes the full remaining width, on the same bottom line.
    """
    width = _SUIT_RIGHT - left - _GAP
    return left + _GAP, _BOTTOM - width * _SUIT_SLIMNESS, _SUIT_RIGHT, _BOTTOM


def _fill(pen: ImageDraw.ImageDraw, areas: Sequence[Sequence[Point]], box: Box, colour: Colour) -> None:
    for area in areas:
        pen.polygon([(x * _SCALE, y * _SCALE) for x, y in placed(area, box)], fill=colour)


def _star(pen: ImageDraw.ImageDraw, box: Box, colour: Colour, *, filled: bool) -> None:
    """Draw a star at the bottom of `box`, as wide as the box; its outline only unless filled."""
    left, _, right, bottom = box
    half = _STAR_PEN / 2
    inner = (left + half, bottom - (right - left) + half, right - half, bottom - half)
    if filled:
        _fill(pen, [_POINTS], inner, colour)
    _stroke(pen, placed([*_POINTS, _POINTS[0]], inner), _STAR_PEN, colour)


def _stroke(pen: ImageDraw.ImageDraw, line: Sequence[Point], width: float, colour: Colour) -> None:
    """Draw along `line` with a round pen `width` pixels thick."""
    for (x0, y0), (x1, y1) in pairwise(line):
        ends = (x0 * _SCALE, y0 * _SCALE, x1 * _SCALE, y1 * _SCALE)
        pen.line(ends, fill=colour, width=round(width * _SCALE))
    for x, y in line:
        pen.circle((x * _SCALE, y * _SCALE), width * _SCALE / 2, fill=colour)


def placed(points: Sequence[Point], box: Box) -> list[Point]:
    """Return the points of a unit square, moved and stretched into `box`."""
    left, top, right, bottom = box
    return [(left + x * (right - left), top + y * (bottom - top)) for x, y in points]


def _scaled(box: Box) -> Box:
    """Return the box on the enlarged picture, where Pillow includes the last row and column."""
    left, top, right, bottom = (side * _SCALE for side in box)
    return left, top, right - 1, bottom - 1


def _png(picture: Image.Image) -> bytes:
    file = BytesIO()
    small = picture.reduce(_SCALE).convert("RGBA")
    small.save(file, "PNG")  # optimize=True would take twice the time for a fifteenth fewer bytes
    return file.getvalue()


def star(pen: ImageDraw.ImageDraw, box: Box, colour: Colour, thick: float, *, filled: bool) -> None:
    """Draw a star in `box` with a pen this thick: filled, or the outline alone."""
    points = placed(_POINTS, box)
    if filled:
        pen.polygon(points, fill=colour)
        return
    pen.line([*points, points[0], points[1]], fill=colour, width=round(thick), joint="curve")
