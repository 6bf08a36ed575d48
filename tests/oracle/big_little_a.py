"""The Big and the Little A's cards read straight off the rules by trying every set of cards: slow and plain.

Covers the pack, sets, raises, the plays of a hand, the taker of an A round, penalties, and the next starter.
Independent of the bot, without turns and without any efficient search. Rules are cited by their number in the
checklist ("KA-R03").

A card is written "1" to "13", "J" (a joker), "a" (the little a) or "A" (the Big A). Options are a plain mapping, see
STANDARD; missing names have the standard value, unknown ones are ignored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Options = Mapping[str, Any]
Reading = tuple[int, int]  # how many cards, and of what rank

STANDARD: Options = {
    "players": 4,
    "hands_per_match": 5,
    "next_starter": "most_total",
    "starter_tie": "last_deal_then_clockwise",
    "joker_only_sets": "fourteen",
    "round_mode": "one_turn_each",
    "joker_in_hand_points": 14,
    "little_a_in_hand_points": 15,
    "big_a_in_hand_points": 20,
    "joker_in_pile_points": 1,
    "auto_pass": "public_only",
}

NUMBERS = [str(number) for number in range(1, 14)]
WRITTEN = [*NUMBERS, "J", "a", "A"]
A_CARDS = ("a", "A")
PACK = [number for number in NUMBERS for _ in range(8)] + ["J"] * 4 + ["a", "A"]  # KA-C01
IN_PACK = Counter(PACK)
HAND_SIZES = {3: 13, 4: 13, 5: 13, 6: 13, 7: 13, 8: 13, 9: 12}  # KA-C03
UNUSED = {3: 69, 4: 56, 5: 43, 6: 30, 7: 17, 8: 4, 9: 0}  # KA-C04
SETS = {  # all there are of one number or none, with jokers or without: of which number, how many, and how many jokers
    (number,) * count + ("J",) * jokers: (number, count, jokers)
    for number in NUMBERS
    for count in range(9)
    for jokers in range(5)
    if count + jokers
}


def value(options: Options, name: str) -> Any:
    """Give what an option is set to."""
    return options.get(name, STANDARD[name])


def in_order(cards: Iterable[object]) -> tuple[str, ...]:
    """Put cards into the order in which they are written."""
    return tuple(sorted(map(str, cards), key=WRITTEN.index))


# What is it in a normal round?


def readings(cards: Iterable[object], options: Options = STANDARD) -> set[Reading]:
    """List the readings of cards in a normal round: none, one, or several for the player's choice."""
    names = [str(card) for card in cards]
    if not Counter(names) <= IN_PACK:
        raise ValueError(f"not cards of the pack: {names}")
    numbers = {name for name in names if name != "J"}
    if not names or len(numbers) > 1 or numbers & {*A_CARDS}:
        return set()  # KA-R01, L01, J05
    if numbers:
        [number] = numbers
        return {(len(names), int(number))}  # KA-J01
    if len(names) == 1:
        return {(1, 14)}  # KA-J02
    ranks = {"fourteen": [14], "declared": range(1, 15), "single_only": []}[value(options, "joker_only_sets")]
    return {(len(names), rank) for rank in ranks}  # KA-J03, O04


def classify(cards: Iterable[object], options: Options = STANDARD, named: int | None = None) -> Reading | None:
    """Return the reading of cards, None if not playable; named: the rank their player has chosen."""
    found = readings(cards, options)
    if len(found) > 1:
        found = {reading for reading in found if reading[1] == named}
    return next(iter(found), None)


def is_raise(tried: Reading, top: Reading) -> bool:
    """Tell whether one reading raises another: KA-R03, R08."""
    return tried[0] == top[0] and tried[1] > top[1]


