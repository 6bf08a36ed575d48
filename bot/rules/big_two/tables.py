"""4 and C8-C17. Decks, orders, ladders, and the rows of combinations under any options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.core.cards import Cards, Rank, pack, tiles
from bot.rules.core.patterns import CombinationRow, Pattern, Slots, Suits, pattern, sets
from bot.rules.core.sentences import CombinationName

Ranks = tuple[Rank, ...]


class BigTwoDeck(NamedTuple):
    """A deck.

    ranks: low to high (2.2, C44.2). natural: in counting order, the ace or one first (5.5).
    """

    cards: Cards
    ranks: Ranks
    natural: Ranks


def _ranks(text: str) -> Ranks:
    return tuple(map(Rank, text.split()))


DECKS: Mapping[str, BigTwoDeck] = {
    "cards52": BigTwoDeck(pack(), _ranks("3 4 5 6 7 8 9 T J Q K A 2"), _ranks("A 2 3 4 5 6 7 8 9 T J Q K")),
    "tiles60": BigTwoDeck(
        tiles(), _ranks("3 4 5 6 7 8 9 10 11 12 13 14 15 1 2"), _ranks("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
    ),
}

# 4.7 and C9: the straights from low to high. m: from 3-4-5-6-7 to 10-J-Q-K-A; a: A-2-3-4-5; t: 2-3-4-5-6; j: J-Q-K-A-2;
# w: Q-K-A-2-3 and K-A-2-3-4; two letters together are one level. Each with its article.
SCHEMES: Mapping[str, tuple[str, str]] = {
    "ace_low": ("a t m", "4.7"),
    "a2345_top": ("t m a", "C9.2"),
    "23456_top_a2345_second": ("m a t", "C9.3"),
    "23456_top_a2345_low": ("a m t", "C9.4"),
    "no_a2345": ("t m", "C9.5"),
    "jqka2_top_23456_low": ("t m j", "C9.6"),
    "jqka2_top_23456_second": ("m t j", "C9.7"),
    "jqka2_top_no_low": ("m j", "C9.8"),
    "indonesia_suit_of_two": ("m ta", "C9.9"),
    "hong_kong": ("m t a", "C9.10"),
    "wrap": ("w a t m j", "C9.20"),
}

# 4.5 and C11: the kinds of five cards, weakest first, with the article of the order.
LADDERS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "standard": (("straight", "flush", "full_house", "quads", "straight_flush"), "4.16"),
    "royal_separate": (("straight", "flush", "full_house", "quads", "straight_flush", "royal_flush"), "C11.2"),
    "royal_only_beats_quads": (("straight", "flush", "full_house", "straight_flush", "quads", "royal_flush"), "C11.3"),
}
SEVEN = {"straight_flush": "sf_plus_two", "royal_flush": "royal_plus_two"}  # C17.1
HONOURS = {"quads", "straight_flush", "royal_flush", *SEVEN.values()}  # C15
APART = {"straight", "full_house"}  # C19.1

COMBINATIONS: Mapping[str, CombinationName] = {
    "single": CombinationName(N_("the {rank} of {suit}"), N_("singles")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("pair of {rank}s")),
    "triple": CombinationName(N_("three {rank}s"), N_("triples"), N_("three {rank}s")),
    "quads_bare": CombinationName(N_("four {rank}s"), N_("fours of a kind"), N_("four {rank}s")),
    "straight": CombinationName(N_("a straight up to {rank}"), N_("straights"), N_("{low}–{high} straight")),
    "flush": CombinationName(
        N_("a flush of {suit}"), N_("flushes"), N_("{suit} flush, {top} high"), N_("flush {suit}")
    ),
    "full_house": CombinationName(
        N_("a full house of {rank}s"), N_("full houses"), N_("full house {rank}s"), N_("full house {rank}s")
    ),
    "quads": CombinationName(
        N_("four {rank}s with a card"), N_("fours with a card"), N_("four {rank}s"), N_("four {rank}s")
    ),
    "straight_flush": CombinationName(
        N_("a straight flush up to {rank}"),
        N_("straight flushes"),
        N_("straight flush {suit}"),
        N_("straight flush {suit}"),
    ),
    "royal_flush": CombinationName(
        N_("a royal flush of {suit}"), N_("royal flushes"), N_("royal flush {suit}"), N_("royal flush {suit}")
    ),
    "sf_plus_two": CombinationName(
        N_("a straight flush up to {rank} with two cards"),
        N_("straight flushes with two cards"),
        N_("straight flush {suit}"),
        N_("straight flush {suit}"),
    ),
    "royal_plus_two": CombinationName(
        N_("a royal flush of {suit} with two cards"),
        N_("royal flushes with two cards"),
        N_("royal flush {suit}"),
        N_("royal flush {suit}"),
    ),
}


def straights(deck: BigTwoDeck, scheme: str) -> tuple[tuple[Ranks, ...], ...]:
    """Return the straights of a scheme from low to high (4.7, C9, C44.3).

    Each level has one straight or several equal ones.
    """
    ace, two = deck.natural[:2]
    line = (*deck.natural[2:], ace)
    runs = {
        "a": [deck.natural[:5]],
        "t": [deck.natural[1:6]],
        "m": [line[at : at + 5] for at in range(len(line) - 4)],
        "j": [(*line[-4:], two)],
        "w": [(*deck.natural[-2:], *deck.natural[:3]), (*deck.natural[-1:], *deck.natural[:4])],
    }
    levels: list[tuple[Ranks, ...]] = []
    for letters in SCHEMES[scheme][0].split():
        several = [run for letter in letters for run in runs[letter]]
        levels += [tuple(several)] if len(letters) > 1 else [(run,) for run in several]
    return tuple(levels)


class Run(NamedTuple):
    """A straight.

    place: its level, from 0. decider: the index of the rank whose suit decides (4.8).
    """

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
    """4.10, C10: five cards of a suit, ranked by suit first, top card first, or all ranks.

    Without five in a row, if these are straight flushes or illegal.
    """
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
