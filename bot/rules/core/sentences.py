"""What the rules have to say, before anybody puts it into words of a language: notes, refusals, and what fills them.

A sentence is an English message id with named fields. Refuses to know who reads it, and how anything looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple


class Seat(int):
    """A seat number inside the values of a sentence, to be shown as the name of who sits there."""


class Of(NamedTuple):
    """A number, or cards, that belong to a seat, inside the values of a sentence: "Ann 3"."""

    seat: Seat
    amount: Any


class From(NamedTuple):
    """What a seat got from another, inside the values of a sentence: "Ann K♣ from Cleo"."""

    seat: Seat
    amount: Any
    giver: Seat


def by_seat(pairs: Iterable[tuple[int, Any]]) -> tuple[Of, ...]:
    """Return pairs of a seat and something, which come seat by seat, as one value for each seat."""
    return tuple(Of(Seat(seat), tuple(thing for _, thing in found)) for seat, found in groupby(pairs, itemgetter(0)))


class Phrase(str):
    """A message id inside the values of a sentence, to be shown in the reader's language."""

    __slots__ = ()


class Gain(int):
    """Points won or lost inside the values of a sentence, to be shown with their sign."""


class Illegal(ValueError):
    """An action the rules forbid.

    article: the number in the game's rule page, such as ``"4.15"``.
    sentence: an English message id with named fields; values: what fills them (cards, combinations, numbers).
    """

    def __init__(self, article: str, sentence: str, **values: Any) -> None:
        super().__init__(article, sentence)
        self.article = article
        self.sentence = sentence
        self.values = values

    def __str__(self) -> str:
        return f"{self.sentence.format(**self.values)} ({self.article})"


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about a hand, with the article it comes from (see Illegal for the fields)."""

    article: str
    sentence: str
    values: tuple[tuple[str, Any], ...] = ()
