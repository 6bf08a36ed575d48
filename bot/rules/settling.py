"""How debts are settled with as few payments as possible.

Knows what each is to get or to give; refuses to know what for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Payment = tuple[int, int, int]  # payer, payee, an amount above 0


def fewest(nets: Sequence[int]) -> list[Payment]:
    """Return the fewest payments after which nobody owes anybody anything. nets: by seat; their sum is 0.

    So many seats as settle among themselves need a payment less than they are: the more such groups, the better.
    """
    seats = tuple(seat for seat, net in enumerate(nets) if net)
    return [payment for group in _groups(seats, nets) for payment in _chain(group, nets)]


def _groups(seats: tuple[int, ...], nets: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the seats in as many groups as possible each of which comes to 0."""
    if not seats:
        return []
    parts = (group for group in _with_first(seats) if not sum(nets[seat] for seat in group))
    found = ([group, *_groups(tuple(seat for seat in seats if seat not in group), nets)] for group in parts)
    return max(found, key=len)


def _with_first(seats: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Give all parts of the seats in which the first one is."""
    for chosen in range(1 << (len(seats) - 1)):
        yield (seats[0], *(seat for at, seat in enumerate(seats[1:]) if chosen >> at & 1))


def _chain(group: tuple[int, ...], nets: Sequence[int]) -> Iterator[Payment]:
    """Let whoever owes most pay whoever gets most, until all is paid."""
    left = {seat: nets[seat] for seat in group}
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        yield payer, payee, amount
