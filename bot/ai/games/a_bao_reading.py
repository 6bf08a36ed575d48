"""Tàihé A Bāo as plain players play it: the worth of a hand, leads, and covering plays.

A player knows its View and does not look ahead. The chance that a rival beats a combination follows from the cards that
are nowhere to be seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import NamedTuple, Self, TypeAlias

from bot.ai.engine.reading import LayoutPlanner, at_least, nearest
from bot.rules.a_bao.groups import FIRST_BOMB, Groups
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Card, Cards, Rank, without
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen_cards
from bot.rules.core.trick import EMPTY, Combo

LAST, NEARLY_OUT = 1, 2  # cards of a rival who goes out with the next play, or may do so
OUT = 0.3  # what no cards count for as a threat


class ABaoStyle(NamedTuple):
    """The weights of a player's considerations.

    Found by letting house players play each other. weak, strong: turns that a combination with a stay chance of 0 and
    of 1 costs; the strong one wins turns for the others. share, bombs: with how much of what it may hold a rival is
    taken to beat a combination. sure: a stay chance that will do to count on. longer: how much stay chance one more
    card outweighs in choosing what to lead.

    worth: the turns that having the lead is worth. threat: those that a rival's lead costs, divided by its cards.
    helping: the turns that an ally's lead is worth.
    """

    weak: float = 1.0
    strong: float = -0.6
    share: float = 0.5
    bombs: float = 0.3
    sure: float = 0.7
    longer: float = 0.2
    worth: float = 1.2
    threat: float = 1.0
    helping: float = 0.0


ALONE = ABaoStyle()  # of the declarer, and of a bidder
TOGETHER = ABaoStyle(strong=-0.2, share=0.8, bombs=0.45, sure=0.85, worth=0.5, helping=1.2)


Needs: TypeAlias = tuple[tuple[Rank, int], ...]  # so many cards of each rank
Key: TypeAlias = tuple[str, int, int]


class Over(NamedTuple):
    """What beats a combination: places in the list of all.

    bombs: those that are of a higher level.
    """

    plain: tuple[int, ...]
    bombs: tuple[int, ...]


class Holder(NamedTuple):
    """What is known of a rival's hand.

    known: its cards that were seen, by rank; room: how many others it holds.
    """

    known: Mapping[Rank, int]
    room: int


class Chances:
    """What the rivals of the view's seat may hold: everybody who is not known as an ally."""

    def __init__(self, view: View) -> None:
        self._groups: Groups = view.rules.groups  # type: ignore[attr-defined]
        self._loose = Counter(held.rank for held in unseen_cards(view).elements())
        self._total = self._loose.total()
        others = (seat for seat in range(len(view.counts)) if seat not in {view.seat, *view.allies})
        rivals = [_holder(view, seat) for seat in others]
        self._held = [[self._holds(rival, needs) for rival in rivals] for needs in shapes(self._groups)]

    def _holds(self, rival: Holder, needs: Needs) -> float:
        """Return the chance that this rival holds so many cards of each of these ranks.

        Each rank is treated as independent.
        """
        chance = 1.0
        for rank, count in needs:
            copies = self._loose[rank]
            chance *= at_least(count - rival.known.get(rank, 0), copies, rival.room, self._total)
            if not chance:
                break
        return chance

    def unbeaten(self, combo: Combo, share: float, bombs: float) -> float:
        """Return the chance that no rival beats a play.

        share: how often a rival plays a combination that it may hold. bombs: the same for combinations of a higher
        level.
        """
        over = above(self._groups)[key(combo)]
        plain = (1 - share * chance for at in over.plain for chance in self._held[at])
        return prod(plain) * prod(1 - bombs * chance for at in over.bombs for chance in self._held[at])


def _holder(view: View, seat: int) -> Holder:
    known = Counter(held.rank for owner, held in view.known if owner == seat)
    return Holder(known, view.counts[seat] - known.total())


def key(combo: Combo) -> Key:
    """Return the key of a combination: everything except suits."""
    return combo.kind, len(combo.cards), combo.strength


@lru_cache(maxsize=16)
def shapes(groups: Groups) -> tuple[Needs, ...]:
    """Return what each combination of a pack takes."""
    every = groups.over(groups.deck.cards, None)
    return tuple(tuple(Counter(held.rank for held in combo.cards).items()) for combo in every)


@lru_cache(maxsize=16)
def above(groups: Groups) -> Mapping[Key, Over]:
    """Return what beats each combination of a pack."""
    every = list(groups.over(groups.deck.cards, None))
    return {key(top): _over(groups, every, top) for top in every}


def _over(groups: Groups, every: list[Combo], top: Combo) -> Over:
    beating = [(at, combo.level > top.level) for at, combo in enumerate(every) if groups.can_follow(combo, top)]
    return Over(tuple(at for at, bomb in beating if not bomb), tuple(at for at, bomb in beating if bomb))


