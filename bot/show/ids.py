"""The one way in which components are addressed: a custom_id carries all that a click needs.

Knows the three forms: a button about a table (``bg:``), a select about a table (``bp:``), and anything else (``bv:``).
Nothing about a click is remembered between a screen and its click, so a restart loses nothing. Refuses to know what a
verb does. Cards stand only in components of private screens, which is for the screens to see to. They are written as
everywhere, without spaces and in their order; where that takes more room than Discord gives, as one number that says
how many of each card there are. The number knows no order, and always fits.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from bot.rules.cards import Card, Cards, card, every_card, unspaced

LIMIT = 100  # Discord's, in characters
_PACKED = "="  # begins such a number; no card's name begins so, and "~" began another form
# The figures of the number as it is written; none that parts an address or is escaped in JSON.
_LETTERS = f"{string.digits}{string.ascii_letters}!#$%&()*+,-./;<=>?@[]^_{{|}}"
_FIGURES = {letter: figure for figure, letter in enumerate(_LETTERS)}
_COPIES = 9  # what the number counts by: no pack has a card more than eight times
_PLACES = {held: _COPIES**place for place, held in enumerate(every_card())}  # a card that joins later counts for more
_COPY = "."  # parts a card from the number of its copy
_CARDS = r"(?P<cards>[!-9;-~]*)"  # anything but a colon; split() tells whether it is cards
_TABLE = rf"(?P<table>\d{{1,19}}):(?P<ply>\d{{1,9}}):(?P<verb>[a-z_]+)(?P<part>\d?)(?::{_CARDS})?"
TEMPLATE = rf"bg:{_TABLE}"
PICK_TEMPLATE = rf"bp:{_TABLE}"
BROWSE_TEMPLATE = r"bv:(?P<verb>[a-z_]+)(?P<args>(?::[0-9A-Za-z_-]*)*)"


class Verb(StrEnum):
    """What a component about a table asks for."""

    JOIN = "join"
    LEAVE = "leave"
    LEAVE_NOW = "leave_now"  # after the question whether they are sure
    ADD = "add"
    REMOVE = "remove"  # a button: show who can be removed; a select: remove these seats
    AGREE = "agree"  # to the rules in the lobby, of the edition that stands in place of the ply
    START = "start"
    CANCEL = "cancel"
    RULES = "rules"
    CHANGE = "change"  # open the menu of rule options
    HAND = "hand"  # open a fresh private hand
    REFRESH = "refresh"  # draw the private hand again, where it is
    PLAY = "play"  # a button: the cards it carries; a select: the cards of the chosen option
    GIVE = "give"  # a button: the cards it carries
    NAME = "name"  # a button: the card it carries, which need not be in the hand
    PASS = "pass"  # noqa: S105  # a word of card players
    LAST = "last"
    HINT = "hint"
    BY_SUIT = "by_suit"
    BY_RANK = "by_rank"
    PICK = "pick"  # a select: these cards are now chosen, see Pick.chosen
    READY = "ready"
    STOP = "stop"  # end a match that has no end of its own
    STOP_NOW = "stop_now"  # after the question whether they are sure
    BACK = "back"  # take the seat back from the house player
    REMATCH = "rematch"
    CHECK = "check"  # show what was settled before the first card, and what is opened of it
    MIRROR = "mirror"  # begin or stop sending the hand by direct message
    CHOOSE = "choose"  # answer with what stands at place ``part`` among the answers
    ORDER = "order"  # a select: the codes of what is said beforehand


class Unaddressed(ValueError):
    """Text that is no custom_id of ours."""


@dataclass(frozen=True, slots=True)
class _OfTable:
    """A component about a table. part: tells several with one verb apart (0-9). Any number of cards fits."""

    table: int
    ply: int
    verb: Verb
    cards: Cards = ()
    part: int = 0

    prefix: ClassVar[str] = ""
    template: ClassVar[str] = ""

    def __str__(self) -> str:
        part = str(self.part) if self.part else ""
        head = f"{self.prefix}:{self.table}:{self.ply}:{self.verb}{part}"
        return f"{head}:{join(self.cards, LIMIT - len(head) - 1)}" if self.cards else head


@dataclass(frozen=True, slots=True)
class Press(_OfTable):
    """A button about a table, made for a ply; in a private hand with the cards chosen."""

    prefix: ClassVar[str] = "bg"
    template: ClassVar[str] = TEMPLATE

    @classmethod
    def read(cls, text: str) -> Press:
        """Return the button with this custom_id; the inverse of ``str``. Raises Unaddressed."""
        return cls(*_fields(cls.template, text))


@dataclass(frozen=True, slots=True)
class Pick(_OfTable):
    """A select about a table, made for a ply; cards: those chosen in the other selects of the same screen."""

    prefix: ClassVar[str] = "bp"
    template: ClassVar[str] = PICK_TEMPLATE

    @classmethod
    def read(cls, text: str) -> Pick:
        """Return the select with this custom_id; the inverse of ``str``. Raises Unaddressed."""
        return cls(*_fields(cls.template, text))

    def chosen(self, values: Iterable[str]) -> Cards:
        """Return all cards that are chosen once this select has these values."""
        return (*self.cards, *(card(value.partition(_COPY)[0]) for value in values))


def _fields(template: str, text: str) -> tuple[int, int, Verb, Cards, int]:
    found = re.fullmatch(template, text)
    if found is None:
        raise Unaddressed(text)
    try:
        verb, held = Verb(found["verb"]), split(found["cards"] or "")
    except (KeyError, ValueError) as unknown:
        raise Unaddressed(text) from unknown
    return int(found["table"]), int(found["ply"]), verb, held, int(found["part"] or 0)


@dataclass(frozen=True, slots=True)
class Browse:
    """A component of a screen that is not about a running table: what it opens, and plain words that say which."""

    verb: str
    args: tuple[str, ...] = ()

    @classmethod
    def to(cls, verb: str, *args: object) -> Browse:
        """Return the address with its arguments written out."""
        return cls(verb, tuple(map(str, args)))

    def __str__(self) -> str:
        text = ":".join(("bv", self.verb, *self.args))
        if not re.fullmatch(BROWSE_TEMPLATE, text) or len(text) > LIMIT:
            raise ValueError(f"not fit for a custom_id: {text}")
        return text

    @classmethod
    def read(cls, text: str) -> Browse:
        """Return the address written by ``str``. Raises Unaddressed."""
        found = re.fullmatch(BROWSE_TEMPLATE, text)
        if found is None:
            raise Unaddressed(text)
        return cls(found["verb"], tuple(found["args"].split(":")[1:]))


def join(held: Cards, room: int = LIMIT) -> str:
    """Return cards without spaces, ``"3d4cTs"``; packed where that takes more than ``room`` characters.

    Packed cards take 50 characters at most, and lose their order. Raises ValueError for more copies than a pack has.
    """
    plain = "".join(map(str, held))
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
    copies = [held[:at].count(each) for at, each in enumerate(held)]
    return [f"{each}{_COPY}{copy}" if copy else str(each) for each, copy in zip(held, copies, strict=True)]
