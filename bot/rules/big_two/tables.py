"""The tables of the variants: decks, orders of straights, ladders of kinds, and their articles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.core.cards import Cards, Rank, pack, tiles
from bot.rules.core.sentences import CombinationName

Ranks = tuple[Rank, ...]


class BigTwoDeck(NamedTuple):
    """A deck. ranks: low to high (2.2, C44.2). natural: in counting order, the ace or one first (5.5)."""

    cards: Cards
    ranks: Ranks
    natural: Ranks


def _ranks(text: str) -> Ranks:
    return tuple(map(Rank, text.split()))


DECKS: Mapping[str, BigTwoDeck] = {
    "cards52": BigTwoDeck(pack(), _ranks("3 4 5 6 7 8 9 T J Q K A 2"), _ranks("A 2 3 4 5 6 7 8 9 T J Q K")),
    "tiles60": BigTwoDeck(
        tiles(), _ranks("3 4 5 6 7 8 9 10 11 12 13 14 15 1 2"), _ranks("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
    ),
}

# 4.7 and C9: the straights from low to high. m: from 3-4-5-6-7 to 10-J-Q-K-A; a: A-2-3-4-5; t: 2-3-4-5-6; j: J-Q-K-A-2;
# w: Q-K-A-2-3 and K-A-2-3-4; two letters together are one level. Each with its article.
SCHEMES: Mapping[str, tuple[str, str]] = {
    "ace_low": ("a t m", "4.7"),
    "a2345_top": ("t m a", "C9.2"),
    "23456_top_a2345_second": ("m a t", "C9.3"),
    "23456_top_a2345_low": ("a m t", "C9.4"),
    "no_a2345": ("t m", "C9.5"),
    "jqka2_top_23456_low": ("t m j", "C9.6"),
    "jqka2_top_23456_second": ("m t j", "C9.7"),
    "jqka2_top_no_low": ("m j", "C9.8"),
    "indonesia_suit_of_two": ("m ta", "C9.9"),
    "hong_kong": ("m t a", "C9.10"),
    "wrap": ("w a t m j", "C9.20"),
}

# 4.5 and C11: the kinds of five cards, weakest first, with the article of the order.
LADDERS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "standard": (("straight", "flush", "full_house", "quads", "straight_flush"), "4.16"),
    "royal_separate": (("straight", "flush", "full_house", "quads", "straight_flush", "royal_flush"), "C11.2"),
    "royal_only_beats_quads": (("straight", "flush", "full_house", "straight_flush", "quads", "royal_flush"), "C11.3"),
}
SEVEN = {"straight_flush": "sf_plus_two", "royal_flush": "royal_plus_two"}  # C17.1
HONOURS = {"quads", "straight_flush", "royal_flush", *SEVEN.values()}  # C15
APART = {"straight", "full_house"}  # C19.1

COMBINATIONS: Mapping[str, CombinationName] = {
    "single": CombinationName(N_("the {rank} of {suit}"), N_("singles")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("pair")),
    "triple": CombinationName(N_("three {rank}s"), N_("triples"), N_("triple")),
    "quads_bare": CombinationName(N_("four {rank}s"), N_("fours of a kind")),
    "straight": CombinationName(N_("a straight up to {rank}"), N_("straights"), N_("straight")),
    "flush": CombinationName(N_("a flush of {suit}"), N_("flushes"), N_("flush")),
    "full_house": CombinationName(N_("a full house of {rank}s"), N_("full houses"), N_("full house")),
    "quads": CombinationName(N_("four {rank}s with a card"), N_("fours with a card"), N_("four + one")),
    "straight_flush": CombinationName(N_("a straight flush up to {rank}"), N_("straight flushes")),
    "royal_flush": CombinationName(N_("a royal flush of {suit}"), N_("royal flushes")),
    "sf_plus_two": CombinationName(
        N_("a straight flush up to {rank} with two cards"), N_("straight flushes with two cards")
    ),
    "royal_plus_two": CombinationName(N_("a royal flush of {suit} with two cards"), N_("royal flushes with two cards")),
}


def straights(deck: BigTwoDeck, scheme: str) -> tuple[tuple[Ranks, ...], ...]:
    """Return the straights of a scheme from low to high, as levels of one or more (4.7, C9, C44.3)."""
    ace, two = deck.natural[:2]
    line = (*deck.natural[2:], ace)
    runs = {
        "a": [deck.natural[:5]],
        "t": [deck.natural[1:6]],
        "m": [line[at : at + 5] for at in range(len(line) - 4)],
        "j": [(*line[-4:], two)],
        "w": [(*deck.natural[-2:], *deck.natural[:3]), (*deck.natural[-1:], *deck.natural[:4])],
    }
    levels: list[tuple[Ranks, ...]] = []
    for letters in SCHEMES[scheme][0].split():
        several = [run for letter in letters for run in runs[letter]]
        levels += [tuple(several)] if len(letters) > 1 else [(run,) for run in several]
    return tuple(levels)
