"""2 and 3. The beginning of a hand: dealt, or imagined from a seat's view."""

from __future__ import annotations

import random

from bot.rules.a_bao.bidding import ABaoBidding, dealt
from bot.rules.a_bao.imagine import imagine
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.core.cards import shuffled
from bot.rules.core.game import Result, View


class ABao(ABaoRules):
    """Tàihé A Bāo complete: its rules with dealing and imagining."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> ABaoBidding:
        """Shuffle and deal. dealer: the starter, unless the four of hearts decides, as in the first hand."""
        order = tuple(shuffled(self.pack, rng))
        return dealt(self, order, rng.getrandbits(64), dealer if past else None)

    def imagine(self, view: View, rng: random.Random) -> ABaoBidding | ABaoGame:
        """Return a possible complete game for the view's seat: its ``view(seat)`` equals the view."""
        return imagine(self, view, rng)
