"""1.6-1.8, O3 and section 8. The orders of the cards, the ladder of bombs, the points, and the names of plays."""

from __future__ import annotations

from collections.abc import Mapping

from bot.rules.core.cards import Rank

SETS = tuple(map(Rank, "456789TJQKA23"))  # 1.7, weakest first; single cards have the same order below the jokers
RUN = tuple(map(Rank, "A23456789TJQKA"))  # 1.8
JOKERS = (Rank.BLACK_JOKER, Rank.RED_JOKER)
BIG = len(SETS) + len(JOKERS)  # the position of a Big Ace among single cards (1.6)

SINGLES = ("single", "joker", "big_ace")
KINDS_OF_SET = ("triplet", "four", "five", "six", "seven", "eight")  # from three equal cards on
# Kinds of neighbouring sets: the number of cards of each rank, and the number of ranks.
CHAINS: Mapping[str, tuple[int, int]] = {
    "triplet_sequence": (3, 3),
    "quad_triplet_sequence": (3, 4),
    "quint_triplet_sequence": (3, 5),
    "fake_eight": (4, 2),
    "false_ten": (5, 2),
    "false_twelve": (6, 2),
    "false_fourteen": (7, 2),
}
JOKER_BOMBS: Mapping[int, str] = {2: "two_jokers", 3: "three_jokers", 4: "four_jokers"}
# O3: the bombs, weakest first.
LADDERS: Mapping[str, tuple[str, ...]] = {
    "basic": (
        "triplet",
        "four",
        "five",
        "six",
        "two_jokers",
        "triplet_sequence",
        "fake_eight",
        "seven",
        "eight",
        "three_jokers",
        "four_jokers",
        "big_ace_pair",
    ),
    "homygames": (
        "triplet",
        "four",
        "five",
        "six",
        "two_jokers",
        "triplet_sequence",
        "fake_eight",
        "seven",
        "three_jokers",
        "quad_triplet_sequence",
        "false_ten",
        "eight",
        "quint_triplet_sequence",
        "false_twelve",
        "four_jokers",
        "false_fourteen",
        "big_ace_pair",
    ),
}

NAMES = {
    "single": "the {rank} of {suit}",
    "joker": "the {rank}",
    "big_ace": "the Big Ace",
    "pair": "a pair of {rank}s",
    "sequence": "a sequence up to {rank}",
    "double_sequence": "a double sequence up to {rank}",
    "triplet": "three {rank}s",
    "four": "four {rank}s",
    "five": "five {rank}s",
    "six": "six {rank}s",
    "seven": "seven {rank}s",
    "eight": "eight {rank}s",
    "two_jokers": "two jokers",
    "three_jokers": "three jokers",
    "four_jokers": "all four jokers",
    "triplet_sequence": "three triplets up to {rank}",
    "quad_triplet_sequence": "four triplets up to {rank}",
    "quint_triplet_sequence": "five triplets up to {rank}",
    "fake_eight": "a fake eight up to {rank}",
    "false_ten": "a false ten up to {rank}",
    "false_twelve": "a false twelve up to {rank}",
    "false_fourteen": "a false fourteen up to {rank}",
    "big_ace_pair": "the pair of Big Aces",
}

# 8.2: the places of declarer and partner, and the points of the declarer, the partner and each opponent.
Row = tuple[int, int, int]
WON: Mapping[frozenset[int], Row] = {
    frozenset({1, 2}): (6, 3, -3),
    frozenset({1, 3}): (4, 2, -2),
    frozenset({1, 4}): (2, 1, -1),
    frozenset({4, 5}): (-6, -3, 3),
}
LOST_BY_PARTNER: Row = (-2, -1, 1)  # the partner is last, the declarer second or third
LOST_BY_DECLARER: Row = (-4, -2, 2)  # the declarer is last, the partner second or third
NOTHING: Row = (0, 0, 0)
LONE = 8  # 8.4: for each opponent; doubled if both Big Aces were shown

# Without the sides, which screens display separately.
FACTS = {
    "redealt": "Both aces of hearts lay face down among {value}, so the cards were dealt again.",
    "unseen": "Both aces of hearts lay face down, so the cards were dealt again.",
    "shown": "Shown: {value}.",
    "forced": "Nobody showed an ace, so {value} had to show the ace of hearts.",
    "revealed": "Shown before the first lead: {value}.",
    "forced_late": "Both aces of hearts lay face down; once they were picked up, {value} was the first to have one.",
    "big": "The Big Aces are {value}.",
    "out": "Out already: {value}.",
    "lead": "{value} has the lead: the next who is not known as an opponent of the one who went out.",
    "held": "Known to be held: {value}.",
}
