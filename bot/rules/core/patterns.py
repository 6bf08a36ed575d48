"""Rows: the kinds of combinations of a game, each with its patterns of ranks.

A pattern lists the ranks of a combination, their order and their strength. Runs differ from sets only in their
patterns, and runs around the corner differ from ordinary runs only in the line of ranks. Ranks are represented by
slots: small numbers, one for all cards that combinations treat as equal. Independent of hands and cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

Slots: TypeAlias = tuple[int, ...]

# The cards of a hand are counted in a single integer, eight bits a slot. The highest bit of each slot is a guard: it
# is set before a subtraction and survives where enough cards were present. One subtraction thus searches a pattern.
WIDTH = 8
GUARD = 1 << (WIDTH - 1)


class Suits(Enum):
    """The requirement on the suits of a combination."""

    ANY = "any"
    SAME = "same"
    MIXED = "mixed"


class Pattern(NamedTuple):
    """One choice of slots. slots: the slot of each card, in the order of display.

    place: the part of the strength that depends on ranks. decider: the index of the card whose suit decides between
    equal places. head: the index of the card that names the combination. weight: the number of cards in each slot, as
    one integer. picks: for each card its slot and its index among the cards of that slot. parts: each slot with its
    number of cards; deciding: the index of the decider's part. rising: whether the display order is the sorted order.
    """

    slots: Slots
    place: int
    decider: int
    head: int
    weight: int
    picks: tuple[tuple[int, int], ...]
    parts: tuple[tuple[int, int], ...]
    deciding: int
    rising: bool


class CombinationRow:
    """One kind of combination with a fixed number of cards.

    level: the strength between kinds. patterns: weakest first. suits: the requirement on suits. step: the strength that
    each higher suit of the deciding card adds. attached_sets: sets of another rank, exactly one of them; kickers:
    the number of attached cards of any kind. highest: the highest slot of any pattern. Immutable, so tables may share a
    row.
    """

    def __init__(
        self,
        kind: str,
        level: int,
        patterns: Iterable[Pattern],
        *,
        suits: Suits = Suits.ANY,
        step: int = 0,
        attached_sets: Sequence[Pattern] = (),
        kickers: int = 0,
    ) -> None:
        self.kind, self.level, self.suits, self.step = kind, level, suits, step
        self.patterns, self.attached_sets, self.kickers = tuple(patterns), tuple(attached_sets), kickers
        self.places = [pattern.place for pattern in self.patterns]
        self.main = len(self.patterns[0].slots)
        self.size = self.main + kickers + (len(attached_sets[0].slots) if attached_sets else 0)
        self.highest = (max([pattern.weight for pattern in self.patterns]).bit_length() - 1) // WIDTH
        forms = {tuple([count for _, count in pattern.parts]) for pattern in self.patterns}
        self.copies = min(max(counts) for counts in forms)
        self.ranks = min(sum(count >= self.copies for count in counts) for counts in forms)
        self.shared = bool(step) and suits is not Suits.SAME and len(set(self.places)) < len(self.places)

    @property
    def key(self) -> tuple[str, int]:
        """The kind and the number of cards; unique within a table."""
        return self.kind, self.size

    @cached_property
    def at(self) -> dict[int, int]:
        """The index of each pattern, by weight."""
        return {found.weight: at for at, found in enumerate(self.patterns)}

    @cached_property
    def whole(self) -> dict[int, Pattern]:
        """The patterns of complete combinations, attached sets included, by weight.

        Empty with kickers.
        """
        if self.kickers:
            return {}
        if not self.attached_sets:
            return {found.weight: found for found in reversed(self.patterns)}
        pairs = product(self.patterns, self.attached_sets)
        joined = (_joined(main, more) for main, more in pairs if main.slots[0] != more.slots[0])
        return {found.weight: found for found in joined}


# Makers of patterns


def pattern(slots: Slots, place: int, *, decider: int = -1, head: int = -1) -> Pattern:
    """Return a pattern. decider, head: an index, -1 for the last card."""
    parts: dict[int, int] = {}
    picks = []
    for slot in slots:
        picks.append((slot, parts.get(slot, 0)))
        parts[slot] = parts.get(slot, 0) + 1
    deciding = list(parts).index(slots[decider])
    rising = all(one <= other for one, other in pairwise(slots))
    return Pattern(slots, place, decider, head, weight_of(slots), tuple(picks), tuple(parts.items()), deciding, rising)


def sets(slots: Iterable[int], size: int, *, scale: int = 1) -> list[Pattern]:
    """Return sets of equal cards; their strength is the slot times the scale."""
    return [pattern((slot,) * size, slot * scale) for slot in slots]


def runs(line: Slots, length: int, copies: int = 1, *, scale: int = 1) -> list[Pattern]:
    """Return runs of ``length`` neighbours of a line, ``copies`` cards of each.

    The strength is the last slot times ``scale``.
    """
    parts = (line[at : at + length] for at in range(len(line) - length + 1))
    return [pattern(tuple(slot for slot in part for _ in range(copies)), part[-1] * scale) for part in parts]


def _joined(main: Pattern, more: Pattern) -> Pattern:
    return pattern(main.slots + more.slots, main.place, decider=len(main.slots) - 1, head=len(main.slots) - 1)


def weight_of(slots: Iterable[int]) -> int:
    """Return the number of cards in each slot, as one integer."""
    return sum(1 << (WIDTH * slot) for slot in slots)
