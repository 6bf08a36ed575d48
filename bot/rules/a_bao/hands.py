"""2 and 3. The beginning of a hand: dealt, or generated to match a seat's view."""

from __future__ import annotations

import random

from bot.rules.a_bao.bidding import ABaoBidding, dealt
from bot.rules.a_bao.imagine import imagine
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.core.cards import shuffled
from bot.rules.core.game import Result, View


class ABao(ABaoRules):
    """The complete rules of Tàihé A Bāo, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> ABaoBidding:
        """Shuffle and deal. dealer: the starter, unless the four of hearts decides, as in the first hand."""
        order = tuple(shuffled(self.pack, rng))
        return dealt(self, order, rng.getrandbits(64), dealer if past else None)

    def imagine(self, view: View, rng: random.Random) -> ABaoBidding | ABaoGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        return imagine(self, view, rng)
