"""1.6-1.8, 3, 4 and O3. The combinations of Big A, as rows of a table.

Suits are irrelevant except for the Big Aces, which have a slot of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bot.rules.big_a.tables import BIG, CHAINS, JOKER_BOMBS, JOKERS, KINDS_OF_SET, LADDERS, RUN, SETS
from bot.rules.core.cards import Rank, Suit
from bot.rules.core.patterns import CombinationRow, Pattern, Slots, pattern, sets

PLACE = {rank: at for at, rank in enumerate(SETS)} | {rank: len(SETS) + at for at, rank in enumerate(JOKERS)}
ACE, BLACK, RED = (PLACE[rank] for rank in (Rank.ACE, *JOKERS))
SHORTEST, ALL = 3, len(RUN) - 1  # ranks in a sequence: the minimum, and every rank once
FIRST_BOMB = 2  # the level of the weakest bomb
COPIES = {"sequence": 1, "double_sequence": 2}
BIG_ACES = 2


class BigAPatternOptions(NamedTuple):
    """The parameters of the combinations. big: the Big suit, if any. paired: whether two Big Aces are a bomb."""

    ladder: str
    longest: int
    capture: int
    big: Suit | None
    paired: bool


def rows(shape: BigAPatternOptions) -> Iterator[CombinationRow]:
    """Yield every kind of combination: ordinary ones, then the bombs in the order of their ladder (O3)."""
    yield CombinationRow("single", 0, sets(range(len(SETS)), 1))
    yield CombinationRow("joker", 0, sets((BLACK, RED), 1))
    yield CombinationRow("big_ace", 0, sets((BIG,), 1))
    pair_of_bigs = (BIG,) * 2 if shape.paired else ()
    yield CombinationRow("pair", 0, (pair for pair in _sets(2) if pair.slots != pair_of_bigs))
    for level, (kind, copies) in enumerate(COPIES.items()):
        for length in range(SHORTEST, shape.longest + 1):
            yield CombinationRow(kind, level, _chains(copies, length))
    for level, kind in enumerate(LADDERS[shape.ladder], FIRST_BOMB):
        if kind != "big_ace_pair" or shape.paired:
            yield CombinationRow(kind, level, _bombs(kind))


def _bombs(kind: str) -> Iterable[Pattern]:
    """Return the patterns of a kind of bomb (4.6-4.13)."""
    if kind in CHAINS:
        return _chains(*CHAINS[kind])
    if kind in KINDS_OF_SET:
        return _sets(3 + KINDS_OF_SET.index(kind))
    if kind == "big_ace_pair":
        return [pattern((BIG,) * 2, 0)]
    size = next(size for size, name in JOKER_BOMBS.items() if name == kind)
    return (pattern((BLACK,) * (size - reds) + (RED,) * reds, reds if size == 2 else 0) for reds in range(size + 1))


def _sets(size: int) -> Iterator[Pattern]:
    return (pattern(slots, at) for at in range(len(SETS)) for slots in _with_bigs((at,) * size))


def _chains(copies: int, length: int) -> Iterator[Pattern]:
    """Yield runs of neighbouring sets, lowest top rank first; the ace stands at either end, or at both (O10.1)."""
    for top in range(length - 1, len(RUN)):
        ranks = RUN[top + 1 - length : top + 1]
        if (length, top) != (ALL, len(RUN) - 2):  # every rank once: the ace is high
            slots = tuple(PLACE[rank] for rank in ranks for _ in range(copies))
            yield from (pattern(chain, top) for chain in _with_bigs(slots))


def _with_bigs(slots: Slots) -> Iterator[Slots]:
    """Yield slots with zero, one and two of the aces replaced by Big Aces, from the last ace on."""
    aces = [at for at, slot in enumerate(slots) if slot == ACE]
    for count in range(min(BIG_ACES, len(aces)) + 1):
        bigs = aces[len(aces) - count :]
        yield tuple(BIG if at in bigs else slot for at, slot in enumerate(slots))
