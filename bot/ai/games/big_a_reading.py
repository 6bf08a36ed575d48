"""Big A as plain players play it: declarations, leads, follows, and spared allies."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.ai.engine.reading import LayoutPlanner, nearest, takes
from bot.rules.big_a.declarations import NOTHING, REVEAL, ace
from bot.rules.big_a.tables import FIRST_BOMB
from bot.rules.core.asks import Answer, Choose, ChooseAsk, PlayAsk
from bot.rules.core.cards import Card, Cards, Suit, without
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen_cards
from bot.rules.core.trick import EMPTY, Combo

SURE = 0.95  # a combination with this stay chance will hardly be beaten
LAST, NEARLY_OUT = 1, 2  # cards of a rival who goes out with the next play, or may do so


class BigAStyle(NamedTuple):
    """The weights of a player's considerations.

    Found by letting house players play each other. weak, strong: turns that a combination with a stay chance of 0 and
    of 1 costs; the strong one wins turns for the others. steep: how fast the stay chance falls with the share of unseen
    cards above. paired: by how much less for a pair. bombs: the stay chance of the lowest of each kind, and ranked: how
    much higher the highest stands. runs: of a sequence for each card, ``longest`` at most; doubled: of a double
    sequence. longer: how much stay chance one more card outweighs in choosing what to lead.

    A play has to save ``patience`` turns for each card over ``calm`` that the nearest rival holds, but at most ``most``
    and at most as many as the hand has left, times ``finish``. near: the rival's cards from which on it may cost
    ``alarm`` turns. covered, covering: the highest stay chance of an ally's play that is covered, and of what covers
    it. ending: the lowest stay chance of a play that covers an ally's in order to leave the seat a single combination.
    """

    weak: float = 1.0
    strong: float = -0.6
    steep: float = 3.0
    paired: float = 1.2
    bombs: tuple[float, ...] = (0.65, 0.87, 0.95, 0.98, 0.99)
    ranked: float = 0.012
    runs: float = 0.1
    longest: float = 0.8
    doubled: float = 0.75
    longer: float = 0.05
    patience: float = 0.05
    calm: float = 8.0
    most: float = 0.4
    finish: float = 1.0
    near: int = 5
    alarm: float = -1.5
    covered: float = 0.5
    covering: float = 0.7
    ending: float = 2.0


TASTE = BigAStyle()


@dataclass(frozen=True, slots=True)
class BigAReading:
    """What the view means to its seat.

    higher: for each strength of single cards the share, 0 to 1, of the unseen cards above it. fewest: the smallest
    number of cards that a rival holds.
    """

    view: View
    higher: Mapping[int, float]
    fewest: int
    rng: random.Random | None = None
    style: BigAStyle = TASTE

    @classmethod
    def of(cls, view: View, rng: random.Random | None = None, style: BigAStyle = TASTE) -> BigAReading:
        """Read the view of a seat that is asked for anything."""
        return cls(view, _higher(view), nearest(view), rng, style)

    # How good a hand is

    def laying(self, hand: Cards) -> LayoutPlanner:
        """Return in what a hand could be laid down."""
        alone = replace(self.view, hand=hand, trick=EMPTY, ask=PlayAsk(may_pass=False))
        return LayoutPlanner(hand, alone.plays, self.cost, self._kind)

    def _kind(self, held: Card) -> Hashable:
        return self.view.rules.alike((held,))

    def stay_chance(self, combo: Combo) -> float:
        """Return from 0 to 1 how likely the combination is to stay on top, a guess."""
        style, size = self.style, len(combo.cards)
        if combo.level >= FIRST_BOMB:
            at = combo.level - FIRST_BOMB
            return min(1.0, style.bombs[min(at, len(style.bombs) - 1)] + style.ranked * combo.strength)
        if size > 2:
            return style.doubled if combo.level else min(style.longest, style.runs * size)
        share = self.higher[_strength(self.view, combo.cards[0])]
        return max(0.0, 1 - style.steep * share / (style.paired if size > 1 else 1))

    def cost(self, combo: Combo) -> float:
        """Return the estimated turns that it takes to get rid of a combination."""
        return self.style.weak + (self.style.strong - self.style.weak) * self.stay_chance(combo)

    def turns(self) -> float:
        """Return the same for the hand."""
        return self.laying(self.view.hand).best(self.view.hand).cost

    # What to play

    def lead(self, plays: Sequence[Combo]) -> Combo:
        """Return the lead: the weakest part of the layout, unless a seat is about to go out."""
        hand = self.view.hand
        parts = self.laying(hand).best(hand).parts
        if sum(self.stay_chance(combo) < SURE for combo in parts) <= 1:
            return max(parts, key=self.stay_chance)
        if self._helps():
            return plays[0]
        if self.fewest > LAST:
            return min([combo for combo in parts if len(combo.cards) != self.fewest] or parts, key=self._early)
        several = [combo for combo in (*parts, *plays) if len(combo.cards) > 1]
        return min(several, key=self._early) if several else max(parts, key=self.stay_chance)

    def _helps(self) -> bool:
        """Tell whether a low card lets an ally go out, and no rival is as near."""
        return self.fewest > LAST and any(self.view.counts[seat] == LAST for seat in self.view.allies)

    def _early(self, combo: Combo) -> tuple[float, float]:
        return self.stay_chance(combo) - self.style.longer * len(combo.cards), self._even()

    def follow(self, plays: Sequence[Combo]) -> Combo | None:
        """Return the play that leaves the best hand, or None to pass.

        A play must save enough turns.
        """
        top, hand = self.view.trick.top, self.view.hand
        assert top
        laying = self.laying(hand)
        left = {combo: self._left(laying, combo, top) for combo in plays}
        best = min(plays, key=lambda combo: (left[combo], self._even()))
        if self.view.trick.owner in self.view.allies and not self._covers(best, top):
            return self._ending(laying, plays)
        return best if laying.best(hand).cost - left[best] >= self._needed(left[best]) else None

    def _left(self, laying: LayoutPlanner, combo: Combo, top: Combo) -> float:
        """Return the turns of the hand after a play, with what a set of fours takes (5.2)."""
        left = without(self.view.hand, combo.cards)
        if not takes(combo, top):
            return laying.best(left).cost
        left = self.view.rules.sort((*left, *top.cards))
        return self.laying(left).best(left).cost

    def _covers(self, best: Combo, top: Combo) -> bool:
        """Tell whether an ally's low play may be beaten: cheaply, or before a rival goes out."""
        if self.stay_chance(top) >= self.style.covered or best.level >= FIRST_BOMB:
            return False
        return self.stay_chance(best) < self.style.covering or len(top.cards) <= self.fewest <= NEARLY_OUT

    def _ending(self, laying: LayoutPlanner, plays: Sequence[Combo]) -> Combo | None:
        """Return the play on an ally's that lets the seat go out with the next lead, or None."""
        ends = (combo for combo in plays if len(laying.best(without(self.view.hand, combo.cards)).parts) == 1)
        best = max(ends, key=self.stay_chance, default=None)
        return best if best and self.stay_chance(best) >= self.style.ending else None

    def _needed(self, left: float) -> float:
        """Return the turns that a play must save; fewer if a rival or this seat is nearly out."""
        style = self.style
        if self.fewest <= style.near:
            return style.alarm
        return min(style.most, style.patience * (self.fewest - style.calm), style.finish * left)

    def _even(self) -> float:
        return self.rng.random() if self.rng else 0


