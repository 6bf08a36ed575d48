"""Combination tables: classify cards, and find combinations in a hand, for every game.

A table classifies a set of cards and yields the combinations of a row in a hand, lazily and weakest first. It counts
cards by slot; classifying enumerates nothing. Independent of which combination beats which, and the words of refusals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from heapq import merge
from itertools import chain, combinations, groupby, product
from math import comb
from operator import attrgetter
from typing import NamedTuple, TypeVar

from bot.rules.core.cards import Card, Cards, Suit, without
from bot.rules.core.patterns import GUARD, WIDTH, CombinationRow, Pattern, Suits, weight_of
from bot.rules.core.trick import Combo

T = TypeVar("T")

NO_COMBOS: Iterator[Combo] = iter(())
MAX_CACHED_COMBOS = 1 << 15  # combinations cached for a row: enough for one pack, except for long runs of any suits


class SlottedHand(NamedTuple):
    """A hand by slot: the cards of each slot, weakest first, and their numbers.

    The number of cards in each slot is packed into one integer.
    """

    slots: Mapping[int, Cards]
    weight: int


class CombinationTable:
    """Every combination of a game under one choice of its options.

    power: the position of each card in the sorted order of hands. slot: the slot of each card, rising with its power.
    suits: the suits, lowest first, if suits matter. alike: whether the cards of one slot are interchangeable, so one
    choice represents all. single: whether every card exists only once.
    """

    def __init__(
        self,
        rows: Iterable[CombinationRow],
        power: Mapping[Card, int],
        slot: Mapping[Card, int],
        *,
        suits: Sequence[Suit] = (),
        alike: bool = True,
        single: bool = True,
    ) -> None:
        self.rows, self.power, self.slot = tuple(rows), power, slot
        self.suits = {suit: at for at, suit in enumerate(suits)}
        self.alike, self.single = alike, single
        self._weights = {held: 1 << (WIDTH * at) for held, at in slot.items()}
        self._suit_weights = {held: 1 << (WIDTH * self.suits.get(held.suit, 0)) for held in slot}
        highest = max(*slot.values(), *(row.highest for row in self.rows))  # a slot may belong to no card here
        self._ones = weight_of(range(highest + 1))
        self._guards = self._ones * GUARD
        self._enough = [self._ones * (GUARD - copies) for copies in range(max(row.copies for row in self.rows) + 1)]
        self._longest = max(row.size for row in self.rows)
        self._sized = {size: [row for row in self.rows if row.size == size] for size in range(self._longest + 1)}
        self._alone = {row.kind: self._singles(row) for row in self.rows if row.size == 1}
        self._strengths = {held: combo.strength for known in self._alone.values() for held, combo in known.items()}
        # Not the cache of ``classify``, which accepts any order: these keys are in display order.
        self._found: dict[tuple[str, int], dict[Cards, Combo | None]] = {row.key: {} for row in self.rows}
        self.held = lru_cache(maxsize=1 << 8)(self._held)
        self.suited = lru_cache(maxsize=1 << 8)(self._suited)
        self.classify = lru_cache(maxsize=1 << 14)(self._classify)

    def most(self, row: CombinationRow) -> int:
        """Return an upper bound of the strengths in a row."""
        return row.places[-1] + self._spread(row)

    def sample(self, row: CombinationRow) -> Combo:
        """Return a representative of the strongest combination of a row, with arbitrary cards."""
        some = next(iter(self.power))
        return Combo(row.kind, some, (some,) * row.size, row.level, self.most(row))

    def sort(self, held: Iterable[Card]) -> Cards:
        """Return the cards weakest first."""
        return tuple(sorted(held, key=self.power.__getitem__))

    def _singles(self, row: CombinationRow) -> dict[Card, Combo]:
        places = {pattern.slots[0]: pattern for pattern in row.patterns}
        alone = {held: places[slot] for held, slot in self.slot.items() if slot in places}
        return {held: self._made(row, pattern, (held,)) for held, pattern in alone.items()}

    def _made(self, row: CombinationRow, found: Pattern, cards: Cards) -> Combo:
        strength = found.place + row.step * self.suits[cards[found.decider].suit] if row.step else found.place
        return Combo(row.kind, cards[found.head], cards, row.level, strength)

    def _held(self, hand: Cards) -> SlottedHand:
        slots = {at: tuple(group) for at, group in groupby(hand, self.slot.__getitem__)}
        return SlottedHand(slots, sum(map(self._weights.__getitem__, hand)))

    def _suited(self, hand: Cards, size: int) -> tuple[tuple[int, Cards], ...]:
        """Return the cards of each suit with at least ``size`` cards in the hand, by suit rank."""
        counts = sum(map(self._suit_weights.__getitem__, hand))
        long = ((at, suit) for suit, at in self.suits.items() if counts >> (WIDTH * at) & (GUARD - 1) >= size)
        return tuple([(at, tuple([held for held in hand if held.suit is suit])) for at, suit in long])

    # Classification

    def _classify(self, played: Cards) -> Combo | None:
        if len(played) > self._longest or (self.single and len(set(played)) < len(played)):
            return None
        try:
            weight = sum(map(self._weights.__getitem__, played))
        except KeyError:  # a card of another game
            return None
        for row in self._sized[len(played)]:
            found = row.whole.get(weight)
            if found and (row.suits is Suits.ANY or (row.suits is Suits.SAME) == _of_one_suit(played)):
                return self._made(row, found, self._lying(found, self.sort(played)))
        return self._loosely(self.sort(played))

    def _lying(self, found: Pattern, played: Cards) -> Cards:
        """Return sorted cards in the display order of a pattern."""
        if found.rising:
            return played
        slots = self._held(played).slots
        return tuple([slots[slot][at] for slot, at in found.picks])

    def _loosely(self, played: Cards) -> Combo | None:
        """Return the strongest combination with loose cards that these cards, weakest first, make."""
        for row in reversed(self._sized[len(played)]):
            if row.kickers and (mains := list(self._of_a_suit(row, played, -1))):
                best = max(mains, key=_strength)
                return best._replace(cards=best.cards + without(played, best.cards))
        return None

    # Search in a hand; every iterator yields weakest first

    def find(self, row: CombinationRow, hand: Cards, above: int = -1) -> Iterator[Combo]:
        """Yield the combinations of a row in a hand that are stronger than ``above``.

        hand: weakest first.
        """
        if row.size > len(hand):
            return NO_COMBOS
        if row.size == 1:
            return self._lone(row, hand, above)
        if row.suits is Suits.SAME:
            mains = self._of_a_suit(row, hand, above)
        else:
            mains = self._fitting(row, self.held(hand), above)
        if mains is NO_COMBOS:
            return mains
        if row.attached_sets:
            return self._with_sets(row, mains, self.held(hand))
        return self._with_loose(row, mains, hand) if row.kickers else mains

    def _lone(self, row: CombinationRow, hand: Cards, above: int) -> Iterator[Combo]:
        known = self._alone[row.kind]
        if not self.alike:  # every card counts, each stronger than the card before
            return map(known.__getitem__, hand[bisect_right(hand, above, key=self._strengths.__getitem__) :])
        found = []
        for held in hand:
            combo = known.get(held)
            if combo and combo.strength > above:
                above = combo.strength
                found.append(combo)
        return iter(found)

    def _of_a_suit(self, row: CombinationRow, hand: Cards, above: int) -> Iterator[Combo]:
        streams: list[Iterable[Combo]] = []
        for higher, cards in self.suited(hand, row.main):
            if comb(len(cards), row.main) < len(row.patterns):
                named = (self._named(row, chosen) for chosen in combinations(cards, row.main))
                streams.append(sorted((combo for combo in named if combo and combo.strength > above), key=_strength))
            else:
                held, plus = self.held(cards), row.step * higher
                streams.append(self._one_each(row, self._patterns(row, held, above - plus), held, plus))
        return iter(streams[0]) if len(streams) == 1 else merge(*streams, key=_strength) if streams else NO_COMBOS

    def _named(self, row: CombinationRow, cards: Cards) -> Combo | None:
        """Return the combination of a row that cards of one suit, weakest first, make; cached."""
        known = self._found[row.key]
        try:
            return known[cards]
        except KeyError:
            at = row.at.get(sum(map(self._weights.__getitem__, cards)))
            found = None if at is None else row.patterns[at]
            combo = self._made(row, found, self._lying(found, cards)) if found else None
            _keep(known, cards, combo)
            return combo

    def _with_sets(self, row: CombinationRow, mains: Iterator[Combo], held: SlottedHand) -> Iterator[Combo]:
        """Attach every set of another rank to each combination."""
        slots, size = held.slots, len(row.attached_sets[0].slots)
        fit = [found.slots[0] for found in row.attached_sets if len(slots.get(found.slots[0], ())) >= size]
        sets = [(slot, cards) for slot in fit for cards in topped(slots[slot], size)]
        for kind, head, main, level, strength in mains:
            own = self.slot[head]
            for slot, cards in sets:
                if slot != own:
                    yield _combo((kind, head, main + cards, level, strength))

    def _with_loose(self, row: CombinationRow, mains: Iterator[Combo], hand: Cards) -> Iterator[Combo]:
        """Attach any other cards to each combination, unless the result is a stronger one.

        Each is found once only.
        """
        for main in mains:
            for more in combinations(without(hand, main.cards), row.kickers):
                combo = self.classify(main.cards + more)
                if combo and combo.kind == row.kind and combo.cards[: row.main] == main.cards:
                    yield combo

    def _fitting(self, row: CombinationRow, held: SlottedHand, above: int) -> Iterator[Combo]:
        found = self._patterns(row, held, above)
        if not found:
            return NO_COMBOS
        if self.alike:
            return self._one_each(row, found, held)
        if not row.shared:
            return self._each(row, found, held, above)
        levels = (list(level) for _, level in groupby(found, _place))
        return chain.from_iterable(
            merge(*(self._each(row, (one,), held, above) for one in level), key=_strength)
            if len(level) > 1
            else self._each(row, level, held, above)
            for level in levels
        )

    def _patterns(self, row: CombinationRow, held: SlottedHand, above: int) -> Sequence[Pattern]:
        """Return the patterns of a row in a hand, except those that cannot exceed a strength."""
        if ((held.weight + self._enough[row.copies]) & self._guards).bit_count() < row.ranks:
            return ()
        first = bisect_right(row.places, above if row.suits is Suits.SAME else above - self._spread(row))
        guards, spare = self._guards, held.weight | self._guards
        return [found for found in row.patterns[first:] if (spare - found.weight) & guards == guards]

    def _spread(self, row: CombinationRow) -> int:
        """Return the most strength that suits can add to a pattern."""
        return row.step * (len(self.suits) - 1) if row.step else 0

    @staticmethod
    def _one_each(
        row: CombinationRow, patterns: Iterable[Pattern], held: SlottedHand, plus: int = 0
    ) -> Iterator[Combo]:
        """Yield each pattern in one choice of cards.

        plus: the extra strength of the suit in one-suited rows.
        """
        kind, level, slots = row.kind, row.level, held.slots
        for found in patterns:
            cards = tuple([slots[slot][at] for slot, at in found.picks])
            yield _combo((kind, cards[found.head], cards, level, found.place + plus))

    def _each(self, row: CombinationRow, patterns: Iterable[Pattern], held: SlottedHand, above: int) -> Iterator[Combo]:
        """Yield each pattern in every choice of cards, weakest deciding suit first."""
        known, mixed = self._found[row.key], row.suits is Suits.MIXED
        for found in patterns:
            for cards in self._chosen(found, held):
                combo = known.get(cards)
                if combo is None:
                    if mixed and _of_one_suit(cards):
                        continue
                    combo = self._made(row, found, cards)
                    _keep(known, cards, combo)
                if combo.strength > above:
                    yield combo

    def _chosen(self, found: Pattern, held: SlottedHand) -> Iterator[Cards]:
        """Yield every choice of cards for a pattern, the deciding card varying slowest."""
        if len(found.parts) == 1:
            [(slot, size)] = found.parts
            return topped(held.slots[slot], size)
        if len(found.parts) < len(found.slots):
            return map(
                _flat, _turned([[*topped(held.slots[slot], size)] for slot, size in found.parts], found.deciding)
            )
        return _turned([held.slots[slot] for slot, _ in found.parts], found.deciding)


def _keep(known: dict[Cards, Combo | None], cards: Cards, combo: Combo | None) -> None:
    if len(known) >= MAX_CACHED_COMBOS:
        known.clear()
    known[cards] = combo


def topped(group: Cards, size: int) -> Iterator[Cards]:
    """Yield every choice of ``size`` cards, the last card of the choice varying slowest."""
    return ((*rest, group[top]) for top in range(size - 1, len(group)) for rest in combinations(group[:top], size - 1))


def _turned(choices: Sequence[Sequence[T]], slowest: int) -> Iterator[tuple[T, ...]]:
    """Yield every selection of one element from each sequence.

    slowest: which sequence varies slowest.
    """
    others = (*choices[:slowest], *choices[slowest + 1 :])
    if slowest == len(others):
        return ((*rest, one) for one in choices[slowest] for rest in product(*others))
    return ((*rest[:slowest], one, *rest[slowest:]) for one in choices[slowest] for rest in product(*others))


def _flat(parts: Iterable[Cards]) -> Cards:
    return tuple(chain.from_iterable(parts))


def _of_one_suit(cards: Cards) -> bool:
    suit = cards[0].suit
    return all(held.suit is suit for held in cards)


_combo = partial(tuple.__new__, Combo)  # Combo(...) in half the time
_strength, _place = attrgetter("strength"), attrgetter("place")
