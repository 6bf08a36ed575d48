"""4. What may be played, and what beats what.

Knows the combinations of Big Two and their order. Refuses to know whose turn it is.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from bot.rules.cards import Card, Cards, Rank, Suit, pack
from bot.rules.combos import by_rank, by_suit, sequences, sets, topped
from bot.rules.game import Combo

RANKS = "3456789TJQKA2"  # 2.2, low to high
SUITS = "dchs"  # 2.3, low to high
STRAIGHTS = ("A2345", "23456", "34567", "45678", "56789", "6789T", "789TJ", "89TJQ", "9TJQK", "TJQKA")  # 4.7, upward
LADDER = ("straight", "flush", "full_house", "quads", "straight_flush")  # 4.5, weakest first

NOTHING: Iterator[Combo] = iter(())

NAMES = {
    "single": "the {rank} of {suit}",
    "pair": "a pair of {rank}s",
    "triple": "three {rank}s",
    "straight": "a straight up to {rank}",
    "flush": "a flush of {suit}",
    "full_house": "a full house of {rank}s",
    "quads": "four {rank}s with a card",
    "straight_flush": "a straight flush up to {rank}",
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of combination: its name, number of cards, place among its size, and how to find some in a hand.

    find(hand, above) yields, weakest first, those of this kind with a strength over ``above``.
    """

    name: str
    size: int
    level: int
    find: Callable[[Cards, int], Iterator[Combo]]


