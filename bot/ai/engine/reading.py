"""The reading of a View in any climbing game, and the cheapest layout of a hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Card, Cards, missing_cards, without
from bot.rules.core.game import View
from bot.rules.core.trick import EMPTY, Combo

MOST_PLAYS = 400  # looked at for one hand
MOST_LONG = 10  # combinations of more than three cards that a plan is tried with
SURE = 0.999  # a combination with this stay chance will hardly be beaten
WEAK, STRONG = (
    1.6,
    0.1,
)  # turns that a combination with a stay chance of 0 and of 1 costs: the strong one keeps the lead
PATIENCE, CALM = 0.1, 7  # a play has to save so many turns for each card over so many that the nearest rival holds
ALARM = -3.0  # with a rival at two cards or one, a play may even cost so many turns
STUCK = 10.0  # turns for a hand that has come down to one card which may not be the last
LONGER = 0.3  # how much stay chance one more card outweighs in choosing what to lead

Plan: TypeAlias = tuple[Combo, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the view means to its seat.

    combos: what the hand could lead. higher: for each card the share, 0 to 1, of the unseen cards that are above it.
    fewest: the smallest number of cards that a rival holds. unwanted: cards that must not be led as the last card.
    """

    view: View
    combos: Sequence[Combo]
    higher: dict[Card, float]
    fewest: int
    unwanted: frozenset[Card]
    rng: random.Random | None

    @classmethod
    def of(cls, view: View, rng: random.Random | None) -> Reading:
        """Read the view of a seat that is asked for anything."""
        seat = view.seat or 0
        alone = replace(view, trick=EMPTY, must=None, ask=PlayAsk(may_pass=False))
        unwanted = frozenset(held for held in view.hand if not replace(alone, hand=(held,)).plays)
        return cls(view, alone.plays.first(MOST_PLAYS), _higher(view, seat), nearest(view), unwanted, rng)

    # How good a hand is

    def stay_chance(self, combo: Combo) -> float:
        """Return from 0 to 1 how likely the combination is to stay on top.

        For more than three cards the number is a guess by level.
        """
        size = len(combo.cards)
        if size > 3:
            return min(1.0, 0.7 + 0.1 * combo.level)
        return 1 - self.higher[combo.head] / size

    def turns(self, plan: Plan) -> float:
        """Return about how many turns a plan takes that others have to leave to this seat."""
        stuck = len(plan) == 1 and self.stuck(plan[0].cards)
        return STUCK * stuck + sum(WEAK + (STRONG - WEAK) * self.stay_chance(combo) for combo in plan)

    def stuck(self, rest: Cards) -> bool:
        """Tell whether the rest is a single card that may not be led."""
        return len(rest) == 1 and rest[0] in self.unwanted

    def plan(self, rest: Cards) -> Plan:
        """Return the best way found to lay down the hand, or what is left of it, in combinations."""
        fit = [combo for combo in self.combos if not missing_cards(rest, combo.cards)]
        long = sorted((combo for combo in fit if len(combo.cards) > 3), key=self.stay_chance)
        short = sorted((combo for combo in fit if len(combo.cards) <= 3), key=lambda combo: -len(combo.cards))
        return min(plans(rest, spread(long), short), key=self.turns)

    # What to give, and what to play

    def spare(self, count: int, givable: Cards) -> Cards:
        """Return ``count`` cards to give away, each the one whose loss leaves the best hand."""
        rest = self.view.hand
        for _ in range(count):
            fit = (without(rest, (held,)) for held in rest if held in givable)
            rest = min(fit, key=lambda left: self.turns(self.plan(left)))
        return without(self.view.hand, rest)

    def lead(self, plays: Sequence[Combo]) -> Combo:
        """Return the lead: the weakest part of the plan, unless a seat is about to go out.

        Longer parts come before shorter ones.
        """
        must, hand = self.view.must, self.view.hand
        parts = [combo for combo in self.plan(hand) if must is None or must in combo.cards]
        parts = [combo for combo in parts if not self.stuck(without(hand, combo.cards))] or parts
        several = [combo for combo in (*parts, *plays) if len(combo.cards) > 1]
        weak = sum(self.stay_chance(combo) < SURE for combo in parts)
        if self.fewest == 1 and several:
            return min(several, key=self._early)
        if self.fewest == 1 or weak <= 1:
            return max(parts, key=lambda combo: (self.stay_chance(combo), hand.index(combo.head)))
        safe = [combo for combo in parts if len(combo.cards) != self.fewest]
        return min(safe or parts, key=self._early)

    def _early(self, combo: Combo) -> tuple[float, float]:
        return self.stay_chance(combo) - LONGER * len(combo.cards), self._even()

    def follow(self, plays: Sequence[Combo]) -> Combo | None:
        """Return the play that leaves the best plan, or None to pass.

        A play must save enough turns.
        """
        if self.view.trick.owner in self.view.allies:
            return None
        singles = [combo for combo in plays if len(combo.cards) == 1]
        if singles and self.fewest == 1:
            return singles[-1]  # the highest, as the precaution rule wants it, though the rival be not the next
        now = self.turns(self.plan(self.view.hand))
        left = {combo: self.turns(self.plan(without(self.view.hand, combo.cards))) for combo in candidates(plays)}
        best = min(left, key=lambda combo: (left[combo], self._even()))
        return best if now - left[best] >= self._needed() else None

    def _needed(self) -> float:
        """Return how many turns a play has to save: fewer the nearer a rival is to going out."""
        return ALARM if self.fewest <= 2 else PATIENCE * (self.fewest - CALM)

    def _even(self) -> float:
        return self.rng.random() if self.rng else 0


