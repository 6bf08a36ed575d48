"""Tiến Lên as plain players play it: the worth of a hand, leads, follows and chops.

A player knows its View and does not look ahead.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import comb, exp, prod
from typing import NamedTuple, Self

from bot.ai.engine.reading import LayoutPlanner, nearest
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Card, Cards, without
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen_cards
from bot.rules.core.trick import EMPTY, Combo
from bot.rules.tien_len.groups import LINE, POWER, Groups
from bot.rules.tien_len.hands import EACH
from bot.rules.tien_len.score import worth

LAST = 1  # cards of a rival who goes out with the next play
STUCK = 10.0  # turns for a hand of nothing but twos, where these may not be the last
MOST_PLAYS = 600  # looked at for one hand
OUT = 0.3  # what no cards count for as a threat


class TienLenStyle(NamedTuple):
    """The weights of a player.

    weak, strong: turns that a combination with a stay chance of 0 and of 1 costs; the strong one wins turns for the
    others. eager: the chance that a rival beats a combination while holding on average one winning play. sure: a stay
    chance that will do to count on. longer: how much stay chance one more card outweighs in choosing what to lead.
    worth: the turns that having the lead is worth. threat: those that a rival's lead costs, divided by its cards.
    bounty: those that a unit gained by a chop is worth. idle: how many turns it is worth to have played a card at all.
    """

    weak: float = 1.0
    strong: float = -0.5
    eager: float = 0.6
    sure: float = 0.6
    longer: float = 0.12
    worth: float = 0.7
    threat: float = 0.8
    bounty: float = 0.6
    idle: float = 2.0


TASTE = TienLenStyle()


@dataclass(frozen=True, slots=True)
class TienLenReading:
    """What the view means to its seat.

    groups: its combinations. counts: how many unseen cards there are of each rank. rooms: how many cards each rival
    holds, as a share of the unseen ones. fewest: the smallest number of cards that a rival holds.
    """

    view: View
    groups: Groups
    counts: Counter[int]
    rooms: tuple[float, ...]
    fewest: int
    rng: random.Random | None = None
    style: TienLenStyle = TASTE

    @classmethod
    def of(cls, view: View, rng: random.Random | None = None, style: TienLenStyle = TASTE) -> Self:
        """Read the view of a seat that is asked for anything."""
        counts = Counter(POWER[held] // 4 for held in unseen_cards(view))
        rivals = [count for seat, count in enumerate(view.counts) if seat != view.seat]
        rooms = tuple(count / max(1, counts.total()) for count in rivals)
        groups: Groups = view.rules.groups  # type: ignore[attr-defined]
        return cls(view, groups, counts, rooms, nearest(view), rng, style)

    # How good a hand is

    def laying(self, hand: Cards) -> LayoutPlanner:
        """Return in what a hand could be laid down."""
        alone = replace(self.view, hand=hand, trick=EMPTY, must=None, ask=PlayAsk(may_pass=False))
        found = alone.plays.first(MOST_PLAYS)
        if not self._by_card:  # of those that differ by suits one is enough
            found = [*{(combo.kind, tuple(map(_rank, combo.cards))): combo for combo in found}.values()]
        singles = takewhile(lambda combo: combo.kind == "single", self.groups.over(hand, None))
        return LayoutPlanner(hand, dict.fromkeys((*found, *singles)), self.cost, str if self._by_card else _rank)

    @property
    def _by_card(self) -> bool:
        """Whether the suits decide which cards form a combination."""
        return self.groups.options.sequence_suit == "same"

    def stay_chance(self, combo: Combo) -> float:
        """Return from 0 to 1 how likely the combination is to stay on top, a guess."""
        return exp(-self.style.eager * self._higher(combo))

    def _higher(self, combo: Combo) -> float:
        """Return how many higher combinations of its kind can be expected in the hands of rivals."""
        size, place = len(combo.cards), combo.strength // 4
        if size == 1:
            above = sum(POWER[held] > combo.strength for held in unseen_cards(self.view))
            return above * sum(self.rooms)
        ranks = {"sequence": size, "double_sequence": size // 2}.get(combo.kind, 1)
        line = LINE if ranks > 1 else range(13)
        tops = [top for top in line if top > place]
        ways = sum(prod(comb(self.counts[top - back], size // ranks) for back in range(ranks)) for top in tops)
        return ways * sum(room**size for room in self.rooms)

    def cost(self, combo: Combo) -> float:
        """Return the estimated turns that it takes to get rid of a combination."""
        return self.style.weak + (self.style.strong - self.style.weak) * self.stay_chance(combo)

    def rest(self, laying: LayoutPlanner, combo: Combo) -> float:
        """Return about how many turns what is left after a play takes."""
        left = without(self.view.hand, combo.cards)
        return laying.best(left).cost + (STUCK if self.groups.barred(left) else 0.0)

    def parts(self, laying: LayoutPlanner) -> Sequence[Combo]:
        """Return in what the hand is best laid down."""
        return laying.best(self.view.hand).parts

    # What to play

    def lead(self, plays: Sequence[Combo]) -> Combo:
        """Return the lead: the weakest part of the layout, unless a seat is about to go out."""
        laying = self.laying(self.view.hand)
        parts = [combo for combo in self.parts(laying) if self._fits(combo)]
        if not parts:
            return min(plays, key=lambda combo: (self.rest(laying, combo), self._even()))
        if prod(sorted(map(self.stay_chance, parts))[1:]) >= self.style.sure:
            return max(parts, key=self.stay_chance)
        several = [combo for combo in (*parts, *plays) if len(combo.cards) > 1]
        if self.fewest == LAST:
            return min(several, key=self._early) if several else max(parts, key=self.stay_chance)
        return min(parts, key=self._early)

    def _fits(self, combo: Combo) -> bool:
        """Tell whether a play contains the demanded card, and leaves a hand that can go out."""
        left, must = without(self.view.hand, combo.cards), self.view.must
        return (must is None or must in combo.cards) and not self.groups.barred(left)

    def _early(self, combo: Combo) -> tuple[float, float]:
        """Return how early to lead a combination.

        Low cards come before high ones, many cards before few, and chops late.
        """
        chops = combo.kind in self.groups.chopping
        return self.stay_chance(combo) - self.style.longer * len(combo.cards) + chops, self._even()

    def follow(self, plays: Sequence[Combo]) -> Combo | None:
        """Return what to put on top, or None to pass: whatever leaves the best prospects."""
        laying = self.laying(self.view.hand)
        left = {combo: self._after(laying, combo) for combo in plays}
        best = min(plays, key=lambda combo: (left[combo], self._even()))
        return best if left[best] <= laying.best(self.view.hand).cost + self._lost() else None

    def _after(self, laying: LayoutPlanner, combo: Combo) -> float:
        """Return the turns of the hand after a play, less what the lead and a chop are worth."""
        stays, top = self.stay_chance(combo), self.view.trick.top
        gained = worth(top) if top and combo.kind in self.groups.chopping and self.groups.options.chop_pay else 0
        danger = self.style.threat / max(self.fewest - len(combo.cards), OUT) * (1 - stays)
        return self.rest(laying, combo) - self.style.worth * stays + danger - self.style.bounty * gained

    def _lost(self) -> float:
        """Return the turns that a pass costs.

        A pass leaves the lead to the top's owner, or lets a rival go out.
        """
        top, owner = self.view.trick.top, self.view.trick.owner
        assert top
        assert owner is not None
        near = self.fewest if self.fewest <= len(top.cards) else self.view.counts[owner]
        frozen = self.groups.options.frozen and len(self.view.hand) == EACH and self.fewest < 5
        return self.style.threat / max(near - LAST, OUT) + self.style.idle * frozen

    def _even(self) -> float:
        return self.rng.random() if self.rng else 0


def _rank(held: Card) -> Hashable:
    return held.rank
