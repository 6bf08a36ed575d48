"""6. The combinations of Tàihé A Bāo, what beats what, and where they are found in a hand.

Suits make no difference, so a play stands here for all plays of the same ranks. Refuses to know whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from bot.rules.a_bao.deck import CHAINS, ORDER, Deck
from bot.rules.cards import Cards, Rank
from bot.rules.combos import by_rank
from bot.rules.trick import Combo

Held: TypeAlias = Mapping[Rank, Cards]

PLACE = {rank: at for at, rank in enumerate(ORDER)}
LEVELS = {"single": 0, "pair": 0, "sequence": 0, "double_sequence": 1, "triplet": 2, "four": 3, "top_three": 3}
FIRST_BOMB, FOURS = LEVELS["triplet"], LEVELS["four"]
SETS = {1: "single", 2: "pair", 3: "triplet", 4: "four"}
RUNS = {"sequence": (1, 3), "double_sequence": (2, 2)}  # cards of each rank, and the fewest ranks (6.3, 6.4)
NAMES = {
    "single": "the {rank} of {suit}",
    "pair": "a pair of {rank}s",
    "sequence": "a sequence up to {rank}",
    "double_sequence": "a double sequence up to {rank}",
    "triplet": "three {rank}s",
    "four": "four {rank}s",
    "top_three": "three {rank}s (as four)",
}


class Groups:
    """Every combination there is in one pack."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.power = {each: at for at, each in enumerate(deck.cards)}
        self.classify = lru_cache(maxsize=1 << 12)(self._classify)
        self.fewest_over = lru_cache(maxsize=None)(self._fewest_over)

    def sort(self, held: Cards) -> Cards:
        """Return the cards weakest first (1.3)."""
        return tuple(sorted(held, key=self.power.__getitem__))

    # What cards are

    def _classify(self, played: Cards) -> Combo | None:
        """Answer ``classify``: what these cards are, in any order, or None (6.1-6.10)."""
        if not played or not self.power.keys() >= set(played) or len(set(played)) < len(played):
            return None
        held = self.sort(played)
        groups = by_rank(held)
        sizes = {len(group) for group in groups.values()}
        if len(groups) == 1:
            return self._made(self._set(held), held)
        kind = next(
            (kind for kind, (copies, least) in RUNS.items() if sizes == {copies} and len(groups) >= least), None
        )
        return self._made(kind, held) if kind and neighbours(tuple(groups)) else None

    def _set(self, held: Cards) -> str:
        return "top_three" if len(held) == 3 and held[0].rank is self.deck.top_three else SETS[len(held)]

    @staticmethod
    def _made(kind: str, held: Cards) -> Combo:
        return Combo(kind, held[-1], held, LEVELS[kind], PLACE[held[-1].rank])

    # What beats what

    def beats(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second (6.11)."""
        if tried.level >= FIRST_BOMB:
            return top.level < FIRST_BOMB or (tried.level, tried.strength) > (top.level, top.strength)
        return same(tried, top) and tried.strength > top.strength

    def goes_on(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second."""
        return self.beats(tried, top)

    # What a hand can play

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield what the hand can play on this, or lead: weakest first among as many cards, one for the same ranks."""
        found = self._all(by_rank(hand))
        return found if top is None else (combo for combo in found if self.beats(combo, top))

    def _all(self, held: Held) -> Iterator[Combo]:
        return chain(*(self._sets(held, size) for size in (1, 2)), *map(self._runs_of, RUNS, (held, held)),
                     *(self._sets(held, size) for size in (3, 4)))  # fmt: skip

    def _sets(self, held: Held, size: int) -> Iterator[Combo]:
        fit = (held[rank][:size] for rank in ORDER if len(held.get(rank, ())) >= size)
        return (self._made(self._set(group), group) for group in fit)

    def _runs_of(self, kind: str, held: Held) -> Iterator[Combo]:
        """Yield sequences or double sequences, short ones before long ones."""
        copies, least = RUNS[kind]
        for length in range(least, len(CHAINS[-1]) + 1):
            for ranks in _stretches(length):
                if all(len(held.get(rank, ())) >= copies for rank in ranks):
                    yield self._made(kind, tuple(each for rank in ranks for each in held[rank][:copies]))

    # What everybody can see

    def _fewest_over(self, top: Combo) -> int | None:
        """Answer ``fewest_over``: how many cards it takes at least to beat this, None where nothing does (O16.1)."""
        sizes = (len(each.cards) for each in self.over(self.deck.cards, None) if self.beats(each, top))
        return min(sizes, default=None)


def same(tried: Combo, top: Combo) -> bool:
    """Tell whether two combinations are of one kind and as many cards."""
    return tried.kind == top.kind and len(tried.cards) == len(top.cards)


def neighbours(ranks: tuple[Rank, ...]) -> bool:
    """Tell whether these ranks, weakest first, follow each other (6.7, 6.8)."""
    return ranks in _stretches(len(ranks))


@lru_cache(maxsize=16)
def _stretches(length: int) -> tuple[tuple[Rank, ...], ...]:
    """Return every stretch of so many neighbouring ranks, lowest first."""
    return tuple(part[at : at + length] for part in CHAINS for at in range(len(part) - length + 1))


@lru_cache(maxsize=16)
def groups(deck: Deck) -> Groups:
    """Return the combinations of a pack; the same object every time."""
    return Groups(deck)
