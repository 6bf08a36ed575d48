"""Rules as the hands under them know them: below what deals those hands.

Knows how many play. Refuses to know how cards are dealt, and any game.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from bot.rules.core.game import Game, Result, View


class Dealing(ABC):
    """Rules as the hands under them know them: they deal and imagine hands; how, only what stands above both knows.

    How many play is an option ``players``, anybody may deal first, and turns go anticlockwise from one number to the
    next, where a game says nothing else.
    """

    options: Any
    clockwise: ClassVar[bool] = False

    @property
    def players(self) -> int:
        """How many seats there are."""
        found: int = self.options.players
        return found

    def step(self, hand: int) -> int:  # in most games all hands go the same way
        """Return 1 where turns go to the next number in this hand, -1 where they go to the one before."""
        return 1

    def first_dealer(self, rng: random.Random) -> int:
        """Return who deals the first hand: any seat."""
        return rng.randrange(self.players)

    @abstractmethod
    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> Game:
        """Shuffle and deal the hand after the ``past`` ones; the dealer is the one of ``next_dealer``."""

    @abstractmethod
    def imagine(self, view: View, rng: random.Random) -> Game:
        """Return some whole game in which the view's seat could be: its ``view(seat)`` equals the view."""
