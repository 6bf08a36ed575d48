"""How seats play an imagined world of a packed game: each by a plan, made once and held against what lies there.

Knows what the seat on turn holds, how many cards the others have and who plays with whom. Refuses to look at the cards
of others.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from bot.ai.engine.codes import FIELD, STATE, bits
from bot.ai.engine.hand import NOTHING, PackedTricks
from bot.ai.engine.plans import Judge, Plan
from bot.ai.games.judges import Judges
from bot.rules.core.actions import Action, Play

OUT: Final = 0.3  # what no cards count for as a threat
LAST, NEARLY_OUT = 1, 2  # cards of somebody who goes out with the next play, or may do so


class Seated:
    """What a seat means to do in a world. rest_held: the sets in what it does not lay down in runs."""

    __slots__ = ("held", "judge", "rest", "runs")

    def __init__(self, judge: Judge, plan: Plan) -> None:
        self.judge, self.runs, self.rest = judge, [*plan.runs], plan.rest
        self.held = judge.codes.held(plan.rest) & ~judge.codes.several

    def copy(self) -> Seated:
        """Return the same once more."""
        other = object.__new__(Seated)
        other.judge, other.runs, other.rest, other.held = self.judge, self.runs[:], self.rest, self.held
        return other

    def played(self, code: int) -> None:
        """Take out of the plan what is played of it."""
        if code in self.runs:
            self.runs.remove(code)
            return
        codes = self.judge.codes
        [(slot, need)] = codes.takes[code]
        state = self.rest >> slot * FIELD & STATE
        self.rest += (need.after[state] - state) << slot * FIELD
        self.held &= codes.fits[slot][need.after[state]]


class Playing:
    """A whole hand that a seat can imagine, in the play. judges: what the seats think of combinations."""

    def __init__(self, hand: PackedTricks, judges: Judges) -> None:
        self._hand = hand
        self._allies = [hand.allies(seat) for seat in range(len(hand.hands))]
        self._judges = [judges.of(seat, allies) for seat, allies in enumerate(self._allies)]
        self._seated = [self._planned(hand, seat) for seat in range(len(hand.hands))]

    def outcome(self, action: Action, seat: int) -> float:
        """Return by how much a seat comes out better than the table where it does this now."""
        here = self._hand.copy()
        seats = [each.copy() for each in self._seated]
        if isinstance(action, Play):
            here.play_cards(action.cards)
            seats[seat] = self._planned(here, seat)
        else:
            here.skip()
        self._play_out(here, seats)
        points = here.points()
        return points[seat] - sum(points) / len(points)

    def to_the_end(self, here: PackedTricks) -> None:
        """Play the hand, or a copy of it, to its end."""
        self._play_out(here, [each.copy() for each in self._seated])

    def _planned(self, here: PackedTricks, seat: int) -> Seated:
        judge = self._judges[seat]
        return Seated(judge, judge.plan(here.hands[seat]))

    def _play_out(self, here: PackedTricks, seats: list[Seated]) -> None:
        """Play a hand to its end."""
        while not here.over:
            seat = here.turn
            code = self.chosen(here, seats[seat])
            if code == NOTHING:
                here.skip()
                continue
            count = here.counts[seat] - here.codes.sizes[code]
            here.play(code)
            if here.counts[seat] == count:
                seats[seat].played(code)
            else:  # it has taken what lay there
                seats[seat] = self._planned(here, seat)

    def chosen(self, here: PackedTricks, mine: Seated) -> int:
        """Return what the seat on turn plays, NOTHING where it passes."""
        legal = here.legal()
        if here.top != NOTHING and not legal:
            return NOTHING
        if len(mine.runs) == 1 and not mine.rest and legal >> mine.runs[0] & 1:
            return mine.runs[0]
        fewest = self._fewest(here)
        if here.top == NOTHING:
            return self._lead(here, mine, legal, fewest)
        return self._follow(here, mine, legal, fewest)

    def _fewest(self, here: PackedTricks) -> int:
        """Return the smallest number of cards that a rival holds."""
        friends, able = self._allies[here.turn] | 1 << here.turn, here.able
        rivals = able & ~friends
        return min([count for seat, count in enumerate(here.counts) if rivals >> seat & 1], default=NEARLY_OUT)

    def _lead(self, here: PackedTricks, mine: Seated, legal: int, fewest: int) -> int:
        judge, sizes = mine.judge, here.codes.sizes
        parts = [part for part in (*mine.runs, *judge.in_sets(mine.rest)) if legal >> part & 1]
        if len(parts) < 2:
            return parts[0] if parts else next(bits(legal))
        standing, early = judge.standing, judge.early
        stands = sorted([standing[part] for part in parts])
        if prod(stands[1:]) >= judge.manner.sure:
            return max(parts, key=standing.__getitem__)
        if fewest > LAST:
            alone = legal & here.codes.singles
            friends = self._allies[here.turn] & here.able
            if friends and alone and any(here.counts[friend] == LAST for friend in bits(friends)):
                return next(bits(alone))
            return min([part for part in parts if sizes[part] != fewest] or parts, key=early.__getitem__)
        several = [part for part in parts if sizes[part] > 1]
        return min(several, key=early.__getitem__) if several else max(parts, key=standing.__getitem__)

    def _follow(self, here: PackedTricks, mine: Seated, legal: int, fewest: int) -> int:
        """Return what leaves the best prospects, a part of the plan or a set; NOTHING to pass."""
        codes, count = here.codes, here.counts[here.turn]
        best, least = NOTHING, self._passing(here, mine.judge, fewest)
        for code, change in self._changes(mine, legal):
            if codes.sizes[code] == count:
                return code
            cost = change + self._risk(mine.judge, code, fewest)
            cost -= mine.judge.manner.bounty * codes.gained(code, here.top)
            if cost < least:
                best, least = code, cost
        spared = self._allies[here.turn] >> here.owner & 1 and fewest > NEARLY_OUT
        return NOTHING if best != NOTHING and spared and codes.bombs[best] else best

    @staticmethod
    def _changes(mine: Seated, legal: int) -> Iterator[tuple[int, float]]:
        """Yield what can be played without breaking a run, and by how much the plan is dearer then."""
        judge, takes = mine.judge, mine.judge.codes.takes
        for run in mine.runs:
            if legal >> run & 1:
                yield run, -judge.cost[run]
        for code in bits(mine.held & legal):
            [(slot, need)] = takes[code]
            state = mine.rest >> slot * FIELD & STATE
            yield code, judge.sets(slot, need.after[state]).cost - judge.sets(slot, state).cost

    @staticmethod
    def _risk(judge: Judge, code: int, fewest: int) -> float:
        """Return the turns it costs where a rival beats this, less those that the lead is worth where nobody does."""
        stays, manner = judge.standing[code], judge.manner
        return (1 - stays) * manner.threat / max(fewest - judge.codes.sizes[code], OUT) - manner.worth * stays

    def _passing(self, here: PackedTricks, judge: Judge, fewest: int) -> float:
        """Return the turns that a pass costs, or saves, by leaving the lead to whose play is on top."""
        top, owner, manner, size = here.top, here.owner, judge.manner, here.codes.sizes[here.top]
        friends = self._allies[here.turn]
        if not friends >> owner & 1:
            near = fewest if fewest <= size else here.counts[owner]
            return manner.threat / max(near - LAST, OUT)
        rivals = here.able & ~friends & ~(1 << here.turn)
        stays = 1.0 if not rivals & ~here.out else judge.standing[top]
        return manner.threat / max(fewest - size, OUT) * (1 - stays) - manner.helping * stays
