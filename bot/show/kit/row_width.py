"""The width of rows of buttons, so that they stay rows on a phone of 360 pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from discord import ui

from bot.show.kit.card_symbols import SUITS
from bot.show.kit.layout import DOTS, Row, columns, row
from bot.show.kit.play_names import THIN_SPACE

NARROW = 235  # pixels inside a frame on a phone of 360 pixels
PADDING, GAP, PICTURE, COLUMN = 24, 8, 26, 7.6  # pixels around a label, between buttons, of an emoji, of a column
# Pixels of characters that are not as wide as their columns.
WIDTHS = {sign[:1]: 14 for sign in SUITS.values() if sign} | {THIN_SPACE: 4, DOTS: 14, "M": 12, "★": 9, "😀": 19}


@lru_cache(maxsize=4096)
def label_width(label: str, *, picture: bool = False) -> float:
    """Return the approximate width of a button in pixels.

    picture: whether an emoji stands in front.
    """
    return PADDING + sum(WIDTHS.get(sign, COLUMN * columns(sign)) for sign in label) + PICTURE * picture


def room_beside(buttons: Iterable[ui.Button[Any] | None]) -> float:
    """Return the pixels that these buttons leave for a further button in their row."""
    return NARROW - sum(_width(button) + GAP for button in buttons if button)


def row_with_menu(buttons: Iterable[ui.Button[Any] | None], menu: ui.Button[Any]) -> Row | None:
    """Return a row with the menu button at its end, or one place before if it would wrap."""
    shown = [button for button in buttons if button]
    alone = wrapped_widths([*map(_width, shown), _width(menu)])[-1:] == [[_width(menu)]]
    return row(*shown[:-1], menu, *shown[-1:]) if shown and alone else row(*shown, menu)


def rows_with_two_at_the_end(buttons: Sequence[ui.Button[Any]]) -> list[Row | None]:
    """Return the buttons in a row, or the last two in a row of their own if it would wrap."""
    at = len(buttons) if len(wrapped_widths([*map(_width, buttons)])) == 1 else len(buttons) - 2
    return [row(*buttons[:at]), row(*buttons[at:])]


def wrapped_widths(widths: Sequence[float]) -> list[list[float]]:
    """Return the widths of a row's buttons, a list for each line of the phone."""
    found = list[list[float]]()
    for width in widths:
        if found and sum(found[-1]) + GAP * len(found[-1]) + width <= NARROW:
            found[-1].append(width)
        else:
            found.append([width])
    return found


def _width(button: ui.Button[Any]) -> float:
    return label_width(button.label or "", picture=bool(button.emoji))
