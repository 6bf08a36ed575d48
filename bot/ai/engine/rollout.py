"""The course of an imagined hand: rolled out by plans, or an ending solved exactly."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol, Self, TypeAlias

from bot.rules.core.asks import Action, Play
from bot.rules.core.cards import Cards


class PackedHand(Protocol):
    """A hand in small integers, which changes in place. A play is a code of its game.

    turn: the seat on turn. over: whether the hand has ended.
    """

    turn: int
    over: bool

    @property
    def penalties(self) -> bool:
        """Whether points are bad."""
        ...

    def copy(self) -> Self:
        """Return an independent copy."""
        ...

    def play(self, code: Any) -> None:
        """Play a legal code for the seat on turn."""
        ...

    def play_cards(self, cards: Cards) -> Any:
        """Play these very cards for the seat on turn, and return their code."""
        ...

    def skip(self) -> None:
        """Pass for the seat on turn."""
        ...

    def points(self) -> Sequence[float]:
        """Return the points of each seat, once the hand is over."""
        ...


class RolloutPlayer(Protocol):
    """How one seat plays an imagined hand: by a plan that changes with its plays."""

    def copy(self) -> Self:
        """Return an independent copy."""
        ...

    def chosen(self, hand: Any) -> Any:
        """Return the code that the seat on turn plays, None to pass."""
        ...

    def played(self, hand: Any, code: Any) -> None:
        """Change the plan after a play of the plan's choice."""
        ...

    def replan(self, hand: Any, code: Any) -> None:
        """Change the plan after a play that the search chose."""
        ...


class Rollout:
    """An imagined hand, and how each seat plays it."""

    def __init__(self, hand: PackedHand, players: Iterable[RolloutPlayer]) -> None:
        self.hand, self.players = hand, [*players]

    def outcome(self, action: Action, seat: int) -> float:
        """Return by how many points the seat comes out better than the table after this action."""
        hand, players = self.hand.copy(), [player.copy() for player in self.players]
        if isinstance(action, Play):
            players[seat].replan(hand, hand.play_cards(action.cards))
        else:
            hand.skip()
        return roll_out(hand, players, seat)


def roll_out(hand: PackedHand, players: Sequence[RolloutPlayer], seat: int) -> float:
    """Play a hand to its end, and return the seat's points above the average of the table."""
    while not hand.over:
        player = players[hand.turn]
        code = player.chosen(hand)
        if code is None:
            hand.skip()
        else:
            hand.play(code)
            player.played(hand, code)
    return advantage(hand.points(), seat, penalties=hand.penalties)


def advantage(points: Sequence[float], seat: int, *, penalties: bool) -> float:
    """Return by how many points a seat stands better than the mean of the table.

    penalties: whether points are bad.
    """
    mean = sum(points) / len(points)
    return mean - points[seat] if penalties else points[seat] - mean


Points: TypeAlias = tuple[float, ...]


class SolvableHand(PackedHand, Protocol):
    """A packed hand that can be solved."""

    @property
    def position(self) -> Hashable:
        """All that the rest of the hand depends on."""
        ...

    def choices(self) -> Iterable[Any]:
        """Return the codes that matter for the seat on turn, None to pass.

        A code that goes out is returned alone.
        """
        ...


class TooLong(Exception):
    """The solution takes more steps than are allowed."""


class EndingSolver:
    """A solver that remembers positions. steps: how many may still be tried."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._known: dict[Hashable, Points] = {}

    def after(self, hand: SolvableHand, code: Any) -> Points:
        """Return the points of a hand in which the seat on turn plays this code, None to pass.

        Raises TooLong.
        """
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
