"""7. Scoring, and 8. the precaution rule.

Knows what cards left over cost and who pays whom. Refuses to know how the hand was played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from bot.rules.big_two.groups import Groups
from bot.rules.big_two.options import Options
from bot.rules.cards import Card, Cards
from bot.rules.game import Combo, Note, Result, Seat

BANDS = ((13, 3), (10, 2), (1, 1))  # 7.1: from so many cards left, so many points each
PAYS_FOR_ALL = "{seat} could have stopped the last card and did not, and pays for all."

Payments = tuple[tuple[int, int, int], ...]


def penalty(count: int) -> int:
    """Return the points for so many cards left (7.1)."""
    return next((count * each for at_least, each in BANDS if count >= at_least), 0)


def settle(points: Sequence[int], stake: int) -> Payments:
    """Return (payer, payee, amount) for each pair whose points differ (7.4, 7.5)."""
    pairs = (
        (seat, other) if points[seat] > points[other] else (other, seat)
        for seat, other in combinations(range(len(points)), 2)
    )
    owed = ((payer, payee, (points[payer] - points[payee]) * stake) for payer, payee in pairs)
    return tuple(payment for payment in owed if payment[2])


def score(options: Options, winner: int, left: tuple[Cards, ...], offender: int | None) -> Result:
    """Return the result of a hand that ``winner`` has ended, with an offender against the precaution rule or None."""
    points = tuple(penalty(len(held)) for held in left)
    if offender is None:
        return Result((winner,), left, points, settle(points, options.stake))
    charged = sum(points)  # 8.4
    points = tuple(charged if seat == offender else 0 for seat in range(len(left)))
    payments = settle(points, options.stake)
    if options.pay_all_basis == "to_winner":
        payments = ((offender, winner, charged * options.stake),)
    return Result((winner,), left, points, payments, (Note("8.4", PAYS_FOR_ALL, (("seat", Seat(offender)),)),))


@dataclass(frozen=True, slots=True)
class Breach:
    """A duty of the precaution rule that a seat has just left undone.

    stopper: the card it ought to have played, or None where it should have led more than one card (8.3).
    """

    seat: int
    stopper: Card | None


def breach(groups: Groups, seat: int, hand: Cards, top: Combo | None, played: Combo | None) -> Breach | None:
    """Return how this step of a seat before a player with one card breaks the precaution rule, or None.

    hand: before the step, weakest first. top: what lay there, None on a lead. played: None for a pass.
    """
    highest = hand[-1]
    if top is None:
        return _breach_leading(groups, seat, hand, played)
    if len(top.cards) != 1 or (played and played.head == highest):  # 8.6; 8.2 kept
        return None
    return Breach(seat, highest) if groups.power[highest] > groups.power[top.head] else None


def _breach_leading(groups: Groups, seat: int, hand: Cards, played: Combo | None) -> Breach | None:
    """8.3: lead more than one card, or failing that the highest."""
    if played is None or len(played.cards) > 1:
        return None
    if any(len(combo.cards) > 1 for combo in groups.over(hand, None)):
        return Breach(seat, None)
    return None if played.head == hand[-1] else Breach(seat, hand[-1])


def offender(groups: Groups, options: Options, last: Breach | None, winning: Combo) -> int | None:
    """Return the seat that pays for all, or None (8.1, 8.4, 8.5). winning: the last combination of the winner."""
    if last is None or options.one_card_rule == "none" or not options.stake or len(winning.cards) != 1:
        return None
    stopped = last.stopper is None or groups.power[last.stopper] > groups.power[winning.head]
    return last.seat if stopped or options.pay_all_test == "breach" else None