def beats(
    tried: Iterable[object], top: Iterable[object], options: Options = STANDARD, named: tuple[int, int] = (0, 0)
) -> str:
    """Tell whether cards raise the top: "beat", "no" or "invalid"; named: what jokers alone are called, if they are."""
    mine, theirs = classify(tried, options, named[0]), classify(top, options, named[1])
    if theirs is None:
        raise ValueError(f"the top cannot be played: {top}")
    if mine is None:
        return "invalid"
    return "beat" if is_raise(mine, theirs) else "no"


def fitting(cards: Iterable[object], top: Reading | None, options: Options = STANDARD) -> set[Reading]:
    """List the readings of cards against the top (None: led)."""
    return {tried for tried in readings(cards, options) if top is None or is_raise(tried, top)}


def plays(hand: Iterable[object], top: Reading | None, options: Options = STANDARD) -> set[tuple[str, ...]]:
    """List every play of the hand on the top of a normal round (None: every lead) but the A cards; and no pass."""
    held = Counter(map(str, hand))
    jokers = held["J"]
    held_sets = {tried for tried, (number, count, more) in SETS.items() if count <= held[number] and more <= jokers}
    return {tried for tried in held_sets if fitting(tried, top, options)}


# A rounds


def rank_in_a_round(card: object) -> int:
    """Give the rank that a card has there: KA-A01, A02."""
    return int(str(card)) if str(card) in NUMBERS else {"a": 0, "A": 0, "J": 1}[str(card)]


def taker(played: Sequence[tuple[int, object]]) -> int:
    """Tell which seat takes what was played in an A round, in this order: KA-A07."""
    highest = max(rank_in_a_round(card) for _, card in played)
    return next(seat for seat, card in played if rank_in_a_round(card) == highest)


# Penalty points


def in_hand(card: object, options: Options = STANDARD) -> int:
    """Tell what a card in hand costs: KA-P01, P02."""
    if str(card) in NUMBERS:
        return int(str(card))
    name = {"J": "joker_in_hand_points", "a": "little_a_in_hand_points", "A": "big_a_in_hand_points"}[str(card)]
    return int(value(options, name))


def penalty_in_pile(card: object, options: Options = STANDARD) -> int:
    """Tell what a card in the little-a pile costs: KA-A10."""
    if str(card) == "J":
        return int(value(options, "joker_in_pile_points"))
    return 0 if str(card) == "a" else int(str(card))


def penalty(hand: Iterable[object], pile: Iterable[object], options: Options = STANDARD) -> int:
    """Tell what a player has to write down: KA-P01 to P03."""
    return sum(in_hand(card, options) for card in hand) + sum(penalty_in_pile(card, options) for card in pile)


# The match


def can_begin(totals: Sequence[int], last: Sequence[int], options: Options = STANDARD) -> list[int]:
    """List the seats that may have to begin the next deal before any tie is resolved: KA-M01, O02."""
    counted = totals if value(options, "next_starter") == "most_total" else last
    return [seat for seat, points in enumerate(counted) if points == max(counted)]


def next_starter(totals: Sequence[int], last: Sequence[int], starter: int, options: Options = STANDARD) -> int | None:
    """Tell who begins the next deal, None where the lot decides between several: KA-M01, O02, O09.

    starter: who began the last deal.
    """
    tied = can_begin(totals, last, options)
    if len(tied) > 1 and value(options, "starter_tie") == "random":
        return None
    most = max(last[seat] for seat in tied)
    round_the_table = [(starter + steps) % len(totals) for steps in range(1, len(totals) + 1)]
    return next(seat for seat in round_the_table if seat in tied and last[seat] == most)


def standing(deals: Sequence[Sequence[int]], options: Options = STANDARD) -> tuple[bool, list[int], list[int]]:
    """Tell whether a match is over after these deals, the totals, and who has won then: KA-M02, Q17."""
    totals = [sum(points) for points in zip(*deals, strict=True)]
    over = len(deals) >= value(options, "hands_per_match")
    winners = [seat for seat, total in enumerate(totals) if total == min(totals)]
    return over, totals, winners if over else []
