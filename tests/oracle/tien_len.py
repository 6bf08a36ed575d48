"""Tiến Lên's cards read straight off the rules by trying every set of cards: slow and plain.

Covers combinations, their order, immediate wins and their values. Does not cover turns, the bot, and every clever way
of finding a play. The rules are cited by their number on the reading of them.

A card is written as "3s" to "2h". Options are a plain mapping that must be complete.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

Options = Mapping[str, Any]
T = TypeVar("T")

RANKS, SUITS = "3456789TJQKA2", "scdh"  # 1.2, 1.3
PACK = [rank + suit for rank in RANKS for suit in SUITS]
SETS = {1: "single", 2: "pair", 3: "triple", 4: "four"}
TWO = 12


class Read(NamedTuple):
    """What cards are read as. ranks: how many different ones; high: the place of the highest card in the pack."""

    kind: str
    ranks: int
    high: int


def rank(card: object) -> int:
    """Give the place of a card's rank, from 0."""
    return RANKS.index(str(card)[0])


def read(cards: Iterable[object], options: Options) -> Read | None:
    """Tell what cards are together: 3.1 to 3.3."""
    return _read(tuple(map(str, cards)), options["sequence_suit"] == "same", options["double_sequences"])


@lru_cache(maxsize=1 << 17)
def _read(held: tuple[str, ...], same: bool, doubles: bool) -> Read | None:  # two options
    ranks = sorted({rank(each) for each in held})
    if not held or len(set(held)) < len(held) or not set(held) <= set(PACK):
        return None
    copies = {sum(rank(each) == one for each in held) for one in ranks}
    high, length = max(map(PACK.index, held)), len(ranks)
    if length == 1:
        return Read(SETS[len(held)], 1, high)
    if length < 3 or ranks[-1] == TWO or ranks[-1] - ranks[0] != length - 1:
        return None
    if copies == {1}:
        mixed = len({each[1] for each in held}) > 1
        return None if mixed and same else Read("sequence", length, high)
    return Read("double_sequence", length, high) if copies == {2} and doubles else None


def chops(tried: Read, top: Read, options: Options) -> bool:  # noqa: PLR0911  # article by article
    """Tell whether the one beats the other by 4.4 or 4.5."""
    full, twos = options["chops"] == "full", top.high // 4 == TWO
    if options["chops"] == "none":
        return False
    if tried.kind == "four":
        if top.kind == "four":
            return tried.high > top.high
        if top.kind == "single":
            return twos
        if top.kind == "pair":
            return twos and full and bool(options["quads_on_two_pair"])
        return full and top[:2] == ("double_sequence", 3)
    if tried.kind != "double_sequence" or not full:
        return False
    if top.kind == "double_sequence":
        return (
            (tried.ranks, tried.high) > (top.ranks, top.high) if tried.ranks == top.ranks else tried.ranks > top.ranks
        )
    if top.kind == "four":
        return tried.ranks >= 4
    return twos and tried.ranks >= {"single": 3, "pair": 4, "triple": 5}.get(top.kind, 99)


def beats(one: Sequence[object], other: Sequence[object], options: Options) -> bool:
    """Tell whether one play beats the other: 4.1 to 4.5."""
    tried, top = read(one, options), read(other, options)
    assert tried
    assert top
    if tried[:2] != top[:2] or chops(tried, top, options):
        return chops(tried, top, options)
    by_rank = tried.kind in ("triple", "four")
    higher = tried.high // 4 > top.high // 4 if by_rank else tried.high > top.high
    free = not options["same_look"] or tried.high // 4 == TWO
    if tried.kind == "single":
        return higher and (free or str(one[0])[1] == str(other[0])[1])
    if tried.kind == "pair":
        return higher and (free or red(one) == red(other))
    return higher


def red(cards: Iterable[object]) -> int:
    """Count the red cards."""
    return sum(str(each)[1] in "dh" for each in cards)


def subsets(hand: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """List every choice of cards."""
    return (chosen for size in range(1, len(hand) + 1) for chosen in combinations(hand, size))


def plays(hand: Sequence[str], top: Sequence[str] | None, options: Options) -> set[frozenset[str]]:
    """List every play of a hand on the top (None: every lead); 6.2 is not among what is asked."""
    fine = (chosen for chosen in subsets(hand) if read(chosen, options))
    return {frozenset(chosen) for chosen in fine if top is None or beats(chosen, top, options)}


# Won at once


def at_once(hands: Sequence[Sequence[str]], options: Options, *, first: bool) -> int | None:
    """Tell who wins at once: 7.1, 7.2."""
    found = [
        (strength, high, seat) for seat, hand in enumerate(hands) for strength, high in claims(hand, options, first)
    ]
    return max(found)[2] if found else None


def claims(hand: Sequence[str], options: Options, first: bool) -> Iterator[tuple[int, int]]:  # one caller
    """List how strong a hand is that wins at once, and its highest card that can belong to it."""
    of = {place: [each for each in hand if rank(each) == place] for place in range(13)}
    pairs = [place for place in range(13) if len(of[place]) >= 2]
    south, some = options["instant"] == "south", options["instant"] != "none"
    rows = [range(low, low + 5) for low in range(8) if all(place in pairs for place in range(low, low + 5))]
    three, four = ([place for place in range(13) if len(of[place]) >= count] for count in (3, 4))
    threes = [range(low, low + 3) for low in range(10) if all(place in three for place in range(low, low + 3))]
    whole = some and options["one_colour"] and red(hand) in (0, len(hand))
    belonging: dict[int, Collection[int]] = {
        9: [TWO] if some and len(of[TWO]) == 4 else [],
        8: range(13) if whole else [],
        7: range(12) if some and all(of[place] for place in range(12)) else [],
        6: three if some and options["four_triples"] and len(three) >= 4 else [],
        5: four if some and options["two_fours"] and len(four) >= 2 else [],
        4: {place for row in threes for place in row} if some and options["triples_in_row"] else [],
        3: {place for row in rows for place in row} if south else [],
        2: pairs if some and sum(len(of[place]) // 2 for place in pairs) >= 6 else [],
        1: [0] if south and first and len(of[0]) == 4 else [],
    }
    for strength, places in belonging.items():
        if places:
            yield strength, max(PACK.index(each) for place in places for each in of[place])


# What is worth how much


def worth(cards: Sequence[str], options: Options) -> int:
    """Return the value of a chopped play: 8.2."""
    found = read(cards, options)
    assert found
    if found.kind == "double_sequence":
        return 3 if found.ranks == 3 else 4
    return 4 if found.kind == "four" else sum({"s": 1, "c": 1, "d": 2, "h": 2}[each[1]] for each in cards)


def rotten(hand: Sequence[str], options: Options) -> int:
    """Tell what has to be paid for cards left: 8.3."""
    twos = sum({"s": 1, "c": 1, "d": 2, "h": 2}[each[1]] for each in hand if rank(each) == TWO)
    counts = [sum(rank(each) == place for each in hand) for place in range(TWO)]
    rows = "".join("x" if count in (2, 3) else " " for count in counts).split()
    long = sum(len(row) >= 3 for row in rows) if options["double_sequences"] else 0
    return twos + 4 * counts.count(4) + 3 * long
