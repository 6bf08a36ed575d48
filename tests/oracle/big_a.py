"""Big A's combinations read straight off the rules by trying every set of cards: slow and plain.

Covers combinations, beating, capturing and the plays of a hand, by the options. Independent of the bot, without draw,
turns and scores, and without any efficient search. Rules are cited by their number in the checklist ("BA-K03").

A card is a rank and a suit, "Td", or a joker, "BJ" or "RJ"; whatever is written so with str() will do. Most questions
here are about patterns: the ranks of a play alone, a Big Ace written "A*". Options are a plain mapping, see STANDARD;
missing names have the standard value, unknown ones are ignored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any

Options = Mapping[str, Any]
Pattern = tuple[str, ...]  # in the order of WRITTEN
Kind = tuple[str, tuple[int, ...]]  # its name, and a key: of two of one kind (and length) the higher is the better

STANDARD: Options = {
    "bomb_ladder": "basic",
    "fours_capture_max": 6,
    "ace_to_ace_sequence": True,
    "big_ace_pair_scope": "lone_deal_only",
    "lone": False,  # whether the declarer of this deal has no partner
}

TELLING = ("bomb_ladder", "ace_to_ace_sequence", "big_ace_pair_scope", "lone")  # what cards are depends on these
Chosen = tuple[tuple[str, Any], ...]
SINGLES = [*"456789TJQKA23", "BJ", "RJ", "A*"]  # BA-C06, low to high, as the next two
SETS = [*"456789TJQKA23"]
RUN = [*"A23456789TJQKA"]
WRITTEN = [*"456789TJQKA23", "A*", "BJ", "RJ"]  # no order of power
PACK = [rank + suit for rank in SETS for suit in "dchs"] + ["BJ", "RJ"]  # each card is there twice

ORDINARY = ["single", "pair", "sequence", "double_sequence"]
ALIKE = {2: "pair", 3: "triplet", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
LADDERS = {  # BA-B01 and BA-O03, low to high
    "basic": [
        *("triplet", "four", "five", "six", "two_jokers", "triplet_sequence", "fake_eight", "seven", "eight"),
        *("three_jokers", "four_jokers", "big_ace_pair"),
    ],
    "homygames": [
        *("triplet", "four", "five", "six", "two_jokers", "triplet_sequence", "fake_eight", "seven", "three_jokers"),
        *("quad_triplet_sequence", "false_ten", "eight", "quint_triplet_sequence", "false_twelve", "four_jokers"),
        *("false_fourteen", "big_ace_pair"),
    ],
}
BOMB_RUNS = {  # by how many cards of each rank and how many ranks
    (3, 3): "triplet_sequence",
    (3, 4): "quad_triplet_sequence",
    (3, 5): "quint_triplet_sequence",
    (4, 2): "fake_eight",
    (5, 2): "false_ten",
    (6, 2): "false_twelve",
    (7, 2): "false_fourteen",
}
SMALL = 12  # of hands up to this size every subset is tried


def value(options: Options, name: str) -> Any:
    """Give what an option is set to."""
    return options.get(name, STANDARD[name])


def in_order(ranks: Iterable[str]) -> Pattern:
    """Put ranks into the order in which patterns are written."""
    return tuple(sorted(ranks, key=WRITTEN.index))


def pattern(cards: Iterable[object], big: str | None) -> Pattern:
    """Give the ranks of cards; big is the suit of the Big Aces, None where there are none."""
    names = [str(card) for card in cards]
    if not set(names) <= set(PACK) or max(Counter(names).values(), default=0) > 2:
        raise ValueError(f"not cards of two packs: {names}")
    return in_order(_rank(name, big) for name in names)


def _rank(name: str, big: str | None) -> str:
    if name in ("BJ", "RJ"):
        return name
    return "A*" if big is not None and name == f"A{big}" else name[0]


# What is it?


def classify(cards: Iterable[object], big: str | None, options: Options = STANDARD) -> Kind | None:
    """Name what the cards make and give its key, None where they cannot be played together."""
    return kind_of(pattern(cards, big), options)


def kind_of(ranks: Pattern, options: Options = STANDARD) -> Kind | None:
    """Return the combination of cards of these ranks with its key, None if not playable."""
    return _kind_of(ranks, tuple((name, value(options, name)) for name in TELLING))


@lru_cache(maxsize=1 << 16)
def _kind_of(ranks: Pattern, chosen: Chosen) -> Kind | None:
    options = dict(chosen)
    if len(ranks) == 1:
        return "single", (SINGLES.index(ranks[0]),)  # BA-K01
    if ranks == ("A*", "A*") and _is_bomb_of_big_aces(options):
        return "big_ace_pair", ()  # BA-B15
    plain = plainly(ranks)  # but for these two cases a Big Ace is an ace: BA-K04, K10, K13, B16
    found = _jokers(plain) if set(plain) <= {"BJ", "RJ"} else _alike(plain) or _run(plain, options)
    if found is None or found[0] not in ORDINARY + LADDERS[value(options, "bomb_ladder")]:
        return None
    return found


def plainly(ranks: Pattern) -> Pattern:
    """Write each Big Ace as an ace."""
    return in_order("A" if rank == "A*" else rank for rank in ranks)


def _is_bomb_of_big_aces(options: Options) -> bool:
    scope = value(options, "big_ace_pair_scope")
    return scope == "any_holder" or bool(value(options, "lone"))  # BA-O09


def _jokers(ranks: Pattern) -> Kind | None:
    """Two to four jokers; of two, the more are red the better: BA-B08, B13, B14."""
    key = (ranks.count("RJ"),) if len(ranks) == 2 else ()
    name = {2: "two_jokers", 3: "three_jokers", 4: "four_jokers"}.get(len(ranks))
    return (name, key) if name else None


def _alike(ranks: Pattern) -> Kind | None:
    """Two to eight natural cards of one rank: BA-K03, B06, B12."""
    if len(set(ranks)) != 1 or len(ranks) not in ALIKE:
        return None
    return ALIKE[len(ranks)], (SETS.index(ranks[0]),)


def _run(ranks: Pattern, options: Options) -> Kind | None:
    """Neighboring ranks with equal multiplicity; the higher reading counts if there are two: BA-K15."""
    for times in range(1, 8):
        for length in range(2, len(RUN) + 1):
            name = _run_name(times, length, options)
            if name is None or len(ranks) != times * length:
                continue
            for start in reversed(range(len(RUN) - length + 1)):
                if ranks == in_order(RUN[start : start + length] * times):
                    return name, (length, start + length - 1)
    return None


def _run_name(times: int, length: int, options: Options) -> str | None:
    if length == len(RUN) and not value(options, "ace_to_ace_sequence"):
        return None  # BA-O10
    if times in (1, 2) and length >= 3:
        return {1: "sequence", 2: "double_sequence"}[times]
    return BOMB_RUNS.get((times, length))


# What beats what?


def beats(tried: Iterable[object], top: Iterable[object], big: str | None, options: Options = STANDARD) -> str:
    """Tell whether cards beat or capture the top: "beat", "capture", "no", or "invalid" if they are no combination."""
    return answer(pattern(tried, big), pattern(top, big), options)


def answer(tried: Pattern, top: Pattern, options: Options = STANDARD) -> str:
    """Tell the same of patterns."""
    mine, theirs = kind_of(tried, options), kind_of(top, options)
    if theirs is None:
        raise ValueError(f"the top is no combination: {top}")
    if mine is None:
        return "invalid"
    if captures(tried, top, options):
        return "capture"
    return "beat" if climbs(mine, theirs, options) else "no"


def captures(tried: Pattern, top: Pattern, options: Options = STANDARD) -> bool:
    """Tell whether these fours capture a set of one card more: BA-F01, F08, F09, O04."""
    fours, beneath = set(tried) == {"4"} and len(tried) >= 2, set(plainly(top))
    alike = len(beneath) == 1 and beneath <= set(SETS)
    return fours and alike and len(top) == len(tried) + 1 and len(top) <= value(options, "fours_capture_max")


def climbs(mine: Kind, theirs: Kind, options: Options = STANDARD) -> bool:
    """Tell whether one combination beats another in the ordinary way: the matrix after BA-B19."""
    ladder = LADDERS[value(options, "bomb_ladder")]
    if mine[0] == theirs[0]:
        runs = mine[0] in ("sequence", "double_sequence")
        return mine[1] > theirs[1] and (not runs or mine[1][0] == theirs[1][0])  # BA-K02, K11, K12, B19
    if mine[0] not in ladder:
        return False  # BA-B18
    if theirs[0] in ladder:
        return ladder.index(mine[0]) > ladder.index(theirs[0])  # BA-B01
    single = SINGLES[theirs[1][0]] if theirs[0] == "single" else None
    if mine[0] == "triplet":
        return theirs[0] != "double_sequence" and single not in ("BJ", "RJ", "A*")  # BA-B02, B03
    return mine[0] != "four" or single != "A*"  # BA-B04, B05


# What can a hand play?


def plays(
    hand: Iterable[object], top: Iterable[object] | None, big: str | None, options: Options = STANDARD
) -> set[Pattern]:
    """List the patterns of every play of the hand on the top (None: of every lead); passing is not among them."""
    held = pattern(hand, big)
    under = None if top is None else pattern(top, big)
    return {tried for tried in _choices(held, options) if is_play(tried, under, options)}


def is_play(tried: Pattern, top: Pattern | None, options: Options) -> bool:
    """Tell whether a pattern can be played on the top (None: led)."""
    if top is None:
        return kind_of(tried, options) is not None  # BA-P01, B17
    return answer(tried, top, options) in ("beat", "capture")


def _choices(held: Pattern, options: Options) -> set[Pattern]:
    """List all patterns in a hand, or in a big hand all that can be a combination."""
    return subsets(held) if len(held) <= SMALL else contained(held, options)


def subsets(held: Pattern) -> set[Pattern]:
    """List all patterns in a hand, by taking every subset."""
    return {chosen for size in range(1, len(held) + 1) for chosen in combinations(held, size)}


def contained(held: Pattern, options: Options = STANDARD) -> set[Pattern]:
    """List the combinations in a hand, by looking for each there is."""
    have = Counter(held)
    return {way for way, needed in _ways(tuple(shapes(options))) if needed <= have}


@lru_cache(maxsize=1 << 5)
def _ways(found: tuple[Pattern, ...]) -> tuple[tuple[Pattern, Counter[str]], ...]:
    """List in which ways combinations can be held, and how many of each rank that takes."""
    return tuple((way, Counter(way)) for way in {way for shape in found for way in _with_big_aces(shape)})


def shapes(options: Options = STANDARD) -> list[Pattern]:
    """List each combination once, its aces written plainly but where the Big Aces are something of their own."""
    return [shape for shape in _everything() if kind_of(shape, options) is not None]


@cache
def _everything() -> tuple[Pattern, ...]:
    alike = [(rank,) * count for rank in SETS for count in range(1, 9)]
    jokers = [chosen for count in range(1, 5) for chosen in combinations_with_replacement(["BJ", "RJ"], count)]
    two_of_each = [chosen for chosen in jokers if max(chosen.count("BJ"), chosen.count("RJ")) <= 2]
    runs = [in_order(RUN[first:end] * times) for times in range(1, 8) for first, end in combinations(range(15), 2)]
    return tuple(dict.fromkeys([*alike, *two_of_each, ("A*",), ("A*", "A*"), *runs]))


def _with_big_aces(shape: Pattern) -> set[Pattern]:
    """Write none, one or two of the aces of a shape as Big Aces."""
    ways = {shape}
    for count in range(1, min(2, shape.count("A")) + 1):
        others = [rank for rank in shape if rank != "A"]
        ways.add(in_order(others + ["A"] * (shape.count("A") - count) + ["A*"] * count))
    return ways
