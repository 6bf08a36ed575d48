"""The width of text in columns: two columns for a wide character, such as Chinese, otherwise one.

On a phone of 390 pixels a button's label takes about 7.2 pixels per column, whatever the font.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, east_asian_width

UNSEEN = ("Mn", "Me", "Cf")  # combining marks and format characters


@lru_cache(maxsize=4096)
def columns(text: str) -> int:
    """Return the width of text in columns."""
    return sum(0 if category(sign) in UNSEEN else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


@lru_cache(maxsize=4096)
def brief(text: str, most: int) -> str:
    """Return text on one line of at most this many columns, shortened with an ellipsis."""
    line = " ".join(text.split())
    if columns(line) <= most:
        return line
    end = next(end for end in range(len(line), -1, -1) if columns(line[:end]) < most)
    return f"{line[:end].rstrip()}…"


def wrapped(text: str, width: int, most: int) -> list[str]:
    """Return text on at most this many lines of this many columns, the last line shortened."""
    lines, rest = list[str](), " ".join(text.split())
    while columns(rest) > width and len(lines) < most - 1:
        most_of_it = next(end for end in range(len(rest), 0, -1) if columns(rest[:end]) <= width)
        end = next((end for end in range(most_of_it, 0, -1) if _may_end(rest, end)), most_of_it)
        lines.append(rest[:end])
        rest = rest[end:].lstrip()
    return [*lines, brief(rest, width)]


def _may_end(text: str, at: int) -> bool:
    """Tell whether a line may break here: before a space, or between Chinese characters, never before punctuation."""
    before, after = text[at - 1], text[at]
    return after == " " or (_wide(before) and _wide(after) and not category(after).startswith("P"))


def _wide(sign: str) -> bool:
    return east_asian_width(sign) in "WF"
