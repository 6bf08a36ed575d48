"""4.15-4.19 and C15, C19. What beats what, under any options, and where it is found in a hand.

Knows the kinds of combinations and their order. Refuses to know whose turn it is.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import merge
from itertools import chain, combinations
from operator import attrgetter
from typing import Any

from bot.rules.big_two.naming import Naming, Run, Shape
from bot.rules.big_two.options import Options
from bot.rules.big_two.tables import APART, HONOURS
from bot.rules.cards import Cards, Rank, without
from bot.rules.combos import by_rank, climbing, sequences, sets, topped
from bot.rules.trick import Combo

NOTHING: Iterator[Combo] = iter(())


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of combination: its name, number of cards, place on the ladder, and how to find some in a hand.

    find(hand, above) yields, weakest first, those of this kind with a strength over ``above``.
    """

    name: str
    size: int
    level: int
    find: Callable[[Cards, int], Iterator[Combo]]

    @property
    def honour(self) -> bool:
        """Whether it is an honour hand (C15)."""
        return self.name in HONOURS


class Groups(Naming):
    """Every combination there is under one choice of the options, named once and remembered."""

    def __init__(self, options: Shape) -> None:
        super().__init__(options)
        self.kinds = tuple(Kind(name, *spec, self._finder(name)) for name, spec in self.specs.items())
        climbing_over = {like: [kind for kind in self.kinds if self._climbs(kind, like)] for like in self.kinds}
        self._over = {
            like.name: (like, [kind for kind in over if kind is not like]) for like, over in climbing_over.items()
        }
        self._on = {like.name: {kind.name for kind in over} for like, over in climbing_over.items()}
        self._least = {like.name: min(kind.size for kind in over) for like, over in climbing_over.items()}
        self._honour_sizes = {kind.name: self._honour_size(kind.name) for kind in self.kinds}

    def __reduce__(self) -> tuple[object, tuple[tuple[Any, ...]]]:
        return _groups, (tuple(self.options),)

    # 4.15, 4.16: what climbs over what

    def _climbs(self, kind: Kind, like: Kind) -> bool:
        """Tell whether a kind, strong enough, may be put on another (4.15, 4.16, C14.2, C15, C19.1)."""
        if kind is like:
            return True
        if kind.size == like.size:
            apart = not self.options.full_house_beats_straight and {kind.name, like.name} == APART
            return kind.level > like.level and not apart
        if not kind.honour or self.options.honours_beat != "any" or like.name == "quads_bare":
            return False
        return not like.honour or kind.level > like.level

    def beats(self, combo: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second: of a kind that climbs over it, and strictly higher."""
        if combo.kind == top.kind:
            return combo.strength > top.strength
        return combo.kind in self._on[top.kind]

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield all that a hand, itself weakest first, can put on top; with None all that it holds.

        Those of one size come weakest first.
        """
        if top is None:
            return chain.from_iterable(kind.find(hand, -1) for kind in self.kinds if kind.size <= len(hand))
        if self._least[top.kind] > len(hand):
            return NOTHING
        like, stronger = self._over[top.kind]
        if not stronger:
            return like.find(hand, top.strength)
        return chain(like.find(hand, top.strength), chain.from_iterable(kind.find(hand, -1) for kind in stronger))

    def goes_on(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second."""
        return self.beats(tried, top)

    def honour(self, combo: Combo) -> bool:
        """Tell whether a combination is an honour hand (C15)."""
        return combo.kind in HONOURS

    def honours_over(self, top: Combo) -> int | None:
        """Return the smallest number of cards of an honour hand that can be put on this at all, or None (C15)."""
        return self._honour_sizes[top.kind]

    def _honour_size(self, name: str) -> int | None:
        return min((kind.size for kind in self.kinds if kind.honour and kind.name in self._on[name]), default=None)

    def largest(self, hand: Cards) -> Combo:
        """Return the largest combination a hand holds: most cards, then strongest (C5.2)."""
        hand = self.sort(hand)
        ordered = sorted(self.kinds, key=lambda kind: (-kind.size, -kind.level))
        found = ([*kind.find(hand, -1)][-1:] for kind in ordered if kind.size <= len(hand))
        return next(several[0] for several in found if several)

    def best_honour(self, hand: Cards) -> Combo | None:
        """Return the highest honour hand there is in a hand (C34.2)."""
        kinds = sorted((kind for kind in self.kinds if kind.honour), key=lambda kind: -kind.level)
        return next((several[-1] for kind in kinds if (several := [*kind.find(hand, -1)])), None)

    # Where they are found in a hand; each yields weakest first

    def _finder(self, name: str) -> Callable[[Cards, int], Iterator[Combo]]:
        finders = {"single": self._find_singles, "straight": self._straights, "flush": self._flushes,
                   "full_house": self._full_houses, "quads": self._quads}  # fmt: skip
        size = {"pair": 2, "triple": 3, "quads_bare": 4}.get(name)
        return finders.get(name) or (self._find_sets(name, size) if size else self._find_suited_runs(name))

    def _find_singles(self, hand: Cards, above: int) -> Iterator[Combo]:
        at = bisect(hand, above, key=self.power.__getitem__)
        return map(self.singles.__getitem__, hand[at:])

    def _find_sets(self, name: str, size: int) -> Callable[[Cards, int], Iterator[Combo]]:
        def find(hand: Cards, above: int) -> Iterator[Combo]:
            if not (found := sets(hand, size)):
                return NOTHING
            return self._of(name, above, (chosen for group in found for chosen in topped(group, size)))

        return find

    def _straights(self, hand: Cards, above: int) -> Iterator[Combo]:
        held = by_rank(hand)
        if len(held) < 5 or not (found := self.runs(frozenset(held))):
            return NOTHING
        lowest = max(above, 0) // 4
        levels = (self._of_level(held, level, above) for level in found if level[0].place >= lowest)
        return chain.from_iterable(levels)

    def _of_level(self, held: Mapping[Rank, Cards], level: tuple[Run, ...], above: int) -> Iterator[Combo]:
        """Yield the straights of one level, by the suit that decides."""
        streams = [self._of("straight", above, sequences(held, run.rising)) for run in level]
        return streams[0] if len(streams) == 1 else merge(*streams, key=_strength)

    def _flushes(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (found := self.long_suits(hand)):
            return NOTHING
        choose = climbing if self.options.flush_rank == "all_ranks" else topped
        streams = [self._of("flush", above, choose(suited, 5)) for suited in found]
        return streams[0] if len(streams) == 1 else merge(*streams, key=_strength)

    def _full_houses(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (found := [group for group in sets(hand, 3) if self.rank(group[0]) > above]):
            return NOTHING
        pairs = [pair for group in sets(hand, 2) for pair in topped(group, 2)]
        triples = (triple for group in found for triple in topped(group, 3))
        fives = (triple + pair for triple in triples for pair in pairs if pair[0].rank != triple[0].rank)
        return self._of("full_house", above, fives)

    def _quads(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (found := sets(hand, 4)):
            return NOTHING
        return self._of("quads", above, ((*four, odd) for four in found for odd in hand if odd not in four))

    def _find_suited_runs(self, name: str) -> Callable[[Cards, int], Iterator[Combo]]:
        """4.13, C11, C17: one suit at a time, with any two more cards where seven are played."""
        extras = 2 * (self.options.sf_form == "plus_two")

        def find(hand: Cards, above: int) -> Iterator[Combo]:
            if not (suits := self.long_suits(hand)):
                return NOTHING
            fives = sorted((five for suited in suits for five in self._suited_runs(suited)), key=self.high)
            sevens = ((five, five + more) for five in fives for more in combinations(without(hand, five), extras))
            return self._of(name, above, (cards for five, cards in sevens if self._leads(five, cards)))

        return find

    def _suited_runs(self, suited: Cards) -> Iterator[Cards]:
        held = by_rank(suited)
        return (five for level in self.runs(frozenset(held)) for run in level for five in sequences(held, run.ranks))

    def _leads(self, five: Cards, played: Cards) -> bool:
        """Tell whether this is the straight flush that counts among these cards, so that none is found twice."""
        combo = self.classify(played)
        return combo is not None and combo.cards[:5] == five

    def _of(self, name: str, above: int, proposals: Iterable[Cards]) -> Iterator[Combo]:
        """Yield those of the proposals that are of this kind, for a run of one suit is no straight, and high enough."""
        for proposal in proposals:
            combo = self.classify(proposal)
            if combo is not None and combo.kind == name and combo.strength > above:
                yield combo


_strength = attrgetter("strength")
_chosen = attrgetter(*Shape._fields)


def groups(options: Options) -> Groups:
    """Return the combinations under these options; made once for all options that allow the same ones."""
    return _groups(_chosen(options))


@lru_cache(maxsize=64)
def _groups(shape: tuple[Any, ...]) -> Groups:
    return Groups(Shape(*shape))
