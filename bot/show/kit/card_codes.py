"""Cards written where there is little room: the values of a select, and addresses of earlier releases.

They are written as everywhere, without spaces and in their order; where that takes more room than Discord gives, as one
number that says how many of each card there are. The number knows no order, and always fits.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Sequence

from bot.rules.core.cards import NAMES, Card, Cards, card, every_card, unspaced

LIMIT = 100  # Discord's, in characters
_PACKED = "="  # begins such a number; no card's name begins so, and "~" began another form
# The figures of the number as it is written; none that parts an address or is escaped in JSON.
_LETTERS = f"{string.digits}{string.ascii_letters}!#$%&()*+,-./;<=>?@[]^_{{|}}"
_FIGURES = {letter: figure for figure, letter in enumerate(_LETTERS)}
_COPIES = 9  # what the number counts by: no pack has a card more than eight times
_PLACES = {held: _COPIES**place for place, held in enumerate(every_card())}  # a card that joins later counts for more
_COPY = "."  # parts a card from the number of its copy


def join(held: Cards, room: int = LIMIT) -> str:
    """Return cards without spaces, ``"3d4cTs"``; packed where that takes more than ``room`` characters.

    Packed cards take 50 characters at most, and lose their order. Raises ValueError for more copies than a pack has.
    """
    plain = "".join(map(NAMES.__getitem__, held))
    return plain if len(plain) <= room else _PACKED + _packed(Counter(held))


def _packed(counts: Counter[Card]) -> str:
    """Return how many of each card there are, as a number, its last figure first."""
    if (most := max(counts.values())) >= _COPIES:
        raise ValueError(f"no pack has {most} copies of a card")  # and of which one stays secret
    number, text = sum(_PLACES[held] * count for held, count in counts.items()), ""
    while number:
        number, figure = divmod(number, len(_LETTERS))
        text += _LETTERS[figure]
    return text


def split(text: str) -> Cards:
    """Return the cards written by :func:`join`, with whatever room. Raises KeyError for what is no card."""
    return _unpacked(text[len(_PACKED) :]) if text.startswith(_PACKED) else unspaced(text)


def _unpacked(text: str) -> Cards:
    """Return the cards of such a number, equal ones together."""
    number = sum(_FIGURES[letter] * len(_LETTERS) ** place for place, letter in enumerate(text))
    if number >= _COPIES ** len(_PLACES):
        raise KeyError(text)
    return tuple(held for held, place in _PLACES.items() for _ in range(number // place % _COPIES))


def values(held: Sequence[Card]) -> list[str]:
    """Return a select value for each card; a further copy of a card gets a number, for values must differ."""
    copies = [held[:at].count(twin) for at, twin in enumerate(held)]
    names = map(NAMES.__getitem__, held)
    return [f"{name}{_COPY}{copy}" if copy else name for name, copy in zip(names, copies, strict=True)]


def valued(chosen: Iterable[str]) -> Cards:
    """Return the cards of such values. Raises KeyError for what is no card."""
    return tuple(card(value.partition(_COPY)[0]) for value in chosen)
