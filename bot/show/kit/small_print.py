"""The width of small print, so that its lines stay lines on a phone of 360 pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bot.show.kit.layout import HIDDEN_EMOJI, columns, wrapped
from bot.show.kit.row_width import NARROW

WIDE, EMOJI, LETTER = 14.0, 20.0, 8.7  # pixels of a Chinese character, of an emoji, of any other sign
# Pixels of further signs, as measured in a browser.
_WIDTHS: Final = {
    sign: pixels
    for pixels, signs in {
        0: "\u200b\ufe0e\ufe0f",
        3.8: " ijlIJ.,:;!'’·|",
        5.1: "ftr()-“”",
        7.2: "cszvy?xkLFTES–",
        8.1: "0123456789ae",
        11: "wDGHNOQU…✗",
        13.1: "mMW",
        17.5: "♢♣♡♠⏸",
    }.items()
    for sign in signs
}


@lru_cache(maxsize=4096)
def small_width(text: str) -> float:
    """Return the approximate width of a text in small print in pixels."""
    return sum(map(_sign_width, text))


@lru_cache(maxsize=4096)
def _sign_width(sign: str) -> float:
    if sign == HIDDEN_EMOJI:
        return EMOJI
    return _WIDTHS[sign] if sign in _WIDTHS else (0, LETTER, WIDE)[columns(sign)]


def small_lines(text: str, most: int | None = None) -> list[str]:
    """Return text on lines of small print. most: of lines; the last one is shortened."""
    return list(_small_lines(text, most))


@lru_cache(maxsize=4096)
def _small_lines(text: str, most: int | None) -> tuple[str, ...]:
    return tuple(wrapped(text, NARROW, most, small_width))
