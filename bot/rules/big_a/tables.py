"""1.6-1.8, 3, 4, 8 and O3. Orders of cards, bombs, points, and the rows of combinations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.core.cards import Rank, Suit
from bot.rules.core.patterns import CombinationRow, Pattern, Slots, pattern, sets
from bot.rules.core.sentences import CombinationName

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

COMBINATIONS: Mapping[str, CombinationName] = {
    "single": CombinationName(N_("the {rank} of {suit}"), N_("singles")),
    "joker": CombinationName(N_("the {rank}"), N_("single jokers")),
    "big_ace": CombinationName(N_("the Big Ace"), N_("the Big Ace")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("pair of {rank}s")),
    "sequence": CombinationName(N_("a sequence up to {rank}"), N_("sequences"), N_("{low}–{high} sequence")),
    "double_sequence": CombinationName(
        N_("a double sequence up to {rank}"), N_("double sequences"), N_("{low}–{high} double run")
    ),
    "triplet": CombinationName(N_("three {rank}s"), N_("triplets"), N_("three {rank}s")),
    "four": CombinationName(N_("four {rank}s"), N_("fours of a kind"), N_("four {rank}s")),
    "five": CombinationName(N_("five {rank}s"), N_("fives of a kind"), N_("five {rank}s")),
    "six": CombinationName(N_("six {rank}s"), N_("sixes of a kind"), N_("six {rank}s")),
    "seven": CombinationName(N_("seven {rank}s"), N_("sevens of a kind"), N_("seven {rank}s")),
    "eight": CombinationName(N_("eight {rank}s"), N_("eights of a kind"), N_("eight {rank}s")),
    "two_jokers": CombinationName(N_("two jokers"), N_("two jokers"), N_("two jokers"), N_("two jokers")),
    "three_jokers": CombinationName(N_("three jokers"), N_("three jokers"), N_("three jokers"), N_("three jokers")),
    "four_jokers": CombinationName(
        N_("all four jokers"), N_("all four jokers"), N_("all four jokers"), N_("all four jokers")
    ),
    "triplet_sequence": CombinationName(
        N_("three triplets up to {rank}"), N_("three triplets in a row"), N_("{low}–{high} triplets")
    ),
    "quad_triplet_sequence": CombinationName(
        N_("four triplets up to {rank}"), N_("four triplets in a row"), N_("{low}–{high} triplets")
    ),
    "quint_triplet_sequence": CombinationName(
        N_("five triplets up to {rank}"), N_("five triplets in a row"), N_("{low}–{high} triplets")
    ),
    "fake_eight": CombinationName(N_("a fake eight up to {rank}"), N_("fake eights"), N_("{low}–{high} fake eight")),
    "false_ten": CombinationName(N_("a false ten up to {rank}"), N_("false tens"), N_("{low}–{high} false ten")),
    "false_twelve": CombinationName(
        N_("a false twelve up to {rank}"), N_("false twelves"), N_("{low}–{high} false twelve")
    ),
    "false_fourteen": CombinationName(
        N_("a false fourteen up to {rank}"), N_("false fourteens"), N_("{low}–{high} false fourteen")
    ),
    "big_ace_pair": CombinationName(
        N_("the pair of Big Aces"), N_("the pair of Big Aces"), N_("Big Aces"), N_("Big Aces")
    ),
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
    "redealt": N_("Both aces of hearts were face down among {value}, so the cards were dealt again."),
    "unseen": N_("Both aces of hearts were face down, so the cards were dealt again."),
    "shown": N_("Shown: {value}."),
    "forced": N_("Nobody showed an ace, so {value} had to show the ace of hearts."),
    "revealed": N_("Shown before the first lead: {value}."),
    "forced_late": N_("Both aces of hearts were face down. Once picked up, {value} was the first to have one."),
    "big": N_("The Big Aces are {value}."),
    "out": N_("Already out: {value}."),
    "lead": N_("{value} leads: the next player who isn't known to play against the one who went out."),
    "held": N_("Everyone knows that {value}."),
}


PLACE = {rank: at for at, rank in enumerate(SETS)} | {rank: len(SETS) + at for at, rank in enumerate(JOKERS)}
ACE, BLACK, RED = (PLACE[rank] for rank in (Rank.ACE, *JOKERS))
SHORTEST, ALL = 3, len(RUN) - 1  # ranks in a sequence: the minimum, and every rank once
FIRST_BOMB = 2  # the level of the weakest bomb
COPIES = {"sequence": 1, "double_sequence": 2}
BIG_ACES = 2


class BigAPatternOptions(NamedTuple):
    """The parameters of the combinations.

    big: the Big suit, if any. paired: whether two Big Aces are a bomb.
    """

    ladder: str
    longest: int
    capture: int
    big: Suit | None
    paired: bool


def rows(shape: BigAPatternOptions) -> Iterator[CombinationRow]:
    """Yield every kind of combination.

    The ordinary ones come first, then the bombs in the order of their ladder (O3).
    """
    yield CombinationRow("single", 0, sets(range(len(SETS)), 1))
    yield CombinationRow("joker", 0, sets((BLACK, RED), 1))
    yield CombinationRow("big_ace", 0, sets((BIG,), 1))
    pair_of_bigs = (BIG,) * 2 if shape.paired else ()
    yield CombinationRow("pair", 0, (pair for pair in _sets(2) if pair.slots != pair_of_bigs))
    for level, (kind, copies) in enumerate(COPIES.items()):
        for length in range(SHORTEST, shape.longest + 1):
            yield CombinationRow(kind, level, _chains(copies, length))
    for level, kind in enumerate(LADDERS[shape.ladder], FIRST_BOMB):
        if kind != "big_ace_pair" or shape.paired:
            yield CombinationRow(kind, level, _bombs(kind))


def _bombs(kind: str) -> Iterable[Pattern]:
    """Return the patterns of a kind of bomb (4.6-4.13)."""
    if kind in CHAINS:
        return _chains(*CHAINS[kind])
    if kind in KINDS_OF_SET:
        return _sets(3 + KINDS_OF_SET.index(kind))
    if kind == "big_ace_pair":
        return [pattern((BIG,) * 2, 0)]
    size = next(size for size, name in JOKER_BOMBS.items() if name == kind)
    return (pattern((BLACK,) * (size - reds) + (RED,) * reds, reds if size == 2 else 0) for reds in range(size + 1))


def _sets(size: int) -> Iterator[Pattern]:
    return (pattern(slots, at) for at in range(len(SETS)) for slots in _with_bigs((at,) * size))


def _chains(copies: int, length: int) -> Iterator[Pattern]:
    """Yield runs of neighbouring sets, lowest top rank first.

    The ace stands at either end, or at both (O10.1).
    """
    for top in range(length - 1, len(RUN)):
        ranks = RUN[top + 1 - length : top + 1]
        if (length, top) != (ALL, len(RUN) - 2):  # every rank once: the ace is high
            slots = tuple(PLACE[rank] for rank in ranks for _ in range(copies))
            yield from (pattern(chain, top) for chain in _with_bigs(slots))


def _with_bigs(slots: Slots) -> Iterator[Slots]:
    """Yield slots with zero, one and two aces replaced by Big Aces, from the last ace on."""
    aces = [at for at, slot in enumerate(slots) if slot == ACE]
    for count in range(min(BIG_ACES, len(aces)) + 1):
        bigs = aces[len(aces) - count :]
        yield tuple(BIG if at in bigs else slot for at, slot in enumerate(slots))
