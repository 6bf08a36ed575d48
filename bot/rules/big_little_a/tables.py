"""1, 8. The deck, the size of the hands, and the names of combinations."""

from __future__ import annotations

from collections.abc import Mapping

from bot.rules.core.cards import Card, Cards, card, number_pack

PACK: Cards = number_pack()
NUMBERS: Mapping[Card, int] = {card(f"{number}n"): number for number in range(1, 14)}
JOKER, LITTLE_A, BIG_A = card("JK"), card("LA"), card("BA")
MEAN = (LITTLE_A, BIG_A)  # the A cards, in the order of their entry into play
DEALT: Cards = tuple(held for held in PACK if held not in MEAN)
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
NAMES = {
    "single": "the {rank}",
    "pair": "a pair of {rank}s",
    "three": "three {rank}s",
    "four": "four {rank}s",
    "five": "five {rank}s",
    "six": "six {rank}s",
    "seven": "seven {rank}s",
    "eight": "eight {rank}s",
    "nine": "nine {rank}s",
    "ten": "ten {rank}s",
    "eleven": "eleven {rank}s",
    "twelve": "twelve {rank}s",
    "joker": "a joker",
    "jokers": "a set of jokers",
    "jokers_as": "a set of jokers as {rank}s",
    "little_a": "the little a",
    "big_a": "the Big A",
}
