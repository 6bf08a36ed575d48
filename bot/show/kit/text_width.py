"""How much room text takes in a line, in columns: most signs take one, those of Chinese and their like two.

Knows signs, not fonts: on a phone of 390 pixels a button's label has about 7.2 pixels a column.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, east_asian_width

UNSEEN = ("Mn", "Me", "Cf")  # marks that stand on, or change, the sign before them


@lru_cache(maxsize=4096)
def columns(text: str) -> int:
    """Return how many columns text takes."""
    return sum(0 if category(sign) in UNSEEN else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


@lru_cache(maxsize=4096)
def brief(text: str, most: int) -> str:
    """Return text on one line of so many columns, shortened with an ellipsis where it takes more."""
    line = " ".join(text.split())
    if columns(line) <= most:
        return line
    end = next(end for end in range(len(line), -1, -1) if columns(line[:end]) < most)
    return f"{line[:end].rstrip()}…"


def wrapped(text: str, width: int, most: int) -> list[str]:
    """Return text on so many lines of so many columns at most, shortened where it takes more."""
    lines, rest = list[str](), " ".join(text.split())
    while columns(rest) > width and len(lines) < most - 1:
        most_of_it = next(end for end in range(len(rest), 0, -1) if columns(rest[:end]) <= width)
        end = next((end for end in range(most_of_it, 0, -1) if _may_end(rest, end)), most_of_it)
        lines.append(rest[:end])
        rest = rest[end:].lstrip()
    return [*lines, brief(rest, width)]


def _may_end(text: str, at: int) -> bool:
    """Tell whether a line may end there: before a space, or between two signs of Chinese, but before no full stop."""
    before, after = text[at - 1], text[at]
    return after == " " or (_wide(before) and _wide(after) and not category(after).startswith("P"))


def _wide(sign: str) -> bool:
    return east_asian_width(sign) in "WF"
