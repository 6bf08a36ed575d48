"""The score of a match, stakes on points, and the settlement with few payments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Final, NamedTuple

from bot.rules.core.game import Result, Rules
from bot.rules.core.points import totals_of

MAX_COURSE_POINTS = 16  # points in the course of a match; a longer match skips hands


class CoursePoint(NamedTuple):
    """The standings after a number of hands.

    stands: by seat; a higher number is always better.
    """

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
        """The standings at the beginning, after the last two hands, and in between.

        In between are up to MAX_COURSE_POINTS evenly spread hands. Penalty points and chips are converted so that a
        higher number is better.
        """
        last = len(self.results)
        hands = {0, max(last - 1, 0), last, *(last * stop // MAX_COURSE_POINTS for stop in range(MAX_COURSE_POINTS))}
        return tuple(CoursePoint(hand, _standings(self.rules, self.results[:hand])) for hand in sorted(hands))

    @cached_property
    def stands(self) -> tuple[int, ...]:
        """The present standing of each seat; a higher number is better."""
        return _standings(self.rules, self.results)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by its total, from 1; ties share the better place."""
        order = self.rules.ranking(self.results)
        return tuple(1 + sum(other < mine for other in order) for mine in order)


def standings_of(rules: Rules, points: Sequence[int], nets: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the standings of seats with these totals; a higher number is better.

    nets: the total received minus the total paid by each seat; decisive for games with chips.
    """
    paid = tuple((0, seat, net) for seat, net in enumerate(nets))  # the counterparty of a payment is irrelevant
    return _standings(rules, (Result((), (), tuple(points), payments=paid),))


def is_low_score_best(rules: Rules) -> bool:
    """Tell whether the points are penalties, so that the lowest score wins."""
    return standings_of(rules, (1, *(0,) * (rules.players - 1)))[0] < 0


def shown_score(stand: int, *, low: bool) -> str:
    """Return a standing as players count it.

    It has a sign, except where the lowest score wins.
    """
    return signed(stand) if not low else f"\u2212{stand}" if stand > 0 else str(-stand)


def signed(amount: int) -> str:
    """Return a score with its sign: a plus, or a true minus."""
    return f"+{amount}" if amount > 0 else f"\u2212{-amount}" if amount else "0"


def _standings(rules: Rules, results: tuple[Result, ...]) -> tuple[int, ...]:
    return tuple(-rank for rank in rules.ranking(results))


def nets_of(payments: Iterable[tuple[int, int, int]], players: int) -> tuple[int, ...]:
    """Return the total received minus the total paid by each seat; the sum is 0."""
    nets = [0] * players
    for payer, payee, amount in payments:
        nets[payer] -= amount
        nets[payee] += amount
    return tuple(nets)


Payment = tuple[int, int, int]  # payer, payee, an amount above 0
Seats = tuple[int, ...]
MAX_EXACT_SEATS: Final = 12  # the maximum number of seats for an exact solution; more seats would take too long


def apply_stake(payments: Iterable[Payment], stake: int) -> tuple[Payment, ...]:
    """Convert payments in points to payments in units.

    stake: units a point; 0 means no payments.
    """
    return tuple((payer, payee, amount * stake) for payer, payee, amount in payments) if stake > 0 else ()


def pairwise_payments(points: Sequence[int], *, positive: bool = False) -> tuple[Payment, ...]:
    """Return the payment in each pair of seats: the difference of their points.

    positive: whether high points receive.
    """
    sign = -1 if positive else 1
    return tuple(
        (a, b, sign * (points[a] - points[b]))
        for a, b in permutations(range(len(points)), 2)
        if sign * points[a] > sign * points[b]
    )


def fewest_payments(nets: Sequence[int]) -> list[Payment]:
    """Return the fewest payments that settle all debts, or few payments if not ``is_fewest``.

    nets: by seat; the sum is 0. A group of n seats with the sum 0 settles with n - 1 payments: the more groups, the
    better.
    """
    pairs, rest = _pairs(nets)
    groups = _groups(rest, nets) if len(rest) <= MAX_EXACT_SEATS else [rest]
    return [payment for group in sorted([*pairs, *groups]) for payment in _chain(group, nets)]


def is_fewest(nets: Sequence[int]) -> bool:
    """Tell whether ``fewest`` is certain to find the minimum."""
    return len(_pairs(nets)[1]) <= MAX_EXACT_SEATS


def _pairs(nets: Sequence[int]) -> tuple[list[Seats], Seats]:
    """Return the pairs of seats with opposite nets, and the remaining seats.

    Such pairs never prevent a minimum.
    """
    open_: dict[int, list[int]] = {}
    pairs = list[Seats]()
    for seat, net in enumerate(nets):
        if net and (others := open_.get(-net)):
            pairs.append((others.pop(0), seat))
        elif net:
            open_.setdefault(net, []).append(seat)
    return pairs, tuple(sorted(seat for seats in open_.values() for seat in seats))


def _groups(seats: Seats, nets: Sequence[int]) -> list[Seats]:
    """Partition the seats into as many groups with the sum 0 as possible.

    Dynamic programming over subsets of the seats (one bit a seat): the sum of each subset, the maximum number of groups
    in it, and the last seat added for that maximum.
    """
    sums, best, last = [0], [0], [0]
    for part in range(1, 1 << len(seats)):
        low = part & -part
        sums.append(sums[part ^ low] + nets[seats[low.bit_length() - 1]])
        last.append(max(_bits(part), key=lambda bit, part=part: best[part ^ bit]))  # type: ignore[misc]
        best.append(best[part ^ last[part]] + (sums[part] == 0))
    return list(_taken_apart(seats, sums, last))


def _bits(part: int) -> Iterator[int]:
    while part:
        yield part & -part
        part &= part - 1


def _taken_apart(seats: Seats, sums: Sequence[int], last: Sequence[int]) -> Iterator[Seats]:
    """Yield the groups: the seats removed between one subset with the sum 0 and the next."""
    part, group = (1 << len(seats)) - 1, list[int]()
    while part:
        group.append(seats[last[part].bit_length() - 1])
        part ^= last[part]
        if sums[part] == 0:
            yield tuple(sorted(group))
            group = []


def _chain(group: Seats, nets: Sequence[int]) -> Iterator[Payment]:
    """Yield payments from largest debtor to largest creditor until the group is settled."""
    left = {seat: nets[seat] for seat in group}
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        yield payer, payee, amount
