"""What points come to in units, and how debts are settled with as few payments as possible.

Knows what each is to get or to give; refuses to know what for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Final

Payment = tuple[int, int, int]  # payer, payee, an amount above 0
Seats = tuple[int, ...]
EXACT: Final = 12  # seats among which the fewest payments are surely found; beyond them it would take too long


def staked(payments: Iterable[Payment], stake: int) -> tuple[Payment, ...]:
    """Return payments in points as payments in units. stake: what a point is worth; without any nobody pays."""
    return tuple((payer, payee, amount * stake) for payer, payee, amount in payments) if stake > 0 else ()


def pairwise(points: Sequence[int], *, positive: bool = False) -> tuple[Payment, ...]:
    """Return what each pair owes by the difference of its points; high points receive where they are good."""
    sign = -1 if positive else 1
    return tuple(
        (a, b, sign * (points[a] - points[b]))
        for a, b in permutations(range(len(points)), 2)
        if sign * points[a] > sign * points[b]
    )


def fewest(nets: Sequence[int]) -> list[Payment]:
    """Return the fewest payments after which nobody owes anybody anything, or few of them where ``is_fewest`` says so.

    nets: by seat; their sum is 0. So many seats as settle among themselves need a payment less than they are: the more
    such groups, the better.
    """
    pairs, rest = _pairs(nets)
    groups = _groups(rest, nets) if len(rest) <= EXACT else [rest]
    return [payment for group in sorted([*pairs, *groups]) for payment in _chain(group, nets)]


def is_fewest(nets: Sequence[int]) -> bool:
    """Tell whether there is surely no way with fewer payments."""
    return len(_pairs(nets)[1]) <= EXACT


def _pairs(nets: Sequence[int]) -> tuple[list[Seats], Seats]:
    """Return which seats settle two by two, and the rest. That is always among the best: a group can do without it."""
    open_: dict[int, list[int]] = {}
    pairs = list[Seats]()
    for seat, net in enumerate(nets):
        if net and (others := open_.get(-net)):
            pairs.append((others.pop(0), seat))
        elif net:
            open_.setdefault(net, []).append(seat)
    return pairs, tuple(sorted(seat for seats in open_.values() for seat in seats))


def _groups(seats: Seats, nets: Sequence[int]) -> list[Seats]:
    """Return the seats in as many groups as possible each of which comes to 0.

    Of each part of the seats (a bit for each) it is known what it comes to, and of how many such parts it can consist
    at most, one being added to the other.
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
    """Yield the groups: whatever is taken away between one part that comes to 0 and the next."""
    part, group = (1 << len(seats)) - 1, list[int]()
    while part:
        group.append(seats[last[part].bit_length() - 1])
        part ^= last[part]
        if sums[part] == 0:
            yield tuple(sorted(group))
            group = []


def _chain(group: Seats, nets: Sequence[int]) -> Iterator[Payment]:
    """Let whoever owes most pay whoever gets most, until all is paid."""
    left = {seat: nets[seat] for seat in group}
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        yield payer, payee, amount
