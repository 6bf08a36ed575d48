"""The roll-out of an imagined hand: after an action, each seat plays by its plan until the hand is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Self

from bot.rules.core.actions import Action, Play
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
    """Play a hand to its end, and return by how many points the seat comes out better than the table."""
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
    """Return by how many points a seat stands better than the mean of the table. penalties: whether points are bad."""
    mean = sum(points) / len(points)
    return mean - points[seat] if penalties else points[seat] - mean
