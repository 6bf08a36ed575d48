"""Ways to choose cards from a hand that the games share: sets of equal rank, sequences, suits. All lazy.

Proposes cards; refuses to know what they are called or what they beat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product

from bot.rules.cards import Cards, Rank, Suit


@lru_cache(maxsize=256)
def by_rank(hand: Cards) -> Mapping[Rank, Cards]:
    """Return the hand's cards under their rank; ranks and cards keep the order of the hand."""
    groups: dict[Rank, Cards] = {}
    for held in hand:
        groups[held.rank] = (*groups.get(held.rank, ()), held)
    return groups


@lru_cache(maxsize=256)
def by_suit(hand: Cards) -> Mapping[Suit, Cards]:
    """Return the hand's cards under their suit; cards keep the order of the hand."""
    groups: dict[Suit, Cards] = {}
    for held in hand:
        groups[held.suit] = (*groups.get(held.suit, ()), held)
    return groups


def sets(hand: Cards, size: int) -> list[Cards]:
    """Return the hand's cards of each rank of which it holds at least ``size``."""
    groups = by_rank(hand)
    if len(hand) - len(groups) < size - 1:  # too few cards that share a rank with another
        return []
    return [group for group in groups.values() if len(group) >= size]


def topped(group: Cards, size: int) -> Iterator[Cards]:
    """Yield every choice of ``size`` cards, ordered by its last card, that one varying slowest."""
    return ((*rest, group[top]) for top in range(size - 1, len(group)) for rest in combinations(group[:top], size - 1))


def climbing(group: Cards, size: int) -> Iterator[Cards]:
    """Yield every choice of ``size`` cards, compared from its last card downward, lowest first."""
    if not size:
        return iter([()])
    return ((*rest, group[top]) for top in range(size - 1, len(group)) for rest in climbing(group[:top], size - 1))


def sequences(groups: Mapping[Rank, Cards], pattern: Sequence[Rank]) -> Iterator[Cards]:
    """Yield every choice of one card for each rank of the pattern, the last rank's card varying slowest.

    Every rank of the pattern has to be there.
    """
    *lower, top = (groups[rank] for rank in pattern)
    return ((*rest, last) for last in top for rest in product(*lower))
