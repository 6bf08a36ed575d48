"""Cards, packs and their notation.

Knows what a card is called and how a pack is shuffled. Refuses to know what a card is worth:
power belongs to a game, never to a rank.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Suit(StrEnum):
    """The four suits, by their letter."""

    DIAMONDS = "d"
    CLUBS = "c"
    HEARTS = "h"
    SPADES = "s"


class Rank(StrEnum):
    """The ranks of a French pack, by their letter, in no order of power."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


@dataclass(frozen=True, eq=False, slots=True)
class Card:
    """One card. There is a single object for each distinct card, so two copies in two packs are equal.

    Obtain cards with :func:`card`, :func:`cards` or :func:`pack`; never construct one.
    """

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (str(self),)


Cards: TypeAlias = tuple[Card, ...]

_CARDS = {f"{rank}{suit}": Card(rank, suit) for rank in Rank for suit in Suit}
_SYMBOLS = {"♦": "d", "♢": "d", "♣": "c", "♧": "c", "♥": "h", "♡": "h", "♠": "s", "♤": "s"}
_RANK, _SUIT = r"(10|[2-9tjqka])", rf"([dchs{''.join(_SYMBOLS)}])[\ufe0e\ufe0f]?"
_RANK_FIRST = re.compile(rf"{_RANK}\s*{_SUIT}", re.IGNORECASE)
_SUIT_FIRST = re.compile(rf"{_SUIT}\s*{_RANK}", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;+/.&-]*")


def card(text: str) -> Card:
    """Return the card written exactly as ``"3d"`` or ``"Ts"``. Raises KeyError for anything else."""
    return _CARDS[text]


def cards(text: str) -> Cards:
    """Return the cards of exact notation separated by spaces, in the order written."""
    return tuple(_CARDS[word] for word in text.split())


def pack() -> Cards:
    """Return one pack of 52 in a fixed order."""
    return tuple(_CARDS.values())


def write(held: Iterable[Card]) -> str:
    """Return exact notation, the inverse of :func:`cards`."""
    return " ".join(map(str, held))


class Unreadable(ValueError):
    """Typed text that is not a list of cards; ``rest`` is the part that could not be read."""

    def __init__(self, rest: str) -> None:
        super().__init__(rest)
        self.rest = rest


def read(typed: str) -> Cards:
    """Return the cards somebody typed by hand.

    Forgiving: ``3D 3C``, ``3♦3♣``, ``♦3 ♣3``, ``10h``, ``th``, commas or no spaces. Raises Unreadable at
    the first thing that is no card, and for an empty text.
    """
    text = typed.strip()
    pattern = _SUIT_FIRST if text[:1] in _SYMBOLS else _RANK_FIRST
    found: list[Card] = []
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            raise Unreadable(text[at:])
        found.append(_named(*(match.groups() if pattern is _RANK_FIRST else reversed(match.groups()))))
        at = _BETWEEN.match(text, match.end()).end()  # type: ignore[union-attr]  # it matches the empty text
    if not found:
        raise Unreadable(typed)
    return tuple(found)


def _named(rank: str, suit: str) -> Card:
    return _CARDS[("T" if rank == "10" else rank.upper()) + _SYMBOLS.get(suit, suit.lower())]


def shuffled(held: Sequence[Card], rng: random.Random) -> list[Card]:
    """Return the cards in random order: Fisher-Yates, every order equally likely."""
    order = list(held)
    for last in range(len(order) - 1, 0, -1):
        swap = rng.randrange(last + 1)
        order[last], order[swap] = order[swap], order[last]
    return order


def without(hand: Cards, played: Iterable[Card]) -> Cards:
    """Return the hand less one copy of each played card, order kept. Raises ValueError where one is missing."""
    rest = list(hand)
    for gone in played:
        rest.remove(gone)
    return tuple(rest)


def lacking(hand: Cards, wanted: Cards) -> Cards:
    """Return those of the wanted cards that are not in the hand, each as often as it is missing."""
    different = set(wanted)
    if len(different) == len(wanted) and different.issubset(hand):
        return ()
    return tuple((Counter(wanted) - Counter(hand)).elements())


class SeededRandom(random.Random):
    """Random numbers that anybody can recompute from the seed: SHA-256 of seed and a counter, read as bits.

    The sequence does not depend on the Python release, so that an opened seed verifies a deal for ever.
    """

    def __init__(self, seed: str) -> None:
        self._key = seed.encode()
        self._counter = 0
        super().__init__(0)

    def getrandbits(self, k: int, /) -> int:
        """Return k random bits, as a number from 0 below 2**k; at most 256."""
        block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
        self._counter += 1
        return int.from_bytes(block, "big") >> (256 - k)

    def random(self) -> float:
        """Return a number from 0 below 1."""
        return float(self.getrandbits(53)) / (1 << 53)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return a whole number from 0 below start, each equally likely (only this form is used)."""
        if stop is not None or step != 1 or start < 1:
            raise ValueError("randrange takes one whole number above 0")
        while (value := self.getrandbits(start.bit_length())) >= start:
            pass
        return value
