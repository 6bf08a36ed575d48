"""Sentences of the rules before translation: notes, refusals, and values of their fields.

A sentence is an English message id with named fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple


class Seat(int):
    """A seat number among the values of a sentence, displayed as the name of the player."""


class Of(NamedTuple):
    """A number or cards that belong to a seat, among the values of a sentence: "Ann 3"."""

    seat: Seat
    amount: Any


class From(NamedTuple):
    """A value of a sentence: cards or a number from another seat, as in "Ann K♣ from Cleo"."""

    seat: Seat
    amount: Any
    giver: Seat


class Has(Of):
    """Cards that a seat holds, among the values of a sentence: "Ann has K♣"."""

    __slots__ = ()


def by_seat(pairs: Iterable[tuple[int, Any]]) -> tuple[Has, ...]:
    """Return the cards of each seat, from (seat, card) pairs grouped by seat."""
    return tuple(Has(Seat(seat), tuple(held for _, held in found)) for seat, found in groupby(pairs, itemgetter(0)))


class Phrase(str):
    """A message id among the values of a sentence, displayed in the reader's language."""

    __slots__ = ()


class Gain(int):
    """Points won or lost, among the values of a sentence, displayed with a sign."""


class CombinationName(NamedTuple):
    """What a kind of combination is called, in message ids.

    one: a combination of the kind, with the fields ``rank`` and ``suit`` of its head. many: combinations of the kind.
    button: a combination on a button; "" for single cards. plate: a combination in a word or two; "" to list its ranks.
    Both have the further fields ``top`` (the rank of the head in notation), ``low`` and ``high`` (the ends of a run).
    """

    one: str
    many: str
    button: str = ""
    plate: str = ""


class Illegal(ValueError):
    """An action the rules forbid.

    article: the number in the game's rule page, such as ``"4.15"``. sentence: an English message id with named fields;
    values: the contents of the fields (cards, combinations, numbers).
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
    """A sentence about a hand, with its article (see Illegal for the fields).

    decides: whether it tells what decided the hand.
    """

    article: str
    sentence: str
    values: tuple[tuple[str, Any], ...] = ()
    decides: bool = False