def _higher(view: View, seat: int) -> dict[Card, float]:
    """Return the share of unseen cards above each card.

    The unseen cards follow from a game imagined from the view.
    """
    imagined = view.rules.imagine(view, random.Random(0))
    others = (other for other in range(len(view.counts)) if other != seat)
    unseen = Counter(held for other in others for held in imagined.view(other).hand)
    above, share = 0, {}
    for held in reversed(view.rules.sort(tuple(dict.fromkeys((*unseen, *view.hand))))):
        share[held] = above / max(1, unseen.total())
        above += unseen[held]
    return share


def nearest(view: View) -> int:
    """Return the smallest number of cards of another seat that is not a known ally.

    If every other seat with cards is an ally, the smallest number among the allies.
    """
    held = {seat: count for seat, count in enumerate(view.counts) if seat != view.seat and count}
    return min([count for seat, count in held.items() if seat not in view.allies] or held.values())


def takes(combo: Combo, top: Combo | None) -> bool:
    """Tell whether a play takes up what it is put on: nothing else that is allowed is lower."""
    return top is not None and combo.level < top.level


def spread(long: Sequence[Combo]) -> list[Combo]:
    """Return at most MOST_LONG of the combinations, taken evenly from first to last."""
    step = max(1, len(long) / MOST_LONG)
    return [long[int(at * step)] for at in range(min(len(long), MOST_LONG))]


def candidates(plays: Sequence[Combo]) -> Sequence[Combo]:
    """Return the plays worth a plan: all, or the weakest 15 and the strongest of too many."""
    return plays if len(plays) <= 16 else [*plays[:15], plays[-1]]


def plans(hand: Cards, long: Sequence[Combo], short: Sequence[Combo]) -> Iterator[Plan]:
    """Yield ways to lay down the hand: some long combinations, the rest in the largest sets."""
    yield tuple(_shortest(hand, short))
    for at, combo in enumerate(long):
        if not missing_cards(hand, combo.cards):
            for plan in plans(without(hand, combo.cards), long[at + 1 :], short):
                yield (combo, *plan)


def _shortest(hand: Cards, short: Sequence[Combo]) -> Iterator[Combo]:
    rest = hand
    for combo in short:
        if rest and not missing_cards(rest, combo.cards):
            rest = without(rest, combo.cards)
            yield combo


@lru_cache(maxsize=1 << 14)
def at_least(count: int, copies: int, room: int, total: int) -> float:
    """Return the chance that at least ``count`` of ``copies`` equal cards are in a hand.

    room: the number of cards dealt to the hand. total: the number of cards to deal from, the copies included.
    """
    if count <= 0:
        return 1.0
    ways = sum(comb(copies, held) * comb(total - copies, room - held) for held in range(count, min(copies, room) + 1))
    return ways / comb(total, room)


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
    """Finds the cheapest combinations that empty a hand, or any remainder of the hand.

    A layout consists of sets of one kind and runs of several kinds. combos: all that the hand holds, every single card
    among them. cost: of a combination; kind_of: the kind of a card.
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
        """Return the cheapest layout found.

        Tried are sets alone, and several runs as the first part, each with further runs while they save something. The
        hand may hold other cards of the same kinds than the planner's hand.
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
    """Return the cheapest way to lay down each number of cards of a kind, 0 to ``most``."""
    found = [Layout(0.0, ())]
    for count in range(1, most + 1):
        fit = [(part, found[count - part.takes[0][1]]) for part in sets if part.takes[0][1] <= count]
        ways = [Layout(rest.cost + part.cost, (part.combo, *rest.parts)) for part, rest in fit]
        found.append(min(ways, key=lambda layout: layout.cost))
    return found