def _strength(view: View, held: Card) -> int:
    single = view.rules.classify((held,))
    assert single
    return single.strength


def _higher(view: View) -> Mapping[int, float]:
    """Return the share of unseen cards above each strength of single cards."""
    others = Counter(
        _strength(view, held) for held in (*unseen_cards(view).elements(), *(held for _, held in view.known))
    )
    places = {_strength(view, held) for held in dict.fromkeys(view.rules.pack)}
    above, share = 0, {}
    for place in sorted(places, reverse=True):
        share[place] = above / max(1, others.total())
        above += others[place]
    return share


# The turns that so many cards take as a rule: first more with every card, then fewer, for they begin to go together.
USUAL, FROM, FEWER = 2.9, 10, 0.13
# By how many turns a hand has to be better than that to play with a partner, alone, or with a partner for more points.
STRONG, ALONE, DOUBLED = 0.2, 2.0, 1.1
NEVER = float("inf")
NEARLY_ALL = 20  # cards of which a hand is known well enough to play alone


def answer(view: View, ask: ChooseAsk) -> Choose | None:
    """Return the boldest answer that the hand allows, or None after the seat's answer."""
    if ask.given:
        return None
    offered = [
        (_needed(view, kind, suit), reply.code, suit) for reply in ask.answers for kind, suit in _read(view, reply)
    ]
    worth = {suit: strength(view, suit) for needed, _, suit in offered if needed < NEVER}
    wished = [(needed, code) for needed, code, suit in offered if needed <= worth.get(suit, -NEVER)]
    return Choose((max(wished)[1] if wished else NOTHING,))


def _read(view: View, reply: Answer) -> Iterator[tuple[str, Suit]]:
    """Yield what an answer shows, if anything, and of which suit."""
    kind, _, suit = reply.code.partition(":")
    if kind != NOTHING:
        yield kind, Suit(suit) if suit else _shown(view)


def _needed(view: View, kind: str, big: Suit) -> float:
    """Return how strong a hand has to be for this."""
    if view.hand.count(ace(big)) > 1:
        return ALONE if len(view.hand) >= NEARLY_ALL else NEVER
    return DOUBLED if kind == REVEAL else STRONG


def _shown(view: View) -> Suit:
    """Return the suit shown last, or still to be shown."""
    acts = dict(view.facts).get("shown")
    return acts[-1].amount[0].suit if acts else Suit.HEARTS


def strength(view: View, big: Suit) -> float:
    """Return how many turns better than usual the cards seen so far are with these Big Aces."""
    usual = USUAL - FEWER * max(0, len(view.hand) - FROM)
    rules = view.rules.in_force(big)  # type: ignore[attr-defined]
    return usual - BigAReading.of(replace(view, rules=rules, hand=rules.sort(view.hand))).turns()
