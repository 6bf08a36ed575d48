"""1 and 6. The pack of Tàihé A Bāo, its combinations, and which combination beats which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.a_bao.options import Options
from bot.rules.core.cards import Card, Cards, Rank, Suit, card, pack
from bot.rules.core.legality import Combinations
from bot.rules.core.patterns import CombinationRow, runs, sets
from bot.rules.core.sentences import CombinationName, Illegal
from bot.rules.core.shapes import CombinationTable
from bot.rules.core.trick import Combo

ORDER = tuple(map(Rank, "45679TJQKA"))  # 1.3, weakest first
CHAINS = (ORDER[:4], ORDER[4:9])  # 6.7, 6.8: neighbouring ranks, in two parts
BINDING = card("4h")  # 3.1
COMBINATIONS: Mapping[str, CombinationName] = {
    "single": CombinationName(N_("the {rank} of {suit}"), N_("singles")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("pair of {rank}s")),
    "sequence": CombinationName(N_("a sequence up to {rank}"), N_("sequences"), N_("{low}–{high} sequence")),
    "double_sequence": CombinationName(
        N_("a double sequence up to {rank}"), N_("double sequences"), N_("{low}–{high} double run")
    ),
    "triplet": CombinationName(N_("three {rank}s"), N_("triplets"), N_("three {rank}s")),
    "four": CombinationName(N_("four {rank}s"), N_("fours of a kind"), N_("four {rank}s")),
    "top_three": CombinationName(N_("three {rank}s (as four)"), N_("top threes"), N_("three {rank}s")),
}


class ABaoDeck(NamedTuple):
    """A pack of cards.

    top_three: the rank with three cards that count as four of a kind, if any (O3.2, O12.2).
    """

    cards: Cards
    top_three: Rank | None

    def copies(self, rank: Rank) -> int:
        """Return the number of cards of a rank."""
        return sum(held.rank is rank for held in self.cards)


def deck(options: Options) -> ABaoDeck:
    """Return the pack under these options (1.2, O2, O3.1)."""
    ranks = ORDER if options.aces else ORDER[:-1]
    missing = _missing(options)
    cards = tuple(held for rank in ranks for held in pack() if held.rank is rank and held is not missing)
    if missing is None or (missing.rank is Rank.KING and not options.three_kings_top):
        return ABaoDeck(cards, None)
    return ABaoDeck(cards, missing.rank)


def _missing(options: Options) -> Card | None:
    """Return the card of the highest rank left out to make hands equal in size, if any."""
    top = {(3, True): Rank.ACE, (5, False): Rank.KING}.get((options.players, options.aces))
    return card(f"{top}{Suit.SPADES}") if top else None


PLACE = {rank: at for at, rank in enumerate(ORDER)}
ORDINARY, DOUBLE, FIRST_BOMB, FOURS = range(4)  # levels
LONGEST = max(map(len, CHAINS))
OF_KIND = {"single": "6.1", "pair": "6.2", "sequence": "6.3", "double_sequence": "6.4"}
EQUAL = N_("{tried} doesn't beat {top}: equal cards don't beat each other.")
HIGHER = N_("{tried} doesn't beat {top}, which ranks higher.")
APART = N_("{tried} doesn't beat {top}: you need the same kind and number of cards, or a bomb.")
NO_BOMB = N_("{tried} doesn't beat {top}: only a higher bomb beats a bomb.")
FOUR = N_("{tried} doesn't beat {top}: four of a kind beats any triplet.")


def rows(deck: ABaoDeck) -> Iterator[CombinationRow]:
    """Yield every kind of combination in a pack, in the order of suggested leads."""
    every = tuple(range(len(ORDER)))
    alike = [slot for slot in every if ORDER[slot] is not deck.top_three]
    yield CombinationRow("single", ORDINARY, sets(every, 1))  # 6.1
    yield CombinationRow("pair", ORDINARY, sets(every, 2))  # 6.2
    for kind, level, copies, least in (("sequence", ORDINARY, 1, 3), ("double_sequence", DOUBLE, 2, 2)):  # 6.3, 6.4
        for length in range(least, LONGEST + 1):
            yield CombinationRow(kind, level, (run for part in CHAINS for run in runs(_slots(part), length, copies)))
    yield CombinationRow("triplet", FIRST_BOMB, sets(alike, 3))  # 6.5
    if deck.top_three:
        yield CombinationRow("top_three", FOURS, sets((PLACE[deck.top_three],), 3))  # O3.2, O12.2
    yield CombinationRow("four", FOURS, sets([slot for slot in alike if deck.copies(ORDER[slot]) > 3], 4))  # 6.6


def _slots(ranks: tuple[Rank, ...]) -> tuple[int, ...]:
    return tuple(PLACE[rank] for rank in ranks)


class Groups(Combinations):
    """Every combination in one pack."""

    def __init__(self, deck: ABaoDeck) -> None:
        self.deck = deck
        power = {held: at for at, held in enumerate(deck.cards)}
        super().__init__(CombinationTable(rows(deck), power, {held: PLACE[held.rank] for held in deck.cards}))
        self.fewest_over = lru_cache(maxsize=None)(self._fewest_over)

    # Which combination beats which

    def above(self, row: CombinationRow, top: Combo) -> int | None:
        """Return the strength that a row must exceed to beat the top (6.11)."""
        if row.level < FIRST_BOMB:
            return top.strength if row.key == (top.kind, len(top.cards)) else None
        if row.level > top.level:
            return -1
        return top.strength if row.level == top.level else None

    def _fewest_over(self, top: Combo) -> int | None:
        """Return the fewest cards that can beat the top, None if no combination can (O16.1)."""
        return min((len(combo.cards) for combo in self.over(self.deck.cards, top)), default=None)

    # Refusals

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article about playing one combination on another."""
        if "top_three" in (tried.kind, top.kind):
            return "O3.2" if self.deck.top_three is Rank.ACE else "O12.2"
        if tried.level >= FIRST_BOMB or top.level >= FIRST_BOMB:
            return "6.6" if FOURS in (tried.level, top.level) else "6.5"
        return OF_KIND[tried.kind] if same(tried, top) else "6.11"

    def not_held(self, missing: Cards) -> Illegal:
        """Return the refusal of cards missing from the hand."""
        return Illegal("7.2", "You don't have {cards}.", cards=missing)

    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        """Return the refusal of a combination that does not beat the top."""
        return Illegal(self.article(tried, top), _why(tried, top), tried=tried, top=top)

    def no_combination(self, tried: Cards) -> Illegal:
        """Return the refusal of cards, weakest first, that make no combination."""
        counts = Counter(held.rank for held in tried)
        if not tried:
            return Illegal("7.2", "Pick the cards you want to play.")
        if len(tried) == 2:
            return Illegal("6.2", "{cards} isn't a pair. A pair is two cards of the same rank.", cards=tried)
        copies = set(counts.values())
        if copies not in ({1}, {2}):
            return Illegal("6.10", "{cards} can't be played together.", cards=tried)
        if Rank.ACE in counts:
            return Illegal("6.8", "{cards} can't be played together: no aces in sequences.", cards=tried)
        if {Rank.SEVEN, Rank.NINE} <= counts.keys():
            return Illegal(
                "6.7", "{cards} can't be played together: a seven and a nine don't follow each other.", cards=tried
            )
        number = OF_KIND["sequence" if copies == {1} else "double_sequence"]
        return Illegal(number, "{cards} can't be played together: the ranks don't follow each other.", cards=tried)


def _why(tried: Combo, top: Combo) -> str:
    if top.level >= FIRST_BOMB > tried.level:
        return NO_BOMB
    if top.level == FOURS > tried.level >= FIRST_BOMB:
        return FOUR
    if tried.level < FIRST_BOMB and not same(tried, top):
        return APART
    return EQUAL if tried.strength == top.strength else HIGHER


def same(tried: Combo, top: Combo) -> bool:
    """Tell whether two combinations have the same kind and number of cards."""
    return tried.kind == top.kind and len(tried.cards) == len(top.cards)


@lru_cache(maxsize=16)
def groups(deck: ABaoDeck) -> Groups:
    """Return the combinations of a pack; cached."""
    return Groups(deck)
