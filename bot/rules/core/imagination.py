"""Random hands consistent with a View (determinization).

Each hand has its known cards, and unseen cards dealt at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import View

Hands: TypeAlias = dict[int, list[Card]]


def known_hands(view: View) -> Hands:
    """Return the cards known to the viewer in each hand, the viewer's own hand included."""
    hands: Hands = {seat: [] for seat in range(len(view.counts))}
    if view.result:
        return {seat: list(left) for seat, left in enumerate(view.result.left)}
    for seat, card in view.known:
        hands[seat].append(card)
    if view.seat is not None:
        hands[view.seat] = list(view.hand)
    return hands


def unseen_cards(view: View) -> Counter[Card]:
    """Return the cards in no hand known to the viewer and in no trick, with their copies."""
    seen = Counter(card for hand in known_hands(view).values() for card in hand)
    for trick in (*view.tricks, view.trick):
        seen.update(trick.cards)
    return Counter(view.rules.pack) - seen


def fill_hands(
    hands: Mapping[int, Sequence[Card]], counts: Sequence[int], pool: list[Card], sort: Callable[[Cards], Cards]
) -> tuple[Cards, ...]:
    """Return hands of these sizes: the known cards of each, then cards of the pool.

    Cards are taken from the end of the pool.
    """
    wanted = (count - len(hands[seat]) for seat, count in enumerate(counts))
    return tuple(sort((*hands[seat], *(pool.pop() for _ in range(missing)))) for seat, missing in enumerate(wanted))
