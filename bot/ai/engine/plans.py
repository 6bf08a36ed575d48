"""The cost of combinations and hands of a packed game, in turns that the opponents get, and the cheapest plan.

A combination that is hardly ever beaten costs little, because it keeps the lead. Its standing is asked of the plain
player of the game once, for all imagined hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.ai.engine.codes import FIELD, STATE, Codes, bits

FIRSTS = 2  # runs with which a plan may begin


class Weights(NamedTuple):
    """The weights of a seat in an imagined hand.

    weak, strong: the turns that a combination of standing 0 and of standing 1 costs. sure: a standing to count on.
    longer: the standing that one more card outweighs in a lead. worth: the turns that the lead is worth. threat: the
    turns that a rival's lead costs, divided by its cards. helping: the turns that an ally's lead is worth. bounty: the
    turns that a unit gained by a chop is worth. keeping: the standing that it costs to lead a bomb.
    """

    weak: float
    strong: float
    sure: float
    longer: float
    worth: float
    threat: float
    helping: float = 0.0
    bounty: float = 0.0
    keeping: float = 0.0


class Sets(NamedTuple):
    """How the cards of one slot are best laid down, and what that costs."""

    cost: float
    codes: tuple[int, ...]


class HandPlan(NamedTuple):
    """In what somebody means to lay down a hand. runs: codes; rest: the other cards, as sets; cost: of all."""

    runs: tuple[int, ...]
    rest: int
    cost: float


class Judge:
    """What somebody thinks of combinations: how likely each is to stay on top, what it costs, how early to lead it."""

    def __init__(self, codes: Codes, standing: Sequence[float], weights: Weights) -> None:
        self.codes, self.standing, self.weights = codes, standing, weights
        self.cost = [weights.weak + (weights.strong - weights.weak) * stands for stands in standing]
        parts = zip(standing, codes.sizes, codes.bombs, strict=True)
        self.early = [stands - weights.longer * size + weights.keeping * bomb for stands, size, bomb in parts]
        self._of_slot: list[dict[int, Sets]] = [{0: Sets(0.0, ())} for _ in codes.slots]
        self._alone = [codes.of_slot(slot) for slot in codes.slots]
        self._plans: dict[int, HandPlan] = {}

    def sets(self, slot: int, state: int) -> Sets:
        """Return how cards of a slot are best laid down."""
        known = self._of_slot[slot]
        found = known.get(state)
        if found is None:
            ways = []
            for code, need in self._alone[slot]:
                if need.fits[state]:
                    rest = self.sets(slot, need.after[state])
                    ways.append(Sets(self.cost[code] + rest.cost, (code, *rest.codes)))
            found = known[state] = min(ways)
        return found

    def in_sets(self, hand: int) -> list[int]:
        """Return in what sets cards are best laid down."""
        found, slot = list[int](), 0
        while hand:
            if state := hand & STATE:
                found += self.sets(slot, state).codes
            hand >>= FIELD
            slot += 1
        return found

    def plan(self, hand: int) -> HandPlan:
        """Return the cheapest way found to lay down a hand."""
        found = self._plans.get(hand)
        if found is None:
            found = self._plans[hand] = self._best(hand)
        return found

    def _best(self, hand: int) -> HandPlan:
        rest, slot, cost = hand, 0, 0.0
        while rest:
            if state := rest & STATE:
                cost += self.sets(slot, state).cost
            rest >>= FIELD
            slot += 1
        runs = [*bits(self.codes.held(hand) & self.codes.several)]
        plain = HandPlan((), hand, cost)
        savings = sorted((self._change(hand, run), run) for run in runs)
        good = [(change, run) for change, run in savings if change < 0]
        return min([plain, *(self._from(plain, change, run, good) for change, run in good[:FIRSTS])], key=_cost)

    def _from(self, plan: HandPlan, change: float, run: int, runs: Sequence[tuple[float, int]]) -> HandPlan:
        """Return the plan with this run, and with what else saves most, step by step."""
        codes = self.codes
        while True:
            plan = HandPlan((*plan.runs, run), codes.left(plan.rest, run), plan.cost + change)
            held = codes.held(plan.rest)
            runs = [(self._change(plan.rest, run), run) for _, run in runs if held >> run & 1]
            change, run = min(runs, default=(0.0, 0))
            if change >= 0:
                return plan

    def _change(self, hand: int, run: int) -> float:
        """Return by how much a run that is held makes a plan in sets dearer; below 0 it saves."""
        change = self.cost[run]
        for slot, need in self.codes.takes[run]:
            state = hand >> slot * FIELD & STATE
            change += self.sets(slot, need.after[state]).cost - self.sets(slot, state).cost
        return change


def _cost(plan: HandPlan) -> float:
    return plan.cost