class Groups:
    """Every combination there is under one set of tables, named once and remembered."""

    def __init__(self) -> None:
        self.power = {held: RANKS.index(held.rank) * 4 + SUITS.index(held.suit) for held in pack()}
        self._suit = {suit: SUITS.index(suit) for suit in sorted(Suit, key=SUITS.index)}
        self._run = {frozenset(map(Rank, ranks)): place for place, ranks in enumerate(STRAIGHTS)}
        # What cards are, in any order, or None; never two things (4.19). A pack makes fewer than 20,000 plays (4.18).
        self.classify = lru_cache(maxsize=1 << 15)(self._classify)
        self._singles = {held: Combo("single", held, (held,), 0, self.power[held]) for held in self.power}
        finders = (self._straights, self._flushes, self._full_houses, self._quads, self._straight_flushes)
        self.kinds = (
            Kind("single", 1, 0, self._find_singles),
            Kind("pair", 2, 0, self._find_pairs),
            Kind("triple", 3, 0, self._find_triples),
            *(Kind(name, 5, LADDER.index(name), find) for name, find in zip(LADDER, finders, strict=True)),
        )
        self._from = {
            like.name: [kind for kind in self.kinds if kind.size == like.size and kind.level >= like.level]
            for like in self.kinds
        }

    # 4.2-4.14 What a set of cards is

    def _classify(self, played: Cards) -> Combo | None:
        """Answer ``classify``: what these cards are, in any order, or None."""
        return self._named(self.sort(played)) if len(set(played)) == len(played) else None

    def sort(self, held: Cards) -> Cards:
        """Return the cards weakest first (2.4)."""
        return tuple(sorted(held, key=self.power.__getitem__))

    def _named(self, held: Cards) -> Combo | None:
        match len(held), len({each.rank for each in held}):
            case 1, _:
                return self._singles[held[0]]
            case 2, 1:
                return Combo("pair", held[-1], held, 0, self.power[held[-1]])
            case 3, 1:
                return Combo("triple", held[-1], held, 0, self._rank(held[-1]))
            case 5, 2:
                return self._set_of_five(held)
            case 5, 5:
                return self._run_or_flush(held)
        return None

    def _set_of_five(self, held: Cards) -> Combo:
        """A full house or four of a kind: five cards of two ranks are always one of them (4.11, 4.12)."""
        most, fewest = sorted(by_rank(held).values(), key=len, reverse=True)
        name = "quads" if len(most) == 4 else "full_house"
        return self._five(name, most[-1], most + fewest, self._rank(most[-1]))

    def _run_or_flush(self, held: Cards) -> Combo | None:
        """A straight, a flush, both, or nothing (4.6-4.10, 4.13)."""
        suited = len({each.suit for each in held}) == 1
        place = self._run.get(frozenset(each.rank for each in held))
        if place is None:
            top = held[-1]
            return self._five("flush", top, held, self._suit[top.suit] * 13 + self._rank(top)) if suited else None
        run = tuple(sorted(held, key=lambda each: STRAIGHTS[place].index(each.rank)))
        name = "straight_flush" if suited else "straight"
        return self._five(name, run[-1], run, place * 4 + self._suit[run[-1].suit])

    def _five(self, name: str, head: Card, held: Cards, strength: int) -> Combo:
        return Combo(name, head, held, LADDER.index(name), strength)

    def _rank(self, held: Card) -> int:
        return self.power[held] // 4

    # 4.15-4.19 What beats what

    def beats(self, combo: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second: as many cards, and strictly higher."""
        return len(combo.cards) == len(top.cards) and (combo.level, combo.strength) > (top.level, top.strength)

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield, weakest first, all that a hand, itself weakest first, can put on top; with None all that it holds."""
        if top is None:
            return chain.from_iterable(kind.find(hand, -1) for kind in self.kinds if kind.size <= len(hand))
        if len(top.cards) > len(hand):
            return iter(())
        like, *stronger = self._from[top.kind]
        if not stronger:
            return like.find(hand, top.strength)
        return chain(like.find(hand, top.strength), chain.from_iterable(kind.find(hand, -1) for kind in stronger))

    # Where they are found in a hand; each yields weakest first

    def _find_singles(self, hand: Cards, above: int) -> Iterator[Combo]:
        at = bisect(hand, above, key=self.power.__getitem__)
        return map(self._singles.__getitem__, hand[at:])

    def _find_pairs(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (found := sets(hand, 2)):
            return NOTHING
        return self._of("pair", above, (pair for group in found for pair in topped(group, 2)))

    def _find_triples(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (found := sets(hand, 3)):
            return NOTHING
        return self._of("triple", above, (triple for group in found for triple in topped(group, 3)))

    def _straights(self, hand: Cards, above: int) -> Iterator[Combo]:
        groups = by_rank(hand)
        if len(groups) < 5 or not (found := runs(frozenset(groups), max(above, 0) // 4)):
            return NOTHING
        return self._of("straight", above, (run for ranks in found for run in sequences(groups, ranks)))

    def _flushes(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (found := self._long_suits(hand)):
            return NOTHING
        return self._of("flush", above, (five for suited in found for five in topped(suited, 5)))

    def _full_houses(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (found := [group for group in sets(hand, 3) if self._rank(group[0]) > above]):
            return NOTHING
        pairs = [pair for group in sets(hand, 2) for pair in topped(group, 2)]
        triples = (triple for group in found for triple in topped(group, 3))
        fives = (triple + pair for triple in triples for pair in pairs if pair[0].rank != triple[0].rank)
        return self._of("full_house", above, fives)

    def _quads(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (found := sets(hand, 4)):
            return NOTHING
        return self._of("quads", above, ((*four, odd) for four in found for odd in hand if odd not in four))

    def _straight_flushes(self, hand: Cards, above: int) -> Iterator[Combo]:
        if not (suits := self._long_suits(hand)):
            return NOTHING
        ranked = [by_rank(suited) for suited in suits]
        found = (run for groups in ranked for ranks in runs(frozenset(groups)) for run in sequences(groups, ranks))
        return iter(sorted(self._of("straight_flush", above, found), key=lambda combo: combo.strength))

    def _long_suits(self, hand: Cards) -> list[Cards]:
        """Return the hand's suits of five cards and more, lowest suit first."""
        suits = by_suit(hand)
        return [suits[suit] for suit in self._suit if suit in suits and len(suits[suit]) >= 5]

    def _of(self, name: str, above: int, proposals: Iterable[Cards]) -> Iterator[Combo]:
        """Yield those of the proposals that are of this kind, for a run of one suit is no straight, and high enough."""
        for proposal in proposals:
            combo = self.classify(proposal)
            if combo is not None and combo.kind == name and combo.strength > above:
                yield combo


@cache
def runs(ranks: frozenset[Rank], lowest: int = 0) -> tuple[tuple[Rank, ...], ...]:
    """Return the straights that can be made of these ranks, from place ``lowest`` upward; few questions, so cached."""
    return tuple(tuple(map(Rank, run)) for run in STRAIGHTS[lowest:] if ranks.issuperset(run))


@lru_cache(maxsize=1)
def groups() -> Groups:
    """Return the combinations of the standard game."""
    return Groups()
