"""Combinations of a climbing game as places in a list, and a hand's plays as bits.

A hand is an integer of four bits for each slot: the number of cards where suits are alike, else the suits. All is made
once, from the table of combinations of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from bot.rules.core.cards import Card, Cards
from bot.rules.core.legality import Combinations
from bot.rules.core.patterns import CombinationRow, Pattern, Suits
from bot.rules.core.trick import Combo

FIELD: Final = 4  # bits of a slot in a hand
STATE: Final = (1 << FIELD) - 1
SUITS: Final = range(FIELD)

Takes: TypeAlias = tuple[tuple[int, "Need"], ...]  # by slot


class Need(NamedTuple):
    """What a combination takes of a slot, by the state of the slot.

    fits: whether it is held; after: the next state.
    """

    fits: tuple[bool, ...]
    after: tuple[int, ...]


class Code(NamedTuple):
    """A combination. sample: made of any such cards of the pack."""

    sample: Combo
    takes: Takes


@cache
def need_of_count(count: int) -> Need:
    """Return the need of so many cards of a slot of which only the number is told."""
    return _need(lambda held: held - count if held >= count else None)


@cache
def need_of_suits(suits: int) -> Need:
    """Return the need of cards of these suits, given as bits."""
    return _need(lambda held: held & ~suits if held & suits == suits else None)


@cache
def need_of_lowest(count: int, top: int | None = None) -> Need:
    """Return the need of ``count`` cards, the lowest that a slot has.

    top: the suit of the highest of them.
    """

    def after(held: int) -> int | None:
        left = held
        if top is not None:
            left &= ~(1 << top)
            if left == held or (held & (1 << top) - 1).bit_count() < count - 1:
                return None
        for _ in range(count - (top is not None)):
            if not left:
                return None
            left &= left - 1
        return left

    return _need(after)


def _need(after: Callable[[int], int | None]) -> Need:
    found = [after(held) for held in range(STATE + 1)]
    return Need(tuple(left is not None for left in found), tuple(left or 0 for left in found))


class Codes:
    """All combinations of a game, each by its code: its place in the list ``codes``.

    keys: kind, number of cards and strength of each code; samples: a combination for each key. over: for each code, the
    codes that beat it, as bits. sizes: how many cards each has; bombs: whether it beats other numbers of cards.
    singles: the codes of one card, as bits; several: those of several slots, as bits. fits: by slot, and by the state
    of the slot in a hand, the codes still possible. idle: for each code, how many cards a seat needs to be asked to
    beat it; the last entry is for a lead.
    """

    def __init__(self, groups: Combinations) -> None:
        table = groups.table
        self._slot, self._suits, self._alike = table.slot, table.suits, table.alike
        self._pack = table.sort(dict.fromkeys(table.power))
        self.slots = range(max(table.slot.values()) + 1)
        self.codes: list[Code] = []
        self._rows = {row.key: self._of_row(row) for row in table.rows}
        self.sizes = [len(sample.cards) for sample, _ in self.codes]
        self.bombs = [sample.kind in groups.bombs for sample, _ in self.codes]
        self.takes = [takes for _, takes in self.codes]
        self.all = (1 << len(self.codes)) - 1
        self.singles = self.where(lambda sample: len(sample.cards) == 1)
        self.several = sum(1 << at for at, takes in enumerate(self.takes) if len(takes) > 1)
        self.fits = [self._fitting(slot) for slot in self.slots]
        self.keys = [(sample.kind, len(sample.cards), sample.strength) for sample, _ in self.codes]
        self.samples = {key: code.sample for key, code in zip(self.keys, self.codes, strict=True)}
        over = {key: self._over(groups, sample) for key, sample in self.samples.items()}
        self.over = [over[key] for key in self.keys]
        self.idle = [0] * (len(self.codes) + 1)

    def where(self, holds: Callable[[Combo], bool]) -> int:
        """Return the codes whose samples are like that, as bits."""
        return sum(1 << at for at, (sample, _) in enumerate(self.codes) if holds(sample))

    # How they are made

    def _of_row(self, row: CombinationRow) -> list[tuple[int, int]]:
        """Add the combinations of a row; return their strengths and places, weakest first."""
        first = len(self.codes)
        found = ((takes, strength) for one in row.patterns for takes, strength in self._takings(row, one))
        for takes, strength in sorted(found, key=lambda pair: pair[1]):
            if cards := self._sample(takes):
                self.codes.append(Code(Combo(row.kind, cards[-1], cards, row.level, strength), takes))
        return [(self.codes[at].sample.strength, at) for at in range(first, len(self.codes))]

    def _takings(self, row: CombinationRow, found: Pattern) -> Iterator[tuple[Takes, int]]:
        """Yield the cards that a pattern takes, with the strength of each combination."""
        if self._alike:
            yield tuple((slot, need_of_count(count)) for slot, count in found.parts), found.place
        elif row.suits is Suits.SAME and len(found.parts) > 1:
            for suit in SUITS:
                yield tuple((slot, need_of_suits(1 << suit)) for slot, _ in found.parts), found.place + row.step * suit
        elif len(found.parts) == 1:
            [(slot, count)] = found.parts
            for suits in combinations(SUITS, count):
                yield ((slot, need_of_suits(sum(1 << suit for suit in suits))),), found.place + row.step * suits[-1]
        else:
            *others, (slot, count) = found.parts
            plain = tuple((other, need_of_lowest(each)) for other, each in others)
            for top in SUITS[count - 1 :]:
                yield (*plain, (slot, need_of_lowest(count, top))), found.place + row.step * top

    def _sample(self, takes: Takes) -> Cards:
        """Return cards of a combination, as many copies as needed; none for a slot without cards."""
        found = list[Card]()
        for slot, need in takes:
            gone = STATE - need.after[STATE]
            cards = [card for card in self._pack if self._slot[card] == slot]
            if not cards:
                return ()
            if self._alike:
                found += (cards * gone)[:gone]
            else:
                found += [card for card in cards if gone >> self._suits[card.suit] & 1]
        return tuple(found)

    def _fitting(self, slot: int) -> list[int]:
        """Return the combinations still possible, by the state of this slot in a hand."""
        needs = [(1 << at, need) for at, code in enumerate(self.codes) for of, need in code.takes if of == slot]
        return [self.all & ~sum(bit for bit, need in needs if not need.fits[held]) for held in range(STATE + 1)]

    def _over(self, groups: Combinations, top: Combo) -> int:
        """Return what goes on a combination by the table of the game."""
        reached = groups.reach(top).items()
        ways = ((strength, at, least) for key, (_, least) in reached for strength, at in self._rows[key])
        return sum(1 << at for strength, at, least in ways if strength > least)

    # Hands

    def hand(self, cards: Iterable[Card]) -> int:
        """Return cards as a hand."""
        if self._alike:
            return sum(1 << FIELD * self._slot[card] for card in cards)
        return sum(1 << FIELD * self._slot[card] + self._suits[card.suit] for card in cards)

    def held(self, hand: int) -> int:
        """Return the combinations that a hand holds."""
        found = self.all
        for fits in self.fits:
            found &= fits[hand & STATE]
            hand >>= FIELD
        return found

    def code_of(self, cards: int) -> int:
        """Return the place of the highest combination that takes all cards of this hand."""
        return next(code for code in reversed(places(self.held(cards))) if not self.left(cards, code))

    def gained(self, code: int, top: int) -> int:  # in most games nothing is
        """Return the units that are gained at once by playing this on that."""
        return 0

    def of_slot(self, slot: int) -> list[tuple[int, Need]]:
        """Return the combinations of one slot alone, with what they take of it."""
        return [(at, takes[0][1]) for at, takes in enumerate(self.takes) if len(takes) == 1 and takes[0][0] == slot]

    def unpacked(self, hand: int) -> Cards:
        """Return the cards of a hand of which the suits are known, weakest first."""
        return tuple(card for card in self._pack if hand >> FIELD * self._slot[card] + self._suits[card.suit] & 1)

    def left(self, hand: int, code: int) -> int:
        """Return the cards of a hand that remain after a combination is played."""
        for slot, need in self.takes[code]:
            state = hand >> FIELD * slot & STATE
            hand += (need.after[state] - state) << FIELD * slot
        return hand

    def cards(self, takes: Takes, held: Cards) -> Cards:
        """Return the cards that are taken of a hand, weakest first."""
        hand, found = self.hand(held), list[Card]()
        for slot, need in takes:
            state = hand >> FIELD * slot & STATE
            gone = state & ~need.after[state] if not self._alike else state - need.after[state]
            of_slot = [card for card in held if self._slot[card] == slot]
            if self._alike:
                found += of_slot[:gone]
            else:
                found += [card for card in of_slot if gone >> self._suits[card.suit] & 1]
        return tuple(found)


def bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def places(mask: int) -> Sequence[int]:
    """Return the same as a list."""
    return [*bits(mask)]
