"""3, 4 and 6. What cards are together, and what a hand can play.

A play stands here for all plays of the same cards, for equal cards are the same. Knows the options of the jokers.
Refuses to know whose turn it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bot.rules.big_little_a.tables import (
    BIG_A,
    HIGHEST,
    JOKER,
    LITTLE_A,
    LOWEST,
    MEAN,
    MOST_JOKERS,
    NOUGHT,
    NUMBERS,
    POWER,
    SETS,
)
from bot.rules.cards import Card, Cards
from bot.rules.trick import Combo

KINDS = {LITTLE_A: "little_a", BIG_A: "big_a"}


def in_order(held: Cards) -> Cards:
    """Return the cards weakest first."""
    return tuple(sorted(held, key=POWER.__getitem__))


def classify(played: Cards, *, bare: bool) -> Combo | None:
    """Return what these cards are in a normal round, or None. bare: whether several jokers go alone (O6)."""
    if not played or not POWER.keys() >= set(played):
        return None
    if len(played) == 1:
        return single(played[0])
    counts = Counter(played)
    jokers = counts.pop(JOKER, 0)
    if not counts:
        return Combo("jokers", JOKER, played, 0, HIGHEST) if bare and jokers <= MOST_JOKERS else None
    if len(counts) > 1 or not counts.keys() <= NUMBERS.keys() or len(played) > len(SETS):
        return None
    [number] = counts
    return made(number, counts[number], jokers)


def single(held: Card) -> Combo:
    """Return what a card is alone in a normal round; an A card comes last, for it can only be led (4.2, 5.7)."""
    if held in MEAN:
        return Combo(KINDS[held], held, (held,), 0, POWER[held])
    return Combo("joker" if held is JOKER else "single", held, (held,), 0, POWER[held])


def laid(held: Card) -> Combo:
    """Return what a card is in an A round (6.1, 4.3)."""
    strength = NOUGHT if held in MEAN else LOWEST if held is JOKER else POWER[held]
    return Combo(single(held).kind, held, (held,), 0, strength)


def made(number: Card, count: int, jokers: int) -> Combo:
    """Return so many equal numbers with jokers that stand for more of them (4.1)."""
    held = (number,) * count + (JOKER,) * jokers
    return Combo(SETS[len(held) - 1], number, held, 0, NUMBERS[number])


def named(jokers: Cards, rank: Card) -> Combo:
    """Return bare jokers as what the player says (O6.2); the joker itself stands for the highest."""
    kind = "jokers" if rank is JOKER else "jokers_as"
    return Combo(kind, rank, jokers, 0, POWER[rank])


def over(hand: Cards, top: Combo | None, *, bare: bool) -> Iterator[Combo]:
    """Yield what a hand can play on this in a normal round, or lead: weakest first among as many cards."""
    counts = Counter(hand)
    most = max(1, *(counts[number] for number in NUMBERS)) + counts[JOKER]
    for size in (len(top.cards),) if top else range(1, most + 1):
        found = _of_size(counts, size, bare=bare)
        yield from (combo for combo in found if combo.strength > top.strength) if top else found
        if size == 1 and top is None:
            yield from (single(held) for held in MEAN if counts[held])


def _of_size(counts: Counter[Card], size: int, *, bare: bool) -> Iterator[Combo]:
    """Yield every set of so many cards, with few jokers before with many."""
    most = min(counts[JOKER], size - 1)
    for number in NUMBERS:
        if held := counts[number]:
            for jokers in range(size - held if size > held else 0, most + 1):
                yield made(number, size - jokers, jokers)
    if size <= counts[JOKER] and (bare or size == 1):
        yield single(JOKER) if size == 1 else Combo("jokers", JOKER, (JOKER,) * size, 0, HIGHEST)


def any_card(hand: Cards) -> Iterator[Combo]:
    """Yield what a hand can play in an A round, lowest first: any card but an A card (6.2-6.4)."""
    plain = dict.fromkeys(held for held in in_order(hand) if held not in MEAN)
    return iter(sorted(map(laid, plain), key=lambda combo: combo.strength))
