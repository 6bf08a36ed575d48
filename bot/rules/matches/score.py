"""The score of a match after a number of hands: points, places, payments.

Derived from results; the ranking of seats comes from the Rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bot.rules.core.game import Result, Rules
from bot.rules.core.totals import totals_of

MAX_COURSE_POINTS = 16  # points in the course of a match; a longer match skips hands


class CoursePoint(NamedTuple):
    """The standings after a number of hands. stands: by seat; a higher number is always better."""

    hand: int
    stands: tuple[int, ...]


@dataclass(frozen=True)
class Score:
    """Figures derived from the results of finished hands, each computed on demand and cached."""

    rules: Rules
    results: tuple[Result, ...] = ()

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The total points of each seat."""
        return totals_of(self.results, self.rules.players)

    @cached_property
    def payments(self) -> tuple[tuple[int, int, int], ...]:
        """(payer, payee, amount) for each pair with a debt, over all hands."""
        owed: dict[tuple[int, int], int] = {}
        for payer, payee, amount in (payment for result in self.results for payment in result.payments):
            pair, sign = ((payer, payee), 1) if payer < payee else ((payee, payer), -1)
            owed[pair] = owed.get(pair, 0) + sign * amount
        return tuple(
            (*(pair if amount > 0 else pair[::-1]), abs(amount)) for pair, amount in sorted(owed.items()) if amount
        )

    @cached_property
    def nets(self) -> tuple[int, ...]:
        """The total received minus the total paid by each seat; the sum is 0."""
        return nets_of(self.payments, self.rules.players)

    @cached_property
    def course(self) -> tuple[CoursePoint, ...]:
        """The standings at the beginning, after the last two, and after up to MAX_COURSE_POINTS spread hands.

        Penalty points and chips are converted so that a higher number is better.
        """
        last = len(self.results)
        hands = {0, max(last - 1, 0), last, *(last * stop // MAX_COURSE_POINTS for stop in range(MAX_COURSE_POINTS))}
        return tuple(CoursePoint(hand, _stands(self.rules, self.results[:hand])) for hand in sorted(hands))

    @cached_property
    def stands(self) -> tuple[int, ...]:
        """The present standing of each seat; a higher number is better."""
        return _stands(self.rules, self.results)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by its total, from 1; ties share the better place."""
        order = self.rules.ranking(self.results)
        return tuple(1 + sum(other < mine for other in order) for mine in order)


def stands_of(rules: Rules, points: Sequence[int], nets: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the standings of seats with these totals; a higher number is better.

    nets: the total received minus the total paid by each seat; decisive for games with chips.
    """
    paid = tuple((0, seat, net) for seat, net in enumerate(nets))  # the counterparty of a payment is irrelevant
    return _stands(rules, (Result((), (), tuple(points), payments=paid),))


def signed(amount: int) -> str:
    """Return a score with its sign: a plus, or a true minus."""
    return f"+{amount}" if amount > 0 else f"\u2212{-amount}" if amount else "0"


def _stands(rules: Rules, results: tuple[Result, ...]) -> tuple[int, ...]:
    return tuple(-rank for rank in rules.ranking(results))


def nets_of(payments: Iterable[tuple[int, int, int]], players: int) -> tuple[int, ...]:
    """Return the total received minus the total paid by each seat; the sum is 0."""
    nets = [0] * players
    for payer, payee, amount in payments:
        nets[payer] -= amount
        nets[payee] += amount
    return tuple(nets)
