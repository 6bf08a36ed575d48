"""The Big and the Little A as plain players play it: leads, follows, and A rounds.

A player knows its View and does not look further ahead than this round.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, prod
from typing import Any, cast

from bot.ai.games.big_little_a_worth import BIG, JOKERS, LITTLE, TASTE, BigLittleAStyle, Part, Rivals, Worth, counted
from bot.rules.big_little_a.groups import A_CARDS, HIGHEST, LITTLE_A, POWER
from bot.rules.big_little_a.hands import BigLittleA
from bot.rules.big_little_a.score import penalty_in_hand, penalty_in_pile
from bot.rules.core.cards import Cards
from bot.rules.core.game import View
from bot.rules.core.trick import Combo


@dataclass(frozen=True, slots=True)
class BigLittleAReading:
    """What the view means to its seat.

    middle: A cards that nobody has taken yet. held: the own hand by power. later: the seats with a turn after this one
    in the round.
    """

    view: View
    middle: Cards
    held: list[int]
    rivals: Rivals
    worth: Worth
    later: tuple[int, ...]
    rng: random.Random | None = None
    style: BigLittleAStyle = TASTE

    @classmethod
    def of(cls, view: View, rng: random.Random | None = None, style: BigLittleAStyle = TASTE) -> BigLittleAReading:
        """Read the view of a seat that is asked to play."""
        rivals = Rivals(view, style.share, style.jokers)
        others = tuple(rivals.seats)

        def stay_chance(size: int, strength: int) -> float:
            return rivals.unbeaten(size, strength, others)

        fewest = min(rival.cards for rival in rivals.seats.values())
        near, held = exp(-max(0, fewest - 1) / style.fade), counted(view.hand)
        feared = sum(penalty_in_hand(card, view.rules.options) for owner, card in view.known if card in A_CARDS)
        grip = bool(held[LITTLE] or held[BIG])
        worth = Worth(view.rules.options, stay_chance, near, style, grip=grip, feared=feared)
        facts: dict[str, Any] = dict(view.facts)
        return cls(view, facts.get("middle", ()), held, rivals, worth, _later(view), rng, style)

    def lead(self, plays: Sequence[Combo]) -> Combo:
        """Return the lead with the best prospects.

        If all sets but the weakest are likely to keep the lead, the strongest comes first.
        """
        first = self._running_out()
        fit = [combo for combo in plays if (len(combo.cards), POWER[combo.head]) == first and _pure(combo)]
        return fit[0] if fit else min(plays, key=lambda combo: (self._put(combo) - self._early(combo), self._even()))

    def _early(self, combo: Combo) -> float:
        """Return the bonus for leading a set that can hardly follow later: low, and of many cards."""
        fits = self.style.rare ** (len(combo.cards) - 1) * combo.strength / HIGHEST
        return self.style.early * (1 - fits) * (POWER[combo.head] <= JOKERS)

    def follow(self, plays: Sequence[Combo]) -> Combo | None:
        """Return what to put on top or, in an A round, to lay there; None to pass."""
        if self._a_round:
            return min(plays, key=lambda combo: (self._laid(combo), self._even()))
        best = min(plays, key=lambda combo: (self._put(combo), self._even()))
        return best if self._put(best) <= self._passed() else None

    def cost(self, combo: Combo) -> float:
        """Return what the hand costs after a play."""
        return self._laid(combo) if self._a_round else self._put(combo) - self._early(combo) * (not self.view.trick.top)

    @property
    def _a_round(self) -> bool:
        return cast("BigLittleA", self.view.rules).a_round

    def _even(self) -> float:
        return self.rng.random() if self.rng else 0

    def _running_out(self) -> Part | None:
        """Return the strongest set if all but the weakest are likely to keep the lead, or None.

        A cards count as the weakest.
        """
        parts = sorted(self.worth.parts(self.held), key=self.worth.stands)
        mean = [part for part in parts if part[1] in (LITTLE, BIG)]
        if len(parts) < 2 or len(mean) > 1:
            return None  # an A card that cannot be led yet can be in the next round (5.8)
        sure = prod(map(self.worth.stands, parts[1:])) >= self.style.sure
        return parts[-1] if sure else None

    # Normal rounds

    def _put(self, combo: Combo) -> float:
        """Return what the hand costs after a play in a normal round, or after an A card is led."""
        left = self._without(combo)
        if POWER[combo.head] in (LITTLE, BIG):
            return self._ended(left, self._out(), self.worth.left(left))
        size, strength = len(combo.cards), combo.strength
        won = self.rivals.unbeaten(size, strength, self.later)
        cost = self.worth.left(left) + won * self._gained(left)
        return self._ended(left, self._out(size, strength), cost)

    def _passed(self) -> float:
        top = self.view.trick.top
        assert top
        size, strength = len(top.cards), top.strength
        threat = self.style.block * self._threat() * self.rivals.unbeaten(size, strength, self.later)
        return self._ended(self.held, self._out(size, strength), self.worth.left(self.held) + threat)

    def _threat(self) -> int:
        """Return the points of the A cards that whose play is on top could lead next."""
        owner = self.rivals.seats.get(self.view.trick.owner or 0)
        mean = [power for power in (LITTLE, BIG) if owner and owner.known.get(power)]
        return sum(self.worth.prices[power] for power in mean)

    def _gained(self, left: list[int]) -> float:
        """Return the cost of winning this round, below 0 if the seat gains.

        The lead saves points, an A card from the middle costs some.
        """
        taken = self.middle[:1]
        return sum(self.worth.mean(POWER[held]) for held in taken) - self.worth.lead(left)

    # A rounds

    def _laid(self, combo: Combo) -> float:
        """Return what the hand costs after a card is laid in an A round."""
        left, top = self._without(combo), self.view.trick.top
        assert top
        end = self._out()
        safe = self._ended(left, end, self.worth.left(left))
        if combo.strength <= top.strength:
            return safe
        takes = prod(self.style.ducks * self.rivals.ducks(seat, combo.strength) for seat in self.later)
        return (1 - takes) * safe + takes * self._taken(left, combo, end)

    def _taken(self, left: list[int], combo: Combo, end: float) -> float:
        """Return the cost of a hand that takes the trick with this card in it."""
        lying = [*self.view.trick.cards, *combo.cards]
        more = self.style.later * combo.strength * len(self.later)
        if LITTLE_A in lying:
            pile = more + sum(penalty_in_pile(held, self.view.rules.options) for held in lying)
            cost = self.worth.left(left) - self.worth.lead(left)
            return pile + self._ended(left, end, cost)
        hand = list(left)
        for held in lying:
            hand[POWER[held]] += 1
        cost = self.worth.left(hand) - self.worth.lead(hand, barred=BIG)
        return self._ended(hand, end, cost + more * self.worth.share) + end * more

    # What both need

    def _without(self, combo: Combo) -> list[int]:
        left = list(self.held)
        for held in combo.cards:
            left[POWER[held]] -= 1
        return left

    def _ended(self, left: list[int], end: float, cost: float) -> float:
        """Return the cost where the hand ends with this round with some chance."""
        return (1 - end) * cost + end * self.worth.points(left) if end else cost

    def _out(self, size: int = 1, strength: int = 0) -> float:
        """Return the chance that a seat is out after this round, with such a set on top."""
        seats = self.rivals.seats
        if not all(rival.cards for rival in seats.values()):
            return 1.0
        last = [seat for seat in self.later if seats[seat].plain == seats[seat].cards == size]
        if self._a_round or not strength:
            return 1.0 if last else 0.0
        return 1 - prod(1 - self.rivals.over(seat, size)[strength] for seat in last)


def _later(view: View) -> tuple[int, ...]:
    """Return the seats with a turn after the acting seat in this round."""
    players, seat = len(view.counts), view.seat or 0
    others = [(seat + step) % players for step in range(1, players)]
    if not view.trick.moves:
        return tuple(others)
    acted = {move.seat for move in view.trick.moves}
    every = view.rules.options.round_mode == "until_all_pass" and not cast("BigLittleA", view.rules).a_round
    return tuple(other for other in others if every or other not in acted)


def _pure(combo: Combo) -> bool:
    """Tell whether no joker stands for anything."""
    return len(set(combo.cards)) == 1
