"""The end of a hand of Big Two solved: what comes of each choice where everybody knows all cards and does their best.

Knows a whole hand with few cards in it. Refuses to guess: where it takes too many steps, it says so.
"""

from __future__ import annotations

from typing import TypeAlias

from bot.ai.games.big_two_hand import PackedHand
from bot.ai.games.big_two_player import PASS

Points: TypeAlias = tuple[int, ...]


class TooLong(Exception):
    """It took more steps than were allowed."""


class Ending:
    """Ends of hands that were solved so far, and how many steps may still be tried."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._known: dict[object, Points] = {}

    def after(self, hand: PackedHand, code: int) -> Points:
        """Return the points of a hand in which the seat on turn plays this, or passes. Raises TooLong."""
        self._steps -= 1
        if self._steps < 0:
            raise TooLong
        then = hand.copy()
        if code == PASS:
            then.skip()
        else:
            then.play(code)
        return then.points() if then.over else self._points(then)

    def _points(self, hand: PackedHand) -> Points:
        key = (*hand.hands, hand.turn, hand.top, hand.owner, hand.out, hand.breach)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._best(hand)
        return found

    def _best(self, hand: PackedHand) -> Points:
        """Return the points where the seat on turn does what is best for itself; to go out is."""
        seat, choices = hand.turn, hand.legal()
        size = hand.counts[seat]
        for code in choices:
            if code.bit_count() >= size and code & hand.hands[seat] == hand.hands[seat]:
                return self.after(hand, code)
        if hand.may_pass:
            choices = [*choices, PASS]
        return max((self.after(hand, code) for code in choices), key=lambda points: gain(hand, points, seat))


def gain(hand: PackedHand, points: Points, seat: int) -> float:
    """Return by how many points a seat comes out better than the table."""
    better = sum(points) / len(points) - points[seat]
    return -better if hand.law.rules.options.positive else better
