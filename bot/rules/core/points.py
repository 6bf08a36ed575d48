"""The base classes of every game's rules: seats and dealing, and matches won by points."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any, ClassVar

from bot.rules.core.game import Drawn, Game, Result, View


class Dealing(ABC):
    """Rules without their dealing.

    Subclasses above the hand modules implement ``deal`` and ``imagine``.

    By default the number of players is the option ``players``, any seat may deal first, turns pass anticlockwise, to
    the next number, and pictures show no facts.
    """

    options: Any
    drawn: ClassVar[Mapping[str, Drawn]] = {}
    clockwise: ClassVar[bool] = False

    @property
    def players(self) -> int:
        """The number of seats."""
        found: int = self.options.players
        return found

    def step(self, hand: int) -> int:  # in most games the direction is the same in all hands
        """Return 1 if turns pass to the next number in this hand, -1 if to the previous number."""
        return 1

    def first_dealer(self, rng: random.Random) -> int:
        """Return the dealer of the first hand: any seat."""
        return rng.randrange(self.players)

    @abstractmethod
    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> Game:
        """Shuffle and deal the hand after the ``past`` ones. dealer: as ``next_dealer`` returns."""

    @abstractmethod
    def imagine(self, view: View, rng: random.Random) -> Game:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""


def totals_of(results: Iterable[Result], players: int) -> tuple[int, ...]:
    """Return the total points of each seat over these hands."""
    points = [result.points for result in results]
    return tuple(sum(map(itemgetter(seat), points)) for seat in range(players))


# The option that a table changes for a stake, in units a point.
STAKE_WISHES: Mapping[str, Callable[[Any, Any], dict[str, Any]]] = {"stake": lambda units, _: {"stake": units}}
# The options that a table changes for a number of hands, or for a target score.
LENGTH_WISHES: Mapping[str, Callable[[Any, Any], dict[str, Any]]] = {
    "hands": lambda count, _: {"match_end": "deals", "deals": count},
    "target": lambda points, _: {"match_end": "points", "target": points},
}


class MostPointsWin(Dealing):
    """Rules with the options ``match_end``, ``deals`` and ``target``.

    ``match_end`` is "open", "deals" or "points".
    """

    @property
    def hands(self) -> int | None:
        """The number of hands in the match, None if the number of hands does not end the match."""
        return self.options.deals if self.options.match_end == "deals" else None

    @property
    def target(self) -> int | None:
        """The score that ends the match, or None."""
        return self.options.target if self.options.match_end == "points" else None

    def ranking(self, results: tuple[Result, ...]) -> tuple[int, ...]:
        """Return a number for each seat, lowest best: most points win."""
        return tuple(-total for total in totals_of(results, self.players))

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands."""
        if self.hands is not None:
            return len(results) >= self.hands
        return self.target is not None and -min(self.ranking(results)) >= self.target
