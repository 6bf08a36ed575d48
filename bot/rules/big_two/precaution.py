"""8. The precaution rule: a player who lets the next player go out with a last card pays for all.

The rule forbids no play, it only shifts the score (8.9).
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.big_two.groups import Groups
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.core.cards import Card, Cards
from bot.rules.core.trick import Combo


@dataclass(frozen=True, slots=True)
class Breach:
    """A duty that a seat has just neglected.

    stopper: the card required by the duty, None if the duty was to lead more than one card (8.3).
    """

    seat: int
    stopper: Card | None


def breach(rules: BigTwoRules, seat: int, hand: Cards, top: Combo | None, *, played: Combo | None) -> Breach | None:
    """Return the breach in this step before a player with one card, or None.

    hand: before the step, weakest first. top: the play to beat, None on a lead. played: None for a pass.
    """
    groups, highest = rules.groups, hand[-1]
    if rules.stuck(hand):  # C23.4: the seat has no legal play
        return None
    if played and (len(played.cards) > 1 or (played.head == highest and top is not None)):  # 8.8; 8.2 kept
        return None
    if top is None:
        return _breach_leading(groups, seat, hand, played)
    if len(top.cards) != 1:  # 8.6
        return None
    return Breach(seat, highest) if groups.power[highest] > groups.power[top.head] else None


def _breach_leading(groups: Groups, seat: int, hand: Cards, played: Combo | None) -> Breach | None:
    """8.3: a lead requires more than one card, or else the highest card."""
    if played is None:
        return None
    if any(len(combo.cards) > 1 for combo in groups.over(hand, None)):
        return Breach(seat, None)
    return None if played.head == hand[-1] else Breach(seat, hand[-1])


def offender(rules: BigTwoRules, last: Breach | None, winning: Combo) -> int | None:
    """Return the seat that pays for all, or None (8.1, 8.4, 8.5). winning: the last combination of the winner."""
    if last is None or len(winning.cards) != 1:
        return None
    power = rules.groups.power
    stopped = last.stopper is None or power[last.stopper] > power[winning.head]
    return last.seat if stopped or rules.options.pay_all_test == "breach" else None
