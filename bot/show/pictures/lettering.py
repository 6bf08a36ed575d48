"""Text in pictures: fonts by letter, the width of a text, shortening and drawing.

Uses the fonts in data/fonts. A text is drawn in runs of one font each. Characters without a font are not drawn:
``legible`` returns the drawable part of a name, or nothing if too little is left.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby

from fontTools.ttLib import TTFont
from PIL import ImageDraw, ImageFont, features

from bot.paths import DATA
from bot.show.kit.card_art import Colour

FONTS = DATA / "fonts"
# By priority; the first font also draws spaces and other non-letters.
SIMPLE = (
    "NotoSans.ttf",
    "NotoSansCJK.otf",
    "NotoSansArmenian.ttf",
    "NotoSansGeorgian.ttf",
    "NotoSansSymbols2.ttf",
    "NotoEmoji.ttf",
)
# Scripts with contextual letter forms, or written right to left: these need a shaping library.
SHAPED = tuple(
    f"NotoSans{script}.ttf" for script in ("Arabic", "Bengali", "Devanagari", "Hebrew", "Tamil", "Telugu", "Thai")
)
SHAPES = features.check("raqm") and features.check("fribidi")
ELLIPSIS = "…"
UNSEEN = re.compile("[\ufe00-\ufe0f\u200b-\u200f\u2060-\u206f\ufeff]")  # invisible format characters
BREAKS = re.compile(
    r"\s*(?:[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+)"
)  # a word, or a Chinese character


@cache
def _covered(font: str) -> frozenset[int]:
    with TTFont(FONTS / font, lazy=True) as known:
        return frozenset(known.getBestCmap())


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    layout = ImageFont.Layout.RAQM if name in SHAPED else ImageFont.Layout.BASIC
    return ImageFont.truetype(FONTS / name, size, layout_engine=layout)


@lru_cache(maxsize=8192)
def _font_of(letter: str) -> str | None:
    """Return the first font that has a letter; None without any."""
    return next((font for font in (*SIMPLE, *(SHAPED if SHAPES else ())) if ord(letter) in _covered(font)), None)


@lru_cache(maxsize=2048)
def legible(name: str) -> str:
    """Return the drawable part of a name.

    The result is empty if a letter or digit is missing, or only symbols remain.
    """
    kept = []
    for letter in unicodedata.normalize("NFC", name):
        if _font_of(letter):
            kept.append(letter)
        elif unicodedata.category(letter)[0] in "LN":
            return ""
    left = " ".join("".join(kept).split())
    return left if any(unicodedata.category(letter)[0] in "LN" for letter in left) else ""


@lru_cache(maxsize=4096)
def _stretches(text: str) -> tuple[tuple[str, str], ...]:
    """Return the runs of a text, each with its font; spaces and signs join the preceding run."""
    fonts, last = list[str](), SIMPLE[0]
    text = UNSEEN.sub("", text)
    for letter in text:
        found = _font_of(letter) or SIMPLE[0]
        if unicodedata.category(letter)[0] in "LN" or ord(letter) not in _covered(last):
            last = found
        fonts.append(last)
    grouped = groupby(zip(fonts, text, strict=True), key=lambda pair: pair[0])
    return tuple((font, "".join(letter for _, letter in pairs)) for font, pairs in grouped)


@lru_cache(maxsize=8192)
def width(text: str, size: int) -> int:
    """Return the width of a text in pixels."""
    return round(sum(_font(font, size).getlength(part) for font, part in _stretches(text)))


@lru_cache(maxsize=4096)
def cut(text: str, size: int, most: int) -> str:
    """Return the text, shortened with an ellipsis to this width in pixels."""
    if width(text, size) <= most:
        return text
    return next(f"{part}{ELLIPSIS}" for part in _shorter(text) if width(f"{part}{ELLIPSIS}", size) <= most or not part)


def fitted(text: str, sizes: Sequence[int], most: int) -> tuple[str, int]:
    """Return a text and the largest of these sizes in which it fits.

    The text is cut if it is too wide even in the last size.
    """
    size = next((size for size in sizes if width(text, size) <= most), sizes[-1])
    return cut(text, size, most), size


def _shorter(text: str) -> Iterator[str]:
    """Yield ever shorter beginnings of a text, keeping letters and combining marks together."""
    for length in range(len(text) - 1, -1, -1):
        if not unicodedata.combining(text[length]):
            yield text[:length].rstrip()


@lru_cache(maxsize=512)
def wrapped(text: str, size: int, most: int, lines: int) -> tuple[str, ...]:
    """Return the text in at most this many lines of this width in pixels.

    The last line is shortened.
    """
    found, rest = list[str](), BREAKS.findall(text)
    while rest and len(found) < lines:
        fits = next((n for n in range(len(rest), 0, -1) if width("".join(rest[:n]).strip(), size) <= most), 1)
        fits = len(rest) if len(found) == lines - 1 else fits
        found.append(cut("".join(rest[:fits]).strip(), size, most))
        rest = rest[fits:]
    return tuple(found)


def write(
    pen: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, *, colour: Colour, anchor: str
) -> None:
    """Draw a text at a point.

    anchor: the part of the text at the point, "l" (left end), "m" (middle) or "r" (right end). The middle of a capital
    letter is at the point's height.
    """
    x = at[0] - {"l": 0.0, "m": width(text, size) / 2, "r": float(width(text, size))}[anchor]
    for font, part in _stretches(text):
        drawn = _font(font, size)
        pen.text((x, at[1] + size * 0.36), part, fill=colour, font=drawn, anchor="ls")
        x += drawn.getlength(part)
