"""4.1-4.14 and C8-C17. The combinations of Big Two under any options, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from bot.rules.big_two.tables import DECKS, LADDERS, SEVEN, BigTwoDeck, Ranks, straights
from bot.rules.core.patterns import CombinationRow, Pattern, Slots, Suits, pattern, sets


class Run(NamedTuple):
    """A straight. place: its level, from 0. decider: the index of the rank whose suit decides (4.8)."""

    ranks: Ranks
    place: int
    decider: int
    royal: bool


class BigTwoPatternOptions(NamedTuple):
    """The options that determine combinations and their order; documented as options (C8-C19)."""

    deck: str
    suit_order: str
    triples: bool
    flushes: bool
    quads_form: str
    sf_form: str
    bare_suited_run: str
    straight_scheme: str
    promoted_two_decides: bool
    flush_rank: str
    five_order: str
    full_house_beats_straight: bool
    honours_beat: str


def rows(o: BigTwoPatternOptions) -> Iterator[CombinationRow]:
    """Yield the kinds, singles first (4.1, 4.5, C11-C14, C17)."""
    ranks = len(DECKS[o.deck].ranks)
    yield _alike("single", 1, ranks, step=1)
    yield _alike("pair", 2, ranks, step=1)
    if o.triples:
        yield _alike("triple", 3, ranks)
    if o.quads_form != "kicker":
        yield _alike("quads_bare", 4, ranks)
    absent = {"flush": not o.flushes, "quads": o.quads_form == "bare"}
    for level, kind in enumerate(LADDERS[o.five_order][0]):
        if not absent.get(kind):
            yield _of_five(o, kind, level)


@cache
def _alike(kind: str, size: int, ranks: int, *, step: int = 0) -> CombinationRow:
    """Return the sets of ``size`` equal cards; cached, so options share the row."""
    return CombinationRow(kind, 0, sets(range(ranks), size, scale=4 if step else 1), step=step)


@cache
def _with_another(kind: str, level: int, size: int, ranks: int) -> CombinationRow:
    """Return the sets of ``size`` equal cards, with attached sets that complete five cards."""
    return CombinationRow(kind, level, sets(range(ranks), size), attached_sets=sets(range(ranks), 5 - size))


def _of_five(o: BigTwoPatternOptions, kind: str, level: int) -> CombinationRow:
    ranks = len(DECKS[o.deck].ranks)
    match kind:
        case "straight":
            free = o.sf_form != "five" and o.bare_suited_run != "illegal" and not o.flushes
            return CombinationRow(kind, level, _sequences(o, runs(o)), suits=Suits.ANY if free else Suits.MIXED, step=1)
        case "flush":
            return _flush(o, level)
        case "full_house":
            return _with_another(kind, level, 3, ranks)
        case "quads":
            return _with_another(kind, level, 4, ranks)
    apart = o.five_order != "standard"  # whether a royal flush is a separate kind (C11.2, C11.3)
    within = [run for run in runs(o) if not apart or run.royal == (kind == "royal_flush")]
    kickers = 2 if o.sf_form == "plus_two" else 0
    name = SEVEN[kind] if kickers else kind
    return CombinationRow(name, level, _sequences(o, within), suits=Suits.SAME, step=1, kickers=kickers)


def runs(o: BigTwoPatternOptions) -> tuple[Run, ...]:
    """4.7-4.8, C9: the straights from low to high."""
    return _runs(o.deck, o.straight_scheme, o.promoted_two_decides)


@cache
def _runs(of: str, scheme: str, promoted_two_decides: bool) -> tuple[Run, ...]:
    deck = DECKS[of]
    levels = straights(deck, scheme)
    ace, two = deck.natural[:2]
    top = (*deck.natural[-4:], ace)
    highest = levels.index((top,))
    found = []
    for place, level in enumerate(levels):
        for ranks in level:
            by_two = two in ranks and (len(level) > 1 or (promoted_two_decides and place > highest))
            found.append(Run(ranks, place, ranks.index(two) if by_two else len(ranks) - 1, ranks == top))
    return tuple(found)


def _sequences(o: BigTwoPatternOptions, several: Iterator[Run] | tuple[Run, ...] | list[Run]) -> list[Pattern]:
    return [_sequence(o.deck, run) for run in several]


@cache
def _sequence(deck: str, run: Run) -> Pattern:
    return pattern(_slots(DECKS[deck], run.ranks), run.place * 4, decider=run.decider)


def _slots(deck: BigTwoDeck, ranks: Ranks) -> Slots:
    return tuple(deck.ranks.index(rank) for rank in ranks)


def _flush(o: BigTwoPatternOptions, level: int) -> CombinationRow:
    """4.10, C10: five ranks without a straight flush; ranked by suit first, top card first, or all ranks."""
    taken = o.sf_form == "five" or o.bare_suited_run == "illegal"
    barred = frozenset(found.weight for found in _sequences(o, runs(o))) if taken else frozenset()
    return _flush_but(barred, len(DECKS[o.deck].ranks), o.flush_rank, level)


@lru_cache(maxsize=32)
def _flush_but(barred: frozenset[int], ranks: int, order: str, level: int) -> CombinationRow:
    """Return the flushes except those with barred weights; cached, so options share the row."""
    found = [flush for flush in _fives(ranks, order) if flush.weight not in barred]
    return CombinationRow("flush", level, found, suits=Suits.SAME, step=ranks if order == "suit_first" else 1)


@lru_cache(maxsize=8)
def _fives(ranks: int, order: str) -> tuple[Pattern, ...]:
    """Return every choice of five slots, weakest first."""
    fives = [(*rest, top) for top in range(4, ranks) for rest in combinations(range(top), 4)]
    if order == "all_ranks":
        ranked = [pattern(slots, 4 * sum(slot * ranks**at for at, slot in enumerate(slots))) for slots in fives]
        return tuple(sorted(ranked, key=lambda found: found.place))
    scale = 1 if order == "suit_first" else 4
    return tuple(pattern(slots, slots[-1] * scale) for slots in fives)
