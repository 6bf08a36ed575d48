"""Taihe A Bao's cards read straight off the rules by trying every set of cards.

Slow and plain.

Covers the packs, the combinations, their order, legal plays, callable cards, cards not to return, and publicly forced
passes. Does not cover turns, points, the bot, and every clever way of finding a play. The rules are cited by their
number in the checklist ("AB-K03").

A card is a rank and a suit, "Td"; whatever is written so with str() will do. Most questions here are about patterns:
the ranks of a play alone, as suits have no rank. Three aces or kings that count as four of a kind are called "four"
(AB-Q19). Options are a plain mapping, see STANDARD; missing names have the standard value, unknown names are ignored.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any

Options = Mapping[str, Any]
Pattern = tuple[str, ...]  # from low to high
Kind = tuple[str, tuple[int, ...]]  # its name, and a key: of two of one kind (and length) the higher is the better

STANDARD: Options = {
    "players": 4,
    "aces": True,
    "recall": "forbidden",
    "starter_rule": "result",
    "starter_must_call": False,
    "single_caller_wins": False,
    "scoring": "callers",
    "double_shutout": False,
    "double_lead_only": False,
    "may_return_called_card": True,
    "three_kings_top": False,
    "auto_pass": "public_only",
}

RANKS = "45679TJQKA"  # AB-C03, low to high
RUNS = ("4567", "9TJQK")  # where sequences are found: AB-K07, K08
PACK = [rank + suit for rank in RANKS for suit in "dchs"]  # AB-C02
ACES = ["Ad", "Ac", "Ah", "As"]
PACKS: Mapping[tuple[int, bool], tuple[list[str], int]] = {  # what else is taken out, and the size of a hand
    (4, True): ([], 10),
    (5, True): ([], 8),
    (3, True): (["As"], 13),
    (4, False): (ACES, 9),
    (5, False): ([*ACES, "Ks"], 7),
    (3, False): (ACES, 12),
}
ALIKE = {1: "single", 2: "pair", 3: "triplet", 4: "four"}
BOMBS = ["triplet", "four"]  # low to high
TELLING = ("players", "aces", "three_kings_top")  # what there is, and what it is, depends on these
Chosen = tuple[tuple[str, Any], ...]


def value(options: Options, name: str) -> Any:
    """Give what an option is set to."""
    return options.get(name, STANDARD[name])


def _telling(options: Options) -> Chosen:
    return tuple((name, value(options, name)) for name in TELLING)


def pack(options: Options = STANDARD) -> list[str]:
    """List the cards in play: AB-O01 to O03."""
    removed, _ = PACKS[value(options, "players"), value(options, "aces")]
    return [card for card in PACK if card not in removed]


def hand_size(options: Options = STANDARD) -> int:
    """Tell how many cards each player gets."""
    return PACKS[value(options, "players"), value(options, "aces")][1]


def in_order(ranks: Iterable[str]) -> Pattern:
    """Put ranks into their order."""
    return tuple(sorted(ranks, key=RANKS.index))


def pattern(cards: Iterable[object], options: Options = STANDARD) -> Pattern:
    """Give the ranks of cards."""
    names = [str(card) for card in cards]
    if not set(names) <= set(pack(options)) or len(set(names)) != len(names):
        raise ValueError(f"not cards of the pack: {names}")
    return in_order(name[0] for name in names)


# What is it?


def classify(cards: Iterable[object], options: Options = STANDARD) -> Kind | None:
    """Name what the cards make and give its key, None where they cannot be played together."""
    return kind_of(pattern(cards, options), options)


def kind_of(ranks: Pattern, options: Options = STANDARD) -> Kind | None:
    """Return the combination of cards of these ranks with its key, None if not playable."""
    return _kind_of(ranks, _telling(options))


@lru_cache(maxsize=1 << 15)
def _kind_of(ranks: Pattern, chosen: Chosen) -> Kind | None:
    options = dict(chosen)
    run = "".join(dict.fromkeys(ranks))
    times = {ranks.count(rank) for rank in run}
    if len(times) != 1:
        return None  # AB-K09
    if len(run) == 1:
        name = "four" if three_count_as_four(ranks, options) else ALIKE[len(ranks)]  # AB-K01, K02, K05, K06
        return name, (RANKS.index(run),)
    if not any(run in neighbours for neighbours in RUNS):
        return None
    if times == {1} and len(run) >= 3:
        return "sequence", (len(run), RANKS.index(run[-1]))  # AB-K03
    if times == {2}:
        return "double_sequence", (len(run), RANKS.index(run[-1]))  # AB-K04
    return None


def three_count_as_four(ranks: Pattern, options: Options) -> bool:
    """Tell whether these are three aces, or kings, that count as four: AB-O03, O12."""
    table = value(options, "players"), value(options, "aces")
    if table == (5, False) and value(options, "three_kings_top"):
        return ranks == ("K",) * 3
    return table == (3, True) and ranks == ("A",) * 3


# What beats what?


def beats(tried: Iterable[object], top: Iterable[object], options: Options = STANDARD) -> str:
    """Tell whether cards beat the top: "beat", "no", or "invalid" if they are no combination."""
    return answer(pattern(tried, options), pattern(top, options), options)


def answer(tried: Pattern, top: Pattern, options: Options = STANDARD) -> str:
    """Tell the same of patterns."""
    mine, theirs = kind_of(tried, options), kind_of(top, options)
    if theirs is None:
        raise ValueError(f"the top is no combination: {top}")
    if mine is None:
        return "invalid"
    return "beat" if climbs(mine, theirs) else "no"


def climbs(mine: Kind, theirs: Kind) -> bool:
    """Tell whether one combination beats another: the matrix after AB-K10."""
    if mine[0] == theirs[0]:
        runs = mine[0] in ("sequence", "double_sequence")
        return mine[1] > theirs[1] and (not runs or mine[1][0] == theirs[1][0])
    if mine[0] not in BOMBS:
        return False
    return theirs[0] not in BOMBS or BOMBS.index(mine[0]) > BOMBS.index(theirs[0])  # AB-K05, K06


# What can a hand play?


def plays(hand: Iterable[object], top: Iterable[object] | None, options: Options = STANDARD) -> set[Pattern]:
    """List the patterns of every play of the hand on the top (None: of every lead).

    Passing is not among them.
    """
    held = pattern(hand, options)
    under = None if top is None else pattern(top, options)
    return {tried for tried in subsets(held) if is_play(tried, under, options)}


def subsets(held: Pattern) -> set[Pattern]:
    """List all patterns in a hand, by taking every subset."""
    return {chosen for size in range(1, len(held) + 1) for chosen in combinations(held, size)}


def is_play(tried: Pattern, top: Pattern | None, options: Options = STANDARD) -> bool:
    """Tell whether a pattern can be played on the top (None: led)."""
    if top is None:
        return kind_of(tried, options) is not None  # AB-P01
    return answer(tried, top, options) == "beat"


def shapes(options: Options = STANDARD) -> list[Pattern]:
    """List the pattern of each combination that the pack holds."""
    ranks = [card[0] for card in pack(options)]
    alike = [(rank,) * count for rank in RANKS for count in range(1, ranks.count(rank) + 1)]
    spans = [run[first:end] for run in RUNS for first, end in combinations(range(len(run) + 1), 2) if end - first >= 2]
    runs = [in_order(span * times) for span in spans for times in (1, 2)]
    return [shape for shape in [*alike, *runs] if kind_of(shape, options) is not None]


# Who cannot but pass, as every player can see?


def smallest_answer(top: Pattern, options: Options = STANDARD) -> int | None:
    """Count the cards of the smallest combination of the whole pack that beats the top.

    None where none does.
    """
    return _smallest_answer(top, _telling(options))


@lru_cache(maxsize=1 << 12)
def _smallest_answer(top: Pattern, chosen: Chosen) -> int | None:
    options = dict(chosen)
    sizes = [len(shape) for shape in shapes(options) if answer(shape, top, options) == "beat"]
    return min(sizes, default=None)


def passes_by_itself(top: Iterable[object], count: int, options: Options = STANDARD) -> bool:
    """Tell whether a player with a number of cards passes on public grounds: AB-X08."""
    smallest = smallest_answer(pattern(top, options), options)
    return smallest is None or count < smallest


# What can be called, and what cannot be given?


def callable_cards(
    hand: Iterable[object], called: Iterable[object], *, four_used: bool, options: Options = STANDARD
) -> set[str]:
    """List the cards that a bidder with this hand may call.

    called: the calls of earlier bidders in this deal.
    """
    held, before = {str(card) for card in hand}, {str(card) for card in called}
    return {
        card
        for card in pack(options)  # AB-B16
        if card not in held | set(ACES)  # AB-B08
        and not (four_used and card == "4h")
        and (card not in before or may_recall(card, held, options))
    }


def may_recall(card: str, held: set[str], options: Options) -> bool:
    """Tell whether a card that another has called already may be called again: AB-O04."""
    if value(options, "recall") == "complete_four":
        others = {card[0] + suit for suit in "dchs"} - {card}
        return others <= held
    return bool(value(options, "recall") == "allowed")


def forbidden_gifts(
    hand: Iterable[object], received: object, *, four_used: bool, options: Options = STANDARD
) -> set[str]:
    """List the cards of a hand that may not be given back for the card received: AB-B10, O11."""
    barred = {*ACES, *(["4h"] if four_used else [])}
    if not value(options, "may_return_called_card"):
        barred.add(str(received))
    return {str(card) for card in hand} & barred
