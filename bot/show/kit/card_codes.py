"""Cards as short text, for select options and for custom ids of earlier releases.

Cards are written in notation, without spaces and in order. Longer than Discord's limit, they are packed into a number
that counts the copies of each card: the number loses the order, and always fits.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Sequence

from bot.rules.core.cards import CARD_NAMES, Card, Cards, card, every_card, read_unspaced

LIMIT = 100  # Discord's, in characters
_PACKED = "="  # the first character of packed cards; no card's notation begins with "=", and "~" began an older format
# The digits of a packed number; without custom id separators and characters that JSON escapes.
_LETTERS = f"{string.digits}{string.ascii_letters}!#$%&()*+,-./;<=>?@[]^_{{|}}"
_FIGURES = {letter: figure for figure, letter in enumerate(_LETTERS)}
_COPIES = 9  # the base of the count: no pack has a card more than eight times
_PLACES = {held: _COPIES**place for place, held in enumerate(every_card())}  # cards added later get higher places
_COPY = "."  # separates a card from the number of its copy


def join(held: Cards, room: int = LIMIT) -> str:
    """Return cards without spaces, ``"3d4cTs"``; packed if longer than ``room`` characters.

    Packed cards take 50 characters at most, and lose their order. Raises ValueError for more copies than a pack has.
    """
    plain = "".join(map(CARD_NAMES.__getitem__, held))
    return plain if len(plain) <= room else _PACKED + _packed(Counter(held))


def _packed(counts: Counter[Card]) -> str:
    """Return the counts of all cards as one number, least significant digit first."""
    if (most := max(counts.values())) >= _COPIES:
        raise ValueError(f"no pack has {most} copies of a card")  # the error does not name the card, which is secret
    number, text = sum(_PLACES[held] * count for held, count in counts.items()), ""
    while number:
        number, figure = divmod(number, len(_LETTERS))
        text += _LETTERS[figure]
    return text


def split(text: str) -> Cards:
    """Return the cards written by :func:`join`, packed or not.

    Raises KeyError for invalid notation.
    """
    return _unpacked(text[len(_PACKED) :]) if text.startswith(_PACKED) else read_unspaced(text)


def _unpacked(text: str) -> Cards:
    """Return the cards of a packed number, equal cards together."""
    number = sum(_FIGURES[letter] * len(_LETTERS) ** place for place, letter in enumerate(text))
    if number >= _COPIES ** len(_PLACES):
        raise KeyError(text)
    return tuple(held for held, place in _PLACES.items() for _ in range(number // place % _COPIES))


def values(held: Sequence[Card]) -> list[str]:
    """Return a distinct select value for each card; each further copy of a card gets a number."""
    copies = [held[:at].count(twin) for at, twin in enumerate(held)]
    names = map(CARD_NAMES.__getitem__, held)
    return [f"{name}{_COPY}{copy}" if copy else name for name, copy in zip(names, copies, strict=True)]


def valued(chosen: Iterable[str]) -> Cards:
    """Return the cards of these select values. Raises KeyError for invalid notation."""
    return tuple(card(value.partition(_COPY)[0]) for value in chosen)
