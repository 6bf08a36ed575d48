"""Rows: kinds of combinations, each with the patterns of ranks that lie in it, for every game.

A pattern says which ranks lie there, in which order, and how high that is. Runs differ from sets only by these, and a
run that turns the corner from any other only by the line it is cut from. Ranks are told apart by slots: small numbers,
one for all cards between which a combination makes no difference. Refuses to know hands, and any card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

Slots: TypeAlias = tuple[int, ...]

# How many cards a hand holds is one number with eight bits a slot. The highest of them stays free, as a guard: set
# before something is taken away, it is still there where there was enough. So a pattern is looked for in one step.
WIDTH = 8
GUARD = 1 << (WIDTH - 1)


class Suits(Enum):
    """What the suits of a combination have to be."""

    ANY = "any"
    SAME = "same"
    MIXED = "mixed"


class Pattern(NamedTuple):
    """One choice of slots. slots: that of each card, in the order in which the cards lie.

    place: the strength as far as ranks say it. decider: the index of the card whose suit says the rest. head: the index
    of the card by which it is called. weight: how many cards of each slot. picks: for each card its slot, and which of
    the cards of that slot it is. parts: the slots, and how many cards of each; deciding: which part the decider is in.
    rising: whether the cards lie as they are sorted.
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


class Row:
    """One kind of combination with so many cards.

    level: between kinds. patterns: weakest first. suits: what they have to be. step: by how much a higher suit of the
    deciding card makes it stronger. beside: sets of which one lies beside, of another rank; loose: how many cards of
    any kind do. highest: the highest slot in a pattern. A row never changes, so that tables may share it.
    """

    def __init__(
        self,
        kind: str,
        level: int,
        patterns: Iterable[Pattern],
        *,
        suits: Suits = Suits.ANY,
        step: int = 0,
        beside: Sequence[Pattern] = (),
        loose: int = 0,
    ) -> None:
        self.kind, self.level, self.suits, self.step = kind, level, suits, step
        self.patterns, self.beside, self.loose = tuple(patterns), tuple(beside), loose
        self.places = [pattern.place for pattern in self.patterns]
        self.main = len(self.patterns[0].slots)
        self.size = self.main + loose + (len(beside[0].slots) if beside else 0)
        self.highest = (max([pattern.weight for pattern in self.patterns]).bit_length() - 1) // WIDTH
        forms = {tuple([count for _, count in pattern.parts]) for pattern in self.patterns}
        self.copies = min(max(counts) for counts in forms)
        self.ranks = min(sum(count >= self.copies for count in counts) for counts in forms)
        self.shared = bool(step) and suits is not Suits.SAME and len(set(self.places)) < len(self.places)

    @property
    def key(self) -> tuple[str, int]:
        """The kind and the number of cards, which tell it from the other rows of its table."""
        return self.kind, self.size

    @cached_property
    def at(self) -> dict[int, int]:
        """The index of each pattern, by its weight."""
        return {found.weight: at for at, found in enumerate(self.patterns)}

    @cached_property
    def whole(self) -> dict[int, Pattern]:
        """The patterns of all that lies there, by weight; none where loose cards may be anything."""
        if self.loose:
            return {}
        if not self.beside:
            return {found.weight: found for found in reversed(self.patterns)}
        pairs = product(self.patterns, self.beside)
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
    """Return sets of equal cards, of a strength that is the slot times the scale."""
    return [pattern((slot,) * size, slot * scale) for slot in slots]


def runs(line: Slots, length: int, copies: int = 1, *, scale: int = 1) -> list[Pattern]:
    """Return so many neighbours of a line, so many cards of each, of a strength that is the slot of the last."""
    parts = (line[at : at + length] for at in range(len(line) - length + 1))
    return [pattern(tuple(slot for slot in part for _ in range(copies)), part[-1] * scale) for part in parts]


def _joined(main: Pattern, more: Pattern) -> Pattern:
    return pattern(main.slots + more.slots, main.place, decider=len(main.slots) - 1, head=len(main.slots) - 1)


def weight_of(slots: Iterable[int]) -> int:
    """Return how many cards there are of each slot, as one number."""
    return sum(1 << (WIDTH * slot) for slot in slots)
