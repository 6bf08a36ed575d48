"""5. The beginning of a hand: dealt, or imagined from a seat's view."""

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
    """Big Two complete: its rules with dealing and imagining."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigTwoGame:
        """Shuffle, cut and deal the hand after the past ones."""
        return deal.deal(self, rng, dealer, past)

    def imagine(self, view: View, rng: random.Random) -> BigTwoGame:
        """Return a possible complete game for the view's seat: its ``view(seat)`` equals the view."""
        return imagine(self, view, rng)


def new(options: Options) -> BigTwo:
    """Return the game for a new match. Raises Illegal for an unreachable target."""
    if options.match_end == "target" and options.scoring == "places" and max(options.paid_places) <= 0:
        raise Illegal("C45.8", "Nobody can reach the target: no place brings any points.")
    return BigTwo(options)


def former(options: Options, version: int) -> BigTwo:
    """Return the game in an earlier version of the rules."""
    return BigTwo(options, version=version)
