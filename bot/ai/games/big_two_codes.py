"""The combinations of Big Two as integers, and those that a hand holds.

A card is a bit, the weakest card the lowest; a hand is the sum of its cards. A code is a combination: its cards, and
above them its rank among all combinations of the same size. A code beats another one of its size if its rank is higher.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

from bot.rules.big_two.groups import Groups
from bot.rules.big_two.tables import HONOURS
from bot.rules.core.cards import Card, Cards
from bot.rules.core.trick import Combo

Plays: TypeAlias = tuple[list[int], ...]  # codes by the number of their cards, weakest first; none for no cards
Several: TypeAlias = tuple[int, list[int], list[int]]  # a rank, and the twos and the threes that are held of it

BITS = 60  # of the cards in a code; its place stands above
CARDS = (1 << BITS) - 1
MAX_COMBO_CARDS = 5  # cards of a combination
SUITS = 4
RANK = 0b1111  # the cards of the lowest rank
SINGLES = tuple(tuple(1 << at for at in range(SUITS) if held >> at & 1) for held in range(RANK + 1))


def _sized(size: int) -> list[list[list[int]]]:
    """Return the parts of so many cards, by the cards that are held of a rank and by the rank."""
    parts = [
        [part for part in range(held + 1) if part & held == part and part.bit_count() == size]
        for held in range(RANK + 1)
    ]
    return [[[part << SUITS * rank for part in of] for rank in range(BITS // SUITS)] for of in parts]


TWOS, THREES = _sized(2), _sized(3)


class BigTwoCodes:
    """All combinations under one choice of the options.

    pack: the cards, weakest first. of: the code of each combination, by its cards. honours: the least code of an honour
    hand.
    """

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self.pack = groups.sort(groups.deck.cards)
        self.ranks = len(self.pack) // SUITS
        self._bits: dict[Card, int] = {held: 1 << at for at, held in enumerate(self.pack)}
        self.of: dict[int, int] = {}
        self._kinds: list[list[str]] = [[]]
        for size in range(1, MAX_COMBO_CARDS + 1):
            self._number([combo for combo in groups.over(self.pack, None) if len(combo.cards) == size])
        fives = self._kinds[MAX_COMBO_CARDS]
        self.honours = next((at for at, kind in enumerate(fives) if kind in HONOURS), len(fives)) << BITS
        self._lines = self._straights()
        self._suits = [sum(1 << (SUITS * rank + suit) for rank in range(self.ranks)) for suit in range(SUITS)]
        self._sets = [[self._of_rank(held << SUITS * rank) for held in range(RANK + 1)] for rank in range(self.ranks)]
        self._runs, self._flush = lru_cache(1 << 13)(self._fitting), lru_cache(1 << 14)(self._flushes)

    def _number(self, combos: list[Combo]) -> None:
        """Give the combinations of one size their places."""
        places = sorted({(combo.level, combo.strength): combo.kind for combo in combos}.items())
        self._kinds.append([kind for _, kind in places])
        place = {key: at << BITS for at, (key, _) in enumerate(places)}
        for combo in combos:
            held = self.mask(combo.cards)
            self.of[held] = place[combo.level, combo.strength] | held

    def _straights(self) -> dict[int, tuple[int, ...]]:
        """Return the straights: the ranks as bits, and the place at which each of them begins."""
        suited, lines = {*HONOURS, "straight"} - {"quads"}, {}
        for held, code in self.of.items():
            if held.bit_count() == MAX_COMBO_CARDS and self.kind(code) in suited:
                ranks = sorted({at // SUITS for at in range(BITS) if held >> at & 1})
                lines[sum(1 << rank for rank in ranks)] = tuple(SUITS * rank for rank in ranks)
        return lines

    def _of_rank(self, held: int) -> tuple[list[int], ...]:
        """Return the sets within cards of one rank, by size."""
        bits = [bit for at in range(BITS) if (bit := 1 << at) & held]
        return tuple(self._known(map(sum, combinations(bits, size))) for size in range(MAX_COMBO_CARDS))

    def _known(self, several: Iterable[int]) -> list[int]:
        """Return the codes of those cards that are a combination."""
        return sorted(self.of[held] for held in several if held in self.of)

    # Cards and bits

    def mask(self, held: Cards) -> int:
        """Return cards as bits."""
        return sum(self._bits[card] for card in held)

    def code_of(self, cards: Cards) -> int:
        """Return the code of a combination."""
        return self.of[self.mask(cards)]

    def cards(self, mask: int) -> Cards:
        """Return the cards of bits or of a code, weakest first."""
        return tuple(card for at, card in enumerate(self.pack) if mask >> at & 1)

    def combo(self, code: int) -> Combo:
        """Return the combination of a code."""
        combo: Combo | None = self._groups.classify(self.cards(code))
        assert combo is not None
        return combo

    def kind(self, code: int) -> str:
        """Return the name of what a code is."""
        return self._kinds[(code & CARDS).bit_count()][code >> BITS]

    def kinds(self, size: int) -> list[str]:
        """Return the names of the kinds of so many cards, by their places."""
        return self._kinds[size]

    # What a hand holds

    def sets(self, held: int) -> list[int]:
        """Return the sets within cards of one rank."""
        rank = (held.bit_length() - 1) // SUITS
        return [code for several in self._sets[rank][held >> SUITS * rank] for code in several]

    def plays(self, hand: int) -> Plays:
        """Return every combination that a hand holds."""
        found: Plays = ([], [], [], [], [])
        several: list[Several] = []
        present, rest, rank = 0, hand, 0
        while rest:
            if held := rest & RANK:
                present |= 1 << rank
                sets = self._sets[rank][held]
                found[1].extend(sets[1])
                if held & (held - 1):
                    several.append((rank, TWOS[held][rank], THREES[held][rank]))
                    for size in (2, 3, 4):
                        found[size].extend(sets[size])
            rest >>= SUITS
            rank += 1
        return (*found, self._fives(hand, present, several))

    def _fives(self, hand: int, present: int, several: list[Several]) -> list[int]:
        of, found = self.of, set[int]()
        for slots in self._runs(present):
            chosen = [0]
            for slot in slots:
                chosen = [some | bit << slot for some in chosen for bit in SINGLES[hand >> slot & RANK]]
            found.update([of[held] for held in chosen])
        for suit in self._suits:
            if (hand & suit).bit_count() >= MAX_COMBO_CARDS:
                found.update(self._flush(hand & suit))
        for rank, _, threes in several:
            for three in threes:
                found.update([of[three | two] for other, twos, _ in several if other != rank for two in twos])
            if len(threes) > 1:
                four = RANK << SUITS * rank
                found.update(self._known(four | 1 << at for at in range(BITS) if hand & ~four & 1 << at))
        return sorted(found)

    def _fitting(self, present: int) -> list[tuple[int, ...]]:
        return [slots for line, slots in self._lines.items() if line & present == line]

    def _flushes(self, suited: int) -> list[int]:
        """Return the combinations of five cards of one suit."""
        bits = [bit for at in range(BITS) if (bit := 1 << at) & suited]
        return self._known(map(sum, combinations(bits, MAX_COMBO_CARDS)))


def without(plays: Plays, cards: int) -> Plays:
    """Return the combinations without any of these cards."""
    _, one, two, three, four, five = plays
    return (
        [],
        [code for code in one if not code & cards],
        two and [code for code in two if not code & cards],
        three and [code for code in three if not code & cards],
        four and [code for code in four if not code & cards],
        five and [code for code in five if not code & cards],
    )


@lru_cache(maxsize=64)
def codes(groups: Groups) -> BigTwoCodes:
    """Return the codes of these combinations, made once."""
    return BigTwoCodes(groups)
