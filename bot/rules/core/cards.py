"""Cards and tiles, packs, shuffling and the exact notation of cards.

A card's name is a rank followed by a suit letter (two or three characters), or a name without a suit, like a joker's.
No name begins with another name, so names can also be written without separators. Independent of the strength of a
card: strength belongs to a game, never to a rank. The notation that players type belongs to bot.show.typed.cards.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Suit(StrEnum):
    """The four suits, by their letters, and two marks of cards without a suit.

    NUMBER: of the number pack; NONE: jokers and A cards.
    """

    DIAMONDS = "d"
    CLUBS = "c"
    HEARTS = "h"
    SPADES = "s"
    NUMBER = "n"
    NONE = ""


class Rank(StrEnum):
    """The ranks by their letter or number, in no order of strength.

    First the ranks of the tiles, some of them in the number pack too; then those of a French pack, which shares 2 to 9
    with the tiles. The ten of the French pack is "T", the ten of tiles and number pack is "10": different cards. Last
    the ranks without a suit: the jokers of the French pack, the joker of the number pack and its two A cards.
    """

    ONE = "1"
    TILE_TEN = "10"
    ELEVEN = "11"
    TWELVE = "12"
    THIRTEEN = "13"
    FOURTEEN = "14"
    FIFTEEN = "15"
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
    BLACK_JOKER = "BJ"
    RED_JOKER = "RJ"
    JOKER = "JK"
    LITTLE_A = "LA"
    BIG_A = "BA"


@dataclass(frozen=True, eq=False, slots=True)
class Card:
    """One card. Every distinct card is a single object, so copies from two packs are equal.

    Obtain cards from :func:`card`, :func:`cards`, :func:`pack` and similar functions; never construct one.
    """

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    def __repr__(self) -> str:
        return "<card>"  # keeps the holder's cards out of logs

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (str(self),)


Cards: TypeAlias = tuple[Card, ...]

SUITS: tuple[Suit, ...] = (Suit.DIAMONDS, Suit.CLUBS, Suit.HEARTS, Suit.SPADES)
JOKERS = (Rank.BLACK_JOKER, Rank.RED_JOKER)

_FRENCH, _NUMBERS = tuple("A23456789TJQK"), tuple(map(str, range(1, 16)))
# Append new cards at the end: the buttons of old messages contain indices of this table.
_CARDS = {f"{rank}{suit}": Card(Rank(rank), suit) for rank in dict.fromkeys((*_FRENCH, *_NUMBERS)) for suit in SUITS}
_CARDS |= {str(rank): Card(rank, Suit.NONE) for rank in JOKERS}
_CARDS |= {f"{rank}{Suit.NUMBER}": Card(Rank(rank), Suit.NUMBER) for rank in _NUMBERS[:13]}
_CARDS |= {str(rank): Card(rank, Suit.NONE) for rank in (Rank.JOKER, Rank.LITTLE_A, Rank.BIG_A)}
CARD_NAMES: Mapping[Card, str] = {held: name for name, held in _CARDS.items()}  # the exact notation of each card
_PACK, _TILES = (tuple(_CARDS[rank + suit] for rank in ranks for suit in SUITS) for ranks in (_FRENCH, _NUMBERS))
_NAME = re.compile("|".join(_CARDS))


def card(text: str) -> Card:
    """Return the card written exactly as ``"3d"``, ``"Ts"`` or ``"BJ"``.

    Raises KeyError for any other text.
    """
    return _CARDS[text]


def cards(text: str) -> Cards:
    """Return the cards of exact notation separated by spaces, in the order written."""
    return tuple(_CARDS[word] for word in text.split())


def read_unspaced(text: str) -> Cards:
    """Return the cards of exact notation without separators.

    Raises KeyError for invalid notation.
    """
    names: list[str] = _NAME.findall(text)
    if "".join(names) != text:
        raise KeyError(text)
    return tuple(_CARDS[name] for name in names)


def pack() -> Cards:
    """Return one French pack of 52 in a fixed order."""
    return _PACK


def jokers() -> Cards:
    """Return the two jokers, black and red."""
    return tuple(_CARDS[rank] for rank in JOKERS)


def double_pack() -> Cards:
    """Return two French packs with their jokers: 108 cards in a fixed order, each card twice."""
    return (*_PACK, *jokers()) * 2


def tiles() -> Cards:
    """Return the 60 tiles, 1 to 15 in each suit, in a fixed order.

    Tiles 2 to 9 equal cards of a French pack.
    """
    return _TILES


def number_pack() -> Cards:
    """Return the 110 cards of the number pack in a fixed order.

    1 to 13 eight times, four jokers, little a, Big A.
    """
    numbers = tuple(_CARDS[rank + Suit.NUMBER] for rank in _NUMBERS[:13])
    return (*numbers * 8, *(_CARDS[Rank.JOKER],) * 4, _CARDS[Rank.LITTLE_A], _CARDS[Rank.BIG_A])


def every_card() -> Cards:
    """Return each distinct card once, in an order that is stable when new cards are appended."""
    return tuple(_CARDS.values())


def write(held: Iterable[Card]) -> str:
    """Return exact notation, the inverse of :func:`cards`."""
    return " ".join(map(CARD_NAMES.__getitem__, held))


def shuffled(held: Sequence[Card], rng: random.Random) -> list[Card]:
    """Return the cards in random order: Fisher-Yates, every order equally likely."""
    order = list(held)
    for last in range(len(order) - 1, 0, -1):
        swap = rng.randrange(last + 1)
        order[last], order[swap] = order[swap], order[last]
    return order


def without(hand: Cards, played: Iterable[Card]) -> Cards:
    """Return the hand without one copy of each played card, in the same order.

    Raises ValueError for a missing card.
    """
    rest = list(hand)
    for gone in played:
        rest.remove(gone)
    return tuple(rest)


def missing_cards(hand: Cards, wanted: Cards) -> Cards:
    """Return the wanted cards missing from the hand, each as often as copies are missing."""
    if len(set(wanted)) == len(wanted):
        return tuple([held for held in wanted if held not in hand])
    return tuple((Counter(wanted) - Counter(hand)).elements())


class SeededRandom(random.Random):
    """Random numbers reproducible from the seed.

    Each block of bits is the SHA-256 of the seed and a counter. The sequence does not depend on the Python release, so
    an opened seed verifies a deal forever.
    """

    def __init__(self, seed: str) -> None:
        self._key = seed.encode()
        self._counter = 0
        super().__init__(0)

    def getrandbits(self, k: int, /) -> int:
        """Return k random bits as an integer from 0 to 2**k - 1; k is at most 256."""
        block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
        self._counter += 1
        return int.from_bytes(block, "big") >> (256 - k)

    def random(self) -> float:
        """Return a number from 0 up to but excluding 1."""
        return float(self.getrandbits(53)) / (1 << 53)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return an integer from 0 to start - 1, each equally likely.

        Raises ValueError for any other form.
        """
        if stop is not None or step != 1 or start < 1:
            raise ValueError("randrange takes one whole number above 0")
        while (value := self.getrandbits(start.bit_length())) >= start:
            pass
        return value
