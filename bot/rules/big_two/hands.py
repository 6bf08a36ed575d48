"""5. How a hand begins: dealt anew, or imagined by a seat that sees only its own part of it.

Knows the rules and a hand. Refuses to know how it goes on.
"""

from __future__ import annotations

import random

from bot.rules.big_two import deal
from bot.rules.big_two.imagine import imagine
from bot.rules.big_two.options import Options
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.core.game import Result, View
from bot.rules.core.sentences import Illegal


class BigTwo(BigTwoRules):
    """Big Two as a whole: its rules, and how its hands are dealt and imagined."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigTwoGame:
        """Shuffle, cut and deal the hand after the past ones."""
        return deal.deal(self, rng, dealer, past)

    def imagine(self, view: View, rng: random.Random) -> BigTwoGame:
        """Return some whole game in which the view's seat could be: its ``view(seat)`` equals the view."""
        return imagine(self, view, rng)


def new(options: Options) -> BigTwo:
    """Return the game as a new match plays it. Raises Illegal for a target that nobody can reach."""
    if options.match_end == "target" and options.scoring == "places" and max(options.paid_places) <= 0:
        raise Illegal("C45.8", "Nobody can reach the target: no place brings any points.")
    return BigTwo(options)


def former(options: Options, version: int) -> BigTwo:
    """Return the game as it was in an earlier version of the rules."""
    return BigTwo(options, version=version)
