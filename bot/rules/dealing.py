"""Rules as the hands under them know them: below what deals those hands.

Knows how many play. Refuses to know how cards are dealt, and any game.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any

from bot.rules.game import Game, Result, View


class Dealing(ABC):
    """Rules as the hands under them know them: they deal and imagine hands; how, only what stands above both knows.

    How many play is an option ``players``, and anybody may deal first, where a game says nothing else.
    """

    options: Any

    @property
    def players(self) -> int:
        """How many seats there are."""
        found: int = self.options.players
        return found

    def first_dealer(self, rng: random.Random) -> int:
        """Return who deals the first hand: any seat."""
        return rng.randrange(self.players)

    @abstractmethod
    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> Game:
        """Shuffle and deal the hand after the ``past`` ones; the dealer is the one of ``next_dealer``."""

    @abstractmethod
    def imagine(self, view: View, rng: random.Random) -> Game:
        """Return some whole game in which the view's seat could be: its ``view(seat)`` equals the view."""
