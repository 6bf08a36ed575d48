"""How the seats of a match stand after so many hands: points, places, and what each player owes.

Knows results only. Refuses to know any game: how seats are ranked is asked of the Rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bot.rules.core.game import Result, Rules
from bot.rules.core.totals import totals_of

STOPS = 16  # of a match's course; of longer ones some hands are left out


class Stop(NamedTuple):
    """How a match stood after so many hands. stands: by seat, a number of which more is always better."""

    hand: int
    stands: tuple[int, ...]


@dataclass(frozen=True)
class Score:
    """What follows from the results of finished hands; each part is worked out when it is asked for, and once."""

    rules: Rules
    results: tuple[Result, ...] = ()

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat so far."""
        return totals_of(self.results, self.rules.players)

    @cached_property
    def payments(self) -> tuple[tuple[int, int, int], ...]:
        """(payer, payee, amount) for each pair with something to settle, all hands taken together."""
        owed: dict[tuple[int, int], int] = {}
        for payer, payee, amount in (payment for result in self.results for payment in result.payments):
            pair, sign = ((payer, payee), 1) if payer < payee else ((payee, payer), -1)
            owed[pair] = owed.get(pair, 0) + sign * amount
        return tuple(
            (*(pair if amount > 0 else pair[::-1]), abs(amount)) for pair, amount in sorted(owed.items()) if amount
        )

    @cached_property
    def nets(self) -> tuple[int, ...]:
        """What each seat receives in all, less what it pays; the sum is 0."""
        return nets_of(self.payments, self.rules.players)

    @cached_property
    def course(self) -> tuple[Stop, ...]:
        """How the match stood at its beginning and after its hands: at the last two, and of others at as many as fit.

        Whatever the game counts, penalty points or chips, is told so that more is better.
        """
        last = len(self.results)
        hands = {0, max(last - 1, 0), last, *(last * stop // STOPS for stop in range(STOPS))}
        return tuple(Stop(hand, _stands(self.rules, self.results[:hand])) for hand in sorted(hands))

    @cached_property
    def stands(self) -> tuple[int, ...]:
        """How each seat stands now, told so that more is better."""
        return _stands(self.rules, self.results)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by its total, from 1; equals share the better one."""
        order = self.rules.ranking(self.results)
        return tuple(1 + sum(other < mine for other in order) for mine in order)


def stands_of(rules: Rules, points: Sequence[int], nets: Sequence[int] = ()) -> tuple[int, ...]:
    """Return how seats stand with these totals, told so that more is better.

    nets: what each seat has received in all, less what it has paid. Chips are counted by it.
    """
    paid = tuple((0, seat, net) for seat, net in enumerate(nets))  # who paid whom makes no difference
    return _stands(rules, (Result((), (), tuple(points), paid),))


def signed(amount: int) -> str:
    """Return how a seat stands, or what a hand brought it, with its sign: a plus, or a true minus."""
    return f"+{amount}" if amount > 0 else f"\u2212{-amount}" if amount else "0"


def _stands(rules: Rules, results: tuple[Result, ...]) -> tuple[int, ...]:
    return tuple(-rank for rank in rules.ranking(results))


def nets_of(payments: Iterable[tuple[int, int, int]], players: int) -> tuple[int, ...]:
    """Return what each seat receives by these payments, less what it pays; the sum is 0."""
    nets = [0] * players
    for payer, payee, amount in payments:
        nets[payer] -= amount
        nets[payee] += amount
    return tuple(nets)
