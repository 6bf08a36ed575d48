"""2. How a hand begins: dealt anew, or imagined by a seat that sees only its own part of it.

Knows the rules and both parts of a hand. Refuses to know how either goes on.
"""

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
    """Big A as a whole: its rules, and how its hands are dealt and imagined."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigADraw | BigAGame:
        """Shuffle, and draw as far as nobody has to be asked; dealer: who draws first."""
        order = tuple(shuffled(self.pack, rng))
        return BigADraw(self, Stack(order, dealer), rng.getrandbits(64)).on()

    def imagine(self, view: View, rng: random.Random) -> BigADraw | BigAGame:
        """Return some whole game in which the view's seat could be: its ``view(seat)`` equals the view."""
        return imagine(view, rng)


def former(options: Options, version: int) -> BigA:
    """Return the game as it was in an earlier version of the rules."""
    return BigA(options, version=version)
