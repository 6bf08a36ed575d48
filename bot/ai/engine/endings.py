"""The exact solution of an ending: the points of each action where all seats know all cards and do their best."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol, TypeAlias

from bot.ai.engine.rollout import PackedHand, advantage

Points: TypeAlias = tuple[float, ...]


class SolvableHand(PackedHand, Protocol):
    """A packed hand that can be solved."""

    @property
    def position(self) -> Hashable:
        """All that the rest of the hand depends on."""
        ...

    def choices(self) -> Iterable[Any]:
        """Return the codes that matter for the seat on turn, None to pass; one that goes out alone, where there is."""
        ...


class TooLong(Exception):
    """The solution takes more steps than are allowed."""


class EndingSolver:
    """A solver that remembers positions. steps: how many may still be tried."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._known: dict[Hashable, Points] = {}

    def after(self, hand: SolvableHand, code: Any) -> Points:
        """Return the points of a hand in which the seat on turn plays this code, None to pass. Raises TooLong."""
        self._steps -= 1
        if self._steps < 0:
            raise TooLong
        then = hand.copy()
        if code is None:
            then.skip()
        else:
            then.play(code)
        return tuple(then.points()) if then.over else self._points(then)

    def _points(self, hand: SolvableHand) -> Points:
        key = hand.position
        found = self._known.get(key)
        if found is None:
            seat, penalties = hand.turn, hand.penalties
            ways = (self.after(hand, code) for code in hand.choices())
            found = max(ways, key=lambda points: advantage(points, seat, penalties=penalties))
            self._known[key] = found
        return found
