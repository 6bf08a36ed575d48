"""1. The pack, by the number of players and with or without aces; the names of plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.a_bao.options import Options
from bot.rules.core.cards import Card, Cards, Rank, Suit, card, pack
from bot.rules.core.sentences import CombinationName

ORDER = tuple(map(Rank, "45679TJQKA"))  # 1.3, weakest first
CHAINS = (ORDER[:4], ORDER[4:9])  # 6.7, 6.8: neighbouring ranks, in two parts
BINDING = card("4h")  # 3.1
COMBINATIONS: Mapping[str, CombinationName] = {
    "single": CombinationName(N_("the {rank} of {suit}"), N_("singles")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("pair")),
    "sequence": CombinationName(N_("a sequence up to {rank}"), N_("sequences"), N_("sequence")),
    "double_sequence": CombinationName(N_("a double sequence up to {rank}"), N_("double sequences"), N_("double run")),
    "triplet": CombinationName(N_("three {rank}s"), N_("triplets"), N_("triplet")),
    "four": CombinationName(N_("four {rank}s"), N_("fours of a kind")),
    "top_three": CombinationName(N_("three {rank}s (as four)"), N_("top threes")),
}


class ABaoDeck(NamedTuple):
    """A pack. top_three: the rank with three cards that count as four of a kind, if any (O3.2, O12.2)."""

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
    """Return the card of the highest rank that is left out to make hands equal in size, if any."""
    top = {(3, True): Rank.ACE, (5, False): Rank.KING}.get((options.players, options.aces))
    return card(f"{top}{Suit.SPADES}") if top else None
