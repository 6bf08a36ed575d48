"""5. The beginning of a hand: dealt, or generated to match a seat's view."""

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
    """The complete rules of Big Two, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigTwoGame:
        """Shuffle, cut and deal the hand after the past ones."""
        return deal.deal(self, rng, dealer, past)

    def imagine(self, view: View, rng: random.Random) -> BigTwoGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        return imagine(self, view, rng)


def new(options: Options) -> BigTwo:
    """Return the rules for a new match. Raises Illegal for an unreachable target."""
    if options.match_end == "target" and options.scoring == "places" and max(options.paid_places) <= 0:
        raise Illegal("C45.8", "Nobody can reach the target: no place brings any points.")
    return BigTwo(options)


def former(options: Options, version: int) -> BigTwo:
    """Return the rules in an earlier version.

    Since version 3 a player's own last card never obliges that player, the obligation of a pass depends on the player
    who acts after the pass, and a match to a target with positive points ends when a total reaches the target, no
    longer when a total is equally far below zero.
    """
    return BigTwo(options, version=version)
