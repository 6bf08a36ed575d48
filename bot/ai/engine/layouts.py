"""The cheapest layout of a hand, in sets and runs, for a game in which suits are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from bot.rules.core.cards import Card, Cards
from bot.rules.core.trick import Combo

FIRSTS = 3  # runs with which a layout may begin
IMPOSSIBLE = float("inf")

Kind: TypeAlias = Hashable
Held: TypeAlias = dict[Kind, int]


class Layout(NamedTuple):
    """Combinations that lay down a hand, card for card by kind, and what they cost together."""

    cost: float
    parts: tuple[Combo, ...]


class LayoutPart(NamedTuple):
    """A combination with what it takes from a hand, by kind."""

    combo: Combo
    takes: tuple[tuple[Kind, int], ...]
    cost: float


class LayoutPlanner:
    """In what a hand, and whatever is left of it later, can be laid down: sets of one kind, runs of several.

    combos: all that the hand holds, every single card among them. cost: of a combination; kind_of: the kind of a card.
    """

    def __init__(
        self, hand: Cards, combos: Iterable[Combo], cost: Callable[[Combo], float], kind_of: Callable[[Card], Kind]
    ) -> None:
        self._kinds = {held: kind_of(held) for held in dict.fromkeys(hand)}
        self._known: dict[tuple[Kind, ...], Layout] = {}
        self._runs: list[LayoutPart] = []
        sets: dict[Kind, list[LayoutPart]] = {}
        for combo in combos:
            takes = tuple(Counter(self._kinds[held] for held in combo.cards).items())
            into = self._runs if len(takes) > 1 else sets.setdefault(takes[0][0], [])
            into.append(LayoutPart(combo, takes, cost(combo)))
        self._sets = {kind: cheapest(sets[kind], count) for kind, count in self._counted(hand).items()}
        self._costs = {kind: [layout.cost for layout in layouts] for kind, layouts in self._sets.items()}

    def best(self, hand: Cards) -> Layout:
        """Return the cheapest layout found: sets, and runs as long as each saves something, from several beginnings.

        A rest of the hand may hold other cards of the same kinds.
        """
        key = tuple([self._kinds[held] for held in hand])
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._best(Counter(key))
        return known

    def _best(self, held: Held) -> Layout:
        fit = [(saving, at) for at, part in enumerate(self._runs) if (saving := self._change(part, held)) < IMPOSSIBLE]
        runs = [self._runs[at] for _, at in fit]
        firsts = sorted(saving for saving in fit if saving[0] < 0)
        layouts = [self._from(self._runs[at], held, runs) for _, at in firsts[:FIRSTS]]
        return min((*layouts, self._in_sets(held)), key=lambda layout: layout.cost)

    def _counted(self, hand: Cards) -> Held:
        return Counter(self._kinds[held] for held in hand)

    def _from(self, first: LayoutPart, held: Held, runs: Sequence[LayoutPart]) -> Layout:
        """Return the layout that begins with this run and takes what saves most, step by step."""
        left, taken, part = dict(held), list[LayoutPart](), first
        while self._change(part, left) < 0:
            taken.append(part)
            for kind, count in part.takes:
                left[kind] -= count
            part = min(runs, key=lambda run: self._change(run, left))
        rest = self._in_sets(left)
        return Layout(rest.cost + sum(run.cost for run in taken), (*(run.combo for run in taken), *rest.parts))

    def _change(self, part: LayoutPart, held: Held) -> float:
        """Return by how much a run makes the layout dearer; below 0 it saves."""
        change = part.cost
        for kind, count in part.takes:
            have = held.get(kind, 0)
            if have < count:
                return IMPOSSIBLE
            costs = self._costs[kind]
            change += costs[have - count] - costs[have]
        return change

    def _in_sets(self, held: Held) -> Layout:
        by_kind = [self._sets[kind][count] for kind, count in held.items()]
        return Layout(
            sum(layout.cost for layout in by_kind), tuple(combo for layout in by_kind for combo in layout.parts)
        )


def cheapest(sets: Sequence[LayoutPart], most: int) -> list[Layout]:
    """Return the cheapest way to lay down each number of cards of one kind, from none to so many."""
    found = [Layout(0.0, ())]
    for count in range(1, most + 1):
        fit = [(part, found[count - part.takes[0][1]]) for part in sets if part.takes[0][1] <= count]
        ways = [Layout(rest.cost + part.cost, (part.combo, *rest.parts)) for part, rest in fit]
        found.append(min(ways, key=lambda layout: layout.cost))
    return found
