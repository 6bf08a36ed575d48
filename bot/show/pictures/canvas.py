"""The canvas and colours of every picture, and the picture with its file name and words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2s
from io import BytesIO
from itertools import chain
from threading import Lock
from typing import Protocol

from PIL import Image, ImageDraw

from bot.show.kit.card_art import FOUR_COLOURS, GROUNDS, Colour

SCALE = 4  # every shape is drawn this many times too large and then averaged down
HURRIED, USUAL = 4, 6  # of nine compression levels: HURRIED takes half the time for a seventh more bytes
Box = tuple[int, int, int, int]  # left, top, right, bottom
_MATCHING = Lock()  # Pillow caches matched palette colours without a lock of its own


@lru_cache(maxsize=512)
def rounded(width: int, height: int, radius: int) -> Image.Image:
    """Return the mask of a box with round corners."""
    mask = Image.new("L", (width * SCALE, height * SCALE))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * SCALE - 1, height * SCALE - 1), radius * SCALE, fill=255)
    return mask.reduce(SCALE)


CROWN = (
    ((0, 12), (22, 46), (50, 0), (78, 46), (100, 12), (90, 78), (10, 78)),
    ((11, 86), (89, 86), (89, 100), (11, 100)),
)


@lru_cache(maxsize=32)
def crown_shape(width: int, height: int) -> Image.Image:
    """Return the mask of a crown that fills a box."""
    mask = Image.new("L", (width * SCALE, height * SCALE))
    for area in CROWN:
        points = [(x * (width * SCALE - 1) / 100, y * (height * SCALE - 1) / 100) for x, y in area]
        ImageDraw.Draw(mask).polygon(points, fill=255)
    return mask.reduce(SCALE)


class Canvas:
    """A picture under construction."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self.image = Image.new("RGB", (width, height), ground)
        self.pen = ImageDraw.Draw(self.image)

    def box(self, box: Box, radius: int, colour: Colour) -> None:
        """Fill a box with round corners."""
        left, top, right, bottom = box
        self.image.paste(colour, (left, top), rounded(right - left, bottom - top, radius))

    def framed(self, box: Box, radius: int, colour: Colour, frame: Colour, *, thick: int) -> None:
        """Fill a box with round corners, within a frame."""
        left, top, right, bottom = box
        self.box(box, radius, frame)
        self.box((left + thick, top + thick, right - thick, bottom - thick), radius - thick, colour)

    def crown(self, box: Box, colour: Colour) -> None:
        """Draw the winner's crown: best a fifth wider than tall."""
        left, top, right, bottom = box
        self.image.paste(colour, (left, top), crown_shape(right - left, bottom - top))

    def put(self, picture: Image.Image, at: tuple[int, int]) -> None:
        """Paste a partly transparent picture."""
        self.image.paste(picture, at, picture)

    def png(self, level: int = HURRIED) -> bytes:
        """Return the PNG bytes, in the shared palette.

        level: of compression, 1 (fast) to 9 (small).
        """
        file = BytesIO()
        with _MATCHING:
            few = self.image.quantize(palette=palette(), dither=Image.Dither.NONE)
        few.save(file, "PNG", compress_level=level)
        return file.getvalue()


FELT: Colour = (20, 92, 60)
PLATE: Colour = (12, 44, 32)
WHITE: Colour = (255, 255, 255)
PALE: Colour = (190, 214, 201)
GOLD: Colour = (255, 205, 60)
DARK: Colour = (20, 24, 28)
RED: Colour = (255, 122, 110)
BACK: Colour = (52, 88, 206)  # of a face-down card
SKY: Colour = (142, 196, 255)
GREEN: Colour = (126, 224, 150)
DIM: Colour = (98, 140, 116)
FAINT: Colour = (71, 100, 88)
SHADE: Colour = (34, 78, 60)
RIM: Colour = (176, 182, 192)  # around a card
HUES: tuple[Colour, ...] = (  # of people, as different from each other as white letters on them allow
    (70, 84, 245),
    (208, 112, 30),
    (214, 84, 158),
    (34, 146, 200),
    (120, 140, 30),
    (150, 84, 196),
    (200, 56, 60),
    (30, 150, 120),
    (128, 112, 100),
)
MEETING: tuple[tuple[Colour, tuple[Colour, ...]], ...] = (
    (FELT, (PLATE, WHITE, PALE, GOLD, GREEN, RED, DIM, RIM, *HUES)),
    (PLATE, (WHITE, PALE, GOLD, BACK, GREEN, RED, SKY, DIM, FAINT, SHADE, *HUES)),
    (WHITE, (DARK, RIM, SHADE, BACK, *(colour for colour in FOUR_COLOURS.values() if colour != WHITE), *HUES)),
    (GOLD, (DARK, *HUES)),
    (DARK, (RED, SKY)),
    *((ground, (RIM, FOUR_COLOURS[rank])) for rank, ground in GROUNDS.items()),
)
SHADES = 2  # between two adjacent colours


@cache
def palette() -> Image.Image:
    """Return a picture that holds the palette."""
    pairs = ((one, other) for one, others in MEETING for other in others)
    shades = chain.from_iterable(_between(one, other) for one, other in pairs)
    held = Image.new("P", (1, 1))
    held.putpalette(list(chain.from_iterable(dict.fromkeys(shades))))
    return held


def _between(one: Colour, other: Colour) -> list[Colour]:
    """Return two colours and the shades between them."""
    steps = SHADES + 1
    mixed = (
        tuple(round(part + (end - part) * step / steps) for part, end in zip(one, other, strict=True))
        for step in range(steps + 1)
    )
    return [(red, green, blue) for red, green, blue in mixed]


ALT = 1024  # Discord's limit for the description of a picture, in characters


class Drawable(Protocol):
    """The content of a picture, in plain values: equal contents give the same bytes."""

    def png(self) -> bytes:
        """Return the PNG bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a message.

    drawing: the content; alt_text: the same in words, at most 1,024 characters.
    """

    drawing: Drawable
    alt_text: str

    @property
    def name(self) -> str:
        """The file name: different for each content, so that no cached older picture is shown."""
        return f"table-{blake2s(repr(self.drawing).encode(), digest_size=6).hexdigest()}.png"

    def png(self) -> bytes:
        """Return the PNG bytes; the same bytes for the same content."""
        return self.drawing.png()
