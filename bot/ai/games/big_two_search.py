"""What to play in Big Two, found by trying it out in many worlds that a seat can imagine.

Each thing that can be done is tried in the same worlds, and each world is played to its end by plans, in which others
wait or play whatever they can, as each is taken for. What does worst is given up on the way. Knows a sight and dice.
Refuses to know the time: whoever asks says when it is late.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from statistics import fmean

from bot.ai.engine.endings import gain
from bot.ai.engine.search import Round, never
from bot.ai.games.big_two_belief import Sight
from bot.ai.games.big_two_codes import CARDS, MOST
from bot.ai.games.big_two_costs import CAREFUL, EAGER, Costs
from bot.ai.games.big_two_hand import PackedHand
from bot.ai.games.big_two_player import PASS, Parts, play_out, ponder

ROUNDS = (Round(12, 24), Round(6, 80), Round(3, 200))


class Search:
    """The choices of a seat and what they have come to so far."""

    def __init__(self, sight: Sight, rng: random.Random) -> None:
        self.sight, self.rng = sight, rng
        self.hand, self.seat = sight.hand, sight.seat
        codes, about = self.hand.law.codes, sight.about
        self.codes = codes
        self.eager, self.careful = Costs(codes, about, EAGER), Costs(codes, about, CAREFUL)
        self.plays = self.hand.plays_of(self.seat)
        self.plan = self.eager.plan(self.hand.hands[self.seat], self.plays[MOST])
        self.left = dict[int, float]()  # what was found of what is left of its hand, in any world
        self.gains = dict.fromkeys(self._choices(), 0.0)
        self.worlds = 0

    def _choices(self) -> list[int]:
        """Return what can be done, what leaves the best plan first."""
        held, fives = self.hand.hands[self.seat], self.plays[MOST]
        choices = self.hand.legal()
        choices.sort(key=lambda code: self.eager.best(held & ~code, fives))
        tactical = ponder(self.hand, self.plan, self.eager)
        passing = [PASS] if self.hand.may_pass else []
        return list(dict.fromkeys([tactical, *passing, *choices]))

    def best(self, rounds: tuple[Round, ...] = ROUNDS, late: Callable[[], bool] = never) -> int:
        """Return the code to play, or PASS. late: tells when there is no more time; one world is always tried."""
        for choices, worlds in rounds:
            self._keep(choices)
            if len(self.gains) == 1:
                break
            after = {code: self._after(code) for code in self.gains}
            for _ in range(worlds):
                if self.worlds and late():
                    break
                self._try(after)
        return max(self.gains, key=self.gains.__getitem__)

    def trials(self, codes: Sequence[int]) -> Iterator[Mapping[int, float]]:
        """Yield what comes of each of these, one world after the other."""
        after = {code: self._after(code) for code in codes}
        while True:
            self.gains = dict.fromkeys(codes, 0.0)
            self._try(after)
            yield self.gains

    def compare(self, codes: tuple[int, int], worlds: int) -> float:
        """Return by how many points the first of two comes out better, on average over so many worlds."""
        better, done = codes
        return fmean(gains[better] - gains[done] for gains in islice(self.trials(codes), worlds))

    def _keep(self, count: int) -> None:
        """Give up all choices but the best; before any is tried, those that look best."""
        order = sorted(self.gains, key=self.gains.__getitem__, reverse=True)[:count]
        self.gains = {code: self.gains[code] for code in order}

    def _after(self, code: int) -> Parts:
        """Return the plan once this is played."""
        if code == PASS or code in self.plan:
            return [part for part in self.plan if part != code]
        held = self.hand.hands[self.seat] & ~code
        return self.eager.plan(held, [five for five in self.plays[MOST] if not five & code & CARDS])

    def _try(self, after: dict[int, Parts]) -> None:
        """Try every choice in one more world."""
        hands = self.sight.world(self.rng)
        plays = [self.codes.plays(held) for held in hands]
        plays[self.seat] = self.plays
        costs = [self.eager if self.rng.random() < likely else self.careful for likely in self.sight.eager]
        costs[self.seat] = self.eager
        plans = [each.plan(held, own[MOST]) for each, held, own in zip(costs, hands, plays, strict=True)]
        left: list[dict[int, float]] = [{} for _ in hands]
        left[self.seat] = self.left
        for code, mine in after.items():
            trial = self.hand.among(hands, plays)
            plans[self.seat] = mine
            self.gains[code] += self._outcome(trial, code, plans[:], costs, left)
        self.worlds += 1

    def _outcome(
        self, trial: PackedHand, code: int, plans: list[Parts], costs: list[Costs], left: list[dict[int, float]]
    ) -> float:
        if code == PASS:
            trial.skip()
        else:
            trial.play(code)
        play_out(trial, plans, costs, left)
        return gain(trial, trial.points(), self.seat)
