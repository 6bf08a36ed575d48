"""2 and 3. How a hand begins: dealt anew, or imagined by a seat that sees only its own part of it.

Knows the rules and both parts of a hand. Refuses to know how either goes on.
"""

from __future__ import annotations

import random

from bot.rules.a_bao.bidding import ABaoBidding, dealt
from bot.rules.a_bao.imagine import imagine
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.core.cards import shuffled
from bot.rules.core.game import Result, View


class ABao(ABaoRules):
    """Tàihé A Bāo as a whole: its rules, and how its hands are dealt and imagined."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> ABaoBidding:
        """Shuffle and deal. dealer: who starts the bidding, unless the four of hearts says it: in the first hand."""
        order = tuple(shuffled(self.pack, rng))
        return dealt(self, order, rng.getrandbits(64), dealer if past else None)

    def imagine(self, view: View, rng: random.Random) -> ABaoBidding | ABaoGame:
        """Return some whole game in which the view's seat could be: its ``view(seat)`` equals the view."""
        return imagine(self, view, rng)
