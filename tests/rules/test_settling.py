"""The fewest payments: they settle every debt, and no smaller list exists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, permutations

from hypothesis import given
from hypothesis import strategies as st

from bot.rules.matches.score import MAX_EXACT_SEATS, Payment, fewest_payments, is_fewest

amounts = st.lists(st.integers(-6, 6), max_size=6).map(lambda nets: [*nets, -sum(nets)])


def after(nets: Sequence[int], paid: Sequence[Payment]) -> list[int]:
    """Return every player's balance after all payments."""
    left = list(nets)
    for payer, payee, amount in paid:
        left[payer] += amount
        left[payee] -= amount
    return left


@cache
def groups(nets: tuple[int, ...]) -> int:
    """Return into how many groups that settle among themselves people can be put: in some order each ends at 0."""
    return max(sum(total == 0 for total in accumulate(order)) for order in permutations(nets))


@given(amounts)
def test_payments_settle_all_debts_with_the_fewest_transfers(nets: list[int]) -> None:
    paid = fewest_payments(nets)
    assert all(amount > 0 for _, _, amount in paid)
    assert not any(after(nets, paid))
    owing = tuple(sorted(filter(None, nets)))
    assert len(paid) == len(owing) - (groups(owing) if owing else 0)


@given(st.lists(st.integers(-99, 99), min_size=MAX_EXACT_SEATS, max_size=40).map(lambda nets: [*nets, -sum(nets)]))
def test_payments_of_many_players_settle_all_debts_and_are_marked_as_not_minimal(nets: list[int]) -> None:
    paid = fewest_payments(nets)
    assert not any(after(nets, paid))
    assert len(paid) < max(1, sum(map(bool, nets)))
    assert is_fewest(nets) or sum(map(bool, nets)) > MAX_EXACT_SEATS


def test_debts_of_separate_pairs_are_always_settled_minimally() -> None:
    nets = [net for amount in range(1, 50) for net in (amount, -amount)]
    assert is_fewest(nets)
    assert len(fewest_payments(nets)) == 49
    assert not is_fewest([*range(1, 14), -91])
