"""How a seat plays an imagined hand: costs of combinations, the cheapest plan, its use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final, NamedTuple

from bot.ai.engine.codes import FIELD, STATE, Codes, bits
from bot.ai.engine.hand import NOTHING, ClimbingHand

FIRSTS = 2  # runs with which a plan may begin


class Weights(NamedTuple):
    """The weights of a seat in an imagined hand.

    weak, strong: the turns that a combination with a stay chance of 0 and of 1 costs. sure: a stay chance to count on.
    longer: the stay chance that one more card outweighs in a lead. worth: the turns that the lead is worth. threat: the
    turns that a rival's lead costs, divided by its cards. helping: the turns that an ally's lead is worth. bounty: the
    turns that a unit gained by a chop is worth. keeping: the stay chance that it costs to lead a bomb.
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
    """The plan of a seat to lay down its hand.

    runs: codes; rest: the other cards, as sets; cost: of all.
    """

    runs: tuple[int, ...]
    rest: int
    cost: float


class Judge:
    """A player's estimates: how likely combinations are to stay on top, their cost and order.

    early: a sort key of leads, lowest first.
    """

    def __init__(self, codes: Codes, stay_chance: Sequence[float], weights: Weights) -> None:
        self.codes, self.stay_chance, self.weights = codes, stay_chance, weights
        self.cost = [weights.weak + (weights.strong - weights.weak) * stands for stands in stay_chance]
        parts = zip(stay_chance, codes.sizes, codes.bombs, strict=True)
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


OUT: Final = 0.3  # the weight of no cards as a threat
LAST, NEARLY_OUT = 1, 2  # cards of a player who goes out with the next play, or may do so


class ClimbingPlayer:
    """A seat with its plan.

    friends: the others of its side, as bits. count: its cards. runs: the codes of several ranks that it means to play;
    rest: the other cards, played as sets; held: all sets in them.
    """

    __slots__ = ("count", "friends", "held", "judge", "rest", "runs", "seat")

    runs: list[int]
    rest: int
    held: int
    count: int

    def __init__(self, judge: Judge, hand: ClimbingHand, seat: int) -> None:
        self.judge, self.seat, self.friends = judge, seat, hand.allies(seat)
        self.replan(hand)

    def copy(self) -> ClimbingPlayer:
        """Return an independent copy."""
        other = object.__new__(ClimbingPlayer)
        other.judge, other.seat, other.friends, other.count = self.judge, self.seat, self.friends, self.count
        other.runs, other.rest, other.held = self.runs[:], self.rest, self.held
        return other

    def replan(self, hand: ClimbingHand, code: int = NOTHING) -> None:  # whatever was played
        """Plan again for the seat's present hand."""
        judge, mine = self.judge, hand.hands[self.seat]
        plan = judge.plan(mine)
        self.runs, self.rest, self.count = [*plan.runs], plan.rest, hand.counts[self.seat]
        self.held = judge.codes.held(plan.rest) & ~judge.codes.several

    def played(self, hand: ClimbingHand, code: int) -> None:
        """Take a play out of the plan; plan again if the play broke the plan."""
        codes = self.judge.codes
        self.count -= codes.sizes[code]
        if hand.counts[self.seat] != self.count:
            self.replan(hand)
        elif code in self.runs:
            self.runs.remove(code)
        else:
            [(slot, need)] = codes.takes[code]
            state = self.rest >> slot * FIELD & STATE
            self.rest += (need.after[state] - state) << slot * FIELD
            self.held &= codes.fits[slot][need.after[state]]

    def chosen(self, here: ClimbingHand) -> int | None:
        """Return the code that the seat plays, None to pass."""
        legal = here.legal()
        if here.top != NOTHING and not legal:
            return None
        if len(self.runs) == 1 and not self.rest and legal >> self.runs[0] & 1:
            return self.runs[0]
        fewest = self._fewest(here)
        if here.top == NOTHING:
            return self._lead(here, legal, fewest)
        return self._follow(here, legal, fewest)

    def _fewest(self, here: ClimbingHand) -> int:
        """Return the smallest number of cards that a rival holds."""
        rivals = here.able & ~(self.friends | 1 << self.seat)
        return min([count for seat, count in enumerate(here.counts) if rivals >> seat & 1], default=NEARLY_OUT)

    def _lead(self, here: ClimbingHand, legal: int, fewest: int) -> int:
        judge, sizes = self.judge, here.codes.sizes
        parts = [part for part in (*self.runs, *judge.in_sets(self.rest)) if legal >> part & 1]
        if len(parts) < 2:
            return parts[0] if parts else next(bits(legal))
        stay_chance, early = judge.stay_chance, judge.early
        stands = sorted([stay_chance[part] for part in parts])
        if prod(stands[1:]) >= judge.weights.sure:
            return max(parts, key=stay_chance.__getitem__)
        if fewest > LAST:
            alone = legal & here.codes.singles
            friends = self.friends & here.able
            if friends and alone and any(here.counts[friend] == LAST for friend in bits(friends)):
                return next(bits(alone))
            return min([part for part in parts if sizes[part] != fewest] or parts, key=early.__getitem__)
        several = [part for part in parts if sizes[part] > 1]
        return min(several, key=early.__getitem__) if several else max(parts, key=stay_chance.__getitem__)

    def _follow(self, here: ClimbingHand, legal: int, fewest: int) -> int | None:
        """Return what leaves the best prospects, a part of the plan or a set; None to pass."""
        codes, best, least = here.codes, None, self._passing(here, fewest)
        for code, change in self._changes(legal):
            if codes.sizes[code] == self.count:
                return code
            cost = change + self._risk(code, fewest)
            cost -= self.judge.weights.bounty * codes.gained(code, here.top)
            if cost < least:
                best, least = code, cost
        spared = self.friends >> here.owner & 1 and fewest > NEARLY_OUT
        return None if best is not None and spared and codes.bombs[best] else best

    def _changes(self, legal: int) -> Iterator[tuple[int, float]]:
        """Yield the plays that break no run, and by how much the plan is dearer after each."""
        judge, takes = self.judge, self.judge.codes.takes
        for run in self.runs:
            if legal >> run & 1:
                yield run, -judge.cost[run]
        for code in bits(self.held & legal):
            [(slot, need)] = takes[code]
            state = self.rest >> slot * FIELD & STATE
            yield code, judge.sets(slot, need.after[state]).cost - judge.sets(slot, state).cost

    def _risk(self, code: int, fewest: int) -> float:
        """Return the expected turns lost to a beaten play, minus the expected worth of the lead."""
        stays, weights = self.judge.stay_chance[code], self.judge.weights
        return (1 - stays) * weights.threat / max(fewest - self.judge.codes.sizes[code], OUT) - weights.worth * stays

    def _passing(self, here: ClimbingHand, fewest: int) -> float:
        """Return the turns that a pass costs, or saves, by leaving the lead to the top's owner."""
        top, owner, weights, size = here.top, here.owner, self.judge.weights, here.codes.sizes[here.top]
        friends = self.friends
        if not friends >> owner & 1:
            near = fewest if fewest <= size else here.counts[owner]
            return weights.threat / max(near - LAST, OUT)
        rivals = here.able & ~friends & ~(1 << self.seat)
        stays = 1.0 if not rivals & ~here.out else self.judge.stay_chance[top]
        return weights.threat / max(fewest - size, OUT) * (1 - stays) - weights.helping * stays
