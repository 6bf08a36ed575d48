"""8.6-8.8. The duty before an opponent with one card: a seat that lets the last card through pays for all.

Evaluated after the hand: the duty forbids no play, it only shifts payments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.rules.core.cards import Cards
from bot.rules.core.trick import Combo, Trick
from bot.rules.tien_len.rules import TienLenRules


class DutyStep(NamedTuple):
    """A play or a pass. hand: of the seat, before the step. top: the play to beat. combo: None for a pass."""

    seat: int
    hand: Cards
    top: Combo | None
    combo: Combo | None


def charges(rules: TienLenRules, left: Sequence[Cards], tricks: Iterable[Trick]) -> dict[int, int]:
    """Return the paying seat by the seat that went out (8.8). left: the remaining cards of each seat."""
    if not rules.pays_for_all:
        return {}
    both = pairwise(steps(rules, left, [*tricks]))
    return {last.seat: before.seat for before, last in both if is_offence(rules, before, last)}


def steps(rules: TienLenRules, left: Sequence[Cards], tricks: Sequence[Trick]) -> Iterator[DutyStep]:
    """Yield every step of a hand, with the cards of its seat at that moment."""
    hands = [[*held] for held in left]
    for seat, combo, _ in (move for trick in tricks for move in trick.moves):
        hands[seat] += combo.cards if combo else ()
    for trick in tricks:
        top: Combo | None = None
        for seat, combo, _ in trick.moves:
            yield DutyStep(seat, rules.sort(tuple(hands[seat])), top, combo)
            if combo:
                hands[seat] = [held for held in hands[seat] if held not in combo.cards]
                top = combo


def is_offence(rules: TienLenRules, before: DutyStep, last: DutyStep) -> bool:
    """Tell whether a step let the next seat go out with a last card that the step should have stopped."""
    if last.combo is None or len(last.hand) > 1 or before.seat == last.seat:
        return False
    return _lets_through(rules, before, last.combo)


def _lets_through(rules: TienLenRules, step: DutyStep, last: Combo) -> bool:
    if any(combo and len(combo.cards) > 1 for combo in (step.top, step.combo)):
        return False
    plays = _careful(rules, step.hand, step.top)
    if step.combo in plays or not plays:
        return False
    return not rules.groups.can_follow(last, plays[-1])


def _careful(rules: TienLenRules, hand: Cards, top: Combo | None) -> list[Combo]:
    """Return the plays that fulfil the duty on a single or in a lead, weakest first (8.6, 8.7).

    In a lead, the plays of several cards if any, otherwise the highest single. On a single, a chop also fulfils the
    duty, but is never required.
    """
    plays = [*rules.plays_of(hand, top, None, in_turn=True)]
    several, singles = ([combo for combo in plays if (len(combo.cards) > 1) == more] for more in (True, False))
    return several if several and top is None else singles[-1:]
