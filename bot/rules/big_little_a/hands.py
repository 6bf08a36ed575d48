"""2. The beginning of a hand: dealt, or generated to match a seat's view."""

from __future__ import annotations

import random
from dataclasses import replace

from bot.rules.big_little_a.groups import in_order
from bot.rules.big_little_a.imagine import imagine
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_little_a.rules import BigLittleARules
from bot.rules.big_little_a.tables import DEAL, DEALT
from bot.rules.core.cards import shuffled
from bot.rules.core.game import Result, View


class BigLittleA(BigLittleARules):
    """The complete rules of The Big and the Little A, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigLittleAGame:
        """Shuffle and deal; the seat after the dealer leads, unless a random choice breaks a tie (O4.2)."""
        order, (size, _) = tuple(shuffled(DEALT, rng)), DEAL[self.players]
        hands = tuple(in_order(order[seat * size : (seat + 1) * size]) for seat in range(self.players))
        starter = (dealer + 1) % self.players
        if past and self.options.starter_tie == "random":
            tied = self.most(past)
            starter = tied[rng.randrange(len(tied))]
        return BigLittleAGame(self, hands, order[size * self.players :], starter, starter)

    def imagine(self, view: View, rng: random.Random) -> BigLittleAGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        return imagine(replace(self, a_round=False), view, rng)
