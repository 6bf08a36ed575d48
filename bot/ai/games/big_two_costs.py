"""The cost of playing a hand of Big Two, in turns that others have to leave to its seat, and the cheapest plan.

A combination that is hardly ever beaten costs little, for it keeps the lead; a weak one costs a whole turn and more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from bot.ai.games.big_two_codes import BITS, CARDS, MAX_COMBO_CARDS, RANK, SUITS, BigTwoCodes

Parts: TypeAlias = list[int]  # the codes in which a player means to play its hand

CHUNKS = tuple(0xFFFF << at for at in range(0, BITS, 16))  # cards of four ranks, whose cost is remembered together
SURELY = 0.99  # the standing of a kind that is seldom beaten


class PlayingStyle(NamedTuple):
    """How somebody plays, in numbers that were found by playing.

    weak, strong: the turns that a combination of standing 0 and of standing 1 costs. straight, flush, full_house: their
    standing. pair, triple: by what factor a pair and a triple are beaten less often than a single card. patience, calm:
    a play has to save ``patience`` turns for each card above ``calm`` of the nearest rival. Discounts from these turns:
    alarm, with a rival at one card, two or three; dear, dearest, if the own cards count double, and treble; few, with
    at most four cards; twos, threes, fives, by the size of the play. stop: the turns that a safe play is worth more
    with a rival at ``near`` cards. longer: the standing that one more card outweighs in a lead. sure: a standing that
    is hardly ever beaten. meet: the standing that it costs to lead as many cards as a rival holds. hoard: the same to
    lead a two.
    """

    weak: float = 1.6
    strong: float = 0.1
    straight: float = 0.7
    flush: float = 0.8
    full_house: float = 0.9
    pair: float = 2.0
    triple: float = 3.0
    patience: float = 0.1
    calm: float = 7.0
    alarm: tuple[float, float, float] = (3.0, 3.0, 0.0)
    dear: float = 0.0
    dearest: float = 0.0
    few: float = 0.0
    twos: float = 0.0
    threes: float = 0.0
    fives: float = 0.0
    stop: float = 0.0
    near: float = 3.0
    longer: float = 0.3
    sure: float = 0.999
    meet: float = 1.0
    hoard: float = 0.0


CAREFUL = PlayingStyle()  # passes much, as the plain house player does
EAGER = PlayingStyle(
    weak=1.5127,
    strong=0.1254,
    straight=0.6382,
    pair=0.9267,
    triple=2.3118,
    patience=0.0635,
    calm=8.3253,
    alarm=(3.0, 2.715, 1.012),
    dear=1.1848,
    dearest=0.4,
    few=0.2705,
    twos=0.3046,
    threes=0.1825,
    fives=0.5,
    stop=1.1527,
    longer=0.2875,
    sure=0.9589,
    hoard=0.1121,
)


class Remembered(dict[int, float]):
    """A number for each code, or for some cards, found when it is first asked for."""

    def __init__(self, find: Callable[[int], float]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: int) -> float:
        self[key] = found = self._find(key)
        return found


class Costs:
    """What combinations and hands cost.

    about: the cards that are still in any hand. standing: from 0 to 1 how likely a combination is to stay on top. cost:
    what it costs, in turns.
    """

    def __init__(self, codes: BigTwoCodes, about: int, style: PlayingStyle) -> None:
        self.codes, self.style, self._about = codes, style, about
        self._total = max(1, about.bit_count())
        self._shares = (1.0, 1 / style.pair, 1 / style.triple, 0.0)
        kinds = {"straight": style.straight, "flush": style.flush, "full_house": style.full_house}
        self._fives = [kinds.get(kind, SURELY) for kind in codes.kinds(MAX_COMBO_CARDS)]
        self._ranks: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
        self._plans: dict[int, Parts] = {}
        self._chunks = Remembered(lambda held: sum(self._of_rank(part)[0] for part in by_rank(held)))
        self.standing = Remembered(self._standing)
        self.cost = Remembered(lambda code: style.weak + (style.strong - style.weak) * self.standing[code])

    def _standing(self, code: int) -> float:
        cards = code & CARDS
        size = cards.bit_count()
        if size == MAX_COMBO_CARDS:
            return self._fives[code >> BITS]
        above = (self._about >> cards.bit_length()).bit_count() / self._total
        return 1 - above * self._shares[size - 1]

    # Sets

    def _of_rank(self, held: int) -> tuple[float, tuple[int, ...]]:
        """Return what cards of one rank cost as sets, and these sets."""
        found = self._ranks.get(held)
        if found is None:
            lowest = held & -held
            ways = ((code, self._of_rank(held & ~code)) for code in self.codes.sets(held) if code & lowest)
            found = min((self.cost[code] + cost, (code, *sets)) for code, (cost, sets) in ways)
            self._ranks[held] = found
        return found

    def sets(self, hand: int) -> float:
        """Return what a hand costs if it is laid down in sets alone."""
        (one, two, three, four), cost = CHUNKS, self._chunks
        return cost[hand & one] + cost[hand & two] + cost[hand & three] + cost[hand & four]

    # Plans

    def best(self, hand: int, fives: list[int]) -> float:
        """Return what a hand costs with the best five cards of those given that it holds, or without any."""
        least = self.sets(hand)
        for code in fives:
            if not code & CARDS & ~hand:
                least = min(least, self.cost[code] + self.sets(hand & ~code))
        return least

    def planned(self, hand: int, fives: list[int]) -> float:
        """Return what a hand costs by its plan, with as many of the five cards given as it holds."""
        fives = [code for code in fives if not code & CARDS & ~hand]
        parts, rest = self._fives_of(hand, fives) if fives else ([], hand)
        return self.turns(parts) + self.sets(rest)

    def plan(self, hand: int, fives: list[int]) -> Parts:
        """Return the plan of a hand: the combinations of five cards that save most, one by one, and sets."""
        found = self._plans.get(hand)
        if found is None:
            parts, rest = self._fives_of(hand, fives)
            found = self._plans[hand] = parts + [code for part in by_rank(rest) for code in self._of_rank(part)[1]]
        return found

    def _fives_of(self, hand: int, fives: list[int]) -> tuple[list[int], int]:
        """Return the combinations of five cards that save most, one by one, and the rest of the cards."""
        parts, rest = list[int](), hand
        while fives:
            least, code = min([(self.cost[code] + self.sets(rest & ~code), code) for code in fives])
            if least >= self.sets(rest):
                break
            parts.append(code)
            rest &= ~code
            fives = [other for other in fives if not other & code & CARDS]
        return parts, rest

    def turns(self, parts: Iterable[int]) -> float:
        """Return what these combinations cost together."""
        return sum(map(self.cost.__getitem__, parts))


def by_rank(hand: int) -> list[int]:
    """Return the cards of a hand, those of each rank together."""
    parts = []
    while hand:
        part = hand & (RANK << ((hand & -hand).bit_length() - 1) // SUITS * SUITS)
        parts.append(part)
        hand ^= part
    return parts