@dataclass(frozen=True, slots=True)
class ABaoReading:
    """What the view means to its seat.

    fewest: the smallest number of cards that a rival holds.
    """

    view: View
    chances: Chances
    fewest: int
    rng: random.Random | None = None
    style: ABaoStyle = ALONE

    @classmethod
    def of(cls, view: View, rng: random.Random | None = None, style: ABaoStyle | None = None) -> Self:
        """Read the view of a seat that is asked for anything."""
        return cls(view, Chances(view), nearest(view), rng, style or (TOGETHER if view.allies else ALONE))

    # How good a hand is

    def laying(self, hand: Cards) -> LayoutPlanner:
        """Return in what a hand could be laid down."""
        alone = replace(self.view, hand=hand, trick=EMPTY, ask=PlayAsk(may_pass=False))
        return LayoutPlanner(hand, alone.plays, self.cost, _kind)

    def stay_chance(self, combo: Combo) -> float:
        """Return from 0 to 1 how likely the combination is to stay on top, a guess."""
        return self.chances.unbeaten(combo, self.style.share, self.style.bombs)

    def cost(self, combo: Combo) -> float:
        """Return the estimated turns that it takes to get rid of a combination."""
        return self.style.weak + (self.style.strong - self.style.weak) * self.stay_chance(combo)

    # What to play

    def lead(self, plays: Sequence[Combo]) -> Combo:
        """Return the lead: the weakest part of the layout, unless a seat is about to go out."""
        hand = self.view.hand
        parts = self.laying(hand).best(hand).parts
        if self._runs_out(parts):
            return max(parts, key=self.stay_chance)
        if self._helps():
            return plays[0]
        if self.fewest > LAST:
            return min([combo for combo in parts if len(combo.cards) != self.fewest] or parts, key=self._early)
        several = [combo for combo in (*parts, *plays) if len(combo.cards) > 1]
        return min(several, key=self._early) if several else max(parts, key=self.stay_chance)

    def _runs_out(self, parts: Sequence[Combo]) -> bool:
        """Tell whether all parts but one are likely to keep the lead."""
        first = sorted(map(self.stay_chance, parts))[1:]
        return prod(first) >= self.style.sure

    def _helps(self) -> bool:
        """Tell whether a low card lets an ally go out, and the declarer is not as near."""
        return self.fewest > LAST and any(self.view.counts[seat] == LAST for seat in self.view.allies)

    def _early(self, combo: Combo) -> tuple[float, float]:
        return self.stay_chance(combo) - self.style.longer * len(combo.cards), self._even()

    def follow(self, plays: Sequence[Combo]) -> Combo | None:
        """Return what to put on top, or None to pass: whatever leaves the best prospects."""
        hand, laying = self.view.hand, self.laying(self.view.hand)
        left = {combo: self._after(laying, combo) for combo in plays}
        best = min(plays, key=lambda combo: (left[combo], self._even()))
        if self.view.trick.owner in self.view.allies and not self._covers(best):
            return None
        return best if left[best] <= laying.best(hand).cost + self._lost() else None

    def _after(self, laying: LayoutPlanner, combo: Combo) -> float:
        """Return the turns of the hand after a play, minus the worth of a lead it may win."""
        rest, stays = without(self.view.hand, combo.cards), self.stay_chance(combo)
        return laying.best(rest).cost - self.style.worth * stays + self._danger(combo) * (1 - stays)

    def _lost(self) -> float:
        """Return the turns that a pass costs, or saves, by leaving the lead to the top's owner."""
        top, owner = self.view.trick.top, self.view.trick.owner
        assert top
        assert owner is not None
        if owner not in self.view.allies:
            return self.style.threat / max(self.view.counts[owner] - LAST, OUT)
        stays = self._safe(top)
        return self._danger(top) * (1 - stays) - self.style.helping * stays

    def _danger(self, top: Combo) -> float:
        """Return the cost in turns if a rival beats a play; higher with fewer cards left."""
        return self.style.threat / max(self.fewest - len(top.cards), OUT)

    def _safe(self, top: Combo) -> float:
        """Return how likely an ally's play is to stay on top: 1 if every rival has passed since."""
        since = self.view.trick.moves[-self.view.trick.passes :] if self.view.trick.passes else ()
        rivals = set(range(len(self.view.counts))) - self.view.allies - {self.view.seat}
        return 1.0 if rivals <= {move.seat for move in since} else self.stay_chance(top)

    def _covers(self, best: Combo) -> bool:
        """Tell whether this play may beat an ally's; a bomb only if a rival is nearly out."""
        return best.level < FIRST_BOMB or self.fewest <= NEARLY_OUT

    def _even(self) -> float:
        return self.rng.random() if self.rng else 0


def _kind(held: Card) -> Hashable:
    return held.rank
