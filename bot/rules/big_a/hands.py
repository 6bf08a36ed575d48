"""2. The beginning of a hand: dealt, or generated to match a seat's view."""

from __future__ import annotations

import random

from bot.rules.big_a.draw import Stack
from bot.rules.big_a.imagine import imagine
from bot.rules.big_a.options import Options
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.rules import BigARules
from bot.rules.big_a.windows import BigADraw
from bot.rules.core.cards import shuffled
from bot.rules.core.game import Result, View


class BigA(BigARules):
    """The complete rules of Big A, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigADraw | BigAGame:
        """Shuffle, and draw up to the first window. dealer: the first seat to draw."""
        order = tuple(shuffled(self.pack, rng))
        return BigADraw(self, Stack(order, dealer), rng.getrandbits(64)).on()

    def imagine(self, view: View, rng: random.Random) -> BigADraw | BigAGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        return imagine(view, rng)


def former(options: Options, version: int) -> BigA:
    """Return the rules in an earlier version.

    In version 1 a sealed plan survived a new deal, and orders made possible by another act of the same window took
    effect last. Since version 2 a sealed plan is valid for its own cards only, and every order in a window takes effect
    at the moment when it became possible.
    """
    return BigA(options, version=version)
