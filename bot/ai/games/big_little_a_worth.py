"""The Big and the Little A: weights of plain players, rivals' hands, the costs of hands.

Chances follow from the cards that are nowhere to be seen, hand by hand; costs are penalty points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple, TypeAlias

from bot.ai.engine.reading import at_least
from bot.rules.big_little_a.groups import A_CARDS, BIG_A, HIGHEST, JOKER, LITTLE_A, NUMBERS, POWER
from bot.rules.big_little_a.options import Options
from bot.rules.big_little_a.score import penalty_in_hand
from bot.rules.core.cards import Cards
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen_cards

StayChance: TypeAlias = Callable[[int, int], float]
Part: TypeAlias = tuple[int, int]  # so many cards of one power
PLACES = max(POWER.values()) + 1
LITTLE, BIG = POWER[LITTLE_A], POWER[BIG_A]


TOP = len(NUMBERS)
JOKERS = POWER[JOKER]


class BigLittleAStyle(NamedTuple):
    """The weights of a player's considerations.

    Found by letting house players play each other. share, jokers: with how much of what it may hold a rival is taken to
    beat a set, without and with a joker. weak, strong: turns that a set with a stay chance of 0 and of 1 costs; the
    strong one wins turns for the others. grip: how many more in the hand of a seat that needs the lead for an A card.
    tempo: points that a turn is worth. left: which share of its points a card costs with the end far off; stuck: an A
    card, at least. fade: by how many cards of a rival the end comes nearer by the factor e. sure: with which chance to
    keep the lead it runs out.

    worth: how much of what the lead could save it does; rid: for an A card. early: points for leading a set that is
    hard to beat; rare: by how much rarer that is for each card more. block: which share of an A card it costs to leave
    the lead to its holder. risk: which share of the points of the rivals' A cards a hand costs whose lowest card is a
    13; a lower card costs less in proportion. ducks: how surely a rival stays below in an A round who can. later: which
    share of the card that is on top another puts under it.
    """

    share: float = 0.6
    jokers: float = 0.15
    weak: float = 1.0
    strong: float = -1.0
    tempo: float = 3.8
    left: float = 0.085
    stuck: float = 1.0
    fade: float = 2.0
    worth: float = 0.35
    ducks: float = 0.97
    later: float = 0.7
    grip: float = 0.35
    risk: float = 0.3
    rid: float = 0.65
    rare: float = 0.4
    sure: float = 0.75
    block: float = 0.1
    early: float = 0.4


TASTE = BigLittleAStyle()


class Rival(NamedTuple):
    """Another hand, by the viewer's knowledge.

    known: its seen cards, by power. room: the number of its other cards. plain: all but A cards.
    """

    known: Mapping[int, int]
    room: int
    plain: int
    cards: int


class Rivals:
    """The chances of the other hands.

    share: the share of its possible sets that a rival plays. jokers: the same share for sets with a joker.
    """

    def __init__(self, view: View, share: float, jokers: float) -> None:
        self._share, self._jokers = share, jokers
        hidden = unseen_cards(view) - Counter(dict(view.facts).get("middle", ()))
        loose = Counter(POWER[held] for held in hidden.elements())
        self._loose = [loose[power] for power in range(JOKERS + 1)]
        self._total = loose.total()
        self.seats = {seat: _rival(view, seat) for seat in range(len(view.counts)) if seat != view.seat}
        self._over: dict[tuple[object, int], list[float]] = {}
        self._unbeaten: dict[tuple[int, tuple[int, ...]], list[float]] = {}

    def _holds(self, rival: Rival, power: int, count: int) -> float:
        return at_least(count - rival.known.get(power, 0), self._loose[power], rival.room, self._total)

    def over(self, seat: int, size: int) -> list[float]:
        """Return the chance, by strength from 0 to 14, that this seat beats a set of that size."""
        rival = self.seats[seat]
        alike = (rival.room, rival.plain) if not rival.known else seat
        found = self._over.get((alike, size))
        if found is None:
            found = self._over[alike, size] = self._beaten(rival, size)
        return found

    def _beaten(self, rival: Rival, size: int) -> list[float]:
        if rival.plain < size:
            return [0.0] * (HIGHEST + 1)
        joker = self._jokers * self._holds(rival, JOKERS, 1)
        missed = 1 - joker if size == 1 else 1.0
        found = [0.0, 1 - missed]
        for power in range(TOP, 0, -1):
            all_of_them = self._holds(rival, power, size)
            with_joker = joker * (self._holds(rival, power, size - 1) - all_of_them) if size > 1 else 0.0
            missed *= 1 - self._share * all_of_them - with_joker
            found.append(1 - missed)
        return found[::-1]

    def unbeaten(self, size: int, strength: int, seats: tuple[int, ...]) -> float:
        """Return the chance that none of these seats beats such a set."""
        found = self._unbeaten.get((size, seats))
        if found is None:
            by_seat = [self.over(seat, size) for seat in seats]
            found = [prod(1 - chances[at] for chances in by_seat) for at in range(HIGHEST + 1)]
            self._unbeaten[size, seats] = found
        return found[strength]

    def ducks(self, seat: int, strength: int) -> float:
        """Return the chance that a seat stays at or below this in an A round, or cannot play."""
        rival = self.seats[seat]
        if not rival.plain or any(rival.known.get(power) for power in (*range(1, strength + 1), JOKERS)):
            return 1.0
        low = sum(self._loose[1 : strength + 1]) + self._loose[JOKERS]
        return at_least(1, low, rival.room, self._total)


def _rival(view: View, seat: int) -> Rival:
    known = Counter(POWER[held] for owner, held in view.known if owner == seat)
    mean = sum(known[POWER[held]] for held in A_CARDS)
    count = view.counts[seat]
    return Rival(known, count - known.total(), count - mean, count)


def counted(hand: Cards) -> list[int]:
    """Return how many cards of each power there are."""
    held = [0] * PLACES
    for card in hand:
        held[POWER[card]] += 1
    return held


class Worth:
    """The costs of hands, estimated.

    stay_chance: from 0 to 1 the chance that a set of this size and strength stays on top. near: from 0 to 1 how near
    the end is. grip: whether this seat needs the lead for an A card. feared: the points of the A cards that others may
    lead.
    """

    def __init__(
        self,
        options: Options,
        stay_chance: StayChance,
        near: float,
        style: BigLittleAStyle,
        *,
        grip: bool,
        feared: float,
    ) -> None:
        self._stay_chance, self._taste = stay_chance, style
        self._strong = style.strong - style.grip * grip
        self._feared = feared * style.risk
        self.share = style.left + (1 - style.left) * near  # of its points that a card will cost in the end
        self.prices = [0] * PLACES
        for card in (*NUMBERS, JOKER, *A_CARDS):
            self.prices[POWER[card]] = penalty_in_hand(card, options)
        self._turns: dict[int, list[float]] = {}

    def points(self, held: Sequence[int]) -> int:
        """Return what a hand costs as it is."""
        return sum(count * price for count, price in zip(held, self.prices, strict=True) if count)

    def turn(self, size: int, power: int) -> float:
        """Return about how many turns a set takes that others have to leave to this seat."""
        return self._taste.weak + (self._strong - self._taste.weak) * self._stay_chance(size, power)

    def turns(self, power: int, count: int) -> float:
        """Return the same for so many cards of one number, in the best sets."""
        found = self._turns.setdefault(power, [0.0])
        while len(found) <= count:
            size = len(found)
            found.append(min(found[size - part] + self.turn(part, power) for part in range(1, size + 1)))
        return found[count]

    def parts(self, held: Sequence[int]) -> list[Part]:
        """Return the sets of a hand: equal numbers together, jokers and A cards one by one."""
        sets = [(held[power], power) for power in range(1, TOP + 1) if held[power]]
        return sets + [(1, power) for power in (JOKERS, LITTLE, BIG) for _ in range(held[power])]

    def stands(self, part: Part) -> float:
        """Return from 0 to 1 how likely a set is to stay on top as a lead: an A card never does."""
        size, power = part
        return 0.0 if power > JOKERS else self._stay_chance(size, power)

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
        """Return the cost of the others' A cards to a hand, by its lowest card.

        A joker is as low as a 1.
        """
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
        """Return what having the lead saves: the dearest set that can be led goes.

        barred: an A card that must not be led.
        """
        sets = (
            self._taste.tempo * self.turns(power, held[power]) + self.share * held[power] * self.prices[power]
            for power in range(1, TOP + 1)
            if held[power]
        )
        mean = (self.mean(power) for power in (LITTLE, BIG) if held[power] and power != barred)
        return max(self._taste.worth * max((0.0, *sets)), self._taste.rid * max((0.0, *mean)))
