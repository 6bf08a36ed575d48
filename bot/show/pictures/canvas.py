"""The canvas of every picture: a felt background, smooth shapes, and the conversion to PNG.

Shapes are drawn enlarged, averaged down, and cached.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from threading import Lock

from PIL import Image, ImageDraw

from bot.show.kit.card_art import Colour
from bot.show.pictures.colours import palette

SCALE = 4  # every shape is drawn this many times too large and then averaged down
HURRIED, USUAL = 3, 6  # of nine compression levels: HURRIED takes half the time for a fifth more bytes
Box = tuple[int, int, int, int]  # left, top, right, bottom
_MATCHING = Lock()  # Pillow caches matched palette colours without a lock of its own


@lru_cache(maxsize=512)
def rounded(width: int, height: int, radius: int) -> Image.Image:
    """Return the mask of a box with round corners."""
    mask = Image.new("L", (width * SCALE, height * SCALE))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width * SCALE - 1, height * SCALE - 1), radius * SCALE, fill=255)
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

    def put(self, picture: Image.Image, at: tuple[int, int]) -> None:
        """Paste a partly transparent picture."""
        self.image.paste(picture, at, picture)

    def png(self, level: int = HURRIED) -> bytes:
        """Return the PNG bytes, in the shared palette. level: of compression, 1 (fast) to 9 (small)."""
        file = BytesIO()
        with _MATCHING:
            few = self.image.quantize(palette=palette(), dither=Image.Dither.NONE)
        few.save(file, "PNG", compress_level=level)
        return file.getvalue()
