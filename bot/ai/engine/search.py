"""What to do, found by trying it out in worlds that a seat can imagine.

Each thing that can be done is tried in the same worlds. What does worst is given up on the way. Knows what can be done,
how worlds are made, and dice. Refuses to know which game it is, and the time: whoever asks says when it is late.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from bot.rules.core.actions import Action


class Round(NamedTuple):
    """So many of the best choices are tried in so many more worlds."""

    choices: int
    worlds: int


def never() -> bool:
    """Have all the time there is."""
    return False


class World(Protocol):
    """A whole hand that a seat can imagine."""

    def outcome(self, action: Action, seat: int) -> float:
        """Return by how many points a seat comes out better than the table where it does this now."""
        ...


DOUBT = 1.5  # standard errors by which something has to be better than what looked best
HOPE = 1.0  # and by which something has to be worse before it is given up
FEW = 4  # worlds that tell nothing

Worlds: TypeAlias = Callable[[random.Random], World]


class Tally:
    """By how much something has come out better than what looked best before anything was tried, world by world."""

    def __init__(self) -> None:
        self._sum = self._squares = 0.0
        self._count = 0

    def add(self, gain: float) -> None:
        """Take one more world in."""
        self._sum += gain
        self._squares += gain * gain
        self._count += 1

    @property
    def mean(self) -> float:
        """The mean of all worlds so far."""
        return self._sum / self._count if self._count else 0.0

    @property
    def sure(self) -> float:
        """The mean less what may be chance: something has to be better by more than that."""
        return self.mean - DOUBT * self._error if self._count >= FEW else 0.0

    @property
    def hopeless(self) -> bool:
        """Whether it is hardly better: there is no use in trying it any more."""
        return self._count >= FEW and self.mean + HOPE * self._error < 0

    @property
    def _error(self) -> float:
        """The standard error of the mean."""
        spread = max(0.0, self._squares / self._count - self.mean * self.mean)
        return math.sqrt(spread / self._count)


class Search:
    """The choices of a seat and what they have come to so far. worlds: how one is made."""

    def __init__(self, seat: int, worlds: Worlds, rng: random.Random) -> None:
        self._seat, self._worlds, self._rng = seat, worlds, rng
        self.tried = 0

    def best(self, choices: Sequence[Action], rounds: Sequence[Round], late: Callable[[], bool] = never) -> Action:
        """Return what has come out best: the first, unless another one is surely better.

        choices: what looks best first. late: tells when there is no more time; one world is always tried.
        """
        first, *rest = choices
        tallies = {action: Tally() for action in rest}
        for count, worlds in rounds:
            hoped = [action for action, tally in tallies.items() if not tally.hopeless]
            order = sorted(hoped, key=lambda action: tallies[action].mean, reverse=True)[:count]
            tallies = {action: tallies[action] for action in order}
            if tallies:
                self._try(first, tallies, worlds, late)
        best = max(tallies, key=lambda action: tallies[action].sure, default=first)
        return best if best in tallies and tallies[best].sure > 0 else first

    def compare(self, better: Action, done: Action, worlds: int) -> float:
        """Return by how many points the first comes out better, on average over so many worlds."""
        tally = Tally()
        self._try(done, {better: tally}, worlds, never)
        return tally.mean

    def _try(self, first: Action, tallies: Mapping[Action, Tally], worlds: int, late: Callable[[], bool]) -> None:
        """Try every choice in so many more worlds."""
        for _ in range(worlds):
            if self.tried and late():
                break
            world = self._worlds(self._rng)
            gain = world.outcome(first, self._seat)
            for action, tally in tallies.items():
                tally.add(world.outcome(action, self._seat) - gain)
            self.tried += 1
