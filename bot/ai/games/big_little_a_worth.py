"""What is left of a hand of The Big and the Little A: about how many penalty points it will bring.

Knows a hand by how many cards of each power there are, and how likely each set is to stay on top. Refuses to know what
lies on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from bot.ai.games.big_little_a_rivals import JOKERS, TOP
from bot.ai.games.big_little_a_taste import Taste
from bot.rules.big_little_a.options import Options
from bot.rules.big_little_a.score import in_hand
from bot.rules.big_little_a.tables import BIG_A, JOKER, LITTLE_A, MEAN, NUMBERS, POWER
from bot.rules.core.cards import Cards

Standing: TypeAlias = Callable[[int, int], float]
Part: TypeAlias = tuple[int, int]  # so many cards of one power
PLACES = max(POWER.values()) + 1
LITTLE, BIG = POWER[LITTLE_A], POWER[BIG_A]


def counted(hand: Cards) -> list[int]:
    """Return how many cards of each power there are."""
    held = [0] * PLACES
    for card in hand:
        held[POWER[card]] += 1
    return held


class Worth:
    """What hands cost. standing: from 0 to 1 how likely a set of so many cards and that strength is to stay on top.

    near: from 0 to 1 how near the end is. grip: whether this seat needs the lead for an A card. feared: the points of
    the A cards that others may lead.
    """

    def __init__(
        self, options: Options, standing: Standing, near: float, taste: Taste, *, grip: bool, feared: float
    ) -> None:
        self._standing, self._taste = standing, taste
        self._strong = taste.strong - taste.grip * grip
        self._feared = feared * taste.risk
        self.share = taste.left + (1 - taste.left) * near  # of its points that a card will cost in the end
        self.prices = [0] * PLACES
        for card in (*NUMBERS, JOKER, *MEAN):
            self.prices[POWER[card]] = in_hand(card, options)
        self._turns: dict[int, list[float]] = {}

    def points(self, held: Sequence[int]) -> int:
        """Return what a hand costs as it is."""
        return sum(count * price for count, price in zip(held, self.prices, strict=True) if count)

    def turn(self, size: int, power: int) -> float:
        """Return about how many turns a set takes that others have to leave to this seat."""
        return self._taste.weak + (self._strong - self._taste.weak) * self._standing(size, power)

    def turns(self, power: int, count: int) -> float:
        """Return the same for so many cards of one number, in the best sets."""
        found = self._turns.setdefault(power, [0.0])
        while len(found) <= count:
            size = len(found)
            found.append(min(found[size - part] + self.turn(part, power) for part in range(1, size + 1)))
        return found[count]

    def parts(self, held: Sequence[int]) -> list[Part]:
        """Return the sets of a hand, its jokers one by one and its A cards: equal numbers together."""
        sets = [(held[power], power) for power in range(1, TOP + 1) if held[power]]
        return sets + [(1, power) for power in (JOKERS, LITTLE, BIG) for _ in range(held[power])]

    def stands(self, part: Part) -> float:
        """Return from 0 to 1 how likely a set is to stay on top as a lead: an A card never does."""
        size, power = part
        return 0.0 if power > JOKERS else self._standing(size, power)

    def mean(self, power: int) -> float:
        """Return what an A card costs in a hand."""
        return self.prices[power] * max(self._taste.stuck, self.share)

    def left(self, held: Sequence[int]) -> float:
        """Return what a hand costs."""
        turns = sum(self.turns(power, held[power]) for power in range(1, TOP + 1) if held[power])
        turns += sum(self._jokers(held))
        plain = sum(held[power] * self.prices[power] for power in range(1, JOKERS + 1) if held[power])
        mean = sum(self.mean(power) for power in (LITTLE, BIG) if held[power])
        return self._taste.tempo * turns + self.share * plain + mean + self._risk(held)

    def _risk(self, held: Sequence[int]) -> float:
        """Return what the A cards of others cost a hand whose lowest card this is: a joker is as low as a 1."""
        lowest = 1 if held[JOKERS] else next((power for power in range(1, TOP + 1) if held[power]), 0)
        return self._feared * lowest / TOP

    def _jokers(self, held: Sequence[int]) -> Iterator[float]:
        """Yield the turns that each joker adds, alone or beside numbers."""
        have = list(held)
        for _ in range(held[JOKERS]):
            numbers = (power for power in range(1, TOP + 1) if have[power])
            ways = ((self.turns(at, have[at] + 1) - self.turns(at, have[at]), at) for at in numbers)
            saved, best = min(ways, default=(0.0, 0))
            alone = self.turn(1, JOKERS)
            if alone <= saved or not best:
                yield alone
            else:
                have[best] += 1
                yield saved

    def lead(self, held: Sequence[int], *, barred: int = 0) -> float:
        """Return what having the lead saves: the dearest set that can be led goes. barred: an A card that cannot be."""
        sets = (
            self._taste.tempo * self.turns(power, held[power]) + self.share * held[power] * self.prices[power]
            for power in range(1, TOP + 1)
            if held[power]
        )
        mean = (self.mean(power) for power in (LITTLE, BIG) if held[power] and power != barred)
        return max(self._taste.worth * max((0.0, *sets)), self._taste.rid * max((0.0, *mean)))
