"""3-5. Which combination beats or captures which in Big A, and the words of refusals.

Each play represents every play of the same ranks; Big Aces are distinct. Depends on the options and on the Big suit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from bot.domain.message_ids import N_
from bot.rules.big_a.tables import (
    ALL,
    BIG,
    COPIES,
    FIRST_BOMB,
    JOKERS,
    KINDS_OF_SET,
    PLACE,
    SHORTEST,
    SINGLES,
    BigAPatternOptions,
    rows,
)
from bot.rules.core.cards import Card, Cards, Rank, Suit, double_pack
from bot.rules.core.legality import Combinations
from bot.rules.core.patterns import CombinationRow
from bot.rules.core.sentences import Illegal
from bot.rules.core.shapes import CombinationTable
from bot.rules.core.trick import Combo

SUITS = "dchs"
ONLY_OVER_JOKERS, ONLY_OVER_BIG = "four", "five"  # 4.3, 4.4: the weakest bombs over a joker and over a Big Ace
ORDER = {"single": "1.6", "pair": "1.7", "sequence": "3.9", "double_sequence": "3.10"}
RANK = {"two_jokers": "4.8", "triplet_sequence": "4.9", "fake_eight": "4.10"} | dict.fromkeys(KINDS_OF_SET, "4.6")
EQUAL = N_("{tried} doesn't beat {top}: equal cards don't beat each other.")
HIGHER = {
    "1.6": N_("{tried} doesn't beat {top}, which ranks higher."),
    "1.7": N_("{tried} doesn't beat {top}, which ranks higher."),
    "3.9": N_("{tried} doesn't beat {top}: the higher sequence wins."),
    "3.10": N_("{tried} doesn't beat {top}: the higher sequence wins."),
}
NO_TRIPLET = N_("{tried} doesn't beat {top}: a triplet can't beat a joker, a single Big Ace or a double sequence.")
BIG_ACE = N_("{tried} doesn't beat {top}: it takes five of a kind or better to beat a single Big Ace.")
NO_BOMB = N_("{tried} doesn't beat {top}: only a higher bomb beats a bomb, and a set of fours needs one more card.")
HIGHER_BOMB = N_("{tried} doesn't beat {top}, which is the higher bomb.")
JOKER = N_("{cards}: jokers are played alone or with other jokers, never with other cards.")
APART = N_("{tried} doesn't beat {top}: you need the same kind and number of cards, or a bomb.")


class Groups(Combinations):
    """Every combination under one shape."""

    def __init__(self, shape: BigAPatternOptions) -> None:
        self.shape = shape
        power = {held: self._power(held) for held in double_pack()}
        super().__init__(
            CombinationTable(rows(shape), power, {held: at // 4 for held, at in power.items()}, single=False)
        )
        self._level = {row.kind: row.level for row in self.table.rows}

    def is_big(self, held: Card) -> bool:
        """Tell whether a card is a Big Ace (1.5)."""
        return held.rank is Rank.ACE and held.suit is self.shape.big

    def _power(self, held: Card) -> int:
        """Return the position among single cards (1.6); suits separate equal cards."""
        place = BIG if self.is_big(held) else PLACE[held.rank]
        return place * 4 + (SUITS.index(held.suit) if held.suit is not Suit.NONE else 0)

    # Which combination beats which

    def above(self, row: CombinationRow, top: Combo) -> int | None:
        """Return the strength to exceed to beat the top, without capturing it (3.2, 4.1-4.17)."""
        if row.level < FIRST_BOMB:
            fits = row.key == (top.kind, len(top.cards)) or {row.kind, top.kind} <= set(SINGLES)
            return top.strength if fits else None
        if top.level >= FIRST_BOMB:
            return top.strength if row.level == top.level else -1 if row.level > top.level else None
        return -1 if row.level >= self._least_bomb(top) else None

    def _least_bomb(self, top: Combo) -> int:
        """Return the lowest level of bombs that beat an ordinary combination (4.2-4.5)."""
        if top.kind == "big_ace":
            return self._level[ONLY_OVER_BIG]
        if top.kind in ("joker", "double_sequence"):
            return self._level[ONLY_OVER_JOKERS]
        return FIRST_BOMB

    def beats(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first combination beats the second without capturing it."""
        return super().can_follow(tried, top)

    def captures(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first combination is a set of fours that captures the second (5.1, O4)."""
        size = len(tried.cards)
        fours = size > 1 and tried.head.rank is Rank.FOUR and tried.kind in ("pair", *KINDS_OF_SET)
        return fours and top.kind in KINDS_OF_SET and len(top.cards) == size + 1 <= self.shape.capture

    def can_follow(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first combination beats or captures the second."""
        return self.beats(tried, top) or self.captures(tried, top)

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield the plays of a sorted hand on the top (None: its leads), capturing fours first."""
        found = super().over(hand, top)
        return chain(self._capturing(hand, top), found) if top and top.kind in KINDS_OF_SET else found

    def _capturing(self, hand: Cards, top: Combo) -> Iterator[Combo]:
        size = len(top.cards) - 1
        fours = self.classify(self.table.held(hand).slots.get(PLACE[Rank.FOUR], ())[:size])
        if fours and self.captures(fours, top):
            yield fours

    # Refusals

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article about playing one combination on another."""
        if self.captures(tried, top):
            return "5.1"
        if max(tried.level, top.level) < FIRST_BOMB:
            return _of_ordinary(tried, top)
        if tried.level < FIRST_BOMB:
            return "4.16"
        if top.level < FIRST_BOMB:
            return self._of_bomb(tried, top)
        if tried.kind != top.kind:
            return "O3.2" if self.shape.ladder == "homygames" else "O3.1"
        return "4.17" if tried.strength == top.strength else RANK.get(tried.kind, "O3.3")

    def _of_bomb(self, bomb: Combo, top: Combo) -> str:
        """4.2-4.5: the article about a bomb on an ordinary combination."""
        if bomb.kind == "triplet":
            return "4.2" if self.beats(bomb, top) else "4.3"
        return "4.4" if bomb.kind == "four" else "4.5"

    def not_held(self, missing: Cards) -> Illegal:
        """Return the refusal of cards missing from the hand."""
        return Illegal("6.2", "You don't have {cards}.", cards=missing)

    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        """Return the refusal of a combination that does not beat the top."""
        number = self.article(tried, top)
        return Illegal(number, _why(number, tried, top), tried=tried, top=top)

    def no_combination(self, tried: Cards) -> Illegal:
        """Return the refusal of cards, weakest first, that make no combination."""
        counts = Counter(held.rank for held in tried)
        if not tried:
            return Illegal("6.2", "Pick the cards you want to play.")
        if any(rank in JOKERS for rank in counts):
            return Illegal("3.7", JOKER, cards=tried)
        if len(tried) == 2:
            return Illegal("3.3", "{cards} isn't a pair. A pair is two cards of the same rank.", cards=tried)
        sizes = set(counts.values())
        if len(counts) == ALL and counts[Rank.ACE] == 2 * min(sizes) and self.shape.longest == ALL:
            return Illegal("O10.2", "A sequence has at most thirteen ranks here: the ace can't be at both ends.")
        if len(sizes) == 1:
            return _not_neighbours(tried, len(counts), sizes.pop())
        return Illegal("3.11", "{cards} can't be played together.", cards=tried)


def _not_neighbours(tried: Cards, ranks: int, copies: int) -> Illegal:
    """Equal numbers of each rank, but too few ranks, ranks apart, or an unknown kind of bomb."""
    if copies > len(COPIES):
        return Illegal("3.11", "{cards} isn't a bomb in this game.", cards=tried)
    if ranks < SHORTEST:
        return Illegal("3.10", "{cards} is too short: a double sequence needs three pairs or more.", cards=tried)
    article = "3.6" if copies == 1 else "3.10"
    return Illegal(article, "{cards} can't be played together: the ranks don't follow each other.", cards=tried)


def _of_ordinary(tried: Combo, top: Combo) -> str:
    if not same(tried, top):
        return ORDER[tried.kind] if tried.kind == top.kind else "6.2"
    if tried.strength == top.strength:
        return "3.2"
    return ORDER["single" if tried.kind in SINGLES else tried.kind]


def _why(number: str, tried: Combo, top: Combo) -> str:
    if number in ("3.2", "4.17"):
        return EQUAL
    if number == "4.3":
        return NO_TRIPLET
    if number == "4.4" and top.level < FIRST_BOMB <= tried.level:
        return BIG_ACE
    if top.level >= FIRST_BOMB > tried.level:
        return NO_BOMB
    if top.level >= FIRST_BOMB:
        return HIGHER_BOMB
    return HIGHER.get(number, APART) if same(tried, top) else APART


def same(one: Combo, other: Combo) -> bool:
    """Tell whether two ordinary combinations are comparable (3.9, 3.10).

    Comparable combinations have the same class, and sequences equal length.
    """
    if one.kind in SINGLES:
        return other.kind in SINGLES
    return one.kind == other.kind and len(one.cards) == len(other.cards)


@lru_cache(maxsize=128)
def groups(shape: BigAPatternOptions) -> Groups:
    """Return the combinations under a shape; cached."""
    return Groups(shape)
