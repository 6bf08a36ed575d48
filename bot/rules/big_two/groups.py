"""4.15-4.19, C15, C19. Which combination beats which in Big Two under any options.

Also the words of refusals.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from operator import attrgetter

from bot.domain.message_ids import N_
from bot.rules.big_two.options import Options
from bot.rules.big_two.tables import APART, DECKS, HONOURS, LADDERS, SCHEMES, BigTwoPatternOptions, rows, runs
from bot.rules.core.cards import Cards, Rank, Suit, missing_cards
from bot.rules.core.legality import Combinations
from bot.rules.core.patterns import CombinationRow
from bot.rules.core.sentences import Illegal
from bot.rules.core.shapes import CombinationTable
from bot.rules.core.trick import Combo

FLUSHES = {"suit_first": "4.10", "top_card": "C10.2", "all_ranks": "C10.3"}
SIMPLE = {"single": "4.2", "pair": "4.3", "triple": "4.4", "quads_bare": "C14.2", "full_house": "4.11", "quads": "4.12"}
ROYAL = {"royal_flush", "royal_plus_two"}
ONLY_ONE = N_("There's only one {cards} in the pack.")
HIGHER_SEQUENCE = N_("{tried} doesn't beat {top}: the higher sequence wins.")
SUIT_OF_TWO = N_("{tried} doesn't beat {top}: the suit of the two decides.")
KIND = N_("{tried} doesn't beat {top}, which is a higher kind of play.")
ONE_CARD = N_("{tried} doesn't beat {top}: this trick takes 1 card, not {count}.")
APART_SENTENCE = N_("{tried} and {top} don't beat each other here.")
WHY = {
    "4.2": N_("{tried} doesn't beat {top}: rank decides, then suit."),
    "4.3": N_("{tried} doesn't beat {top}: rank decides, then the pair's higher suit."),
    "4.4": N_("{tried} doesn't beat {top}: rank decides."),
    "4.8": N_("{tried} doesn't beat {top}: in equal sequences, the top card's suit decides."),
    "4.10": N_("{tried} doesn't beat {top}: suit comes first here, then the highest card."),
    "4.11": N_("{tried} doesn't beat {top}: the rank of the three decides."),
    "4.12": N_("{tried} doesn't beat {top}: the rank of the four decides."),
    "4.13": N_("{tried} doesn't beat {top}: the higher sequence wins, then suit."),
    "4.15": N_("{tried} doesn't beat {top}: this trick takes {needed} cards, not {count}."),
    "C9.9": SUIT_OF_TWO,
    "C9.11": SUIT_OF_TWO,
    "C10.2": N_("{tried} doesn't beat {top}: the highest card comes first here, then suit."),
    "C10.3": N_("{tried} doesn't beat {top}: ranks are compared from the top down, then suit."),
    "C14.2": N_("Four of a kind on its own only beats another one: {tried} doesn't beat {top}."),
    "C15.2": N_("{tried} doesn't beat {top}: only a higher honor hand beats an honor hand."),
    "C15.3": N_("{tried} doesn't beat {top}: only an honor hand beats a different number of cards."),
    "C17.2": N_("{tried} doesn't beat {top}: only the straight flush in it counts."),
    "C19.1": APART_SENTENCE,
}
_chosen = attrgetter(*BigTwoPatternOptions._fields)


class Groups(Combinations):
    """Every combination under one choice of the options."""

    def __init__(self, options: BigTwoPatternOptions) -> None:
        self.options, self.deck = options, DECKS[options.deck]
        slots = {held: self.deck.ranks.index(held.rank) for held in self.deck.cards}
        power = {held: slot * 4 + options.suit_order.index(held.suit) for held, slot in slots.items()}
        suits = tuple(map(Suit, options.suit_order))
        super().__init__(CombinationTable(rows(options), power, slots, suits=suits, alike=False))
        self._runs = {frozenset(run.ranks): run for run in runs(options)}

    # 4.15, 4.16: which combination beats which

    def above(self, row: CombinationRow, top: Combo) -> int | None:
        """Return the strength that a row must exceed to beat the top.

        -1 if every combination of the row beats the top, None if none does.
        """
        if row.kind == top.kind:
            return top.strength
        return -1 if self._climbs(row, top) else None

    def _climbs(self, row: CombinationRow, top: Combo) -> bool:
        """Tell whether a kind beats another kind (4.15, 4.16, C14.2, C15, C19.1)."""
        if row.size == len(top.cards):
            apart = not self.options.full_house_beats_straight and {row.kind, top.kind} == APART
            return row.level > top.level and not apart
        if row.kind not in HONOURS or self.options.honours_beat != "any" or top.kind == "quads_bare":
            return False
        return top.kind not in HONOURS or row.level > top.level

    def honours_over(self, top: Combo) -> int | None:
        """Return the fewest cards of an honour hand that beats the top, or None (C15)."""
        return min((size for kind, size in self.reach(top) if kind in HONOURS), default=None)

    def largest(self, hand: Cards) -> Combo:
        """Return the largest combination in a hand: most cards, then strongest (C5.2)."""
        hand = self.sort(hand)
        ordered = sorted(self.table.rows, key=lambda row: (-row.size, -row.level))
        return next(several[-1] for row in ordered if (several := [*self.table.find(row, hand)]))

    def best_honour(self, hand: Cards) -> Combo | None:
        """Return the highest honour hand in a hand, or None (C34.2)."""
        ordered = sorted((row for row in self.table.rows if row.kind in HONOURS), key=lambda row: -row.level)
        return next((several[-1] for row in ordered if (several := [*self.table.find(row, hand)])), None)

    # The deciding article

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article that decides between two combinations."""
        o = self.options
        if tried.kind == top.kind:
            return self._of_a_kind(tried, top)
        if not o.full_house_beats_straight and {tried.kind, top.kind} == APART:
            return "C19.1"
        if "quads_bare" in (tried.kind, top.kind):
            return "C14.2"
        if len(tried.cards) == len(top.cards):
            return self._of_kinds(tried, top)
        if o.honours_beat != "any":
            return "4.15"
        return "C15.2" if top.kind in HONOURS else "C15.1" if tried.kind in HONOURS else "C15.3"

    def _of_kinds(self, tried: Combo, top: Combo) -> str:
        """4.16, C11: a royal flush, and kinds reordered by it, have another article."""
        order, kinds = self.options.five_order, {tried.kind, top.kind}
        apart = kinds & ROYAL or (order == "royal_only_beats_quads" and kinds <= HONOURS)
        return LADDERS[order][1] if apart else "4.16"

    def _of_a_kind(self, tried: Combo, top: Combo) -> str:
        match tried.kind:
            case "flush":
                return FLUSHES[self.options.flush_rank]
            case "royal_flush":
                return LADDERS[self.options.five_order][1]
            case "sf_plus_two" | "royal_plus_two":
                return "C17.2"
            case "straight" | "straight_flush":
                return self._of_sequences(tried, top)
        return SIMPLE[tried.kind]

    def _of_sequences(self, tried: Combo, top: Combo) -> str:
        """4.7-4.8 and C9: by level, or by the suit of the deciding card."""
        scheme = SCHEMES[self.options.straight_scheme][1]
        if tried.strength // 4 != top.strength // 4:
            return scheme if tried.kind == "straight" or scheme != "4.7" else "4.13"
        run = self._runs[frozenset(held.rank for held in tried.cards)]
        if run.decider != len(run.ranks) - 1:
            return "C9.9" if scheme == "C9.9" else "C9.11"
        return "4.8" if tried.kind == "straight" else "4.13"

    # Refusals

    def lacking(self, hand: Cards, played: Cards) -> Illegal | None:
        """Return the refusal of cards missing from the hand, or given twice; None if legal."""
        missing = missing_cards(hand, played)
        if missing and set(missing) <= set(hand):
            return Illegal("2.4", ONLY_ONE, cards=missing)
        return super().lacking(hand, played)

    def not_held(self, missing: Cards) -> Illegal:
        """Return the refusal of cards missing from the hand."""
        return Illegal("6.3", "You don't have {cards}.", cards=missing)

    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        """Return the refusal of a combination that does not beat the top."""
        number = self.article(tried, top)
        sentence = WHY.get(number, HIGHER_SEQUENCE if tried.kind == top.kind else KIND)
        if number == "C9.9" and tried.strength // 4 != top.strength // 4:
            sentence = HIGHER_SEQUENCE
        if number == "4.15" and len(top.cards) == 1:
            sentence = ONE_CARD
        return Illegal(number, sentence, tried=tried, top=top, needed=len(top.cards), count=len(tried.cards))

    def no_combination(self, tried: Cards) -> Illegal:  # noqa: PLR0911  # a table of cases
        """Return the refusal of cards, weakest first, that make no combination."""
        o, sizes = self.options, sorted(Counter(held.rank for held in tried).values(), reverse=True)
        if not tried:
            return Illegal("6.3", "Pick the cards you want to play.")
        if len(set(tried)) < len(tried):
            twice = tuple(sorted({held for held in tried if tried.count(held) > 1}, key=str))
            return Illegal("2.4", ONLY_ONE, cards=twice)
        match len(tried):
            case 2:
                return Illegal("4.3", "{cards} isn't a pair. A pair is two cards of the same rank.", cards=tried)
            case 3 if sizes == [3]:
                return Illegal("C12.1", "Three of a kind isn't played on its own here.")
            case 3:
                article = "4.4" if o.triples else "4.17"
                return Illegal(
                    article, "{cards} isn't a triple. A triple is three cards of the same rank.", cards=tried
                )
            case 4 if sizes == [4]:
                return Illegal("4.12", "Four of a kind needs a fifth card.")
            case 4 if o.quads_form != "kicker":
                return Illegal("C14.1", "{cards} isn't four of a kind.", cards=tried)
            case 5:
                return self._no_five(tried, sizes)
            case 7 if o.sf_form == "plus_two":
                sentence = N_("There's no straight flush in {cards}: seven cards must be one plus any two.")
                return Illegal("C17.1", sentence, cards=tried)
        return Illegal("4.1", "You can't play {count} cards at once here.", count=len(tried))

    def _no_five(self, tried: Cards, sizes: list[int]) -> Illegal:  # noqa: PLR0911  # a table of cases
        if sizes[0] == 4:
            return Illegal("C14.3", "Four of a kind is played without a fifth card here.")
        if sizes[0] == 3:
            return Illegal("4.17", "Three of a kind needs a pair with it, not two odd cards.")
        if sizes[0] == 2:
            return Illegal("4.17", "{cards} can't be played: pairs are played two cards at a time.", cards=tried)
        ranks = frozenset(held.rank for held in tried)
        if ranks in self._runs:
            return Illegal("C17.8", "A straight flush is played with two more cards here.")
        if len({held.suit for held in tried}) == 1:
            return Illegal("C13.1", "There are no flushes here.")
        if self._wraps(ranks):
            return Illegal("4.9", "{cards} isn't a straight here.", cards=tried)
        sentence = N_("{cards} isn't a straight, a flush or any other five-card play.")
        return Illegal("4.5", sentence, cards=tried)

    def _wraps(self, ranks: frozenset[Rank]) -> bool:
        """Tell whether five ranks are neighbours in the natural order bent into a circle."""
        circle = self.deck.natural * 2
        return any(frozenset(circle[at : at + 5]) == ranks for at in range(len(self.deck.natural)))


def groups(options: Options) -> Groups:
    """Return the combinations under these options.

    Cached and shared by options with the same combinations.
    """
    return _groups(BigTwoPatternOptions(*_chosen(options)))


@lru_cache(maxsize=64)
def _groups(shape: BigTwoPatternOptions) -> Groups:
    return Groups(shape)
