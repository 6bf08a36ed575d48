"""1, 8. The deck, the size of the hands, and the names of combinations."""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.message_ids import N_
from bot.rules.core.cards import Card, Cards, card, number_pack
from bot.rules.core.sentences import CombinationName

PACK: Cards = number_pack()
NUMBERS: Mapping[Card, int] = {card(f"{number}n"): number for number in range(1, 14)}
JOKER, LITTLE_A, BIG_A = card("JK"), card("LA"), card("BA")
A_CARDS = (LITTLE_A, BIG_A)  # the A cards, in the order of their entry into play
DEALT: Cards = tuple(held for held in PACK if held not in A_CARDS)
# For each number of players: cards dealt to each seat, and undealt cards (1.3).
DEAL: Mapping[int, tuple[int, int]] = {
    3: (13, 69),
    4: (13, 56),
    5: (13, 43),
    6: (13, 30),
    7: (13, 17),
    8: (13, 4),
    9: (12, 0),
}
HIGHEST, LOWEST = 14, 1  # strength of a single joker in a normal round (4.2), and in an A round (4.3)
NOUGHT = 0  # strength of an A card in its round (6.1)
POWER: Mapping[Card, int] = {**NUMBERS, JOKER: 14, LITTLE_A: 15, BIG_A: 16}  # the sorted order of a hand
MOST_JOKERS = 4

SETS = ("single", "pair", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
COMBINATIONS: Mapping[str, CombinationName] = {
    "single": CombinationName(N_("the {rank}"), N_("singles")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("pair")),
    "three": CombinationName(N_("three {rank}s"), N_("threes of a kind")),
    "four": CombinationName(N_("four {rank}s"), N_("fours of a kind")),
    "five": CombinationName(N_("five {rank}s"), N_("fives of a kind")),
    "six": CombinationName(N_("six {rank}s"), N_("sixes of a kind")),
    "seven": CombinationName(N_("seven {rank}s"), N_("sevens of a kind")),
    "eight": CombinationName(N_("eight {rank}s"), N_("eights of a kind")),
    "nine": CombinationName(N_("nine {rank}s"), N_("nines of a kind")),
    "ten": CombinationName(N_("ten {rank}s"), N_("tens of a kind")),
    "eleven": CombinationName(N_("eleven {rank}s"), N_("elevens of a kind")),
    "twelve": CombinationName(N_("twelve {rank}s"), N_("twelves of a kind")),
    "joker": CombinationName(N_("a joker"), N_("single jokers")),
    "jokers": CombinationName(N_("a set of jokers"), N_("sets of jokers")),
    "jokers_as": CombinationName(N_("a set of jokers as {rank}s"), N_("jokers as other cards"), N_("set")),
    "little_a": CombinationName(N_("the little a"), N_("the little a")),
    "big_a": CombinationName(N_("the Big A"), N_("the Big A")),
}
