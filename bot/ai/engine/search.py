"""The choice of an action by trying it out in imagined hands.

All actions are tried in the same hands, and the worst are given up on the way. The caller says when it is late.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import NamedTuple, Protocol, TypeAlias

from bot.rules.core.actions import Action

DOUBT = 1.5  # standard errors by which a cautious player wants another action to be better than the first
HOPE = 1.0  # standard errors by which an action has to be worse before a cautious player gives it up
MIN_HANDS = 4  # fewer imagined hands have no standard error


class Round(NamedTuple):
    """The number of promising actions, and the number of further imagined hands in which to try them."""

    choices: int
    worlds: int


Rounds: TypeAlias = tuple[Round, ...]


class ImaginedHand(Protocol):
    """A whole hand, with all cards, that the seat can imagine."""

    def outcome(self, action: Action, seat: int) -> float:
        """Return by how many points the seat comes out better than the table after this action."""
        ...


Imagine: TypeAlias = Callable[[random.Random], ImaginedHand]


def never() -> bool:
    """Return that it is not late: the default of ``late``."""
    return False


class ActionTally:
    """The gains of an action over the imagined hands so far."""

    def __init__(self) -> None:
        self.total = self._squares = 0.0
        self._count = 0

    def add(self, gain: float) -> None:
        """Count the gain in one more imagined hand."""
        self.total += gain
        self._squares += gain * gain
        self._count += 1

    @property
    def sure(self) -> float:
        """The mean gain less what may be chance."""
        return self.total / self._count - DOUBT * self._error if self._count >= MIN_HANDS else 0.0

    @property
    def is_hopeless(self) -> bool:
        """Whether the gain is surely negative, so that further trials are a waste."""
        return self._count >= MIN_HANDS and self.total / self._count + HOPE * self._error < 0

    @property
    def _error(self) -> float:
        """The standard error of the mean."""
        mean = self.total / self._count
        return math.sqrt(max(0.0, self._squares / self._count - mean * mean) / self._count)


class Search:
    """A search for the best action of a seat.

    imagine: makes an imagined hand. cautious: whether gains are measured against the first action, which is done unless
    another one is surely better; else the action with the highest total is done.
    """

    def __init__(self, seat: int, imagine: Imagine, rng: random.Random, *, cautious: bool = True) -> None:
        self._seat, self._imagine, self._rng, self._cautious = seat, imagine, rng, cautious
        self.tried = 0

    def best(self, actions: Sequence[Action], rounds: Rounds, late: Callable[[], bool] = never) -> Action:
        """Return the best action.

        actions: the most promising first. late: tells when the time is over; one imagined hand is always tried.
        """
        tallies = {action: ActionTally() for action in actions}
        for count, worlds in rounds:
            tallies = {action: tallies[action] for action in self._promising(tallies, count)}
            for _ in range(worlds if len(tallies) > 1 else 0):
                if self.tried and late():
                    break
                gains = self._try(tallies)
                least = gains[actions[0]] if self._cautious else 0.0
                for action, tally in tallies.items():
                    tally.add(gains[action] - least)
        return max(tallies, key=lambda action: tallies[action].sure if self._cautious else tallies[action].total)

    def trials(self, actions: Collection[Action]) -> Iterator[Mapping[Action, float]]:
        """Yield the outcome of each action, one imagined hand after the other."""
        while True:
            yield self._try(actions)

    def compare(self, better: Action, done: Action, worlds: int) -> float:
        """Return by how many points the first action comes out better, on average over so many imagined hands."""
        return fmean(gains[better] - gains[done] for gains in islice(self.trials((better, done)), worlds))

    def _promising(self, tallies: Mapping[Action, ActionTally], count: int) -> Iterator[Action]:
        """Yield the first action, if this search is cautious, and so many of the best others."""
        actions = list(tallies)
        if self._cautious:
            yield actions[0]
            actions = [action for action in actions[1:] if not tallies[action].is_hopeless]
        yield from sorted(actions, key=lambda action: tallies[action].total, reverse=True)[:count]

    def _try(self, actions: Collection[Action]) -> Mapping[Action, float]:
        """Return the outcome of each action in one more imagined hand."""
        hand = self._imagine(self._rng)
        self.tried += 1
        return {action: hand.outcome(action, self._seat) for action in actions}
