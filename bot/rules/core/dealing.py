"""The base class of every game's rules: players, direction of play, first dealer; dealing is abstract.

The module of a hand in play needs its rules, and dealing needs that module: the abstract methods break the circle.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from bot.rules.core.game import Game, Result, View


class Dealing(ABC):
    """Rules without their dealing: subclasses above the hand modules implement ``deal`` and ``imagine``.

    By default the number of players is the option ``players``, any seat may deal first, and turns pass anticlockwise,
    to the next number.
    """

    options: Any
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
